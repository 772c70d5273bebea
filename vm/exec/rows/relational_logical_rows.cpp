// Handlers of vm/ops/relational_logical.def for one instruction set.
#include "vm/exec/rows/mask_templates.h"
#include "vm/ops/relational_logical.h"

namespace transpire::vm::TRANSPIRE_ISA {

void fill_relational_logical(HandlerTable& table) {
#define TRANSPIRE_OP TRANSPIRE_FILL_OP
#include "vm/ops/relational_logical.def"
#undef TRANSPIRE_OP
}

}  // namespace transpire::vm::TRANSPIRE_ISA
