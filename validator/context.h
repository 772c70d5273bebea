// The interface of a check: the module's view, the options, and report().
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/work_limit.h"
#include "decoder/view/control_flow.h"
#include "decoder/view/place.h"
#include "transpire/validate.hpp"
#include "validator/environment.h"
#include "validator/names.h"
#include "validator/rule.h"

namespace transpire::validator {

/// A line of further explanation, with the instruction it is about, if any.
struct Note {
  std::string text;
  std::uint32_t instruction = kNone;
};
using Notes = std::vector<Note>;

/// One finding of a check, before it is rendered.
struct Report {
  const ValidationRule* rule = nullptr;
  Severity severity = Severity::kError;
  Place place;
  std::string message;
  Notes notes;
  std::string hint;
  std::uint64_t count = 1;  ///< warnings: occurrences; each rule's are one report
};

class Context {
 public:
  Context(const ModuleView& view, const Environment& environment, const Device& device,
          const ValidateOptions& options);

  const ModuleView& view;
  const Environment& environment;
  const Device& device;
  const ValidateOptions& options;

  /// Suppresses reports by more than their rule; empty: none. Called for each report that is not
  /// dropped otherwise.
  std::function<bool(const Report&)> suppresses;

  /// True if the module came in the other byte order; the view has the host's.
  bool byte_swapped = false;
  /// A missing OpFunction was reported. Its undefined id and its blocks without a function are
  /// consequences.
  bool lacks_function = false;
  WorkLimit limit;  ///< no further family runs once it is spent

  bool strict() const { return options.strictness == Strictness::kStrict; }
  /// True for this version of OpenCL or newer, e.g. 20.
  bool at_least(std::uint32_t version) const { return environment.version >= version; }

  /// Reports a breach of `rule`. In `field` the rule may make it a warning or nothing.
  ///
  /// One root cause gives one error: a report is dropped if its instruction, an id that it uses, or
  /// the type of one, has an error already. Pass ids in `roots` if they are the cause without being
  /// the reported place; later errors that follow from them are dropped as well.
  ///
  /// Messages are lower case without a final period: what was expected and what was found.
  void report(const ValidationRule& rule, Place place, std::string message, Notes notes = {},
              std::string hint = {}, std::initializer_list<Id> roots = {});

  /// Drops errors that follow from an error which a later family found: errors at instructions that
  /// use its result. Does nothing if all errors are requested.
  void drop_consequences();

  /// True if the maximum number of errors is reached; checks may stop then.
  bool full() const;

  /// Ends validation after this family: an error makes the rest of the module unreadable.
  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_ || full() || limit.spent(); }

  /// True if an error was reported at the instruction, or at one whose result it uses. Checks need
  /// not ask: report() does.
  bool is_tainted(std::uint32_t instruction) const;

  /// True if an undefined id was reported.
  bool has_undefined() const { return !options.all && !tainted_ids_.empty(); }

  /// Control flow of all functions, built at the first call.
  const Flow& flow();

  // Spellings for messages.
  std::string name(Id id) const;  ///< "'%x'", or "'%12'"
  std::string type(Id id) const;  ///< "uint4", "float* of CrossWorkgroup", "an image", ...

  const std::vector<Report>& reports() const { return reports_; }
  std::size_t error_count() const { return errors_; }
  std::size_t warning_count() const { return warning_count_; }
  /// Number of broken rules that `field` ignores.
  std::size_t held_back_count() const { return held_back_.size(); }

 private:
  Severity severity_of(const ValidationRule& rule, const Place& place) const;
  void fit_to_place(Report& report) const;
  void find_unrelated();
  bool is_unrelated(const Place& place) const;
  void taint(std::uint32_t instruction);
  bool is_tainted_id(Id id) const;
  bool comes_of(std::uint32_t instruction, const std::set<std::uint32_t>& causes) const;

  std::vector<bool> tainted_;    ///< by instruction
  std::vector<bool> unrelated_;  ///< by function; empty: all are related
  std::set<const ValidationRule*> held_back_;
  std::set<Id> tainted_ids_;  ///< roots without a defining instruction
  std::optional<Flow> flow_;
  std::vector<Report> reports_;
  std::unordered_map<const ValidationRule*, std::size_t> warnings_;  ///< index into reports_
  std::set<std::string, std::less<>> suppressed_, as_errors_, as_warnings_;  ///< folded ids
  std::size_t errors_ = 0, warning_count_ = 0;
  bool stopped_ = false;
};

}  // namespace transpire::validator
