// Compares numbers: see the header.
#include "launch/runner/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstring>

namespace transpire::launch {
namespace {

constexpr std::size_t kMaxMismatches = 64;

/// The order of two numbers; unordered if one is a NaN.
std::partial_ordering order(std::uint64_t a, std::uint64_t b, ScalarType type) {
  if (is_float(type)) return to_double(a, type) <=> to_double(b, type);
  if (!is_signed(type)) return a <=> b;
  const unsigned unused = 64 - 8 * size_bytes(type);
  return static_cast<std::int64_t>(a << unused) <=> static_cast<std::int64_t>(b << unused);
}

/// Words for an order that is expected in place of equality; empty for tolerances.
std::string_view order_words(const Tolerance& tolerance) {
  switch (tolerance.kind) {
    case Tolerance::Kind::kNotEqual:
      return "other than ";
    case Tolerance::Kind::kLess:
      return "less than ";
    case Tolerance::Kind::kLessOrEqual:
      return "at most ";
    case Tolerance::Kind::kGreater:
      return "more than ";
    case Tolerance::Kind::kGreaterOrEqual:
      return "at least ";
    default:
      return {};
  }
}

bool is_ordered(std::uint64_t expected, std::uint64_t found, ScalarType type,
                const Tolerance& tolerance) {
  const std::partial_ordering of = order(found, expected, type);
  switch (tolerance.kind) {
    case Tolerance::Kind::kNotEqual:
      return of != 0;
    case Tolerance::Kind::kLess:
      return of < 0;
    case Tolerance::Kind::kLessOrEqual:
      return of <= 0;
    case Tolerance::Kind::kGreater:
      return of > 0;
    default:
      return of >= 0;
  }
}

bool close(std::uint64_t expected, std::uint64_t found, ScalarType type, const Tolerance& tolerance,
           bool nan_is_nan) {
  if (!order_words(tolerance).empty()) return is_ordered(expected, found, type, tolerance);
  if (expected == found) return true;
  const bool both_nan = is_nan(expected, type) && is_nan(found, type);
  if (tolerance.kind == Tolerance::Kind::kExact) return nan_is_nan && both_nan;
  if (both_nan) return true;
  if (tolerance.kind == Tolerance::Kind::kUlp)
    return static_cast<double>(ulp_distance(expected, found, type)) <= tolerance.amount;
  const double wanted = to_double(expected, type);
  const double difference = std::abs(to_double(found, type) - wanted);
  const bool relative = tolerance.kind == Tolerance::Kind::kRelative;
  // An infinity is near no other number; equality was handled above.
  return difference <= (relative ? tolerance.amount * std::abs(wanted) : tolerance.amount) &&
         !std::isinf(wanted);
}

/// True if the difference is too large for other roundings, even in a sum of many numbers. `is_fraction`: the integer encodes a
/// fraction, as in a channel of an image.
bool is_far(std::uint64_t expected, std::uint64_t found, ScalarType type, bool is_fraction) {
  if (!is_float(type)) return !is_fraction || ulp_distance(expected, found, type) > 2;
  const double a = to_double(expected, type), b = to_double(found, type);
  const double difference = std::abs(a - b);
  if (!std::isfinite(difference)) return true;
  const double relative = type == ScalarType::kHalf ? 1e-2 : 1e-3;
  constexpr double kNearZero = 1e-6;
  return difference > kNearZero && difference > relative * std::max(std::abs(a), std::abs(b));
}

/// Text of the distance of two floats; empty for integers.
std::string distance_text(std::uint64_t expected, std::uint64_t found, ScalarType type) {
  if (!is_float(type)) return {};
  const std::string bits =
      fmt::format("bits {} and {}", format_bits(expected, type), format_bits(found, type));
  if (is_nan(expected, type) || is_nan(found, type)) return fmt::format(" ({})", bits);
  const std::uint64_t ulp = ulp_distance(expected, found, type);
  const double difference = to_double(found, type) - to_double(expected, type);
  return ulp == 0 ? fmt::format(" ({})", bits)
                  : fmt::format(" (difference {:.3g}, {} ulp)", difference, ulp);
}

FloatType float_type(ScalarType type) {
  return type == ScalarType::kHalf    ? FloatType::kHalf
         : type == ScalarType::kFloat ? FloatType::kFloat
                                      : FloatType::kDouble;
}

/// "[0.99999976, 1] (cos, 4 ulp)"
std::string range_text(const LegalRange& range, ScalarType type) {
  std::string text = fmt::format("[{}, {}]", format_number(from_double(range.low, type), type),
                                 format_number(from_double(range.high, type), type));
  if (range.may_flush) text += " or a zero";
  if (range.operation.empty()) return text + " (not computed)";
  return text + (range.ulp > 0.5 ? fmt::format(" ({}, {} ulp)", range.operation, range.ulp)
                                 : fmt::format(" ({})", range.operation));
}

/// An expected and a found number, and their place.
struct Number {
  std::uint64_t expected = 0, found = 0;
  ScalarType type = ScalarType::kUchar;
  std::uint64_t element = 0;       ///< index among the compared elements
  std::uint64_t offset_bytes = 0;  ///< offset of its word in the compared bytes
  std::size_t place = 0;  ///< index among the numbers of its element, or the channels of its texel
  const Channel* channel = nullptr;  ///< images: the channel
};

/// Compares numbers one by one, and collects the differences.
class Comparer {
 public:
  Comparer(const ComparedElements& what, std::span<const Tolerance> tolerances,
           const RangeAt& range_at)
      : what_(what), tolerances_(tolerances), range_at_(range_at), leaves_(leaves_of(what.type)) {}

