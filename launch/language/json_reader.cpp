// Places, objects, words and checks of JSON launch descriptions: see the header.
#include "launch/language/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "launch/report/diagnose.h"

namespace transpire::launch {

std::string shown(const Json& value) {
  constexpr std::size_t kLongest = 40;
  if (value.is_object()) return "an object";
  if (value.is_array()) return fmt::format("an array of {}", value.size());
  const std::string text = value.dump();
  return text.size() > kLongest ? "a long string" : text;
}

std::string word_of(const Json& value) { return value.is_string() ? value.string() : value.dump(); }

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_rule(std::string_view text) {
  constexpr std::string_view kPrefix = "TSP-";
  if (!text.starts_with(kPrefix)) return false;
  text.remove_prefix(kPrefix.size());
  return text.size() == 5 && text[0] >= 'A' && text[0] <= 'Z' &&
         std::all_of(text.begin() + 1, text.end(), is_digit);
}

Diagnostic at_pointer(Diagnostic error, const std::string& pointer) {
  error.notes.push_back(pointer.empty() ? "at the top level" : "at " + pointer);
  return error;
}

}  // namespace

// ---- Places and errors ----------------------------------------------------------------------------

PlanBuilder& JsonReader::builder() {
  builder_.set_place(places_.of(path_));
  return builder_;
}

void JsonReader::refuse(const std::string& message, std::string help) {
  refuse_at(path_, command_error(kBadLaunchFile, message, std::move(help)));
}

void JsonReader::refuse_repeated(const RepeatedMember& member) {
  refuse_at(
      member.pointer,
      command_error(kBadLaunchFile, fmt::format("the member '{}' is written twice", member.name)));
}

void JsonReader::refuse_at(const std::string& pointer, const Diagnostic& error) {
  misshapen_.push_back(at_pointer(placed({error}, places_.of(pointer))[0], pointer));
}

void JsonReader::expected(std::string_view what, const Json& found, std::string help) {
  refuse(fmt::format("expected {}, found {}", what, shown(found)), std::move(help));
}

void JsonReader::note(const Status& status) {
  if (status) return;
  for (Diagnostic& error : placed(status.errors(), places_.of(path_)))
    wrong_.push_back(at_pointer(std::move(error), path_));
}

// ---- Objects and arrays -----------------------------------------------------------------------------

void JsonReader::unknown(const std::string& key, const std::vector<std::string>& known) {
  at(key, [&] {
    refuse(fmt::format("the member '{}' is not known", key), suggestion(key, known, "members"));
  });
}

void JsonReader::object(const Json& value, const std::vector<Field>& fields,
                        const std::vector<std::string>& known) {
  if (!value.is_object()) return expected("an object", value);
  std::vector<std::string> names = known;
  if (known.empty())
    for (const Field& field : fields) names.emplace_back(field.name);
  for (const auto& [key, what] : value.items())
    if (std::ranges::find(fields, key, &Field::name) == fields.end()) unknown(key, names);
  for (const Field& field : fields) {
    if (const Json* const found = value.find(field.name))
      at(field.name, [&] { field.read(*found); });
    else if (field.is_required)
      refuse(fmt::format("the member '{}' is missing", field.name));
  }
}

void JsonReader::named(const Json& value,
                       const std::function<void(const std::string& name, const Json&)>& read) {
  if (!value.is_object()) return expected("an object", value);
  for (const auto& [key, what] : value.items()) at(key, [&] { read(key, what); });
}

void JsonReader::elements(const Json& value, const std::function<void(const Json&)>& read) {
  std::size_t index = 0;
  for (const Json& item : value) at(fmt::to_string(index++), [&] { read(item); });
}

void JsonReader::one_or_more(const Json& value, const std::function<void(const Json&)>& read) {
  if (value.is_array()) return elements(value, read);
  read(value);
}

// ---- Words and numbers ------------------------------------------------------------------------------

std::optional<std::string> JsonReader::text(const Json& value) {
  if (value.is_string()) return value.string();
  expected("a string", value);
  return std::nullopt;
}

