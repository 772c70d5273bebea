// A JSON value as a plain ordered tree, its reader and its writer. nlohmann/json reads and writes the text, in base/json.cpp
// alone: compiling that library takes seconds, so no other file of a room includes it. Names follow its interface.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace transpire {

struct JsonMember;

/// Thrown for a text that is not JSON, and for a value that is not of the kind that the caller asks for.
class JsonError : public std::runtime_error {
 public:
  explicit JsonError(const std::string& message, std::size_t bytes_read = 0)
      : std::runtime_error(message), bytes_read_(bytes_read) {}

  /// How many bytes of the text were read when the parser gave up; 0 for every other error, a number that is too large
  /// among them.
  std::size_t bytes_read() const { return bytes_read_; }

 private:
  std::size_t bytes_read_;
};

/// How a string that is not UTF-8 is written.
enum class JsonText {
  kValid,     ///< not at all: JsonError
  kReplaced,  ///< with U+FFFD for bytes that are not UTF-8
  kAscii,     ///< as kReplaced, with escapes for all that is not ASCII
};

/// A member whose name an object had before.
struct RepeatedMember {
  std::string name;
  std::string pointer;  ///< JSON pointer of the member
};

/// null, a bool, an integer, a double, a string, an array, or an object whose members keep their order.
///
///     Json json{{"file", "a.cl"}, {"lines", Json::array()}};   // a list of members makes an object
///     json["lines"].push_back(7);
///     json.dump()                                               // {"file":"a.cl","lines":[7]}
///
/// Each function that needs an array, an object, or a value of type T throws JsonError if the value is of another kind.
/// Nesting is limited by memory, not by the stack, for parse(), accept(), sort_members() and destruction. dump() and
/// copies recurse.
class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<JsonMember>;

  // ---- Making ----

  Json();  ///< null
  Json(std::nullptr_t);
  template <class T>
    requires std::is_arithmetic_v<T>
  Json(T number) : value_(kept(number)) {}
  Json(std::string text);
  Json(std::string_view text);
  Json(const char* text);
  Json(Array elements);
  Json(Object members);
  template <class T>
  Json(const std::vector<T>& elements) : Json(Array(elements.begin(), elements.end())) {}
  template <class T, std::size_t size>
  Json(const std::array<T, size>& elements) : Json(Array(elements.begin(), elements.end())) {}
  /// An object.
  template <class T>
  Json(const std::map<std::string, T>& members);

  struct Listed;
  /// An object, of names that differ: {{"line", 1}, {"column", 2}}.
  Json(std::initializer_list<Listed> members);

  static Json array(Array elements = {});
  static Json object();

  Json(const Json& other);
  Json(Json&& other) noexcept;  ///< leaves null
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  // ---- Text ----

  /// Reads a JSON text in UTF-8 (RFC 8259). The last of several members of one name counts, at the place of the first;
  /// the others are noted in `repeated`, in their order in the text. Throws JsonError.
  static Json parse(std::string_view text, std::vector<RepeatedMember>* repeated = nullptr);
  /// As parse(); nothing for a text that is not JSON.
  static std::optional<Json> try_parse(std::string_view text);
  /// True if the text is JSON.
  static bool accept(std::string_view text);
  /// The text, in one line, or with each level indented by that many blanks. Infinities and NaN are null.
  std::string dump(int indent = -1, JsonText form = JsonText::kValid) const;

  // ---- Kinds ----

  bool is_null() const { return is<std::nullptr_t>(); }
  bool is_boolean() const { return is<bool>(); }
  bool is_number() const { return is_number_integer() || is<double>(); }
  bool is_number_integer() const { return is<std::int64_t>() || is_number_unsigned(); }
  /// True for integers of the text that have no minus sign.
  bool is_number_unsigned() const { return is<std::uint64_t>(); }
  bool is_string() const { return is<OnHeap<std::string>>(); }
  bool is_array() const { return is<OnHeap<Array>>(); }
  bool is_object() const { return is<OnHeap<Object>>(); }
  bool is_structured() const { return is_array() || is_object(); }

  /// T: bool, an integer type that holds the value, double, std::string, or a vector of one of these.
  template <class T>
  T get() const;
  const std::string& string() const;

  // ---- Arrays ----

  const Array& elements() const;
  Array& elements();
  Array::const_iterator begin() const { return elements().begin(); }
  Array::const_iterator end() const { return elements().end(); }
  /// `index` is less than size().
  const Json& operator[](std::size_t index) const { return elements()[index]; }
  Json& operator[](std::size_t index) { return elements()[index]; }
  Json& back() { return elements().back(); }
  /// Appends; null becomes an array first. Returns the new element.
  Json& push_back(Json element);

  // ---- Objects ----

  const Object& items() const;
  Object& items();
  bool contains(std::string_view name) const { return find(name) != nullptr; }
  /// Null if there is no such member, or if the value is no object.
  const Json* find(std::string_view name) const;
  /// Throws JsonError if there is no such member.
  const Json& at(std::string_view name) const;
  const Json& operator[](std::string_view name) const { return at(name); }
  /// Appends a member that is null if there is none of that name; null becomes an object first.
  Json& operator[](std::string_view name);
  /// The member, or `missing` if there is none of that name.
  template <class T>
  T value(std::string_view name, T missing) const;
  std::string value(std::string_view name, const char* missing) const;
  /// The elements of a member that is an array; none if there is no such member.
  const Array& elements_of(std::string_view name) const;
  /// Sorts the members of this object, and of all objects in the value, by the bytes of their names.
  void sort_members();

  // ---- Arrays and objects ----

  std::size_t size() const;
  bool empty() const { return size() == 0; }

 private:
  /// A T on the heap, copied with its owner: a Json takes 16 bytes, and texts hold millions of numbers. Null after a move.
  template <class T>
  struct OnHeap {
    OnHeap(T from) : value(std::make_unique<T>(std::move(from))) {}
    OnHeap(const OnHeap& other) : OnHeap(*other.value) {}
    OnHeap(OnHeap&& other) noexcept = default;
    OnHeap& operator=(OnHeap&& other) noexcept = default;

    std::unique_ptr<T> value;
  };

  template <class T>
  bool is() const {
    return std::holds_alternative<T>(value_);
  }

  template <class T>
  static auto kept(T number) {
    if constexpr (std::is_same_v<T, bool>)
      return number;
    else if constexpr (std::is_floating_point_v<T>)
      return static_cast<double>(number);
    else if constexpr (std::is_signed_v<T>)
      return static_cast<std::int64_t>(number);
    else
      return static_cast<std::uint64_t>(number);
  }

  bool boolean() const;
  double real() const;
  std::int64_t integer(std::int64_t least, std::int64_t most) const;
  std::uint64_t natural(std::uint64_t most) const;

  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, OnHeap<std::string>,
               OnHeap<Array>, OnHeap<Object>>
      value_;
};

struct JsonMember {
  std::string name;
  Json value;
};

/// A member of a list that makes an object, which takes the value out of the list.
struct Json::Listed {
  std::string name;
  mutable Json value;
};

/// The JSON pointer (RFC 6901) of a member or element of the value at `base`.
std::string json_pointer(const std::string& base, std::string_view key);

template <class T>
Json::Json(const std::map<std::string, T>& members) : Json(object()) {
  for (const auto& [name, value] : members) items().push_back({name, value});
}

template <class T>
T Json::get() const {
  if constexpr (std::is_same_v<T, bool>) {
    return boolean();
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(real());
  } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    return static_cast<T>(integer(std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(natural(std::numeric_limits<T>::max()));
  } else if constexpr (std::is_same_v<T, std::string>) {
    return string();
  } else {
    T all;
    for (const Json& each : *this) all.push_back(each.get<typename T::value_type>());
    return all;
  }
}

template <class T>
T Json::value(std::string_view name, T missing) const {
  items();  // throws
  const Json* const found = find(name);
  return found == nullptr ? missing : found->get<T>();
}

}  // namespace transpire
