// Handlers of extinst/math.def for one instruction set.
#include "extinst/erf_lanes.h"
#include "extinst/fma_lanes.h"
#include "extinst/gamma_lanes.h"
#include "extinst/hyperbolic_lanes.h"
#include "extinst/inverse_trig_lanes.h"
#include "extinst/pow_lanes.h"
#include "extinst/remainder_lanes.h"
#include "extinst/root_lanes.h"
#include "extinst/trig_lanes.h"
#include "vm/exec/rows/row_templates.h"

namespace transpire::vm::TRANSPIRE_ISA {

void fill_extinst_math(HandlerTable& table) {
  using namespace opencl;
#define TRANSPIRE_OP TRANSPIRE_FILL_OP
#include "extinst/math.def"
#undef TRANSPIRE_OP
}

}  // namespace transpire::vm::TRANSPIRE_ISA
