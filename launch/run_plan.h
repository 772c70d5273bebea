// Executing a LaunchPlan: loads its modules, resolves its names and types, runs its launches and
// checks, and gives everything that happened back as a RunReport. Output files are written; nothing
// is printed here.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/compare.h"
#include "launch/launch_plan.h"
#include "launch/suppressions.h"
#include "launch/texels.h"
#include "transpire/transpire.hpp"
#include "transpire/validate.hpp"

namespace transpire::launch {

/// How far a launch is.
struct LaunchProgress {
  std::string kernel;
  std::uint64_t done = 0, total = 0;  ///< work-groups
  std::uint64_t instructions = 0;     ///< executed so far, as LaunchResult::instructions
};

/// Which store of the launches made the byte at an offset of each buffer: they are observed for that, on one thread.
struct WatchedByte {
  StoreLog log;
  std::uint64_t offset_bytes = 0;
};

/// What the caller wants otherwise than the plan says. Settings that are set win over the plan's.
struct RunOverrides {
  PlanSettings settings;
  /// Replaces the work-group size of every launch, unless its kernel requires one.
  std::optional<std::array<std::uint64_t, 3>> local_size;
  /// The plan's module, loaded earlier by load_module(), for running it many times.
  std::optional<Module> module;
  /// How strictly the module is validated (with all features) before it is run.
  Strictness strictness = Strictness::kNone;
  /// What is suppressed, beside what the plan says, and which warnings are errors.
  FindingRules rules{};
  bool warnings = false;                 ///< keep what the validator warns of
  bool collect_buffers = true;           ///< copy all buffers into the report
  bool collect_found = false;            ///< FailedExpectation::found
  std::optional<WatchedByte> watched{};  ///< fills BufferReport::last_store
  std::optional<Canceller> canceller{};  ///< who may end what runs
  /// Where pictures of images go that are not as expected; made where it is not there. Empty: nowhere.
  std::string difference_folder{};
  /// Called when everything before a launch is done: the time limit holds for that as well.
  std::function<void()> prepared;
  /// Asked between the launches of a step; true ends the run.
  std::function<bool()> interrupted;
  /// Called when a part of the run begins that may take long, other than a launch itself: "setting up buffer 'a'".
  std::function<void(const std::string& part)> begins;
  /// Called now and then; false cancels the launch.
  std::function<bool(const LaunchProgress& progress)> progress;
};

struct ReportedFinding {
  Finding finding;
  std::string kernel;
  bool expected = false;
  std::optional<std::size_t> suppressed_by{};  ///< an index into RunReport::suppressions
};

/// Whether nobody expected or suppressed it.
inline bool is_open(const ReportedFinding& finding) {
  return !finding.expected && !finding.suppressed_by;
}

/// A warning of the compiler, or what the validator has to say, that was suppressed.
struct SuppressedDiagnostic {
  Diagnostic diagnostic;
  std::size_t suppressed_by = 0;  ///< an index into RunReport::suppressions
};

/// Of those; what comes later is only counted.
inline constexpr std::size_t kMostSuppressedKept = 1000;

struct LaunchReport {
  std::string kernel;
  std::uint32_t dimensions = 1;
  std::array<std::uint64_t, 3> global_size{}, local_size{}, global_offset{};
  std::uint64_t repeats = 0;  ///< launches done; the figures below are sums over them
  std::uint64_t work_items = 0, instructions = 0;
  std::map<std::string, std::uint64_t> instruction_counts;  ///< where they were asked for
  double wall_seconds = 0, lower_seconds = 0;
  LaunchResult::End end = LaunchResult::End::kCompleted;
  std::string printf_output;
  /// What was enqueued, one launch after the other; those beyond LaunchResult::kMostChildren are only counted.
  std::vector<ChildLaunch> children{};
  std::uint64_t child_count = 0;
  double child_seconds = 0;
};

/// An expectation that was not met.
struct FailedExpectation {
  Diagnostic diagnostic;               ///< C0023
  std::vector<Mismatch> mismatches{};  ///< of numbers, the first few
  std::uint64_t different = 0;         ///< how many there are of them
  bool is_short = false;               ///< it is about more elements than there are
  std::vector<std::string>
      pictures{};  ///< of an image, where they were asked for: got, expected, difference
  /// Where the overrides ask for it, what there was instead: a buffer's elements, or what printf left.
  TypeInfo type{};
  std::vector<std::byte> found{};
  std::vector<std::uint64_t> shape{};  ///< of the array that these are to be written as; empty: any
  std::uint64_t number = 0;            ///< among the expectations that the run checks, from 1
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
  std::string name;  ///< of the buffer or image
  std::string file;
  std::string range;  ///< "0 .. 3.5": what is black and white; empty: numbers are shown as they are
};

/// A buffer, an image or what is left in a pipe at the end of the run.
struct BufferReport {
  std::string name;
  TypeInfo type;  ///< of one element
  std::vector<std::byte> bytes;
  std::vector<std::string> names{};  ///< all that it has, as arguments may have given it others
  std::optional<Texels> texels{};    ///< of an image
  bool is_pipe = false;
  std::optional<LastStore> last_store{};  ///< RunOverrides::watched
};

struct RunReport {
  int exit_code = 0;
  Diagnostics errors;    ///< why the run was refused or ended early
  Diagnostics warnings;  ///< of clang, and of the validator where they were asked for
  std::vector<FailedExpectation> failures;
  std::string environment;  ///< that the module was validated for; empty when it was not
  /// Of the validator's warnings, those that are not among the warnings. 0 for modules that were compiled here: there
  /// is nobody to mend them.
  std::uint64_t remarks = 0;
  std::vector<std::string> compiled_for_checks{};  ///< sources that were not optimised, for checks
  std::vector<ReportedFinding> findings;
  std::vector<Suppression>
      suppressions{};  ///< all that were asked for, with how much each suppressed
  std::vector<SuppressedDiagnostic> suppressed{};
  std::vector<LaunchReport> launches;
  std::vector<PrintReport> prints;
  std::vector<ShowReport> shown{};
  std::vector<BufferReport> buffers;
  std::string isa;  ///< empty when no device was made
  unsigned threads = 0;
  std::uint64_t expectations = 0;  ///< how many were checked
  std::string text;                ///< standard output: kernels' printf and what was asked to print
  /// What outputs to the file "-" are; nothing where there is none. The text then goes elsewhere.
  std::optional<std::vector<std::byte>> standard_output{};
};

/// The rules that -W names one by one.
void set_severities(const WarningRules& rules, ValidateOptions& options);

/// Module::load_file(), but standard input ("-") may be read more than once.
Result<Module> load_module_file(const std::string& path, LoadOptions options);

/// The plan's module: specialised, and linked where there are several files. For a launch with
/// checks, OpenCL C is compiled without clang's optimiser, which deletes what they look for.
Result<Module> load_module(const LaunchPlan& plan, const PlanSettings& settings);

RunReport run_plan(const LaunchPlan& plan, const RunOverrides& overrides = {});

/// The summary lines: a launch each, how sources were compiled, and the expectations.
std::string format_summary(const RunReport& report);
/// The line of these that says which sources were compiled for checks; empty where none was.
std::string format_compiled_for_checks(const RunReport& report);
/// Errors, findings and failures for people, each as `format()` renders it.
std::string format_messages(const RunReport& report, bool colour = false);

}  // namespace transpire::launch
