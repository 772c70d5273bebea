// Operands of the calls to measure: any call by its number, so that threads share the work in
// blocks and the calls are the same for any number of them.
#pragma once

#include <vector>

#include "runtime/ulp/measured.h"
#include "transpire/ulp.hpp"

namespace transpire::runtime::ulp {

/// Bits of one call's operands; the second is 0 where there is none.
struct Call {
  Bits a = 0, b = 0;
};

class Operands {
 public:
  Operands(const MeasuredFunction& function, vm::Kind kind, const UlpOptions& options);
  std::uint64_t count() const { return count_; }
  Call call(std::uint64_t number) const;

  /// A call with a result in range, by number.
  Call moderate(std::uint64_t number) const;

 private:
  class Random;
  Call random(std::uint64_t number) const;
  Bits second(Bits first, Random& random, bool any) const;
  double draw(Random& random) const;

  const MeasuredFunction& function_;
  const vm::Kind kind_;
  const UlpOptions& options_;
  double low_, high_;
  std::vector<Bits> special_, special_second_;
  std::uint64_t count_ = 0;
};

}  // namespace transpire::runtime::ulp
