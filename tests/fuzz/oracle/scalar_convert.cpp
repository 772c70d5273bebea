// Conversions of one component, and the names of the instructions that move components.
#include <algorithm>

#include "tests/fuzz/oracle/instructions.h"

namespace transpire::oracle {
namespace {

using U = std::uint64_t;
using SignedWide = __int128;

SignedWide least_of(unsigned width, bool is_signed) {
  return is_signed ? -(SignedWide{1} << (width - 1)) : SignedWide{0};
}
SignedWide most_of(unsigned width, bool is_signed) {
  return static_cast<SignedWide>(low_bits(is_signed ? width - 1 : width));
}
template <bool is_signed>
SignedWide number(const Scalar& from, U x) {
  return is_signed ? SignedWide{signed_of(from.width, x)} : static_cast<SignedWide>(x);
}
template <bool is_signed>
U within(const Scalar& to, SignedWide x) {
  return static_cast<U>(std::clamp(x, least_of(to.width, is_signed), most_of(to.width, is_signed)));
}

template <bool is_signed>
U resized(const Scalar& from, const Scalar& to, U x, int, bool saturated) {
  const SignedWide value = number<is_signed>(from, x);
  return saturated ? within<is_signed>(to, value) : static_cast<U>(value);
}
template <bool from_signed>
U to_other_signedness(const Scalar& from, const Scalar& to, U x, int, bool) {
  return within<!from_signed>(to, number<from_signed>(from, x));
}

/// Rounded to an integer in the mode (towards zero without one), then to the nearest limit.
template <bool is_signed>
U to_integer(const Scalar& from, const Scalar& to, U x, int rounding, bool) {
  const Format f = format_of(from.width);
  if (f.is_nan(x)) return 0;
  const bool negative = f.is_negative(x);
  const SignedWide beyond = SignedWide{1} << 100;
  if (f.is_infinite(x)) return within<is_signed>(to, negative ? -beyond : beyond);
  const Parts parts = parts_of(f, x);
  if (parts.magnitude != 0 && parts.exponent > 64)
    return within<is_signed>(to, negative ? -beyond : beyond);
  SignedWide whole = parts.magnitude;
  if (parts.exponent >= 0) {
    whole <<= parts.exponent;
  } else {
    const int drop = std::min(-parts.exponent, 100);  // magnitudes have 53 bits at most
    const SignedWide rest = whole & ((SignedWide{1} << drop) - 1),
                     half = SignedWide{1} << (drop - 1);
    whole >>= drop;
    if (rounding == kNearestEven && (rest > half || (rest == half && (whole & 1) != 0))) ++whole;
    if (rest != 0 && rounding == (negative ? kDown : kUp)) ++whole;
  }
  return within<is_signed>(to, negative ? -whole : whole);
}

template <bool is_signed>
U to_float(const Scalar& from, const Scalar& to, U x, int rounding, bool) {
  const SignedWide value = number<is_signed>(from, x);
  const Wide magnitude = static_cast<Wide>(value < 0 ? -value : value);
  return rounded(format_of(to.width), value < 0, magnitude, 0,
                 rounding < 0 ? kNearestEven : rounding);
}

U between_floats(const Scalar& from, const Scalar& to, U x, int rounding, bool) {
  const Format f = format_of(from.width), g = format_of(to.width);
  const U sign = f.is_negative(x) ? g.sign() : 0;
  if (f.is_infinite(x)) return g.infinity() | sign;
  if (f.is_nan(x)) {
    const U payload = x & low_bits(f.fraction);
    return g.nan() | sign |
           (f.fraction > g.fraction ? payload >> (f.fraction - g.fraction)
                                    : payload << (g.fraction - f.fraction));
  }
  const Parts parts = parts_of(f, x);
  return rounded(g, parts.negative, parts.magnitude, parts.exponent,
                 rounding < 0 ? kNearestEven : rounding);
}

constexpr Instruction conversion(const char* name, Kind from, Kind to, Convert convert) {
  Instruction made{name, Form::kConvert, from, 1};
  made.convert = convert;
  made.to = to;
  return made;
}

constexpr Instruction kConversions[] = {
    conversion("OpUConvert", Kind::kInt, Kind::kInt, resized<false>),
    conversion("OpSConvert", Kind::kInt, Kind::kInt, resized<true>),
    conversion("OpSatConvertSToU", Kind::kInt, Kind::kInt, to_other_signedness<true>),
    conversion("OpSatConvertUToS", Kind::kInt, Kind::kInt, to_other_signedness<false>),
    conversion("OpConvertFToU", Kind::kFloat, Kind::kInt, to_integer<false>),
    conversion("OpConvertFToS", Kind::kFloat, Kind::kInt, to_integer<true>),
    conversion("OpConvertUToF", Kind::kInt, Kind::kFloat, to_float<false>),
    conversion("OpConvertSToF", Kind::kInt, Kind::kFloat, to_float<true>),
    conversion("OpFConvert", Kind::kFloat, Kind::kFloat, between_floats),
};

constexpr Instruction kComposites[] = {
    {"OpSelect", Form::kSelect, Kind::kInt, 3},
    {"OpAny", Form::kReduce, Kind::kBool, 1},
    {"OpAll", Form::kReduce, Kind::kBool, 1},
    {"select", Form::kPick, Kind::kInt, 3},
    {"OpBitcast", Form::kBitcast, Kind::kInt, 1},
    {"OpCopyObject", Form::kSame, Kind::kInt, 1, [](const Scalar&, const U* x) { return x[0]; }},
    {"OpCompositeConstruct", Form::kConstruct},
    {"OpCompositeExtract", Form::kExtract, Kind::kInt, 1},
    {"OpCompositeInsert", Form::kInsert, Kind::kInt, 2},
    {"OpVectorExtractDynamic", Form::kExtractDynamic, Kind::kInt, 2},
    {"OpVectorInsertDynamic", Form::kInsertDynamic, Kind::kInt, 3},
    {"OpVectorShuffle", Form::kShuffle, Kind::kInt, 2},
};

}  // namespace

std::span<const Instruction> conversion_instructions() { return kConversions; }
std::span<const Instruction> composite_instructions() { return kComposites; }

}  // namespace transpire::oracle
