// Conversions against the arithmetic oracle, in every rounding mode and instruction set.
#include <doctest/doctest.h>

#include <cmath>
#include <optional>

#include "tests/vm/ops/float_oracle.h"
#include "tests/vm/ops/op_oracle.h"
#include "tests/vm/ops/row_runner.h"
#include "vm/ops/op.h"

namespace transpire::test {

namespace {

/// The oracle's conversion. Without a rounding mode integers are rounded towards zero.
Oracle converts(std::string_view name, Kind from, Kind to, std::optional<Rounding> mode,
                bool saturates = false) {
  const oracle::Convert convert = instruction_named(name).convert;
  return [=](const Values& v) {
    const int rounding = mode ? static_cast<int>(*mode) : -1;
    return cut(
        to, static_cast<Wide>(convert(scalar_of(from), scalar_of(to), v[0], rounding, saturates)));
  };
}

Values values_of(Kind kind) {
  return width_bits(kind) <= 16 ? all_values(kind) : edge_values(kind, 2000);
}

/// Integers one below, at and above each boundary between two floats of `bits` bits, as far as they
/// fit.
void add_ties(Values& values, Kind kind, std::uint32_t bits) {
  std::uint64_t state = bits;
  for (std::uint32_t lost = 1; bits + lost <= width_bits(kind); ++lost)
    for (int i = 0; i < 8; ++i) {
      const Bits kept = next_random(state) >> (64 - bits) | Bits{1} << (bits - 1);
      const Bits tie = (kept << 1 | 1) << (lost - 1);
      for (const Bits offset : {-1, 0, 1}) {
        values.push_back(cut(kind, tie + offset));
        values.push_back(cut(kind, -static_cast<Wide>(tie + offset)));
      }
    }
}

/// Floats at and next to halves, and at and next to the ties between them.
Values around_halves(Kind kind) {
  Values values = edge_values(kind, 2000);
  for (Bits half = 0; half < 0x7c00; ++half) {
    const long double low = to_number(Kind::kF16, half);
    const long double high = half == 0x7bff ? 65536.0L : to_number(Kind::kF16, half + 1);
    for (const long double v : {low, (low + high) / 2}) {
      const Bits bits = from_number(kind, v), sign = Bits{1} << (width_bits(kind) - 1);
      values.insert(values.end(), {bits, bits + 1, bits | sign, (bits + 1) | sign});
      if (bits != 0) values.insert(values.end(), {bits - 1, (bits - 1) | sign});
    }
  }
  return values;
}

void check_to_float(Op op) {
  for (const Kind from : kInts) {
    for (const Kind to : kFloats) {
      Values values = values_of(from);
      for (const std::uint32_t bits : {11u, 24u, 53u}) add_ties(values, from, bits);
      for (const Rounding mode : kRoundings)
        CHECK(check_convert(op, from, to, static_cast<Bits>(mode), values,
                            converts(info(op).name, from, to, mode)) == "");
    }
  }
}

void check_to_integer(Op op) {
  for (const Kind from : kFloats) {
    for (const Kind to : kInts) {
      Values values = values_of(from);
      for (int power = 0; power <= 64 && from != Kind::kF16; ++power)
        for (const int offset : {-2, -1, 0, 1, 2}) {
          const Bits bits = from_number(from, std::ldexp(1.0L, power)) + static_cast<Bits>(offset);
          values.insert(values.end(), {bits, bits | Bits{1} << (width_bits(from) - 1)});
        }
      CHECK(check_convert(op, from, to, 0, values, converts(info(op).name, from, to, {})) == "");
    }
  }
}

void check_between_floats(Kind from, Kind to, const Values& values) {
  for (const Rounding mode : kRoundings)
    CHECK(check_convert(Op::kFConvert, from, to, static_cast<Bits>(mode), values,
                        converts("OpFConvert", from, to, mode)) == "");
}

/// An op between integers, the oracle's name for it, and the widths of results that it is for.
struct IntegerConversion {
  Op op;
  std::string_view name;
  bool saturates, narrows, widens;
};
constexpr IntegerConversion kIntegerConversions[] = {
    {Op::kTruncate, "OpUConvert", false, true, false},
    {Op::kZeroExtend, "OpUConvert", false, false, true},
    {Op::kSignExtend, "OpSConvert", false, false, true},
    {Op::kSatSConvert, "OpSConvert", true, true, true},
    {Op::kSatUConvert, "OpUConvert", true, true, true},
    {Op::kSatConvertSToU, "OpSatConvertSToU", true, true, true},
    {Op::kSatConvertUToS, "OpSatConvertUToS", true, true, true}};

TEST_CASE("integers become others, saturated or not") {
  for (const IntegerConversion& each : kIntegerConversions)
    for (const Kind from : kInts)
      for (const Kind to : kInts) {
        if (width_bits(to) < width_bits(from) ? !each.narrows : !each.widens) continue;
        if (from == to && !each.saturates) continue;
        CHECK(check_convert(each.op, from, to, 0, values_of(from),
                            converts(each.name, from, to, {}, each.saturates)) == "");
      }
}

TEST_CASE("integer to float rounds once, in each mode") {
  check_to_float(Op::kConvertSToF);
  check_to_float(Op::kConvertUToF);
}

TEST_CASE("float to integer saturates, NaN gives 0") {
  check_to_integer(Op::kConvertFToS);
  check_to_integer(Op::kConvertFToU);
}

TEST_CASE("float to float rounds once, in each mode") {
  for (const Kind from : kFloats)
    for (const Kind to : kFloats)
      if (from != to)
        check_between_floats(from, to, from == Kind::kF16 ? all_values(from) : around_halves(from));
}

TEST_CASE("double to float between neighbours, in each mode") {
  Values values;
  std::uint64_t state = 3;
  for (int i = 0; i < 3000; ++i) {
    const Bits single = next_random(state) >> 32;
    if (is_nan(Kind::kF32, single)) continue;
    const Bits bits = from_number(Kind::kF64, to_number(Kind::kF32, single));
    for (const Bits offset : {-1, 0, 1, 0x10000000, 0x0fffffff, 0x10000001})
      values.push_back(bits + offset);
  }
  check_between_floats(Kind::kF64, Kind::kF32, values);
}

TEST_CASE("bitcast keeps the bits") {
  const auto same = [](const Values& v) { return v[0]; };
  const Kind pairs[][2] = {{Kind::kI16, Kind::kF16}, {Kind::kF16, Kind::kI16},
                           {Kind::kI32, Kind::kF32}, {Kind::kF32, Kind::kI32},
                           {Kind::kI64, Kind::kF64}, {Kind::kF64, Kind::kI64},
                           {Kind::kI8, Kind::kI8},   {Kind::kBool, Kind::kBool}};
  for (const auto& [from, to] : pairs)
    CHECK(check_convert(Op::kBitcast, from, to, 0, edge_values(from, 100), same) == "");
}

}  // namespace
}  // namespace transpire::test
