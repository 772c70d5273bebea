// `transpire cl`: runs an OpenCL program with this driver alone.
//
// Environment variables of the child name the driver for the ICD loader (a folder with one .icd
// file), and hold the settings of the driver (opencl/platform.h lists them). The driver appends a
// line of JSON for each finding to a file, which is read here.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "cli/cl_report.h"
#include "cli/commands.h"
#include "launch/language/asked_settings.h"
#include "launch/language/number.h"
#include "launch/language/plan_builder.h"
#include "launch/report/diagnose.h"
#include "launch/report/rule_words.h"

namespace transpire::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDriverName = "libtranspire-opencl.so";

/// A new folder, removed with its content at the end.
class Folder {
 public:
  Folder() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "transpire-cl-XXXXXX").string();
    if (!error && mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The driver beside the program, as installed or as built.
Result<fs::path> find_driver(const std::string& given) {
  std::error_code error;
  if (!given.empty()) {
    const fs::path driver = fs::absolute(given, error);
    if (fs::exists(driver, error)) return driver;
    return command_error(kFileUnreadable, fmt::format("there is no driver '{}'", given));
  }
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  const std::vector<fs::path> places{program / ".." / TRANSPIRE_INSTALL_LIBDIR / kDriverName,
                                     program / ".." / "opencl" / kDriverName,
                                     program / kDriverName};
  for (const fs::path& place : places)
    if (fs::exists(place, error)) return fs::weakly_canonical(place, error);
  return command_error(
      kFileUnreadable,
      fmt::format("the OpenCL driver '{}' is not where the program is", kDriverName),
      "say where with --driver FILE");
}

/// Makes paths of files absolute, so the child finds them from any folder; rules stay as they are.
std::vector<std::string> absolute(std::vector<std::string> suppress) {
  std::error_code error;
  for (std::string& what : suppress)
    if (find_rule(full_rule_id(what)) == nullptr) what = fs::absolute(what, error).string();
  return suppress;
}

/// Reads the rules with the absolute names that the child's report has.
Result<FindingRules> rules_of(const ClOptions& options) {
  const std::vector<std::string> suppress = absolute(options.suppress);
  for (const std::string& what : suppress)
    if (what.find(':') != what.npos)
      return command_error(
          kBadCommandLine,
          fmt::format("'{}' has a ':' in its name, which parts files for the driver", what));
  const auto seconds = parse_seconds(text_of(options.settings, "timeout"));
  return FindingRules::read(options.warning_words, suppress,
                            text_limit(WorkLimit::after(seconds ? *seconds : 0)));
}

/// Sets the child's additional environment variables.
void set_environment(const ClOptions& options, const fs::path& folder, const fs::path& report) {
  const auto set = [](const char* name, const std::string& value) {
    if (!value.empty()) setenv(name, value.c_str(), 1);
  };
  set("OCL_ICD_VENDORS", (folder / "vendors").string());
  unsetenv("OCL_ICD_FILENAMES");  // would name further drivers
  set("TRANSPIRE_CL_REPORT", report.string());
  std::error_code error;
  if (!options.record.empty())
    set("TRANSPIRE_CL_RECORD", fs::absolute(options.record, error).string());
  for (const Setting& setting : kSettings) {
    if (setting.driver_variable.empty()) continue;
    const bool check = setting.kind == SettingKind::kCheck;
    const auto given = options.settings.find(check ? kCheckWord : setting.word);
    if (given != options.settings.end())
      set(setting.driver_variable.data(), fmt::format("{}", fmt::join(given->second, ",")));
  }
  set("TRANSPIRE_CL_ENFORCE_FLAGS", options.enforce_flags ? "1" : "");
  set("TRANSPIRE_CL_SUPPRESS", fmt::format("{}", fmt::join(absolute(options.suppress), ":")));
  set("TRANSPIRE_CL_WARNINGS", fmt::format("{}", fmt::join(options.warning_words, ",")));
  set("TRANSPIRE_CL_INTERRUPT", "1");
  for (const Limit& limit : kLimits)
    if (!limit.driver_variable.empty())
      set(limit.driver_variable.data(), text_of(options.settings, limit.word));
  set("TRANSPIRE_ISA", options.isa);
  set("TRANSPIRE_THREADS", options.threads);
}

/// Passes signals on to the program while it runs, because the program decides about them. Before
/// and after, signals are held back, so that the folder is removed in any case. They have no
/// handler: they stay blocked, and sigwait takes them.
class Signals {
 public:
  Signals() {
    sigemptyset(&held_);
    for (const int signal : kPassed) sigaddset(&held_, signal);
    sigaddset(&held_, SIGCHLD);
    sigprocmask(SIG_BLOCK, &held_, &mask_before_);
    // Some parents leave it ignored; then the end of the program would be lost.
    struct sigaction kept {};
    kept.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &kept, &child_before_);
  }
  ~Signals() { restore(); }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// Restores the original signal mask: in the program, and at our end.
  void restore() const {
    sigaction(SIGCHLD, &child_before_, nullptr);
    sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
  }
  /// Waits until the process has ended, without collecting it, so that its number stays its own.
  void pass_to(pid_t child) const {
    while (!has_ended(child)) {
      siginfo_t info{};
      const int signal = sigwaitinfo(&held_, &info);
      if (signal <= 0 || signal == SIGCHLD || is_ignored(signal)) continue;
      // A terminal also signals the program, which is in our group.
      const bool from_terminal = info.si_code > 0;
      if (!from_terminal) kill(child, signal);
    }
    // A signal that arrives with the program's end was meant for the program. We end as the program
    // did.
    const timespec now{};
    while (sigtimedwait(&held_, nullptr, &now) > 0) continue;
  }

 private:
  static constexpr std::array kPassed{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

  static bool has_ended(pid_t child) {
    siginfo_t ended{};
    const int found = waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT | WNOHANG);
    return found < 0 ? errno != EINTR : ended.si_pid == child;
  }
  static bool is_ignored(int signal) {
    struct sigaction action {};
    return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
  }

  sigset_t held_{}, mask_before_{};
  struct sigaction child_before_ {};
};

