// The native vectors of an instruction set, as GCC vector types, and the operands of a row handler.
// Rows are 64-byte aligned and hold kLanes values, so they are whole vectors.
#pragma once

#include "vm/simd/isa.h"

/// Lambdas in row loops must not become calls; goes after the parameter list.
#define TRANSPIRE_INLINE_LAMBDA __attribute__((always_inline))

namespace transpire::vm::TRANSPIRE_ISA {

#if defined(TRANSPIRE_ISA_AVX512)
inline constexpr std::uint32_t kVectorBytes = 64;
#elif defined(TRANSPIRE_ISA_AVX2)
inline constexpr std::uint32_t kVectorBytes = 32;
#else
inline constexpr std::uint32_t kVectorBytes = 16;
#endif

template <class T>
struct VectorType {
  typedef T type __attribute__((vector_size(kVectorBytes), may_alias));
};
/// One native vector of T.
template <class T>
using Vector = typename VectorType<T>::type;
template <class T>
inline constexpr std::uint32_t kVectorLanes = kVectorBytes / sizeof(T);

template <class T>
TRANSPIRE_INLINE Vector<T> splat(T value) {
  return value - Vector<T>{};
}
template <>
TRANSPIRE_INLINE Vector<float> splat(float value) {
#if defined(TRANSPIRE_ISA_AVX512)
  return Vector<float>(_mm512_set1_ps(value));
#elif defined(TRANSPIRE_ISA_AVX2)
  return Vector<float>(_mm256_set1_ps(value));
#else
  return Vector<float>(_mm_set1_ps(value));
#endif
}
template <>
TRANSPIRE_INLINE Vector<double> splat(double value) {
#if defined(TRANSPIRE_ISA_AVX512)
  return Vector<double>(_mm512_set1_pd(value));
#elif defined(TRANSPIRE_ISA_AVX2)
  return Vector<double>(_mm256_set1_pd(value));
#else
  return Vector<double>(_mm_set1_pd(value));
#endif
}

/// Whether every bit is 0.
template <class T>
TRANSPIRE_INLINE bool is_zero(T vector) {
#if defined(TRANSPIRE_ISA_AVX512)
  return _mm512_test_epi32_mask(reinterpret_cast<__m512i>(vector),
                                reinterpret_cast<__m512i>(vector)) == 0;
#elif defined(TRANSPIRE_ISA_AVX2)
  return _mm256_testz_si256(reinterpret_cast<__m256i>(vector), reinterpret_cast<__m256i>(vector)) !=
         0;
#else
  return _mm_movemask_epi8(_mm_cmpeq_epi8(reinterpret_cast<__m128i>(vector), __m128i{})) == 0xffff;
#endif
}

/// An operand of a row handler: lane i of a row, or the scalar that stands for every lane.
template <class T, bool kScalar>
struct Operand {
  const T* row;
  TRANSPIRE_INLINE T operator[](std::uint32_t lane) const { return row[lane]; }
  TRANSPIRE_INLINE auto vector(std::uint32_t lane) const {
    return *reinterpret_cast<const Vector<T>*>(row + lane);
  }
};
template <class T>
struct Operand<T, true> {
  T value;
  TRANSPIRE_INLINE T operator[](std::uint32_t) const { return value; }
  TRANSPIRE_INLINE auto vector(std::uint32_t) const { return splat(value); }
};

template <class T, bool kScalar>
TRANSPIRE_INLINE Operand<T, kScalar> operand(std::byte* r, std::uint32_t offset) {
  if constexpr (kScalar)
    return {scalar<T>(r, offset)};
  else
    return {row<T>(r, offset)};
}

template <std::size_t kBytes>
struct Integer;
template <>
struct Integer<1> {
  using Unsigned = std::uint8_t;
  using Signed = std::int8_t;
};
template <>
struct Integer<2> {
  using Unsigned = std::uint16_t;
  using Signed = std::int16_t;
};
template <>
struct Integer<4> {
  using Unsigned = std::uint32_t;
  using Signed = std::int32_t;
};
template <>
struct Integer<8> {
  using Unsigned = std::uint64_t;
  using Signed = std::int64_t;
};
template <>
struct Integer<16> {
  using Unsigned = unsigned __int128;
  using Signed = __int128;
};
/// The integers as wide as T, and those twice as wide.
template <class T>
using Bits = typename Integer<sizeof(T)>::Unsigned;
template <class T>
using Signed = typename Integer<sizeof(T)>::Signed;
template <class T>
using Twice = typename Integer<2 * sizeof(T)>::Unsigned;
template <class T>
using SignedTwice = typename Integer<2 * sizeof(T)>::Signed;
template <class T>
inline constexpr unsigned kWidth = 8 * sizeof(T);

template <class T>
TRANSPIRE_INLINE Bits<T> to_bits(T value) {
  return __builtin_bit_cast(Bits<T>, value);
}

/// A scalar slot is 8 bytes and always holds its value zero-extended.
template <class T>
TRANSPIRE_INLINE void store_scalar(std::byte* r, std::uint32_t offset, T value) {
  scalar<std::uint64_t>(r, offset) = to_bits(value);
}

}  // namespace transpire::vm::TRANSPIRE_ISA
