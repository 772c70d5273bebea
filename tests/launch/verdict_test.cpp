// The judgement of a run: what its plan expects, suppressions, warnings that are errors, and the exit code.
#include "launch/runner/verdict.h"

#include <fmt/format.h>

#include "launch/report/diagnose.h"
#include "tests/launch/support.h"

namespace transpire::test {
namespace {

constexpr const char* kOutOfBounds = "TSP-R0020";
constexpr const char* kPoisonNote =
    "local and private memory that nothing has written is poisoned, as by 'transpire run "
    "--poison'";

/// A run of a plan with these statements. Tests add what happened.
struct Run {
  explicit Run(const std::string& statements, FindingRules rules = {})
      : plan(*parse_launch_text("module none\nkernel k\nglobal 1\n" + statements, "v.launch")),
        verdict(plan, std::move(rules), report) {}

  void find(const std::string& rule, const std::string& buffer) {
    Finding finding;
    finding.diagnostic = command_error(rule, "a finding");
    finding.diagnostic.source = {"k.cl", 7, 3};
    finding.allocation = buffer;
    report.findings.push_back({std::move(finding), "k", false});
  }
  void launch(LaunchResult::End end) {
    report.launches.emplace_back();
    report.launches.back().end = end;
  }
  /// The exit code and the messages of failures.
  std::string judged(bool ended_early = false) {
    verdict.judge(ended_early);
    std::string text = fmt::format("{}", report.exit_code);
    for (const FailedExpectation& each : report.failures)
      text += fmt::format("; {}: {}", each.number, each.diagnostic.message);
    return text;
  }

