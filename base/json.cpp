// JSON values: see the header. The parser of nlohmann/json calls JsonBuilder, which makes the tree; its writer gets a tree
// of its own.
#include "base/json.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace transpire {
namespace {

using Library = nlohmann::ordered_json;

/// The library's message without its number and place.
std::string message_of(std::string_view what) {
  what.remove_prefix(std::min(what.find("] ") + 2, what.size()));
  if (const std::size_t place = what.find(": "); what.starts_with("parse error at"))
    what.remove_prefix(std::min(place + 2, what.size()));
  return std::string(what);
}

Library library_value(const Json& json);

Library library_object(const Json& json) {
  Library::object_t members;
  members.reserve(json.size());
  // Behind the others at once: emplace() would look for the name among them.
  for (const auto& [name, value] : json.items()) members.emplace_back(name, library_value(value));
  return members;
}

Library library_array(const Json& json) {
  Library::array_t elements;
  elements.reserve(json.size());
  for (const Json& each : json) elements.push_back(library_value(each));
  return elements;
}

Library library_value(const Json& json) {
  if (json.is_object()) return library_object(json);
  if (json.is_array()) return library_array(json);
  if (json.is_string()) return json.string();
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_unsigned()) return json.get<std::uint64_t>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  return nullptr;
}

/// Moves non-empty arrays and objects out of a value, which then is one level deep.
template <class Values, class Value>
void take_deeper(Values& values, Value value_of, Json::Array& deeper) {
  for (auto& each : values)
    if (Json& value = value_of(each); value.is_structured() && !value.empty())
      deeper.push_back(std::move(value));
}

/// Makes a value of the parser's calls (the library's SAX interface; false would end the parse).
class JsonBuilder {
 public:
  explicit JsonBuilder(std::vector<RepeatedMember>* repeated) : repeated_(repeated) {}

  Json take() { return std::move(root_); }

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(std::int64_t value) { return put(value); }
  bool number_unsigned(std::uint64_t value) { return put(value); }
  bool number_float(double value, const std::string& /*text*/) { return put(value); }
  bool string(std::string& value) { return put(std::move(value)); }
  bool binary(Library::binary_t& /*no text has one*/) { return false; }

  bool start_array(std::size_t /*size*/) { return open(Json::array(), nullptr); }
  bool end_array() { return close(); }
  bool start_object(std::size_t /*size*/) {
    return open(Json::object(), std::make_unique<Names>());
  }
  bool end_object() { return close(); }

  bool key(std::string& name) {
    Open& object = open_.back();
    Json::Object& members = object.json->items();
    const auto [known, is_new] = object.names->try_emplace(name, members.size());
    object.member = known->second;
    if (is_new)
      members.push_back({std::move(name), Json()});
    else if (repeated_ != nullptr)
      repeated_->push_back({name, pointer()});
    return true;
  }

  template <class Error>
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/, const Error& error) {
    std::size_t bytes_read = 0;
    if constexpr (requires { error.byte; }) bytes_read = error.byte;
    throw JsonError(message_of(error.what()), bytes_read);
  }

 private:
  using Names = std::unordered_map<std::string, std::size_t>;

  /// An array or object that has begun. It stays where it is until it ends.
  struct Open {
    Json* json;
    std::unique_ptr<Names>
        names;               ///< names of an object's members, with their indexes; null for an
                             ///< array
    std::size_t member = 0;  ///< member whose value is next
  };

  Json& place() {
    if (open_.empty()) return root_;
    Open& last = open_.back();
    if (last.names == nullptr) return last.json->push_back(nullptr);
    return last.json->items()[last.member].value;
  }

  bool put(Json value) {
    place() = std::move(value);
    return true;
  }

  bool open(Json empty, std::unique_ptr<Names> names) {
    Json& json = place();
    json = std::move(empty);
    open_.push_back({&json, std::move(names)});
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  /// The JSON pointer of the member that comes next.
  std::string pointer() const {
    std::string pointer;
    for (const Open& open : open_)
      pointer = json_pointer(pointer, open.names == nullptr ? std::to_string(open.json->size() - 1)
                                                            : open.json->items()[open.member].name);
    return pointer;
  }

  std::vector<RepeatedMember>* repeated_;
  Json root_;
  std::vector<Open> open_;
};

}  // namespace

Json::Json() = default;
Json::Json(std::nullptr_t) {}
Json::Json(std::string text) : value_(OnHeap(std::move(text))) {}
Json::Json(std::string_view text) : value_(OnHeap(std::string(text))) {}
Json::Json(const char* text) : value_(OnHeap(std::string(text))) {}
Json::Json(Array elements) : value_(OnHeap(std::move(elements))) {}
Json::Json(Object members) : value_(OnHeap(std::move(members))) {}

Json::Json(std::initializer_list<Listed> members) : Json(object()) {
  items().reserve(members.size());
  for (const Listed& member : members) items().push_back({member.name, std::move(member.value)});
}

Json Json::array(Array elements) { return elements; }
Json Json::object() { return Object(); }

Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
Json& Json::operator=(const Json& other) { return *this = Json(other); }

Json& Json::operator=(Json&& other) noexcept {
  // The old value may hold `other`.
  const Json old(std::move(*this));
  value_ = std::exchange(other.value_, nullptr);
  return *this;
}

