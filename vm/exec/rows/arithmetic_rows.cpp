// Handlers of vm/ops/arithmetic.def for one instruction set.
#include "vm/exec/rows/row_templates.h"
#include "vm/ops/arithmetic.h"

namespace transpire::vm::TRANSPIRE_ISA {

void fill_arithmetic(HandlerTable& table) {
#define TRANSPIRE_OP TRANSPIRE_FILL_OP
#include "vm/ops/arithmetic.def"
#undef TRANSPIRE_OP
}

}  // namespace transpire::vm::TRANSPIRE_ISA
