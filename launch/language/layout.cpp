// Layout of values in memory: see the header.
#include "launch/language/layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

/// Name of the member in the source; empty if it has none.
std::string_view member_name(const TypeInfo& type, std::uint64_t index) {
  if (type.kind != TypeInfo::Kind::kStruct || index >= type.member_names.size()) return {};
  const std::string& name = type.member_names[index];
  const bool is_made = name.starts_with("member") && name == fmt::format("member{}", index);
  return is_made ? std::string_view{} : name;
}

/// The type of the number that the value is written as: a scalar's own, and an unsigned integer for a pointer's address.
std::optional<ScalarType> number_of(const TypeInfo& type) {
  if (type.kind != TypeInfo::Kind::kPointer) return scalar_of(type);
  if (type.size_bytes == 4) return ScalarType::kUint;
  return type.size_bytes == 8 ? std::optional(ScalarType::kUlong) : std::nullopt;
}

bool append_leaves(const TypeInfo& type, std::uint64_t offset, std::vector<Leaf>& leaves) {
  if (const auto scalar = number_of(type)) {
    leaves.push_back({offset, *scalar});
    return leaves.size() <= kMaxLeaves;
  }
  const std::uint64_t count = member_count(type);
  if (count == 0 || count > kMaxLeaves) return false;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Member m = member(type, i);
    if (m.type->is_padding) continue;
    if (!append_leaves(*m.type, offset + m.offset_bytes, leaves)) return false;
  }
  return true;
}

/// Reads literals by recursive descent.
class LiteralReader {
 public:
  explicit LiteralReader(std::string_view text) : text_(text) {}

  Result<std::vector<Literal>> list(char close) {
    std::vector<Literal> items;
    for (;;) {
      const std::size_t commas = skip_separators();
      const bool ends = at_ == text_.size();
      if (ends && close != 0) return error(fmt::format("'{}' is missing", close));
      const char c = ends ? ')' : text_[at_];
      const bool last = ends || c == ')' || c == '}';
      if (commas > (last || items.empty() ? 0U : 1U)) return error("an item is missing at a comma");
      if (ends) return items;
      if (last) {
        if (c != close) return error(fmt::format("'{}' was not expected", c));
        ++at_;
        return items;
      }
      std::string name;
      if (!take_name(name)) return error("a name or its value is missing beside '='");
      if (const char open = at_ < text_.size() ? text_[at_] : '\0'; open == '(' || open == '{') {
        ++at_;
        if (++depth_ > kMaxLiteralDepth) return error("brackets are nested too deeply");
        auto inner = list(open == '(' ? ')' : '}');
        --depth_;
        if (!inner) return inner.errors();
        items.push_back({{}, std::move(inner).value(), true, std::move(name)});
      } else {
        items.push_back({std::string(word()), {}, false, std::move(name)});
      }
    }
  }

 private:
  static constexpr std::string_view kSeparators = " \t,";

  /// Skips blanks and commas, and returns the number of commas.
  std::size_t skip_separators() {
    std::size_t commas = 0;
    for (; at_ < text_.size() && kSeparators.find(text_[at_]) != std::string_view::npos; ++at_)
      commas += text_[at_] == ',';
    return commas;
  }

  /// Takes `x =` off if the value begins so. False if the name or the value is missing.
  bool take_name(std::string& name) {
    const std::size_t start = at_;
    const std::string_view before = word();
    std::size_t next = std::min(text_.find_first_not_of(" \t", at_), text_.size());
    if (next == text_.size() || text_[next] != '=') {
      at_ = start;
      return true;
    }
    name = before.substr(before.starts_with('.') ? 1 : 0);
    next = std::min(text_.find_first_not_of(" \t", next + 1), text_.size());
    at_ = next;
    return !name.empty() && next < text_.size() &&
           std::string_view("=,)}").find(text_[next]) == std::string_view::npos;
  }

  std::string_view word() {
    const std::size_t end = std::min(text_.find_first_of(" \t,(){}=", at_), text_.size());
    const std::string_view word = text_.substr(at_, end - at_);
    at_ = end;
    return word;
  }

