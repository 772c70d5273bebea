// MPFR's numbers and settings for one calculation.
#pragma once

#include "extinst/reference/format.h"
#include "extinst/reference/mpfr_library.h"

namespace transpire::extinst::reference {

inline mpfr_rnd_t direction_of(vm::Rounding rounding) {
  switch (rounding) {
    case vm::Rounding::kRtz:
      return MPFR_RNDZ;
    case vm::Rounding::kRtp:
      return MPFR_RNDU;
    case vm::Rounding::kRtn:
      return MPFR_RNDD;
    default:
      return MPFR_RNDN;
  }
}

/// A number that is cleared at its end.
class Number {
 public:
  explicit Number(const Mpfr& mpfr, mpfr_prec_t precision = 53) : mpfr_(mpfr) {
    mpfr_.init2(value_, precision);
  }
  ~Number() { mpfr_.clear(value_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  mpfr_ptr get() { return value_; }
  operator mpfr_ptr() { return value_; }

 private:
  const Mpfr& mpfr_;
  mpfr_t value_;
};

/// While it lives, results have the exponents of a format's numbers, subnormal ones included:
/// MPFR's way of computing in a format. The caller's exponent range, which is the thread's, comes
/// back.
class FormatRange {
 public:
  FormatRange(const Mpfr& mpfr, const Format& format)
      : mpfr_(mpfr), least_(mpfr.get_emin()), largest_(mpfr.get_emax()) {
    mpfr_.set_emin(format.least_exponent + 1);
    mpfr_.set_emax(format.infinite_exponent);
  }
  ~FormatRange() {
    mpfr_.set_emin(least_);
    mpfr_.set_emax(largest_);
  }
  FormatRange(const FormatRange&) = delete;
  FormatRange& operator=(const FormatRange&) = delete;

  /// Bits of the kind for `result`, which a function of MPFR left in the format's precision, with the function's ternary value.
  Bits bits(vm::Kind kind, vm::Rounding rounding, mpfr_ptr result, int ternary) const {
    ternary = mpfr_.check_range(result, ternary, direction_of(rounding));
    mpfr_.subnormalize(result, ternary, direction_of(rounding));
    return round_to(kind, vm::Rounding::kRte, mpfr_.get_d(result, MPFR_RNDN));
  }

 private:
  const Mpfr& mpfr_;
  mpfr_exp_t least_, largest_;
};

}  // namespace transpire::extinst::reference
