#include "ulp/judge.h"

#include <algorithm>
#include <type_traits>

#include "ulp/decide.h"

namespace transpire::ulp {

using vm::Kind;

namespace {

template <class T>
const T* numbers(const Row& row) {
  return reinterpret_cast<const T*>(row.data());
}

}  // namespace

BlockJudge::BlockJudge(const MeasuredFunction& function, Kind kind, const Bounds& bounds,
                       vm::Rounding rounding)
    : function_(function),
      kind_(kind),
      bounds_(bounds),
      has_estimates_((function.formula == nullptr || function.arity() == 1) && kind != Kind::kF64 &&
                     rounding == vm::Rounding::kRte),
      arbiter_(function, kind, rounding) {
  b_.fill(1);  // where there is no second operand
}

void BlockJudge::decide(const Block& block) {
  block_ = &block;
  for (std::size_t i = 0; i < block.count; ++i) mixed_number_[i] = mixed(block.first + i);
  open_.clear();
  decided_[0] = decided_[1] = decided_[2] = 0;
  if (!has_estimates_)
    error_.fill(kUndecided);
  else if (kind_ == Kind::kF16)
    decide_all<Kind::kF16>();
  else
    decide_all<Kind::kF32>();
  if (decided_[0] + decided_[1] + decided_[2] == block.count) return;
  for (std::size_t i = 0; i < block.count; ++i)
    if (!is_decided(i)) open_.push_back({i, false, 0, {}});
}

template <Kind kKind>
void BlockJudge::decide_all() {
  using Number = std::conditional_t<kKind == Kind::kF16, std::uint16_t, float>;
  const std::size_t count = block_->count;
  widen(numbers<Number>(block_->a), count, a_.data());
  if (function_.takes_integer())
    std::memcpy(n_.data(), block_->b.data(), count * sizeof n_[0]);
  else if (block_->has_second)
    widen(numbers<Number>(block_->b), count, b_.data());
  if (function_.formula != nullptr)
    for (std::size_t i = 0; i < count; ++i)
      estimate_[i] = function_.formula->near({{&a_[i], 1}, 0}).value;
  else
    function_.twice_each(a_.data(), b_.data(), n_.data(), count, estimate_.data());
  decide_each({a_.data(), b_.data(), estimate_.data(), count},
              reinterpret_cast<Number*>(expected_.data()), error_.data());
  const std::uint64_t inexact = count_above(error_.data(), count, kBins[0]);
  decided_[2] = count_above(error_.data(), count, kBins[1]);
  decided_[1] = inexact - decided_[2];
  decided_[0] = count_above(error_.data(), count, kUndecided) - inexact;
}

Totals BlockJudge::judge(std::size_t contender, double least_worst) {
  Totals totals;
  for (std::size_t i = 0; i < block_->count; ++i)
    totals.checksum += mixed(mixed_number_[i] ^ block_->result(contender, i));
  for (Open& open : open_) {
    const Bits result = block_->result(contender, open.index);
    if (!open.judged || open.result != result) {
      const Call call = block_->call(open.index);
      open.verdict = arbiter_.judge(call, result);
      open.result = result;
      open.judged = true;
    }
    count(open.verdict, open.index, result, &totals);
  }
  if (!has_estimates_) return totals;
  count_decided(contender, least_worst, &totals);
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
    count(arbiter_.judge(call, result), index, result, &totals);
  }
  return totals;
}

/// As if all decided calls had given the expected number. Where one has not, its own error, which
/// is not smaller, is counted later, so the worst one is right all the same.
void BlockJudge::count_decided(std::size_t contender, double least_worst, Totals* totals) const {
  const auto beyond = [&](double limit) {
    return count_above(error_.data(), block_->count, limit);
  };
  for (std::size_t i = 0; i < std::size(decided_); ++i) totals->bins[i] += decided_[i];
  if (bounds_.full && *bounds_.full < 0.5) totals->outside_full += beyond(*bounds_.full);
  if (bounds_.embedded && *bounds_.embedded < 0.5)
    totals->outside_embedded += beyond(*bounds_.embedded);
  if (function_.formula != nullptr) {
    totals->largest_ulp = *std::max_element(error_.begin(), error_.begin() + block_->count);
    return;
  }
  if (beyond(least_worst) == 0) return;
  for (std::size_t i = 0; i < block_->count; ++i)
    if (error_[i] > least_worst)
      totals->note_worst(error_[i], block_->first + i, block_->result(contender, i));
}

void BlockJudge::count(const Arbiter::Verdict& verdict, std::size_t index, Bits result,
                       Totals* totals) const {
  totals->by_mpfr += verdict.by_mpfr;
  totals->not_correctly_rounded += !arbiter_.same(verdict.expected, result);
  ++totals->bins[bin_of(verdict.ulp)];
  if (function_.formula != nullptr)
    return count_formula(verdict, block_->first + index, result, totals);
  totals->outside_full += bounds_.full && !(verdict.ulp <= *bounds_.full);
  totals->outside_embedded += bounds_.embedded && !(verdict.ulp <= *bounds_.embedded);
  totals->note_worst(verdict.ulp, block_->first + index, result);
}

/// The error and the allowed one are of one calculation, or both of MPFR, but for the last bits. The nearest number is always
/// allowed: what Vulkan permits are numbers of the format.
void BlockJudge::count_formula(const Arbiter::Verdict& verdict, std::uint64_t number, Bits result,
                               Totals* totals) const {
  if (verdict.allowed == INFINITY) return;
  totals->largest_ulp = std::max(totals->largest_ulp, verdict.ulp);
  if (arbiter_.same(verdict.expected, result)) return;
  const double part = verdict.ulp == 0 ? 0 : verdict.ulp / verdict.allowed;
  totals->outside_full += !(part <= 1 + 0x1p-20);
  totals->note_worst(part, number, result);
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
      if (expected[i] != results[i] && is_decided(i)) unexpected_.push_back(i);
  }
}

void BlockJudge::confirm(std::uint64_t up_to, Totals* totals) const {
  const auto ask = [&](std::size_t index, Bits expected, Bits result) {
    if (mixed_number_[index] > up_to) return;
    const Call call = block_->call(index);
    const Arbiter::Verdict exact = arbiter_.judge_exactly(call, result);
    ++totals->confirmed;
    totals->contradicted += !arbiter_.same(exact.expected, expected);
  };
  for (std::size_t i = 0; i < block_->count; ++i) {
    if (!is_decided(i)) continue;
    const Bits expected = read_bits(expected_.data(), i, block_->bytes);
    ask(i, expected, expected);
  }
  for (const Open& open : open_)
    if (!open.verdict.by_mpfr) ask(open.index, open.verdict.expected, open.result);
}

}  // namespace transpire::ulp
