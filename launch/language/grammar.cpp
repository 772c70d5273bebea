// Small pieces of the launch language: sizes, slices, tolerances, arguments. See the header.
#include "launch/language/grammar.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "launch/language/image_argument.h"
#include "launch/language/pipe_argument.h"
#include "launch/language/queue_argument.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

Diagnostic syntax(const std::string& message, std::string help = {}) {
  return command_error(kBadLaunchFile, message, std::move(help));
}

/// Takes a number off the front of `text`.
bool take_real(std::string_view& text, double& value) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !(value >= 0)) return false;
  text = trimmed(text.substr(static_cast<std::size_t>(stop - text.data())));
  return true;
}

struct NamedFactor {
  std::string_view word;
  double factor;
};

bool unit_factor(std::string_view word, std::span<const NamedFactor> units, double& factor) {
  for (const NamedFactor& unit : units) {
    if (unit.word != word) continue;
    factor = unit.factor;
    return true;
  }
  return false;
}

/// Reads an escape sequence whose backslash is at `at`; moves `at` behind it.
bool take_escape(std::string_view text, std::size_t& at, std::string& out) {
  const char c = text[at++];
  switch (c) {
    case 'n':
      out += '\n';
      return true;
    case 't':
      out += '\t';
      return true;
    case 'r':
      out += '\r';
      return true;
    case '0':
      out += '\0';
      return true;
    case '\\':
    case '"':
      out += c;
      return true;
    case 'x': {
      unsigned value = 0;
      const char* const end = text.data() + std::min(text.size(), at + 2);
      const auto [stop, error] = std::from_chars(text.data() + at, end, value, 16);
      if (error != std::errc{}) return false;
      at = static_cast<std::size_t>(stop - text.data());
      out += static_cast<char>(value);
      return true;
    }
    default:
      return false;
  }
}

/// `offset BYTES`, `size BYTES`, `readonly` or `writeonly` after the name of a buffer.
Status read_buffer_word(BufferReference& buffer, std::string_view word, std::string_view& text) {
  if (word == "readonly" || word == "writeonly") {
    (word == "readonly" ? buffer.read_only : buffer.write_only) = true;
    return Unit{};
  }
  if (word != "offset" && word != "size")
    return syntax(fmt::format("'{}' was not expected after 'buffer {}'", word, buffer.name),
                  "only 'offset BYTES', 'size BYTES', 'readonly' and 'writeonly' may follow");
  const auto bytes = parse_bytes(take_word(text));
  if (!bytes) return bytes.errors();
  if (word == "size")
    buffer.size_bytes = *bytes;
  else
    buffer.offset_bytes = *bytes;
  return Unit{};
}

/// `buffer NAME [offset BYTES] [size BYTES] [readonly|writeonly]` after its keyword.
Status read_buffer_reference(ArgumentSpec& argument, std::string_view text) {
  argument.kind = ArgumentSpec::Kind::kBuffer;
  BufferReference& buffer = argument.buffer;
  buffer.name = take_word(text);
  if (buffer.name.empty()) return syntax("the name of a buffer is missing after 'buffer'");
  while (!text.empty())
    if (Status read = read_buffer_word(buffer, take_word(text), text); !read) return read;
  return check_reference(buffer);
}

/// `shared ADDRESS` or `shared NAME [offset BYTES]` after its keyword.
Status read_shared_argument(ArgumentSpec& argument, std::string_view text) {
  argument.kind = ArgumentSpec::Kind::kShared;
  const std::string_view word = take_word(text);
  auto shared = parse_shared(word);
  if (!shared) return shared.errors();
  argument.shared = std::move(shared).value();
  if (text.empty()) return Unit{};
  std::string_view rest = text;
  if (argument.shared.name.empty() || take_word(rest) != "offset") return behind_shared(text, word);
  const auto offset = parse_bytes(rest);
  if (!offset) return offset.errors();
  argument.shared.offset_bytes = *offset;
  return Unit{};
}

/// Takes `word` off the front when a blank or colon follows it.
bool take_keyword(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word) || text.size() == word.size()) return false;
  const char after = text[word.size()];
  if (after != ':' && after != ' ' && after != '\t' && after != '{') return false;
  text = trimmed(text.substr(word.size() + (after == ':' ? 1 : 0)));
  return true;
}

}  // namespace

Result<SharedReference> parse_shared(std::string_view word) {
  SharedReference shared;
  if (word.empty()) return syntax("an address or a name is missing after 'shared'");
  if (word[0] < '0' || word[0] > '9') {
    shared.name = word;
    return shared;
  }
  const auto address = parse_count(word, "address");
  if (!address) return address.errors();
  shared.address = *address;
  return shared;
}

