// The integer functions against 128-bit arithmetic: every form and instruction set, every pair of
// bytes.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/vm/ops/row_runner.h"

namespace transpire::test {

using vm::Kind;
using vm::Op;

namespace {

/// A kind read as signed or unsigned.
struct Range {
  Kind kind;
  bool is_signed;

  std::uint32_t width() const { return vm::width_bits(kind); }
  Bits mask() const { return ~Bits{0} >> (64 - width()); }
  Wide least() const { return is_signed ? -(Wide{1} << (width() - 1)) : 0; }
  Wide most() const { return is_signed ? (Wide{1} << (width() - 1)) - 1 : Wide{mask()}; }
  Wide saturate(Wide x) const { return std::clamp(x, least(), most()); }
};

using Meaning = std::function<Wide(const Range&, const std::vector<Wide>&)>;

void check_kind(Op op, Range range, std::size_t arity, const Meaning& meaning) {
  check_kinds(op, std::span(&range.kind, 1), arity, arity == 3 ? 4 : 24,
              [&](Kind kind, const Values& v) {
                std::vector<Wide> operands;
                for (const Bits bits : v)
                  operands.push_back(number_of(kind, range.is_signed, bits));
                return cut(kind, meaning(range, operands));
              });
}
void check_signed(Op op, std::size_t arity, const Meaning& meaning) {
  for (const Kind kind : kInts) check_kind(op, {kind, true}, arity, meaning);
}
void check_unsigned(Op op, std::size_t arity, const Meaning& meaning) {
  for (const Kind kind : kInts) check_kind(op, {kind, false}, arity, meaning);
}
/// The same meaning for the signed and the unsigned function.
void check_both(Op of_signed, Op of_unsigned, std::size_t arity, const Meaning& meaning) {
  check_signed(of_signed, arity, meaning);
  check_unsigned(of_unsigned, arity, meaning);
}

using Operands = std::vector<Wide>;

TEST_CASE("absolute values and differences") {
  check_both(Op::kSAbs, Op::kUAbs, 1,
             [](const Range&, const Operands& v) { return v[0] < 0 ? -v[0] : v[0]; });
  check_both(Op::kSAbsDiff, Op::kUAbsDiff, 2, [](const Range&, const Operands& v) {
    return v[0] < v[1] ? v[1] - v[0] : v[0] - v[1];
  });
}

TEST_CASE("saturating sums") {
  check_both(Op::kSAddSat, Op::kUAddSat, 2,
             [](const Range& range, const Operands& v) { return range.saturate(v[0] + v[1]); });
  check_both(Op::kSSubSat, Op::kUSubSat, 2,
             [](const Range& range, const Operands& v) { return range.saturate(v[0] - v[1]); });
}

TEST_CASE("averages") {
  check_both(Op::kSHadd, Op::kUHadd, 2,
             [](const Range&, const Operands& v) { return (v[0] + v[1]) >> 1; });
  check_both(Op::kSRhadd, Op::kURhadd, 2,
             [](const Range&, const Operands& v) { return (v[0] + v[1] + 1) >> 1; });
}

TEST_CASE("minima, maxima, clamp") {
  check_both(Op::kSMin, Op::kUMin, 2,
             [](const Range&, const Operands& v) { return std::min(v[0], v[1]); });
  check_both(Op::kSMax, Op::kUMax, 2,
             [](const Range&, const Operands& v) { return std::max(v[0], v[1]); });
  check_both(Op::kSClamp, Op::kUClamp, 3,
             [](const Range&, const Operands& v) { return std::min(std::max(v[0], v[1]), v[2]); });
}

TEST_CASE("leading and trailing zeros, rotation") {
  check_unsigned(Op::kClz, 1, [](const Range& range, const Operands& v) {
    Wide zeros = 0;
    while (zeros < range.width() && (v[0] >> (range.width() - 1 - zeros) & 1) == 0) ++zeros;
    return zeros;
  });
  check_unsigned(Op::kCtz, 1, [](const Range& range, const Operands& v) {
    Wide zeros = 0;
    while (zeros < range.width() && (v[0] >> zeros & 1) == 0) ++zeros;
    return zeros;
  });
  check_unsigned(Op::kRotate, 2, [](const Range& range, const Operands& v) {
    const Wide left = v[1] % range.width();
    return v[0] << left | v[0] >> (range.width() - left);
  });
}

TEST_CASE("multiply and add") {
  check_both(Op::kSMadHi, Op::kUMadHi, 3, [](const Range& range, const Operands& v) {
    // Unsigned 64-bit products need the top bit of 128.
    const auto product =
        static_cast<unsigned __int128>(v[0]) * static_cast<unsigned __int128>(v[1]);
    const Wide high = range.is_signed ? static_cast<Wide>(product) >> range.width()
                                      : static_cast<Wide>(product >> range.width());
    return high + v[2];
  });
  check_signed(Op::kSMadSat, 3, [](const Range& range, const Operands& v) {
    return range.saturate(v[0] * v[1] + v[2]);
  });
  check_unsigned(Op::kUMadSat, 3, [](const Range& range, const Operands& v) {
    const auto sum = static_cast<unsigned __int128>(v[0]) * static_cast<unsigned __int128>(v[1]) +
                     static_cast<unsigned __int128>(v[2]);
    return sum > range.mask() ? range.most() : static_cast<Wide>(sum);
  });
}

TEST_CASE("24-bit products") {
  const auto low = [](Wide x) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << 8) >> 8;
  };
  const auto unsigned_low = [](Wide x) { return static_cast<std::uint32_t>(x) & 0xffffffu; };
  const Range of_signed{Kind::kI32, true}, of_unsigned{Kind::kI32, false};
  check_kind(Op::kSMul24, of_signed, 2,
             [&](const Range&, const Operands& v) { return Wide{low(v[0])} * low(v[1]); });
  check_kind(Op::kUMul24, of_unsigned, 2, [&](const Range&, const Operands& v) {
    return Wide{unsigned_low(v[0])} * unsigned_low(v[1]);
  });
  check_kind(Op::kSMad24, of_signed, 3,
             [&](const Range&, const Operands& v) { return Wide{low(v[0])} * low(v[1]) + v[2]; });
  check_kind(Op::kUMad24, of_unsigned, 3, [&](const Range&, const Operands& v) {
    return Wide{unsigned_low(v[0])} * unsigned_low(v[1]) + v[2];
  });
}

}  // namespace
}  // namespace transpire::test
