// Handlers of vm/ops/rounded.def for one instruction set.
#include "vm/exec/rows/row_templates.h"
#include "vm/ops/rounded.h"

namespace transpire::vm::TRANSPIRE_ISA {

void fill_rounded(HandlerTable& table) {
#define TRANSPIRE_OP TRANSPIRE_FILL_OP
#include "vm/ops/rounded.def"
#undef TRANSPIRE_OP
}

}  // namespace transpire::vm::TRANSPIRE_ISA
