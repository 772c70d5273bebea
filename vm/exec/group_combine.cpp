// Reductions and scans of a group, or of the work-items that a ballot names, one work-item after the other.
#include <bit>
#include <limits>
#include <type_traits>

#include "transpire/half.hpp"
#include "vm/exec/group_items.h"
#include "vm/simd/x86_nan.h"

namespace transpire::vm::exec {
namespace {

struct Half {
  std::uint16_t bits;
};

float number(Half a) { return half_to_float(a.bits); }
Half rounded(float a) { return {half_from_float(a)}; }

/// Sums and products of halves are rounded twice, which changes nothing: float has more than twice
/// as many bits.
template <class T, class F>
T on_floats(T a, T b, F f) {
  if constexpr (std::is_same_v<T, Half>)
    return rounded(f(number(a), number(b)));
  else
    return f(a, b);
}

template <class T>
bool is_nan(T a) {
  if constexpr (std::is_same_v<T, Half>)
    return (a.bits & 0x7fffu) > 0x7c00u;
  else
    return a != a;
}
template <class T>
bool is_less(T a, T b) {
  if constexpr (std::is_same_v<T, Half>)
    return number(a) < number(b);
  else
    return a < b;
}

template <class T>
T float_of(double a) {
  if constexpr (std::is_same_v<T, Half>)
    return rounded(static_cast<float>(a));
  else
    return static_cast<T>(a);
}

template <class T>
using SignedOf = std::make_signed_t<T>;

/// The value that combined with any other gives the other.
template <class T>
T identity(Combine combine) {
  if constexpr (std::is_integral_v<T>) {
    constexpr T kHighest = std::numeric_limits<T>::max();
    switch (combine) {
      case Combine::kIMul:
        return 1;
      case Combine::kUMin:
      case Combine::kAnd:
        return kHighest;
      case Combine::kSMin:
        return kHighest >> 1;
      case Combine::kSMax:
        return static_cast<T>((kHighest >> 1) + 1);
      default:
        return 0;
    }
  } else {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    switch (combine) {
      case Combine::kFMul:
        return float_of<T>(1);
      case Combine::kFMin:
        return float_of<T>(kInfinity);
      case Combine::kFMax:
        return float_of<T>(-kInfinity);
      default:
        return float_of<T>(0);
    }
  }
}

template <class T>
T apply(Combine combine, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using S = SignedOf<T>;
    using Wide = std::common_type_t<T, unsigned>;  // narrow ones would multiply as int
    switch (combine) {
      case Combine::kIAdd:
        return static_cast<T>(a + b);
      case Combine::kIMul:
        return static_cast<T>(Wide{a} * Wide{b});
      case Combine::kSMin:
        return static_cast<S>(b) < static_cast<S>(a) ? b : a;
      case Combine::kUMin:
        return b < a ? b : a;
      case Combine::kSMax:
        return static_cast<S>(a) < static_cast<S>(b) ? b : a;
      case Combine::kUMax:
        return a < b ? b : a;
      case Combine::kAnd:
        return a & b;
      case Combine::kOr:
        return a | b;
      default:
        return a ^ b;
    }
  } else {
    switch (combine) {
      case Combine::kFMul:
        return on_floats(a, b, [](auto x, auto y) { return with_x86_nan(x, y, x * y); });
      case Combine::kFMin:  // with a NaN and a number: the number
        return is_less(b, a) || is_nan(a) ? b : a;
      case Combine::kFMax:
        return is_less(a, b) || is_nan(a) ? b : a;
      default:
        return on_floats(a, b, [](auto x, auto y) { return with_x86_nan(x, y, x + y); });
    }
  }
}

/// Combines values in the order in which it takes them.
template <class T, Combine kHow>
class Sum {
 public:
  void take(T value) {
    sum_ = is_first_ ? value : apply(kHow, sum_, value);  // 0 + -0 would lose the sign
    is_first_ = false;
  }
  T value() const { return sum_; }

