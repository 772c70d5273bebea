// The sub-commands: one function each, in a file of its name. They get parsed options and return
// the exit code of the process. Only these functions and main() print.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "launch/language/launch_plan.h"
#include "launch/runner/run_plan.h"
#include "transpire/setting_table.hpp"
#include "transpire/validate.hpp"

namespace transpire::cli {

using namespace launch;

struct OutputOptions {
  std::string format = "text";
  bool json() const { return format == "json"; }
};

/// Suppressions and warnings, for commands that report mistakes of kernels or modules.
struct JudgingOptions : OutputOptions {
  std::vector<std::string>
      warning_words;                  ///< values of -W: "error", "error=R0060", "no-error=R0060"
  std::vector<std::string> suppress;  ///< files, or rules
};

/// Settings and limits as written, by the words of their statements in launch files; each as often as it was given.
using GivenSettings = std::map<std::string_view, std::vector<std::string>>;

/// The last text that was given for that word; empty: there is none.
std::string text_of(const GivenSettings& given, std::string_view word);

struct RunOptions : JudgingOptions {
  LaunchFlags launch;  ///< `modules` are the files named, whatever they are
  GivenSettings settings;
  std::string strictness = "field", difference;
  bool quiet = false, warnings = false, bless = false;
  bool is_test = false;  ///< `transpire test` poisons memory by default
};

struct FuzzCommand {
  RunOptions run;
  std::string runs, seconds, jobs, seed, save;
  std::vector<std::string> ignored;
};

struct TestOptions : JudgingOptions {
  std::vector<std::string> paths, filters, run_options;
  std::string jobs, timeout = "60s", shard, junit, difference;
  bool list = false, verbose = false, github = false, bless = false;
};

struct InfoOptions : OutputOptions {
  std::string file, kernel, output;
  std::vector<std::string> build_options;
  bool launch_template = false;
};

struct ValidateCommand : JudgingOptions {
  std::string file, environment;  ///< empty: the environment that the module asks for
  std::string strictness = "field", device, second_opinion = "yes";
  std::string irreducible, struct_arrays, scopes;  ///< "accept", "reject" or empty
  std::uint64_t max_errors = 20;
  bool all = false;
  std::vector<std::string> build_options;
};

struct DisOptions : OutputOptions {
  std::string file;
  std::vector<std::string> build_options;
  bool offsets = false;
};

struct CompileCommand : OutputOptions {
  std::string file, output;
  std::string level;          ///< level of clang's optimiser: "0" to "3"; empty: "2"
  std::string spirv_version;  ///< empty: 1.2, or the version that the source needs
  std::vector<std::string> build_options;
  bool debug = false;
  bool for_checks = false;  ///< compile as a run with checks does
};

struct ExplainOptions : OutputOptions {
  std::string rule;
};

struct ClOptions : JudgingOptions {
  std::vector<std::string> program;  ///< the program and its arguments
  std::string record, report, driver, isa, threads;
  GivenSettings settings;  ///< settings that the driver has, as they were written
  bool fail_on_findings = false;
  bool enforce_flags = false;
};

struct UlpCommandOptions : OutputOptions {
  std::string function, type = "float", mode = "fast", rounding = "rte", isa, range, samples, seed,
                        threads, confirm;
  bool exhaustive = false;
};

struct VersionOptions : OutputOptions {};

struct HelpOptions {
  std::string command;
  bool man = false;
};

struct CompletionOptions {
  std::string shell;
};

/// The result of `validate` for one module.
struct JudgedValidation {
  Validation validation;
  Suppressions suppressions{};
  std::vector<SuppressedDiagnostic> suppressed{};  ///< at most kMostSuppressedKept
  Diagnostics unused{};                            ///< unused suppressions
};

int command_run(const RunOptions& options);
int command_test(const TestOptions& options);
int command_fuzz(const FuzzCommand& command);
int command_info(const InfoOptions& options);
int command_validate(const ValidateCommand& command);
int command_dis(const DisOptions& options);
int command_compile(const CompileCommand& command);
int command_cl(const ClOptions& options);
int command_explain(const ExplainOptions& options);
int command_ulp(const UlpCommandOptions& options);
int command_version(const VersionOptions& options);
/// The output of `transpire version`.
std::string version_text();

/// The launches that the options of `run` describe. Fails with C0001 and errors of the launch
/// language.
Result<LaunchPlan> plan_of(const RunOptions& options, const ReadLimit& limit);
/// The settings that the options of `run` give. Fails with C0021 and C0022.
Result<AskedSettings> settings_of(const RunOptions& options);

// Functions that several commands use.

/// C0020: a seed without the random schedule.
Diagnostic seed_without_effect();

/// Writes to standard output. A closed pipe is no error; exit_code_after_output() reports others.
void print(std::string_view text);
/// The exit code of the process: `code`, or if print() failed, that of C0024, which it reports.
int exit_code_after_output(int code);
/// True if standard error is a terminal that supports colours.
bool wants_colour();
/// Reports why a command could not run, in the requested format, and returns the exit code.
int fail(std::string_view command, const OutputOptions& output, const Diagnostics& errors);
/// Prints diagnostics to standard error as text.
void show(const Diagnostics& diagnostics);
/// The strictness of that name: "strict", "field" or "none".
Strictness strictness_named(const std::string& name);
/// Splits build options into words.
Result<std::vector<std::string>> words_of(const std::vector<std::string>& build_options);

}  // namespace transpire::cli
