// What a handler's translation unit sees. Every family file (vm/exec/rows/*_rows.cpp, vm/exec/*_handlers.cpp)
// is compiled once per instruction set, see vm/simd/isa.h, and fills its part of the table.
#pragma once

#include "vm/exec/engine.h"
#include "vm/simd/isa.h"

namespace transpire::vm::TRANSPIRE_ISA {

using namespace exec;

/// Goes on with the next instruction. Optimised builds make it a tail call; in debug and sanitizer
/// builds the engine's loop does it, so the stack cannot grow.
TRANSPIRE_INLINE const Inst* next(const Inst* ip, std::byte* r, Batch* batch) {
#if defined(TRANSPIRE_LOOP_DISPATCH)
  (void)r;
  (void)batch;
  return ip + 1;
#else
  return ip[1].run(ip + 1, r, batch);
#endif
}

/// Each family fills its part of the table.
void fill_moves(
    HandlerTable& table);  ///< copies, spreads, affine rows (vm/exec/rows/move_rows.cpp)
void fill_arithmetic(HandlerTable& table);       ///< vm/ops/arithmetic.def
void fill_rounded(HandlerTable& table);          ///< vm/ops/rounded.def
void fill_bit(HandlerTable& table);              ///< vm/ops/bit.def
void fill_relational(HandlerTable& table);       ///< vm/ops/relational_logical.def
void fill_conversion(HandlerTable& table);       ///< vm/ops/conversion.def
void fill_extinst_math(HandlerTable& table);     ///< extinst/math.def
void fill_extinst_common(HandlerTable& table);   ///< extinst/common.def
void fill_extinst_integer(HandlerTable& table);  ///< extinst/integer.def
void fill_memory(HandlerTable& table);           ///< loads, stores (memory_handlers.cpp)
void fill_atomic(HandlerTable& table);           ///< vm/exec/atomic_handlers.cpp
void fill_pointer(
    HandlerTable& table);  ///< copies, lifetimes, queries (vm/exec/pointer_handlers.cpp)
void fill_report(HandlerTable& table);   ///< checks, printf, clock (vm/exec/report_handlers.cpp)
void fill_builtin(HandlerTable& table);  ///< vm/exec/builtin_handlers.cpp
void fill_control_flow(HandlerTable& table);  ///< vm/exec/control_flow_handlers.cpp
void fill_group(HandlerTable& table);         ///< vm/exec/group_handlers.cpp

}  // namespace transpire::vm::TRANSPIRE_ISA
