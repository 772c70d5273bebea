// The launch language: statements, when launches and checks happen, and what is said about
// mistakes.
#include "launch/language/launch_plan.h"
#include "launch/language/launch_writer.h"
#include "launch/language/plan_builder.h"
#include "launch/language/statements.h"
#include "launch/report/diagnose.h"
#include "tests/launch/support.h"

namespace transpire::test {
namespace {

/// The steps as one letter each: Launch, Print, Output, Expect, prinTf.
std::string steps_of(const Result<LaunchPlan>& plan) {
  if (!plan) return errors_of(plan);
  std::string text;
  for (const Step& step : plan->steps) text += "LPOET"[step.index()];
  return text;
}

std::string steps_of(const char* text) { return steps_of(parse_launch_text(text, "f.launch")); }

LaunchPlan plan_of(const char* text, const std::string& file = "dir/f.launch") {
  auto plan = parse_launch_text(text, file);
  REQUIRE_MESSAGE(plan.ok(), errors_of(plan));
  return std::move(plan).value();
}

/// First words of all lines, as the tables have them.
std::vector<std::string> statement_words() {
  std::vector<std::string> words;
  for (const Statement& statement : statements())
    if (statement.line != nullptr || statement.assignment != nullptr)
      words.emplace_back(statement.word);
  words.insert(words.end(), setting_words().begin(), setting_words().end());
  return words;
}

const LaunchStep& launch_of(const LaunchPlan& plan, std::size_t index = 0) {
  for (const Step& step : plan.steps)
    if (const auto* launch = std::get_if<LaunchStep>(&step); launch != nullptr && index-- == 0)
      return *launch;
  FAIL("there is no such launch");
  return std::get<LaunchStep>(plan.steps[0]);
}

TEST_CASE("every statement is understood") {
  const LaunchPlan plan = plan_of(R"(
module saxpy.cl                       # a comment
options -cl-std=CL1.2 -O2
spec 3 = uint:7
buffer data = float:range:0:1:1024
kernel saxpy
global 1024,2
local 64
offset 0,1
arg y = float:range:0:1:1024
arg x = buffer data
arg 2 = 3
repeat 10 swap y x
launch
print y[0..7]
print y as uint hex
out y = result.bin
expect y ~ 4ulp = file:ref.bin
expect fault TSP-R0021 on y at 5,6 line 12:3
expect refused TSP-U0001
expect no faults
expect printf "a=1 # not a comment\n"
isa avx2
threads 2
check bounds
check none
check ub
max-steps 100
max-errors 5
max-children 7
check-memory 3KiB
timeout 2s
reference
)");
  CHECK(plan.modules == std::vector<std::string>{"dir/saxpy.cl"});
  CHECK(plan.build_options == std::vector<std::string>{"-cl-std=CL1.2", "-O2"});
  CHECK(plan.specialisation[0].target == "3");
  CHECK(plan.buffers[0].name == "data");
  CHECK(steps_of(Result<LaunchPlan>(plan)) == "LPPOET");
  const LaunchStep& launch = launch_of(plan);
  CHECK(launch.global.size == std::array<std::uint64_t, 3>{1024, 2, 0});
  CHECK(launch.arguments.size() == 3);
  CHECK(launch.repeat == 10);
  CHECK(launch.swaps[0] == std::pair<std::string, std::string>{"y", "x"});
  CHECK(std::get<OutputStep>(plan.steps[3]).file == "dir/result.bin");
  CHECK(std::get<ExpectBufferStep>(plan.steps[4]).value.file == "dir/ref.bin");
  CHECK(std::get<ExpectPrintfStep>(plan.steps[5]).text == "a=1 # not a comment\n");
  CHECK(plan.expected_faults[0].buffer == "y");
  CHECK((*plan.expected_faults[0].at)[1] == 6);
  CHECK(plan.expected_faults[0].line == 12);
  CHECK(plan.expected_faults[0].column == 3);
  CHECK(plan.expected_refusals[0].rule == "TSP-U0001");
  CHECK(plan.settings.isa == "avx2");
  CHECK(plan.settings.threads == 2);
  CHECK((plan.settings.check_ub == true && plan.settings.check_bounds != true &&
         plan.settings.reference == true));
  CHECK(plan.settings.max_steps == 100);
  CHECK(plan.settings.max_findings == 5);
  CHECK(plan.settings.max_children == 7);
  CHECK(plan.settings.max_check_bytes == 3072);
  CHECK(plan.settings.timeout_seconds == 2);
}

TEST_CASE("the tables have each statement that docs/launch-file.md lists, and settings") {
  const std::vector<std::string> words = statement_words();
  for (const char* word :
       {"module", "options",       "suppress", "spec",   "buffer", "shared",      "variable",
        "queue",  "default-queue", "kernel",   "global", "local",  "offset",      "arg",
        "repeat", "launch",        "print",    "out",    "expect", "shared-base", "isa",
        "check",  "env",           "threads",  "timeout"})
    CHECK_MESSAGE(std::ranges::count(words, word) == 1, word);
}

TEST_CASE("a launch is implied at the end, and checks wait for their launch") {
  CHECK(steps_of("kernel k\nglobal 1\n") == "L");
  CHECK(steps_of("") == "L");
  CHECK(steps_of("kernel k\nexpect y = 1\nglobal 1\nprint y\n") == "LEP");
  CHECK(steps_of("kernel k\nlaunch\nprint y\n") == "LP");
  CHECK(steps_of("kernel k\nprint y\nlaunch\nprint y\narg a = 2\nprint z\n") == "LPPLP");
  CHECK(steps_of("kernel k\nlaunch\nlaunch\n") == "LL");
  CHECK(steps_of("kernel a\nlaunch\nkernel b\nlaunch\nprint y\n") == "LLP");
}

TEST_CASE("arguments stay for the same kernel, and are forgotten with another one") {
  const LaunchPlan plan =
      plan_of("kernel a\narg x = 1\narg y = 2\nlaunch\narg x = 3\nlaunch\nkernel b\narg z = 4\n");
  CHECK(launch_of(plan, 0).arguments.size() == 2);
  REQUIRE(launch_of(plan, 1).arguments.size() == 2);
  CHECK(launch_of(plan, 1).arguments[0].target == "y");
  CHECK(launch_of(plan, 1).arguments[1].value.literals[0].number == "3");
  CHECK(launch_of(plan, 2).arguments.size() == 1);
}

TEST_CASE("repeats and swaps are for one launch") {
  const LaunchPlan plan = plan_of("kernel a\nrepeat 3 swap x y\nlaunch\nlaunch\n");
  CHECK(launch_of(plan, 0).repeat == 3);
  CHECK(launch_of(plan, 1).repeat == 1);
  CHECK(launch_of(plan, 1).swaps.empty());
}

TEST_CASE("lines about printf are one text") {
  const LaunchPlan plan = plan_of(
      "kernel a\nexpect printf \"a\\n\"\nexpect printf \"b\\n\"\nlaunch\nexpect printf \"c\\n\"\n");
  REQUIRE(plan.steps.size() == 2);
  CHECK(std::get<ExpectPrintfStep>(plan.steps[1]).text == "a\nb\nc\n");
}

TEST_CASE("buffers may be called like other expectations") {
  CHECK(steps_of("kernel k\nexpect fault = 1\nexpect printf[0] = 2\nexpect no ~ 1 = 3\n") ==
        "LEEE");
}

TEST_CASE("mistakes are reported with their line, all at once") {
  CHECK(steps_of("kernal k\nglobal 1,2,3,4\nlocal 4\n") ==
        "error[TSP-C0021]: 'kernal' is not a statement of launch files\n"
        "  --> f.launch:1:1\n"
        "help: did you mean 'kernel'? the statements are " +
            listed(statement_words()) +
            "\n"
            "error[TSP-C0021]: at most three sizes are allowed\n"
            "  --> f.launch:2:1\n");
  CHECK(steps_of("arg y 3\n") ==
        "error[TSP-C0021]: '=' is missing after 'arg'\n  --> f.launch:1:1\n");
  CHECK(steps_of("  arg y = 1\n  arg y = 2\n") ==
        "error[TSP-C0003]: argument 'y' is given twice\n  --> f.launch:2:3\n");
  CHECK(steps_of("reference yes\n") ==
        "error[TSP-C0021]: 'yes' was not expected after 'reference'\n  --> f.launch:1:1\n");
  CHECK(steps_of("env opencl9\n")
            .starts_with(
                "error[TSP-C0021]: there is no environment 'opencl9'\n  --> f.launch:1:1\n"));
  CHECK(parse_launch_text("some\ntext\n", "f").errors().size() == 1);
  CHECK(parse_launch_text("some\ntext\nkernel k\n", "f").errors().size() == 2);
  CHECK(steps_of("ker\x1bnel\n").starts_with("error[TSP-C0021]: 'ker\\x1bnel' is not"));
  CHECK(steps_of("kernel a\nkernel b\n") ==
        "error[TSP-C0021]: kernel 'a' was not launched before kernel 'b' was chosen\n"
        "  --> f.launch:2:1\nhelp: write 'launch' between them\n");
  for (const char* line : {"launch now",
                           "expect y",
                           "expect fault",
                           "expect fault R21",
                           "expect fault TSP-R0021 line",
                           "expect fault TSP-R0021 line 0",
                           "expect fault TSP-R0021 line 1:0",
                           "expect fault TSP-R0021 line 1:",
                           "expect fault TSP-R0021 line 4294967296",
                           "expect fault TSP-R0021 line 1 at",
                           "expect refused",
                           "repeat",
                           "repeat 2 exchange a b",
                           "print y as wide",
                           "print",
                           "out y =",
                           "check races",
                           "threads x",
                           "spec 1 = 1 2",
                           "buffer b = local:4",
                           "buffer b = int:zero:1\nbuffer b = int:zero:1",
                           "module",
                           "kernel",
                           "timeout soon",
                           "expect printf a",
                           "reference yes"})
    CHECK_MESSAGE(steps_of(line).starts_with("error[TSP-C002"), line);
}

TEST_CASE("launch lines inside sources keep their line numbers") {
  const auto text =
      embedded_launch_text("// saxpy\n//! kernel k\nvoid f();\n  //! globl 4\n", "//!");
  REQUIRE(text);
  CHECK(*text == "\n kernel k\n\n globl 4\n");
  CHECK_FALSE(embedded_launch_text("// none\n", "//!"));
  CHECK(steps_of(text->c_str()).find("f.launch:4:2") != std::string::npos);
}

TEST_CASE("flags make the same plan as lines") {
  LaunchFlags flags;
  flags.modules = {"a.spv", "b.spv"};
  flags.given = {
      {"kernel", {"k"}},      {"global", {"64,2"}},       {"arg", {"x=float:zero:64", "1=2.5"}},
      {"spec", {"3=uint:7"}}, {"options", {"-O0 -DN=4"}}, {"print", {"x[0..3]"}},
      {"expect", {"x = 0"}},  {"repeat", {"2"}},          {"swap", {"x,y"}}};
  CHECK(describes_launch(flags));
  const auto plan = plan_from_flags(flags);
  CHECK(steps_of(plan) == "LPE");
  CHECK(plan->modules == std::vector<std::string>{"a.spv", "b.spv"});
  CHECK(plan->build_options == std::vector<std::string>{"-O0", "-DN=4"});
  CHECK(launch_of(*plan).arguments[1].target == "1");
  CHECK(launch_of(*plan).repeat == 2);
  flags.given["arg"] = {"x"};
  flags.given["global"] = {"a"};
  CHECK(steps_of(plan_from_flags(flags)) ==
        "error[TSP-C0022]: 'a' is no size: a whole number is expected\n"
        "  = in '-g a'\n"
        "help: write it in digits, such as '64' or '0x40'\n"
        "error[TSP-C0020]: '=' is missing between name and value\n"
        "  = in '-a x'\n");
}

TEST_CASE("checks may be added to a plan") {
  LaunchPlan plan = plan_of("kernel k\nglobal 1\n");
  LaunchFlags flags;
  flags.given = {{"print", {"y"}}, {"expect", {"fault TSP-R0021"}}};
  CHECK_FALSE(describes_launch(flags));
  REQUIRE(add_checks(plan, flags).ok());
  CHECK(steps_of(Result<LaunchPlan>(plan)) == "LP");
  CHECK(plan.expected_faults.size() == 1);
}

TEST_CASE("settings of the command line replace the plan's one by one") {
  const LaunchPlan plan = plan_of(
      "kernel k\nglobal 1\nthreads 3\nshared-base 0x200000000000\nmax-steps 7\ntimeout 2\n");
  AskedSettings overrides;
  overrides.threads = 5;
  overrides.isa = "scalar";
  overrides.timeout_seconds = 1;
  const AskedSettings both = merged(plan.settings, overrides);
  CHECK(both.threads == 5);
  CHECK(both.isa == "scalar");
  CHECK(both.shared_base == std::uint64_t{1} << 45);
  CHECK(both.timeout_seconds == 1);
  CHECK(both.max_steps == 7);
  CHECK_FALSE(both.environment);
}

TEST_CASE("faults on memory whose name has blanks") {
  const auto plan = parse_launch_text(
      "kernel k\nglobal 1\nexpect fault TSP-R0020 on \"captures of # \\\"k\" at 3 line 2\n"
      "expect fault TSP-R0020 on \"y\"\nexpect fault TSP-R0020 on \"y\n",
      "f.launch");
  REQUIRE(plan);
  CHECK(plan->expected_faults[0].buffer == "captures of # \"k");
  CHECK(plan->expected_faults[0].line == 2);
  CHECK(plan->expected_faults[1].buffer == "y");
  CHECK(plan->expected_faults[2].buffer == "\"y");
  LaunchWriter writer;
  writer.expect(plan->expected_faults[0]);
  writer.expect(plan->expected_faults[1]);
  CHECK(writer.text() ==
        "expect fault TSP-R0020 on \"captures of # \\\"k\" at 3,0,0 line 2\n"
        "expect fault TSP-R0020 on y\n");
}

}  // namespace
}  // namespace transpire::test
