// The instruction set that a translation unit is compiled for. What depends on it is compiled once per
// instruction set with TRANSPIRE_ISA_<X> defined and that set's compiler flags; all its code lives in
// the namespace TRANSPIRE_ISA, so the linker never mixes code of two sets. Therefore: no calls to inline
// functions of std or of other headers that could be emitted out of line; keep helpers in this
// namespace (or use compiler builtins).
#pragma once

#include <cstddef>
#include <cstdint>

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

#include "vm/simd/instruction_set.h"

#define TRANSPIRE_INLINE inline __attribute__((always_inline))

namespace transpire::vm::TRANSPIRE_ISA {

#if defined(TRANSPIRE_ISA_AVX512)
inline constexpr Isa kIsa = Isa::kAvx512;
#elif defined(TRANSPIRE_ISA_AVX2)
inline constexpr Isa kIsa = Isa::kAvx2;
#else
inline constexpr Isa kIsa = Isa::kBaseline;
#endif

/// W, the lanes of a batch. A multiple of 64, so that masks are whole words.
inline constexpr std::uint32_t kLanes = kIsa == Isa::kAvx512 ? 128 : 64;
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

}  // namespace transpire::vm::TRANSPIRE_ISA
