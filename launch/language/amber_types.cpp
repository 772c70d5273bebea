#include "launch/language/amber_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <span>
#include <utility>

#include "launch/language/number.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

constexpr std::uint64_t kMostTypeBytes = std::uint64_t{1} << 24;
constexpr std::uint64_t kMostListedBytes = std::uint64_t{1} << 26;

constexpr std::pair<std::string_view, ScalarType> kScalars[] = {
    {"int8", ScalarType::kChar},     {"uint8", ScalarType::kUchar},
    {"int16", ScalarType::kShort},   {"uint16", ScalarType::kUshort},
    {"int32", ScalarType::kInt},     {"uint32", ScalarType::kUint},
    {"int64", ScalarType::kLong},    {"uint64", ScalarType::kUlong},
    {"float16", ScalarType::kHalf},  {"float", ScalarType::kFloat},
    {"double", ScalarType::kDouble}, {"float64", ScalarType::kDouble}};

std::uint64_t rounded(std::uint64_t bytes, std::uint64_t align) {
  return (bytes + align - 1) / align * align;
}

std::optional<ScalarType> scalar_named(std::string_view name) {
  for (const auto& [known, type] : kScalars)
    if (known == name) return type;
  return std::nullopt;
}

bool take_digit(std::string_view& text, unsigned& digit) {
  if (text.empty() || text[0] < '2' || text[0] > '4') return false;
  digit = static_cast<unsigned>(text[0] - '0');
  text.remove_prefix(1);
  return true;
}

/// Columns of numbers: a scalar has one column of one.
struct Numbers {
  ScalarType type = ScalarType::kUint;
  unsigned columns = 1, rows = 1;
};

/// "R32G32_SFLOAT": channels of one width, without packing.
std::optional<Numbers> format_named(std::string_view name) {
  const std::size_t end = name.find('_');
  if (end == name.npos) return std::nullopt;
  const std::string_view kind = name.substr(end + 1);
  std::string_view channels = name.substr(0, end);
  Numbers numbers;
  unsigned bits = 0;
  for (numbers.rows = 0; !channels.empty(); ++numbers.rows) {
    unsigned width = 0;
    const auto [stop, error] =
        std::from_chars(channels.data() + 1, channels.data() + channels.size(), width);
    const bool is_like = error == std::errc{} && (bits == 0 || bits == width) &&
                         std::string_view("RGBA").find(channels[0]) != std::string_view::npos;
    if (!is_like || numbers.rows == 4) return std::nullopt;
    bits = width;
    channels.remove_prefix(static_cast<std::size_t>(stop - channels.data()));
  }
  const bool is_signed = kind.starts_with('S') && kind != "SRGB";
  const std::string name_of_type = kind == "SFLOAT"
                                       ? (bits == 32 ? "float" : fmt::format("float{}", bits))
                                       : fmt::format("{}int{}", is_signed ? "" : "u", bits);
  const auto type = scalar_named(name_of_type);
  if (!type) return std::nullopt;
  numbers.type = *type;
  return numbers;
}

/// "float", "vec3<float>", "mat2x4<float>", "R32_UINT"
std::optional<Numbers> numbers_named(std::string_view name) {
  Numbers numbers;
  const std::size_t open = name.find('<');
  if (open != name.npos && name.ends_with('>')) {
    std::string_view shape = name.substr(0, open);
    const bool is_matrix = shape.starts_with("mat");
    if (!is_matrix && !shape.starts_with("vec")) return std::nullopt;
    shape.remove_prefix(3);
    if (is_matrix && (!take_digit(shape, numbers.columns) || !shape.starts_with('x')))
      return std::nullopt;
    if (is_matrix) shape.remove_prefix(1);
    if (!take_digit(shape, numbers.rows) || !shape.empty()) return std::nullopt;
    name = name.substr(open + 1, name.size() - open - 2);
  } else if (const auto format = format_named(name)) {
    return format;
  }
  const auto type = scalar_named(name);
  if (!type) return std::nullopt;
  numbers.type = *type;
  return numbers;
}

