// The JSON form of launch descriptions (docs/launch.schema.json): every member is one statement of
// the launch language, and launch/language/plan_builder.h reads it. The shape of the document is
// checked before (launch/language/launch_shape.h). Messages carry the JSON pointer of the member.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json.h"
#include "launch/language/asked_settings.h"
#include "launch/language/launch_shape.h"
#include "launch/language/launch_writer.h"
#include "launch/language/plan_builder.h"
#include "launch/report/diagnose.h"
#include "launch/report/json_places.h"

namespace transpire::launch {
namespace {

Diagnostic json_error(const std::string& message, std::string help = {}) {
  return command_error(kBadLaunchFile, message, std::move(help));
}

std::string number_text(const Json& value) {
  return value.is_string() ? value.string() : value.dump();
}

/// [1, [2, 3]] gives "(1, (2, 3))", {"x": 1} "{x=1}"; brackets do not tell vectors from structs.
std::string literal_text(const Json& value, std::size_t depth = 0) {
  if (value.is_object() && depth <= kMaxLiteralDepth) {
    std::string text;
    for (const auto& [key, item] : value.items())
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", key, literal_text(item, depth + 1));
    return "{" + text + "}";
  }
  if (!value.is_array()) return number_text(value);
  // The reader of literals refuses deeper nesting, so deeper items are left out.
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

std::string object_text(const Json& object);

/// {"pipe": "int4", "capacity": 64, "value": {"zero": 3}} gives "pipe int4 64 zero:3".
std::string pipe_text(const Json& object) {
  const std::string text =
      fmt::format("pipe {} {}", number_text(object["pipe"]), number_text(object["capacity"]));
  if (!object.contains("value")) return text;
  const Json& value = object["value"];
  return text + ' ' + (value.is_object() ? object_text(value) : number_text(value));
}

std::string object_text(const Json& object) {
  static constexpr std::array kMakers{"zero", "uninit", "fill", "range", "random",
                                      "data", "hex",    "file", "npy"};
  const auto has = [&](const char* key) { return object.contains(key); };
  if (has("local")) return "local:" + number_text(object["local"]);
  if (has("struct")) return literal_text(object["struct"]);
  for (const char* const memory : {"buffer", "shared"}) {
    if (!has(memory)) continue;
    std::string text = memory + (" " + number_text(object[memory]));
    if (has("offset")) text += " offset " + number_text(object["offset"]);
    if (has("size")) text += " size " + number_text(object["size"]);
    if (object.value("readonly", false)) text += " readonly";
    if (object.value("writeonly", false)) text += " writeonly";
    return text;
  }
  if (has("pipe")) return pipe_text(object);
  if (has("queue")) return "queue " + number_text(object["queue"]);
  const char* const maker = *std::find_if(kMakers.begin(), kMakers.end(), has);
  std::string text = maker_text(maker, object[maker], object);
  if (has("as")) text += " as " + number_text(object["as"]);
  if (has("type")) text = number_text(object["type"]) + ":" + text;
  if (object.value("readonly", false)) text += ":ro";
  if (object.value("writeonly", false)) text += ":wo";
  if (has("undefined")) text += " undefined " + number_text(object["undefined"]);
  return text;
}

/// True for a setting whose value in JSON is true or false.
bool is_flag(std::string_view key) {
  const Setting* const setting = find_setting(key);
  return setting != nullptr && setting->kind == SettingKind::kFlag;
}

/// A value in the words of the text form.
std::string value_text(const Json& value) {
  if (value.is_null()) return "null";
  if (value.is_object()) return object_text(value);
  return literal_text(value);
}

/// Feeds the builder with a document of the right shape, and notes the pointer of every error.
class JsonReader {
 public:
  JsonReader(PlanBuilder& builder, const JsonPlaces& places) : builder_(builder), places_(places) {}

  void document(const Json& root) {
    for (const auto& [key, value] : root.items()) {
      go_to(json_pointer("", key));
      if (key == "modules")
        each(value, [&](const Json& v) { note(builder_.module(number_text(v))); });
      else if (key == "options")
        each(value, [&](const Json& v) { builder_.add_build_option(number_text(v)); });
      else if (key == "suppress")
        each(value, [&](const Json& v) { note(builder_.suppress(number_text(v))); });
      else if (key == "specialisation")
        assignments(value, &PlanBuilder::specialise);
      else if (key == "buffers")
        assignments(value, &PlanBuilder::buffer);
      else if (key == "queues")
        queues(value);
      else if (key == "default-queue")
        note(builder_.default_queue(number_text(value)));
      else if (key == "shared")
        shared(value);
      else if (key == "variables")
        assignments(value, &PlanBuilder::variable);
      else if (key == "check")
        each(value, [&](const Json& v) { note(builder_.setting("check", number_text(v))); });
      else if (is_flag(key)) {
        if (value.get<bool>()) note(builder_.setting(key, ""));
      } else if (key != "steps" && key != "$schema")
        note(builder_.setting(key, number_text(value)));
    }
    // Steps name buffers, so they are read last, in any order of members.
    std::size_t index = 0;
    for (const Json& value : root["steps"]) {
      go_to(fmt::format("/steps/{}", index++));
      step(value);
    }
  }

  Diagnostics errors;

 private:
  /// Sets the value that further errors are about.
  void go_to(std::string pointer) {
    path_ = std::move(pointer);
    builder_.set_place(places_.of(path_));
  }

  void note(const Status& status) {
    if (status) return;
    for (Diagnostic& error : placed(status.errors(), places_.of(path_)))
      errors.push_back(at_pointer(std::move(error), path_));
  }

  template <class Call>
  void each(const Json& value, Call call) {
    if (!value.is_array()) return call(value);
    const std::string base = path_;
    std::size_t index = 0;
    for (const Json& item : value) {
      go_to(json_pointer(base, fmt::to_string(index++)));
      call(item);
    }
    go_to(base);
  }

  template <class Call>
  void assignments(const Json& object, Call call) {
    const std::string base = path_;
    for (const auto& [key, value] : object.items()) {
      go_to(json_pointer(base, key));
      note((builder_.*call)(key, value_text(value)));
    }
    go_to(base);
  }

  void queues(const Json& object) {
    const std::string base = path_;
    for (const auto& [key, size] : object.items()) {
      go_to(json_pointer(base, key));
      note(builder_.queue(size.is_null() ? key : key + ' ' + number_text(size)));
    }
    go_to(base);
  }

  void shared(const Json& object) {
    const std::string base = path_;
    for (const auto& [key, value] : object.items()) {
      go_to(json_pointer(base, key));
      note(builder_.shared(key + " at " + number_text(value["at"]), value_text(value["value"])));
    }
    go_to(base);
  }

  void step(const Json& value) {
    const auto& [key, what] = value.items().front();
    go_to(json_pointer(path_, key));
    if (key == "launch")
      launch(what);
    else if (key == "print")
      note(builder_.print(number_text(what)));
    else if (key == "out")
      output(what);
    else
      expect(what);
  }

  void output(const Json& what) {
    OutputStep output{number_text(what["buffer"]), number_text(what["file"])};
    if (what.contains("type")) {
      const auto type = parse_type(number_text(what["type"]));
      if (!type) return note(type.errors());
      output.type = *type;
    }
    if (what.contains("cols")) {
      const auto columns = parse_columns(number_text(what["cols"]));
      if (!columns) return note(columns.errors());
      output.columns = *columns;
    }
    note(builder_.add_output(std::move(output)));
  }

  void launch(const Json& object) {
    const std::string base = path_;
    // The kernel comes first, because another kernel removes the arguments.
    go_to(json_pointer(base, "kernel"));
    if (object.contains("kernel")) note(builder_.kernel(number_text(object["kernel"])));
    for (const auto& [key, value] : object.items()) {
      go_to(json_pointer(base, key));
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
        for (const Json& pair : value) builder_.swap(number_text(pair[0]), number_text(pair[1]));
    }
    go_to(base);
    note(builder_.launch());
  }

  void expect(const Json& what) {
    if (what.is_string()) return note(builder_.expect(what.get<std::string>()));
    if (what.contains("values")) return expect_values(what);
    if (what.contains("printf")) return builder_.expect_printf(number_text(what["printf"]));
    if (what.contains("refused"))
      return note(builder_.expect("refused " + number_text(what["refused"])));
    std::string text = "fault " + number_text(what["fault"]);
    if (what.contains("on")) text += " on " + in_quotes(number_text(what["on"]));
    if (what.contains("at")) text += " at " + sizes_text(what["at"]);
    if (what.contains("line")) text += " line " + number_text(what["line"]);
    note(builder_.expect(text));
  }

  void expect_values(const Json& what) {
    const Json& equals = what["equals"];
    const std::string text = equals.is_object() ? object_text(equals) : list_text(equals);
    std::string line = number_text(what["values"]);
    if (what.contains("tolerance")) line += " ~ " + literal_text(what["tolerance"]);
    note(builder_.expect(line + " = " + text));
  }

  PlanBuilder& builder_;
  const JsonPlaces& places_;
  std::string path_;
};

Diagnostics written_twice(const std::vector<RepeatedMember>& repeated) {
  Diagnostics errors;
  for (const RepeatedMember& member : repeated)
    errors.push_back(at_pointer(
        json_error(fmt::format("the member '{}' is written twice", member.name)), member.pointer));
  return errors;
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

/// Gives errors of the document's shape their places; the last note of each is its pointer.
Diagnostics placed_by_pointers(Diagnostics errors, const JsonPlaces& places) {
  constexpr std::string_view kAt = "at ";
  for (Diagnostic& error : errors) {
    const std::string& note = error.notes.back();
    error =
        placed({error}, places.of(note.substr(0, 4) == "at /" ? note.substr(kAt.size()) : ""))[0];
  }
  return errors;
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
  Diagnostics errors = written_twice(repeated);
  for (Diagnostic& error : misshapen(root)) errors.push_back(std::move(error));
  const JsonPlaces places(text, file);
  if (!errors.empty()) return placed_by_pointers(std::move(errors), places);
  PlanBuilder builder(file);
  JsonReader reader(builder, places);
  reader.document(root);
  if (!reader.errors.empty()) return std::move(reader.errors);
  return builder.finish();
}

}  // namespace transpire::launch
