// Limits of what stands beside the launches of a run: making buffers, printing, comparing, writing.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "launch/runner/run_plan.h"
#include "launch/runner/value_maker.h"
#include "launch/runner/value_stream.h"
#include "tests/launch/support.h"
#include "tests/patience.h"
#include "tests/shorthand/shorthand.h"

namespace transpire::test {
namespace {

const std::string kKernelsOfLimits = shorthand::declare(R"(
kernel k(%_ptr_CrossWorkgroup_uint y)
store %y %uint_7
kernel spin()
%loop = OpLabel
OpLoopMerge %end %again None
%again = OpLabel
OpBranch %loop
%end = OpLabel
kernel other(%_ptr_CrossWorkgroup_uint z)
)");

const Module& module_of_tests() {
  static const Module module = [] {
    auto loaded = Module::load(std::as_bytes(std::span(kKernelsOfLimits)));
    REQUIRE_MESSAGE(loaded.ok(), errors_of(loaded));
    return std::move(loaded).value();
  }();
  return module;
}

RunReport run_of(const std::string& statements, RunOverrides overrides = {}) {
  const auto plan = parse_launch_text("module none\n" + statements, "limits.launch");
  REQUIRE_MESSAGE(plan.ok(), errors_of(plan));
  overrides.module = module_of_tests();
  overrides.settings.threads = 1;
  return run_plan(*plan, overrides);
}

constexpr const char* kLaunchWithImage =
    "kernel k\nglobal 1\narg y = uint:zero:1000000\nbuffer a = image 2d R FLOAT 256x256\nlaunch\n";

constexpr const char* kSmallLaunch = "kernel other\nglobal 1\narg z = uint:zero:1\nlaunch\n";

/// The end of a run whose caller wants it to end as soon as something is printed, compared or written.
std::string end_of_interrupted(const std::string& statement) {
  bool wanted = false;
  RunOverrides overrides;
  overrides.begins = [&](const std::string& part) {
    wanted = wanted || part.starts_with("printing");
  };
  overrides.interrupted = [&] { return wanted; };
  const RunReport report = run_of(kLaunchWithImage + statement, overrides);
  REQUIRE(report.errors.size() == 1);
  CHECK(report.launches.size() == 1);
  CHECK(report.errors[0].severity == Severity::kError);
  return report.errors[0].rule + ": " + report.errors[0].message;
}

TEST_CASE("what follows a launch ends when the caller wants it") {
  CHECK(end_of_interrupted("print y") ==
        "TSP-L0008: the run was interrupted while 'y' was printed");
  CHECK(end_of_interrupted("print y cols 10") ==
        "TSP-L0008: the run was interrupted while 'y' was printed");
  CHECK(end_of_interrupted("print a hex") ==
        "TSP-L0008: the run was interrupted while 'a' was printed");
  for (const char* value : {"zero", "fill:7", "range:0:1", "random:1:0:9"})
    CHECK(end_of_interrupted(fmt::format("expect y = uint:{}:1000000", value)) ==
          "TSP-L0008: the run was interrupted while 'y' was compared");
  CHECK(end_of_interrupted("expect a ~ 1ulp = float:range:0:1") ==
        "TSP-L0008: the run was interrupted while 'a' was compared");
  for (const char* file : {"limits.bin", "limits.npy"}) {
    CHECK(end_of_interrupted(fmt::format("out y = {}", file)) ==
          fmt::format("TSP-L0008: the run was interrupted while '{}' was written", file));
    std::remove(file);
  }
  for (const char* file : {"limits.pgm", "limits.png", "limits.pfm"}) {
    CHECK(end_of_interrupted(fmt::format("out a = {}", file)) ==
          "TSP-L0008: the run was interrupted while 'a' was written");
    CHECK_FALSE(std::filesystem::exists(file));
  }
}

TEST_CASE("who wanted the end of a launch is told what it left") {
  RunOverrides overrides;
  overrides.interrupted = [] { return true; };
  const RunReport report = run_of(
      "buffer b = uint:fill:5:100000\nprint b[0..1]\nkernel k\nglobal 1\narg y = "
      "uint:zero:1\nlaunch\n"
      "print y\n",
      overrides);
  CHECK(report.errors.empty());
  CHECK(report.text.find("b[0..1] = 5 5\n") != std::string::npos);
}

TEST_CASE("time is looked at while buffers are made") {
  RunOverrides overrides;
  overrides.settings.timeout_seconds = 1e-9;
  for (const char* value : {"fill:7", "range:0:1", "random:1:0:9", "uninit"}) {
    const RunReport report =
        run_of(fmt::format("buffer b = uint:{}:1000000\n{}", value, kSmallLaunch), overrides);
    REQUIRE(report.errors.size() == 1);
    CHECK(report.errors[0].rule == "TSP-L0002");
    CHECK(report.errors[0].message == "the time limit was reached while buffer 'b' was made");
    CHECK(report.exit_code == 6);
  }
}

TEST_CASE("a limit of the whole run is for all its launches") {
  RunOverrides overrides;
  CHECK(within_growing_limits(0.05, [&](double seconds) {
    overrides.settings.total_timeout_seconds = seconds;
    const RunReport report =
        run_of("kernel k\nglobal 1\narg y = uint:zero:1\nrepeat 1000000000000\nlaunch\nprint y\n",
               overrides);
    CHECK(report.exit_code == 6);
    // On a slow machine it is reached before the first launch.
    if (report.launches.empty() || report.launches[0].repeats == 0) return false;
    CHECK(report.launches[0].repeats < 1000000000000);
    // It is reached between two launches, or within one. Then the print is late as well.
    if (report.findings.empty()) {
      REQUIRE(!report.errors.empty());
      CHECK(report.errors[0].message.starts_with(
          "the time limit of the whole run was reached after "));
    }
    for (const ReportedFinding& each : report.findings)
      CHECK(each.finding.diagnostic.rule == "TSP-L0002");
    for (const Diagnostic& each : report.errors) CHECK(each.rule == "TSP-L0002");
    return true;
  }));
}

TEST_CASE("a limit that ended a launch decides the exit code, whatever follows") {
  constexpr const char* kEnded = "max-steps 100\nkernel spin\nglobal 1\nlaunch\n";
  constexpr const char* kSecondLaunch = "kernel other\nglobal 1\narg z = uint:zero:4\nlaunch\n";
  for (const char* after : {"", "print z\n", "expect z = 1 2 3 4\n", "out z = limits.bin\n",
                            "print z[4]\n", "expect z[9] = 1\n", "print z as double\n"}) {
    CAPTURE(std::string(after));
    const RunReport report = run_of(fmt::format("{}{}{}", kEnded, kSecondLaunch, after));
    CHECK(report.exit_code == 6);
    CHECK(report.errors.empty());
    CHECK(report.expectations == 0);
    CHECK(report.prints.empty());
  }
  CHECK_FALSE(std::filesystem::exists("limits.bin"));
  // A failed print or an unmet expectation is told as well, but the limit decides the exit code.
  constexpr const char* kDeclared = "buffer b = uint:zero:4\n";
  for (const char* after : {"print b[4]\n", "expect b = 1 2 3 4\n", "expect b = 1 2\n"}) {
    const RunReport report = run_of(std::string(kDeclared) + kEnded + after);
    CHECK(report.exit_code == 6);
    CHECK(report.errors.size() + report.failures.size() == 1);
  }
  const RunReport expected =
      run_of(std::string(kEnded) + kSecondLaunch + "print z\nexpect fault TSP-L0001\n");
  CHECK(expected.exit_code == 0);
}

TEST_CASE("text has the room that it is given") {
  TextRoom room({}, 10);
  CHECK(room.add("12345"));
  CHECK(room.add("67890"));
  CHECK_FALSE(room.add("1"));
  CHECK(room.is_full());
  CHECK(room.text() == "1234567890");
}

TEST_CASE("elements that are made in pieces are those that are made at once") {
  TypeInfo mixed;
  mixed.kind = TypeInfo::Kind::kStruct;
  mixed.elements = {type_of({ScalarType::kUchar, 1}), type_of({ScalarType::kFloat, 3})};
  mixed.member_offsets = {0, 16};
  mixed.size_bytes = 32;
  mixed.align_bytes = 16;
  const TypeInfo plain = type_of({ScalarType::kInt, 1});
  for (const TypeInfo& type : {mixed, plain}) {
    for (const char* text : {"zero:1000", "fill:3:1000", "range:-5:3:1000", "random:7:-9:9:1000"}) {
      CAPTURE(std::string(text));
      const auto spec = parse_value_spec(text);
      REQUIRE(spec.ok());
      const auto whole = evaluate(*spec, {&type, std::nullopt});
      REQUIRE_MESSAGE(whole.ok(), errors_of(whole));
      auto stream = ValueStream::open(*spec, {&type, std::nullopt});
      REQUIRE_MESSAGE(stream.ok(), errors_of(stream));
      REQUIRE(stream->size_bytes() == whole->bytes.size());
      const std::uint64_t stride = stride_bytes(type);
      for (std::uint64_t at = 0, count = 1; at < whole->bytes.size(); ++count) {
        const std::uint64_t bytes = std::min(count * stride, whole->bytes.size() - at);
        const auto piece = stream->next(bytes);
        CHECK(std::ranges::equal(piece, whole->bytes.subspan(at, bytes)));
        at += bytes;
      }
    }
  }
}

}  // namespace
}  // namespace transpire::test