Diagnostic behind_shared(std::string_view found, std::string_view word) {
  return syntax(fmt::format("'{}' was not expected after 'shared {}'", found, word),
                "write 'shared 0x200000000080', or 'shared NAME offset BYTES'");
}

Status check_reference(const BufferReference& buffer) {
  if (buffer.read_only && buffer.write_only)
    return command_error(kBadValue, "a buffer is either read-only or write-only");
  if ((buffer.read_only || buffer.write_only) && !buffer.size_bytes)
    return syntax(
        fmt::format("'{}' needs a 'size' here", buffer.read_only ? "readonly" : "writeonly"),
        fmt::format("a slice of 'buffer {}' may be so; the buffer itself says it where it "
                    "is declared",
                    buffer.name));
  return Unit{};
}

std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

std::size_t find_outside(std::string_view text, std::string_view signs) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
    if (!quoted && depth <= 0 && signs.find(c) != std::string_view::npos) return i;
  }
  return std::string_view::npos;
}

bool split_at_equals(std::string_view text, std::string_view& left, std::string_view& right) {
  const std::size_t at = find_outside(text, "=");
  if (at == std::string_view::npos) return false;
  left = trimmed(text.substr(0, at));
  right = trimmed(text.substr(at + 1));
  return true;
}

Result<std::string> unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.size() < 2 || text.front() != '"' || text.back() != '"')
    return syntax(fmt::format("a string in double quotes is expected, found '{}'", text));
  text = text.substr(1, text.size() - 2);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '"') return syntax("a double quote inside the string needs a backslash");
    if (text[i] != '\\') {
      out += text[i++];
      continue;
    }
    if (++i == text.size() || !take_escape(text, i, out))
      return syntax("the string has an unknown escape",
                    "known are \\n \\t \\r \\0 \\\\ \\\" and \\xHH");
  }
  return out;
}

Result<std::string> parse_name(std::string_view text) {
  if (text.starts_with('"')) return unquoted(text);
  return std::string(text);
}

namespace {

/// "4x4" and "4*4" give "4,4"; other words give an empty text.
std::string sizes_with_commas(std::string_view text) {
  std::string sizes;
  bool digit_before = false, any = false;
  for (const char c : trimmed(text)) {
    const bool is_digit = c >= '0' && c <= '9';
    const bool is_sign = c == 'x' || c == 'X' || c == '*' || c == ' ';
    if (!is_digit && !(is_sign && digit_before)) return {};
    any |= is_sign;
    digit_before = is_digit;
    sizes += is_sign ? ',' : c;
  }
  // "0x40" is a number.
  return any && digit_before && !sizes.starts_with("0,") ? sizes : std::string();
}

}  // namespace

Result<SizeList> parse_sizes(std::string_view text) {
  SizeList sizes;
  if (const std::string meant = sizes_with_commas(text); !meant.empty())
    return command_error(kBadValue, fmt::format("'{}' is no size", trimmed(text)),
                         fmt::format("sizes have commas between them: '{}'", meant));
  while (!trimmed(text).empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    if (sizes.dimensions == 3) return syntax("at most three sizes are allowed");
    const auto size = parse_count(trimmed(text.substr(0, comma)), "size");
    if (!size) return size.errors();
    sizes.size[sizes.dimensions++] = *size;
    const bool more = comma < text.size();
    text = more ? text.substr(comma + 1) : std::string_view{};
    if (more && trimmed(text).empty()) return syntax("a size is missing after the comma");
  }
  if (sizes.dimensions == 0) return syntax("one to three sizes are expected, separated by commas");
  return sizes;
}

Result<SizeList> parse_local_sizes(std::string_view text) {
  if (text == "auto") return SizeList{};
  return parse_sizes(text);
}

namespace {

/// "y[0:3]", "y[0-3]" and "y[0,3]" give "y[0..3]"; other ranges give an empty text.
std::string range_with_dots(std::string_view name, std::string_view range) {
  const std::size_t sign = range.find_first_of(":-,");
  if (sign == range.npos || sign != range.find_last_of(":-,")) return {};
  const std::string_view first = trimmed(range.substr(0, sign));
  const std::string_view last = trimmed(range.substr(sign + 1));
  const auto is_number = [](std::string_view digits) {
    return digits.find_first_not_of("0123456789") == digits.npos;
  };
  if (!is_number(first) || !is_number(last)) return {};
  return fmt::format("{}[{}..{}]", name, first.empty() ? "0" : first, last);
}

}  // namespace