AmberType laid_out(const Numbers& numbers, bool is_std140, bool is_array) {
  const std::uint64_t each = size_bytes(numbers.type);
  const bool is_padded = numbers.rows == 3 || (is_std140 && (numbers.columns > 1 || is_array));
  const unsigned room = is_padded ? 4 : numbers.rows;
  AmberType type;
  for (unsigned column = 0; column < numbers.columns; ++column)
    for (unsigned row = 0; row < numbers.rows; ++row)
      type.slots.push_back({numbers.type, (column * room + row) * each});
  type.size_bytes = numbers.columns * room * each;
  type.align_bytes = room * each;
  type.components = numbers.rows;
  return type;
}

class TypeReader {
 public:
  TypeReader(bool is_std140, const AmberStructs& structs)
      : is_std140_(is_std140), structs_(structs) {}

  Result<AmberType> read(std::string_view name) {
    const std::size_t bracket = name.find('[');
    const bool is_array = bracket != name.npos && name.ends_with(']');
    const std::string_view element = is_array ? name.substr(0, bracket) : name;
    if (const auto numbers = numbers_named(element))
      return laid_out(*numbers, is_std140_, is_array);
    const auto known = structs_.find(element);
    if (known == structs_.end() || ++depth_ > kMaxLiteralDepth)
      return command_error(kBadLaunchFile, fmt::format("'{}' is no data type", name));
    auto type = read_struct(known->second);
    --depth_;
    return type;
  }

 private:
  Result<AmberType> read_struct(const AmberStruct& from) {
    AmberType type;
    std::uint64_t at = 0, most = 0;
    for (const AmberMember& member : from.members) {
      if (const Status added = add(member, type, at); !added) return added.errors();
      most = std::max(most, at);
    }
    at = most;
    if (type.slots.empty()) return command_error(kBadLaunchFile, "a struct has no members");
    if (is_std140_) type.align_bytes = rounded(type.align_bytes, 16);
    type.size_bytes = from.stride_bytes.value_or(rounded(at, type.align_bytes));
    const bool holds_all = std::ranges::all_of(type.slots, [&](const AmberType::Slot& slot) {
      return slot.offset_bytes + size_bytes(slot.type) <= type.size_bytes;
    });
    if (!holds_all || type.size_bytes < at || type.size_bytes > kMostTypeBytes)
      return command_error(kBadLaunchFile,
                           "the members of a struct have no room within its stride");
    return type;
  }

  /// Adds a member behind byte `at`, and moves `at` behind it.
  Status add(const AmberMember& member, AmberType& type, std::uint64_t& at) {
    std::uint64_t count = 1;
    const std::size_t bracket = member.type.find('[');
    const char* const end = member.type.data() + member.type.size();
    if (bracket != member.type.npos &&
        std::from_chars(member.type.data() + bracket + 1, end, count).ec != std::errc{})
      return command_error(kBadLaunchFile, "an array in a struct needs a length");
    auto part = read(member.type);
    if (!part) return part.errors();
    const std::uint64_t stride =
        member.array_stride.value_or(rounded(part->size_bytes, part->align_bytes));
    at = member.offset_bytes.value_or(rounded(at, part->align_bytes));
    if (count > kMostTypeBytes || at > kMostTypeBytes || stride > kMostTypeBytes ||
        at + count * stride > kMostTypeBytes || (count > 1 && stride == 0))
      return command_error(kBadLaunchFile, "a struct is too large");
    for (std::uint64_t i = 0; i < count; ++i)
      for (const AmberType::Slot& slot : part->slots)
        type.slots.push_back({slot.type, at + i * stride + slot.offset_bytes});
    type.align_bytes = std::max(type.align_bytes, part->align_bytes);
    // A number may stand behind a vector of three.
    const bool is_vector =
        bracket == member.type.npos && part->components == 3 && part->slots.size() == 3;
    at += count * stride - (is_vector ? part->size_bytes / 4 : 0);
    return Unit{};
  }

  bool is_std140_;
  const AmberStructs& structs_;
  std::size_t depth_ = 0;
};

