// The shape of JSON launch descriptions: see the header. One table for each kind of object, in the
// order of the schema.
#include "launch/language/launch_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "launch/language/asked_settings.h"
#include "launch/language/layout.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

/// Text of a value for messages; a long value is only named.
std::string shown(const Json& value) {
  constexpr std::size_t kLongest = 40;
  if (value.is_object()) return "an object";
  if (value.is_array()) return fmt::format("an array of {}", value.size());
  const std::string text = value.dump();
  return text.size() > kLongest ? "a long string" : text;
}

bool is_count(const Json& value) { return value.is_number_unsigned(); }

/// True for one number of the language. Numbers that JSON cannot spell are strings.
bool is_number(const Json& value) {
  return value.is_number() || value.is_boolean() || value.is_string();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_rule(std::string_view text) {
  constexpr std::string_view kPrefix = "TSP-";
  if (!text.starts_with(kPrefix)) return false;
  text.remove_prefix(kPrefix.size());
  return text.size() == 5 && text[0] >= 'A' && text[0] <= 'Z' &&
         std::all_of(text.begin() + 1, text.end(), is_digit);
}

bool is_member_name(std::string_view name) {
  return !name.empty() && name.find_first_of(" \t,(){}=:'\"") == name.npos;
}

constexpr std::string_view kCheckMember = "check";

class ShapeChecker {
 public:
  Diagnostics errors;

  void document(const Json& root) { object(root, "", root_members()); }

 private:
  using Check = void (ShapeChecker::*)(const Json&, const std::string&);
  struct Member {
    std::string_view name;
    Check check;
    bool required = false;
    const Setting* setting =
        nullptr;  ///< the setting that gives the legal values; then `check` is null
  };
  using Members = std::span<const Member>;

  void refuse(const std::string& at, const std::string& message, std::string help = {}) {
    errors.push_back(at_pointer(command_error(kBadLaunchFile, message, std::move(help)), at));
  }

  void expected(const std::string& at, std::string_view what, const Json& found,
                std::string help = {}) {
    refuse(at, fmt::format("expected {}, found {}", what, shown(found)), std::move(help));
  }

  static std::vector<std::string> names_of(Members members) {
    std::vector<std::string> names;
    for (const Member& member : members) names.emplace_back(member.name);
    return names;
  }

  static const Member* member_named(std::string_view name, Members members) {
    const auto found = std::find_if(members.begin(), members.end(),
                                    [&](const Member& member) { return member.name == name; });
    return found == members.end() ? nullptr : &*found;
  }

  void unknown(const std::string& at, const std::string& key,
               const std::vector<std::string>& known) {
    refuse(json_pointer(at, key), fmt::format("the member '{}' is not known", key),
           suggestion(key, known, "members"));
  }

  /// Checks an object. `known` are the names for suggestions, if they are more than the members.
  void object(const Json& value, const std::string& at, Members members,
              const std::vector<std::string>& known = {}) {
    if (!value.is_object()) return expected(at, "an object", value);
    for (const auto& [key, what] : value.items()) {
      if (const Member* member = member_named(key, members))
        check_member(*member, what, json_pointer(at, key));
      else
        unknown(at, key, known.empty() ? names_of(members) : known);
    }
    for (const Member& member : members)
      if (member.required && !value.contains(member.name))
        refuse(at, fmt::format("the member '{}' is missing", member.name));
  }

  void check_member(const Member& member, const Json& value, const std::string& at) {
    if (member.setting == nullptr) return (this->*member.check)(value, at);
    switch (member.setting->kind) {
      case SettingKind::kCheck:
      case SettingKind::kFlag:
        return boolean(value, at);
      case SettingKind::kCount:
        return count(value, at);
      case SettingKind::kChoice:
        return one_of(value, at, value_names(*member.setting), member.setting->unit);
    }
  }

  /// kRoot, with the settings of the table behind "check".
  static Check check_of(LimitKind kind) {
    switch (kind) {
      case LimitKind::kCount:
        return &ShapeChecker::count;
      case LimitKind::kBytes:
        return &ShapeChecker::whole_or_text;
      case LimitKind::kTime:
        return &ShapeChecker::real_or_text;
    }
    return nullptr;
  }

  static std::vector<Member> root_members() {
    std::vector<Member> members;
    for (const Member& member : kRoot) {
      members.push_back(member);
      if (member.name != kCheckMember) continue;
      for (const std::string_view word : setting_words())
        if (const Setting* const setting = find_setting(word))
          members.push_back({word, nullptr, false, setting});
    }
    for (const Limit& limit : kLimits) members.push_back({limit.word, check_of(limit.kind)});
    return members;
  }

  /// An object whose members have names of the author's choice.
  void named(const Json& value, const std::string& at, Check check) {
    if (!value.is_object()) return expected(at, "an object", value);
    for (const auto& [key, what] : value.items()) (this->*check)(what, json_pointer(at, key));
  }

  void elements(const Json& value, const std::string& at, Check check) {
    std::size_t index = 0;
    for (const Json& item : value) (this->*check)(item, json_pointer(at, fmt::to_string(index++)));
  }

  void one_or_more(const Json& value, const std::string& at, Check check) {
    if (value.is_array()) return elements(value, at, check);
    (this->*check)(value, at);
  }

  void one_of(const Json& value, const std::string& at, const std::vector<std::string>& names,
              std::string_view what) {
    if (!value.is_string()) return expected(at, "a string", value, suggestion("", names, what));
    const auto& text = value.string();
    if (std::find(names.begin(), names.end(), text) == names.end())
      refuse(at, fmt::format("'{}' is not one of the {}", text, what),
             suggestion(text, names, what));
  }

  // Leaves.

  void text(const Json& value, const std::string& at) {
    if (!value.is_string()) expected(at, "a string", value);
  }

  void texts(const Json& value, const std::string& at) {
    if (!value.is_string() && !value.is_array())
      return expected(at, "a string or an array of strings", value);
    one_or_more(value, at, &ShapeChecker::text);
  }

  void modules(const Json& value, const std::string& at) {
    if (value.is_array() && value.empty())
      return refuse(at, "no module is named", "write \"modules\": [\"kernel.cl\"]");
    texts(value, at);
  }

  void boolean(const Json& value, const std::string& at) {
    if (!value.is_boolean()) expected(at, "true or false", value);
  }

  void count(const Json& value, const std::string& at) {
    if (is_count(value)) return;
    const bool quoted = value.is_string() && !value.string().empty() &&
                        std::all_of(value.string().begin(), value.string().end(), is_digit);
    expected(at, "a whole number of at least 0", value, quoted ? "write it without quotes" : "");
  }

  void whole_or_text(const Json& value, const std::string& at) {
    if (!value.is_number_integer() && !value.is_string())
      expected(at, "a whole number or a string", value);
  }

  void real_or_text(const Json& value, const std::string& at) {
    if (!value.is_number() && !value.is_string()) expected(at, "a number or a string", value);
  }

  /// Checks one tolerance, or a list with one for each number of an element.
  void tolerance(const Json& value, const std::string& at) {
    if (value.is_array() && !value.empty()) return elements(value, at, &ShapeChecker::real_or_text);
    if (!value.is_number() && !value.is_string())
      expected(at, "a number, a string or an array of these, one for each channel", value);
  }

  void isa(const Json& value, const std::string& at) {
    one_of(value, at, known_isas(), "instruction sets");
  }

  void environment(const Json& value, const std::string& at) {
    one_of(value, at, environment_names(), "environments");
  }

  void check(const Json& value, const std::string& at) {
    one_of(value, at, check_names(), "checks");
  }

  void checks(const Json& value, const std::string& at) {
    one_or_more(value, at, &ShapeChecker::check);
  }

  void number(const Json& value, const std::string& at) {
    if (!is_number(value)) expected(at, "a number, true, false or a string", value);
  }

  void literal(const Json& value, const std::string& at) { nested_literal(value, at, 0); }

  void nested_literal(const Json& value, const std::string& at, std::size_t depth) {
    if (is_number(value)) return;
    if (value.is_object() && !value.empty()) return members_of(value, at, depth);
    if (!value.is_array())
      return expected(at, "a number, a string, an array of them, or members by their names", value);
    // The reader of literals refuses deeper nesting.
    if (depth > kMaxLiteralDepth) return;
    for (std::size_t i = 0; i < value.size(); ++i)
      if (!is_number(value[i]))
        nested_literal(value[i], json_pointer(at, fmt::to_string(i)), depth + 1);
  }

  void members_of(const Json& value, const std::string& at, std::size_t depth) {
    if (depth > kMaxLiteralDepth) return;
    for (const auto& [key, item] : value.items()) {
      if (!is_member_name(key))
        refuse(json_pointer(at, key), fmt::format("'{}' is no name of a member", key));
      nested_literal(item, json_pointer(at, key), depth + 1);
    }
  }

  /// Checks the members of a struct, in their order or by their names.
  void members(const Json& value, const std::string& at) {
    if (value.is_object() && !value.empty()) return literal(value, at);
    literals(value, at);
  }

  void literals(const Json& value, const std::string& at) {
    if (!value.is_array()) return expected(at, "an array of numbers", value);
    literal(value, at);
  }

  void sizes(const Json& value, const std::string& at) {
    if (is_count(value) || value.is_string()) return;
    if (value.is_array() && !value.empty() && value.size() <= 3)
      return elements(value, at, &ShapeChecker::count);
    expected(at, "a whole number, a string or an array of one to three whole numbers", value);
  }

  void parameters(const Json& value, const std::string& at, std::size_t size,
                  std::string_view form) {
    if (!value.is_array() || value.size() != size) return expected(at, form, value);
    elements(value, at, &ShapeChecker::number);
  }

  void range(const Json& value, const std::string& at) {
    parameters(value, at, 2, "[START, STEP]");
  }

  void random(const Json& value, const std::string& at) {
    parameters(value, at, 3, "[SEED, LOW, HIGH]");
  }

  void type(const Json& value, const std::string& at) {
    if (!value.is_string()) return expected(at, "a string", value);
    const auto& word = value.string();
    if (word == "bytes" || type_word(word)) return;
    std::vector<std::string> known{"bytes"};
    for (int i = 0; i <= static_cast<int>(ScalarType::kDouble); ++i)
      known.emplace_back(name_of(static_cast<ScalarType>(i)));
    refuse(at, fmt::format("'{}' is not a type", word), suggestion(word, known, "types"));
  }

  void rule(const Json& value, const std::string& at) {
    if (!value.is_string() || !is_rule(value.string()))
      expected(at, "a rule such as \"TSP-R0021\"", value);
  }

  // Values.

  static bool is_counted(std::string_view maker) {
    return maker == "fill" || maker == "range" || maker == "random";
  }

  /// Checks an object that makes a value. `whole`: a maker that takes a count must have one.
  void made(const Json& value, const std::string& at, bool whole,
            const std::vector<std::string>& known = {}) {
    const std::size_t before = errors.size();
    object(value, at, kMade, known);
    std::vector<std::string> makers;
    for (const Member& maker : kMakers)
      if (value.contains(maker.name)) makers.emplace_back(maker.name);
    if (makers.size() > 1)
      return refuse(at, fmt::format("the object says more than one value: {}", listed(makers)));
    if (makers.empty()) {
      if (errors.size() == before)
        refuse(at, "the object says no value",
               "it needs one of " + listed(known.empty() ? names_of(kMakers) : known));
      return;
    }
    const bool counted = is_counted(makers[0]);
    if (value.contains("as") && makers[0] != "npy")
      return refuse(json_pointer(at, "as"), fmt::format("'{}' takes no 'as'", makers[0]),
                    "only npy takes one");
    if (value.contains("count") && !counted)
      return refuse(json_pointer(at, "count"), fmt::format("'{}' takes no 'count'", makers[0]),
                    "only fill, range and random take one");
    if (whole && counted && !value.contains("count"))
      refuse(at, "the member 'count' is missing",
             fmt::format("'{}' needs the number of elements", makers[0]));
  }

  void contents(const Json& value, const std::string& at) {
    if (value.is_string()) return;
    if (!value.is_object()) return expected(at, "a string or an object", value);
    made(value, at, true);
  }

  void buffer(const Json& value, const std::string& at) {
    if (value.is_object() && value.contains("pipe")) return object(value, at, kPipe);
    if (!value.is_object() || !value.contains("buffer")) return contents(value, at);
    object(value, at, kBuffer);
    if (!value.contains("size"))
      refuse(at, "the member 'size' is missing", "a slice of a buffer says how large it is");
  }

  /// Checks the size of a queue; null means the default size.
  void queue_size(const Json& value, const std::string& at) {
    if (!value.is_null() && !value.is_number_integer() && !value.is_string())
      expected(at, "a whole number, a string or null", value);
  }

  void shared_memory(const Json& value, const std::string& at) { object(value, at, kSharedMemory); }

  /// Checks the contents of a program-scope variable, whose type gives the size.
  void variable(const Json& value, const std::string& at) {
    if (value.is_object() && value.contains("struct")) return object(value, at, kStruct);
    if (value.is_object()) return made(value, at, false);
    literal(value, at);
  }

  void argument(const Json& value, const std::string& at) {
    if (value.is_null()) return;
    if (!value.is_object()) return literal(value, at);
    for (const auto& members : {Members(kLocal), Members(kBuffer), Members(kShared),
                                Members(kStruct), Members(kPipe), Members(kQueue)})
      if (value.contains(members[0].name)) return object(value, at, members);
    std::vector<std::string> known = names_of(kMade);
    known.insert(known.end(), {"struct", "local", "buffer", "shared", "pipe", "queue"});
    made(value, at, true, known);
  }

  void equals(const Json& value, const std::string& at) {
    if (value.is_object()) return made(value, at, false);
    literal(value, at);
  }

  /// Checks the packets in a pipe. Without a count, they fill the pipe.
  void packets(const Json& value, const std::string& at) {
    if (value.is_string()) return;
    if (!value.is_object()) return expected(at, "a string or an object", value);
    made(value, at, false);
  }

  void specialisation(const Json& value, const std::string& at) {
    named(value, at, &ShapeChecker::number);
  }
  void buffers(const Json& value, const std::string& at) {
    named(value, at, &ShapeChecker::buffer);
  }
  void queues(const Json& value, const std::string& at) {
    named(value, at, &ShapeChecker::queue_size);
  }
  void shared(const Json& value, const std::string& at) {
    named(value, at, &ShapeChecker::shared_memory);
  }
  void variables(const Json& value, const std::string& at) {
    named(value, at, &ShapeChecker::variable);
  }
  void arguments(const Json& value, const std::string& at) {
    named(value, at, &ShapeChecker::argument);
  }

  // Steps.

  void steps(const Json& value, const std::string& at) {
    if (!value.is_array()) return expected(at, "an array", value);
    elements(value, at, &ShapeChecker::step);
  }

  void step(const Json& value, const std::string& at) {
    if (!value.is_object() || value.size() != 1)
      return refuse(at, "a step is an object with one member", "launch, print, out or expect");
    object(value, at, kStep);
  }

  void launch(const Json& value, const std::string& at) { object(value, at, kLaunch); }

  void swaps(const Json& value, const std::string& at) {
    if (!value.is_array()) return expected(at, "an array of pairs", value, kSwapHelp);
    elements(value, at, &ShapeChecker::swap);
  }

  void swap(const Json& value, const std::string& at) {
    if (!value.is_array() || value.size() != 2)
      return expected(at, "a pair of arguments", value, kSwapHelp);
    elements(value, at, &ShapeChecker::text);
  }

  void output(const Json& value, const std::string& at) {
    if (!value.is_object())
      return refuse(at, fmt::format("'out' must be an object, found {}", shown(value)),
                    "write {\"out\": {\"buffer\": \"y\", \"file\": \"y.npy\"}}");
    object(value, at, kOutput);
  }

  void expectation(const Json& value, const std::string& at) {
    if (value.is_string()) return;
    if (!value.is_object()) return expected(at, "a string or an object", value);
    const auto forms = {Members(kValues), Members(kFault), Members(kPrintf), Members(kRefused)};
    for (const auto& members : forms)
      if (value.contains(members[0].name)) return object(value, at, members);
    const std::vector<std::string> known{"values", "fault", "printf", "refused"};
    if (value.empty())
      return refuse(at, "the object expects nothing", suggestion("", known, "members"));
    for (const auto& [key, what] : value.items()) unknown(at, key, known);
  }

  static constexpr const char* kSwapHelp = "write [[\"a\", \"b\"]]";

  // Objects. The first member of a form identifies the form.
  static const Member kRoot[16], kMakers[9], kMade[15], kLocal[1], kBuffer[5], kShared[2],
      kSharedMemory[2], kStruct[1], kPipe[3], kQueue[1], kStep[4], kLaunch[7], kOutput[4],
      kValues[3], kFault[4], kPrintf[1], kRefused[1];
};

using Shape = ShapeChecker;

const Shape::Member Shape::kRoot[] = {{"modules", &Shape::modules, true},
                                      {"options", &Shape::texts},
                                      {"suppress", &Shape::texts},
                                      {"specialisation", &Shape::specialisation},
                                      {"buffers", &Shape::buffers},
                                      {"queues", &Shape::queues},
                                      {"default-queue", &Shape::text},
                                      {"shared", &Shape::shared},
                                      {"shared-base", &Shape::whole_or_text},
                                      {"variables", &Shape::variables},
                                      {"steps", &Shape::steps, true},
                                      {"isa", &Shape::isa},
                                      {"threads", &Shape::count},
                                      {kCheckMember, &Shape::checks},
                                      {"env", &Shape::environment},
                                      {"$schema", &Shape::text}};

const Shape::Member Shape::kMakers[] = {
    {"zero", &Shape::count},  {"uninit", &Shape::count},  {"fill", &Shape::literal},
    {"range", &Shape::range}, {"random", &Shape::random}, {"data", &Shape::literals},
    {"hex", &Shape::texts},   {"file", &Shape::text},     {"npy", &Shape::text}};

const Shape::Member Shape::kMade[] = {
    {"type", &Shape::type},        {"zero", &Shape::count},        {"uninit", &Shape::count},
    {"fill", &Shape::literal},     {"range", &Shape::range},       {"random", &Shape::random},
    {"data", &Shape::literals},    {"hex", &Shape::texts},         {"file", &Shape::text},
    {"npy", &Shape::text},         {"as", &Shape::type},           {"count", &Shape::count},
    {"readonly", &Shape::boolean}, {"writeonly", &Shape::boolean}, {"undefined", &Shape::text}};

const Shape::Member Shape::kLocal[] = {{"local", &Shape::whole_or_text}};
const Shape::Member Shape::kBuffer[] = {{"buffer", &Shape::text},
                                        {"offset", &Shape::whole_or_text},
                                        {"size", &Shape::whole_or_text},
                                        {"readonly", &Shape::boolean},
                                        {"writeonly", &Shape::boolean}};
const Shape::Member Shape::kShared[] = {{"shared", &Shape::whole_or_text},
                                        {"offset", &Shape::whole_or_text}};
const Shape::Member Shape::kSharedMemory[] = {{"at", &Shape::whole_or_text, true},
                                              {"value", &Shape::contents, true}};
const Shape::Member Shape::kStruct[] = {{"struct", &Shape::members}};
const Shape::Member Shape::kPipe[] = {{"pipe", &Shape::whole_or_text, true},
                                      {"capacity", &Shape::count, true},
                                      {"value", &Shape::packets}};
const Shape::Member Shape::kQueue[] = {{"queue", &Shape::text}};

const Shape::Member Shape::kStep[] = {{"launch", &Shape::launch},
                                      {"print", &Shape::text},
                                      {"out", &Shape::output},
                                      {"expect", &Shape::expectation}};

const Shape::Member Shape::kLaunch[] = {{"kernel", &Shape::text},         {"global", &Shape::sizes},
                                        {"local", &Shape::sizes},         {"offset", &Shape::sizes},
                                        {"arguments", &Shape::arguments}, {"repeat", &Shape::count},
                                        {"swap", &Shape::swaps}};

const Shape::Member Shape::kOutput[] = {{"buffer", &Shape::text, true},
                                        {"file", &Shape::text, true},
                                        {"type", &Shape::type},
                                        {"cols", &Shape::count}};

const Shape::Member Shape::kValues[] = {{"values", &Shape::text, true},
                                        {"tolerance", &Shape::tolerance},
                                        {"equals", &Shape::equals, true}};
const Shape::Member Shape::kFault[] = {{"fault", &Shape::rule, true},
                                       {"on", &Shape::text},
                                       {"at", &Shape::sizes},
                                       {"line", &Shape::text}};
const Shape::Member Shape::kPrintf[] = {{"printf", &Shape::text, true}};
const Shape::Member Shape::kRefused[] = {{"refused", &Shape::rule, true}};

}  // namespace

Diagnostics misshapen(const Json& root) {
  ShapeChecker checker;
  checker.document(root);
  return std::move(checker.errors);
}

Diagnostic at_pointer(Diagnostic error, const std::string& pointer) {
  error.notes.push_back(pointer.empty() ? "at the top level" : "at " + pointer);
  return error;
}

}  // namespace transpire::launch