  LaunchPlan plan;
  RunReport report;
  Verdict verdict;
};

FindingRules rules_of(const std::vector<std::string>& words,
                      const std::vector<std::string>& suppress) {
  return *FindingRules::read(words, suppress);
}

TEST_CASE("a run without findings, errors and failures succeeds") {
  CHECK(Run("").judged() == "0");
  Run found("");
  found.find(kOutOfBounds, "y");
  CHECK(found.judged() == "4");
  Run refused("");
  refused.verdict.refuse({command_error(kNotSupported, "no")});
  CHECK(refused.judged() == "5");
}

TEST_CASE("expected faults are found by rule, buffer, work-item and line") {
  for (const char* expected : {"fault TSP-R0020", "fault TSP-R0020 on y line 7",
                               "fault TSP-R0020 on y at 0,0,0 line 7:3"}) {
    Run run(fmt::format("expect {}\n", expected));
    run.find(kOutOfBounds, "y");
    CHECK(run.judged() == "0");
    CHECK(run.report.findings[0].expected);
    CHECK(run.report.expectations == 1);
  }
  Run other("expect fault TSP-R0020 on x line 7\n");
  other.find(kOutOfBounds, "y");
  CHECK(other.judged() == "4; 1: TSP-R0020 on 'x' in line 7 was expected and did not happen");
  CHECK_FALSE(other.report.findings[0].expected);
  CHECK(Run("expect fault TSP-R0020 at 1,2,3\n").judged() ==
        "1; 1: TSP-R0020 at (1,2,3) was expected and did not happen");
}

TEST_CASE("no faults are expected, not even warnings, but for suppressed ones") {
  Run run("expect no faults\n");
  run.find(kOutOfBounds, "y");
  run.find(kOutOfBounds, "z");
  CHECK(run.judged() == "4; 1: no faults were expected, and 2 were found: TSP-R0020");
  Run suppressed("expect no faults\n", rules_of({}, {kOutOfBounds}));
  suppressed.find(kOutOfBounds, "y");
  CHECK(suppressed.judged() == "0");
  CHECK(suppressed.report.findings[0].suppressed_by == 0);
  CHECK(suppressed.report.suppressions.size() == 1);
}

TEST_CASE("an expected refusal accounts for all errors but wrong names") {
  const Diagnostics errors{command_error(kNotSupported, "no"), command_error(kBadGeometry, "no")};
  Run expected("expect refused TSP-U0003\n");
  expected.verdict.refuse(errors);
  CHECK(expected.judged() == "0");
  CHECK(expected.report.errors.empty());
  Run other("expect refused TSP-V0001\n");
  other.verdict.refuse(errors);
  CHECK(other.judged() ==
        "1; 1: a refusal with TSP-V0001 was expected, it was refused with TSP-U0003");
  CHECK(Run("expect refused TSP-V0001\n").judged() ==
        "1; 1: a refusal with TSP-V0001 was expected, the module was accepted");
  Run misnamed("expect refused TSP-U0003\n");
  misnamed.verdict.refuse_names(errors);
  CHECK(misnamed.judged() == "5");
  CHECK(misnamed.report.errors.size() == 2);
}

TEST_CASE("warnings are errors where the rules say so, and suppressed ones are kept") {
  Run run("", rules_of({"error=TSP-C0045"}, {kSourceWarning}));
  CHECK(run.verdict.suppress(command_error(kSourceWarning, "a warning")));
  CHECK(run.report.suppressed.size() == 1);
  run.verdict.warn(command_error(kSourceWarning, "another"));
  CHECK(run.report.warnings.size() == 1);
  CHECK_FALSE(run.verdict.has_errors());
  const Diagnostic file = command_error("TSP-C0045", "a header is read as numbers");
  CHECK_FALSE(run.verdict.suppress(file));
  run.verdict.warn(file);
  CHECK(run.verdict.has_errors());
}

TEST_CASE("unused suppressions are told unless the run ended early") {
  Run run("suppress TSP-R0020\n");
  REQUIRE(run.verdict.read_suppressions({}));
  CHECK(run.judged() == "0");
  REQUIRE(run.report.warnings.size() == 1);
  CHECK(run.report.warnings[0].rule == kUnusedSuppression);
  Run early("suppress TSP-R0020\n");
  REQUIRE(early.verdict.read_suppressions({}));
  CHECK(early.judged(true) == "0");
  CHECK(early.report.warnings.empty());
  Run unread("suppress no-such-file.supp\n");
  CHECK_FALSE(unread.verdict.read_suppressions({}));
  CHECK(unread.report.errors[0].source.line == 4);
}

TEST_CASE("the first failure alone says that memory was poisoned") {
  Run run("");
  run.verdict.expect();
  run.verdict.note_poison();
  for (int i = 0; i < 2; ++i)
    run.verdict.fail({command_error(kExpectationUnmet, "other numbers")}, {"v.launch", 5, 1});
  CHECK(run.report.failures[0].diagnostic.notes == std::vector<std::string>{kPoisonNote});
  CHECK(run.report.failures[1].diagnostic.notes.empty());
  CHECK(run.report.failures[1].diagnostic.source.line == 5);
  Run before("");
  before.verdict.fail({command_error(kExpectationUnmet, "other numbers")}, {});
  before.verdict.note_poison();
  before.verdict.fail({command_error(kExpectationUnmet, "other numbers")}, {});
  CHECK(before.report.failures[0].diagnostic.notes.empty());
  CHECK(before.report.failures[1].diagnostic.notes.empty());
}

TEST_CASE("a limit that ended a launch decides before errors, faults before failures") {
  using End = LaunchResult::End;
  const Diagnostics errors{command_error(kNotSupported, "no")};
  Run cancelled("");
  cancelled.launch(End::kCancelled);
  cancelled.verdict.refuse(errors);
  CHECK(cancelled.judged() == "6");
  Run limited("");
  limited.find(kTimeLimit, "");
  limited.verdict.refuse(errors);
  CHECK(limited.judged() == "6");
  Run many("expect fault TSP-R0020\n");
  many.launch(End::kTooManyFindings);
  many.find(kOutOfBounds, "y");
  CHECK(many.judged() == "0");
  Run failed("");
  failed.find(kOutOfBounds, "y");
  failed.verdict.fail({command_error(kExpectationUnmet, "other numbers")}, {});
  CHECK(failed.judged() == "4; 0: other numbers");
}

}  // namespace
}  // namespace transpire::test
