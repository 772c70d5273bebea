// `transpire ulp`: a block's calls are judged as the arbiter judges them one by one.
#include "ulp/judge.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "ulp/operands.h"

namespace transpire::test {

using namespace ulp;
using vm::Kind;

namespace {

/// What a contender might give for a call: mostly the right number, and whatever else there is.
Bits some_result(Kind kind, std::size_t index, Bits expected) {
  const Bits sign = Bits{1} << (vm::width_bits(kind) - 1);
  switch (index % 7) {
    case 0:
      return expected + 1;
    case 1:
      return expected ^ sign;
    case 2:
      return extinst::reference::nan_bits(kind) | sign;
    case 3:
      return 0;
    default:
      return expected;
  }
}

/// Two contenders: one that is right, and one that is not always.
void fill_results(const Arbiter& arbiter, Kind kind, Block* block) {
  for (std::size_t i = 0; i < block->count; ++i) {
    const Call call = block->call(i);
    const Bits expected = arbiter.judge(call, 0).expected;
    write_bits(block->results[0].data(), i, block->bytes, expected);
    write_bits(block->results[1].data(), i, block->bytes, some_result(kind, i, expected));
  }
}

Totals judged_one_by_one(const Arbiter& arbiter, const Bounds& bounds, const Block& block,
                         std::size_t contender) {
  Totals totals;
  for (std::size_t i = 0; i < block.count; ++i) {
    const Call call = block.call(i);
    const Bits result = block.result(contender, i);
    const Arbiter::Verdict verdict = arbiter.judge(call, result);
    totals.by_mpfr += verdict.by_mpfr;
    totals.not_correctly_rounded += !arbiter.same(verdict.expected, result);
    totals.outside_full += !(verdict.ulp <= *bounds.full);
    totals.outside_embedded += !(verdict.ulp <= *bounds.embedded);
    totals.checksum += mixed(mixed(block.first + i) ^ result);
    ++totals.bins[bin_of(verdict.ulp)];
    totals.note_worst(verdict.ulp, block.first + i, result);
  }
  return totals;
}

void require_same(const Totals& found, const Totals& wanted) {
  REQUIRE(found.by_mpfr == wanted.by_mpfr);
  REQUIRE(found.not_correctly_rounded == wanted.not_correctly_rounded);
  REQUIRE(found.outside_full == wanted.outside_full);
  REQUIRE(found.outside_embedded == wanted.outside_embedded);
  REQUIRE(found.checksum == wanted.checksum);
  REQUIRE(std::ranges::equal(found.bins, wanted.bins));
  REQUIRE(found.worst_ulp == wanted.worst_ulp);
  REQUIRE(found.worst_number == wanted.worst_number);
  REQUIRE(found.worst_result == wanted.worst_result);
}

void check(const char* name, Kind kind, FloatType type) {
  const MeasuredFunction& function = *find_measured(name);
  UlpOptions options;
  options.function = name;
  options.type = type;
  options.samples = type == FloatType::kDouble ? 100 : 6000;
  const Operands operands(function, kind, options);
  const Arbiter arbiter(function, kind);
  const Bounds bounds{0.375, 2};
  const auto block = std::make_unique<Block>();
  const auto judge = std::make_unique<BlockJudge>(function, kind, bounds);
  for (std::uint64_t first = 0; first < operands.count(); first += kBlock) {
    operands.fill(first, block.get());
    fill_results(arbiter, kind, block.get());
    judge->decide(*block);
    for (std::size_t contender = 0; contender < 2; ++contender) {
      INFO(std::string(name), " of ", std::string(vm::kind_name(kind)), " from ", first, ", ",
           contender);
      const Totals wanted = judged_one_by_one(arbiter, bounds, *block, contender);
      require_same(judge->judge(contender, -1), wanted);
      if (contender == 0) {
        Totals confirmed;
        judge->confirm(~std::uint64_t{0}, &confirmed);
        REQUIRE(confirmed.contradicted == 0);
        REQUIRE(confirmed.confirmed == block->count - wanted.by_mpfr);
      }
    }
  }
}

TEST_CASE("ulp: blocks are judged as calls are one by one") {
  for (const char* name : {"exp", "sqrt", "asin", "sinpi", "tanpi", "lgamma", "pow", "pown", "fmod",
                           "divide", "hypot"}) {
    check(name, Kind::kF16, FloatType::kHalf);
    check(name, Kind::kF32, FloatType::kFloat);
    check(name, Kind::kF64, FloatType::kDouble);
  }
}

TEST_CASE("ulp: walking through all numbers fills blocks with consecutive calls") {
  for (const auto& [name, type] : {std::pair{"exp", FloatType::kHalf},
                                   {"exp", FloatType::kFloat},
                                   {"hypot", FloatType::kHalf}}) {
    UlpOptions options;
    options.function = name;
    options.type = type;
    options.exhaustive = true;
    const Kind kind = type == FloatType::kHalf ? Kind::kF16 : Kind::kF32;
    const Operands operands(*find_measured(name), kind, options);
    const auto block = std::make_unique<Block>();
    for (const std::uint64_t first :
         {std::uint64_t{0}, operands.count() / 2 + 5 * kBlock, operands.count() - kBlock / 2}) {
      operands.fill(first, block.get());
      REQUIRE(block->count == std::min<std::uint64_t>(kBlock, operands.count() - first));
      for (std::size_t i = 0; i < block->count; ++i) {
        const Call found = block->call(i), wanted = operands.call(first + i);
        REQUIRE((found.a == wanted.a && found.b == wanted.b));
      }
    }
  }
}

TEST_CASE("ulp: numbers where the exact value is zero are units of the smallest number away") {
  const Arbiter logarithm(*find_measured("log"), Kind::kF32);
  const Bits one = 0x3f800000;
  CHECK(logarithm.judge({one}, 0x80000000).ulp == 0);
  CHECK(logarithm.judge({one}, 1).ulp == 1);
  CHECK(logarithm.judge({one}, 0x80000003).ulp == 3);
  CHECK(logarithm.judge({one}, one).ulp == 0x1p149);
  const Arbiter power(*find_measured("exp"), Kind::kF64);
  const Bits far_below = std::bit_cast<Bits>(-0x1.8p31);
  CHECK(power.judge({far_below}, 0).ulp == 0);
  CHECK(power.judge({far_below}, 2).ulp == 2);
  const Arbiter remainder(*find_measured("fmod"), Kind::kF64);
  const Bits two = std::uint64_t{1} << 62;
  CHECK(remainder.judge({two, two}, 2).ulp == 2);
}

TEST_CASE("ulp: a function of one's own is measured as the others are") {
  UlpOptions options;
  options.function = "exp";
  options.samples = 50'000;
  options.threads = 2;
  options.mode = UlpOptions::Mode::kOwn;
  options.time = false;
  CHECK(measure_ulp(options).errors().at(0).rule == "TSP-C0022");
  options.own = [](const UlpCalls& calls) {
    for (std::size_t i = 0; i < calls.count; ++i)
      static_cast<float*>(calls.results)[i] =
          std::exp(static_cast<const float*>(calls.first)[i]) * (1 + 0x1p-22f);
    return calls.second == nullptr;
  };
  const auto report = measure_ulp(options);
  REQUIRE(report);
  CHECK(report->complete);
  CHECK(report->worst_ulp > 2);
  CHECK(report->worst_ulp < 6);
  CHECK(report->outside_full > 100);
  options.function = "pow";
  CHECK_FALSE(measure_ulp(options)->complete);
}

}  // namespace
}  // namespace transpire::test
