// Writes the parts of docs/launch-file.md and docs/launch.schema.json that follow from the tables of the launch language: statements
// (launch/language/statements.def), settings and limits (include/transpire). The other parts are written by hand.
//
// usage: transpire_launch_documents ROOT [--update]; without --update it fails where a document differs
#include <fmt/format.h>

#include <cctype>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "launch/language/asked_settings.h"
#include "launch/language/statements.h"

namespace {

using namespace transpire;
using namespace transpire::launch;

// ---- The schema ---------------------------------------------------------------------------------

Json schema_of(const Limit& limit) {
  if (limit.kind == LimitKind::kCount) return {{"type", "integer"}, {"minimum", 0}};
  return {
      {"type", Json::array({limit.kind == LimitKind::kBytes ? "integer" : "number", "string"})}};
}

Json schema_of(const Setting& setting) {
  if (setting.kind == SettingKind::kFlag) return {{"type", "boolean"}};
  if (setting.kind == SettingKind::kChoice) return {{"enum", value_names(setting)}};
  constexpr std::uint32_t kLargest = 0xffffffff;
  if (find_value(setting, kLargest) != nullptr)  // a count of any size: the values are examples
    return {{"type", "integer"}, {"minimum", 0}, {"maximum", kLargest}};
  std::vector<std::uint32_t> values;
  for (const SettingValue& value : named_values(setting)) values.push_back(value.value);
  return {{"enum", values}};
}

/// The schema of a setting or limit that is a member of JSON.
Json schema_of(std::string_view word) {
  const Json check{{"$ref", "#/definitions/check"}};
  if (word == kCheckWord)
    return {{"oneOf", Json::array({check, {{"type", "array"}, {"items", check}}})}};
  if (word == kEnvironmentWord) return {{"enum", environment_names()}};
  for (const Limit& limit : kLimits)
    if (limit.word == word) return schema_of(limit);
  return schema_of(*find_setting(word));
}

/// The members of an object of the JSON form, behind those that are given.
Json properties_of(JsonPlace place, Json properties = Json::object()) {
  for (const Statement& statement : statements())
    if (statement.place == place && !statement.member.empty())
      properties[statement.member] = Json::parse(statement.schema);
  return properties;
}

Json root_properties(const Json& steps) {
  Json properties = properties_of(JsonPlace::kRoot, {{"$schema", {{"type", "string"}}}});
  for (const std::string_view word : setting_words()) properties[word] = schema_of(word);
  properties["steps"] = steps;
  return properties;
}

/// The steps, which are objects with one member.
Json step_forms() {
  Json forms = Json::array();
  const Json properties = properties_of(JsonPlace::kStep);
  for (const JsonMember& member : properties.items())
    forms.push_back({{"type", "object"},
                     {"required", Json::array({member.name})},
                     {"additionalProperties", false},
                     {"properties", Json(Json::Object{member})}});
  return forms;
}

constexpr std::size_t kColumns = 120, kOneLine = std::string::npos;

/// The text of a value: in one line if that has at most `room` characters, else with each member or element in a line.
std::string laid_out(const Json& value, std::size_t depth, std::size_t room) {
  if (!value.is_structured()) return value.dump();
  const auto parts = [&](std::size_t inner, bool is_one_line) {
    const auto text_of = [&](const Json& part, std::size_t used) {
      return laid_out(part, inner, is_one_line ? kOneLine : kColumns - 2 * inner - used);
    };
    std::vector<std::string> texts;
    if (value.is_array())
      for (const Json& element : value) texts.push_back(text_of(element, 1));
    else
      for (const auto& [name, member] : value.items())
        texts.push_back(fmt::format("\"{}\": {}", name, text_of(member, name.size() + 5)));
    return texts;
  };
  const auto [open, close] = value.is_array() ? std::pair{'[', ']'} : std::pair{'{', '}'};
  const std::string line = fmt::format("{}{}{}", open, fmt::join(parts(depth, true), ", "), close);
  if (room == kOneLine || line.size() <= room) return line;
  const std::string end(2 * depth, ' ');
  return fmt::format("{}\n  {}{}\n{}{}", open, end,
                     fmt::join(parts(depth + 1, false), fmt::format(",\n  {}", end)), end, close);
}

std::string schema_from(const std::string& text) {
  Json schema = Json::parse(text);
  schema["properties"] = root_properties(schema["properties"]["steps"]);
  schema["required"] = Json::array();
  for (const Statement& statement : statements())
    if (statement.is_required) schema["required"].push_back(statement.member);
  schema["required"].push_back("steps");
  Json& definitions = schema["definitions"];
  definitions["check"] = {{"enum", check_names()}};
  definitions["launch"]["properties"] = properties_of(JsonPlace::kLaunch);
  definitions["step"] = {{"oneOf", step_forms()}};
  return laid_out(schema, 0, 0) + '\n';
}

// ---- The page -----------------------------------------------------------------------------------

/// `help` of a limit, as a cell of a table: without the values in brackets at its end, and with options as code.
std::string effect_of(const Limit& limit) {
  std::istringstream words{std::string(limit.help.substr(0, limit.help.find(" (default")))};
  std::string text;
  for (std::string word; words >> word;)
    text += (text.empty() ? "" : " ") + (word.starts_with("--") ? '`' + word + '`' : word);
  text[0] = static_cast<char>(std::tolower(text[0]));
  return text;
}

/// A limit's initial value in the launch language.
std::string default_of(const Limit& limit) {
  constexpr double kInitial[] = {
#define TRANSPIRE_LIMIT(type, member, initial, ...) static_cast<double>(initial),
#include "transpire/launch_limits.def"
#undef TRANSPIRE_LIMIT
  };
  const double value = kInitial[&limit - kLimits];
  if (value == 0) return std::string(limit.at_zero);
  if (limit.kind == LimitKind::kTime) return fmt::format("{}s", value);
  constexpr double kMebibyte = 1 << 20;
  if (limit.kind == LimitKind::kCount || value < kMebibyte) return fmt::format("{:.0f}", value);
  return value < 1024 * kMebibyte ? fmt::format("{}MiB", value / kMebibyte)
                                  : fmt::format("{}GiB", value / 1024 / kMebibyte);
}

std::string limit_rows() {
  std::string rows;
  for (const Limit& limit : kLimits)
    rows += fmt::format("\n| `{} {}` | {} | {} | {} |", limit.word, placeholder(limit),
                        effect_of(limit), default_of(limit), limit.at_zero);
  return rows;
}

std::string statement_rows() {
  std::string rows;
  for (const Statement& statement : statements())
    for (const StatementLine& line : statement.lines)
      if (!line.usage.empty()) rows += fmt::format("\n| `{}` | {} |", line.usage, line.meaning);
  return rows;
}

/// The alternatives of `statement` in the grammar.
std::string grammar() {
  std::string text;
  for (const Statement& statement : statements())
    if (!statement.grammar.empty() || statement.lines[0].usage == statement.word)
      text += fmt::format("\n{:<12}{} \"{}\"{}{}", text.empty() ? "statement" : "",
                          text.empty() ? "=" : "|", statement.word,
                          statement.grammar.empty() ? "" : " ", statement.grammar);
  return text;
}

/// Replaces the lines between `before` and `behind`.
void replace(std::string& text, std::string_view before, std::string_view behind,
             const std::string& by) {
  const std::size_t from = text.find(before), to = text.find(behind, from);
  if (to == text.npos)
    throw JsonError(fmt::format("docs/launch-file.md has not '{}' and '{}'", before, behind));
  text.replace(from + before.size(), to - from - before.size(), by);
}

std::string page_from(const std::string& page) {
  std::string text = page;
  replace(text, "{ [ statement ] [ \"#\" comment ] newline }\n", "\n            | setting\n",
          grammar());
  replace(text, "\n| statement | meaning |\n|---|---|", "\n\n", statement_rows());
  replace(text, "\n| limit | effect | default | 0 means |\n|---|---|---|---|", "\n\n",
          limit_rows());
  return text;
}

// ---- Files --------------------------------------------------------------------------------------

/// True if the file is as the tables want it, at the latest now if it may be changed.
bool is_right(const std::string& path, bool may_change, std::string (*from)(const std::string&)) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  const std::string wanted = from(text.str());
  if (wanted == text.str()) return true;
  if (may_change) return static_cast<bool>(std::ofstream(path) << wanted);
  fmt::print("{} is out of date: run transpire_launch_documents with --update\n", path);
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::string docs = std::string(argv[1]) + "/docs/";
  const bool may_change = argc > 2 && std::string_view(argv[2]) == "--update";
  try {
    const bool schema = is_right(docs + "launch.schema.json", may_change, schema_from);
    const bool page = is_right(docs + "launch-file.md", may_change, page_from);
    return schema && page ? 0 : 1;
  } catch (const JsonError& error) {
    fmt::print("{}\n", error.what());
    return 1;
  }
}
