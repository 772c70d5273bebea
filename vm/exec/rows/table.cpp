// The handler table of one instruction set: every family fills its part.
#include "vm/exec/handlers.h"

namespace transpire::vm::TRANSPIRE_ISA {

const HandlerTable& table();

namespace {

/// The rows of the tables that fill() makes handlers of, which do not compile without; of those that are
/// no instructions (vm/ops/constant.def); and of those that vm/reference/ makes (extinst/exact.def).
constexpr std::size_t kRowsWithHandlers = 0
#define TRANSPIRE_OP(name, shape, kinds, cheap, flags, meaning) +1
#define TRANSPIRE_SPECIAL(name, shape, signature, imm, kinds, cheap, flags, meaning) +1
#include "extinst/common.def"
#include "extinst/exact.def"
#include "extinst/integer.def"
#include "extinst/math.def"
#include "vm/ops/arithmetic.def"
#include "vm/ops/atomic.def"
#include "vm/ops/bit.def"
#include "vm/ops/builtin.def"
#include "vm/ops/constant.def"
#include "vm/ops/control_flow.def"
#include "vm/ops/conversion.def"
#include "vm/ops/group.def"
#include "vm/ops/memory.def"
#include "vm/ops/move.def"
#include "vm/ops/pointer.def"
#include "vm/ops/relational_logical.def"
#include "vm/ops/report.def"
#include "vm/ops/rounded.def"
#undef TRANSPIRE_SPECIAL
#undef TRANSPIRE_OP
    ;
static_assert(kRowsWithHandlers == kOpCount, "a table of ops has no handlers");

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
