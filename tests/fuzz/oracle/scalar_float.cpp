// Floating-point instructions of one component. Operands are taken to double, which holds every
// half and float; a sum, product, quotient or square root in double rounds to the same half or
// float as the exact one. NaNs are treated first, by docs/numerics.md.
#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <string_view>

#include "tests/fuzz/oracle/instructions.h"

namespace transpire::oracle {
namespace {

using U = std::uint64_t;

int rounding_in_force = kNearestEven;

U quieted(const Format& f, U x) { return x | f.quiet(); }

/// As x86: the first NaN, made quiet; the default NaN for an invalid operation.
template <class Operation>
U arithmetic(const Scalar& t, const U* x, Operation operation) {
  const Format f = format_of(t.width);
  for (int i = 0; i < 2; ++i)
    if (f.is_nan(x[i])) return quieted(f, x[i]);
  const double result = operation(to_double(f, x[0]), to_double(f, x[1]));
  return std::isnan(result) ? f.nan() | f.sign() : from_double(f, result);
}
U sum(const Scalar& t, const U* x) {
  return arithmetic(t, x, [](double a, double b) { return a + b; });
}
U difference(const Scalar& t, const U* x) {
  return arithmetic(t, x, [](double a, double b) { return a - b; });
}
U product(const Scalar& t, const U* x) {
  return arithmetic(t, x, [](double a, double b) { return a * b; });
}
U quotient(const Scalar& t, const U* x) {
  return arithmetic(t, x, [](double a, double b) { return a / b; });
}
U remainder_of_first(const Scalar& t, const U* x) {
  return arithmetic(t, x, [](double a, double b) { return std::fmod(a, b); });
}
U remainder_of_second(const Scalar& t, const U* x) {
  const Format f = format_of(t.width);
  const U remainder = remainder_of_first(t, x);
  if (f.is_nan(remainder)) return remainder;
  if (f.magnitude(remainder) == 0) return x[1] & f.sign();
  const U both[] = {remainder, x[1]};
  return f.is_negative(remainder) != f.is_negative(x[1]) ? sum(t, both) : remainder;
}

/// Of functions whose NaN results are always the same.
template <class Operation>
U function(const Scalar& t, const U* x, unsigned operands, Operation operation) {
  const Format f = format_of(t.width);
  double values[3] = {};
  for (unsigned i = 0; i < operands; ++i) {
    if (f.is_nan(x[i])) return f.nan();
    values[i] = to_double(f, x[i]);
  }
  const double result = operation(values);
  return std::isnan(result) ? f.nan() : from_double(f, result);
}

/// Of functions that keep the operand's NaN.
template <class Operation>
U keeping(const Scalar& t, const U* x, Operation operation) {
  const Format f = format_of(t.width);
  return f.is_nan(x[0]) ? quieted(f, x[0]) : from_double(f, operation(to_double(f, x[0])));
}

/// Exact until the one rounding.
U fused(const Scalar& t, const U* x) {
  if (t.width == 64)
    return function(t, x, 3, [](const double* v) { return std::fma(v[0], v[1], v[2]); });
  if (t.width == 32)
    return function(t, x, 3, [](const double* v) -> double {
      return std::fma(static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2]));
    });
  const Format f = format_of(16);
  const bool finite = !f.is_infinite(x[0]) && !f.is_infinite(x[1]) && !f.is_infinite(x[2]);
  const Parts a = parts_of(f, x[0]), b = parts_of(f, x[1]), c = parts_of(f, x[2]);
  if (!finite || f.is_nan(x[0]) || f.is_nan(x[1]) || f.is_nan(x[2]) || a.magnitude == 0 ||
      b.magnitude == 0)
    return function(t, x, 3, [](const double* v) { return v[0] * v[1] + v[2]; });
  using Sum = __int128;  // in units of 2^-48
  const Sum left = static_cast<Sum>(a.magnitude) * static_cast<Sum>(b.magnitude)
                   << (a.exponent + b.exponent + 48);
  const Sum right = static_cast<Sum>(c.magnitude) << (c.exponent + 48);
  const Sum total = (a.negative != b.negative ? -left : left) + (c.negative ? -right : right);
  if (total == 0) return 0;  // of two numbers that are not zero
  return rounded(f, total < 0, static_cast<Wide>(total < 0 ? -total : total), -48,
                 rounding_in_force);
}

