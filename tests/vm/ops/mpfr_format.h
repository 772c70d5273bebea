// MPFR's numbers in the format of a float kind, subnormals included.
#pragma once

#include <mpfr.h>

#include "tests/vm/ops/float_oracle.h"
#include "tests/vm/ops/row_runner.h"

namespace transpire::test {

class MpfrFormat {
 public:
  explicit MpfrFormat(vm::Kind kind, mpfr_rnd_t mode = MPFR_RNDN) : kind_(kind), mode_(mode) {
    const bool is_double = kind == vm::Kind::kF64, is_float = kind == vm::Kind::kF32;
    mpfr_inits2(is_double ? 53 : is_float ? 24 : 11, in_[0], in_[1], in_[2], result_, nullptr);
    mpfr_set_emin(is_double ? -1073 : is_float ? -148 : -23);
    mpfr_set_emax(is_double ? 1024 : is_float ? 128 : 16);
  }
  ~MpfrFormat() {
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    mpfr_clears(in_[0], in_[1], in_[2], result_, nullptr);
  }
  MpfrFormat(const MpfrFormat&) = delete;
  MpfrFormat& operator=(const MpfrFormat&) = delete;

  /// The result of call(result, operands, rounding mode) on up to three operands; NaNs are `nan`.
  template <class Call>
  Bits compute(const Values& operands, Bits nan, const Call& call) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (is_nan(kind_, operands[i])) return nan;
      mpfr_set_ld(in_[i], to_number(kind_, operands[i]), MPFR_RNDN);
    }
    const int inexact = call(result_, in_, mode_);
    mpfr_subnormalize(result_, inexact, mode_);
    if (mpfr_nan_p(result_)) return nan;
    return from_number(kind_, mpfr_get_ld(result_, MPFR_RNDN));
  }

 private:
  vm::Kind kind_;
  mpfr_rnd_t mode_;
  mpfr_t in_[3], result_;
};

}  // namespace transpire::test
