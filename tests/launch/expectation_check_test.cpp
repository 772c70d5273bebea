// Expectations: how buffers and the output of printf are compared, and how differences are described.
#include "launch/runner/expectation_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/launch/declared.h"

namespace transpire::test {
namespace {

struct Expecting : Declared {
  using Declared::Declared;
  /// The failure of `expect WORDS`, with its notes; "met", or the errors.
  std::string check(const std::string& words) {
    const Step step =
        plan_with("kernel writer\nglobal 1\nlaunch\nexpect " + words + "\n").steps.back();
    auto failure = expectations.check(std::get<ExpectBufferStep>(step));
    if (!failure) return error_of(failure);
    if (!*failure) return "met";
    last = **failure;
    const Diagnostic& diagnostic = last.diagnostic;
    return fmt::format("{}{}{}", diagnostic.message, diagnostic.notes.empty() ? "" : "; ",
                       fmt::join(diagnostic.notes, "; "));
  }

  LaunchPlan plan;
  RunOverrides overrides;
  AskedSettings settings;
  Writers writers{module_of_declared()};
  std::optional<ResultLog> results = ResultLog::create();
  ExpectationCheck expectations{plan, overrides, settings, buffers, writers, results, limit};
  FailedExpectation last{};
};

TEST_CASE("numbers that differ are listed, at most eight of them") {
  Expecting run("buffer y = uint:range:0:1:12\n");
  CHECK(run.check("y = uint:range:0:1") == "met");
  CHECK(run.check("y[2..3] = 2 3") == "met");
  CHECK(run.check("y[2..3] = 2 4") ==
        "1 of 2 values of 'y' differ from what was expected exactly; y[3]: expected 4, found 3");
  CHECK(run.check("y = uint:fill:99").ends_with("; and 4 more"));
  CHECK(run.last.different == 12);
  CHECK(run.last.found.empty());
  run.overrides.collect_found = true;
  CHECK(run.check("y[2..3] = 2 4") != "met");
  CHECK(elements<unsigned>(run.last.found) == std::vector<unsigned>{2, 3});
}

TEST_CASE("large differences are advised checks first, small ones a tolerance") {
  Expecting run("buffer y = float:fill:1:2\n");
  CHECK(run.check("y ~ 1ulp = 1.0000001 1") == "met");
  run.check("y = 1.0000001 1");
  CHECK(run.last.diagnostic.help.find("compared with a tolerance") != std::string::npos);
  run.check("y = 2 1");
  CHECK(run.last.diagnostic.help.find("--check=all") != std::string::npos);
  for (auto* each : {&run.settings.check_ub, &run.settings.check_bounds, &run.settings.check_sync,
                     &run.settings.check_race, &run.settings.check_uninit})
    *each = true;
  run.check("y = 2 1");
  CHECK(run.last.diagnostic.help.find("no check found why") != std::string::npos);
}

TEST_CASE("the number of values, their kind and the number of tolerances are checked") {
  Expecting run("buffer y = uint:range:0:1:4\nbuffer v = float2:zero:2\n");
  CHECK(run.check("y = 1 2 3") == "expected 4 values for the elements of 'y', found 3");
  CHECK(run.check("y ~ 1ulp = float:data:0,0,0,0").starts_with("TSP-C0022: a tolerance is about"));
  CHECK(run.check("v ~ (1, 2, 3) = 0 0 0 0") ==
        "TSP-C0021: 3 tolerances are given, 'v' has elements of float2 of 2 numbers each");
  CHECK(run.check("z = 1") == "TSP-C0026: there is no buffer 'z'");
}

TEST_CASE("indices of expected bytes count bytes where there are as many, else elements") {
  Expecting run("buffer y = uint:range:0:1:4\n");
  CHECK(run.check("y[0..3] = bytes:hex:00000000") == "met");
  CHECK(run.check("y[1] = bytes:hex:01000000") == "met");
  CHECK(run.check("y[4] = bytes:hex:01") == "met");
}

TEST_CASE("a pipe tells how many packets are left") {
  Expecting run("buffer q = pipe uint 8 data:1,2,3\n");
  REQUIRE(run.buffers.look_at_pipes().ok());
  CHECK(run.check("q = 1 2 3") == "met");
  CHECK(run.check("q.packets = 3") == "met");
  CHECK(run.check("q = uint:data:1,2") ==
        "3 packets are left in pipe 'q', 2 packets were expected; left: 1 2 3");
  CHECK(run.check("q[1..3] = uint:data:2,3,4") ==
        "3 packets are left in pipe 'q', 'q[1..3]' were expected; left: 1 2 3");
  CHECK(run.last.is_short);
}

TEST_CASE("legal results that the specification does not bound are no success") {
  Expecting run("buffer q = pipe float 2 data:1\n");
  REQUIRE(run.buffers.look_at_pipes().ok());
  CHECK(run.check("q ~ spec full = 1") ==
        "the specification does not bound 1 of 1 values of 'q': q[0]: launches do not note what "
        "they write to pipes");
}

TEST_CASE("a file that does not exist yet may be made of the found elements") {
  Expecting run("buffer y = uint:range:0:1:2\n");
  CHECK(run.check("y = uint:file:no-such-file.bin").starts_with("TSP-C0001"));
  run.overrides.collect_found = true;
  CHECK(run.check("y = uint:file:no-such-file.bin").starts_with("there is no file"));
  CHECK(run.last.found.size() == 8);
}

TEST_CASE("the output of printf is compared as a whole") {
  const Expecting run("");
  CHECK_FALSE(run.expectations.check(ExpectPrintfStep{"a\nb", {}}, "a\nb"));
  const auto failure = run.expectations.check(ExpectPrintfStep{"a\nb", {}}, "a\nc\t\x01\"");
  REQUIRE(failure);
  CHECK(failure->diagnostic.notes ==
        std::vector<std::string>{"first difference in line 2, at byte 2", R"(expected "a\nb")",
                                 R"(found    "a\nc\t\x01\"")"});
}

}  // namespace
}  // namespace transpire::test