Json::~Json() {
  Array deeper;
  const auto take_from = [&deeper](Json& json) {
    if (json.is_array())
      take_deeper(
          json.elements(), [](Json& e) -> Json& { return e; }, deeper);
    if (json.is_object())
      take_deeper(
          json.items(), [](JsonMember& m) -> Json& { return m.value; }, deeper);
  };
  take_from(*this);
  while (!deeper.empty()) {
    Json last = std::move(deeper.back());
    deeper.pop_back();
    take_from(last);
  }
}

Json Json::parse(std::string_view text, std::vector<RepeatedMember>* repeated) {
  JsonBuilder builder(repeated);
  Library::sax_parse(text, &builder);
  return builder.take();
}

std::optional<Json> Json::try_parse(std::string_view text) {
  try {
    return parse(text);
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

bool Json::accept(std::string_view text) { return Library::accept(text); }

std::string Json::dump(int indent, JsonText form) const {
  using OnError = Library::error_handler_t;
  try {
    return library_value(*this).dump(indent, ' ', form == JsonText::kAscii,
                                     form == JsonText::kValid ? OnError::strict : OnError::replace);
  } catch (const Library::type_error& error) {
    throw JsonError(message_of(error.what()));
  }
}

const std::string& Json::string() const {
  if (!is_string()) throw JsonError("expected a string");
  return *std::get<OnHeap<std::string>>(value_).value;
}

bool Json::boolean() const {
  if (!is_boolean()) throw JsonError("expected true or false");
  return std::get<bool>(value_);
}

double Json::real() const {
  if (const auto* const natural = std::get_if<std::uint64_t>(&value_))
    return static_cast<double>(*natural);
  if (const auto* const integer = std::get_if<std::int64_t>(&value_))
    return static_cast<double>(*integer);
  if (!is<double>()) throw JsonError("expected a number");
  return std::get<double>(value_);
}

std::int64_t Json::integer(std::int64_t least, std::int64_t most) const {
  if (const auto* const integer = std::get_if<std::int64_t>(&value_)) {
    if (*integer >= least && *integer <= most) return *integer;
  } else if (const auto* const natural = std::get_if<std::uint64_t>(&value_)) {
    if (*natural <= static_cast<std::uint64_t>(most)) return static_cast<std::int64_t>(*natural);
  }
  throw JsonError("expected an integer from " + std::to_string(least) + " to " +
                  std::to_string(most));
}

std::uint64_t Json::natural(std::uint64_t most) const {
  if (const auto* const natural = std::get_if<std::uint64_t>(&value_)) {
    if (*natural <= most) return *natural;
  } else if (const auto* const integer = std::get_if<std::int64_t>(&value_)) {
    if (*integer >= 0 && static_cast<std::uint64_t>(*integer) <= most)
      return static_cast<std::uint64_t>(*integer);
  }
  throw JsonError("expected an integer from 0 to " + std::to_string(most));
}

const Json::Array& Json::elements() const {
  if (!is_array()) throw JsonError("expected an array");
  return *std::get<OnHeap<Array>>(value_).value;
}
Json::Array& Json::elements() { return const_cast<Array&>(std::as_const(*this).elements()); }

const Json::Object& Json::items() const {
  if (!is_object()) throw JsonError("expected an object");
  return *std::get<OnHeap<Object>>(value_).value;
}
Json::Object& Json::items() { return const_cast<Object&>(std::as_const(*this).items()); }

Json& Json::push_back(Json element) {
  if (is_null()) *this = array();
  return elements().emplace_back(std::move(element));
}

const Json* Json::find(std::string_view name) const {
  if (!is_object()) return nullptr;
  const auto found = std::ranges::find(items(), name, &JsonMember::name);
  return found == items().end() ? nullptr : &found->value;
}

const Json& Json::at(std::string_view name) const {
  const Json* const found = find(name);
  if (found == nullptr) throw JsonError("there is no member '" + std::string(name) + "'");
  return *found;
}

Json& Json::operator[](std::string_view name) {
  if (is_null()) *this = object();
  const auto found = std::ranges::find(items(), name, &JsonMember::name);
  if (found != items().end()) return found->value;
  return items().emplace_back(JsonMember{std::string(name), Json()}).value;
}

std::string Json::value(std::string_view name, const char* missing) const {
  return value(name, std::string(missing));
}

const Json::Array& Json::elements_of(std::string_view name) const {
  static const Array kNone;
  items();  // throws
  const Json* const found = find(name);
  return found == nullptr ? kNone : found->elements();
}

void Json::sort_members() {
  std::vector<Json*> left{this};
  while (!left.empty()) {
    Json& json = *left.back();
    left.pop_back();
    if (json.is_array())
      for (Json& element : json.elements()) left.push_back(&element);
    if (!json.is_object()) continue;
    std::ranges::sort(json.items(), {}, &JsonMember::name);
    for (JsonMember& member : json.items()) left.push_back(&member.value);
  }
}

std::size_t Json::size() const { return is_object() ? items().size() : elements().size(); }

std::string json_pointer(const std::string& base, std::string_view key) {
  std::string pointer = base + "/";
  for (const char c : key) {
    if (c == '~')
      pointer += "~0";
    else if (c == '/')
      pointer += "~1";
    else
      pointer += c;
  }
  return pointer;
}

}  // namespace transpire
