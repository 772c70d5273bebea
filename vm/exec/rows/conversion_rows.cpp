// Handlers of vm/ops/conversion.def for one instruction set.
#include "vm/exec/rows/convert_templates.h"
#include "vm/ops/conversion.h"

namespace transpire::vm::TRANSPIRE_ISA {

void fill_conversion(HandlerTable& table) {
#define TRANSPIRE_OP TRANSPIRE_FILL_OP
#include "vm/ops/conversion.def"
#undef TRANSPIRE_OP
}

}  // namespace transpire::vm::TRANSPIRE_ISA
