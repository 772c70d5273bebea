// The arbiter: computes the correct result of a call, and the distance of a given one from the
// exact value.
#pragma once

#include "ulp/measured.h"

namespace transpire::ulp {

class Arbiter {
 public:
  Arbiter(const MeasuredFunction& function, vm::Kind kind,
          vm::Rounding rounding = vm::Rounding::kRte);

  struct Verdict {
    Bits expected = 0;     ///< the exact value, rounded
    double ulp = 0;        ///< the error of the given result
    bool by_mpfr = false;  ///< false: the estimate's interval was enough
  };
  /// `a` and `b` are a call's operands.
  Verdict judge(Bits a, Bits b, Bits result) const;
  /// As judge(), by MPFR alone.
  Verdict judge_exactly(Bits a, Bits b, Bits result) const;
  /// True for the same number with the same sign of zero, and for two NaNs.
  bool same(Bits a, Bits b) const;

 private:
  template <class T>
  bool decide(T estimate, T error, Bits result, Verdict* verdict) const;
  double ulp_of(long double exact, Bits result) const;
  double ulp_of(double exact, Bits result) const;

  const MeasuredFunction& function_;
  const vm::Kind kind_;
  const vm::Rounding rounding_;
  const extinst::reference::Format format_;
  const bool two_floats_, integer_;  ///< the second operand
  const bool extended_;
};

}  // namespace transpire::ulp
