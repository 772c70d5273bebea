// What a handler translation unit sees of its instruction set. Every family file (vm/simd/*_rows.cpp,
// vm/exec/*_handlers.cpp) is compiled once per instruction set with TRANSPIRE_ISA_<X> defined and that
// set's compiler flags; all its code lives in the namespace TRANSPIRE_ISA, so the linker never mixes
// code of two sets. Therefore: no calls to inline functions of std or of other headers that could be
// emitted out of line; keep helpers in this namespace (or use compiler builtins).
#pragma once

#include <cstddef>
#include <cstdint>

#include "vm/exec/engine.h"

#if defined(TRANSPIRE_ISA_AVX512)
#define TRANSPIRE_ISA isa_avx512
#include <immintrin.h>
#elif defined(TRANSPIRE_ISA_AVX2)
#define TRANSPIRE_ISA isa_avx2
#include <immintrin.h>
#elif defined(TRANSPIRE_ISA_BASELINE)
#define TRANSPIRE_ISA isa_baseline
#include <emmintrin.h>
#else
#error "compile with TRANSPIRE_ISA_BASELINE, TRANSPIRE_ISA_AVX2 or TRANSPIRE_ISA_AVX512"
#endif

#define TRANSPIRE_INLINE inline __attribute__((always_inline))

namespace transpire::vm::exec::TRANSPIRE_ISA {

/// W, the lanes of a batch. A multiple of 64, so that masks are whole words.
#if defined(TRANSPIRE_ISA_AVX512)
inline constexpr std::uint32_t kLanes = 128;
#else
inline constexpr std::uint32_t kLanes = 64;
#endif
inline constexpr std::uint32_t kMaskWords = kLanes / 64;

/// Lane types. Half is 16 bits of storage; its arithmetic goes through float.
struct Half {
  std::uint16_t bits;
};

template <class T>
TRANSPIRE_INLINE T* row(std::byte* r, std::uint32_t offset) {
  return reinterpret_cast<T*>(__builtin_assume_aligned(r + offset, 64));
}
template <class T>
TRANSPIRE_INLINE T& scalar(std::byte* r, std::uint32_t offset) {
  return *reinterpret_cast<T*>(r + offset);
}

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
void fill_moves(HandlerTable& table);        ///< copies, spreads, affine rows (vm/simd/move_rows.cpp)
void fill_arithmetic(HandlerTable& table);   ///< vm/ops/arithmetic.def
void fill_rounded(HandlerTable& table);      ///< vm/ops/rounded.def
void fill_bit(HandlerTable& table);          ///< vm/ops/bit.def
void fill_relational(HandlerTable& table);   ///< vm/ops/relational_logical.def
void fill_conversion(HandlerTable& table);   ///< vm/ops/conversion.def
void fill_extinst_math(HandlerTable& table);     ///< extinst/math.def
void fill_extinst_common(HandlerTable& table);   ///< extinst/common.def
void fill_extinst_integer(HandlerTable& table);  ///< extinst/integer.def
void fill_memory(HandlerTable& table);       ///< loads, stores (vm/exec/memory_handlers.cpp)
void fill_atomic(HandlerTable& table);       ///< atomics, copy memory (vm/exec/atomic_handlers.cpp)
void fill_builtin(HandlerTable& table);      ///< vm/exec/builtin_handlers.cpp
void fill_control_flow(HandlerTable& table); ///< vm/exec/control_flow_handlers.cpp
void fill_group(HandlerTable& table);        ///< vm/exec/group_handlers.cpp

}  // namespace transpire::vm::exec::TRANSPIRE_ISA
