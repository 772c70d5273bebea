// Comparison of numbers: see the header.
#include "launch/compare.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace transpire::launch {
namespace {

constexpr std::size_t kMaxMismatches = 64;

bool close(std::uint64_t expected, std::uint64_t found, ScalarType type, const Tolerance& tolerance,
           bool nan_is_nan) {
  if (expected == found) return true;
  const bool both_nan = is_nan(expected, type) && is_nan(found, type);
  if (tolerance.kind == Tolerance::Kind::kExact) return nan_is_nan && both_nan;
  if (both_nan) return true;
  if (tolerance.kind == Tolerance::Kind::kUlp)
    return static_cast<double>(ulp_distance(expected, found, type)) <= tolerance.amount;
  const double wanted = to_double(expected, type);
  const double difference = std::abs(to_double(found, type) - wanted);
  const bool relative = tolerance.kind == Tolerance::Kind::kRelative;
  // Infinities are within no distance but that of equality, which has been ruled out.
  return difference <= (relative ? tolerance.amount * std::abs(wanted) : tolerance.amount) &&
         !std::isinf(wanted);
}

/// How far apart, where the numbers alone do not say it well.
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

/// "y[3]", of one of an element's numbers "y[3].2", or "y[3].x" where it has a name.
std::string place_of(const TypeInfo& type, const Mismatch& mismatch) {
  const std::string leaf = mismatch.leaf ? leaf_path(type, *mismatch.leaf) : "";
  return fmt::format("{}[{}]{}", mismatch.buffer, mismatch.element, leaf);
}

/// What is said of both numbers but the text.
Mismatch mismatch_at(const std::string& buffer, std::uint64_t element, std::size_t leaf,
                     std::span<const Leaf> leaves, std::uint64_t expected, std::uint64_t found) {
  const ScalarType type = leaves[leaf].type;
  Mismatch mismatch{buffer, element};
  if (leaves.size() > 1) mismatch.leaf = leaf;
  mismatch.expected = format_number(expected, type);
  mismatch.found = format_number(found, type);
  if (is_float(type) && !is_nan(expected, type) && !is_nan(found, type))
    mismatch.ulp = ulp_distance(expected, found, type);
  return mismatch;
}

}  // namespace

Comparison compare(const TypeInfo& type, std::span<const std::byte> expected,
                   std::span<const std::byte> found, const Tolerance& tolerance, bool nan_is_nan,
                   const std::string& name, std::uint64_t first_index) {
  Comparison result;
  const std::vector<Leaf> leaves = leaves_of(type);
  const std::uint64_t stride = stride_bytes(type);
  for (std::uint64_t at = 0; at + stride <= expected.size(); at += stride) {
    result.compared += leaves.size();
    if (std::memcmp(&expected[at], &found[at], stride) == 0) continue;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const Leaf& leaf = leaves[i];
      const std::uint64_t a = load_bits(expected.subspan(at + leaf.offset_bytes), leaf.type);
      const std::uint64_t b = load_bits(found.subspan(at + leaf.offset_bytes), leaf.type);
      if (close(a, b, leaf.type, tolerance, nan_is_nan)) continue;
      if (++result.different > kMaxMismatches) continue;
      Mismatch mismatch = mismatch_at(name, first_index + at / stride, i, leaves, a, b);
      mismatch.text =
          fmt::format("{}: expected {}, found {}{}", place_of(type, mismatch), mismatch.expected,
                      mismatch.found, distance_text(a, b, leaf.type));
      result.mismatches.push_back(std::move(mismatch));
    }
  }
  return result;
}

namespace {

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

/// With its text. `range`: empty where the number alone is right.
Mismatch outside(const TypeInfo& type, Mismatch mismatch, const std::string& range) {
  mismatch.text = range.empty()
                      ? fmt::format("{}: {} is not {}", place_of(type, mismatch), mismatch.expected,
                                    mismatch.found)
                      : fmt::format("{}: {} is not within {}, {} here", place_of(type, mismatch),
                                    mismatch.expected, range, mismatch.found);
  return mismatch;
}

}  // namespace

Comparison compare_legal(const TypeInfo& type, std::span<const std::byte> expected,
                         std::span<const std::byte> found, const RangeAt& range_at, bool nan_is_nan,
                         const std::string& name, std::uint64_t first_index) {
  Comparison result;
  const std::vector<Leaf> leaves = leaves_of(type);
  const std::uint64_t stride = stride_bytes(type);
  for (std::uint64_t at = 0; at + stride <= expected.size(); at += stride) {
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const Leaf& leaf = leaves[i];
      ++result.compared;
      const std::uint64_t a = load_bits(expected.subspan(at + leaf.offset_bytes), leaf.type);
      const std::uint64_t b = load_bits(found.subspan(at + leaf.offset_bytes), leaf.type);
      const auto mismatch = [&] {
        return mismatch_at(name, first_index + at / stride, i, leaves, a, b);
      };
      std::string range_there;
      if (is_float(leaf.type)) {
        const LegalRange range = range_at(at + leaf.offset_bytes, float_type(leaf.type));
        if (range.kind == LegalRange::Kind::kOpen) {
          if (result.open++ == 0)
            result.open_example =
                fmt::format("{}: {}", place_of(type, mismatch()), range.operation);
          continue;
        }
        if (range.allows(to_double(a, leaf.type))) continue;
        range_there = range_text(range, leaf.type);
      }
      if (close(a, b, leaf.type, {}, nan_is_nan)) continue;
      if (++result.different <= kMaxMismatches)
        result.mismatches.push_back(outside(type, mismatch(), range_there));
    }
  }
  return result;
}

std::string list_ranges(const TypeInfo& type, std::span<const std::byte> found,
                        const RangeAt& range_at, const std::string& name,
                        std::uint64_t first_index) {
  std::string text;
  const std::vector<Leaf> leaves = leaves_of(type);
  const std::uint64_t stride = stride_bytes(type);
  for (std::uint64_t at = 0; at + stride <= found.size(); at += stride) {
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const Leaf& leaf = leaves[i];
      const std::uint64_t bits = load_bits(found.subspan(at + leaf.offset_bytes), leaf.type);
      text +=
          fmt::format("{}[{}]{} = {}", name, first_index + at / stride,
                      leaves.size() == 1 ? "" : leaf_path(type, i), format_number(bits, leaf.type));
      if (is_float(leaf.type)) {
        const LegalRange range = range_at(at + leaf.offset_bytes, float_type(leaf.type));
        text += range.kind == LegalRange::Kind::kOpen
                    ? fmt::format(", without a bound ({})", range.operation)
                    : ", " + range_text(range, leaf.type);
      }
      text += '\n';
    }
  }
  return text;
}

std::string describe(const Tolerance& tolerance) {
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
    case Tolerance::Kind::kExact:
      break;
  }
  return "exactly";
}

}  // namespace transpire::launch
