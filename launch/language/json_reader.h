// Reads values of JSON launch descriptions (docs/launch.schema.json) as values of launch/language/launch_plan.h. Checks the shape of
// each value, with messages for people, and what it says. A JSON string holds words of the text form (launch/language/grammar.h).
//
// The reader goes through the document, and knows the place where it is. A function that reads a value returns nothing if the value is
// wrong, and notes the error with the place. launch/language/statements.h has the statements that are made of these values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "launch/language/launch_plan.h"
#include "launch/language/plan_builder.h"
#include "launch/report/json_places.h"

namespace transpire::launch {

/// Text of a value for messages; a long value is only named.
std::string shown(const Json& value);
/// A number or string as a word of the text form.
std::string word_of(const Json& value);

class JsonReader {
 public:
  JsonReader(PlanBuilder& builder, const JsonPlaces& places) : builder_(builder), places_(places) {}

  /// The builder, at the place of the value that is being read.
  PlanBuilder& builder();
  /// Notes that something is wrong at this place.
  void note(const Status& status);
  /// The errors of shape. If there are none, those of what the values say.
  Diagnostics errors() const { return misshapen_.empty() ? wrong_ : misshapen_; }

  // ---- Objects and arrays ----

  /// A member that an object may have.
  struct Field {
    std::string_view name;
    std::function<void(const Json&)> read;
    bool is_required = false;
  };
  /// Reads an object's members in the order of the fields. Suggestions for an unknown member are of `known`, or else the fields.
  void object(const Json& value, const std::vector<Field>& fields,
              const std::vector<std::string>& known = {});
  /// Reads the members of an object whose names the author chose.
  void named(const Json& value,
             const std::function<void(const std::string& name, const Json&)>& read);
  /// Reads an array.
  void elements(const Json& value, const std::function<void(const Json&)>& read);
  /// Reads a value, or an array of them.
  void one_or_more(const Json& value, const std::function<void(const Json&)>& read);

  // ---- Values ----

  std::optional<std::string> text(const Json& value);
  /// Reads a string, or an array of them, one after the other.
  void texts(const Json& value, const std::function<void(std::string)>& read);
  std::optional<bool> boolean(const Json& value);
  std::optional<std::uint64_t> count(const Json& value);
  /// The number, or the string: a word of the text form.
  std::optional<std::string> whole_or_text(const Json& value);
  std::optional<std::string> real_or_text(const Json& value);
  /// One of these names, which messages call `what`.
  std::optional<std::string> one_of(const Json& value, const std::vector<std::string>& names,
                                    std::string_view what);
  std::optional<std::string> rule(const Json& value);
  std::optional<SizeList> sizes(const Json& value);
  std::optional<SizeList> local_sizes(const Json& value);
  /// A specialisation constant's value.
  std::optional<ValueSpec> number(const Json& value);
  std::optional<ArgumentSpec> argument(const std::string& target, const Json& value);
  std::optional<BufferSpec> buffer(const std::string& name, const Json& value);
  std::optional<BufferSpec> shared_memory(const std::string& name, const Json& value);
  std::optional<ValueSpec> variable(const Json& value);
  std::optional<QueueSpec> queue(const std::string& name, const Json& value);
  /// Two arguments that are swapped, of an array of pairs.
  void swaps(const Json& value, const std::function<void(std::string, std::string)>& read);
  std::optional<PrintStep> print(const Json& value);
  std::optional<OutputStep> output(const Json& value);
  std::optional<Expectation> expectation(const Json& value);

  /// Notes an error of the value's shape.
  void refuse(const std::string& message, std::string help = {});
  void expected(std::string_view what, const Json& found, std::string help = {});
  void refuse_repeated(const RepeatedMember& member);

 private:
  /// Goes to a member or element, calls `read`, and comes back.
  template <class Read>
  void at(std::string_view key, const Read& read) {
    const std::size_t length = path_.size();
    path_ = json_pointer(path_, key);
    read();
    path_.resize(length);
  }
  /// The value, or nothing after noting its errors.
  template <class T>
  std::optional<T> noted(Result<T> result) {
    if (result) return std::move(result).value();
    note(result.errors());
    return std::nullopt;
  }
  /// Takes a value over, if there is one.
  template <class From, class To>
  static void set(std::optional<From> from, To& to) {
    if (from) to = std::move(*from);
  }

  void refuse_at(const std::string& pointer, const Diagnostic& error);
  void unknown(const std::string& key, const std::vector<std::string>& known);
  std::optional<std::uint64_t> bytes(const Json& value);
  std::optional<std::string> type(const Json& value);
  bool literal(const Json& value, std::vector<Literal>& to, std::size_t depth = 0);
  bool list(const Json& value, std::vector<Literal>& to, std::size_t depth);
  bool members(const Json& value, Literal& to, std::size_t depth);
  bool one_literal(const Json& value, std::vector<Literal>& to);
  std::optional<ValueSpec> literals(const Json& value);
  std::optional<ValueSpec> structure(const Json& value);
  std::optional<ValueSpec> made(const Json& value, bool is_whole,
                                const std::vector<std::string>& known = {});
  std::vector<Field> maker_fields(ValueSpec& spec);
  void check_maker(const Json& value, bool is_whole, std::size_t errors_before,
                   const std::vector<std::string>& known);
  void parameters(const Json& value, std::size_t size, std::string_view form, ValueSpec& spec);
  void hex(const Json& value, ValueSpec& spec);
  std::optional<ValueSpec> contents(const Json& value, bool is_whole);
  std::optional<ArgumentSpec> reference(const Json& value, bool is_slice);
  std::optional<ArgumentSpec> shared(const Json& value);
  std::optional<ArgumentSpec> pipe(const Json& value);
  std::optional<ArgumentSpec> local_memory(const Json& value);
  std::optional<ArgumentSpec> queue_argument(const Json& value);
  std::optional<ValueSpec> equals(const Json& value);
  void tolerance(const Json& value, std::vector<Tolerance>& to);
  std::optional<Expectation> expected_values(const Json& value);
  std::optional<Expectation> expected_fault(const Json& value);

  PlanBuilder& builder_;
  const JsonPlaces& places_;
  std::string path_;  ///< JSON pointer of the value that is being read
  Diagnostics misshapen_;
  Diagnostics wrong_;
};

}  // namespace transpire::launch
