// Executes a LaunchPlan: loads its modules, resolves its names and types, runs its launches and checks, and writes its output
// files. The RunReport has all results; nothing is printed.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/language/launch_plan.h"
#include "launch/pictures/texels.h"
#include "launch/report/suppressions.h"
#include "launch/runner/compare.h"
#include "transpire/transpire.hpp"
#include "transpire/validate.hpp"

namespace transpire::launch {

/// Progress of a launch.
struct LaunchProgress {
  std::string kernel;
  std::uint64_t done = 0, total = 0;  ///< work-groups
  std::uint64_t instructions = 0;     ///< executed so far, as LaunchResult::instructions
};

/// A byte to watch in each buffer: the report has the last store to it. Launches then run observed, on one thread.
struct WatchedByte {
  StoreLog log;
  std::uint64_t offset_bytes = 0;
};

/// The caller's changes to a plan. Settings that are set here override the plan's.
struct RunOverrides {
  AskedSettings settings;
  /// Replaces the work-group size of every launch, unless its kernel requires one.
  std::optional<std::array<std::uint64_t, 3>> local_size;
  /// The plan's module, loaded earlier by load_module(), for running it many times.
  std::optional<Module> module;
  /// Strictness of the validation (with all features) before the run.
  Strictness strictness = Strictness::kNone;
  /// Suppressions in addition to the plan's, and the warnings that count as errors.
  FindingRules rules{};
  bool warnings = false;                 ///< keeps the validator's warnings
  bool collect_buffers = true;           ///< copies all buffers into the report
  bool collect_found = false;            ///< fills FailedExpectation::found
  std::optional<WatchedByte> watched{};  ///< fills BufferReport::last_store
  std::optional<Canceller> canceller{};  ///< may cancel the run's launches
  /// Folder for pictures of images that differ from the expected ones; the run creates it. Empty: no pictures.
  std::string difference_folder{};
  /// Called when everything before a launch is done, within the time limit.
  std::function<void()> prepared;
  /// Called between the launches of a step; returning true ends the run.
  std::function<bool()> interrupted;
  /// Called at the beginning of a part of the run that may take long, other than a launch: "setting up buffer 'a'".
  std::function<void(const std::string& part)> begins;
  /// Runs a launch in place of Device::run(), for callers that watch it.
  std::function<Result<LaunchResult>(const Device& device, const Launch& launch)> run_launch{};
  /// Called now and then; returning false cancels the launch.
  std::function<bool(const LaunchProgress& progress)> progress;
};

struct ReportedFinding {
  Finding finding;
  std::string kernel;
  bool expected = false;
  std::optional<std::size_t> suppressed_by{};  ///< an index into RunReport::suppressions
};

/// True if the finding is neither expected nor suppressed.
inline bool is_open(const ReportedFinding& finding) {
  return !finding.expected && !finding.suppressed_by;
}

/// A suppressed diagnostic of the compiler or the validator.
struct SuppressedDiagnostic {
  Diagnostic diagnostic;
  std::size_t suppressed_by = 0;  ///< an index into RunReport::suppressions
};

/// Maximum number of suppressed diagnostics in a report. Later ones are only counted.
inline constexpr std::size_t kMostSuppressedKept = 1000;

struct LaunchReport {
  std::string kernel;
  std::uint32_t dimensions = 1;
  std::array<std::uint64_t, 3> global_size{}, local_size{}, global_offset{};
  std::uint64_t repeats = 0;  ///< launches done; the figures below are sums over them
  std::uint64_t work_items = 0, instructions = 0;
  std::map<std::string, std::uint64_t> instruction_counts;  ///< with count_instructions
  double wall_seconds = 0, lower_seconds = 0;
  LaunchResult::End end = LaunchResult::End::kCompleted;
  std::string printf_output;
  /// Children of the launches, in order; those beyond LaunchResult::kMostChildren are only counted.
  std::vector<ChildLaunch> children{};
  std::uint64_t child_count = 0;
  double child_seconds = 0;
};

/// An expectation that was not met.
struct FailedExpectation {
  Diagnostic diagnostic;               ///< C0023
  std::vector<Mismatch> mismatches{};  ///< the first few numbers that differ
  std::uint64_t different = 0;         ///< number of all numbers that differ
  bool is_short = false;               ///< the expectation names more elements than there are
  std::vector<std::string>
      pictures{};  ///< files for an image, if requested: found, expected, difference
  /// With RunOverrides::collect_found: the elements of the buffer, or the output of printf.
  TypeInfo type{};
  std::vector<std::byte> found{};
  std::vector<std::uint64_t> shape{};  ///< shape for an array of these; empty: any
  std::uint64_t number = 0;            ///< number among the expectations that were checked, from 1
};

/// Elements of a buffer as they were when the plan printed them.
struct PrintReport {
  std::string name;
  std::uint64_t first = 0;
  TypeInfo type;
  std::vector<std::byte> bytes;
  PrintStep::Style style = PrintStep::Style::kLine;
  std::optional<std::uint64_t> columns{};  ///< elements in a line; nothing: all
};

/// A picture that was written for people to look at.
struct ShowReport {
  std::string name;  ///< name of the buffer or image
  std::string file;
  std::string range;  ///< "0 .. 3.5": black and white; empty: the format fixes them
};

/// Contents of a buffer or image, or the packets left in a pipe, at the end of the run.
struct BufferReport {
  std::string name;
  TypeInfo type;  ///< type of one element
  std::vector<std::byte> bytes;
  std::vector<std::string> names{};  ///< all its names; arguments may add some
  std::optional<Texels> texels{};    ///< set for an image
  bool is_pipe = false;
  std::optional<LastStore> last_store{};  ///< RunOverrides::watched
};

struct RunReport {
  int exit_code = 0;
  Diagnostics errors;    ///< reasons why the run was refused or ended early
  Diagnostics warnings;  ///< clang's, and with RunOverrides::warnings the validator's
  std::vector<FailedExpectation> failures;
  std::string environment;  ///< environment of the validation; empty if there was none
  /// Number of the validator's warnings that are not in `warnings`. 0 for modules compiled from OpenCL C, whose author
  /// cannot change them.
  std::uint64_t hidden_warnings = 0;
  std::vector<std::string> compiled_for_checks{};  ///< sources that were not optimised, for checks
  std::vector<ReportedFinding> findings;
  std::vector<Suppression>
      suppressions{};  ///< all suppressions in use, with their numbers of findings
  std::vector<SuppressedDiagnostic> suppressed{};
  std::vector<LaunchReport> launches;
  std::vector<PrintReport> prints;
  std::vector<ShowReport> shown{};
  std::vector<BufferReport> buffers;
  std::string isa;  ///< empty if the run made no device
  unsigned threads = 0;
  std::uint64_t expectations = 0;  ///< number of checked expectations
  std::string text;                ///< standard output: kernels' printf and `print` statements
  /// Bytes of outputs to the file "-"; nothing if there is none. If there are some, `text` is not for standard output.
  std::optional<std::vector<std::byte>> standard_output{};
};

/// The rules that -W names one by one.
void set_severities(const WarningRules& rules, ValidateOptions& options);

/// The modules of a plan by LaunchStep::program. A handle.
class Programs {
 public:
  Programs(Module first, std::vector<Module> others = {})  // NOLINT: most plans have one module
      : modules_(std::move(others)) {
    modules_.insert(modules_.begin(), std::move(first));
  }
  const Module& operator[](std::size_t program) const { return modules_[program]; }
  /// Their descriptions.
  std::vector<const ModuleInfo*> infos() const;
  auto begin() const { return modules_.begin(); }
  auto end() const { return modules_.end(); }

 private:
  std::vector<Module> modules_;
};

/// Module::load_file(), but standard input ("-") may be read more than once.
Result<Module> load_module_file(const std::string& path, LoadOptions options);

/// Loads the plan's module: specialised, and linked if there are several files. For a launch with checks, OpenCL C is
/// compiled without clang's optimiser, which deletes mistakes that the checks look for.
Result<Module> load_module(const LaunchPlan& plan, const AskedSettings& settings);

/// Loads LaunchPlan::programs, as load_module() the plan's module.
Result<std::vector<Module>> load_programs(const LaunchPlan& plan, const AskedSettings& settings);

RunReport run_plan(const LaunchPlan& plan, const RunOverrides& overrides = {});

/// The summary: a line for each launch, one for the compilation of sources, one for the expectations.
std::string format_summary(const RunReport& report);
/// The summary's line that names sources compiled without optimisation, for checks; empty if there are none.
std::string format_compiled_for_checks(const RunReport& report);
/// Errors, findings and failures for people, each as `format()` renders it.
std::string format_messages(const RunReport& report, bool colour = false);

}  // namespace transpire::launch