  Diagnostic error(std::string why) const {
    const bool is_long = text_.size() > 80;
    return command_error(kBadValue, fmt::format("{} in the value '{}{}'", why, text_.substr(0, 80),
                                                is_long ? "..." : ""));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

std::uint64_t member_count(const TypeInfo& type) {
  if (type.kind == TypeInfo::Kind::kStruct) return type.elements.size();
  const bool indexed = type.kind == TypeInfo::Kind::kVector || type.kind == TypeInfo::Kind::kArray;
  return indexed && !type.elements.empty() ? type.count : 0;
}

Member member(const TypeInfo& type, std::uint64_t index) {
  if (type.kind == TypeInfo::Kind::kStruct) {
    const std::uint64_t offset =
        index < type.member_offsets.size() ? type.member_offsets[index] : 0;
    return {&type.elements[index], offset, member_name(type, index)};
  }
  const bool is_array = type.kind == TypeInfo::Kind::kArray && type.count != 0;
  const std::uint64_t stride =
      is_array ? type.size_bytes / type.count : stride_bytes(type.elements[0]);
  return {type.elements.data(), index * stride};
}

std::optional<TypeWord> type_word(std::string_view name) {
  const std::size_t digits = name.find_first_of("0123456789");
  const auto scalar = scalar_type_named(name.substr(0, digits));
  if (!scalar) return std::nullopt;
  if (digits == std::string_view::npos) return TypeWord{*scalar, 1};
  for (const unsigned n : {2U, 3U, 4U, 8U, 16U})
    if (name.substr(digits) == fmt::to_string(n)) return TypeWord{*scalar, n};
  return std::nullopt;
}

std::string nearest_type(std::string_view name, std::vector<std::string> others) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  const std::string_view count = name.substr(digits);
  // A legal count at the end stays unchanged; otherwise the whole word is compared.
  const bool counted = !count.empty() && type_word(fmt::format("int{}", count));
  std::vector<std::string> words = std::move(others);
  for (const auto type :
       {ScalarType::kBool, ScalarType::kChar, ScalarType::kUchar, ScalarType::kShort,
        ScalarType::kUshort, ScalarType::kInt, ScalarType::kUint, ScalarType::kLong,
        ScalarType::kUlong, ScalarType::kHalf, ScalarType::kFloat, ScalarType::kDouble})
    words.push_back(fmt::format("{}{}", name_of(type), counted ? count : ""));
  return nearest(name, words);
}

std::string type_hint(std::string_view name) {
  const std::string near = nearest_type(name);
  if (!near.empty()) return fmt::format("did you mean '{}'?", near);
  return "types are bool, char, uchar, short, ushort, int, uint, long, ulong, half, float and "
         "double, "
         "with 2, 3, 4, 8 or 16 behind it for vectors";
}

TypeInfo type_of(const TypeWord& word) {
  TypeInfo scalar;
  scalar.kind = is_float(word.scalar)              ? TypeInfo::Kind::kFloat
                : word.scalar == ScalarType::kBool ? TypeInfo::Kind::kBool
                                                   : TypeInfo::Kind::kInt;
  scalar.spelling = name_of(word.scalar);
  scalar.size_bytes = size_bytes(word.scalar);
  scalar.align_bytes = scalar.size_bytes;
  scalar.width_bits = word.scalar == ScalarType::kBool ? 1 : 8 * size_bytes(word.scalar);
  if (word.components == 1) return scalar;
  TypeInfo vector;
  vector.kind = TypeInfo::Kind::kVector;
  vector.spelling = fmt::format("{}{}", scalar.spelling, word.components);
  vector.count = word.components;
  vector.size_bytes = scalar.size_bytes * (word.components == 3 ? 4 : word.components);
  vector.align_bytes = vector.size_bytes;
  vector.elements = {std::move(scalar)};
  return vector;
}

const TypeInfo& byte_type() {
  static const TypeInfo type = type_of({ScalarType::kUchar, 1});
  return type;
}

Result<std::vector<Literal>> parse_literals(std::string_view text) {
  auto literals = LiteralReader(text).list(0);
  if (!literals) return literals;
  for (const Literal& literal : *literals)
    if (!literal.name.empty())
      return command_error(kBadValue,
                           fmt::format("the name '{}' is of no struct's member", literal.name),
                           "members stand in braces: '{x=1, y=2}'");
  return literals;
}

std::optional<ScalarType> scalar_of(const TypeInfo& type) {
  if (type.kind == TypeInfo::Kind::kBool) return ScalarType::kBool;
  if (type.kind == TypeInfo::Kind::kFloat) {
    if (type.width_bits == 16) return ScalarType::kHalf;
    return type.width_bits == 64 ? ScalarType::kDouble : ScalarType::kFloat;
  }
  if (type.kind != TypeInfo::Kind::kInt) return std::nullopt;
  const bool is_unsigned = type.spelling.starts_with('u') || type.spelling.starts_with("size_t");
  switch (type.width_bits) {
    case 8:
      return is_unsigned ? ScalarType::kUchar : ScalarType::kChar;
    case 16:
      return is_unsigned ? ScalarType::kUshort : ScalarType::kShort;
    case 32:
      return is_unsigned ? ScalarType::kUint : ScalarType::kInt;
    case 64:
      return is_unsigned ? ScalarType::kUlong : ScalarType::kLong;
    default:
      return std::nullopt;
  }
}

std::vector<Leaf> leaves_of(const TypeInfo& type) {
  std::vector<Leaf> leaves;
  if (!append_leaves(type, 0, leaves)) leaves.clear();
  return leaves;
}

namespace {

std::string written_as(const TypeInfo& type, std::uint64_t count) {
  return fmt::format("write it as {}", count > 64 ? "(...)" : zero_literal(type));
}

/// The item for each member, by names.
Result<std::vector<const Literal*>> named_items(const TypeInfo& type, const Literal& literal,
                                                std::uint64_t count) {
  std::vector<const Literal*> items(count, nullptr);
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i < count; ++i)
    if (const std::string_view name = member_name(type, i);
        !name.empty() && !member(type, i).type->is_padding)
      names.emplace_back(name);
  for (const Literal& item : literal.items) {
    if (item.name.empty())
      return command_error(kBadValue, "either all members have their names or none has",
                           written_as(type, count));
    std::uint64_t i = 0;
    while (i < count && (member_name(type, i) != item.name || member(type, i).type->is_padding))
      ++i;
    if (i == count)
      return command_error(kBadValue,
                           fmt::format("{} has no member '{}'", text_of(type), item.name),
                           names.empty() ? "the module does not say how its members are called"
                                         : suggestion(item.name, names, "members"));
    if (items[i] != nullptr)
      return command_error(kBadValue, fmt::format("member '{}' is given twice", item.name));
    items[i] = &item;
  }
  for (std::uint64_t i = 0; i < count; ++i)
    if (items[i] == nullptr && !member(type, i).type->is_padding)
      return command_error(
          kBadValue,
          fmt::format("member '{}' of {} is missing", type.member_names[i], text_of(type)),
          written_as(type, count));
  return items;
}

/// The item of a list for each member; null for padding members.
Result<std::vector<const Literal*>> items_of(const TypeInfo& type, const Literal& literal,
                                             std::uint64_t count) {
  const bool named = literal.is_list && std::ranges::any_of(literal.items, [](const Literal& item) {
                       return !item.name.empty();
                     });
  if (named && type.kind == TypeInfo::Kind::kStruct) return named_items(type, literal, count);
  if (named)
    return command_error(kBadValue, fmt::format("{} has no members with names", text_of(type)),
                         written_as(type, count));
  std::uint64_t asked = count;
  for (std::uint64_t i = 0; i < count && type.kind == TypeInfo::Kind::kStruct; ++i)
    asked -= member(type, i).type->is_padding ? 1 : 0;
  // The list may give padding members, too, because the module may not tell which ones the source has.
  const bool all = literal.is_list && literal.items.size() == count;
  if (!all && (!literal.is_list || literal.items.size() != asked))
    return command_error(
        kBadValue,
        fmt::format("{} has {} members, {} given", text_of(type), asked,
                    literal.is_list ? fmt::to_string(literal.items.size()) : "one number is"),
        written_as(type, count));
  std::vector<const Literal*> items(count, nullptr);
  std::size_t next = 0;
  for (std::uint64_t i = 0; i < count; ++i)
    if (all || !member(type, i).type->is_padding) items[i] = &literal.items[next++];
  return items;
}

}  // namespace

