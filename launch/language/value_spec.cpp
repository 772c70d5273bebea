// Reads value specs: see the header.
#include "launch/language/value_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "launch/language/number.h"
#include "launch/report/diagnose.h"
#include "launch/report/text.h"

namespace transpire::launch {
namespace {

using Maker = ValueSpec::Maker;

struct MakerRow {
  Maker maker;
  std::string_view word;
  std::string_view parameters;
};

constexpr std::array kMakers{
    MakerRow{Maker::kZero, "zero", "N"},
    MakerRow{Maker::kFill, "fill", "VALUE:N"},
    MakerRow{Maker::kRange, "range", "START:STEP:N"},
    MakerRow{Maker::kRandom, "random", "SEED:LOW:HIGH:N"},
    MakerRow{Maker::kData, "data", "1,2,3"},
    MakerRow{Maker::kHex, "hex", "0x7fc00001,..."},
    MakerRow{Maker::kFile, "file", "NAME"},
    MakerRow{Maker::kNpy, "npy", "NAME [as TYPE]"},
    MakerRow{Maker::kUninit, "uninit", "N"},
};

const MakerRow* maker_named(std::string_view word) {
  const auto found = std::find_if(kMakers.begin(), kMakers.end(),
                                  [&](const MakerRow& row) { return row.word == word; });
  return found == kMakers.end() ? nullptr : &*found;
}

/// Splits at colons outside brackets.
std::vector<std::string_view> split_at_colons(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ':';
    depth += (c == '(' || c == '{') - (c == ')' || c == '}');
    if (c != ':' || (depth > 0 && i < text.size())) continue;
    parts.push_back(trimmed(text.substr(start, i - start)));
    start = i + 1;
  }
  return parts;
}

Diagnostic bad_form(std::string_view text, const MakerRow& row) {
  return command_error(kBadValue, fmt::format("the value '{}' is not of the form '{}:{}'", text,
                                              row.word, row.parameters));
}

/// Reads the parameters of zero, fill, range, random and uninit; N may be left out.
Status read_parameters(ValueSpec& spec, std::string_view text, const MakerRow& row) {
  const auto parts = text.empty() ? std::vector<std::string_view>{} : split_at_colons(text);
  const std::size_t needed =
      static_cast<std::size_t>(std::count(row.parameters.begin(), row.parameters.end(), ':'));
  if (parts.size() != needed && parts.size() != needed + 1) return bad_form(text, row);
  std::size_t next = 0;
  if (spec.maker == Maker::kRandom) {
    const auto seed = parse_count(parts[next++], "seed");
    if (!seed) return seed.errors();
    spec.seed = *seed;
  }
  for (; next < needed; ++next) {
    auto literal = parse_literals(parts[next]);
    if (!literal) return literal.errors();
    if (literal->size() != 1) return bad_form(text, row);
    spec.literals.push_back(std::move((*literal)[0]));
  }
  if (parts.size() == needed) return Unit{};
  const auto count = parse_count(parts[needed], "number of elements");
  if (!count) return count.errors();
  spec.count = *count;
  return Unit{};
}

/// Reads " as float" behind a file's name.
Status read_conversion(ValueSpec& spec) {
  constexpr std::string_view kAs = " as ";
  const std::size_t at = spec.file.rfind(kAs);
  if (at == std::string::npos) return Unit{};
  const std::string_view word = trimmed(std::string_view(spec.file).substr(at + kAs.size()));
  // Names of files may have blanks.
  if (word.find_first_of(" ./") != std::string_view::npos) return Unit{};
  spec.converted_to = type_word(word);
  if (!spec.converted_to)
    return command_error(kBadValue, fmt::format("'{}' is no type", word), type_hint(word));
  spec.file = trimmed(std::string_view(spec.file).substr(0, at));
  return Unit{};
}

Status read_maker(ValueSpec& spec, std::string_view text, const MakerRow& row) {
  spec.maker = row.maker;
  switch (row.maker) {
    case Maker::kFile:
    case Maker::kNpy:
      spec.file = text;
      if (text.empty()) return bad_form(text, row);
      return row.maker == Maker::kNpy ? read_conversion(spec) : Status(Unit{});
    case Maker::kHex:
      if (spec.raw_bytes) {
        spec.literals.push_back({std::string(text), {}, false});
        return Unit{};
      }
      [[fallthrough]];
    case Maker::kData: {
      auto literals = parse_literals(text);
      if (!literals) return literals.errors();
      spec.literals = std::move(literals).value();
      return Unit{};
    }
    default:
      return read_parameters(spec, text, row);
  }
}

/// "uint:zero:4" gives "uint" and leaves "zero:4"; empty when the text has no colon.
std::string_view take_before_colon(std::string_view& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view word = trimmed(text.substr(0, colon));
  text = trimmed(text.substr(colon + 1));
  return word;
}

Status read_type(ValueSpec& spec, std::string_view& text) {
  std::string_view rest = text;
  const std::string_view word = take_before_colon(rest);
  if (word.empty() || maker_named(word) != nullptr) return Unit{};
  spec.raw_bytes = word == "bytes";
  spec.type = spec.raw_bytes ? TypeWord{ScalarType::kUchar, 1} : type_word(word);
  if (!spec.type) {
    std::vector<std::string> kinds{"bytes", "local", "buffer"};
    for (const MakerRow& row : kMakers) kinds.emplace_back(row.word);
    const std::string near = nearest_type(word, std::move(kinds));
    return command_error(kBadValue, fmt::format("'{}' is neither a type nor a kind of value", word),
                         near.empty() ? "types are int, float4 and the like; kinds are zero, fill, "
                                        "range, random, data, hex, file, npy and uninit"
                                      : fmt::format("did you mean '{}'?", near));
  }
  text = rest;
  return Unit{};
}

bool take_suffix(std::string_view& text, std::string_view suffix, bool& found) {
  if (!text.ends_with(suffix)) return false;
  found = true;
  text = trimmed(text.substr(0, text.size() - suffix.size()));
  return true;
}

/// "0..63"
Result<ByteRange> read_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  const auto first = parse_count(trimmed(text.substr(0, dots)), "byte");
  if (!first) return first.errors();
  if (dots == std::string_view::npos) return ByteRange{*first, *first};
  const auto last = parse_count(trimmed(text.substr(dots + 2)), "byte");
  if (!last) return last.errors();
  if (*last < *first)
    return command_error(kBadValue, fmt::format("the bytes {} end before they begin", text));
  return ByteRange{*first, *last};
}

