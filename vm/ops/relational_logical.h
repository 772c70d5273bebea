// Lane functions of relational_logical.def. Included by one translation unit per instruction set,
// in its namespace.
#pragma once

#include "vm/simd/predicate.h"

namespace transpire::vm::TRANSPIRE_ISA {

struct IEqual {
  static constexpr Predicate kPredicate = Predicate::kEqual;
};
struct INotEqual {
  static constexpr Predicate kPredicate = Predicate::kNotEqual;
};
struct ULessThan {
  static constexpr Predicate kPredicate = Predicate::kUnsignedLess;
};
struct ULessThanEqual {
  static constexpr Predicate kPredicate = Predicate::kUnsignedLessEqual;
};
struct SLessThan {
  static constexpr Predicate kPredicate = Predicate::kSignedLess;
};
struct SLessThanEqual {
  static constexpr Predicate kPredicate = Predicate::kSignedLessEqual;
};
struct FOrdEqual {
  static constexpr Predicate kPredicate = Predicate::kOrdEqual;
};
struct FOrdNotEqual {
  static constexpr Predicate kPredicate = Predicate::kOrdNotEqual;
};
struct FOrdLessThan {
  static constexpr Predicate kPredicate = Predicate::kOrdLess;
};
struct FOrdLessThanEqual {
  static constexpr Predicate kPredicate = Predicate::kOrdLessEqual;
};
struct FUnordEqual {
  static constexpr Predicate kPredicate = Predicate::kUnordEqual;
};
struct FUnordNotEqual {
  static constexpr Predicate kPredicate = Predicate::kUnordNotEqual;
};
struct FUnordLessThan {
  static constexpr Predicate kPredicate = Predicate::kUnordLess;
};
struct FUnordLessThanEqual {
  static constexpr Predicate kPredicate = Predicate::kUnordLessEqual;
};
struct Ordered {
  static constexpr Predicate kPredicate = Predicate::kOrdered;
};
struct Unordered {
  static constexpr Predicate kPredicate = Predicate::kUnordered;
};

/// The bit patterns of the float kind as wide as U.
template <class U>
struct FloatBits {
  static constexpr unsigned kFractionBits = sizeof(U) == 2 ? 10 : sizeof(U) == 4 ? 23 : 52;
  static constexpr U kSign = static_cast<U>(U{1} << (kWidth<U> - 1));
  static constexpr U kMinNormal = static_cast<U>(U{1} << kFractionBits);
  static constexpr U kInfinity = static_cast<U>(kSign - kMinNormal);
};

/// |a| as an integer orders like |a|: zero, subnormals, normals, infinity, NaNs.
struct Magnitude {
  template <class U, class V>
  static TRANSPIRE_INLINE V left(V bits) {
    return static_cast<V>(bits & static_cast<U>(~FloatBits<U>::kSign));
  }
  template <class U>
  static TRANSPIRE_INLINE U right() {
    return FloatBits<U>::kInfinity;
  }
};
struct IsInf : Magnitude {
  static constexpr Predicate kPredicate = Predicate::kEqual;
};
struct IsFinite : Magnitude {
  static constexpr Predicate kPredicate = Predicate::kSignedLess;
};
struct IsNan {
  static constexpr Predicate kPredicate = Predicate::kSignedLess;
  /// -|a| < -infinity
  template <class U, class V>
  static TRANSPIRE_INLINE V left(V bits) {
    return static_cast<V>(0 - Magnitude::left<U>(bits));
  }
  template <class U>
  static TRANSPIRE_INLINE U right() {
    return static_cast<U>(0 - FloatBits<U>::kInfinity);
  }
};
struct IsNormal {
  static constexpr Predicate kPredicate = Predicate::kUnsignedLess;
  template <class U, class V>
  static TRANSPIRE_INLINE V left(V bits) {
    return static_cast<V>(Magnitude::left<U>(bits) - FloatBits<U>::kMinNormal);
  }
  template <class U>
  static TRANSPIRE_INLINE U right() {
    return static_cast<U>(FloatBits<U>::kInfinity - FloatBits<U>::kMinNormal);
  }
};
struct SignBitSet {
  static constexpr Predicate kPredicate = Predicate::kSignedLess;
  template <class U, class V>
  static TRANSPIRE_INLINE V left(V bits) {
    return bits;
  }
  template <class U>
  static TRANSPIRE_INLINE U right() {
    return 0;
  }
};

struct LogicalEqual {
  static TRANSPIRE_INLINE std::uint64_t lane(std::uint64_t a, std::uint64_t b) { return ~(a ^ b); }
};
struct LogicalNotEqual {
  static TRANSPIRE_INLINE std::uint64_t lane(std::uint64_t a, std::uint64_t b) { return a ^ b; }
};
struct LogicalOr {
  static TRANSPIRE_INLINE std::uint64_t lane(std::uint64_t a, std::uint64_t b) { return a | b; }
};
struct LogicalAnd {
  static TRANSPIRE_INLINE std::uint64_t lane(std::uint64_t a, std::uint64_t b) { return a & b; }
};
struct LogicalNot {
  static TRANSPIRE_INLINE std::uint64_t lane(std::uint64_t a) { return ~a; }
};
struct Select {};

}  // namespace transpire::vm::TRANSPIRE_ISA
