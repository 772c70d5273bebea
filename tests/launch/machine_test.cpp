// The part of a run before its first buffer: suppressions, module, checks of the plan's names, device and queues.
#include "launch/runner/machine.h"

#include <fmt/format.h>

#include "launch/report/diagnose.h"
#include "launch/runner/plan_check.h"
#include "tests/launch/declared.h"

namespace transpire::test {
namespace {

struct Prepared {
  explicit Prepared(const std::string& statements, RunOverrides changes = {})
      : plan(plan_with(statements)),
        overrides(std::move(changes)),
        clock(plan.settings, {}),
        verdict(plan, overrides.rules, report) {
    overrides.module = module_of_declared();
    machine = prepare_machine(plan, overrides, merged(plan.settings, overrides.settings), clock,
                              verdict, report);
    CHECK(machine.has_value() != verdict.has_errors());
  }
  std::string error() const {
    return report.errors.empty() ? "ok" : report.errors[0].rule + ": " + report.errors[0].message;
  }

  LaunchPlan plan;
  RunOverrides overrides;
  RunReport report;
  RunClock clock;
  Verdict verdict;
  std::optional<Machine> machine;
};

constexpr const char* kWriter = "kernel writer\nglobal 1\narg y = uint:zero:1\nlaunch\n";

std::string name_error(const std::string& statements) {
  const Diagnostics errors =
      name_errors(plan_with(kWriter + statements), {&module_of_declared().info()}, "");
  return errors.empty() ? "ok" : errors[0].rule + ": " + errors[0].message;
}

TEST_CASE("a machine has the settings of its plan and the overrides") {
  RunOverrides overrides;
  overrides.settings.threads = 1;
  overrides.strictness = Strictness::kField;
  const Prepared run(std::string("threads 3\n") + kWriter, overrides);
  REQUIRE_MESSAGE(run.machine, run.error());
  CHECK(run.report.isa == run.machine->device.isa());
  CHECK(run.report.threads == 1);
  CHECK(run.machine->device.threads() == 1);
  CHECK(run.machine->settings.environment == run.report.environment);
  CHECK_FALSE(run.machine->results);
  CHECK(Prepared(std::string(kWriter) + "expect y ~ spec full = 7\n").machine->results);
}

TEST_CASE("the first part that fails ends a run") {
  CHECK(Prepared("suppress no-such.supp\nkernel other\nglobal 1\nlaunch\n")
            .error()
            .starts_with("TSP-C0025"));
  CHECK(Prepared("kernel other\nglobal 1\nlaunch\nprint x\n").error() ==
        "TSP-C0002: the module has no kernel 'other'");
  CHECK(Prepared(std::string(kWriter) + "print x\n").error() ==
        "TSP-C0026: there is no buffer 'x'");
  CHECK(Prepared(std::string("default-queue q\n") + kWriter).error().starts_with("TSP-C0003"));
}

TEST_CASE("names may be of declared memory, variables, parameters and packets") {
  for (const char* name : {"y", "0", "total", "0.packets"})
    CHECK(name_error(fmt::format("print {}\n", name)) == "ok");
  CHECK(name_error("print a\n") == "TSP-C0026: there is no buffer 'a'");
  CHECK(name_error("expect y.packets = 1\n") == "TSP-C0026: there is no buffer 'y.packets'");
  CHECK(name_error("expect fault TSP-X0000\n").starts_with("TSP-C0025"));
}

TEST_CASE("output files must be writable, of a known form, and their folder must be there") {
  CHECK(name_error("out y = /no-such-folder/y.bin\n") ==
        "TSP-C0024: cannot write '/no-such-folder/y.bin': there is no folder '/no-such-folder'");
  CHECK(name_error("out y = /tmp\n") == "TSP-C0024: cannot write '/tmp': it is a folder");
  CHECK(name_error("out y = - cols 4\n") ==
        "TSP-C0024: cannot write '-': raw bytes have no columns");
}

TEST_CASE("swaps are of buffers, and arguments of the command line are of a kernel") {
  const ModuleInfo& module = module_of_declared().info();
  const auto swapped =
      launch_errors(plan_with("kernel two\nglobal 1\nrepeat 2 swap a c\nlaunch\n"), {&module});
  REQUIRE(swapped.size() == 1);
  CHECK(swapped[0].rule == kBadArgument);
  LaunchPlan plan = plan_with(kWriter);
  plan.overriding = {*parse_argument("y", "1"), *parse_argument("0", "2"),
                     *parse_argument("z", "3")};
  const Diagnostics errors = name_errors(plan, {&module}, "/dev/null/folder");
  REQUIRE(errors.size() == 3);
  CHECK(errors[0].message == "argument 'y' is given twice");
  CHECK(errors[1].rule == kBadArgument);
  CHECK(errors[2].rule == kFileUnwritable);
}

}  // namespace
}  // namespace transpire::test