std::string leaf_path(const TypeInfo& type, std::size_t leaf) {
  if (number_of(type)) return {};
  const std::uint64_t count = member_count(type);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto [of, offset, name] = member(type, i);
    const TypeInfo& inner = *of;
    if (inner.is_padding) continue;
    const std::size_t size = number_of(inner) ? 1 : leaves_of(inner).size();
    if (leaf >= size) {
      leaf -= size;
      continue;
    }
    const std::string here = type.kind == TypeInfo::Kind::kArray ? fmt::format("[{}]", i)
                             : name.empty()                      ? fmt::format(".{}", i)
                                                                 : fmt::format(".{}", name);
    return here + leaf_path(inner, leaf);
  }
  return {};
}

Status store_literal(const TypeInfo& type, const Literal& literal, Signedness signedness,
                     std::span<std::byte> bytes) {
  if (const auto scalar = number_of(type)) {
    if (literal.is_list && literal.items.size() != 1)
      return command_error(kBadValue, fmt::format("a list of {} was given where one {} is expected",
                                                  literal.items.size(), text_of(type)));
    const Literal& one = literal.is_list ? literal.items[0] : literal;
    if (!one.name.empty() && literal.is_list)
      return command_error(kBadValue,
                           fmt::format("{} has no member '{}'", text_of(type), one.name));
    const auto bits = parse_number(one.number, *scalar, signedness);
    if (!bits) return bits.errors();
    store_bits(bytes, *scalar, *bits);
    return Unit{};
  }
  const std::uint64_t count = member_count(type);
  if (count == 0)
    return command_error(kBadValue, fmt::format("a {} cannot be written as numbers", text_of(type)),
                         "give its bytes: 'bytes:hex:...' or 'bytes:file:...'");
  const auto items = items_of(type, literal, count);
  if (!items) return items.errors();
  for (std::uint64_t i = 0; i < count; ++i) {
    const Member m = member(type, i);
    if ((*items)[i] == nullptr) continue;
    const auto stored =
        store_literal(*m.type, *(*items)[i], signedness, bytes.subspan(m.offset_bytes));
    if (!stored) return stored.errors();
  }
  return Unit{};
}

