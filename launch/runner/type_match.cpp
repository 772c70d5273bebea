// Matches types of data: see the header.
#include "launch/runner/type_match.h"

#include <fmt/format.h>

#include <cmath>
#include <span>

#include "launch/report/diagnose.h"

namespace transpire::launch {

std::optional<ScalarClass> class_of(const TypeInfo& type) {
  if (const auto scalar = scalar_of(type))
    return ScalarClass{is_float(*scalar), size_bytes(*scalar)};
  const bool has_parts = type.kind == TypeInfo::Kind::kStruct || type.count != 0;
  if (!has_parts || type.elements.empty()) return std::nullopt;
  const auto first = class_of(type.elements[0]);
  // Skips the first element, which was visited above: visiting it twice at each level of deep types would be exponential.
  for (const TypeInfo& element : std::span(type.elements).subspan(1))
    if (class_of(element) != first) return std::nullopt;
  return first;
}

bool may_hold(const TypeInfo& wanted, const TypeInfo& given) {
  if (given.spelling == wanted.spelling && given.size_bytes == wanted.size_bytes) return true;
  const auto given_class = class_of(given);
  if (!given_class) return false;
  if (wanted.kind == TypeInfo::Kind::kPointer)
    return *given_class == ScalarClass{false, static_cast<unsigned>(wanted.size_bytes)};
  const auto wanted_class = class_of(wanted);
  if (wanted_class) return given_class == wanted_class;
  return *given_class == ScalarClass{false, 1};
}

TypeInfo spaced_as(const TypeInfo& memory, TypeInfo given) {
  const bool is_alike = memory.kind == TypeInfo::Kind::kVector
                            ? given.kind == memory.kind && given.count == memory.count
                            : scalar_of(memory).has_value() && scalar_of(given).has_value();
  if (!is_alike || class_of(memory) != class_of(given)) return given;
  given.size_bytes = memory.size_bytes;
  given.align_bytes = memory.align_bytes;
  return given;
}

namespace {

__extension__ using Wide = __int128;

struct Limits128 {
  Wide least, greatest;
};

Limits128 limits_of(ScalarType type) {
  const unsigned bits = 8 * size_bytes(type);
  if (type == ScalarType::kBool) return {0, 1};
  if (is_signed(type)) return {-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
  return {0, (Wide{1} << bits) - 1};
}

Wide integer_of(std::uint64_t bits, ScalarType type) {
  if (type == ScalarType::kBool) return bits != 0;
  if (!is_signed(type)) return bits;
  const unsigned unused = 64 - 8 * size_bytes(type);
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

/// Rounds once: a double holds every integer that rounds to a finite half.
std::uint64_t float_bits(Wide value, ScalarType to) {
  if (to != ScalarType::kFloat) return from_double(static_cast<double>(value), to);
  return from_double(static_cast<float>(value), to);
}

/// Bits of the integer; nothing if `to` does not have the number.
std::optional<std::uint64_t> integer_bits(double value, ScalarType to) {
  if (to == ScalarType::kBool) return value != 0;
  const double whole = std::trunc(value);
  if (!(std::abs(whole) < 0x1p65)) return std::nullopt;  // a NaN, too
  const Limits128 limits = limits_of(to);
  const auto integer = static_cast<Wide>(whole);
  if (integer < limits.least || integer > limits.greatest) return std::nullopt;
  return static_cast<std::uint64_t>(integer) & (~std::uint64_t{0} >> (64 - 8 * size_bytes(to)));
}

std::optional<std::uint64_t> converted_bits(std::uint64_t bits, ScalarType from, ScalarType to) {
  if (is_float(from)) {
    const double value = to_double(bits, from);
    return is_float(to) ? std::optional(from_double(value, to)) : integer_bits(value, to);
  }
  const Wide value = integer_of(bits, from);
  if (is_float(to)) return float_bits(value, to);
  if (to == ScalarType::kBool) return value != 0;
  const Limits128 limits = limits_of(to);
  if (value < limits.least || value > limits.greatest) return std::nullopt;
  return static_cast<std::uint64_t>(value) & (~std::uint64_t{0} >> (64 - 8 * size_bytes(to)));
}

/// Type of the numbers of an array: its elements, or their components.
ScalarType number_type(const TypeInfo& type) {
  const auto scalar = scalar_of(type.elements.empty() ? type : type.elements[0]);
  return scalar.value_or(ScalarType::kUchar);
}

}  // namespace

Result<TypedBytes> converted(const TypedBytes& numbers, const TypeWord& to, const std::string& name,
                             const Allowance& allowed) {
  const ScalarType from = number_type(numbers.type);
  const std::size_t count = numbers.bytes.size() / size_bytes(from);
  TypedBytes result = numbers;
  result.type = type_of(to);
  if (from == to.scalar) return result;
  result.exact_bits = false;
  const std::uint64_t needed = std::uint64_t{count} * size_bytes(to.scalar);
  if (needed > allowed.max_bytes)
    return command_error(kMemoryLimit,
                         fmt::format("the numbers of '{}' as {} need {} bytes, more than the limit "
                                     "leaves beside them: {}",
                                     name, name_of(to.scalar), needed, allowed.max_bytes));
  TRANSPIRE_TRY(result.memory, Buffer::create(needed));
  const std::span<const std::byte> source = numbers.bytes;
  const std::span<std::byte> target = result.memory.bytes();
  result.bytes = target;
  Pacer pacer(allowed.limit);
  for (std::size_t i = 0; i < count; ++i) {
    pacer.step();
    const std::uint64_t bits = load_bits(source.subspan(i * size_bytes(from)), from);
    const auto made = converted_bits(bits, from, to.scalar);
    if (!made)
      return command_error(kBadValue,
                           fmt::format("number {} of '{}' is {}, which {} does not have", i, name,
                                       format_number(bits, from), name_of(to.scalar)));
    store_bits(target.subspan(i * size_bytes(to.scalar)), to.scalar, *made);
  }
  return result;
}

}  // namespace transpire::launch
