// The arbiter: what the correct result of a call is, and how far a given one is from the exact
// value.
#pragma once

#include "ulp/measured.h"

namespace transpire::ulp {

class Arbiter {
 public:
  Arbiter(const MeasuredFunction& function, vm::Kind kind,
          vm::Rounding rounding = vm::Rounding::kRte);

  struct Verdict {
    Bits expected = 0;     ///< the exact value, rounded
    double ulp = 0;        ///< the error of the result that was asked about
    bool by_mpfr = false;  ///< else the estimate's interval settled it
  };
  /// `a` and `b` are a call's operands.
  Verdict judge(Bits a, Bits b, Bits result) const;
  /// The same by MPFR alone.
  Verdict judge_exactly(Bits a, Bits b, Bits result) const;
  /// The same number, with the same sign of a zero; or both NaN.
  bool same(Bits a, Bits b) const;

 private:
  template <class T>
  bool settle(T estimate, T error, Bits result, Verdict* verdict) const;
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
