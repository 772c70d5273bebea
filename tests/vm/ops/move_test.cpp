// Copies, spreads and affine rows, for all lanes and for those of a mask.
#include <doctest/doctest.h>

#include "tests/vm/ops/row_runner.h"

namespace transpire::test {

namespace {

constexpr Kind kKinds[] = {Kind::kBool, Kind::kI8,  Kind::kI16, Kind::kI32,
                           Kind::kI64,  Kind::kF16, Kind::kF32, Kind::kF64};

/// One move and what it must give in every lane.
struct Move {
  Handler all = nullptr, masked = nullptr;
  Kind kind = Kind::kVoid;
  Operand operand;
  std::uint64_t imm = 0;
  Values expected;
};

std::vector<std::vector<bool>> masks(std::uint32_t lanes) {
  std::vector<std::vector<bool>> result(6, std::vector<bool>(lanes, false));
  std::uint64_t state = 5;
  for (std::uint32_t i = 0; i < lanes; ++i) {
    result[0][i] = true;
    result[1][i] = i == lanes - 1;
    result[2][i] = (next_random(state) & 1) != 0;
    result[3][i] = i < lanes / 2;
    result[4][i] = i % 64 != 63;
  }
  return result;
}

void check(const HandlerTable& table, const Move& move) {
  RunOptions options;
  options.result = move.kind;
  options.imm = move.imm;
  CHECK(run(table, move.all, {move.operand}, options) == move.expected);
  for (Bits i = 0; i < table.lanes; ++i) options.initial.push_back(cut(move.kind, i * 77 + 5));
  for (const std::vector<bool>& mask : masks(table.lanes)) {
    Values expected = options.initial;
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (mask[i]) expected[i] = move.expected[i];
    options.mask = mask;
    CHECK(run(table, move.masked, {move.operand}, options) == expected);
  }
}

TEST_CASE("copies and spreads") {
  for (const HandlerTable* table : tables()) {
    for (const Kind kind : kKinds) {
      const auto k = static_cast<std::size_t>(kind);
      std::uint64_t state = k;
      Values random;
      for (std::uint32_t i = 0; i < table->lanes; ++i)
        random.push_back(cut(kind, next_random(state)));
      check(*table, {table->copy[k], table->masked_copy[k], kind, {kind, random}, 0, random});
      for (const Bits value : {Bits{0}, cut(kind, ~Bits{0}), random[0]})
        check(*table, {table->spread[k],
                       table->masked_spread[k],
                       kind,
                       {kind, {value}, true},
                       0,
                       Values(table->lanes, value)});
    }
  }
}

TEST_CASE("affine rows wrap") {
  for (const HandlerTable* table : tables()) {
    for (const Kind kind : kInts) {
      const auto k = static_cast<std::size_t>(kind);
      for (const Bits step : {Bits{0}, Bits{1}, Bits{4}, ~Bits{0}, Bits{0x123456789abcdef1}}) {
        const Bits base = cut(kind, 0xfedcba9876543210);
        Values expected;
        for (Bits i = 0; i < table->lanes; ++i) expected.push_back(cut(kind, base + step * i));
        check(*table, {table->affine[k],
                       table->masked_affine[k],
                       kind,
                       {kind, {base}, true},
                       step,
                       expected});
      }
    }
  }
}

TEST_CASE("scalar copies") {
  for (const HandlerTable* table : tables()) {
    RunOptions options;
    options.result = Kind::kI64;
    options.scalar_result = true;
    const Values value = {0x123456789abcdef0};
    CHECK(run(*table, table->scalar_copy, {{Kind::kI64, value, true}}, options) == value);
  }
}

}  // namespace
}  // namespace transpire::test