 private:
  T sum_ = identity<T>(kHow);
  bool is_first_ = true;
};

template <class T, Combine kHow>
void combine_all(const Inst* ip, GroupParts group, Scan scan) {
  Sum<T, kHow> sum;
  if (scan == Scan::kReduce) {
    each_item(group, [&](Batch& batch, std::uint32_t i) { sum.take(row<T>(batch, ip->a)[i]); });
    return give_all<T>(ip, group, sum.value());
  }
  each_item(group, [&](Batch& batch, std::uint32_t i) {
    const T value = row<T>(batch, ip->a)[i];
    const T before = sum.value();
    sum.take(value);
    row<T>(batch, ip->d)[i] = scan == Scan::kInclusive ? sum.value() : before;
  });
}

/// For each work-item the values of those in its ballot, b. The group is a sub-group.
template <class T, Combine kHow>
void combine_among(const Inst* ip, GroupParts group, Scan scan) {
  const GroupPart& part = *group.parts;
  const T* const values = row<T>(*part.batch, ip->a) + part.begin;
  const std::uint64_t* const ballots = row<std::uint64_t>(*part.batch, ip->b) + part.begin;
  const std::uint64_t here = bits_at(part.batch->mask, part.begin, part.end - part.begin);
  T results[64];  // the row of the result may be an operand's
  each_item(group, [&](Batch&, std::uint32_t lane) {
    const std::uint32_t item = lane - part.begin;
    const std::uint64_t before = (std::uint64_t{1} << item) - 1;
    std::uint64_t members = ballots[item] & here;
    if (scan == Scan::kInclusive) members &= before << 1 | 1;
    if (scan == Scan::kExclusive) members &= before;
    Sum<T, kHow> sum;
    for (; members != 0; members &= members - 1) sum.take(values[std::countr_zero(members)]);
    results[item] = sum.value();
  });
  each_item(group, [&](Batch& batch, std::uint32_t lane) {
    row<T>(batch, ip->d)[lane] = results[lane - part.begin];
  });
}

using CombineFunction = void (*)(const Inst* ip, GroupParts group, Scan scan);

template <bool kAmong, class T, Combine... kHow>
CombineFunction find_combine(Combine how) {
  CombineFunction found = nullptr;
  ((how == kHow ? void(found = kAmong ? combine_among<T, kHow> : combine_all<T, kHow>) : void()),
   ...);
  return found;
}

template <bool kAmong, class T>
void combine(const Inst* ip, GroupParts group, GroupOperation operation) {
  CombineFunction function;
  if constexpr (std::is_integral_v<T>)
    function =
        find_combine<kAmong, T, Combine::kIAdd, Combine::kIMul, Combine::kSMin, Combine::kUMin,
                     Combine::kSMax, Combine::kUMax, Combine::kAnd, Combine::kOr, Combine::kXor>(
            operation.combine);
  else
    function =
        find_combine<kAmong, T, Combine::kFAdd, Combine::kFMul, Combine::kFMin, Combine::kFMax>(
            operation.combine);
  function(ip, group, operation.scan);
}

template <bool kAmong>
void combine_by_kind(const Inst* ip, GroupParts group) {
  const GroupOperation operation = GroupOperation::decode(ip->imm);
  switch (operation.kind) {
    case Kind::kI8:
      return combine<kAmong, std::uint8_t>(ip, group, operation);
    case Kind::kI16:
      return combine<kAmong, std::uint16_t>(ip, group, operation);
    case Kind::kI32:
      return combine<kAmong, std::uint32_t>(ip, group, operation);
    case Kind::kI64:
      return combine<kAmong, std::uint64_t>(ip, group, operation);
    case Kind::kF16:
      return combine<kAmong, Half>(ip, group, operation);
    case Kind::kF32:
      return combine<kAmong, float>(ip, group, operation);
    default:
      return combine<kAmong, double>(ip, group, operation);
  }
}

}  // namespace

void group_combine(const Inst* ip, GroupParts group) { combine_by_kind<false>(ip, group); }

void group_combine_among(const Inst* ip, GroupParts group) { combine_by_kind<true>(ip, group); }

}  // namespace transpire::vm::exec