void JsonReader::texts(const Json& value, const std::function<void(std::string)>& read) {
  if (!value.is_string() && !value.is_array())
    return expected("a string or an array of strings", value);
  one_or_more(value, [&](const Json& item) {
    if (auto word = text(item)) read(std::move(*word));
  });
}

std::optional<bool> JsonReader::boolean(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  expected("true or false", value);
  return std::nullopt;
}

std::optional<std::uint64_t> JsonReader::count(const Json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  const bool quoted = value.is_string() && !value.string().empty() &&
                      std::all_of(value.string().begin(), value.string().end(), is_digit);
  expected("a whole number of at least 0", value, quoted ? "write it without quotes" : "");
  return std::nullopt;
}

std::optional<std::string> JsonReader::whole_or_text(const Json& value) {
  if (value.is_number_integer() || value.is_string()) return word_of(value);
  expected("a whole number or a string", value);
  return std::nullopt;
}

std::optional<std::string> JsonReader::real_or_text(const Json& value) {
  if (value.is_number() || value.is_string()) return word_of(value);
  expected("a number or a string", value);
  return std::nullopt;
}

std::optional<std::string> JsonReader::one_of(const Json& value,
                                              const std::vector<std::string>& names,
                                              std::string_view what) {
  if (!value.is_string()) {
    expected("a string", value, suggestion("", names, what));
    return std::nullopt;
  }
  if (std::ranges::find(names, value.string()) != names.end()) return value.string();
  refuse(fmt::format("'{}' is not one of the {}", value.string(), what),
         suggestion(value.string(), names, what));
  return std::nullopt;
}

std::optional<std::string> JsonReader::rule(const Json& value) {
  if (value.is_string() && is_rule(value.string())) return value.string();
  expected("a rule such as \"TSP-R0021\"", value);
  return std::nullopt;
}

std::optional<std::uint64_t> JsonReader::bytes(const Json& value) {
  const auto word = whole_or_text(value);
  return word ? noted(parse_bytes(*word)) : std::nullopt;
}

std::optional<SizeList> JsonReader::sizes(const Json& value) {
  if (value.is_string()) return noted(parse_sizes(value.string()));
  const bool is_list = value.is_array() && !value.empty() && value.size() <= 3;
  if (!is_list && !value.is_number_unsigned()) {
    expected("a whole number, a string or an array of one to three whole numbers", value);
    return std::nullopt;
  }
  SizeList sizes;
  one_or_more(value, [&](const Json& item) { set(count(item), sizes.size[sizes.dimensions++]); });
  return sizes;
}

std::optional<SizeList> JsonReader::local_sizes(const Json& value) {
  return value.is_string() ? noted(parse_local_sizes(value.string())) : sizes(value);
}

std::optional<std::string> JsonReader::type(const Json& value) {
  const auto word = text(value);
  if (!word || *word == "bytes" || type_word(*word)) return word;
  std::vector<std::string> known{"bytes"};
  for (int i = 0; i <= static_cast<int>(ScalarType::kDouble); ++i)
    known.emplace_back(name_of(static_cast<ScalarType>(i)));
  refuse(fmt::format("'{}' is not a type", *word), suggestion(*word, known, "types"));
  return std::nullopt;
}

// ---- Launches and checks ----------------------------------------------------------------------------

void JsonReader::swaps(const Json& value,
                       const std::function<void(std::string, std::string)>& read) {
  constexpr const char* kHelp = "write [[\"a\", \"b\"]]";
  if (!value.is_array()) return expected("an array of pairs", value, kHelp);
  elements(value, [&](const Json& pair) {
    if (!pair.is_array() || pair.size() != 2) return expected("a pair of arguments", pair, kHelp);
    std::vector<std::string> names;
    texts(pair, [&](std::string name) { names.push_back(std::move(name)); });
    if (names.size() == 2) read(std::move(names[0]), std::move(names[1]));
  });
}

std::optional<PrintStep> JsonReader::print(const Json& value) {
  const auto words = text(value);
  return words ? noted(parse_print(*words)) : std::nullopt;
}