Result<BufferSlice> parse_slice(std::string_view text) {
  text = trimmed(text);
  BufferSlice slice;
  // Behind that of an element of descriptors, "textures[2][0..7]", which may have a member, "buffers[2].count".
  const std::size_t end = text.rfind(']');
  const bool is_member = end != text.npos && text.substr(end + 1).starts_with('.');
  const std::size_t bracket = is_member ? text.npos : text.rfind('[');
  slice.name = trimmed(text.substr(0, bracket));
  if (slice.name.empty() || slice.name.find_first_of(" \t") != std::string::npos)
    return syntax(fmt::format("'{}' is not the name of a buffer", text),
                  "write 'y', 'y[3]', 'y[0..7]' or 'y[4..]'");
  if (bracket == std::string_view::npos) return slice;
  if (text.back() != ']') return syntax(fmt::format("']' is missing in '{}'", text));
  const std::string_view range = text.substr(bracket + 1, text.size() - bracket - 2);
  slice.all = false;
  if (const std::string meant = range_with_dots(slice.name, range); !meant.empty())
    return syntax(fmt::format("'{}' is no range of elements", range),
                  fmt::format("write '{}', which has both ends", meant));
  const std::size_t dots = range.find("..");
  const auto first = parse_count(trimmed(range.substr(0, dots)), "index");
  if (!first) return first.errors();
  slice.first = *first;
  slice.last = *first;
  if (dots == std::string_view::npos) return slice;
  slice.last.reset();
  if (const std::string_view end = trimmed(range.substr(dots + 2)); !end.empty()) {
    const auto last = parse_count(end, "index");
    if (!last) return last.errors();
    slice.last = *last;
    if (*last < *first)
      return syntax(fmt::format("the range '{}' ends before it begins", range),
                    "both ends are included");
  }
  return slice;
}

std::optional<BufferSlice> slice_as_name(const BufferSlice& slice) {
  if (slice.all || slice.last != slice.first) return std::nullopt;
  BufferSlice whole;
  whole.name = fmt::format("{}[{}]", slice.name, slice.first);
  return whole;
}

Result<Tolerance> parse_tolerance(std::string_view text) {
  using Kind = Tolerance::Kind;
  Tolerance tolerance;
  std::string_view unit = trimmed(text);
  if (unit.starts_with("spec")) {
    const std::string_view profile = trimmed(unit.substr(4));
    if (profile == "full" || profile == "embedded") {
      tolerance.kind = Kind::kSpec;
      tolerance.profile = profile == "full" ? Profile::kFull : Profile::kEmbedded;
      return tolerance;
    }
  }
  if (take_real(unit, tolerance.amount)) {
    if (unit.empty())
      tolerance.kind = Kind::kAbsolute;
    else if (unit == "rel")
      tolerance.kind = Kind::kRelative;
    else if (unit == "ulp")
      tolerance.kind = Kind::kUlp;
  }
  if (tolerance.kind == Kind::kExact)
    return syntax(fmt::format("'{}' is not a tolerance", trimmed(text)),
                  "write '1e-5', '1e-5rel', '4ulp', 'spec full' or 'spec embedded'; of images and "
                  "vectors also one for each channel, as in '(1, 1, 1, 0)'");
  return tolerance;
}

Result<std::vector<Tolerance>> parse_tolerances(std::string_view text) {
  text = trimmed(text);
  std::vector<Tolerance> tolerances;
  const bool is_list = text.starts_with('(');
  if (is_list && !text.ends_with(')')) return syntax(fmt::format("')' is missing in '{}'", text));
  if (is_list) text = text.substr(1, text.size() - 2);
  for (bool more = true; more;) {
    const std::size_t comma = is_list ? text.find(',') : text.npos;
    const auto tolerance = parse_tolerance(text.substr(0, comma));
    if (!tolerance) return tolerance.errors();
    tolerances.push_back(*tolerance);
    more = comma != text.npos;
    if (more) text = text.substr(comma + 1);
  }
  return tolerances;
}

namespace {

Status read_local_argument(ArgumentSpec& argument, std::string_view text) {
  const auto bytes = parse_bytes(text);
  if (!bytes) return bytes.errors();
  argument.kind = ArgumentSpec::Kind::kLocal;
  argument.local_bytes = *bytes;
  return Unit{};
}

/// First word of an argument, and the function that reads the rest.
struct ArgumentWord {
  std::string_view word;
  Status (*read)(ArgumentSpec&, std::string_view);
};

constexpr ArgumentWord kArgumentWords[] = {
    {"local", read_local_argument},     {"buffer", read_buffer_reference},
    {"shared", read_shared_argument},   {"image", read_image_argument},
    {"sampler", read_sampler_argument}, {"pipe", read_pipe_argument},
    {"queue", read_queue_argument}};

}  // namespace

