// Handlers of rounded.def against MPFR in every rounding mode, and flushing against its definition.
#include <doctest/doctest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>

#include "tests/vm/ops/float_oracle.h"
#include "tests/vm/ops/row_runner.h"

namespace transpire::test {

using vm::Kind;
using vm::Op;
using vm::Rounding;

namespace {

mpfr_rnd_t mpfr_mode(Rounding mode) {
  constexpr mpfr_rnd_t kModes[] = {MPFR_RNDN, MPFR_RNDZ, MPFR_RNDU, MPFR_RNDD};
  return kModes[static_cast<int>(mode)];
}

/// MPFR's numbers in the format of float or double, subnormals included.
class Format {
 public:
  Format(Kind kind, Rounding mode) : kind_(kind), mode_(mpfr_mode(mode)) {
    mpfr_inits2(kind == Kind::kF64 ? 53 : 24, in_[0], in_[1], in_[2], result_, nullptr);
    mpfr_set_emin(kind == Kind::kF64 ? -1073 : -148);
    mpfr_set_emax(kind == Kind::kF64 ? 1024 : 128);
  }
  ~Format() {
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    mpfr_clears(in_[0], in_[1], in_[2], result_, nullptr);
  }
  Format(const Format&) = delete;
  Format& operator=(const Format&) = delete;

  /// NaNs are `nan`.
  Bits compute(Op op, const Values& operands, Bits nan) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (is_nan(kind_, operands[i])) return nan;
      mpfr_set_ld(in_[i], to_number(kind_, operands[i]), MPFR_RNDN);
    }
    const int inexact = call(op);
    mpfr_subnormalize(result_, inexact, mode_);
    if (mpfr_nan_p(result_)) return nan;
    return from_number(kind_, mpfr_get_ld(result_, MPFR_RNDN));
  }

 private:
  int call(Op op) {
    switch (op) {
      case Op::kFAddRounded:
        return mpfr_add(result_, in_[0], in_[1], mode_);
      case Op::kFSubRounded:
        return mpfr_sub(result_, in_[0], in_[1], mode_);
      case Op::kFMulRounded:
        return mpfr_mul(result_, in_[0], in_[1], mode_);
      case Op::kFDivRounded:
        return mpfr_div(result_, in_[0], in_[1], mode_);
      case Op::kFmaRounded:
        return mpfr_fma(result_, in_[0], in_[1], in_[2], mode_);
      default:
        return mpfr_sqrt(result_, in_[0], mode_);
    }
  }

  Kind kind_;
  mpfr_rnd_t mode_;
  mpfr_t in_[3], result_;
};

/// Arithmetic gives the NaN that it is given, or the machine's; math functions a plain one.
Bits expected_nan(Op op, Kind kind, const Values& operands) {
  if (op == Op::kFmaRounded || op == Op::kSqrtRounded)
    return default_nan(kind) & ~(Bits{1} << (width_bits(kind) - 1));
  for (const Bits operand : operands)
    if (is_nan(kind, operand)) return quiet(kind, operand);
  return default_nan(kind);
}

void check(Op op, std::size_t arity, std::size_t random_count) {
  for (const Kind kind : {Kind::kF32, Kind::kF64}) {
    const Values values = edge_values(kind, random_count);
    for (const Rounding mode : kRoundings) {
      Format format(kind, mode);
      const auto oracle = [&](const Values& v) {
        return format.compute(op, v, expected_nan(op, kind, v));
      };
      OpCase c{op,     std::vector<Kind>(arity, kind),  kind, std::vector<Values>(arity, values),
               oracle, static_cast<std::uint64_t>(mode)};
      if (arity == 3) c.values[2].resize(12);
      CHECK(check_op(c, kind) == "");
    }
  }
}

TEST_CASE("arithmetic in every rounding mode") {
  for (const Op op : {Op::kFAddRounded, Op::kFSubRounded, Op::kFMulRounded, Op::kFDivRounded})
    check(op, 2, 20);
}

TEST_CASE("fma and sqrt in every rounding mode") {
  check(Op::kSqrtRounded, 1, 2000);
  check(Op::kFmaRounded, 3, 4);
}

TEST_CASE("denormals become zeros of their sign, all else stays") {
  for (const Kind kind : kFloats) {
    const Values values = kind == Kind::kF16 ? all_values(kind) : edge_values(kind, 1000);
    const auto oracle = [&](const Values& v) {
      const Bits sign = v[0] & Bits{1} << (width_bits(kind) - 1);
      if (is_nan(kind, v[0])) return v[0];
      const long double smallest = std::ldexp(1.0L, kind == Kind::kF16   ? -14
                                                    : kind == Kind::kF32 ? -126
                                                                         : -1022);
      return std::fabs(to_number(kind, v[0])) < smallest ? sign : v[0];
    };
    CHECK(check_op({Op::kFlushDenorm, {kind}, kind, {values}, oracle}, kind) == "");
  }
}

}  // namespace
}  // namespace transpire::test
