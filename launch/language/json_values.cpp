// Values, memory and arguments of JSON launch descriptions: see the header.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "launch/language/json_reader.h"
#include "launch/language/pipe_argument.h"
#include "launch/language/queue_argument.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

/// True for one number of the language. Numbers that JSON cannot spell are strings.
bool is_number(const Json& value) {
  return value.is_number() || value.is_boolean() || value.is_string();
}

bool is_member_name(std::string_view name) {
  return !name.empty() && name.find_first_of(" \t,(){}=:'\"") == name.npos;
}

}  // namespace

// ---- Literals ---------------------------------------------------------------------------------------

/// Appends the literals that the value stands for: several only for a string with several.
bool JsonReader::literal(const Json& value, std::vector<Literal>& to, std::size_t depth) {
  if (value.is_string()) {
    auto words = noted(parse_literals(value.string()));
    if (words && words->empty()) note(command_error(kBadValue, "a value is missing"));
    if (!words || words->empty()) return false;
    std::ranges::move(*words, std::back_inserter(to));
    return true;
  }
  if (is_number(value)) {
    to.push_back({value.dump(), {}, false});
    return true;
  }
  if (!value.is_array() && (!value.is_object() || value.empty())) {
    expected("a number, a string, an array of them, or members by their names", value);
    return false;
  }
  if (depth == kMaxLiteralDepth) {
    note(command_error(kBadValue, "brackets are nested too deeply"));
    return false;
  }
  Literal inner{{}, {}, true};
  const bool is_read =
      value.is_array() ? list(value, inner.items, depth + 1) : members(value, inner, depth + 1);
  to.push_back(std::move(inner));
  return is_read;
}

bool JsonReader::list(const Json& value, std::vector<Literal>& to, std::size_t depth) {
  bool is_read = true;
  to.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    // Lists may have millions of numbers, which need no place.
    if (value[i].is_number())
      to.push_back({value[i].dump(), {}, false});
    else
      at(fmt::to_string(i), [&] { is_read &= literal(value[i], to, depth); });
  }
  return is_read;
}

bool JsonReader::members(const Json& value, Literal& to, std::size_t depth) {
  bool is_read = true;
  named(value, [&](const std::string& name, const Json& item) {
    if (!is_member_name(name)) return refuse(fmt::format("'{}' is no name of a member", name));
    std::vector<Literal> read;
    if (!literal(item, read, depth)) return void(is_read = false);
    if (read.size() != 1)
      note(command_error(kBadValue, fmt::format("the member '{}' has several values", name)));
    read[0].name = name;
    to.items.push_back(std::move(read[0]));
  });
  return is_read;
}

bool JsonReader::one_literal(const Json& value, std::vector<Literal>& to) {
  const std::size_t before = to.size();
  if (!literal(value, to)) return false;
  if (to.size() != before + 1)
    note(command_error(kBadValue, fmt::format("one value is expected, found {}", shown(value))));
  return to.size() == before + 1;
}

std::optional<ValueSpec> JsonReader::literals(const Json& value) {
  ValueSpec spec;
  if (!literal(value, spec.literals)) return std::nullopt;
  return spec;
}

std::optional<ValueSpec> JsonReader::number(const Json& value) {
  if (value.is_string()) return noted(parse_value_spec(value.string()));
  if (is_number(value)) return literals(value);
  expected("a number, true, false or a string", value);
  return std::nullopt;
}

// ---- Values -----------------------------------------------------------------------------------------

namespace {

using Maker = ValueSpec::Maker;

constexpr std::pair<std::string_view, Maker> kMakerMembers[] = {
    {"zero", Maker::kZero},   {"uninit", Maker::kUninit}, {"fill", Maker::kFill},
    {"range", Maker::kRange}, {"random", Maker::kRandom}, {"data", Maker::kData},
    {"hex", Maker::kHex},     {"file", Maker::kFile},     {"npy", Maker::kNpy}};

/// Names that the object of an argument may have.
std::vector<std::string> argument_members() {
  return {"type",      "zero",   "uninit", "fill",   "range",  "random",   "data",
          "hex",       "file",   "npy",    "as",     "count",  "readonly", "writeonly",
          "undefined", "struct", "local",  "buffer", "shared", "pipe",     "queue"};
}

}  // namespace

