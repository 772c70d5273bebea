// The JSON form of launch descriptions (docs/launch.schema.json): every member is one statement of
// the launch language, so its reading is that of cli/plan_builder.h. Messages carry the JSON
// pointer of the member.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "cli/diagnose.h"
#include "cli/plan_builder.h"

namespace transpire::cli {
namespace {

using Json = nlohmann::json;

Diagnostic json_error(std::string message, std::string help = {}) {
  return command_error(kBadLaunchFile, std::move(message), std::move(help));
}

std::string number_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// [1, [2, 3]] gives "(1, (2, 3))"; brackets do not tell vectors from structs.
std::string literal_text(const Json& value, std::size_t depth = 0) {
  if (!value.is_array()) return number_text(value);
  // What is deeper than the reader of literals allows need not be written out to be refused.
  std::string text = "(";
  if (depth > kMaxLiteralDepth) return text;
  for (const Json& item : value)
    text += (text.size() > 1 ? ", " : "") + literal_text(item, depth + 1);
  return text + ")";
}

std::string list_text(const Json& value) {
  if (!value.is_array()) return number_text(value);
  std::string text;
  for (const Json& item : value) text += (text.empty() ? "" : ", ") + literal_text(item);
  return text;
}

/// "64" or [64, 1, 1].
std::string sizes_text(const Json& value) {
  std::string text;
  if (!value.is_array()) return number_text(value);
  for (const Json& item : value) text += (text.empty() ? "" : ",") + number_text(item);
  return text;
}

/// The parameters of a value maker, joined by colons: "0:1:1024" of [0, 1] and a count of 1024.
std::string maker_text(const std::string& maker, const Json& value, const Json& object) {
  std::string text = maker + ":";
  if (maker == "data" || maker == "hex") return text + list_text(value);
  if (maker == "range" || maker == "random") {
    for (const Json& item : value) text += number_text(item) + ":";
    text.pop_back();
  } else if (maker == "fill") {
    text += literal_text(value);
  } else {
    text += number_text(value);
  }
  if (object.contains("count")) text += ":" + number_text(object["count"]);
  return text;
}

Result<std::string> object_text(const Json& object) {
  static constexpr std::array kMakers{"zero", "uninit", "fill", "range", "random",
                                      "data", "hex",    "file", "npy"};
  const auto has = [&](const char* key) { return object.contains(key); };
  if (has("local")) return "local:" + number_text(object["local"]);
  if (has("struct")) return literal_text(object["struct"]);
  if (has("buffer")) {
    std::string text = "buffer " + number_text(object["buffer"]);
    if (has("offset")) text += " offset " + number_text(object["offset"]);
    return text;
  }
  for (const char* maker : kMakers) {
    if (!has(maker)) continue;
    std::string text = maker_text(maker, object[maker], object);
    if (has("type")) text = number_text(object["type"]) + ":" + text;
    if (object.value("readonly", false)) text += ":ro";
    if (object.value("writeonly", false)) text += ":wo";
    return text;
  }
  return json_error(
      "the object says no value",
      "it needs one of zero, uninit, fill, range, random, data, hex, file, npy, struct, "
      "local and buffer");
}

/// A value in the words of the text form.
Result<std::string> value_text(const Json& value) {
  if (value.is_null()) return std::string("null");
  if (value.is_object()) return object_text(value);
  return literal_text(value);
}

/// Walks the document, feeds the builder and notes every error with its JSON pointer.
class JsonReader {
 public:
  JsonReader(PlanBuilder& builder, const std::string& file)
      : builder_(builder), where_{file, 0, 0} {
    builder_.set_place(where_);
  }

  void document(const Json& root) {
    for (const auto& [key, value] : root.items()) {
      path_ = "/" + key;
      if (key == "modules")
        each(value, [&](const Json& v) { note(builder_.module(number_text(v))); });
      else if (key == "options")
        each(value, [&](const Json& v) { builder_.add_build_option(number_text(v)); });
      else if (key == "specialisation")
        assignments(value, &PlanBuilder::specialise);
      else if (key == "buffers")
        assignments(value, &PlanBuilder::buffer);
      else if (key == "check")
        each(value, [&](const Json& v) { note(builder_.setting("check", number_text(v))); });
      else if (key == "reference") {
        if (value == true) note(builder_.setting(key, ""));
      } else if (is_setting(key))
        note(builder_.setting(key, number_text(value)));
      else if (key != "steps" && key != "$schema")
        unknown(key, kRootKeys);
    }
    // Steps speak of buffers, so they come last, whatever the order of members.
    if (!root.contains("steps")) return note(json_error("the member 'steps' is missing"));
    std::size_t index = 0;
    for (const Json& value : root["steps"]) {
      path_ = fmt::format("/steps/{}", index++);
      step(value);
    }
  }

  Diagnostics errors;

 private:
  static constexpr std::array kRootKeys{"modules",    "options",   "specialisation", "buffers",
                                        "steps",      "isa",       "threads",        "check",
                                        "reference",  "timeout",   "max-steps",      "max-errors",
                                        "max-memory", "max-printf"};
  static constexpr std::array kLaunchKeys{"kernel",    "global", "local", "offset",
                                          "arguments", "repeat", "swap"};
  static constexpr std::array kStepKeys{"launch", "print", "out", "expect"};
  static constexpr std::array kExpectKeys{"values", "fault", "printf", "refused"};

  static bool is_setting(std::string_view key) {
    return key == "isa" || key == "threads" || key == "timeout" || key.starts_with("max-");
  }

  template <std::size_t N>
  void unknown(const std::string& key, const std::array<const char*, N>& known) {
    note(json_error(fmt::format("the member '{}' is not known", key),
                    suggestion(key, {known.begin(), known.end()}, "members")));
  }