/// Starts the program. Returns its process, or the reason why it does not start.
Result<pid_t> start_child(const std::vector<std::string>& words, const Signals& signals) {
  const auto error = [&](int reason) {
    return command_error(kFileUnreadable,
                         fmt::format("cannot run '{}': {}", words[0], strerror(reason)));
  };
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int failure[2];  // closed when the program starts; otherwise gets the error number
  if (pipe2(failure, O_CLOEXEC) != 0) return error(errno);
  const pid_t child = fork();
  if (child == 0) {
    signals.restore();
    execvp(arguments[0], arguments.data());
    const int reason = errno;
    [[maybe_unused]] const ssize_t told = write(failure[1], &reason, sizeof reason);
    _exit(127);
  }
  int reason = child < 0 ? errno : 0;
  close(failure[1]);
  if (child > 0 && read(failure[0], &reason, sizeof reason) < 0) reason = errno;
  close(failure[0]);
  if (reason == 0) return child;
  if (child > 0) waitpid(child, nullptr, 0);
  return error(reason);
}

/// Runs the program and waits. Returns its exit code, or 128 plus the number of the signal that
/// ended it, as shells do.
Result<int> run_child(const std::vector<std::string>& words, const Signals& signals) {
  const Result<pid_t> child = start_child(words, signals);
  if (!child) return child.errors();
  signals.pass_to(*child);
  int status = 0;
  waitpid(*child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Checks that a seed comes with the random schedule, which alone uses it.
Status check_seed(const ClOptions& options) {
  const std::string seed = text_of(options.settings, "seed");
  std::string schedule = text_of(options.settings, "schedule");
  if (seed.empty()) return Unit{};
  AskedSettings asked;
  if (const Status read = read_setting(asked, "seed", seed); !read) return read;
  const char* const of_environment = std::getenv("TRANSPIRE_CL_SCHEDULE");
  if (schedule.empty() && of_environment != nullptr) schedule = of_environment;
  if (schedule != "random") return seed_without_effect();
  return Unit{};
}

/// Checks limits before the program starts; the driver would refuse them too late for an exit code.
Status check_limits(const ClOptions& options) {
  if (!options.threads.empty())
    if (const auto threads = parse_count(options.threads, "number of threads"); !threads)
      return threads.errors();
  AskedSettings asked;
  for (const Limit& limit : kLimits) {
    const std::string text = text_of(options.settings, limit.word);
    if (text.empty()) continue;
    if (const Status read = read_limit(asked, limit, text, limit.driver_unit); !read) return read;
  }
  return check_seed(options);
}

}  // namespace

int command_cl(const ClOptions& options) {
  const auto driver = find_driver(options.driver);
  if (!driver) return fail("cl", {}, driver.errors());
  if (const Status good = check_limits(options); !good) return fail("cl", {}, good.errors());
  auto rules = rules_of(options);
  if (!rules) return fail("cl", {}, rules.errors());
  const Signals signals;  // must outlive the folder
  const Folder folder;
  std::error_code error;
  if (!options.record.empty()) fs::create_directories(options.record, error);
  if (folder.path().empty() || error)
    return fail(
        "cl", {},
        {command_error(kFileUnwritable, error ? fmt::format("cannot make the folder '{}': {}",
                                                            options.record, error.message())
                                              : "cannot make a temporary folder")});
  fs::create_directory(folder.path() / "vendors", error);
  std::ofstream(folder.path() / "vendors" / "transpire.icd") << driver->string() << "\n";
  const fs::path report =
      options.report.empty() ? folder.path() / "report" : fs::absolute(options.report, error);
  const std::ofstream made(report);  // an empty report if there are no findings
  if (!made)
    return fail("cl", {},
                {command_error(kFileUnwritable, fmt::format("cannot write '{}'", options.report))});
  set_environment(options, folder.path(), report);
  const auto code = run_child(options.program, signals);
  if (!code) return fail("cl", {}, code.errors());
  return judge_findings(options, report.string(), std::move(rules).value(), *code);
}

}  // namespace transpire::cli