/// Reads the numbers of `range` or `random`; the first one of `random` is its seed.
void JsonReader::parameters(const Json& value, std::size_t size, std::string_view form,
                            ValueSpec& spec) {
  if (!value.is_array() || value.size() != size) return expected(form, value);
  elements(value, [&](const Json& item) {
    if (!is_number(item)) return expected("a number, true, false or a string", item);
    const bool is_seed = spec.maker == Maker::kRandom && &item == &value[0];
    if (is_seed)
      set(noted(parse_count(word_of(item), "seed")), spec.seed);
    else
      one_literal(item, spec.literals);
  });
}

void JsonReader::hex(const Json& value, ValueSpec& spec) {
  std::string digits;
  texts(value, [&](const std::string& word) { digits += (digits.empty() ? "" : ", ") + word; });
  if (spec.raw_bytes)
    spec.literals.push_back({std::move(digits), {}, false});
  else
    set(noted(parse_literals(digits)), spec.literals);
}

std::vector<JsonReader::Field> JsonReader::maker_fields(ValueSpec& spec) {
  const auto number_of = [&](const Json& v) { set(count(v), spec.count); };
  const auto file = [&](const Json& v) {
    set(text(v), spec.file);
    if (v.is_string() && spec.file.empty())
      note(command_error(kBadValue, "the name of the file is missing"));
  };
  return {{"type",
           [&](const Json& v) {
             const auto word = type(v);
             spec.raw_bytes = spec.any_type = word == "bytes";
             if (word)
               spec.type = spec.raw_bytes ? TypeWord{ScalarType::kUchar, 1} : type_word(*word);
           }},
          {"zero", number_of},
          {"uninit", number_of},
          {"fill", [&](const Json& v) { one_literal(v, spec.literals); }},
          {"range", [&](const Json& v) { parameters(v, 2, "[START, STEP]", spec); }},
          {"random", [&](const Json& v) { parameters(v, 3, "[SEED, LOW, HIGH]", spec); }},
          {"data",
           [&](const Json& v) {
             if (!v.is_array()) return expected("an array of numbers", v);
             list(v, spec.literals, 0);
           }},
          {"hex", [&](const Json& v) { hex(v, spec); }},
          {"file", file},
          {"npy", file},
          {"as",
           [&](const Json& v) {
             if (const auto word = type(v)) set(noted(parse_type(*word)), spec.converted_to);
           }},
          {"count", number_of},
          {"readonly", [&](const Json& v) { set(boolean(v), spec.read_only); }},
          {"writeonly", [&](const Json& v) { set(boolean(v), spec.write_only); }},
          {"undefined", [&](const Json& v) {
             if (const auto words = text(v)) set(noted(parse_byte_ranges(*words)), spec.undefined);
           }}};
}

/// Checks which members an object has that makes a value. `is_whole`: a maker that takes a count must have one.
void JsonReader::check_maker(const Json& value, bool is_whole, std::size_t errors_before,
                             const std::vector<std::string>& known) {
  std::vector<std::string> makers, all;
  for (const auto& [name, maker] : kMakerMembers) {
    all.emplace_back(name);
    if (value.contains(name)) makers.emplace_back(name);
  }
  if (makers.size() > 1)
    return refuse(fmt::format("the object says more than one value: {}", listed(makers)));
  if (makers.empty()) {
    if (misshapen_.size() == errors_before)
      refuse("the object says no value", "it needs one of " + listed(known.empty() ? all : known));
    return;
  }
  const std::string& maker = makers[0];
  const bool is_counted = maker == "fill" || maker == "range" || maker == "random";
  if (value.contains("as") && maker != "npy")
    return at("as",
              [&] { refuse(fmt::format("'{}' takes no 'as'", maker), "only npy takes one"); });
  if (value.contains("count") && !is_counted)
    return at("count", [&] {
      refuse(fmt::format("'{}' takes no 'count'", maker), "only fill, range and random take one");
    });
  if (is_whole && is_counted && !value.contains("count"))
    refuse("the member 'count' is missing",
           fmt::format("'{}' needs the number of elements", maker));
}