  void note(const Status& status) {
    if (status) return;
    for (Diagnostic& error : placed(status.errors(), where_)) {
      error.notes.push_back(fmt::format("at {}", path_));
      errors.push_back(std::move(error));
    }
  }

  template <class Call>
  void each(const Json& value, Call call) {
    if (!value.is_array()) return call(value);
    for (const Json& item : value) call(item);
  }

  template <class Call>
  void assignments(const Json& object, Call call) {
    const std::string base = path_;
    if (!object.is_object()) return note(json_error("an object is expected"));
    for (const auto& [key, value] : object.items()) {
      path_ = base + "/" + key;
      const auto text = value_text(value);
      if (text)
        note((builder_.*call)(key, *text));
      else
        note(text.errors());
    }
    path_ = base;
  }

  void step(const Json& value) {
    if (!value.is_object() || value.size() != 1)
      return note(
          json_error("a step is an object with one member", "launch, print, out or expect"));
    const std::string& key = value.begin().key();
    const Json& what = value.begin().value();
    path_ += "/" + key;
    if (key == "launch")
      launch(what);
    else if (key == "print")
      note(builder_.print(number_text(what)));
    else if (key == "out" && what.is_object())
      note(builder_.output(what.value("buffer", ""), what.value("file", "")));
    else if (key == "expect")
      expect(what);
    else
      unknown(key, kStepKeys);
  }

  void launch(const Json& object) {
    if (!object.is_object()) return note(json_error("an object is expected"));
    const std::string base = path_;
    // The kernel first: choosing another one forgets the arguments.
    if (object.contains("kernel")) note(builder_.kernel(number_text(object["kernel"])));
    for (const auto& [key, value] : object.items()) {
      path_ = base + "/" + key;
      if (key == "kernel") continue;
      if (key == "global")
        note(builder_.global(sizes_text(value)));
      else if (key == "local")
        note(builder_.local(sizes_text(value)));
      else if (key == "offset")
        note(builder_.offset(sizes_text(value)));
      else if (key == "repeat")
        note(builder_.repeat(number_text(value)));
      else if (key == "arguments")
        assignments(value, &PlanBuilder::argument);
      else if (key == "swap")
        each(value, [&](const Json& pair) { swap(pair); });
      else
        unknown(key, kLaunchKeys);
    }
    note(builder_.launch());
  }

  void swap(const Json& pair) {
    if (!pair.is_array() || pair.size() != 2)
      return note(json_error("a swap is a pair of arguments", "write [[\"a\", \"b\"]]"));
    builder_.swap(number_text(pair[0]), number_text(pair[1]));
  }

  void expect(const Json& what) {
    if (what.is_string()) return note(builder_.expect(what.get<std::string>()));
    if (!what.is_object()) return note(json_error("an object or a string is expected"));
    if (what.contains("values")) return expect_values(what);
    if (what.contains("printf")) return builder_.expect_printf(number_text(what["printf"]));
    if (what.contains("refused"))
      return note(builder_.expect("refused " + number_text(what["refused"])));
    if (!what.contains("fault"))
      return unknown(what.empty() ? "" : what.begin().key(), kExpectKeys);
    std::string text = "fault " + number_text(what["fault"]);
    if (what.contains("on")) text += " on " + number_text(what["on"]);
    if (what.contains("at")) text += " at " + sizes_text(what["at"]);
    note(builder_.expect(text));
  }

  void expect_values(const Json& what) {
    if (!what.contains("equals")) return note(json_error("the member 'equals' is missing"));
    const Json& equals = what["equals"];
    const auto text =
        equals.is_object() ? object_text(equals) : Result<std::string>(list_text(equals));
    if (!text) return note(text.errors());
    std::string line = number_text(what["values"]);
    if (what.contains("tolerance")) line += " ~ " + number_text(what["tolerance"]);
    note(builder_.expect(line + " = " + *text));
  }

  PlanBuilder& builder_;
  SourceLine where_;
  std::string path_;
};

/// What the library says, without its own number and place.
Diagnostic not_json(const Json::exception& error) {
  std::string_view what = error.what();
  what.remove_prefix(std::min(what.find("] ") + 2, what.size()));
  if (const std::size_t place = what.find(": "); what.starts_with("parse error at"))
    what.remove_prefix(std::min(place + 2, what.size()));
  return json_error(fmt::format("this is not JSON: {}", what));
}

/// The library reports an offset; people want the line.
SourceLine place_of(std::string_view text, std::size_t offset, const std::string& file) {
  SourceLine where{file, 1, 1};
  for (const char c : text.substr(0, offset == 0 ? 0 : offset - 1)) {
    where.column = c == '\n' ? 1 : where.column + 1;
    where.line += c == '\n';
  }
  return where;
}

}  // namespace

Result<LaunchPlan> parse_launch_json(std::string_view text, const std::string& file) {
  Json root;
  try {
    root = Json::parse(text);
  } catch (const Json::parse_error& error) {
    return placed({not_json(error)}, place_of(text, error.byte, file));
  } catch (const Json::exception& error) {
    return placed({not_json(error)}, {file, 1, 1});
  }
  PlanBuilder builder(file);
  JsonReader reader(builder, file);
  if (!root.is_object())
    return placed({json_error("a launch description is a JSON object")}, {file, 1, 1});
  try {
    reader.document(root);
  } catch (const Json::exception& error) {
    return placed({json_error(fmt::format("a member has the wrong type: {}", error.what()))},
                  {file, 1, 1});
  }
  if (!reader.errors.empty()) return std::move(reader.errors);
  return builder.finish();
}

}  // namespace transpire::cli
