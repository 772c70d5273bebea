// Handlers of extinst/integer.def for one instruction set.
#include "extinst/integer_lanes.h"
#include "vm/exec/rows/row_templates.h"

namespace transpire::vm::TRANSPIRE_ISA {

void fill_extinst_integer(HandlerTable& table) {
  using namespace opencl;
#define TRANSPIRE_OP TRANSPIRE_FILL_OP
#include "extinst/integer.def"
#undef TRANSPIRE_OP
}

}  // namespace transpire::vm::TRANSPIRE_ISA