std::optional<ValueSpec> JsonReader::made(const Json& value, bool is_whole,
                                          const std::vector<std::string>& known) {
  const std::size_t before = misshapen_.size();
  ValueSpec spec;
  for (const auto& [name, maker] : kMakerMembers)
    if (value.contains(name)) spec.maker = maker;
  object(value, maker_fields(spec), known);
  if (!value.is_object()) return std::nullopt;
  check_maker(value, is_whole, before, known);
  note(check_access(spec));
  return spec;
}

std::optional<ValueSpec> JsonReader::contents(const Json& value, bool is_whole) {
  if (value.is_string()) return noted(parse_value_spec(value.string()));
  if (value.is_object()) return made(value, is_whole);
  expected("a string or an object", value);
  return std::nullopt;
}

/// {"struct": [1, [2, 3]]}, {"struct": {"x": 1}}: the members in their order, or by their names.
std::optional<ValueSpec> JsonReader::structure(const Json& value) {
  ValueSpec spec;
  object(value, {{"struct", [&](const Json& v) {
                    const bool is_named = v.is_object() && !v.empty();
                    if (!is_named && !v.is_array()) return expected("an array of numbers", v);
                    literal(v, spec.literals);
                  }}});
  return spec;
}

// ---- Memory and arguments ---------------------------------------------------------------------------

/// {"buffer": "data", "offset": 64}
std::optional<ArgumentSpec> JsonReader::reference(const Json& value, bool is_slice) {
  ArgumentSpec argument;
  argument.kind = ArgumentSpec::Kind::kBuffer;
  BufferReference& buffer = argument.buffer;
  object(value, {{"buffer", [&](const Json& v) { set(text(v), buffer.name); }},
                 {"offset", [&](const Json& v) { set(bytes(v), buffer.offset_bytes); }},
                 {"size", [&](const Json& v) { set(bytes(v), buffer.size_bytes); }},
                 {"readonly", [&](const Json& v) { set(boolean(v), buffer.read_only); }},
                 {"writeonly", [&](const Json& v) { set(boolean(v), buffer.write_only); }}});
  if (is_slice && !value.contains("size"))
    refuse("the member 'size' is missing", "a slice of a buffer says how large it is");
  if (buffer.name.empty())
    note(command_error(kBadLaunchFile, "the name of a buffer is missing after 'buffer'"));
  note(check_reference(buffer));
  return argument;
}

/// {"shared": "nodes", "offset": 16}
std::optional<ArgumentSpec> JsonReader::shared(const Json& value) {
  ArgumentSpec argument;
  argument.kind = ArgumentSpec::Kind::kShared;
  object(value, {{"shared",
                  [&](const Json& v) {
                    if (const auto word = whole_or_text(v))
                      set(noted(parse_shared(*word)), argument.shared);
                  }},
                 {"offset", [&](const Json& v) { set(bytes(v), argument.shared.offset_bytes); }}});
  if (argument.shared.name.empty() && value.contains("offset"))
    note(behind_shared("offset " + word_of(value["offset"]), word_of(value["shared"])));
  return argument;
}

