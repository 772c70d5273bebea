// The handler table of one instruction set: every family of vm/ops/all.def fills its part, or does not link.
#include "vm/exec/handlers.h"

namespace transpire::vm::TRANSPIRE_ISA {

const HandlerTable& table();

/// Values that no instruction computes.
void fill_constant(HandlerTable&) {}
/// Only the reference mode has handlers of these (vm/reference/).
void fill_extinst_exact(HandlerTable&) {}

namespace {

void fill(HandlerTable& table) {
  table.isa = kIsa;
  table.lanes = kLanes;
#define TRANSPIRE_OP(name, shape, kinds, cheap, flags, meaning)
#define TRANSPIRE_FAMILY(name) fill_##name(table);
#include "vm/ops/all.def"
#undef TRANSPIRE_FAMILY
#undef TRANSPIRE_OP
}

}  // namespace

/// Filled at the first call, which may come from any thread.
const HandlerTable& table() {
  static HandlerTable table;
  static const bool filled = (fill(table), true);
  (void)filled;
  return table;
}

}  // namespace transpire::vm::TRANSPIRE_ISA
