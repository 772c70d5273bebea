// Fused multiply-add against MPFR: the software of the baseline and the instructions alike.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/extinst/math_functions.h"
#include "tests/vm/ops/float_oracle.h"

namespace transpire::test {

using vm::Kind;
using vm::Op;

namespace {

/// MPFR's fused multiply-add in the format of a kind, subnormals included.
class Format {
 public:
  explicit Format(Kind kind) : kind_(kind) {
    const bool is_double = kind == Kind::kF64, is_float = kind == Kind::kF32;
    mpfr_inits2(is_double ? 53 : is_float ? 24 : 11, a_, b_, c_, result_, nullptr);
    mpfr_set_emin(is_double ? -1073 : is_float ? -148 : -23);
    mpfr_set_emax(is_double ? 1024 : is_float ? 128 : 16);
  }
  ~Format() {
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    mpfr_clears(a_, b_, c_, result_, nullptr);
  }
  Format(const Format&) = delete;
  Format& operator=(const Format&) = delete;

  Bits fma(Bits a, Bits b, Bits c) {
    mpfr_set_d(a_, to_double(kind_, a), MPFR_RNDN);
    mpfr_set_d(b_, to_double(kind_, b), MPFR_RNDN);
    mpfr_set_d(c_, to_double(kind_, c), MPFR_RNDN);
    const int inexact = mpfr_fma(result_, a_, b_, c_, MPFR_RNDN);
    mpfr_subnormalize(result_, inexact, MPFR_RNDN);
    if (mpfr_nan_p(result_))
      return kind_ == Kind::kF16   ? 0x7e00u
             : kind_ == Kind::kF32 ? 0x7fc00000u
                                   : 0x7ff8000000000000u;
    return from_number(kind_, mpfr_get_d(result_, MPFR_RNDN));
  }

 private:
  Kind kind_;
  mpfr_t a_, b_, c_, result_;
};

/// A third operand near the product, so that most of it cancels, or far below or above it.
Bits addend(Kind kind, Bits a, Bits b, std::uint64_t& state) {
  const double product = to_double(kind, a) * to_double(kind, b);
  const Bits near = from_number(kind, std::isfinite(product) ? -product : 1.0);
  switch (next_random(state) % 4) {
    case 0:
      return near;
    case 1:
      return near ^ (next_random(state) & 7);
    case 2:
      return from_number(kind,
                         std::ldexp(product, static_cast<int>(next_random(state) % 220) - 110));
    default:
      return next_random(state) >> (64 - width_bits(kind));
  }
}

void check_kind(Kind kind, std::size_t count) {
  std::uint64_t state = 99;
  std::vector<Values> calls;
  const Values edges = edge_values(kind, 0);
  for (const Bits a : edges)
    for (const Bits b : edges)
      for (const Bits c : edges) calls.push_back({a, b, c});
  for (std::size_t i = 0; i < count; ++i) {
    const Bits a = next_random(state) >> (64 - width_bits(kind));
    Bits b = next_random(state) >> (64 - width_bits(kind));
    if (i % 2 == 0) b = from_number(kind, 1 / to_double(kind, a) + 0x1p-20);
    calls.push_back({a, b, addend(kind, a, b, state)});
  }
  Values expected;
  {
    Format format(kind);
    for (const Values& call : calls) expected.push_back(format.fma(call[0], call[1], call[2]));
  }
  for (const auto* table : tables()) {
    const Values got = run_rows(*table, Op::kFma, kind, calls);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (got[i] == expected[i]) continue;
      if (++wrong > 5) break;
      FAIL_CHECK(std::string(isa_name(table->isa)), " fma ", std::string(vm::kind_name(kind)),
                 " of bits ", calls[i][0], " ", calls[i][1], " ", calls[i][2], " gave ", got[i],
                 ", expected ", expected[i]);
    }
  }
}

TEST_CASE("fma is rounded once") {
  check_kind(Kind::kF64, 40000);
  check_kind(Kind::kF32, 40000);
  check_kind(Kind::kF16, 20000);
}

TEST_CASE("mad rounds the product and the sum") {
  for (const auto* table : tables()) {
    const Bits third = from_number(Kind::kF32, 0x1.555556p-2), three = from_number(Kind::kF32, 3);
    const Bits minus_one = from_number(Kind::kF32, -1);
    CHECK(run_rows(*table, Op::kMad, Kind::kF32, {{third, three, minus_one}})[0] == 0);
    CHECK(run_rows(*table, Op::kFma, Kind::kF32, {{third, three, minus_one}})[0] ==
          from_number(Kind::kF32, 0x1p-25));
  }
}

}  // namespace
}  // namespace transpire::test