/// Some C libraries give a zero of the wrong sign.
double nearest_remainder(const double* v) {
  const double result = std::remainder(v[0], v[1]);
  return result == 0 ? std::copysign(result, v[0]) : result;
}

U multiply_add(const Scalar& t, const U* x) {
  if (t.width == 16 && rounding_in_force == kNearestEven)  // in float, whose sum is rounded again
    return function(
        t, x, 3, [](const double* v) -> double { return static_cast<float>(v[0] * v[1] + v[2]); });
  const Format f = format_of(t.width);
  if (f.is_nan(x[0]) || f.is_nan(x[1]) || f.is_nan(x[2])) return f.nan();
  const U both[] = {product(t, x), x[2]};
  const U result = sum(t, both);
  return f.is_nan(result) ? f.nan() : result;
}

/// One of the operands as it is, but halves go through float, which makes a NaN quiet.
U chosen(const Scalar& t, U x) {
  const Format f = format_of(t.width);
  return t.width == 16 && f.is_nan(x) ? quieted(f, x) : x;
}
/// Equal operands, such as zeros of different signs, give the second one; two NaNs the first.
template <class Order>
U extreme(const Scalar& t, const U* x, Order in_order) {
  const Format f = format_of(t.width);
  if (f.is_nan(x[0]) || f.is_nan(x[1])) return chosen(t, f.is_nan(x[1]) ? x[0] : x[1]);
  return in_order(to_double(f, x[0]), to_double(f, x[1])) ? x[0] : x[1];
}
U least(const Scalar& t, const U* x) {
  return extreme(t, x, [](double a, double b) { return a < b; });
}
U greatest(const Scalar& t, const U* x) {
  return extreme(t, x, [](double a, double b) { return a > b; });
}
U clamped(const Scalar& t, const U* x) {
  const U above[] = {greatest(t, x), x[2]};
  return least(t, above);
}
U of_larger_magnitude(const Scalar& t, const U* x) {
  const Format f = format_of(t.width);
  const bool numbers = !f.is_nan(x[0]) && !f.is_nan(x[1]);
  if (numbers && f.magnitude(x[0]) > f.magnitude(x[1])) return x[0];
  return numbers && f.magnitude(x[1]) > f.magnitude(x[0]) ? x[1] : greatest(t, x);
}
U of_smaller_magnitude(const Scalar& t, const U* x) {
  const Format f = format_of(t.width);
  const bool numbers = !f.is_nan(x[0]) && !f.is_nan(x[1]);
  if (numbers && f.magnitude(x[0]) < f.magnitude(x[1])) return x[0];
  return numbers && f.magnitude(x[1]) < f.magnitude(x[0]) ? x[1] : least(t, x);
}

template <class Test>
bool compared(const Scalar& t, const U* x, bool unordered, Test test) {
  const Format f = format_of(t.width);
  if (f.is_nan(x[0]) || f.is_nan(x[1])) return unordered;
  return test(to_double(f, x[0]), to_double(f, x[1]));
}

U ordered_max(const Scalar& t, const U* x) {
  return compared(t, x, false, [](double a, double b) { return a < b; }) ? x[1] : x[0];
}
U ordered_min(const Scalar& t, const U* x) {
  return compared(t, x, false, [](double a, double b) { return b < a; }) ? x[1] : x[0];
}

U step(const Scalar& t, const U* x) {
  return compared(t, x, false, [](double edge, double a) { return a < edge; })
             ? 0
             : from_double(format_of(t.width), 1);
}
U sign_of(const Scalar& t, const U* x) {
  const Format f = format_of(t.width);
  if (f.is_nan(x[0])) return 0;
  return f.magnitude(x[0]) == 0 ? x[0] : from_double(f, f.is_negative(x[0]) ? -1 : 1);
}
U next_after(const Scalar& t, const U* x) {
  const Format f = format_of(t.width);
  if (f.is_nan(x[0]) || f.is_nan(x[1])) return f.nan();
  const double from = to_double(f, x[0]), to = to_double(f, x[1]);
  if (from == to) return x[1];
  if (from == 0) return (to < 0 ? f.sign() : 0) | 1;
  return (from < to) == !f.is_negative(x[0]) ? x[0] + 1 : x[0] - 1;
}

