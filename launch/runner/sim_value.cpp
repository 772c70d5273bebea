// Evaluates values of .sim files: see the header. Follows Oclgrind's Simulation.cpp with its streams: a range adds its step in
// the type itself, `hex` makes integers hexadecimal, floats print six digits.
#include "launch/runner/sim_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/counted.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

Diagnostic sim_value_error(const std::string& message) { return command_error(kBadValue, message); }

Result<std::uint64_t> read_value(std::string_view text, ScalarType type, bool hex) {
  if (hex && !is_float(type) && !text.starts_with('-')) return parse_bits(text, type);
  // Streams accept "-1" for unsigned types wider than a byte.
  const bool byte = size_bytes(type) == 1;
  return parse_number(text, type, byte ? Signedness::kStated : Signedness::kInferred);
}

/// a + b in the type itself.
std::uint64_t add(std::uint64_t a, std::uint64_t b, ScalarType type) {
  if (type == ScalarType::kFloat)
    return std::bit_cast<std::uint32_t>(std::bit_cast<float>(static_cast<std::uint32_t>(a)) +
                                        std::bit_cast<float>(static_cast<std::uint32_t>(b)));
  if (is_float(type)) return from_double(to_double(a, type) + to_double(b, type), type);
  return (a + b) & (~std::uint64_t{0} >> (64 - 8 * size_bytes(type)));
}

Status make_range(const SimArgument& argument, ScalarType type, std::span<std::byte> bytes,
                  Pacer& pacer) {
  std::array<std::uint64_t, 3> values{};
  std::string_view rest = argument.range;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if ((colon == rest.size()) != (i == 2))
      return sim_value_error("a range has the form START:STEP:END");
    const auto value = read_value(rest.substr(0, colon), type, argument.hex);
    if (!value) return value.errors();
    values[i] = *value;
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  // Oclgrind computes the distance in the type itself, so 0:0.1:0.3 divides evenly.
  const double step = to_double(values[1], type);
  double distance = to_double(values[2], type) - to_double(values[0], type);
  if (is_float(type))
    distance = to_double(add(from_double(distance, type), values[1], type), type);
  else
    distance += step;
  const double count = distance / step;
  if (std::ceil(count) != count || count * size_bytes(type) != static_cast<double>(bytes.size()))
    return sim_value_error(fmt::format("the range '{}' makes {} numbers, the size is {} bytes",
                                       argument.range, count, bytes.size()));
  std::uint64_t value = values[0];
  for (std::size_t at = 0; at < bytes.size(); at += size_bytes(type)) {
    pacer.step();
    store_bits(bytes.subspan(at), type, value);
    value = add(value, values[1], type);
  }
  return Unit{};
}

/// Makes the numbers: one for each element, or the fill for all.
Status make_values(const SimArgument& argument, ScalarType type, std::span<std::byte> bytes,
                   Pacer& pacer) {
  const std::size_t count = bytes.size() / size_bytes(type);
  const bool filled = !argument.fill.empty();
  if (!filled && argument.values.size() != count)
    return sim_value_error(fmt::format("expected {} of type {} after the header, found {}",
                                       count_text(count, "number"), name_of(type),
                                       argument.values.size()));
  for (std::size_t i = 0; i < count; ++i) {
    pacer.step();
    const auto bits = read_value(filled ? argument.fill : argument.values[i], type, argument.hex);
    if (!bits) return bits.errors();
    store_bits(bytes.subspan(i * size_bytes(type)), type, *bits);
  }
  return Unit{};
}

/// The number as a C++ stream prints it after `hex`.
std::string stream_hex(std::uint64_t bits, ScalarType type) {
  const unsigned width = 2 * size_bytes(type);
  if (is_float(type))
    return fmt::format("0x{:0>{}}", fmt::format("{:g}", to_double(bits, type)), width);
  if (type == ScalarType::kChar) bits = static_cast<std::uint32_t>(static_cast<std::int8_t>(bits));
  return fmt::format("0x{:0{}x}", bits, width);
}

}  // namespace

Result<TypedBytes> evaluate_sim(const SimArgument& argument, std::optional<ScalarType> inferred,
                                const Allowance& allowed) {
  const auto type = argument.type ? argument.type : inferred;
  if (!type)
    return sim_value_error(
        "the argument's header must name a type, for the parameter is neither a number nor "
        "a pointer to numbers");
  if (argument.size_bytes % size_bytes(*type) != 0)
    return sim_value_error(fmt::format("size {} is no multiple of the {} bytes of {}",
                                       argument.size_bytes, size_bytes(*type), name_of(*type)));
  if (argument.size_bytes > allowed.max_bytes)
    return command_error(kMemoryLimit, fmt::format("size {} exceeds the limit of {} bytes",
                                                   argument.size_bytes, allowed.max_bytes));
  TypedBytes result;
  result.type = type_of({*type, 1});
  result.any_type = true;
  TRANSPIRE_TRY(result.memory, Buffer::create(argument.size_bytes));
  result.bytes = result.memory.bytes();
  if (argument.noinit) std::ranges::fill(result.bytes, kPoison);
  Status made = Unit{};
  Pacer pacer(allowed.limit);
  if (!argument.range.empty())
    made = make_range(argument, *type, result.bytes, pacer);
  else if (!argument.noinit)
    made = make_values(argument, *type, result.bytes, pacer);
  if (!made) return made.errors();
  return result;
}

void format_sim_dump(TextRoom& room, std::string_view name, ScalarType type,
                     std::span<const std::byte> bytes, bool hexadecimal) {
  room.add(fmt::format("\nArgument '{}': {} bytes\n", name, bytes.size()));
  for (std::size_t i = 0; (i + 1) * size_bytes(type) <= bytes.size(); ++i) {
    const std::uint64_t bits = load_bits(bytes.subspan(i * size_bytes(type)), type);
    const std::string value = hexadecimal      ? stream_hex(bits, type)
                              : is_float(type) ? fmt::format("{:g}", to_double(bits, type))
                                               : format_number(bits, type);
    if (!room.add(fmt::format("  {}[{}] = {}\n", name, i, value))) return;
  }
  room.add("\n");
}

}  // namespace transpire::launch
