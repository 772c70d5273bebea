// Comparisons of lanes (bool) and of vectors (the instruction set's lane masks, see mask.h).
#pragma once

#include "vm/simd/mask.h"

namespace transpire::vm::TRANSPIRE_ISA {

/// `unordered`: one of the operands is a NaN.
enum class Predicate : std::uint8_t {
  kEqual,
  kNotEqual,
  kUnsignedLess,
  kUnsignedLessEqual,
  kSignedLess,
  kSignedLessEqual,  // integers
  kOrdEqual,
  kOrdNotEqual,
  kOrdLess,
  kOrdLessEqual,  // floats
  kUnordEqual,
  kUnordNotEqual,
  kUnordLess,
  kUnordLessEqual,
  kOrdered,
  kUnordered,
};

template <Predicate kPredicate, class T>
TRANSPIRE_INLINE bool compare(T a, T b) {
  const bool unordered = (a != a) | (b != b);
  switch (kPredicate) {
    case Predicate::kEqual:
    case Predicate::kOrdEqual:
      return a == b;
    case Predicate::kNotEqual:
    case Predicate::kUnordNotEqual:
      return a != b;
    case Predicate::kUnsignedLess:
    case Predicate::kOrdLess:
      return a < b;
    case Predicate::kUnsignedLessEqual:
    case Predicate::kOrdLessEqual:
      return a <= b;
    case Predicate::kSignedLess:
      return static_cast<Signed<T>>(a) < static_cast<Signed<T>>(b);
    case Predicate::kSignedLessEqual:
      return static_cast<Signed<T>>(a) <= static_cast<Signed<T>>(b);
    case Predicate::kOrdNotEqual:
      return !unordered & (a != b);
    case Predicate::kUnordEqual:
      return unordered | (a == b);
    case Predicate::kUnordLess:
      return unordered | (a < b);
    case Predicate::kUnordLessEqual:
      return unordered | (a <= b);
    case Predicate::kOrdered:
      return !unordered;
    case Predicate::kUnordered:
      return unordered;
  }
}

#if !defined(TRANSPIRE_ISA_BASELINE)

/// The immediate of AVX float comparisons, quiet; of AVX-512 integer comparisons.
consteval int immediate(Predicate predicate) {
  switch (predicate) {
    case Predicate::kEqual:
      return 0;
    case Predicate::kNotEqual:
      return 4;
    case Predicate::kUnsignedLess:
    case Predicate::kSignedLess:
      return 1;
    case Predicate::kUnsignedLessEqual:
    case Predicate::kSignedLessEqual:
      return 2;
    case Predicate::kOrdEqual:
      return _CMP_EQ_OQ;
    case Predicate::kOrdNotEqual:
      return _CMP_NEQ_OQ;
    case Predicate::kOrdLess:
      return _CMP_LT_OQ;
    case Predicate::kOrdLessEqual:
      return _CMP_LE_OQ;
    case Predicate::kUnordEqual:
      return _CMP_EQ_UQ;
    case Predicate::kUnordNotEqual:
      return _CMP_NEQ_UQ;
    case Predicate::kUnordLess:
      return _CMP_NGE_UQ;
    case Predicate::kUnordLessEqual:
      return _CMP_NGT_UQ;
    case Predicate::kOrdered:
      return _CMP_ORD_Q;
    case Predicate::kUnordered:
      return _CMP_UNORD_Q;
  }
}

#endif
#if defined(TRANSPIRE_ISA_AVX512)

template <Predicate kPredicate, class T>
TRANSPIRE_INLINE auto compare_vectors(Vector<T> a, Vector<T> b) {
  constexpr int kImmediate = immediate(kPredicate);
  constexpr bool kSigned =
      kPredicate == Predicate::kSignedLess || kPredicate == Predicate::kSignedLessEqual;
  const auto x = reinterpret_cast<__m512i>(a), y = reinterpret_cast<__m512i>(b);
  if constexpr (__is_same(T, float))
    return _mm512_cmp_ps_mask(reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b), kImmediate);
  else if constexpr (__is_same(T, double))
    return _mm512_cmp_pd_mask(reinterpret_cast<__m512d>(a), reinterpret_cast<__m512d>(b),
                              kImmediate);
  else if constexpr (sizeof(T) == 1 && kSigned)
    return _mm512_cmp_epi8_mask(x, y, kImmediate);
  else if constexpr (sizeof(T) == 2 && kSigned)
    return _mm512_cmp_epi16_mask(x, y, kImmediate);
  else if constexpr (sizeof(T) == 4 && kSigned)
    return _mm512_cmp_epi32_mask(x, y, kImmediate);
  else if constexpr (sizeof(T) == 8 && kSigned)
    return _mm512_cmp_epi64_mask(x, y, kImmediate);
  else if constexpr (sizeof(T) == 1)
    return _mm512_cmp_epu8_mask(x, y, kImmediate);
  else if constexpr (sizeof(T) == 2)
    return _mm512_cmp_epu16_mask(x, y, kImmediate);
  else if constexpr (sizeof(T) == 4)
    return _mm512_cmp_epu32_mask(x, y, kImmediate);
  else
    return _mm512_cmp_epu64_mask(x, y, kImmediate);
}

