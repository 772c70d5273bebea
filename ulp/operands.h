// Operands of the calls to measure: any call by its number, so that threads share the work in
// blocks and the calls are the same for any number of them.
#pragma once

#include <vector>

#include "transpire/ulp.hpp"
#include "ulp/block.h"

namespace transpire::ulp {

class Operands {
 public:
  Operands(const MeasuredFunction& function, vm::Kind kind, const UlpOptions& options);
  std::uint64_t count() const { return count_; }
  Call call(std::uint64_t number) const;
  /// The calls from `first` on, as many as a block holds and there are.
  void fill(std::uint64_t first, Block* block) const;

  /// A call with a result in range, by number.
  Call moderate(std::uint64_t number) const;

 private:
  class Random;
  void fill_with_all(Block* block) const;
  Call random(std::uint64_t number) const;
  Call random_of_formula(std::uint64_t number) const;
  Bits related(const Call& call, std::size_t i, Random& random) const;
  Bits second(Bits first, Random& random, bool any) const;
  double draw(Random& random) const;

  const MeasuredFunction& function_;
  const vm::Kind kind_;
  const UlpOptions& options_;
  double low_, high_;
  std::vector<Bits> special_, special_second_;
  std::uint64_t count_ = 0;
};

}  // namespace transpire::ulp