int exponent_of(const Format& f, U x) {
  const Parts parts = parts_of(f, x);
  return std::bit_width(parts.magnitude) - 1 + parts.exponent;
}
U integer_exponent(const Scalar& t, const U* x) {
  const Format f = format_of(t.width);
  if (f.magnitude(x[0]) == 0) return 0x80000000u;
  return f.is_nan(x[0]) || f.is_infinite(x[0]) ? 0x7fffffffu : static_cast<U>(exponent_of(f, x[0]));
}
U float_exponent(const Scalar& t, const U* x) {
  const Format f = format_of(t.width);
  if (f.is_nan(x[0])) return quieted(f, x[0]);
  if (f.is_infinite(x[0])) return f.infinity();
  return f.magnitude(x[0]) == 0 ? f.infinity() | f.sign() : from_double(f, exponent_of(f, x[0]));
}
U scaled(const Scalar& t, const U* x) {
  const Format f = format_of(t.width);
  if (f.is_nan(x[0])) return quieted(f, x[0]);
  if (f.is_infinite(x[0]) || f.magnitude(x[0]) == 0) return x[0];
  const Parts parts = parts_of(f, x[0]);
  const auto by = static_cast<int>(
      std::min<std::int64_t>(std::max<std::int64_t>(signed_of(32, x[1]), -5000), 5000));
  return rounded(f, parts.negative, parts.magnitude, parts.exponent + by, rounding_in_force);
}

bool is_finite_number(const Format& f, U x) {
  return f.magnitude(x) < f.infinity() && f.magnitude(x) != 0;
}
U mantissa(const Scalar& t, const U* x) {
  const Format f = format_of(t.width);
  if (!is_finite_number(f, x[0])) return chosen(t, x[0]);
  const Parts parts = parts_of(f, x[0]);
  return rounded(f, parts.negative, parts.magnitude, -std::bit_width(parts.magnitude),
                 kNearestEven);
}
U mantissa_exponent(const Scalar& t, const U* x) {
  const Format f = format_of(t.width);
  return is_finite_number(f, x[0]) ? static_cast<U>(exponent_of(f, x[0]) + 1) : 0;
}
U signed_fraction(const Scalar& t, const U* x) {
  const Format f = format_of(t.width);
  if (f.is_nan(x[0])) return quieted(f, x[0]);
  const double value = to_double(f, x[0]);
  return from_double(f, std::copysign(std::isinf(value) ? 0 : value - std::trunc(value), value));
}
/// Below 1, also where the difference would round to it.
U fraction(const Scalar& t, const U* x) {
  const Format f = format_of(t.width);
  if (f.is_nan(x[0])) return quieted(f, x[0]);
  const double value = to_double(f, x[0]);
  if (std::isinf(value)) return std::signbit(value) ? f.sign() : 0;
  if (value == 0) return x[0];
  const U result = from_double(f, value - std::floor(value)), one = from_double(f, 1);
  return result >= one ? one - 1 : result;
}

#define GIVES(expression)                \
  [](const Scalar& t, const U* x) -> U { \
    const Format f = format_of(t.width); \
    (void)f;                             \
    (void)x;                             \
    return static_cast<U>(expression);   \
  }
#define FLOAT(name, operands, expression) \
  { name, Form::kSame, Kind::kFloat, operands, GIVES(expression) }
#define TEST(name, operands, expression) \
  { name, Form::kTest, Kind::kFloat, operands, GIVES(expression) }
#define COMPARE(suffix, op)                                                    \
  {"OpFOrd" suffix, Form::kTest, Kind::kFloat, 2,                              \
   GIVES(compared(t, x, false, [](double a, double b) { return a op b; }))},   \
  {                                                                            \
    "OpFUnord" suffix, Form::kTest, Kind::kFloat, 2,                           \
        GIVES(compared(t, x, true, [](double a, double b) { return a op b; })) \
  }
#define ROUND(call) GIVES(keeping(t, x, [](double v) { return call(v); }))

