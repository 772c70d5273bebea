#include "runtime/ulp/judge.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace transpire::runtime::ulp {

namespace reference = extinst::reference;
using vm::Kind;

namespace {

constexpr double kNotSettled = -1;

/// How a block has its numbers: as bits of a half, or as floats. What is here stands in loops that
/// become vector code: no branches, and one comparison for each choice.
template <Kind kKind>
struct Lane;

template <>
struct Lane<Kind::kF16> {
  using Number = std::uint16_t;
  static double widen(Number bits) { return reference::half_to_double(bits); }
  static Number nearest(double value) {
    const Bits bits = reference::round_to_half(value);
    return static_cast<Number>(value == value ? bits : reference::nan_bits(Kind::kF16));
  }
  /// As a double; see round_to_half().
  static double rounded(double magnitude) {
    constexpr double kLimit = 0x1p16, kLeast = 0x1p-14;
    magnitude = magnitude < kLimit ? magnitude : kLimit;
    const double magic = power_of(magnitude, kLeast) * 0x1p42;
    return (magnitude + magic) - magic;
  }
  static double power_of(double magnitude, double least) {
    const double power = std::bit_cast<double>(std::bit_cast<Bits>(magnitude) & Bits{2047} << 52);
    return power > least ? power : least;
  }
};

template <>
struct Lane<Kind::kF32> {
  using Number = float;
  static double widen(Number number) { return number; }
  static Number nearest(double value) {
    const auto number = static_cast<float>(value);
    return number == number ? number : std::numeric_limits<float>::quiet_NaN();
  }
  static double rounded(double magnitude) { return static_cast<float>(magnitude); }
};

template <class T>
const T* numbers(const Row& row) {
  return reinterpret_cast<const T*>(row.data());
}

/// The error of a result that is the nearest number, in units in the last place: Arbiter::ulp_of in
/// a form for loops. That the unit below a power of two is half as large makes no difference here,
/// because such an exact value is the result itself.
template <Kind kKind>
double nearest_error(double magnitude, double result) {
  constexpr reference::Format kFormat = reference::format_of(kKind);
  constexpr Bits kExponent = Bits{2047} << 52;
  constexpr double kBeyond = std::bit_cast<double>(Bits{1023 + kFormat.infinite_exponent} << 52);
  constexpr double kLeast =
      std::bit_cast<double>(Bits{1023 + kFormat.least_exponent + kFormat.fraction_bits} << 52);
  magnitude = magnitude < kBeyond ? magnitude : kBeyond;
  result = result < kBeyond ? result : kBeyond;
  const double floor = std::bit_cast<double>(std::bit_cast<Bits>(magnitude) & kExponent);
  const double power = floor > kLeast ? floor : kLeast;
  const double places = std::bit_cast<double>((Bits{2046 + kFormat.fraction_bits} << 52) -
                                              std::bit_cast<Bits>(power));
  return std::fabs(result - magnitude) * places;
}

}  // namespace

BlockJudge::BlockJudge(const MeasuredFunction& function, Kind kind, const Bounds& bounds)
    : function_(function), kind_(kind), bounds_(bounds), arbiter_(function, kind) {
  b_.fill(1);  // where there is no second operand
}

void BlockJudge::settle(const Block& block) {
  block_ = &block;
  for (std::size_t i = 0; i < block.count; ++i) mixed_number_[i] = mixed(block.first + i);
  open_.clear();
  settled_[0] = settled_[1] = settled_[2] = 0;
  if (kind_ == Kind::kF16)
    settle_all<Kind::kF16>();
  else if (kind_ == Kind::kF32)
    settle_all<Kind::kF32>();
  else
    error_.fill(kNotSettled);
  if (settled_[0] + settled_[1] + settled_[2] == block.count) return;
  for (std::size_t i = 0; i < block.count; ++i)
    if (!is_settled(i)) open_.push_back({i, false, 0, {}});
}

template <Kind kKind>
void BlockJudge::settle_all() {
  using Number = typename Lane<kKind>::Number;
  const std::size_t count = block_->count;
  const Number* const first = numbers<Number>(block_->a);
  for (std::size_t i = 0; i < count; ++i) a_[i] = Lane<kKind>::widen(first[i]);
  if (function_.takes_integer()) {
    std::memcpy(n_.data(), block_->b.data(), count * sizeof n_[0]);
  } else if (block_->has_second) {
    const Number* const second = numbers<Number>(block_->b);
    for (std::size_t i = 0; i < count; ++i) b_[i] = Lane<kKind>::widen(second[i]);
  }
  function_.twice_each(a_.data(), b_.data(), n_.data(), count, estimate_.data());
  settle_estimates<kKind>(reinterpret_cast<Number*>(expected_.data()));
  std::uint64_t at_least_0 = 0, above_0 = 0, above_quarter = 0;
  for (std::size_t i = 0; i < count; ++i) {
    at_least_0 += error_[i] >= kBins[0] ? 1 : 0;
    above_0 += error_[i] > kBins[0] ? 1 : 0;
    above_quarter += error_[i] > kBins[1] ? 1 : 0;
  }
  settled_[0] = at_least_0 - above_0;
  settled_[1] = above_0 - above_quarter;
  settled_[2] = above_quarter;
}

