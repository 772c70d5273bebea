// The instruction set that a translation unit is compiled for. Code that depends on it is compiled
// once per instruction set with TRANSPIRE_ISA_<X> defined and that set's compiler flags; all its
// code lives in the namespace TRANSPIRE_ISA, so the linker never mixes code of two sets. Therefore:
// no calls to inline functions of std or of other headers that could be emitted out of line; keep
// helpers in this namespace (or use compiler builtins).
//
// Constants here describe the differences between instruction sets; vm/simd/machine.h implements
// them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vm/simd/instruction_set.h"

#if defined(TRANSPIRE_ISA_AVX512)
#define TRANSPIRE_ISA isa_avx512
#define TRANSPIRE_XSIMD xsimd_avx512
#define TRANSPIRE_ISA_NAME kAvx512
#elif defined(TRANSPIRE_ISA_AVX2)
#define TRANSPIRE_ISA isa_avx2
#define TRANSPIRE_XSIMD xsimd_avx2
#define TRANSPIRE_ISA_NAME kAvx2
#elif defined(TRANSPIRE_ISA_BASELINE)
#define TRANSPIRE_ISA isa_baseline
#define TRANSPIRE_XSIMD xsimd_baseline
#define TRANSPIRE_ISA_NAME kBaseline
#elif defined(TRANSPIRE_ISA_NEON)
#define TRANSPIRE_ISA isa_neon
#define TRANSPIRE_XSIMD xsimd_neon
#define TRANSPIRE_ISA_NAME kNeon
#elif defined(TRANSPIRE_ISA_SCALAR)
#define TRANSPIRE_ISA isa_scalar
#define TRANSPIRE_XSIMD xsimd_scalar
#define TRANSPIRE_ISA_NAME kScalar
#else
#error "compile with TRANSPIRE_ISA_<X> of an instruction set"
#endif

#define TRANSPIRE_INLINE inline __attribute__((always_inline))
/// Lambdas in row loops must not become calls; goes after the parameter list.
#define TRANSPIRE_INLINE_LAMBDA __attribute__((always_inline))
/// Before a loop whose iterations touch memory of their own.
#if defined(__clang__)
#define TRANSPIRE_IVDEP _Pragma("clang loop vectorize(assume_safety)")
#else
#define TRANSPIRE_IVDEP _Pragma("GCC ivdep")
#endif

namespace transpire::vm::TRANSPIRE_ISA {

inline constexpr Isa kIsa = Isa::TRANSPIRE_ISA_NAME;

/// Capabilities of the instruction set that code in common needs to know.
#if defined(TRANSPIRE_ISA_AVX512)
inline constexpr std::uint32_t kIsaBits = 512;
#elif defined(TRANSPIRE_ISA_AVX2)
inline constexpr std::uint32_t kIsaBits = 256;
#else
inline constexpr std::uint32_t kIsaBits = 128;
#endif
#if defined(TRANSPIRE_ISA_BASELINE) || defined(TRANSPIRE_ISA_SCALAR)
/// True if one instruction does it: a * b + c rounded once; rounding to an integer; the number of
/// bits in a word; a shuffle of any lanes.
inline constexpr bool kHasFma = false, kHasRounding = false, kHasPopcount = false,
                      kHasShuffle = false;
#else
inline constexpr bool kHasFma = true, kHasRounding = true, kHasPopcount = true, kHasShuffle = true;
#endif
/// True for vector conversions between 64-bit integers and doubles.
#if defined(TRANSPIRE_ISA_AVX512) || defined(TRANSPIRE_ISA_NEON)
inline constexpr bool kHasWideConversion = true;
#else
inline constexpr bool kHasWideConversion = false;
#endif

/// True if memory may be accessed without alignment to its size. Others fault.
#if defined(TRANSPIRE_ISA_NEON) || defined(TRANSPIRE_ISA_SCALAR)
inline constexpr bool kHasMisalignedAtomics = false;
#else
inline constexpr bool kHasMisalignedAtomics = true;
#endif

/// W, the lanes of a batch. A multiple of 64, so that masks are whole words.
inline constexpr std::uint32_t kLanes = kIsaBits == 512 ? 128 : 64;
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