#else

template <Predicate kPredicate, class T>
TRANSPIRE_INLINE Vector<Signed<T>> compare_integers(Vector<T> a, Vector<T> b) {
  using S = Vector<Signed<T>>;
  if constexpr (kPredicate == Predicate::kEqual)
    return a == b;
  else if constexpr (kPredicate == Predicate::kNotEqual)
    return a != b;
  else if constexpr (kPredicate == Predicate::kUnsignedLess)
    return a < b;
  else if constexpr (kPredicate == Predicate::kUnsignedLessEqual)
    return a <= b;
  else if constexpr (kPredicate == Predicate::kSignedLess)
    return reinterpret_cast<S>(a) < reinterpret_cast<S>(b);
  else
    return reinterpret_cast<S>(a) <= reinterpret_cast<S>(b);
}

#if defined(TRANSPIRE_ISA_AVX2)

template <Predicate kPredicate, class T>
TRANSPIRE_INLINE Vector<Signed<T>> compare_vectors(Vector<T> a, Vector<T> b) {
  if constexpr (__is_same(T, float))
    return reinterpret_cast<Vector<std::int32_t>>(_mm256_cmp_ps(
        reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), immediate(kPredicate)));
  else if constexpr (__is_same(T, double))
    return reinterpret_cast<Vector<std::int64_t>>(_mm256_cmp_pd(
        reinterpret_cast<__m256d>(a), reinterpret_cast<__m256d>(b), immediate(kPredicate)));
  else
    return compare_integers<kPredicate, T>(a, b);
}

#else

TRANSPIRE_INLINE auto unordered_lanes(Vector<float> a, Vector<float> b) {
  return reinterpret_cast<Vector<std::int32_t>>(
      _mm_cmpunord_ps(reinterpret_cast<__m128>(a), reinterpret_cast<__m128>(b)));
}
TRANSPIRE_INLINE auto unordered_lanes(Vector<double> a, Vector<double> b) {
  return reinterpret_cast<Vector<std::int64_t>>(
      _mm_cmpunord_pd(reinterpret_cast<__m128d>(a), reinterpret_cast<__m128d>(b)));
}

template <Predicate kPredicate, class T>
TRANSPIRE_INLINE Vector<Signed<T>> compare_floats(Vector<T> a, Vector<T> b) {
  if constexpr (kPredicate == Predicate::kOrdEqual)
    return a == b;
  else if constexpr (kPredicate == Predicate::kOrdNotEqual)
    return (a != b) & ~unordered_lanes(a, b);
  else if constexpr (kPredicate == Predicate::kOrdLess)
    return a < b;
  else if constexpr (kPredicate == Predicate::kOrdLessEqual)
    return a <= b;
  else if constexpr (kPredicate == Predicate::kUnordEqual)
    return (a == b) | unordered_lanes(a, b);
  else if constexpr (kPredicate == Predicate::kUnordNotEqual)
    return a != b;
  else if constexpr (kPredicate == Predicate::kUnordLess)
    return ~(b <= a);
  else if constexpr (kPredicate == Predicate::kUnordLessEqual)
    return ~(b < a);
  else if constexpr (kPredicate == Predicate::kOrdered)
    return ~unordered_lanes(a, b);
  else
    return unordered_lanes(a, b);
}

template <Predicate kPredicate, class T>
TRANSPIRE_INLINE Vector<Signed<T>> compare_vectors(Vector<T> a, Vector<T> b) {
  if constexpr (kPredicate < Predicate::kOrdEqual)
    return compare_integers<kPredicate, T>(a, b);
  else
    return compare_floats<kPredicate, T>(a, b);
}

#endif
#endif

}  // namespace transpire::vm::TRANSPIRE_ISA
