// Comparisons: their names, those of lanes, and what machines whose vector comparisons are few make theirs of.
// compare_vectors() is the machine's (vm/simd/machine.h).
#pragma once

#include "vm/simd/batch.h"
#include "vm/simd/integers.h"

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

/// A mask of a comparison of the compiler's vectors; not where masks are registers of their own.
template <class T, class Comparison>
TRANSPIRE_INLINE LaneMask<T> mask_of(Comparison comparison) {
  return LaneMask<T>(reinterpret_cast<typename LaneMask<T>::register_type>(comparison));
}

/// By the compiler's vector operators, which know minimum and saturating instructions where xsimd flips signs (unsigned, 0.4 of its
/// time on AVX2); but for "signed less", where the compiler's takes 1.3 of xsimd's for 64 bits on SSE2.
template <Predicate kPredicate, class T>
TRANSPIRE_INLINE LaneMask<T> compare_integers(Vector<T> a, Vector<T> b) {
  using S = Native<Signed<T>>;
  const auto x = native(a), y = native(b);
  if constexpr (kPredicate == Predicate::kEqual)
    return mask_of<T>(x == y);
  else if constexpr (kPredicate == Predicate::kNotEqual)
    return mask_of<T>(x != y);
  else if constexpr (kPredicate == Predicate::kUnsignedLess)
    return mask_of<T>(x < y);
  else if constexpr (kPredicate == Predicate::kUnsignedLessEqual)
    return mask_of<T>(x <= y);
  else if constexpr (kPredicate == Predicate::kSignedLess)
    return mask_as<T>(bits_as<Signed<T>>(a) < bits_as<Signed<T>>(b));
  else
    return mask_of<T>(reinterpret_cast<S>(x) <= reinterpret_cast<S>(y));
}

/// `Nans` has unordered(a, b), the lanes with a NaN, and ordered(a, b), the others.
template <Predicate kPredicate, class Nans, class T>
TRANSPIRE_INLINE LaneMask<T> compare_floats(Vector<T> a, Vector<T> b) {
  if constexpr (kPredicate == Predicate::kOrdEqual)
    return a == b;
  else if constexpr (kPredicate == Predicate::kOrdNotEqual)
    return ~(a == b) & Nans::ordered(a, b);
  else if constexpr (kPredicate == Predicate::kOrdLess)
    return a < b;
  else if constexpr (kPredicate == Predicate::kOrdLessEqual)
    return a <= b;
  else if constexpr (kPredicate == Predicate::kUnordEqual)
    return (a == b) | Nans::unordered(a, b);
  else if constexpr (kPredicate == Predicate::kUnordNotEqual)
    return ~(a == b);
  else if constexpr (kPredicate == Predicate::kUnordLess)
    return ~(b <= a);
  else if constexpr (kPredicate == Predicate::kUnordLessEqual)
    return ~(b < a);
  else if constexpr (kPredicate == Predicate::kOrdered)
    return Nans::ordered(a, b);
  else
    return Nans::unordered(a, b);
}

}  // namespace transpire::vm::TRANSPIRE_ISA
