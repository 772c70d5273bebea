// Handlers of extinst/common.def for one instruction set.
#include "extinst/common_lanes.h"
#include "vm/exec/rows/row_templates.h"

namespace transpire::vm::TRANSPIRE_ISA {

void fill_extinst_common(HandlerTable& table) {
  using namespace opencl;
#define TRANSPIRE_OP TRANSPIRE_FILL_OP
#include "extinst/common.def"
#undef TRANSPIRE_OP
}

}  // namespace transpire::vm::TRANSPIRE_ISA
