// Integer and boolean instructions of one component.
#include <algorithm>
#include <bit>

#include "tests/fuzz/oracle/instructions.h"

namespace transpire::oracle {
namespace {

using U = std::uint64_t;
using S = std::int64_t;
using SignedWide = __int128;

S s(const Scalar& t, U x) { return signed_of(t.width, x); }
U lowest(const Scalar& t) { return U{1} << (t.width - 1); }

U clamp_signed(const Scalar& t, SignedWide x) {
  const SignedWide high = static_cast<SignedWide>(low_bits(t.width - 1));
  return static_cast<U>(std::clamp(x, -high - 1, high));
}
U clamp_unsigned(const Scalar& t, SignedWide x) {
  return static_cast<U>(std::clamp(x, SignedWide{0}, static_cast<SignedWide>(low_bits(t.width))));
}

bool overflows(const Scalar& t, U a, U b) { return a == lowest(t) && b == low_bits(t.width); }
U divide_signed(const Scalar& t, const U* x) {
  if (x[1] == 0) return 0;
  return overflows(t, x[0], x[1]) ? x[0] : static_cast<U>(s(t, x[0]) / s(t, x[1]));
}
U remainder_signed(const Scalar& t, const U* x) {
  if (x[1] == 0) return x[0];
  return overflows(t, x[0], x[1]) ? 0 : static_cast<U>(s(t, x[0]) % s(t, x[1]));
}
U modulo_signed(const Scalar& t, const U* x) {
  const S remainder = s(t, remainder_signed(t, x));
  const S divisor = s(t, x[1]);
  return static_cast<U>(divisor != 0 && remainder != 0 && (remainder < 0) != (divisor < 0)
                            ? remainder + divisor
                            : remainder);
}
U high_signed(const Scalar& t, const U* x) {
  return static_cast<U>(static_cast<SignedWide>(s(t, x[0])) * s(t, x[1]) >> t.width);
}
U high_unsigned(const Scalar& t, const U* x) {
  return static_cast<U>(static_cast<Wide>(x[0]) * x[1] >> t.width);
}

U multiply_24_signed(const Scalar&, const U* x) {
  return static_cast<U>(signed_of(24, x[0]) * signed_of(24, x[1]));
}
U multiply_24_unsigned(const Scalar&, const U* x) { return (x[0] & 0xffffff) * (x[1] & 0xffffff); }

U reversed(const Scalar& t, const U* x) {
  U result = 0;
  for (unsigned i = 0; i < t.width; ++i) result |= (x[0] >> i & 1) << (t.width - 1 - i);
  return result;
}
U leading_zeros(const Scalar& t, const U* x) {
  return static_cast<U>(std::countl_zero(x[0])) - (64 - t.width);
}
U trailing_zeros(const Scalar& t, const U* x) {
  return x[0] == 0 ? t.width : static_cast<U>(std::countr_zero(x[0]));
}
U rotated(const Scalar& t, const U* x) {
  const unsigned by = static_cast<unsigned>(x[1] % t.width);
  return by == 0 ? x[0] : x[0] << by | x[0] >> (t.width - by);
}
/// x: base, insert, offset, count
U field_inserted(const Scalar& t, const U* x) {
  const U mask = low_bits(static_cast<unsigned>(x[3])) << x[2] & low_bits(t.width);
  return (x[0] & ~mask) | (x[1] << x[2] & mask);
}
/// x: base, offset, count
U field_unsigned(const Scalar&, const U* x) {
  return x[0] >> x[1] & low_bits(static_cast<unsigned>(x[2]));
}
U field_signed(const Scalar& t, const U* x) {
  return x[2] == 0 ? 0
                   : static_cast<U>(signed_of(static_cast<unsigned>(x[2]), field_unsigned(t, x)));
}

#define GIVES(expression)                \
  [](const Scalar& t, const U* x) -> U { \
    (void)t;                             \
    return static_cast<U>(expression);   \
  }
#define INT(name, operands, expression) \
  { name, Form::kSame, Kind::kInt, operands, GIVES(expression) }
#define COMPARE(name, expression) \
  { name, Form::kTest, Kind::kInt, 2, GIVES(expression) }
#define LOGICAL(name, operands, expression) \
  { name, Form::kSame, Kind::kBool, operands, GIVES(expression) }
#define SHIFT(name, expression) \
  { name, Form::kMixedShift, Kind::kInt, 2, GIVES(expression) }
#define ONLY32(name, operands, expression) \
  { name, Form::kSame, Kind::kInt, operands, GIVES(expression), nullptr, 32 }
#define TWO(name, low, high) \
  { name, Form::kStructure, Kind::kInt, 2, GIVES(low), GIVES(high) }

constexpr Instruction kTable[] = {
    INT("OpIAdd", 2, x[0] + x[1]),
    INT("OpISub", 2, x[0] - x[1]),
    INT("OpIMul", 2, x[0] * x[1]),
    INT("OpUDiv", 2, x[1] == 0 ? 0 : x[0] / x[1]),
    INT("OpUMod", 2, x[1] == 0 ? x[0] : x[0] % x[1]),
    INT("OpSDiv", 2, divide_signed(t, x)),
    INT("OpSRem", 2, remainder_signed(t, x)),
    INT("OpSMod", 2, modulo_signed(t, x)),
    INT("OpSNegate", 1, 0 - x[0]),
    INT("OpBitwiseAnd", 2, x[0] & x[1]),
    INT("OpBitwiseOr", 2, x[0] | x[1]),
    INT("OpBitwiseXor", 2, x[0] ^ x[1]),
    INT("OpNot", 1, ~x[0]),
    INT("OpBitCount", 1, std::popcount(x[0])),
    INT("OpBitReverse", 1, reversed(t, x)),
    SHIFT("OpShiftLeftLogical", x[0] << x[1] % t.width),
    SHIFT("OpShiftRightLogical", x[0] >> x[1] % t.width),
    SHIFT("OpShiftRightArithmetic", s(t, x[0]) >> x[1] % t.width),
    TWO("OpIAddCarry", x[0] + x[1], ((x[0] + x[1]) & low_bits(t.width)) < x[0]),
    TWO("OpISubBorrow", x[0] - x[1], x[0] < x[1]),
    TWO("OpUMulExtended", x[0] * x[1], high_unsigned(t, x)),
    TWO("OpSMulExtended", x[0] * x[1], high_signed(t, x)),
    {"OpBitFieldInsert", Form::kField, Kind::kInt, 4, field_inserted},
    {"OpBitFieldUExtract", Form::kField, Kind::kInt, 3, field_unsigned},
    {"OpBitFieldSExtract", Form::kField, Kind::kInt, 3, field_signed},
    COMPARE("OpIEqual", x[0] == x[1]),
    COMPARE("OpINotEqual", x[0] != x[1]),
    COMPARE("OpULessThan", x[0] < x[1]),
    COMPARE("OpULessThanEqual", x[0] <= x[1]),
    COMPARE("OpUGreaterThan", x[0] > x[1]),
    COMPARE("OpUGreaterThanEqual", x[0] >= x[1]),
    COMPARE("OpSLessThan", s(t, x[0]) < s(t, x[1])),
    COMPARE("OpSLessThanEqual", s(t, x[0]) <= s(t, x[1])),
    COMPARE("OpSGreaterThan", s(t, x[0]) > s(t, x[1])),
    COMPARE("OpSGreaterThanEqual", s(t, x[0]) >= s(t, x[1])),
    LOGICAL("OpLogicalAnd", 2, x[0] & x[1]),
    LOGICAL("OpLogicalOr", 2, x[0] | x[1]),
    LOGICAL("OpLogicalEqual", 2, x[0] == x[1]),
    LOGICAL("OpLogicalNotEqual", 2, x[0] != x[1]),
    LOGICAL("OpLogicalNot", 1, x[0] ^ 1),
    INT("s_abs", 1, s(t, x[0]) < 0 ? 0 - x[0] : x[0]),
    INT("u_abs", 1, x[0]),
    INT("s_abs_diff", 2, s(t, x[0]) < s(t, x[1]) ? x[1] - x[0] : x[0] - x[1]),
    INT("u_abs_diff", 2, x[0] < x[1] ? x[1] - x[0] : x[0] - x[1]),
    INT("s_add_sat", 2, clamp_signed(t, static_cast<SignedWide>(s(t, x[0])) + s(t, x[1]))),
    INT("u_add_sat", 2, clamp_unsigned(t, static_cast<SignedWide>(x[0]) + x[1])),
    INT("s_sub_sat", 2, clamp_signed(t, static_cast<SignedWide>(s(t, x[0])) - s(t, x[1]))),
    INT("u_sub_sat", 2,
        clamp_unsigned(t, static_cast<SignedWide>(x[0]) - static_cast<SignedWide>(x[1]))),
    INT("s_hadd", 2, (static_cast<SignedWide>(s(t, x[0])) + s(t, x[1])) >> 1),
    INT("u_hadd", 2, (static_cast<Wide>(x[0]) + x[1]) >> 1),
    INT("s_rhadd", 2, (static_cast<SignedWide>(s(t, x[0])) + s(t, x[1]) + 1) >> 1),
    INT("u_rhadd", 2, (static_cast<Wide>(x[0]) + x[1] + 1) >> 1),
    INT("s_max", 2, std::max(s(t, x[0]), s(t, x[1]))),
    INT("s_min", 2, std::min(s(t, x[0]), s(t, x[1]))),
    INT("u_max", 2, std::max(x[0], x[1])),
    INT("u_min", 2, std::min(x[0], x[1])),
    INT("s_clamp", 3, std::min(std::max(s(t, x[0]), s(t, x[1])), s(t, x[2]))),
    INT("u_clamp", 3, std::min(std::max(x[0], x[1]), x[2])),
    INT("clz", 1, leading_zeros(t, x)),
    INT("ctz", 1, trailing_zeros(t, x)),
    INT("popcount", 1, std::popcount(x[0])),
    INT("s_mul_hi", 2, high_signed(t, x)),
    INT("u_mul_hi", 2, high_unsigned(t, x)),
    INT("s_mad_hi", 3, high_signed(t, x) + x[2]),
    INT("u_mad_hi", 3, high_unsigned(t, x) + x[2]),
    INT("s_mad_sat", 3,
        clamp_signed(t, static_cast<SignedWide>(s(t, x[0])) * s(t, x[1]) + s(t, x[2]))),
    INT("u_mad_sat", 3, std::min<Wide>(static_cast<Wide>(x[0]) * x[1] + x[2], low_bits(t.width))),
    INT("rotate", 2, rotated(t, x)),
    INT("bitselect", 3, (x[0] & ~x[2]) | (x[1] & x[2])),
    ONLY32("s_mul24", 2, multiply_24_signed(t, x)),
    ONLY32("u_mul24", 2, multiply_24_unsigned(t, x)),
    ONLY32("s_mad24", 3, multiply_24_signed(t, x) + x[2]),
    ONLY32("u_mad24", 3, multiply_24_unsigned(t, x) + x[2]),
    {"s_upsample", Form::kTwice, Kind::kInt, 2, GIVES(x[0] << t.width | x[1])},
    {"u_upsample", Form::kTwice, Kind::kInt, 2, GIVES(x[0] << t.width | x[1])},
};

}  // namespace

std::span<const Instruction> integer_instructions() { return kTable; }

}  // namespace transpire::oracle
