// Every limit of the table arrives from every interface that its row names, and holds in every phase that its row names: there, an
// input that goes beyond it ends with the row's rule and exit code.
#include "transpire/limit_table.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "c_api/c_api.h"
#include "cli/app.h"
#include "launch/runner/run_plan.h"
#include "tests/patience.h"
#include "tests/runtime/support.h"
#include "tests/shorthand/shorthand.h"

namespace transpire::test::limit_table {
namespace {

using namespace launch;

// ---- Interfaces ---------------------------------------------------------------------------------

/// A value that differs from the limit's initial one, in the words of the launch language.
std::string value_of(const Limit& limit) { return limit.kind == LimitKind::kTime ? "0.5s" : "7"; }

std::vector<std::string> statements_of(const Result<LaunchPlan>& plan) {
  REQUIRE(plan.ok());
  return limit_statements_of(plan->settings);
}

std::vector<std::string> by_command_line(const std::string& option) {
  const char* words[] = {"transpire", "run", "k.spv", option.c_str()};
  const auto options = cli::run_options(std::size(words), words);
  REQUIRE(options);
  const auto settings = cli::settings_of(*options);
  REQUIRE(settings.ok());
  return limit_statements_of(*settings);
}

/// Limits that transpire_launch_set_limit() leaves, or nothing if it fails.
std::optional<Limits> by_c(std::uint32_t limit, std::uint64_t value) {
  static transpire_launch launch{transpire::Launch(load("OpCapability Kernel\n"), "k")};
  launch.launch.limits = {};
  if (transpire_launch_set_limit(&launch, limit, value, nullptr) != TRANSPIRE_OK) return {};
  return launch.launch.limits;
}

std::string text_of_file(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(fmt::format("{}/{}", TRANSPIRE_REPOSITORY, name)).rdbuf();
  REQUIRE(!text.str().empty());
  return text.str();
}

TEST_CASE("every limit arrives from every interface") {
  const auto c_limits = static_cast<std::uint32_t>(
      std::ranges::count_if(kLimits, [](const Limit& limit) { return limit.c_limit >= 0; }));
  for (const Limit& limit : kLimits) {
    INFO(limit.member);
    const std::string statement = fmt::format("{} {}", limit.word, value_of(limit));
    const std::vector<std::string> expected{statement};
    CHECK(statements_of(parse_launch_text(statement, "k.launch")) == expected);
    CHECK(statements_of(parse_launch_json(
              fmt::format(R"({{"modules": "k.spv", "{}": {}, "steps": []}})", limit.word,
                          limit.kind == LimitKind::kTime ? "0.5" : "7"),
              "k.json")) == expected);
    CHECK(by_command_line(fmt::format("--{}={}", limit.word, value_of(limit))) == expected);
    AskedSettings asked, merged;
    REQUIRE(read_limit(asked, limit, value_of(limit)).ok());
    merged.replace_by(asked);
    CHECK(limit_statements_of(merged) == expected);
    Limits limits;
    merged.apply_to(limits);
    const bool is_of_run = limit.in.number == nullptr && limit.in.seconds == nullptr;
    CHECK(limit_statements_of(limits) == (is_of_run ? std::vector<std::string>{} : expected));
    if (limit.c_limit < 0) continue;
    CHECK(limit.c_limit < c_limits);
    const auto by_number =
        by_c(static_cast<std::uint32_t>(limit.c_limit), limit.kind == LimitKind::kTime ? 500 : 7);
    REQUIRE(by_number);
    CHECK(limit_statements_of(*by_number) == expected);
  }
  CHECK_FALSE(by_c(c_limits, 7));
  CHECK_FALSE(by_c(~0u, 7));
  const std::string header = text_of_file("include/transpire/transpire.h");
  CHECK(header.find("\n  TRANSPIRE_LIMIT_") == header.npos);  // every constant is of the table
}

TEST_CASE("the documents name every limit") {
  const std::string schema = text_of_file("docs/launch.schema.json"),
                    page = text_of_file("docs/launch-file.md"),
                    driver = text_of_file("docs/opencl.md"), rules = text_of_file("docs/rules.md");
  for (const Limit& limit : kLimits) {
    INFO(limit.member);
    CHECK(schema.find(fmt::format("\"{}\": {{", limit.word)) != schema.npos);
    CHECK(page.find(fmt::format("`{} {}`", limit.word, placeholder(limit))) != page.npos);
    if (!limit.driver_variable.empty())
      CHECK(driver.find(fmt::format("`{}`", limit.driver_variable)) != driver.npos);
    CHECK(rules.find(limit.rule) != rules.npos);
  }
}

// ---- Phases -------------------------------------------------------------------------------------

/// Large enough to be lowered for some milliseconds.
std::string long_kernel() {
  std::string text = "kernel long(%_ptr_CrossWorkgroup_float y)\n%s0 = OpLoad %float %y\n";
  for (int i = 0; i < 50'000; ++i) text += fmt::format("%s{} = OpFAdd %float %s{} %s0\n", i + 1, i);
  return text + "OpStore %y %s50000\n";
}

std::string plain_kernels() {
  return shorthand::declare(R"(
kernel k(%_ptr_CrossWorkgroup_uint y)
store %y %uint_7
kernel keeps(%_ptr_Workgroup_uint l)
store %l %uint_7
kernel wrong(%_ptr_CrossWorkgroup_uint y)
store %y[%ulong_1000] %uint_7
store %y[%ulong_1001] %uint_7
kernel spin(%_ptr_CrossWorkgroup_uint y)
%loop = OpLabel
%old = OpLoad %uint %y
%new = OpIAdd %uint %old %uint_2
OpStore %y %new
OpLoopMerge %end %again None
%again = OpLabel
OpBranch %loop
%end = OpLabel
)" + long_kernel());
}

/// Kernels that print or enqueue, which only the compiler makes.
constexpr std::string_view kSource = R"(
#define CHILD(...) enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, __VA_ARGS__)
kernel void say() { printf("0123456789"); }
kernel void talk() { for (int i = 0; i < 5; ++i) CHILD(ndrange_1D(1), ^{ printf("0123456789"); }); }
kernel void many(global int* y, int n) { for (int i = 0; i < n; ++i) CHILD(ndrange_1D(1), ^{ y[0] += 1; }); }
void deeper(global int* y, int n) {
  CHILD(ndrange_1D(1), ^{ y[0] += 1; if (n > 1) deeper(y, n - 1); });
}
kernel void deep(global int* y, int n) { deeper(y, n); }
kernel void spins(global int* y) {
  CHILD(ndrange_1D(1), ^{ while ((*(volatile global uint*)(y + 1) += 2) != 1) {} });
}
kernel void wrong(global int* y) { CHILD(ndrange_1D(1), ^{ y[1000] = 1; y[1001] = 1; }); }
kernel void touch(global int* y) { y[get_global_id(0)] = 1; }
kernel void touches(global int* y) { CHILD(ndrange_1D(4096, 64), ^{ y[get_global_id(0)] = 1; }); }
)";

/// Module of an input: loaded before the run, or a file that the run loads.
enum class From { kPlain, kCompiled, kPipe, kEndlessFile, kSourceFile };

/// An input that goes beyond a limit in one phase.
struct Input {
  std::string_view word;  ///< of the limit; empty: every limit of time
  LimitPhase phase;
  From from;
  std::string_view statements;
  std::string_view value;  ///< of the limit; empty: a time, which grows until the phase is reached
  std::string_view said;   ///< in a message or a note, where the phase can be seen from it
};

#define LAUNCH(kernel, items, arguments) \
  "kernel " kernel "\nglobal " items "\n" arguments "launch\n"
constexpr std::string_view kK = LAUNCH("k", "1", "arg y = uint:zero:1\n");
using enum LimitPhase;
constexpr Input kInputs[] = {
    {"", kReading, From::kPipe, kK, "", "' was read"},
    {"", kCompiling, From::kSourceFile, LAUNCH("k", "1", ""), "", "while OpenCL C was compiled"},
    {"", kValidating, From::kPlain, kK, "", "while the module was validated"},
    {"", kSetUp, From::kPlain,
     "buffer b = uint:random:1:0:9:1000000\n" LAUNCH("k", "1", "arg y = buffer b\n"), "",
     "while buffer 'b' was made"},
    {"", kLowering, From::kPlain, "reference\n" LAUNCH("long", "1", "arg y = float:zero:1\n"), "",
     "while the kernel was lowered"},
    {"", kLaunch, From::kPlain, LAUNCH("spin", "1", "arg y = uint:zero:1\n"), "", "kernel 'spin' "},
    {"", kChildren, From::kCompiled, LAUNCH("spins", "1", "arg y = int:zero:2\n"), "",
     "enqueued by"},
    {"", kAfterwards, From::kPlain, LAUNCH("k", "1", "arg y = uint:zero:4000000\n") "print y\n", "",
     "while 'y' was printed"},
    {"max-steps", kLaunch, From::kPlain, LAUNCH("spin", "1", "arg y = uint:zero:1\n"), "1000",
     "kernel 'spin' "},
    {"max-steps", kChildren, From::kCompiled, LAUNCH("spins", "1", "arg y = int:zero:2\n"), "1000",
     "enqueued by"},
    {"max-errors", kLaunch, From::kPlain, LAUNCH("wrong", "1", "arg y = uint:zero:1\n"), "1", ""},
    {"max-errors", kChildren, From::kCompiled, LAUNCH("wrong", "1", "arg y = int:zero:1\n"), "1",
     "enqueued by"},
    {"max-memory", kReading, From::kEndlessFile, kK, "1MiB", "has more bytes than the limit"},
    {"max-memory", kSetUp, From::kPlain, LAUNCH("k", "1", "arg y = uint:zero:1000000\n"), "1MiB",
     "elements of uint need more than the limit"},
    {"max-memory", kLaunch, From::kPlain, LAUNCH("keeps", "1", "arg l = local:32768\n"), "16KiB",
     "32768"},
    {"max-memory", kChildren, From::kCompiled,
     LAUNCH("many", "1", "arg y = int:zero:1\narg n = 20000\n"), "8MiB", ""},
    {"max-memory", kAfterwards, From::kPlain,
     "buffer b = uint:fill:1000000000:100000\n" LAUNCH("k", "1", "arg y = buffer b\n") "print b\n",
     "1MiB", "printing 'b'"},
    {"max-printf", kLaunch, From::kCompiled, LAUNCH("say", "8", ""), "130", ""},
    {"max-printf", kChildren, From::kCompiled, LAUNCH("talk", "1", ""), "130", ""},
    {"max-children", kLaunch, From::kCompiled,
     LAUNCH("many", "1", "arg y = int:zero:1\narg n = 5\n"), "3", ""},
    {"max-children", kChildren, From::kCompiled,
     LAUNCH("deep", "1", "arg y = int:zero:1\narg n = 5\n"), "3", "enqueued by"},
    {"check-memory", kLaunch, From::kCompiled,
     "check race\n" LAUNCH("touch", "4096", "arg y = int:zero:4096\n"), "4096", ""},
    {"check-memory", kChildren, From::kCompiled,
     "check race\n" LAUNCH("touches", "1", "arg y = int:zero:4096\n"), "4096", ""},
};
#undef LAUNCH

class Phases {
 public:
  /// False where the input needs a compiler, and there is none.
  bool can_run(const Input& input) const {
    return compiled_ || (input.from != From::kCompiled && input.from != From::kSourceFile);
  }