std::string format_value(const TypeInfo& type, std::span<const std::byte> bytes,
                         NumberStyle style) {
  if (const auto scalar = number_of(type)) {
    const std::uint64_t bits = load_bits(bytes, *scalar);
    const bool is_address = type.kind == TypeInfo::Kind::kPointer;
    return is_address || style == NumberStyle::kHexadecimal ? format_bits(bits, *scalar)
                                                            : format_number(bits, *scalar);
  }
  std::string text;
  const std::uint64_t count = member_count(type);
  if (count == 0) {
    for (const std::byte b : bytes.first(type.size_bytes))
      text += fmt::format("{:02x}", std::to_integer<unsigned>(b));
    return text;
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const Member m = member(type, i);
    if (m.type->is_padding) continue;
    if (!text.empty()) text += ", ";
    if (!m.name.empty()) text += fmt::format("{}=", m.name);
    text += format_value(*m.type, bytes.subspan(m.offset_bytes), style);
  }
  return type.kind == TypeInfo::Kind::kVector ? "(" + text + ")" : "{" + text + "}";
}

std::string zero_literal(const TypeInfo& type) {
  const std::uint64_t count = member_count(type);
  if (count == 0) return "0";
  std::string text;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Member m = member(type, i);
    if (m.type->is_padding) continue;
    text += fmt::format("{}{}{}{}", text.empty() ? "" : ", ", m.name, m.name.empty() ? "" : "=",
                        zero_literal(*m.type));
  }
  return type.kind == TypeInfo::Kind::kVector ? "(" + text + ")" : "{ " + text + " }";
}

std::string text_of(const TypeInfo& type) {
  return type.spelling.empty() ? "value of unknown type" : type.spelling;
}

std::uint64_t stride_bytes(const TypeInfo& type) {
  const std::uint64_t align = std::max<std::uint64_t>(type.align_bytes, 1);
  return std::max<std::uint64_t>((type.size_bytes + align - 1) / align * align, 1);
}

}  // namespace transpire::launch
