#include "reflect/source_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace transpire::reflect {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// "int*,float," gives "int*" and "float".
std::vector<std::string> split_words(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    words.emplace_back(trimmed(list.substr(0, comma)));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return words;
}

struct IntegerWord {
  std::string_view spelling;  ///< ours
  std::uint32_t width_bits;
};

/// OpenCL C's integer types and the longer names that they have there ("Built-in Scalar Data
/// Types").
const IntegerWord* integer_word(std::string_view word) {
  static const auto& words = *new std::map<std::string_view, IntegerWord>{
      {"char", {"char", 8}},
      {"uchar", {"uchar", 8}},
      {"unsigned char", {"uchar", 8}},
      {"signed char", {"char", 8}},
      {"short", {"short", 16}},
      {"ushort", {"ushort", 16}},
      {"unsigned short", {"ushort", 16}},
      {"int", {"int", 32}},
      {"uint", {"uint", 32}},
      {"unsigned int", {"uint", 32}},
      {"unsigned", {"uint", 32}},
      {"long", {"long", 64}},
      {"ulong", {"ulong", 64}},
      {"unsigned long", {"ulong", 64}},
  };
  const auto found = words.find(word);
  return found == words.end() ? nullptr : &found->second;
}

/// "int4" for a vector of four, "int" for a scalar. True if the words fitted.
bool follow_numbers(std::string_view words, TypeInfo& type) {
  if (type.kind == TypeInfo::Kind::kVector && !type.elements.empty()) {
    const std::string count = fmt::to_string(type.count);
    if (!words.ends_with(count)) return false;
    words.remove_suffix(count.size());
    if (!follow_numbers(words, type.elements[0])) return false;
    type.spelling = type.elements[0].spelling + count;
    return true;
  }
  const IntegerWord* integer = integer_word(words);
  if (integer == nullptr || type.kind != TypeInfo::Kind::kInt ||
      type.width_bits != integer->width_bits)
    return false;
  type.spelling = integer->spelling;
  return true;
}

}  // namespace

std::vector<std::string> source_parameter_words(const decoder::Module& module,
                                                std::string_view topic, std::string_view kernel) {
  const std::string mark = fmt::format("{}.{}.", topic, kernel);
  for (const auto& [id, text] : module.strings)
    if (text.starts_with(mark)) return split_words(std::string_view(text).substr(mark.size()));
  return {};
}

std::optional<TypeInfo> type_named(std::string_view words) {
  const std::size_t digits = std::min(words.find_first_of("123468"), words.size());
  const std::string_view name = words.substr(0, digits), count = words.substr(digits);
  static constexpr std::pair<std::string_view, std::uint32_t> kFloats[] = {
      {"half", 16}, {"float", 32}, {"double", 64}};
  const IntegerWord* const integer = integer_word(name);
  const auto real =
      std::ranges::find(kFloats, name, &std::pair<std::string_view, std::uint32_t>::first);
  if (integer == nullptr && real == std::end(kFloats)) return std::nullopt;
  TypeInfo type;
  type.kind = integer != nullptr ? TypeInfo::Kind::kInt : TypeInfo::Kind::kFloat;
  type.spelling = integer != nullptr ? integer->spelling : name;
  type.width_bits = integer != nullptr ? integer->width_bits : real->second;
  type.size_bytes = type.align_bytes = type.width_bits / 8;
  if (count.empty()) return type;
  static constexpr std::string_view kCounts[] = {"2", "3", "4", "8", "16"};
  if (std::ranges::find(kCounts, count) == std::end(kCounts)) return std::nullopt;
  TypeInfo vector;
  vector.kind = TypeInfo::Kind::kVector;
  vector.spelling = type.spelling + std::string(count);
  vector.count = std::stoul(std::string(count));
  vector.size_bytes = vector.align_bytes = type.size_bytes * (vector.count == 3 ? 4 : vector.count);
  vector.elements = {std::move(type)};
  return vector;
}

void follow_source(std::string_view words, TypeInfo& type) {
  if (type.kind != TypeInfo::Kind::kPointer) {
    follow_numbers(words, type);
    return;
  }
  if (!words.ends_with('*') || type.elements.empty()) return;
  words.remove_suffix(1);
  if (follow_numbers(trimmed(words), type.elements[0]))
    type.spelling = fmt::format("{} {}*", type.address_space, type.elements[0].spelling);
}

}  // namespace transpire::reflect
