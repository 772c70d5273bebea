// Comparison of numbers: see the header.
#include "launch/compare.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace transpire::launch {
namespace {

constexpr std::size_t kMaxExamples = 8;

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
  const std::string bits =
      fmt::format("bits {} and {}", format_bits(expected, type), format_bits(found, type));
  if (!is_float(type)) return {};
  if (is_nan(expected, type) || is_nan(found, type)) return fmt::format(" ({})", bits);
  const std::uint64_t ulp = ulp_distance(expected, found, type);
  const double difference = to_double(found, type) - to_double(expected, type);
  return ulp == 0 ? fmt::format(" ({})", bits)
                  : fmt::format(" (difference {:.3g}, {} ulp)", difference, ulp);
}

/// Where in its element a leaf lies: "" for scalars, else ".2" as in y[3].2.
std::string leaf_name(std::size_t leaf, std::size_t leaves) {
  return leaves == 1 ? std::string{} : fmt::format(".{}", leaf);
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
      if (++result.different > kMaxExamples) continue;
      result.examples.push_back(
          fmt::format("{}[{}]{}: expected {}, found {}{}", name, first_index + at / stride,
                      leaf_name(i, leaves.size()), format_number(a, leaf.type),
                      format_number(b, leaf.type), distance_text(a, b, leaf.type)));
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
      const std::string place =
          fmt::format("{}[{}]{}", name, first_index + at / stride, leaf_name(i, leaves.size()));
      if (!is_float(leaf.type)) {
        if (a == b) continue;
        if (++result.different <= kMaxExamples)
          result.examples.push_back(fmt::format(
              "{}: {} is not {}", place, format_number(a, leaf.type), format_number(b, leaf.type)));
        continue;
      }
      const LegalRange range = range_at(at + leaf.offset_bytes, float_type(leaf.type));
      if (range.kind == LegalRange::Kind::kOpen) {
        if (result.open++ == 0) result.open_example = fmt::format("{}: {}", place, range.operation);
        continue;
      }
      if (range.allows(to_double(a, leaf.type)) || close(a, b, leaf.type, {}, nan_is_nan)) continue;
      if (++result.different > kMaxExamples) continue;
      result.examples.push_back(
          fmt::format("{}: {} is not within {}, {} here", place, format_number(a, leaf.type),
                      range_text(range, leaf.type), format_number(b, leaf.type)));
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
      text += fmt::format("{}[{}]{} = {}", name, first_index + at / stride,
                          leaf_name(i, leaves.size()), format_number(bits, leaf.type));
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