std::optional<OutputStep> JsonReader::output(const Json& value) {
  if (!value.is_object()) {
    refuse(fmt::format("'out' must be an object, found {}", shown(value)),
           "write {\"out\": {\"buffer\": \"y\", \"file\": \"y.npy\"}}");
    return std::nullopt;
  }
  OutputStep output;
  const auto columns = [&](const Json& v) {
    if (const auto number = count(v))
      set(noted(parse_columns(fmt::to_string(*number))), output.columns);
  };
  object(value, {{"buffer", [&](const Json& v) { set(text(v), output.buffer); }, true},
                 {"file", [&](const Json& v) { set(text(v), output.file); }, true},
                 {"type",
                  [&](const Json& v) {
                    if (const auto word = type(v)) set(noted(parse_type(*word)), output.type);
                  }},
                 {"cols", columns}});
  return output;
}

/// Appends one tolerance, or a list with one for each number of an element.
void JsonReader::tolerance(const Json& value, std::vector<Tolerance>& to) {
  if (value.is_string()) return set(noted(parse_tolerances(value.string())), to);
  if (!value.is_number() && (!value.is_array() || value.empty()))
    return expected("a number, a string or an array of these, one for each channel", value);
  one_or_more(value, [&](const Json& item) {
    const auto word = real_or_text(item);
    const auto read = word ? noted(parse_tolerance(*word)) : std::nullopt;
    if (read) to.push_back(*read);
  });
}

std::optional<ValueSpec> JsonReader::equals(const Json& value) {
  if (value.is_string()) return noted(parse_value_spec(value.string()));
  if (value.is_object()) return made(value, false);
  if (!value.is_array()) return literals(value);
  ValueSpec spec;
  if (!list(value, spec.literals, 0)) return std::nullopt;
  if (value.empty()) note(command_error(kBadValue, "a value is missing"));
  return spec;
}

std::optional<Expectation> JsonReader::expected_values(const Json& value) {
  ExpectBufferStep expect;
  object(value, {{"values",
                  [&](const Json& v) {
                    if (const auto slice = text(v)) set(noted(parse_slice(*slice)), expect.slice);
                  },
                  true},
                 {"tolerance", [&](const Json& v) { tolerance(v, expect.tolerances); }},
                 {"equals", [&](const Json& v) { set(equals(v), expect.value); }, true}});
  return expect;
}

std::optional<Expectation> JsonReader::expected_fault(const Json& value) {
  ExpectedFault fault;
  const auto place = [&](const Json& v) {
    if (const auto words = text(v)) note(read_place(*words, fault));
  };
  object(value, {{"fault", [&](const Json& v) { set(rule(v), fault.rule); }, true},
                 {"on", [&](const Json& v) { set(text(v), fault.buffer); }},
                 {"at",
                  [&](const Json& v) {
                    if (const auto id = sizes(v)) fault.at = id->size;
                  }},
                 {"line", place}});
  return fault;
}

std::optional<Expectation> JsonReader::expectation(const Json& value) {
  if (value.is_string()) return noted(parse_expectation(value.string()));
  if (!value.is_object()) {
    expected("a string or an object", value);
    return std::nullopt;
  }
  if (value.contains("values")) return expected_values(value);
  if (value.contains("fault")) return expected_fault(value);
  ExpectPrintfStep printed;
  ExpectedRefusal refusal;
  if (value.contains("printf")) {
    object(value, {{"printf", [&](const Json& v) { set(text(v), printed.text); }}});
    return printed;
  }
  if (value.contains("refused")) {
    object(value, {{"refused", [&](const Json& v) { set(rule(v), refusal.rule); }}});
    return refusal;
  }
  const std::vector<std::string> known{"values", "fault", "printf", "refused"};
  if (value.empty()) refuse("the object expects nothing", suggestion("", known, "members"));
  for (const auto& [key, what] : value.items()) unknown(key, known);
  return std::nullopt;
}

}  // namespace transpire::launch
