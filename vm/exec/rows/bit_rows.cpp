// Handlers of vm/ops/bit.def for one instruction set.
#include "vm/exec/rows/row_templates.h"
#include "vm/ops/bit.h"

namespace transpire::vm::TRANSPIRE_ISA {

void fill_bit(HandlerTable& table) {
#define TRANSPIRE_OP TRANSPIRE_FILL_OP
#include "vm/ops/bit.def"
#undef TRANSPIRE_OP
}

}  // namespace transpire::vm::TRANSPIRE_ISA
