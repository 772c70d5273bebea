// Judges the results of a block's calls. What the estimates settle is settled for the whole block
// in loops; results that are not the expected number, and calls that are not settled, are the
// arbiter's, one by one. Halves and floats to nearest only: of doubles, and in other directions,
// the arbiter judges every call.
#pragma once

#include <array>
#include <vector>

#include "ulp/arbiter.h"
#include "ulp/block.h"
#include "ulp/totals.h"

namespace transpire::ulp {

class BlockJudge {
 public:
  BlockJudge(const MeasuredFunction& function, vm::Kind kind, const Bounds& bounds,
             vm::Rounding rounding = vm::Rounding::kRte);

  /// Finds out what is expected of the block's calls. The block must stay as it is until the next.
  void settle(const Block& block);
  /// What is to be counted of a contender's results. The worst error counts when it is above
  /// `least_worst` only.
  Totals judge(std::size_t contender, double least_worst);
  /// Has MPFR judge the calls that were settled and whose number's bits, mixed, are at most
  /// `up_to`; after judge() of some contender.
  void confirm(std::uint64_t up_to, Totals* totals) const;

 private:
  /// A call that is not settled, and the latest result of it that was judged.
  struct Open {
    std::size_t index;
    bool judged;
    Bits result;
    Arbiter::Verdict verdict;
  };
  template <vm::Kind kKind>
  void settle_all();
  template <class T>
  void find_unexpected(std::size_t contender);
  void count(const Arbiter::Verdict& verdict, std::size_t index, Bits result, Totals* totals) const;
  void count_settled(std::size_t contender, double least_worst, Totals* totals) const;
  bool is_settled(std::size_t index) const { return error_[index] >= 0; }

  const MeasuredFunction& function_;
  const vm::Kind kind_;
  const Bounds& bounds_;
  const bool has_estimates_;  ///< settles whole blocks
  const Arbiter arbiter_;
  const Block* block_ = nullptr;
  std::array<double, kBlock> a_{}, b_{}, estimate_{};
  std::array<std::int32_t, kBlock> n_{};
  std::array<std::uint64_t, kBlock> mixed_number_{};
  /// Of the expected result, in units in the last place; negative where a call is not settled.
  std::array<double, kBlock> error_{};
  alignas(64) Row expected_{};
  std::uint64_t settled_[3] = {};  ///< of the first bins
  std::vector<Open> open_;
  std::vector<std::size_t> unexpected_;  ///< settled calls of which a contender gave something else
};

}  // namespace transpire::ulp
