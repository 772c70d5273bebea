// Fused multiply-add against MPFR: the software of the baseline and the instructions alike.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/extinst/math_functions.h"
#include "tests/vm/ops/mpfr_format.h"

namespace transpire::test {

namespace {

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
    MpfrFormat format(kind);
    const Bits nan = default_nan(kind) & ~(Bits{1} << (width_bits(kind) - 1));
    for (const Values& call : calls)
      expected.push_back(format.compute(call, nan, [](auto& result, auto& in, mpfr_rnd_t mode) {
        return mpfr_fma(result, in[0], in[1], in[2], mode);
      }));
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