/// As Arbiter::judge of the expected result. What not even a double can hold, and NaN, counts as
/// settled without an interval: the arbiter is asked when a result is another one.
template <Kind kKind, class Number>
void BlockJudge::settle_estimates(Number* __restrict expected) {
  const double* const __restrict a = a_.data();
  const double* const __restrict b = b_.data();
  const double* const __restrict estimate = estimate_.data();
  double* const __restrict errors = error_.data();
  const std::size_t count = block_->count;
  for (std::size_t i = 0; i < count; ++i) expected[i] = Lane<kKind>::nearest(estimate[i]);
  for (std::size_t i = 0; i < count; ++i) {
    const double magnitude = std::fabs(estimate[i]);
    const double first = std::fabs(a[i]), second = std::fabs(b[i]);
    const double margin = magnitude * kTwiceError;
    const double low = Lane<kKind>::rounded(magnitude - margin);
    const double high = Lane<kKind>::rounded(magnitude + margin);
    double error = nearest_error<kKind>(magnitude, low);
    error = low == high ? error : kNotSettled;
    error = magnitude > kLeastEstimate ? error : 0;
    error = magnitude < HUGE_VAL ? error : 0;  // not of a NaN
    error = first > 0 ? error : kNotSettled;
    error = first < HUGE_VAL ? error : kNotSettled;
    error = second > 0 ? error : kNotSettled;
    error = second < HUGE_VAL ? error : kNotSettled;
    errors[i] = error;
  }
}

Totals BlockJudge::judge(std::size_t contender, double least_worst) {
  Totals totals;
  for (std::size_t i = 0; i < block_->count; ++i)
    totals.checksum += mixed(mixed_number_[i] ^ block_->result(contender, i));
  for (Open& open : open_) {
    const Bits result = block_->result(contender, open.index);
    if (!open.judged || open.result != result) {
      const Call call = block_->call(open.index);
      open.verdict = arbiter_.judge(call.a, call.b, result);
      open.result = result;
      open.judged = true;
    }
    count(open.verdict, open.index, result, &totals);
  }
  if (kind_ == Kind::kF64) return totals;
  count_settled(contender, least_worst, &totals);
  if (kind_ == Kind::kF16)
    find_unexpected<std::uint16_t>(contender);
  else
    find_unexpected<std::uint32_t>(contender);
  for (const std::size_t index : unexpected_) {
    --totals.bins[bin_of(error_[index])];
    totals.outside_full -= bounds_.full && error_[index] > *bounds_.full;
    totals.outside_embedded -= bounds_.embedded && error_[index] > *bounds_.embedded;
    const Call call = block_->call(index);
    const Bits result = block_->result(contender, index);
    count(arbiter_.judge(call.a, call.b, result), index, result, &totals);
  }
  return totals;
}

/// As if all settled calls had given the expected number. Where one has not, its own error, which
/// is not smaller, is counted later, so the worst one is right all the same.
void BlockJudge::count_settled(std::size_t contender, double least_worst, Totals* totals) const {
  const auto beyond = [&](double limit) {
    std::uint64_t calls = 0;
    for (std::size_t i = 0; i < block_->count; ++i) calls += error_[i] > limit;
    return calls;
  };
  for (std::size_t i = 0; i < std::size(settled_); ++i) totals->bins[i] += settled_[i];
  if (bounds_.full && *bounds_.full < 0.5) totals->outside_full += beyond(*bounds_.full);
  if (bounds_.embedded && *bounds_.embedded < 0.5)
    totals->outside_embedded += beyond(*bounds_.embedded);
  if (beyond(least_worst) == 0) return;
  for (std::size_t i = 0; i < block_->count; ++i)
    if (error_[i] > least_worst)
      totals->note_worst(error_[i], block_->first + i, block_->result(contender, i));
}

void BlockJudge::count(const Arbiter::Verdict& verdict, std::size_t index, Bits result,
                       Totals* totals) const {
  totals->by_mpfr += verdict.by_mpfr;
  totals->not_correctly_rounded += !arbiter_.same(verdict.expected, result);
  totals->outside_full += bounds_.full && !(verdict.ulp <= *bounds_.full);
  totals->outside_embedded += bounds_.embedded && !(verdict.ulp <= *bounds_.embedded);
  ++totals->bins[bin_of(verdict.ulp)];
  totals->note_worst(verdict.ulp, block_->first + index, result);
}

template <class T>
void BlockJudge::find_unexpected(std::size_t contender) {
  constexpr std::size_t kStep = 64;
  const T* const expected = numbers<T>(expected_);
  const T* const results = numbers<T>(block_->results[contender]);
  unexpected_.clear();
  for (std::size_t first = 0; first < block_->count; first += kStep) {
    const std::size_t last = std::min(first + kStep, block_->count);
    T differences = 0;
    for (std::size_t i = first; i < last; ++i)
      differences = static_cast<T>(differences | (expected[i] ^ results[i]));
    for (std::size_t i = first; i < last && differences != 0; ++i)
      if (expected[i] != results[i] && is_settled(i)) unexpected_.push_back(i);
  }
}

void BlockJudge::confirm(std::uint64_t up_to, Totals* totals) const {
  const auto ask = [&](std::size_t index, Bits expected, Bits result) {
    if (mixed_number_[index] > up_to) return;
    const Call call = block_->call(index);
    const Arbiter::Verdict exact = arbiter_.judge_exactly(call.a, call.b, result);
    ++totals->confirmed;
    totals->contradicted += !arbiter_.same(exact.expected, expected);
  };
  for (std::size_t i = 0; i < block_->count; ++i) {
    if (!is_settled(i)) continue;
    const Bits expected = read_bits(expected_.data(), i, block_->bytes);
    ask(i, expected, expected);
  }
  for (const Open& open : open_)
    if (!open.verdict.by_mpfr) ask(open.index, open.verdict.expected, open.result);
}

}  // namespace transpire::runtime::ulp
