// What a check sees, and where it reports to.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/work_limit.h"
#include "transpire/validate.hpp"
#include "validator/environment.h"
#include "validator/flow.h"
#include "validator/module_view.h"
#include "validator/rule.h"

namespace transpire::validator {

/// Where something is wrong: an instruction, perhaps one of its operands; a word of the header; or
/// the module as a whole.
struct Place {
  static constexpr int kWhole = -1, kResult = -2, kType = -3;

  std::uint32_t instruction = kNone;
  int operand = kWhole;        ///< counts as ModuleView does, or one of the names above
  std::uint32_t word = kNone;  ///< of the module, when there is no instruction

  static Place at(std::uint32_t instruction, int operand = kWhole) {
    return {instruction, operand, kNone};
  }
  static Place header(std::uint32_t word) { return {kNone, kWhole, word}; }
  static Place module() { return {}; }
};

/// A line that says more, with the instruction that it is about, if there is one.
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
  std::uint64_t count = 1;  ///< of warnings: how often; they are told once for each rule
};

class Context {
 public:
  Context(const ModuleView& view, const Environment& environment, const Device& device,
          const ValidateOptions& options);

  const ModuleView& view;
  const Environment& environment;
  const Device& device;
  const ValidateOptions& options;

  /// What suppresses reports by more than their rule; nothing: nobody does. Asked of each but those that are dropped.
  std::function<bool(const Report&)> suppresses;

  /// Whether the module came in the other byte order; the view has the host's.
  bool byte_swapped = false;
  /// It was reported that an OpFunction is missing: that nothing defines its id, and that blocks stand alone, follows.
  bool lacks_function = false;
  WorkLimit limit;  ///< when it is spent, no further family runs

  bool strict() const { return options.strictness == Strictness::kStrict; }
  /// OpenCL 2.0 or newer, and so on.
  bool at_least(std::uint32_t version) const { return environment.version >= version; }

  /// Reports a breach of `rule`. In `field` the rule may make it a warning or nothing.
  ///
  /// One root cause gives one error: it is dropped when the instruction was reported already, or
  /// when an id that it uses, or the type of one, was. Pass `roots` for ids that are the cause
  /// although they are not what is reported; later errors that come from them are dropped as well.
  ///
  /// Messages are lower case without a final period: what was expected and what was found.
  void report(const ValidationRule& rule, Place place, std::string message, Notes notes = {},
              std::string hint = {}, std::initializer_list<Id> roots = {});

  /// Drops errors at instructions that use what another error is about, which a later family found: what comes of
  /// its cause. Not where all errors are asked for.
  void drop_consequences();

  /// Whether there are as many errors as were asked for; checks may stop then.
  bool full() const;

  /// Nothing more can be found out: no further family runs.
  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_ || full() || limit.spent(); }

  /// Whether an error was reported at the instruction, or at what it uses. Checks need not ask:
  /// report() does.
  bool is_tainted(std::uint32_t instruction) const;

  /// Whether it was reported that nothing defines some id that is used.
  bool has_undefined() const { return !options.all && !tainted_ids_.empty(); }

  /// Control flow of all functions, made when it is first asked for.
  const Flow& flow();

  // Spellings for messages.
  std::string name(Id id) const;  ///< "'%x'", or "'%12'"
  std::string type(Id id) const;  ///< "uint4", "float* of CrossWorkgroup", "an image", ...

  const std::vector<Report>& reports() const { return reports_; }
  std::size_t error_count() const { return errors_; }
  std::size_t warning_count() const { return warning_count_; }
  /// How many rules were broken that `field` ignores.
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
  std::vector<bool> unrelated_;  ///< by function; empty: none is
  std::set<const ValidationRule*> held_back_;
  std::set<Id> tainted_ids_;  ///< roots that no instruction defines
  std::optional<Flow> flow_;
  std::vector<Report> reports_;
  std::unordered_map<const ValidationRule*, std::size_t> warnings_;  ///< index into reports_
  std::set<std::string, std::less<>> suppressed_, as_errors_, as_warnings_;  ///< folded ids
  std::size_t errors_ = 0, warning_count_ = 0;
  bool stopped_ = false;
};

}  // namespace transpire::validator
