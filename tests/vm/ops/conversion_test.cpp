// Conversions against scalar oracles, in every rounding mode and instruction set.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/vm/ops/float_oracle.h"
#include "tests/vm/ops/row_runner.h"

namespace transpire::test {

using vm::Kind;
using vm::Op;
using vm::Rounding;

namespace {

Bits clamp(Kind kind, bool is_signed, Wide value) {
  const Wide high = (Wide{1} << (width_bits(kind) - is_signed)) - 1;
  const Wide low = is_signed ? -high - 1 : 0;
  return cut(kind, value < low ? low : value > high ? high : value);
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

void check_to_float(Op op, bool is_signed) {
  for (const Kind from : kInts) {
    for (const Kind to : kFloats) {
      Values values = values_of(from);
      for (const std::uint32_t bits : {11u, 24u, 53u}) add_ties(values, from, bits);
      for (const Rounding mode : kRoundings) {
        const auto oracle = [&](const Values& v) {
          return from_number(to, static_cast<long double>(number_of(from, is_signed, v[0])), mode);
        };
        CHECK(check_convert(op, from, to, static_cast<Bits>(mode), values, oracle) == "");
      }
    }
  }
}

void check_to_integer(Op op, bool is_signed) {
  for (const Kind from : kFloats) {
    for (const Kind to : kInts) {
      Values values = values_of(from);
      for (int power = 0; power <= 64 && from != Kind::kF16; ++power)
        for (const int offset : {-2, -1, 0, 1, 2}) {
          const Bits bits = from_number(from, std::ldexp(1.0L, power)) + static_cast<Bits>(offset);
          values.insert(values.end(), {bits, bits | Bits{1} << (width_bits(from) - 1)});
        }
      const auto oracle = [&](const Values& v) -> Bits {
        if (is_nan(from, v[0])) return 0;
        const long double number = std::trunc(to_number(from, v[0]));
        const long double limit = std::ldexp(1.0L, 70);
        return clamp(to, is_signed, static_cast<Wide>(std::fmax(-limit, std::fmin(number, limit))));
      };
      CHECK(check_convert(op, from, to, 0, values, oracle) == "");
    }
  }
}

/// A NaN becomes quiet and keeps its sign and the leading bits of its payload.
Bits convert_nan(Kind from, Kind to, Bits bits) {
  const auto fraction = [](Kind kind) {
    return kind == Kind::kF16 ? 10 : kind == Kind::kF32 ? 23 : 52;
  };
  const Bits sign = bits >> (width_bits(from) - 1) << (width_bits(to) - 1);
  const int shift = fraction(to) - fraction(from);
  const Bits payload = bits & ((Bits{1} << fraction(from)) - 1);
  const Bits kept = shift >= 0 ? payload << shift : payload >> -shift;
  const Bits infinity = (Bits{1} << (width_bits(to) - 1)) - (Bits{1} << fraction(to));
  return quiet(to, sign | infinity | kept);
}

using Saturate = Bits (*)(Kind from, Kind to, Bits);

void check_integers(Op op, Saturate convert, bool (*exists)(std::uint32_t from, std::uint32_t to)) {
  for (const Kind from : kInts)
    for (const Kind to : kInts)
      if (exists(width_bits(from), width_bits(to)))
        CHECK(check_convert(op, from, to, 0, values_of(from),
                            [&](const Values& v) { return convert(from, to, v[0]); }) == "");
}

TEST_CASE("integer widths") {
  const auto narrower = [](std::uint32_t from, std::uint32_t to) { return to < from; };
  const auto wider = [](std::uint32_t from, std::uint32_t to) { return to > from; };
  check_integers(
      Op::kTruncate, [](Kind, Kind to, Bits v) { return cut(to, v); }, narrower);
  check_integers(
      Op::kZeroExtend, [](Kind, Kind, Bits v) { return v; }, wider);
  check_integers(
      Op::kSignExtend, [](Kind from, Kind to, Bits v) { return cut(to, number_of(from, true, v)); },
      wider);
}

TEST_CASE("saturating integer conversions") {
  const auto any = [](std::uint32_t, std::uint32_t) { return true; };
  check_integers(
      Op::kSatSConvert,
      [](Kind from, Kind to, Bits v) { return clamp(to, true, number_of(from, true, v)); }, any);
  check_integers(
      Op::kSatUConvert,
      [](Kind from, Kind to, Bits v) { return clamp(to, false, number_of(from, false, v)); }, any);
  check_integers(
      Op::kSatConvertSToU,
      [](Kind from, Kind to, Bits v) { return clamp(to, false, number_of(from, true, v)); }, any);
  check_integers(
      Op::kSatConvertUToS,
      [](Kind from, Kind to, Bits v) { return clamp(to, true, number_of(from, false, v)); }, any);
}

TEST_CASE("integer to float rounds once, in each mode") {
  check_to_float(Op::kConvertSToF, true);
  check_to_float(Op::kConvertUToF, false);
}

TEST_CASE("float to integer saturates, NaN gives 0") {
  check_to_integer(Op::kConvertFToS, true);
  check_to_integer(Op::kConvertFToU, false);
}

TEST_CASE("float to float rounds once, in each mode") {
  for (const Kind from : kFloats) {
    for (const Kind to : kFloats) {
      if (from == to) continue;
      const Values values = from == Kind::kF16 ? all_values(from) : around_halves(from);
      for (const Rounding mode : kRoundings) {
        const auto oracle = [&](const Values& v) {
          if (is_nan(from, v[0])) return convert_nan(from, to, v[0]);
          return from_number(to, to_number(from, v[0]), mode);
        };
        CHECK(check_convert(Op::kFConvert, from, to, static_cast<Bits>(mode), values, oracle) ==
              "");
      }
    }
  }
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
  for (const Rounding mode : kRoundings) {
    const auto oracle = [&](const Values& v) {
      if (is_nan(Kind::kF64, v[0])) return convert_nan(Kind::kF64, Kind::kF32, v[0]);
      return from_number(Kind::kF32, to_number(Kind::kF64, v[0]), mode);
    };
    CHECK(check_convert(Op::kFConvert, Kind::kF64, Kind::kF32, static_cast<Bits>(mode), values,
                        oracle) == "");
  }
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
