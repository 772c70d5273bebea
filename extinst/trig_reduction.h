// Argument reduction of sin, cos and tan: x = n pi/2 + r, |r| <= pi/4.
//
// |x| <= 2^20: subtract n pi/2 in parts short enough for exact products (Cody and Waite). Beyond:
// multiply by 2/pi as a big integer (Payne and Hanek), lane by lane. The limit is the same for
// every instruction set and form, so a lane's result does not depend on its neighbours.
#pragma once

#include "extinst/lane_base.h"

namespace transpire::vm::TRANSPIRE_ISA::opencl {

inline constexpr double kReducedLimit = 0x1p20;

/// The remainder, and n modulo 4 in the low bits of `quadrant`.
struct Reduced {
  Sum r;
  std::uint64_t quadrant;
};

/// |x| <= kReducedLimit. pi/2 in three parts of 33 bits and one of 53: n has 20 bits. The nearest
/// double to a multiple of pi/2 leaves 2^-62 or more, so 60 correct bits remain.
TRANSPIRE_INLINE Reduced reduce_narrow(double x) {
  constexpr double kPart1 = 0x1.921fb544p+0, kPart2 = 0x1.0b4611a6p-34;
  constexpr double kPart3 = 0x1.3198a2ep-69, kPart4 = 0x1.b839a252049c1p-104;
  const Nearest n = nearest(x * 0x1.45f306dc9c883p-1);
  const Sum second = two_sum(x - n.value * kPart1, -(n.value * kPart2));
  const Sum third = two_sum(second.high, -(n.value * kPart3));
  const double low = (second.low + third.low) - n.value * kPart4;
  const Sum r = fast_two_sum(third.high, low);
  return {{x == 0 ? x : r.high, r.low}, n.bits};  // the sums lose the sign of -0
}

/// For floats, whose remainder is at least 2^-30: two parts leave 36 correct bits.
TRANSPIRE_INLINE Reduced reduce_narrow_short(double x) {
  const Nearest n = nearest(x * 0x1.45f306dc9c883p-1);
  return {{(x - n.value * 0x1.921fb544p+0) - n.value * 0x1.0b4611a626331p-34, 0}, n.bits};
}

/// 2/pi in binary, after 64 zero bits, as far as a double's largest exponent and 192 bits need.
inline constexpr std::uint64_t kTwoOverPi[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
    0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
    0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

/// 64 bits of kTwoOverPi from that bit on.
TRANSPIRE_INLINE std::uint64_t two_over_pi_bits(std::uint32_t first) {
  const std::uint64_t* word = kTwoOverPi + first / 64;
  const std::uint32_t shift = first % 64;
  return shift == 0 ? word[0] : word[0] << shift | word[1] >> (64 - shift);
}

/// A fraction of 2^128, as a double-double.
TRANSPIRE_INLINE Sum fraction_to_sum(unsigned __int128 fraction) {
  const auto top = static_cast<std::uint64_t>(fraction >> 64);
  const int zeros = top != 0 ? __builtin_clzll(top)
                             : 64 + __builtin_clzll(static_cast<std::uint64_t>(fraction) | 1);
  const unsigned __int128 aligned = fraction << zeros;
  const auto high = static_cast<double>(static_cast<std::uint64_t>(aligned >> 75));
  const auto low = static_cast<double>(static_cast<std::uint64_t>(aligned >> 22) &
                                       ((std::uint64_t{1} << 53) - 1));
  const double scale = power_of_two(-53 - zeros);
  return fast_two_sum(high * scale, low * (scale * 0x1p-53));
}

/// Any finite |x| > kReducedLimit. With x = M 2^E, the bits of 2/pi of weight above 2^(1-E)
/// contribute multiples of 4 to x 2/pi: 192 bits from there on times M, modulo 2^192, are
///
///     | n mod 4: 2 | fraction: 190 |
__attribute__((noinline)) static Reduced reduce_wide(double x) {
  const std::uint64_t bits = bits_of(x);
  const auto exponent = static_cast<std::int32_t>(bits >> 52 & 0x7ff) - 1075;
  const std::uint64_t mantissa = (bits & 0xfffffffffffffu) | std::uint64_t{1} << 52;
  const auto first = static_cast<std::uint32_t>(exponent - 2 + 64);
  using Wide = unsigned __int128;
  const Wide product0 = static_cast<Wide>(two_over_pi_bits(first + 128)) * mantissa;
  const Wide product1 =
      static_cast<Wide>(two_over_pi_bits(first + 64)) * mantissa + (product0 >> 64);
  const std::uint64_t top =
      two_over_pi_bits(first) * mantissa + static_cast<std::uint64_t>(product1 >> 64);
  const std::uint64_t middle = static_cast<std::uint64_t>(product1);
  const std::uint64_t bottom = static_cast<std::uint64_t>(product0);
  const Wide fraction = (static_cast<Wide>(top) << 64 | middle) << 2 | bottom >> 62;
  // The nearest multiple: a fraction of one half or more is that of the next, less one.
  const bool up = (fraction >> 127) != 0;
  const std::uint64_t quadrant = (top >> 62) + up;
  const Sum part = fraction_to_sum(up ? -fraction : fraction);
  const Sum angle = multiply(part, Sum{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54});
  const bool negative = up != (x < 0);
  return {{negative ? -angle.high : angle.high, negative ? -angle.low : angle.low},
          x < 0 ? 0 - quadrant : quadrant};
}

/// Not 0 where the fast reduction is wrong. Infinities and NaN go the fast way too, to NaN.
template <class T>
TRANSPIRE_INLINE typename FloatBits<T>::Int angle_excess(T x) {
  return (abs_of(x) > T{kReducedLimit}) & (abs_of(x) < kInfinity<T>) ? 1 : 0;
}

}  // namespace transpire::vm::TRANSPIRE_ISA::opencl