/// {"pipe": "int4", "capacity": 64, "value": {"zero": 3}}
std::optional<ArgumentSpec> JsonReader::pipe(const Json& value) {
  ArgumentSpec argument;
  std::optional<std::string> packet;
  std::optional<std::uint64_t> capacity;
  std::optional<ValueSpec> packets;
  object(value, {{"pipe", [&](const Json& v) { packet = whole_or_text(v); }, true},
                 {"capacity", [&](const Json& v) { capacity = count(v); }, true},
                 {"value", [&](const Json& v) { packets = contents(v, false); }}});
  if (!packet || !capacity) return std::nullopt;
  note(read_pipe(argument, *packet, fmt::to_string(*capacity)));
  if (packets) note(fill_pipe(argument, std::move(*packets)));
  return argument;
}

std::optional<ArgumentSpec> JsonReader::local_memory(const Json& value) {
  ArgumentSpec argument;
  argument.kind = ArgumentSpec::Kind::kLocal;
  object(value, {{"local", [&](const Json& v) { set(bytes(v), argument.local_bytes); }}});
  return argument;
}

std::optional<ArgumentSpec> JsonReader::queue_argument(const Json& value) {
  ArgumentSpec argument;
  argument.kind = ArgumentSpec::Kind::kQueue;
  object(value, {{"queue", [&](const Json& v) { set(text(v), argument.queue); }}});
  return argument;
}

std::optional<ArgumentSpec> JsonReader::argument(const std::string& target, const Json& value) {
  if (value.is_string()) return noted(parse_argument(target, value.string()));
  std::optional<ArgumentSpec> argument = ArgumentSpec{};
  const auto holds = [&](std::optional<ValueSpec> spec) {
    if (spec)
      argument->value = std::move(*spec);
    else
      argument.reset();
  };
  if (value.is_null())
    argument->kind = ArgumentSpec::Kind::kNull;
  else if (!value.is_object())
    holds(literals(value));
  else if (value.contains("local"))
    argument = local_memory(value);
  else if (value.contains("buffer"))
    argument = reference(value, false);
  else if (value.contains("shared"))
    argument = shared(value);
  else if (value.contains("struct"))
    holds(structure(value));
  else if (value.contains("pipe"))
    argument = pipe(value);
  else if (value.contains("queue"))
    argument = queue_argument(value);
  else
    holds(made(value, true, argument_members()));
  if (argument) argument->target = target;
  return argument;
}

std::optional<BufferSpec> JsonReader::buffer(const std::string& name, const Json& value) {
  if (value.is_string()) return noted(parse_buffer(name, value.string()));
  std::optional<ArgumentSpec> argument;
  if (value.contains("pipe")) {
    argument = pipe(value);
  } else if (value.contains("buffer")) {
    argument = reference(value, true);
  } else if (auto spec = contents(value, true)) {
    argument.emplace();
    argument->value = std::move(*spec);
  }
  if (!argument) return std::nullopt;
  argument->target = name;
  return declared_by(std::move(*argument));
}

std::optional<BufferSpec> JsonReader::shared_memory(const std::string& name, const Json& value) {
  BufferSpec spec;
  spec.name = name;
  spec.kind = BufferSpec::Kind::kShared;
  const auto address = [&](const Json& v) {
    if (const auto word = whole_or_text(v)) set(noted(parse_count(*word, "address")), spec.address);
  };
  object(value, {{"at", address, true},
                 {"value", [&](const Json& v) { set(contents(v, true), spec.value); }, true}});
  return spec;
}

std::optional<ValueSpec> JsonReader::variable(const Json& value) {
  if (value.is_string()) return noted(parse_variable(value.string()));
  if (value.contains("struct")) return structure(value);
  return value.is_object() ? made(value, false) : literals(value);
}

std::optional<QueueSpec> JsonReader::queue(const std::string& name, const Json& value) {
  if (!value.is_null() && !value.is_number_integer() && !value.is_string()) {
    expected("a whole number, a string or null", value);
    return std::nullopt;
  }
  return noted(parse_queue(name, value.is_null() ? "" : word_of(value)));
}

}  // namespace transpire::launch