  const std::vector<Leaf>& leaves() const { return leaves_; }

  void compare(const Number& number) {
    ++result.compared;
    const Tolerance& tolerance = tolerance_of(number.place);
    if (tolerance.kind == Tolerance::Kind::kSpec) return compare_legal(number, tolerance.profile);
    if (tolerance.kind == Tolerance::Kind::kRootMeanSquare) return add_square(number);
    if (close(number.expected, number.found, number.type, tolerance, what_.nan_is_nan)) return;
    count_difference(number);
    if (result.different > kMaxMismatches) return;
    Mismatch mismatch = mismatch_of(number);
    mismatch.text = fmt::format("{}: expected {}{}, found {}{}", mismatch.place,
                                order_words(tolerance), mismatch.expected, mismatch.found,
                                distance_text(number.expected, number.found, number.type));
    result.mismatches.push_back(std::move(mismatch));
  }

  Comparison result;

 private:
  void add_square(const Number& number) {
    const double difference =
        to_double(number.found, number.type) - to_double(number.expected, number.type);
    result.sum_of_squares += difference * difference;
  }

  void count_difference(const Number& number) {
    ++result.different;
    result.far += is_far(number.expected, number.found, number.type, is_fraction(number));
  }

  const Tolerance& tolerance_of(std::size_t place) const {
    static constexpr Tolerance kExact;
    if (tolerances_.empty()) return kExact;
    return tolerances_[tolerances_.size() == 1 ? 0 : place];
  }

  /// Notes a difference unless an implementation may give the expected number in place of the found one.
  void compare_legal(const Number& number, Profile profile) {
    std::string range_there;
    if (is_float(number.type)) {
      const LegalRange range = range_at_(number.offset_bytes, float_type(number.type), profile);
      if (range.kind == LegalRange::Kind::kOpen) {
        if (result.open++ == 0)
          result.open_example = fmt::format("{}: {}", mismatch_of(number).place, range.operation);
        return;
      }
      if (range.allows(to_double(number.expected, number.type))) return;
      range_there = range_text(range, number.type);
    } else if (is_near_fraction(number)) {
      return;
    }
    if (close(number.expected, number.found, number.type, {}, what_.nan_is_nan)) return;
    count_difference(number);
    if (result.different > kMaxMismatches) return;
    Mismatch mismatch = mismatch_of(number);
    mismatch.text =
        range_there.empty()
            ? fmt::format("{}: {} is not {}", mismatch.place, mismatch.expected, mismatch.found)
            : fmt::format("{}: {} is not within {}, {} here", mismatch.place, mismatch.expected,
                          range_there, mismatch.found);
    result.mismatches.push_back(std::move(mismatch));
  }

