// The arbiter: computes the correct result of a call, and the distance of a given one from the
// exact value.
#pragma once

#include "ulp/block.h"

namespace transpire::ulp {

class Arbiter {
 public:
  Arbiter(const MeasuredFunction& function, vm::Kind kind,
          vm::Rounding rounding = vm::Rounding::kRte);

  struct Verdict {
    Bits expected = 0;     ///< the exact value, rounded
    double ulp = 0;        ///< the error of the given result
    bool by_mpfr = false;  ///< false: the estimate's interval was enough
    /// Set for formulas, if the result is not the expected one or the operands are no numbers: the error that Vulkan allows;
    /// infinite if it allows any result.
    double allowed = 0;
  };
  Verdict judge(const Call& call, Bits result) const;
  /// As judge(), by MPFR alone.
  Verdict judge_exactly(const Call& call, Bits result) const;
  /// True for the same number with the same sign of zero, and for two NaNs.
  bool same(Bits a, Bits b) const;

 private:
  template <class T>
  bool decide(T estimate, T error, Bits result, Verdict* verdict) const;
  // Estimates of formulas are doubles, for doubles long doubles.
  template <class T>
  Near<T> estimate(const FormulaCall& call) const;
  template <class T>
  Verdict judge_formula(const Call& call, Bits result, bool exactly) const;
  template <class T>
  bool decide_formula(const FormulaCall& call, Bits result, Verdict* verdict) const;
  template <class T>
  Verdict judge_formula_exactly(const FormulaCall& call, Bits result) const;
  template <class UlpOf>
  void set_allowed(const FormulaCall& call, Bits result, Verdict* verdict, UlpOf ulp_of_end) const;
  /// Without a number among operands or results, or with an exact estimate: no error, or an infinite one.
  template <class T>
  Verdict judge_special(const FormulaCall& call, Bits result) const;
  double ulp_of_exact(mpfr_ptr exact, int ternary, Bits result) const;
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
