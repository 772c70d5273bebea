// Commands and options: see the header.
#include "cli/options.h"

#include <fmt/format.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <type_traits>

#include "cli/setting_options.h"
#include "launch/language/asked_settings.h"
#include "launch/language/statements.h"
#include "launch/report/text.h"

namespace transpire::cli {
namespace {

/// A name's choices, for the parser's check and for completion scripts.
struct Choices {
  const char* option;
  std::vector<std::string> values;
};

const std::vector<Choices>& all_choices() {
  static const std::vector<Choices> choices{{"--format", {"text", "json"}},
                                            {"--isa", known_isas()},
                                            {"--type", {"half", "float", "double"}},
                                            {"--mode", {"fast", "reference", "libc", "all"}},
                                            {"--strictness", {"strict", "field", "none"}},
                                            {"--env", environment_names()},
                                            {"ulp --rounding", {"rte", "rtz", "rtp", "rtn"}},
                                            {"--second-opinion", {"yes", "no"}},
                                            {"--irreducible", {"accept", "reject"}},
                                            {"--struct-arrays", {"accept", "reject"}},
                                            {"--scopes", {"accept", "reject"}},
                                            {"-W", {"error", "error=", "no-error="}},
                                            {"-O", {"0", "1", "2", "3"}},
                                            {"--spirv-version", {"1.1", "1.2", "1.3", "1.4"}},
                                            {"validate --format", {"text", "json", "sarif"}},
                                            {"run --format", {"text", "json", "sarif"}},
                                            {"test --format", {"text", "json", "tap"}},
                                            {"SHELL", {"bash", "zsh", "fish"}}};
  return choices;
}

/// Choices of an option made from the table of settings.
std::vector<std::string> setting_choices(const std::string& option) {
  if (option == "--check") return check_names();
  for (const Setting& setting : kSettings) {
    const SettingText& text = text_of(setting);
    if (text.listed && option == text.run.name) return value_names(setting);
    if (!option.empty() && option == text.driver.name) return driver_names(setting);
  }
  return {};
}

}  // namespace

std::vector<std::string> choices_of(const std::string& option) {
  for (const Choices& choices : all_choices())
    if (choices.option == option) return choices.values;
  return setting_choices(option);
}

namespace {

constexpr std::size_t kHelpColumns = 70;

std::string refusal_of_empty(const std::string& text) { return text.empty() ? kEmptyValue : ""; }

/// Shortens the declarations below.
class Command {
 public:
  Command(CLI::App& app, const std::string& name, const std::string& description)
      : command_(app.add_subcommand(name, description)) {
    command_->set_help_flag("-h,--help", "Show this help and exit");
  }

  template <class T>
  CLI::Option* value(const std::string& names, T& target, const std::string& type,
                     const std::string& description) {
    CLI::Option* option =
        command_->add_option(names, target, wrapped(description, kHelpColumns))->type_name(type);
    // Nothing is what an option that is not given has: a variable of the shell is not set.
    if (std::is_same_v<T, std::string> && names.starts_with('-')) option->check(refusal_of_empty);
    return option;
  }

  /// An option that may be given several times, each time with one value.
  CLI::Option* many(const std::string& names, std::vector<std::string>& target,
                    const std::string& type, const std::string& description) {
    return value(names, target, type, description)->allow_extra_args(false);
  }

  /// May be given once only.
  CLI::Option* once(const std::string& names, std::vector<std::string>& target,
                    const std::string& type, const std::string& description) {
    return command_
        ->add_option_function<std::string>(
            names, [&target](const std::string& text) { target = {text}; },
            wrapped(description, kHelpColumns))
        ->type_name(type)
        ->check(refusal_of_empty);
  }

  CLI::Option* flag(const std::string& names, bool& target, const std::string& description) {
    return command_->add_flag(names, target, wrapped(description, kHelpColumns));
  }

  template <class T>
  CLI::Option* choice(const std::string& name, T& target, const std::string& type,
                      const std::string& description) {
    return value(name, target, type, description)
        ->check(CLI::IsMember(choices_of(name)).description(""));
  }

  /// A choice that may stand alone, `--poison`, and then means `bare`; a value stands behind '=' only.
  CLI::Option* bare_choice(const std::string& name, std::string_view bare,
                           std::vector<std::string>& target, const std::vector<std::string>& values,
                           const std::string& description) {
    return command_
        ->add_flag(fmt::format("{}{{{}}}", name, bare), target, wrapped(description, kHelpColumns))
        ->check(CLI::IsMember(values).description(""));
  }