/// Takes " undefined 0..63,80" off the end of a value.
Status take_undefined(std::string_view& text, ValueSpec& spec) {
  constexpr std::string_view kWord = " undefined ";
  const std::size_t at = text.rfind(kWord);
  if (at == std::string_view::npos) return Unit{};
  const std::string_view ranges = text.substr(at + kWord.size());
  if (ranges.find_first_not_of("0123456789., ") != std::string_view::npos) return Unit{};
  auto undefined = parse_byte_ranges(ranges);
  if (!undefined) return undefined.errors();
  spec.undefined = std::move(undefined).value();
  text = trimmed(text.substr(0, at));
  return Unit{};
}

}  // namespace

Result<std::vector<ByteRange>> parse_byte_ranges(std::string_view text) {
  std::vector<ByteRange> ranges;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto range = read_range(trimmed(text.substr(0, comma)));
    if (!range) return range.errors();
    ranges.push_back(*range);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return ranges;
}

Result<ValueSpec> parse_value_spec(std::string_view text) {
  ValueSpec spec;
  text = trimmed(text);
  if (const Status taken = take_undefined(text, spec); !taken) return taken.errors();
  for (bool more = true; more;)
    more = take_suffix(text, ":ro", spec.read_only) ||
           take_suffix(text, " readonly", spec.read_only) ||
           take_suffix(text, ":wo", spec.write_only) ||
           take_suffix(text, " writeonly", spec.write_only) ||
           take_suffix(text, ":raw", spec.any_type);
  if (const Status checked = check_access(spec); !checked) return checked.errors();
  if (const auto typed = read_type(spec, text); !typed) return typed.errors();
  spec.any_type |= spec.raw_bytes;
  std::string_view rest = text;
  std::string_view word = take_before_colon(rest);
  if (word.empty() && maker_named(text) != nullptr) {
    word = text;
    rest = {};
  }
  const MakerRow* row = maker_named(word);
  if (row == nullptr) {
    if (!word.empty()) {
      std::vector<std::string> kinds;
      for (const MakerRow& maker : kMakers) kinds.emplace_back(maker.word);
      return command_error(kBadValue, fmt::format("'{}' is not a kind of value", word),
                           suggestion(word, kinds, "kinds"));
    }
    auto literals = parse_literals(text);
    if (!literals) return literals.errors();
    spec.literals = std::move(literals).value();
    if (spec.literals.empty()) return command_error(kBadValue, "a value is missing");
    return spec;
  }
  if (const auto made = read_maker(spec, rest, *row); !made) return made.errors();
  return spec;
}

Status check_access(const ValueSpec& spec) {
  if (spec.read_only && spec.write_only)
    return command_error(kBadValue, "a buffer is either read-only or write-only");
  return Unit{};
}

bool is_in_file(const ValueSpec& value) {
  return value.maker == ValueSpec::Maker::kNpy || value.maker == ValueSpec::Maker::kFile;
}

std::string resolved_path(const std::string& directory, const std::string& path) {
  if (directory.empty() || path.starts_with('/') || path == "-") return path;
  return directory + "/" + path;
}

}  // namespace transpire::launch
