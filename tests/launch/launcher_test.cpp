// Launches: their geometry, the settings that they get, what is added up over them, and when there are no further ones.
#include "launch/runner/launcher.h"

#include "launch/report/diagnose.h"
#include "tests/launch/declared.h"

namespace transpire::test {
namespace {

LaunchStep step_of(const std::string& statements) {
  return std::get<LaunchStep>(plan_with("kernel writer\n" + statements + "launch\n").steps[0]);
}

struct Launching : Declared {
  explicit Launching(const AskedSettings& settings = {})
      : Declared(""),
        machine{module_of_declared(), *Device::create({"", 1}), {}, settings, {}},
        clock(settings, {}) {}

  Launch launch(const KernelInfo& kernel, Geometry geometry = {}) const {
    const auto buffer = Buffer::create(4, "y");
    return launcher.launch_of(kernel, 0, geometry, {{Argument::buffer(*buffer), nullptr}});
  }
  const KernelInfo& writer() const { return *machine.programs[0].kernel("writer"); }

  Machine machine;
  RunOverrides overrides;
  RunClock clock;
  RunReport report;
  Launcher launcher{machine, overrides, clock, buffers, report};
};

TEST_CASE("the geometry of a step has as many dimensions as its global size") {
  const auto geometry = geometry_of(step_of("global 8,4\nlocal 2\noffset 1,1\n"), {}, "");
  REQUIRE(geometry.ok());
  CHECK(geometry->dimensions == 2);
  CHECK(geometry->global_size == std::array<std::uint64_t, 3>{8, 4, 1});
  CHECK(geometry->local_size == std::array<std::uint64_t, 3>{2, 1, 1});
  CHECK(geometry->global_offset == std::array<std::uint64_t, 3>{1, 1, 0});
  const auto wrong = geometry_of(step_of("global 8\nlocal 2,2\n"), {}, "test.launch");
  CHECK(error_of(wrong) == "TSP-C0004: the global size has 1 dimension, the local size has 2");
  CHECK(wrong.errors()[0].source.line == 4);
  CHECK(error_of(geometry_of(LaunchStep{}, {}, "")) == "TSP-C0004: the launch has no global size");
  CHECK(geometry_of(LaunchStep{}, {}, "test.launch").errors()[0].input == "command line");
}

TEST_CASE(
    "a number of groups stands for the work-items of groups of the local size, or of the required "
    "one") {
  KernelInfo kernel;
  kernel.required_local_size = {8, 2, 1};
  const auto required = geometry_of(step_of("groups 3\n"), kernel, "");
  REQUIRE(required.ok());
  CHECK(required->dimensions == 2);
  CHECK(required->global_size == std::array<std::uint64_t, 3>{24, 2, 1});
  const auto given = geometry_of(step_of("groups 2,3\nlocal 4\n"), KernelInfo{}, "");
  REQUIRE(given.ok());
  CHECK(given->global_size == std::array<std::uint64_t, 3>{8, 3, 1});
  CHECK(error_of(geometry_of(step_of("groups 2\n"), KernelInfo{}, "")) ==
        "TSP-C0004: nothing says how large the launch's groups are");
  CHECK(error_of(geometry_of(step_of("groups 2\nglobal 4\n"), kernel, "")) ==
        "TSP-C0004: the launch has a global size and a number of groups");
  CHECK(error_of(geometry_of(step_of("groups 9223372036854775808\n"), kernel, "")) ==
        "TSP-C0004: the groups have 2^64 work-items or more");
}

TEST_CASE("a launch has the local size of the overrides unless its kernel requires one") {
  Launching run;
  run.overrides.local_size = {8, 1, 1};
  CHECK(run.launch(run.writer()).geometry.local_size[0] == 8);
  KernelInfo strict = run.writer();
  strict.required_local_size = {4, 1, 1};
  CHECK(run.launch(strict).geometry.local_size[0] != 8);
}

TEST_CASE("figures are added up over launches") {
  Launching run;
  Geometry geometry;
  geometry.global_size = {16, 1, 1};
  Launch launch = run.launch(run.writer(), geometry);
  LaunchReport sums;
  REQUIRE(run.launcher.run(launch, sums).ok());
  const std::uint64_t instructions = sums.instructions;
  REQUIRE(run.launcher.run(launch, sums).ok());
  CHECK(sums.repeats == 2);
  CHECK(sums.work_items == 32);
  CHECK(sums.instructions == 2 * instructions);
  CHECK_FALSE(run.launcher.has_stopped());
  CHECK(run.launcher.finish().ok());
}

TEST_CASE("a launch that a limit ended is the last, and says which option raises the limit") {
  AskedSettings settings;
  settings.timeout_seconds = 10;
  settings.total_timeout_seconds = 5;
  Launching run(settings);
  run.overrides.run_launch = [](const Device&, const Launch& launch) {
    LaunchResult result;
    result.end = LaunchResult::End::kTooManyFindings;
    result.findings.emplace_back();
    result.findings[0].diagnostic = command_error(kTimeLimit, "too long");
    CHECK(launch.limits.timeout_seconds <= 5);
    return Result<LaunchResult>(std::move(result));
  };
  Launch launch = run.launch(run.writer());
  LaunchReport sums;
  sums.kernel = "writer";
  REQUIRE(run.launcher.run(launch, sums).ok());
  CHECK(run.launcher.has_stopped());
  REQUIRE(run.report.findings.size() == 1);
  CHECK(run.report.findings[0].kernel == "writer");
  CHECK(run.report.findings[0].finding.diagnostic.message ==
        "kernel 'writer' was running when the 5 s for the whole run ended");
  CHECK(run.report.findings[0].finding.diagnostic.help.find("--timeout-total") !=
        std::string::npos);
}

TEST_CASE("a launch that the device refuses is no launch, and has the place of its statement") {
  Launching run;
  const LaunchStep step = step_of("global 8\nlocal 100000\n");
  Launch launch = run.launch(run.writer(), *geometry_of(step, {}, ""));
  LaunchReport sums;
  CHECK_FALSE(run.launcher.run(launch, sums).ok());
  CHECK(sums.repeats == 0);
  CHECK(place_of(step, launch).line == step.local.where.line);
  launch.geometry.local_size = {1, 1, 1};
  CHECK(place_of(step, launch).line == step.where.line);
}

}  // namespace
}  // namespace transpire::test