constexpr Instruction kTable[] = {
    FLOAT("OpFAdd", 2, sum(t, x)),
    FLOAT("OpFSub", 2, difference(t, x)),
    FLOAT("OpFMul", 2, product(t, x)),
    FLOAT("OpFDiv", 2, quotient(t, x)),
    FLOAT("OpFRem", 2, remainder_of_first(t, x)),
    FLOAT("OpFMod", 2, remainder_of_second(t, x)),
    FLOAT("OpFNegate", 1, x[0] ^ f.sign()),
    COMPARE("Equal", ==),
    COMPARE("NotEqual", !=),
    COMPARE("LessThan", <),
    COMPARE("LessThanEqual", <=),
    COMPARE("GreaterThan", >),
    COMPARE("GreaterThanEqual", >=),
    TEST("OpOrdered", 2, !f.is_nan(x[0]) && !f.is_nan(x[1])),
    TEST("OpUnordered", 2, f.is_nan(x[0]) || f.is_nan(x[1])),
    TEST("OpLessOrGreater", 2, compared(t, x, false, [](double a, double b) { return a != b; })),
    TEST("OpIsNan", 1, f.is_nan(x[0])),
    TEST("OpIsInf", 1, f.is_infinite(x[0])),
    TEST("OpIsFinite", 1, f.magnitude(x[0]) < f.infinity()),
    TEST("OpIsNormal", 1,
         f.magnitude(x[0]) < f.infinity() && f.magnitude(x[0]) > low_bits(f.fraction)),
    {"OpSignBitSet", Form::kTest, Kind::kFloat, 1, GIVES(f.is_negative(x[0]))},
    FLOAT("fabs", 1, f.magnitude(x[0])),
    {"copysign", Form::kSame, Kind::kFloat, 2, GIVES(f.magnitude(x[0]) | (x[1] & f.sign()))},
    {"bitselect", Form::kSame, Kind::kFloat, 3, GIVES((x[0] & ~x[2]) | (x[1] & x[2]))},
    {"select", Form::kPick, Kind::kFloat, 3, nullptr},
    FLOAT("fma", 3, fused(t, x)),
    FLOAT("mad", 3, multiply_add(t, x)),
    FLOAT("sqrt", 1, function(t, x, 1, [](const double* v) { return std::sqrt(v[0]); })),
    FLOAT("fmin", 2, least(t, x)),
    FLOAT("fmax", 2, greatest(t, x)),
    FLOAT("fclamp", 3, clamped(t, x)),
    FLOAT("maxmag", 2, of_larger_magnitude(t, x)),
    FLOAT("minmag", 2, of_smaller_magnitude(t, x)),
    FLOAT("fmax_common", 2, ordered_max(t, x)),
    FLOAT("fmin_common", 2, ordered_min(t, x)),
    FLOAT("fdim", 2,
          function(t, x, 2, [](const double* v) { return v[0] > v[1] ? v[0] - v[1] : 0; })),
    FLOAT("fmod", 2, remainder_of_first(t, x)),
    FLOAT("remainder", 2, function(t, x, 2, nearest_remainder)),
    FLOAT("step", 2, step(t, x)),
    FLOAT("sign", 1, sign_of(t, x)),
    {"floor", Form::kSame, Kind::kFloat, 1, ROUND(std::floor)},
    {"ceil", Form::kSame, Kind::kFloat, 1, ROUND(std::ceil)},
    {"trunc", Form::kSame, Kind::kFloat, 1, ROUND(std::trunc)},
    {"rint", Form::kSame, Kind::kFloat, 1, ROUND(std::nearbyint)},
    {"round", Form::kSame, Kind::kFloat, 1, ROUND(std::round)},
    FLOAT("nextafter", 2, next_after(t, x)),
    FLOAT("logb", 1, float_exponent(t, x)),
    {"ilogb", Form::kToInt, Kind::kFloat, 1, integer_exponent},
    {"ldexp", Form::kFloatInt, Kind::kFloat, 2, scaled},
    {"frexp", Form::kPointer, Kind::kFloat, 1, mantissa, mantissa_exponent},
    {"modf", Form::kPointer, Kind::kFloat, 1, signed_fraction, ROUND(std::trunc)},
    {"fract", Form::kPointer, Kind::kFloat, 1, fraction, ROUND(std::floor)},
    {"nan", Form::kFromPayload, Kind::kFloat, 1, GIVES(f.nan() | (x[0] & low_bits(f.fraction)))},
    {"OpVectorTimesScalar", Form::kTimesScalar, Kind::kFloat, 2, product},
    {"OpDot", Form::kDot, Kind::kFloat, 2, product, sum},
};

}  // namespace

std::span<const Instruction> float_instructions() { return kTable; }

Format format_of(unsigned width) {
  if (width == 16) return {16, 10, 15};
  return width == 32 ? Format{32, 23, 127} : Format{64, 52, 1023};
}

Parts parts_of(const Format& f, std::uint64_t bits) {
  const auto exponent = static_cast<int>(f.magnitude(bits) >> f.fraction);
  const std::uint64_t fraction = bits & low_bits(f.fraction);
  const int lowest = 1 - f.bias - static_cast<int>(f.fraction);
  if (exponent == 0) return {f.is_negative(bits), fraction, lowest};
  return {f.is_negative(bits), fraction | std::uint64_t{1} << f.fraction, lowest + exponent - 1};
}