  bool ends(const Limit& limit, const Input& input) const {
    if (!input.value.empty()) return ends_at(limit, input, std::string(input.value));
    // Everything before these phases takes no time, so the limit may be over before it begins.
    const bool begins_late = input.phase == kValidating || input.phase == kSetUp;
    return within_growing_limits(begins_late ? 1e-9 : 0.002, [&](double seconds) {
      return ends_at(limit, input, fmt::format("{}s", seconds));
    });
  }

 private:
  std::string path_of(From from) const {
    switch (from) {
      case From::kPipe:
        return silent_.path();
      case From::kEndlessFile:
        return "/dev/zero";
      case From::kSourceFile:
        return source_.path();
      case From::kPlain:
      case From::kCompiled:
        break;
    }
    return "none";
  }

  bool ends_at(const Limit& limit, const Input& input, const std::string& value) const {
    const auto plan = parse_launch_text(fmt::format("module {}\n{} {}\n{}", path_of(input.from),
                                                    limit.word, value, input.statements),
                                        "phase.launch");
    REQUIRE(plan.ok());
    RunOverrides overrides;
    overrides.settings.threads = 1;
    if (input.from == From::kPlain) overrides.module = plain_;
    if (input.from == From::kCompiled) overrides.module = compiled_;
    if (input.phase == kValidating) overrides.strictness = Strictness::kField;
    const RunReport report = run_plan(*plan, overrides);
    std::vector<Diagnostic> found = report.errors;
    for (const ReportedFinding& each : report.findings) found.push_back(each.finding.diagnostic);
    const bool is_said = std::ranges::any_of(found, [&](const Diagnostic& each) {
      return (limit.rule.empty() || each.rule == limit.rule) &&
             (each.message + fmt::format("{}", fmt::join(each.notes, "\n"))).find(input.said) !=
                 std::string::npos;
    });
    const bool is_right = is_said && report.exit_code == limit.exit_code &&
                          (!limit.rule.empty() || fmt::to_string(found.size()) == value);
    if (!is_right && !input.value.empty()) FAIL_CHECK(format_messages(report));
    return is_right;
  }

  SilentPipe silent_;
  TemporaryFile source_{".cl", "kernel void k() {}"};
  Module plain_ = load(plain_kernels());
  std::optional<Module> compiled_ = compile_at("-O2", kSource);
};

TEST_CASE("every limit holds in the phases that its row names") {
  const Phases phases;
  for (const Limit& limit : kLimits) {
    for (const LimitPhase phase : kEveryPhase) {
      INFO(limit.word << ", phase " << static_cast<int>(phase));
      const auto* const input = std::ranges::find_if(kInputs, [&](const Input& each) {
        return each.phase == phase &&
               (each.word == limit.word || (each.word.empty() && limit.kind == LimitKind::kTime));
      });
      REQUIRE((input != std::end(kInputs)) == holds_in(limit, phase));
      if (input != std::end(kInputs) && phases.can_run(*input)) CHECK(phases.ends(limit, *input));
    }
  }
}

}  // namespace
}  // namespace transpire::test::limit_table