  /// OpenCL C 3.0, "Conversion rules for normalized integer channel data types": a number is at most 0.6 away from the
  /// exact one, so the numbers of two implementations differ by at most 1.
  bool is_near_fraction(const Number& number) const {
    return is_fraction(number) && ulp_distance(number.expected, number.found, number.type) <= 1;
  }

  bool is_fraction(const Number& number) const {
    if (number.channel == nullptr) return false;
    const ChannelScale scale = what_.texels->scale();
    return scale == ChannelScale::kUnorm || scale == ChannelScale::kSnorm;
  }

  /// The mismatch without its text.
  Mismatch mismatch_of(const Number& number) const {
    Mismatch mismatch{what_.name, what_.first_index + number.element};
    const bool is_packed = number.channel != nullptr && number.channel->bits != 0;
    if (leaves_.size() > 1 || is_packed) mismatch.leaf = number.place;
    mismatch.expected = format_number(number.expected, number.type);
    mismatch.found = format_number(number.found, number.type);
    if (is_float(number.type) && !is_nan(number.expected, number.type) &&
        !is_nan(number.found, number.type))
      mismatch.ulp = ulp_distance(number.expected, number.found, number.type);
    if (number.channel != nullptr) {
      mismatch.texel = what_.texels->place(what_.offset_bytes + number.offset_bytes);
      mismatch.channel = number.channel->name;
    }
    mismatch.place = text_of(mismatch);
    return mismatch;
  }

  /// "y[3]"; "y[3].2" or "y[3].x" if an element has several numbers; "y[3].R at (1,0)" for an image.
  std::string text_of(const Mismatch& mismatch) const {
    std::string text = fmt::format("{}[{}]", mismatch.buffer, mismatch.element);
    if (!mismatch.channel.empty() && what_.texels->channels().size() > 1)
      text += '.' + mismatch.channel;
    else if (mismatch.leaf && mismatch.channel.empty())
      text += leaf_path(what_.type, *mismatch.leaf);
    if (mismatch.texel) text += " at " + mismatch.texel->text_of();
    return text;
  }

  const ComparedElements& what_;
  std::span<const Tolerance> tolerances_;
  const RangeAt& range_at_;
  std::vector<Leaf> leaves_;
};

std::span<const Channel> channels_at(const ComparedElements& what, std::uint64_t offset_bytes,
                                     ScalarType word) {
  return what.texels ? what.texels->channels_at(what.offset_bytes + offset_bytes, word)
                     : std::span<const Channel>();
}

/// Number of numbers in an element, or of channels in a texel.
std::uint64_t numbers_in_element(const ComparedElements& what, const std::vector<Leaf>& leaves) {
  std::uint64_t count = 0;
  for (const Leaf& leaf : leaves)
    count += std::max<std::uint64_t>(channels_at(what, leaf.offset_bytes, leaf.type).size(), 1);
  return count;
}

}  // namespace

bool asks_for_ranges(std::span<const Tolerance> tolerances) {
  return std::ranges::find(tolerances, Tolerance::Kind::kSpec, &Tolerance::kind) !=
         tolerances.end();
}

std::size_t count_of_numbers(const ComparedElements& what) {
  return what.texels ? what.texels->channels().size() : leaves_of(what.type).size();
}

Comparison compare(const ComparedElements& what, std::span<const std::byte> expected,
                   std::span<const std::byte> found, std::span<const Tolerance> tolerances,
                   const RangeAt& range_at) {
  Comparer comparer(what, tolerances, range_at);
  const std::vector<Leaf>& leaves = comparer.leaves();
  const std::uint64_t stride = stride_bytes(what.type);
  const std::uint64_t numbers = numbers_in_element(what, leaves);
  const bool is_spec = asks_for_ranges(tolerances) ||
                       (tolerances.size() == 1 && !order_words(tolerances[0]).empty());
  for (std::uint64_t at = 0; at + stride <= expected.size(); at += stride) {
    if (!is_spec && std::memcmp(&expected[at], &found[at], stride) == 0) {
      comparer.result.compared += numbers;
      continue;
    }
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const std::uint64_t offset = at + leaves[i].offset_bytes;
      const auto a = expected.subspan(offset), b = found.subspan(offset);
      Number number{load_bits(a, leaves[i].type),
                    load_bits(b, leaves[i].type),
                    leaves[i].type,
                    at / stride,
                    offset,
                    i};
      const auto channels = channels_at(what, offset, leaves[i].type);
      if (channels.empty()) comparer.compare(number);
      for (const Channel& channel : channels) {
        number.channel = &channel;
        number.place = static_cast<std::size_t>(&channel - what.texels->channels().data());
        number.type = channel.type();
        number.expected = channel.load_word(a);
        number.found = channel.load_word(b);
        comparer.compare(number);
      }
    }
  }
  return std::move(comparer.result);
}

