// Verdict: judges a run. It takes the errors, warnings and failures of the run's parts, and compares them and the findings of
// launches with what the plan expects and with suppressions. Their outcome is in the report, with the exit code.
#pragma once

#include <string>

#include "launch/runner/run_plan.h"

namespace transpire::launch {

class Verdict {
 public:
  /// Keeps `plan` and `report`, and copies the rules. `rules` are the command's suppressions, and the warnings that count as
  /// errors.
  Verdict(const LaunchPlan& plan, FindingRules rules, RunReport& report);

  /// Adds the suppressions that the plan names. Refuses the run if one cannot be read.
  bool read_suppressions(const ReadLimit& limit);
  const FindingRules& rules() const { return rules_; }

  /// Adds errors to the report: the run is refused, or ends early.
  void refuse(const Diagnostics& errors);
  /// Refuses a plan with unknown names. These errors are none of the refusals that the plan expects.
  void refuse_names(const Diagnostics& errors);
  bool has_errors() const { return !report_.errors.empty(); }
  /// Adds a warning to the report; an error if the rules say so.
  void warn(Diagnostic warning);
  /// True if a suppression matches. The report then has the diagnostic among the suppressed ones.
  bool suppress(const Diagnostic& diagnostic);

  /// Counts an expectation. A failure has the number of the expectation that was counted last.
  void expect() { ++report_.expectations; }
  /// Adds a failure of the expectation at `where`.
  void fail(FailedExpectation failure, const SourceLine& where);
  /// Memory of a kernel may have begun as poison: the first failure behind says so.
  void note_poison() { has_poison_ = true; }

  /// Compares errors and findings with expectations and suppressions, and sets the exit code. After a run that ended early,
  /// there are no warnings of unused suppressions.
  void judge(bool ended_early);

 private:
  bool match_refusals();
  void match_expected_faults();
  void suppress_findings();
  void match_no_faults();
  void set_exit_code(bool refusal_expected);

  const LaunchPlan& plan_;
  FindingRules rules_;
  RunReport& report_;
  bool misnamed_ = false;  ///< the plan has an unknown name: nothing is run or compared
  bool has_poison_ = false;
};

}  // namespace transpire::launch
