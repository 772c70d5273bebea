// Judges the results of a block's calls. Loops over the block decide most calls by estimates. The
// arbiter judges the others, and results that differ from the expected number, one by one. This is
// for halves and floats to nearest only: for doubles and in other directions the arbiter judges
// every call.
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

  /// Finds the expected results of the block's calls. The block must stay unchanged until the next
  /// decide().
  void decide(const Block& block);
  /// Counts a contender's results. The worst error is counted only if it is above `least_worst`.
  Totals judge(std::size_t contender, double least_worst);
  /// MPFR judges the decided calls whose number, with its bits mixed, is at most `up_to`; call it after judge().
  void confirm(std::uint64_t up_to, Totals* totals) const;

 private:
  /// A call that is not decided, and its latest judged result.
  struct Open {
    std::size_t index;
    bool judged;
    Bits result;
    Arbiter::Verdict verdict;
  };
  template <vm::Kind kKind>
  void decide_all();
  template <class T>
  void find_unexpected(std::size_t contender);
  void count_formula(const Arbiter::Verdict& verdict, std::uint64_t number, Bits result,
                     Totals* totals) const;
  void count(const Arbiter::Verdict& verdict, std::size_t index, Bits result, Totals* totals) const;
  void count_decided(std::size_t contender, double least_worst, Totals* totals) const;
  bool is_decided(std::size_t index) const { return error_[index] >= 0; }

  const MeasuredFunction& function_;
  const vm::Kind kind_;
  const Bounds& bounds_;
  const bool has_estimates_;  ///< decides whole blocks
  const Arbiter arbiter_;
  const Block* block_ = nullptr;
  std::array<double, kBlock> a_{}, b_{}, estimate_{};
  std::array<std::int32_t, kBlock> n_{};
  std::array<std::uint64_t, kBlock> mixed_number_{};
  /// Error of the expected result, in units in the last place; negative if the call is not decided.
  std::array<double, kBlock> error_{};
  alignas(64) Row expected_{};
  std::uint64_t decided_[3] = {};  ///< counts of the first bins
  std::vector<Open> open_;
  std::vector<std::size_t> unexpected_;  ///< decided calls with another result from some contender
};

}  // namespace transpire::ulp
