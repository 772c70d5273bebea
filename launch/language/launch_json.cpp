// The JSON form of launch descriptions (docs/launch.schema.json): an object of statements (launch/language/statements.h), settings
// and limits (launch/language/asked_settings.h), with `steps` for what happens in order. Messages carry the JSON pointer of the member.
#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "launch/language/asked_settings.h"
#include "launch/language/statements.h"
#include "launch/report/diagnose.h"
#include "launch/report/json_places.h"

namespace transpire::launch {
namespace {

Diagnostic json_error(const std::string& message) { return command_error(kBadLaunchFile, message); }

/// The value of a setting or limit, as a word of the text form.
std::optional<std::string> setting_text(JsonReader& reader, std::string_view word,
                                        const Json& value) {
  if (const auto limit = std::ranges::find(kLimits, word, &Limit::word);
      limit != std::end(kLimits) && limit->kind != LimitKind::kCount)
    return limit->kind == LimitKind::kBytes ? reader.whole_or_text(value)
                                            : reader.real_or_text(value);
  if (word == kEnvironmentWord) return reader.one_of(value, environment_names(), "environments");
  if (const Setting* const setting = find_setting(word);
      setting != nullptr && setting->kind == SettingKind::kChoice)
    return reader.one_of(value, value_names(*setting), setting->unit);
  const auto count = reader.count(value);
  return count ? std::optional(fmt::to_string(*count)) : std::nullopt;
}

void read_setting_member(JsonReader& reader, std::string_view word, const Json& value) {
  const auto set = [&](std::string_view text) {
    reader.note(reader.builder().setting(word, text));
  };
  if (word == kCheckWord)
    return reader.one_or_more(value, [&](const Json& item) {
      if (const auto name = reader.one_of(item, check_names(), "checks")) set(*name);
    });
  if (const Setting* const setting = find_setting(word);
      setting != nullptr && setting->kind == SettingKind::kFlag) {
    if (reader.boolean(value) == true) set("");
  } else if (const auto text = setting_text(reader, word, value)) {
    set(*text);
  }
}

void read_steps(JsonReader& reader, const Json& value) {
  reader.builder();  // a launch that is implied has this place
  if (!value.is_array()) return reader.expected("an array", value);
  reader.elements(value, [&](const Json& step) {
    if (!step.is_object() || step.size() != 1)
      return reader.refuse("a step is an object with one member", "launch, print, out or expect");
    reader.object(step, fields_of(reader, JsonPlace::kStep));
  });
}

void read_document(JsonReader& reader, const Json& root) {
  std::vector<JsonReader::Field> fields = fields_of(reader, JsonPlace::kRoot);
  for (const std::string_view word : setting_words())
    fields.push_back(
        {word, [&reader, word](const Json& value) { read_setting_member(reader, word, value); }});
  fields.push_back({"$schema", [&](const Json& value) { reader.text(value); }});
  fields.push_back({"steps", [&](const Json& value) { read_steps(reader, value); }, true});
  reader.object(root, fields);
}

/// Line and column of an error, from the number of bytes that the parser read.
SourceLine place_of(std::string_view text, std::size_t bytes_read, const std::string& file) {
  SourceLine where{file, 1, 1};
  for (const char c : text.substr(0, bytes_read == 0 ? 0 : bytes_read - 1)) {
    where.column = c == '\n' ? 1 : where.column + 1;
    where.line += c == '\n';
  }
  return where;
}

}  // namespace

Result<LaunchPlan> parse_launch_json(std::string_view text, const std::string& file) {
  Json root;
  std::vector<RepeatedMember> repeated;
  try {
    root = Json::parse(text, &repeated);
  } catch (const JsonError& error) {
    return placed({json_error(fmt::format("this is not JSON: {}", error.what()))},
                  place_of(text, error.bytes_read(), file));
  }
  if (!root.is_object())
    return placed({json_error("a launch description is a JSON object")}, {file, 1, 1});
  root.sort_members();  // errors and definitions come in this order
  const JsonPlaces places(text, file);
  PlanBuilder builder(file);
  JsonReader reader(builder, places);
  for (const RepeatedMember& member : repeated) reader.refuse_repeated(member);
  read_document(reader, root);
  if (Diagnostics errors = reader.errors(); !errors.empty()) return errors;
  return builder.finish();
}

}  // namespace transpire::launch