void append(Comparison& all, Comparison later) {
  if (all.open == 0) all.open_example = std::move(later.open_example);
  all.compared += later.compared;
  all.different += later.different;
  all.far += later.far;
  all.open += later.open;
  all.sum_of_squares += later.sum_of_squares;
  for (Mismatch& mismatch : later.mismatches)
    if (all.mismatches.size() < kMaxMismatches) all.mismatches.push_back(std::move(mismatch));
}

void list_ranges(TextRoom& room, const TypeInfo& type, std::span<const std::byte> found,
                 const RangeAt& range_at, Profile profile, const std::string& name,
                 std::uint64_t first_index) {
  const std::vector<Leaf> leaves = leaves_of(type);
  const std::uint64_t stride = stride_bytes(type);
  for (std::uint64_t at = 0; at + stride <= found.size(); at += stride) {
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const Leaf& leaf = leaves[i];
      const std::uint64_t bits = load_bits(found.subspan(at + leaf.offset_bytes), leaf.type);
      std::string text =
          fmt::format("{}[{}]{} = {}", name, first_index + at / stride,
                      leaves.size() == 1 ? "" : leaf_path(type, i), format_number(bits, leaf.type));
      if (is_float(leaf.type)) {
        const LegalRange range = range_at(at + leaf.offset_bytes, float_type(leaf.type), profile);
        text += range.kind == LegalRange::Kind::kOpen
                    ? fmt::format(", without a bound ({})", range.operation)
                    : ", " + range_text(range, leaf.type);
      }
      if (!room.add(text + '\n')) return;
    }
  }
}

namespace {

/// The tolerance in the words of parse_tolerance().
std::string tolerance_word(const Tolerance& tolerance) {
  switch (tolerance.kind) {
    case Tolerance::Kind::kSpec:
      return tolerance.profile == Profile::kFull ? "spec full" : "spec embedded";
    case Tolerance::Kind::kRelative:
      return fmt::format("{}rel", tolerance.amount);
    case Tolerance::Kind::kUlp:
      return fmt::format("{}ulp", tolerance.amount);
    default:
      return fmt::format("{}", tolerance.amount);
  }
}

std::string described(const Tolerance& tolerance) {
  switch (tolerance.kind) {
    case Tolerance::Kind::kSpec:
      return fmt::format("within what the {} profile allows",
                         tolerance.profile == Profile::kFull ? "full" : "embedded");
    case Tolerance::Kind::kAbsolute:
      return fmt::format("within {}", tolerance.amount);
    case Tolerance::Kind::kRelative:
      return fmt::format("within {} times the expected value", tolerance.amount);
    case Tolerance::Kind::kUlp:
      return fmt::format("within {} ulp", tolerance.amount);
    default:
      break;
  }
  return order_words(tolerance).empty() ? "exactly"
                                        : fmt::format("({}the values)", order_words(tolerance));
}

}  // namespace

std::string describe(std::span<const Tolerance> tolerances) {
  if (tolerances.empty()) return "exactly";
  if (tolerances.size() == 1) return described(tolerances[0]);
  std::string text;
  for (const Tolerance& tolerance : tolerances)
    text += (text.empty() ? "" : ", ") + tolerance_word(tolerance);
  return fmt::format("within ({})", text);
}

}  // namespace transpire::launch