std::uint64_t rounded(const Format& f, bool negative, Wide magnitude, int exponent, int rounding) {
  const std::uint64_t sign = negative ? f.sign() : 0;
  if (magnitude == 0) return sign;
  int width = 0;
  for (Wide rest = magnitude; rest != 0; rest >>= 1) ++width;
  // The unit of the result's last place, of a denormal at the lowest.
  const int lowest = 1 - f.bias - static_cast<int>(f.fraction);
  const int unit = std::max(exponent + width - 1 - static_cast<int>(f.fraction), lowest);
  const int drop = unit - exponent;
  Wide kept = magnitude;
  if (drop > 0) {
    const bool all = drop >= 128;
    kept = all ? 0 : magnitude >> drop;
    const Wide rest = all ? magnitude : magnitude - (kept << drop);
    const bool far = drop > width + 1;  // less than half of a unit
    const Wide half = far || all ? 0 : Wide{1} << (drop - 1);
    bool up = false;
    if (rounding == kNearestEven)
      up = half != 0 && (rest > half || (rest == half && (kept & 1) != 0));
    if (rounding == kUp) up = rest != 0 && !negative;
    if (rounding == kDown) up = rest != 0 && negative;
    kept += up ? 1 : 0;
  } else {
    kept <<= -drop;
  }
  // Counting on from the denormals, a carry into the exponent comes out right.
  const Wide bits = kept + (static_cast<Wide>(unit - lowest) << f.fraction);
  if (bits < f.infinity()) return sign | static_cast<std::uint64_t>(bits);
  const bool away =
      rounding == kNearestEven || (rounding == kUp && !negative) || (rounding == kDown && negative);
  return sign | (away ? f.infinity() : f.infinity() - 1);
}

double to_double(const Format& f, std::uint64_t bits) {
  if (f.width == 64) return std::bit_cast<double>(bits);
  if (f.is_nan(bits)) return std::numeric_limits<double>::quiet_NaN();
  const Parts parts = parts_of(f, bits);
  const double magnitude = f.is_infinite(bits)
                               ? std::numeric_limits<double>::infinity()
                               : std::ldexp(static_cast<double>(parts.magnitude), parts.exponent);
  return parts.negative ? -magnitude : magnitude;
}

std::uint64_t from_double(const Format& f, double value) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  if (f.width == 64) return bits;
  const Format wide = format_of(64);
  const std::uint64_t sign = std::signbit(value) ? f.sign() : 0;
  if (wide.is_nan(bits)) return f.nan() | sign;
  if (wide.is_infinite(bits)) return f.infinity() | sign;
  const Parts parts = parts_of(wide, bits);
  return rounded(f, parts.negative, parts.magnitude, parts.exponent, rounding_in_force);
}

std::uint64_t computed(Compute compute, const Scalar& scalar, const std::uint64_t* x,
                       int rounding) {
  if (rounding == kNearestEven) return compute(scalar, x);
  // A double's result rounded in one direction, and then to fewer bits, is rounded once. `compute` is not
  // known here, so nothing of it moves past these calls.
  std::fesetround(FE_TOWARDZERO);
  rounding_in_force = kTowardsZero;
  const std::uint64_t result = compute(scalar, x);
  rounding_in_force = kNearestEven;
  std::fesetround(FE_TONEAREST);
  return result;
}

bool obeys_rounding(const Instruction& instruction) {
  constexpr std::string_view kNames[] = {
      "OpFAdd", "OpFSub", "OpFMul", "OpFDiv", "OpFMod", "OpVectorTimesScalar", "OpDot", "fma",
      "mad",    "sqrt",   "fdim",   "fract",  "ldexp"};
  return instruction.kind == Kind::kFloat &&
         std::find(std::begin(kNames), std::end(kNames), instruction.name) != std::end(kNames);
}

bool moves_bits(const Instruction& instruction) {
  constexpr std::string_view kNames[] = {"OpFNegate",  "OpIsNan",      "OpIsInf", "OpIsFinite",
                                         "OpIsNormal", "OpSignBitSet", "fabs",    "copysign",
                                         "bitselect",  "select",       "nan"};
  return instruction.kind != Kind::kFloat ||
         std::find(std::begin(kNames), std::end(kNames), instruction.name) != std::end(kNames);
}

}  // namespace transpire::oracle
