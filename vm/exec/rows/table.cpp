// The handler table of one instruction set: every family fills its part.
#include "vm/exec/handlers.h"

namespace transpire::vm::TRANSPIRE_ISA {

const HandlerTable& table();

namespace {

void fill(HandlerTable& table) {
#if defined(TRANSPIRE_ISA_AVX512)
  table.isa = "avx512";
#elif defined(TRANSPIRE_ISA_AVX2)
  table.isa = "avx2";
#else
  table.isa = "baseline";
#endif
  table.lanes = kLanes;
  fill_moves(table);
  fill_arithmetic(table);
  fill_rounded(table);
  fill_bit(table);
  fill_relational(table);
  fill_conversion(table);
  fill_extinst_math(table);
  fill_extinst_common(table);
  fill_extinst_integer(table);
  fill_memory(table);
  fill_atomic(table);
  fill_pointer(table);
  fill_report(table);
  fill_builtin(table);
  fill_control_flow(table);
  fill_group(table);
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