Result<ArgumentSpec> parse_argument(std::string_view target, std::string_view value) {
  ArgumentSpec argument;
  argument.target = trimmed(target);
  value = trimmed(value);
  if (argument.target.empty()) return syntax("an argument needs a name or an index before '='");
  if (value.empty())
    return syntax(fmt::format("the value of argument '{}' is missing", argument.target));
  if (value == "null" || value == "queue") {
    argument.kind = value == "null" ? ArgumentSpec::Kind::kNull : ArgumentSpec::Kind::kQueue;
    return argument;
  }
  for (const ArgumentWord& known : kArgumentWords) {
    if (!take_keyword(value, known.word)) continue;
    const Status read = known.read(argument, value);
    if (!read) return read.errors();
    return argument;
  }
  take_keyword(value, "struct");
  auto spec = parse_value_spec(value);
  if (!spec) return spec.errors();
  argument.value = std::move(spec).value();
  return argument;
}

std::optional<BufferSpec> declared_by(ArgumentSpec argument) {
  BufferSpec spec;
  switch (argument.kind) {
    case ArgumentSpec::Kind::kBuffer:
      if (!argument.buffer.size_bytes) return std::nullopt;
      spec.kind = BufferSpec::Kind::kSlice;
      spec.slice = std::move(argument.buffer);
      break;
    case ArgumentSpec::Kind::kValue:
      break;
    case ArgumentSpec::Kind::kImage:
      spec.kind = BufferSpec::Kind::kImage;
      spec.image = std::move(argument.image);
      break;
    case ArgumentSpec::Kind::kPipe:
      spec.kind = BufferSpec::Kind::kPipe;
      spec.pipe = argument.pipe;
      break;
    default:
      return std::nullopt;
  }
  spec.name = std::move(argument.target);
  spec.value = std::move(argument.value);
  return spec;
}

Result<BufferSpec> parse_buffer(std::string_view name, std::string_view value) {
  if (name.empty()) return syntax("the name of the buffer is missing");
  auto argument = parse_argument(name, value);
  if (!argument) return argument.errors();
  const bool is_whole = argument->kind == ArgumentSpec::Kind::kBuffer;
  auto spec = declared_by(std::move(argument).value());
  if (spec) return std::move(*spec);
  return syntax(fmt::format("buffer '{}' needs contents, not '{}'", name, value),
                is_whole ? "a slice of a buffer needs a 'size'" : "");
}

Result<ValueSpec> parse_variable(std::string_view value) {
  value = trimmed(value);
  std::string_view rest = value;
  if (value.starts_with("struct{"))
    value.remove_prefix(6);
  else if (take_word(rest) == "struct")
    value = rest;
  return parse_value_spec(value);
}

Result<std::uint64_t> parse_columns(std::string_view text) {
  auto columns = parse_count(text, "number of columns");
  if (columns && *columns == 0) return command_error(kBadValue, "a row has at least one column");
  return columns;
}

Result<TypeWord> parse_type(std::string_view text) {
  if (const auto type = type_word(text)) return *type;
  return command_error(kBadValue, fmt::format("'{}' is no type", text), type_hint(text));
}

Result<double> parse_seconds(std::string_view text) {
  static constexpr std::array kUnits{NamedFactor{"", 1}, NamedFactor{"s", 1},
                                     NamedFactor{"ms", 1e-3}, NamedFactor{"min", 60}};
  double value = 0;
  double factor = 0;
  std::string_view unit = trimmed(text);
  if (!take_real(unit, value) || !unit_factor(unit, kUnits, factor) ||
      !std::isfinite(value * factor))
    return command_error(kBadValue, fmt::format("'{}' is not a time", text),
                         "write '10', '1.5s', '500ms' or '2min'");
  return value * factor;
}

Result<std::uint64_t> parse_bytes(std::string_view text) {
  static constexpr std::array kUnits{NamedFactor{"KiB", 0x1p10}, NamedFactor{"MiB", 0x1p20},
                                     NamedFactor{"GiB", 0x1p30}};
  text = trimmed(text);
  double factor = 1;
  const std::size_t unit = text.find_first_of("KMG");
  if (unit != std::string_view::npos && unit_factor(text.substr(unit), kUnits, factor))
    text = trimmed(text.substr(0, unit));
  auto count = parse_count(text, "number of bytes");
  if (!count) {
    Diagnostic error = count.errors()[0];
    error.help = "write '4096', '4KiB', '512MiB' or '2GiB'";
    return error;
  }
  const auto scale = static_cast<std::uint64_t>(factor);
  if (*count > ~std::uint64_t{0} / scale)
    return command_error(kBadValue, fmt::format("'{}' is too large", text));
  return *count * scale;
}

}  // namespace transpire::launch