  void output(OutputOptions& target) {
    choice("--format", target.format, "FORMAT",
           "Output for people (text, the default) or for programs (json)");
  }

  /// Declares the options for suppressions and warnings.
  void judging(JudgingOptions& target) {
    many("-W", target.warning_words, "error[=RULE]",
         "-Werror makes warnings errors, -Werror=RULE those of a rule; -Wno-error=RULE leaves them "
         "warnings");
    many("--suppress", target.suppress, "FILE",
         "Leave out the findings that the file's entries say (docs/suppressions.md); or a rule, to "
         "leave out all of it");
  }

  CLI::App* operator->() { return command_; }

 private:
  CLI::App* command_;
};

std::string isa_help() {
  return fmt::format("Instruction set to use, one that 'transpire version' lists, of {}",
                     fmt::join(known_isas(), ", "));
}

constexpr const char* kBuildHelp =
    "Options for the compiler of OpenCL C, such as '-cl-std=CL2.0 -DN=4'";

constexpr const char* kDifferenceHelp =
    "Where an image is not as expected, write pictures into the folder: what was found, what was "
    "expected, and how far each channel is off";

/// The option of a statement of launch files.
void declare_statement(Command& command, LaunchFlags& flags, const Statement& statement,
                       std::string_view help) {
  const std::string names(statement.names), type(statement.placeholder);
  std::vector<std::string>& given = flags.given[statement.word];
  if (statement.is_repeatable)
    command.many(names, given, type, std::string(help));
  else
    command.once(names, given, type, std::string(help));
}

/// The options of statements at a place of the launch.
void declare_statements(Command& command, LaunchFlags& flags, JsonPlace place) {
  for (const Statement& statement : statements())
    if (statement.place == place && !statement.names.empty())
      declare_statement(command, flags, statement, statement.help);
}

void declare_launch(Command& run, LaunchFlags& flags) {
  run.value(
         "FILE", flags.modules, "",
         "A module (.cl, .comp, .hlsl, .spv, .spvasm; several are linked) with the flags below, or "
         "a launch file (.launch, .json, .sim), or a source with launch lines in its comments; "
         "'-' is "
         "standard input. The flags go before what a launch file says")
      ->required();
  declare_statements(run, flags, JsonPlace::kLaunch);
  declare_statements(run, flags, JsonPlace::kRoot);
}

/// True for settings that `fuzz` decides by itself, and for those whose output it does not show.
bool is_decided_by_fuzz(std::string_view name) {
  return name == "--schedule" || name == "--seed" || name == "--count-instructions";
}

/// The option of a setting, as `text` describes it.
void declare_setting(Command& command, GivenSettings& given, const Setting& setting,
                     const OptionText& text, const std::vector<std::string>& choices) {
  const std::string name(text.name), help(text.help), type(text.placeholder);
  std::vector<std::string>& texts = given[setting.word];
  if (setting.kind == SettingKind::kFlag)
    command->add_flag_callback(
        name, [&texts] { texts = {""}; }, wrapped(help, kHelpColumns));
  else if (const std::string_view bare = text_of(setting).bare; !bare.empty())
    command.bare_choice(name, bare, texts, choices, help);
  else if (choices.empty())
    command.once(name, texts, type, help);
  else
    command.once(name, texts, type, help)->check(CLI::IsMember(choices).description(""));
}

void declare_checks(Command& command, GivenSettings& given, const std::string& help) {
  command.choice("--check", given[kCheckWord], "WHAT", help)
      ->allow_extra_args(false)
      ->delimiter(',');
}

/// The options that the table of settings makes.
void declare_settings(Command& run, GivenSettings& given, bool for_fuzz = false) {
  declare_checks(run, given, check_help());
  for (const Setting& setting : kSettings) {
    const SettingText& text = text_of(setting);
    if (text.run.name.empty() || (for_fuzz && is_decided_by_fuzz(text.run.name))) continue;
    const bool is_listed = text.listed || !text.bare.empty();
    declare_setting(run, given, setting, text.run,
                    is_listed ? value_names(setting) : std::vector<std::string>());
  }
  run.once("--env", given[kEnvironmentWord], "NAME",
           "The environment that the module is validated for (default: the one that it asks for, "
           "else "
           "the newest)")
      ->check(CLI::IsMember(environment_names()).description(""));
}

/// The limits of the table; for `cl`, those that the driver has.
void declare_limits(Command& command, GivenSettings& given, bool for_driver) {
  for (const Limit& limit : kLimits) {
    if (for_driver && limit.driver_variable.empty()) continue;
    const bool has_own = for_driver && !limit.driver_help.empty();
    command.once(fmt::format("--{}", limit.word), given[limit.word],
                 std::string(placeholder(limit)),
                 std::string(has_own ? limit.driver_help : limit.help));
  }
}

void declare_isa(Command& run, GivenSettings& given) {
  run.once("--isa", given["isa"], "NAME", isa_help())
      ->check(CLI::IsMember(known_isas()).description(""));
}

void declare_strictness(Command& run, RunOptions& options) {
  run.choice(
      "--strictness", options.strictness, "NAME",
      "Which modules are refused as invalid: 'field', the default, takes what producers in use "
      "make; 'strict' the letter of the specifications; 'none' whatever can be run");
  run.flag("--warnings", options.warnings,
           "Show what 'field' takes although the specifications forbid it");
}

void declare_run(Command& run, RunOptions& options) {
  declare_launch(run, options.launch);
  declare_statements(run, options.launch, JsonPlace::kStep);
  run.value("--difference", options.difference, "FOLDER", kDifferenceHelp);
  run.once("--threads", options.settings["threads"], "N",
           "Threads; 0 is one for each core that may be used");
  declare_isa(run, options.settings);
  declare_limits(run, options.settings, false);
  declare_settings(run, options.settings);
  declare_strictness(run, options);
  run.judging(options);
  run.flag("-q,--quiet", options.quiet, "No summary");
  run.flag("--as-test", options.is_test, "")->group("");
  run.flag("--bless", options.bless,
           "Where an expectation is not met, write what came out into the launch file, after "
           "showing the difference");
  run.value("--format", options.format, "FORMAT",
            "Output for people (text, the default), for programs (json), or for CI systems (sarif)")
      ->check(CLI::IsMember(choices_of("run --format")).description(""));
  run->footer(
      "TRANSPIRE_ISA and TRANSPIRE_THREADS in the environment stand in for --isa and --threads "
      "where those\nare not given.\n\n"
      "Exit codes: 0 success, 1 an expectation failed, 2 the command line or launch file is wrong, "
      "3 the module\nis invalid, 4 a fault of the kernel, 5 something unsupported, 6 a limit was "
      "reached, 130 Ctrl-C, 143 SIGTERM.");
}

void declare_test(Command& test, TestOptions& options) {
  test.value("PATH", options.paths, "",
             "Launch files, and folders: of these all that describe a launch, below them as well")
      ->required();
  test.value("-j,--jobs", options.jobs, "N",
             "Tests at a time, each in a process of its own (default: one for each core)");
  test.many("--filter", options.filters, "TEXT",
            "Only tests whose name has this in it, or is like it: 'math/*.launch'; one of several");
  test.value("--timeout", options.timeout, "TIME", "For each test (default 60s; 0: no limit)");
  test.judging(options);
  test.value("--shard", options.shard, "I/N", "Only the I-th of N parts of the tests");
  test.flag("--list", options.list, "Say which tests there are, and run none");
  test.value("--junit", options.junit, "FILE", "Write the results there as well, in JUnit's XML");
  test.flag("--github", options.github,
            "Write what is wrong as workflow commands of GitHub, too, which show it at its line");
  test.flag("--bless", options.bless,
            "Where an expectation is not met, write what came out into the launch file, after "
            "showing the difference");
  test.value("--difference", options.difference, "FOLDER", kDifferenceHelp);
  test.many("--run-options", options.run_options, "WORDS",
            "Options of 'run' for every test, such as '--check bounds --threads 2'");
  test.flag("-v,--verbose", options.verbose, "Show tests that pass as well");
  test.value("--format", options.format, "FORMAT",
             "Output for people (text, the default), or for programs: json, or tap, the Test "
             "Anything Protocol")
      ->check(CLI::IsMember(choices_of("test --format")).description(""));
  test->footer(
      "With several tests at a time a launch has one thread, unless TRANSPIRE_THREADS or "
      "--threads says otherwise.\n\n"
      "Exit codes: 0 all tests passed, 1 some test did not, 2 there is none, or the command "
      "line\nis wrong, 130 Ctrl-C, 143 SIGTERM.");
}

void declare_fuzz(Command& fuzz, FuzzCommand& options) {
  declare_launch(fuzz, options.run.launch);
  declare_statement(
      fuzz, options.run.launch, *std::ranges::find(statements(), "expect", &Statement::word),
      "Check afterwards, as of 'run'; a buffer's tolerance is that of the comparison, too");
  fuzz.value("--runs", options.runs, "N",
             "Random orders beside a serial and a reverse one (default 100, with --seconds as many "
             "as there is time for)");
  fuzz.value("--seconds", options.seconds, "TIME", "End after this time: 10, 1.5s, 2min");
  fuzz.value("-j,--jobs", options.jobs, "N", "Runs at a time (default: one for each core)");
  fuzz.value("--seed", options.seed, "FIRST", "Seed of the first random order (default 1)");
  fuzz.many("--ignore", options.ignored, "BUFFER",
            "Do not compare it: what it holds may be in any order");
  fuzz.value("--save", options.save, "FILE",
             "Where a result differs, write a launch file there that gives it again");
  declare_isa(fuzz, options.run.settings);
  declare_limits(fuzz, options.run.settings, false);
  declare_settings(fuzz, options.run.settings, true);
  declare_strictness(fuzz, options.run);
  fuzz.judging(options.run);
  fuzz.flag("-q,--quiet", options.run.quiet, "No summary");
  fuzz.output(options.run);
  fuzz->footer(
      "Each run has one thread.\n\n"
      "Exit codes: 0 all orders gave the same, 1 some order gave another result, or an expectation "
      "failed; others\nas of 'run'.");
}

void declare_validate(Command& validate, ValidateCommand& options) {
  validate.value("FILE", options.file, "", "A module: .spv, .spvasm, .cl, .comp or .hlsl")
      ->required();
  validate.choice(
      "--env", options.environment, "NAME",
      "The environment: opencl1.2 to opencl3.0, or one of them with 'embedded' at its end "
      "(default: the one that the module asks for, else the newest)");
  validate.value("--device", options.device, "FILE",
                 "The device, in JSON (docs/validator.md); what it leaves out is as capable as the "
                 "environment allows, without extensions");
  validate.choice(
      "--strictness", options.strictness, "NAME",
      "'field', the default: warn where producers in use deviate; 'strict': the letter of "
      "the specifications; 'none': ask nothing");
  validate.choice(
      "--irreducible", options.irreducible, "ANSWER",
      "Loops with several entries, which the specification leaves open (default accept)");
  validate.choice("--struct-arrays", options.struct_arrays, "ANSWER",
                  "Arrays in structures that kernels take by value (default reject)");
  validate.choice("--scopes", options.scopes, "ANSWER",
                  "Scopes beyond those that are 'generally' allowed (default reject)");
  validate.flag("--all", options.all,
                "Report everything: also what follows from an error already reported");
  validate.value("--max-errors", options.max_errors, "N",
                 "Stop after N errors (default 20; 0: no limit)");
  validate.judging(options);
  validate.choice("--second-opinion", options.second_opinion, "ANSWER",
                  "Ask SPIRV-Tools' validator when nothing is wrong; what it says are warnings "
                  "(default yes)");
  validate.many("--build-options", options.build_options, "WORDS", kBuildHelp);
  validate
      .value(
          "--format", options.format, "FORMAT",
          "Output for people (text, the default), for programs (json), or for CI systems (sarif)")
      ->check(CLI::IsMember(choices_of("validate --format")).description(""));
  validate->footer(
      "Exit codes: 0 the module is valid, 2 the command line or the device's description is wrong, "
      "or a file cannot\nbe read, 3 the module is not valid, or the source does not compile, "
      "5 there is no compiler, 6 a limit was reached.");
}

void declare_info(Command& info, InfoOptions& options) {
  info.value("FILE", options.file, "", "A module: .spv, .spvasm, .cl, .comp or .hlsl")->required();
  info.flag("--template", options.launch_template, "Write a launch file to start from");
  info.value("-k,--kernel", options.kernel, "NAME", "Only this kernel");
  info.value("-o,--output", options.output, "FILE",
             "Where the template goes instead of standard output");
  info.many("--build-options", options.build_options, "WORDS", kBuildHelp);
  info.output(options);
}

void declare_dis(Command& dis, DisOptions& options) {
  dis.value("FILE", options.file, "", "A module: .spv, .spvasm, .cl, .comp or .hlsl")->required();
  dis.flag("--offsets", options.offsets, "Show the word offset of every instruction");
  dis.many("--build-options", options.build_options, "WORDS", kBuildHelp);
  dis.output(options);
}

void declare_compile(Command& compile, CompileCommand& options) {
  compile.value("FILE", options.file, "", "The source: .cl, .comp or .hlsl")->required();
  compile
      .value("-o,--output", options.output, "FILE", "Where the module goes; - is standard output")
      ->required();
  compile.choice("-O", options.level, "LEVEL", "Of clang's optimiser: -O0 to -O3 (default -O2)");
  compile.flag("-g", options.debug, "With names and types of variables, not lines alone");
  compile.flag("--for-checks", options.for_checks,
               "As 'run --check' compiles it: without clang's optimiser, with decorations of "
               "arithmetic that must not wrap, lifetimes of variables, and types");
  compile.choice("--spirv-version", options.spirv_version, "VERSION",
                 "The newest version to use (default 1.2, or what the source needs)");
  compile.many("--build-options", options.build_options, "WORDS", kBuildHelp);
  compile.output(options);
}

/// The settings that the driver has.
void declare_driver_settings(Command& cl, GivenSettings& given) {
  for (const Setting& setting : kSettings)
    if (const OptionText& text = text_of(setting).driver; !text.name.empty())
      declare_setting(cl, given, setting, text,
                      text_of(setting).bare.empty() ? driver_names(setting) : value_names(setting));
}

void declare_cl(Command& cl, ClOptions& options) {
  cl.value("PROGRAM", options.program, "", "The program and its arguments, behind '--'")
      ->required();
  cl.value("--record", options.record, "DIR",
           "Write each launch there, with its module and buffers, as a launch file for 'run'");
  cl.flag("--fail-on-findings", options.fail_on_findings,
          "Exit with 4 when the program itself succeeds but something was found");
  cl.value("--report", options.report, "FILE", "Write the findings there, a line of JSON for each");
  cl.judging(options);
  declare_checks(cl, options.settings, driver_check_help());
  cl.flag("--enforce-flags", options.enforce_flags,
          "Hold kernels to CL_MEM_READ_ONLY and CL_MEM_WRITE_ONLY of their buffers: what these "
          "exclude is found, and not done");
  declare_driver_settings(cl, options.settings);
  declare_limits(cl, options.settings, true);
  cl.choice("--isa", options.isa, "NAME", isa_help());
  cl.value("--threads", options.threads, "N", "Threads; 0 is one for each core that may be used");
  cl.value("--driver", options.driver, "FILE",
           "The driver, when it is not installed beside this program");
  cl->footer(
      "The exit code is the first of these that applies:\n"
      "2 an option is wrong, or the program cannot be started; 128 and the signal's number, where "
      "one ended the program;\n"
      "the program's own code, if it is not 0; 2 with -Werror, a suppression matched nothing;\n"
      "4 with --fail-on-findings, there are findings; 6 a limit ended a launch; 0.");
}

void declare_ulp(Command& ulp, UlpCommandOptions& options) {
  ulp.value("FUNCTION", options.function, "",
            "A function of OpenCL.std: exp, pow, native_sin; or of GLSL.std.450: Exp, InverseSqrt, "
            "Fma, Length3, OpDot4")
      ->required();
  ulp.choice("--type", options.type, "TYPE", "half, float (the default) or double");
  ulp.choice(
      "--mode", options.mode, "MODE",
      "What is measured: 'fast' (the default), 'reference', 'libc', this machine's C library, or "
      "'all': 'reference', and 'fast' on every instruction set, in one pass");
  ulp.value("--rounding", options.rounding, "MODE",
            "In the reference mode: to nearest even ('rte', the default), towards zero ('rtz'), or "
            "towards positive ('rtp') or negative infinity ('rtn')")
      ->check(CLI::IsMember(choices_of("ulp --rounding")).description(""));
  ulp.choice("--isa", options.isa, "NAME", isa_help() + "; with --mode=all the only one");
  ulp.value("--range", options.range, "LOW:HIGH", "Operands between these numbers only");
  ulp.value("--samples", options.samples, "N",
            "Random calls besides those of special values (default 1000000)");
  ulp.value("--seed", options.seed, "N", "What the random calls depend on (default 1)");
  ulp.flag("--exhaustive", options.exhaustive, "Every half or float, or every pair of halves");
  ulp.value("--confirm", options.confirm, "N",
            "Have MPFR look at about N calls that the arbiter settled without it");
  ulp.value("--threads", options.threads, "N", "Threads (default 1)");
  ulp.output(options);
  ulp->footer(
      "Exit codes: 0 no such result, 1 a result is outside of the full profile's bound, or in the "
      "reference mode not\ncorrectly rounded, or not the same on two instruction sets, "
      "2 the command line is wrong.");
}

void declare_explain(Command& explain, ExplainOptions& options) {
  explain.value("RULE", options.rule, "",
                "The rule's id, R0021 and r21 do as well; or words to look for");
  explain.output(options);
}

void declare_version(Command& version, VersionOptions& options) { version.output(options); }

void declare_help(Command& help, HelpOptions& options) {
  help.value("COMMAND", options.command, "", "The command");
  help.flag("--man", options.man, "Write the man page");
}

void declare_completion(Command& completion, CompletionOptions& options) {
  completion.choice("SHELL", options.shell, "", "bash, zsh or fish")->required();
}

struct CommandText {
  const char* name;
  const char* description;
  void (*declare)(Command& command, AllOptions& all);
};

constexpr CommandText kCommands[] = {
    {"run", "Run a kernel", [](Command& c, AllOptions& all) { declare_run(c, all.run); }},
    {"test", "Run every launch file under some folders, and say which are right",
     [](Command& c, AllOptions& all) { declare_test(c, all.test); }},
    {"fuzz", "Run a launch in many orders of work-items, and compare what it leaves",
     [](Command& c, AllOptions& all) { declare_fuzz(c, all.fuzz); }},
    {"info", "Show a module's kernels, arguments, types and required capabilities",
     [](Command& c, AllOptions& all) { declare_info(c, all.info); }},
    {"validate", "Check a module against the rules of an OpenCL environment",
     [](Command& c, AllOptions& all) { declare_validate(c, all.validate); }},
    {"dis", "Show a module as assembly",
     [](Command& c, AllOptions& all) { declare_dis(c, all.dis); }},
    {"compile", "Compile OpenCL C or a shader and keep the module",
     [](Command& c, AllOptions& all) { declare_compile(c, all.compile); }},
    {"cl", "Run an OpenCL program on Transpire alone",
     [](Command& c, AllOptions& all) { declare_cl(c, all.cl); }},
    {"ulp", "Measure how exact a math function is, against GNU MPFR",
     [](Command& c, AllOptions& all) { declare_ulp(c, all.ulp); }},
    {"explain", "Explain a rule, such as TSP-R0021; without one, list all rules",
     [](Command& c, AllOptions& all) { declare_explain(c, all.explain); }},
    {"version", "Show the version and the instruction sets of this machine",
     [](Command& c, AllOptions& all) { declare_version(c, all.version); }},
    {"help", "Show help for a command",
     [](Command& c, AllOptions& all) { declare_help(c, all.help); }},
    {"completion", "Write a completion script for a shell",
     [](Command& c, AllOptions& all) { declare_completion(c, all.completion); }},
};

/// The parser adds the final line break.
std::string version_line() {
  std::string text = version_text();
  text.pop_back();
  return text;
}

}  // namespace

std::unique_ptr<CLI::App> make_app(AllOptions& all, std::string_view only) {
  auto app = std::make_unique<CLI::App>(
      "Run OpenCL kernels in SPIR-V on a CPU, exactly, and say what went wrong when something did.",
      "transpire");
  app->set_help_flag("-h,--help", "Show this help and exit");
  app->set_version_flag("-V,--version", version_line, "Show the version and exit");
  app->require_subcommand(1);
  app->footer(
      "'transpire COMMAND --help' says more. Exit codes: 0 success, 1 an expectation failed, 2 "
      "usage, 3 invalid module,\n4 run-time fault, 5 unsupported, 6 limit reached, 130 Ctrl-C, "
      "143 SIGTERM.");
  const bool is_known =
      std::ranges::any_of(kCommands, [only](const CommandText& each) { return only == each.name; });
  for (const CommandText& each : kCommands) {
    Command command(*app, each.name, each.description);
    if (!is_known || only == each.name) each.declare(command, all);
  }
  return app;
}

}  // namespace transpire::cli