/// The value as the bytes of all elements.
Result<ValueSpec> as_bytes(const AmberType& type, const std::vector<std::string>& numbers,
                           std::uint64_t count, bool is_filled) {
  if (count > kMostListedBytes / std::max<std::uint64_t>(type.size_bytes, 1))
    return command_error(kBadValue, "the buffer is too large");
  std::vector<std::byte> bytes(count * type.size_bytes);
  for (std::uint64_t i = 0; i < count * type.slots.size(); ++i) {
    const AmberType::Slot slot = type.slot(i);
    const auto bits = parse_number(numbers[is_filled ? 0 : i], slot.type, Signedness::kStated);
    if (!bits) return bits.errors();
    store_bits(std::span(bytes).subspan(slot.offset_bytes), slot.type, *bits);
  }
  std::string digits;
  for (const std::byte byte : bytes) digits += fmt::format("{:02x}", std::to_integer<int>(byte));
  ValueSpec value;
  value.maker = digits.empty() ? ValueSpec::Maker::kZero : ValueSpec::Maker::kHex;
  if (digits.empty()) value.count = 0;
  value.type = TypeWord{ScalarType::kUchar, 1};
  value.raw_bytes = value.any_type = true;
  if (!digits.empty()) value.literals = {{std::move(digits), {}, false}};
  return value;
}

}  // namespace

std::optional<TypeWord> AmberType::word() const {
  if (slots.empty()) return std::nullopt;
  const std::uint64_t each = launch::size_bytes(slots[0].type);
  const bool is_alike =
      std::ranges::all_of(slots, [&](const Slot& slot) { return slot.type == slots[0].type; });
  const bool is_dense = size_bytes == slots.size() * each;
  const bool is_three = slots.size() == 3 && components == 3 && size_bytes == 4 * each;
  if (!is_alike || (!is_dense && !is_three)) return std::nullopt;
  return TypeWord{slots[0].type, is_dense && components == 3 ? 1 : components};
}

AmberType::Slot AmberType::slot(std::uint64_t index) const {
  Slot found = slots[index % slots.size()];
  found.offset_bytes += index / slots.size() * size_bytes;
  return found;
}

Result<AmberType> amber_type(std::string_view name, bool is_std140, const AmberStructs& structs) {
  return TypeReader(is_std140, structs).read(name);
}

Result<std::string> amber_number(std::string_view word, ScalarType type) {
  if (is_float(type)) {
    // "0x10" is sixteen.
    std::uint64_t whole = 0;
    const bool is_hexadecimal = word.starts_with("0x");
    if (is_hexadecimal &&
        std::from_chars(word.data() + 2, word.data() + word.size(), whole, 16).ptr ==
            word.data() + word.size())
      return fmt::to_string(whole);
    const auto bits = parse_number(word, type, Signedness::kStated);
    if (!bits) return bits.errors();
    return std::string(word);
  }
  // "2.0" is two.
  const std::size_t point = std::min(word.find('.'), word.size());
  if (word.find_first_not_of("0", point + 1) == word.npos) word = word.substr(0, point);
  auto bits = parse_number(word, ScalarType::kLong, Signedness::kInferred);
  if (!bits) bits = parse_number(word, ScalarType::kUlong, Signedness::kInferred);
  if (!bits) return bits.errors();
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * size_bytes(type));
  return format_number(*bits & mask, type);
}

Result<ValueSpec> amber_value(const AmberType& type, const std::vector<std::string>& numbers,
                              std::optional<std::uint64_t> count) {
  if (type.slots.empty()) return command_error(kBadLaunchFile, "a buffer's type has no numbers");
  std::vector<std::string> words;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    auto word = amber_number(numbers[i], type.slot(i).type);
    if (!word) return word.errors();
    words.push_back(std::move(*word));
  }
  if (!count && words.size() % type.slots.size() != 0)
    return command_error(kBadValue, fmt::format("an element has {} numbers, {} are given",
                                                type.slots.size(), words.size()));
  const auto word = type.word();
  if (!word || words.empty())
    return as_bytes(type, words, count.value_or(words.size() / type.slots.size()),
                    count.has_value());
  ValueSpec value;
  value.type = *word;
  value.any_type = true;
  value.maker = count ? ValueSpec::Maker::kFill : ValueSpec::Maker::kData;
  if (count) value.count = *count * (type.slots.size() / word->components);
  for (std::string& each : words) value.literals.push_back({std::move(each), {}, false});
  return value;
}

}  // namespace transpire::launch
