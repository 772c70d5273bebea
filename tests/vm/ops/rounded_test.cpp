// Handlers of rounded.def against MPFR in every rounding mode, and flushing against its definition.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/vm/ops/mpfr_format.h"

namespace transpire::test {

namespace {

mpfr_rnd_t mpfr_mode(Rounding mode) {
  constexpr mpfr_rnd_t kModes[] = {MPFR_RNDN, MPFR_RNDZ, MPFR_RNDU, MPFR_RNDD};
  return kModes[static_cast<int>(mode)];
}

int call(Op op, mpfr_ptr result, const mpfr_t (&in)[3], mpfr_rnd_t mode) {
  switch (op) {
    case Op::kFAddRounded:
      return mpfr_add(result, in[0], in[1], mode);
    case Op::kFSubRounded:
      return mpfr_sub(result, in[0], in[1], mode);
    case Op::kFMulRounded:
      return mpfr_mul(result, in[0], in[1], mode);
    case Op::kFDivRounded:
      return mpfr_div(result, in[0], in[1], mode);
    case Op::kFmaRounded:
      return mpfr_fma(result, in[0], in[1], in[2], mode);
    default:
      return mpfr_sqrt(result, in[0], mode);
  }
}

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
      MpfrFormat format(kind, mpfr_mode(mode));
      const auto oracle = [&](const Values& v) {
        return format.compute(v, expected_nan(op, kind, v),
                              [&](auto& result, auto& in, mpfr_rnd_t in_mode) {
                                return call(op, result, in, in_mode);
                              });
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
