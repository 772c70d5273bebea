// LaunchPlan: the contents of a launch file, of its JSON form, of an Oclgrind .sim file, of launch lines in a kernel's
// source, or of command line flags. A plan is made without the module: running it resolves names, types and sizes
// (launch/runner/run_plan.h). docs/launch-file.md describes the language.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "launch/language/asked_settings.h"
#include "launch/language/value_spec.h"
#include "launch/report/files.h"
#include "transpire/legal_range.hpp"
#include "transpire/result.hpp"
#include "transpire/transpire.hpp"

namespace transpire::launch {

/// An argument of an Oclgrind .sim file. Its meaning depends on the kernel's parameter.
struct SimArgument {
  std::uint64_t size_bytes = 0;
  std::optional<ScalarType> type;
  bool null = false, dump = false, hex = false, noinit = false, read_only = false,
       write_only = false;
  std::string fill, range;          ///< empty: not given
  std::vector<std::string> values;  ///< numbers after the header
};

/// `NAME [offset BYTES] [size BYTES] [readonly|writeonly]`: a range of a declared buffer.
struct BufferReference {
  std::string name;
  std::uint64_t offset_bytes = 0;
  std::optional<std::uint64_t> size_bytes;  ///< nothing: a pointer into the whole buffer
  bool read_only = false, write_only = false;
};

/// An address in shared memory: a number, or a declared range and an offset into it.
struct SharedReference {
  std::string name;  ///< the declared range; empty: `address` is a number
  std::uint64_t address = 0;
  std::uint64_t offset_bytes = 0;
};

/// Packet type and capacity of a pipe. Pipe::create() checks the sizes.
struct PipeDescription {
  std::optional<TypeWord> type;  ///< type of a packet; nothing: only its size is known
  std::uint32_t packet_bytes = 0;
  std::uint32_t max_packets = 0;
};

struct ArgumentSpec {
  enum class Kind : std::uint8_t {
    kValue,
    kBuffer,
    kLocal,
    kNull,
    kShared,
    kSim,
    kImage,
    kSampler,
    kPipe,
    kQueue
  };
  /// The statement: `arg`, `bind` or `push`.
  enum class Form : std::uint8_t { kArgument, kBinding, kPush };
  /// kArgument: a parameter's name, or its index in decimal. kBinding: a resource's name or SET.BINDING, with ".MEMBER" behind it
  /// for a part of its block. kPush: a member of the push constants, or an offset in bytes.
  std::string target;
  Form form = Form::kArgument;
  /// A launch of a kernel that does not have it leaves it out, as Vulkan does with descriptors.
  bool may_be_unused = false;
  Kind kind = Kind::kValue;
  ValueSpec value;         ///< kValue: a scalar's value or a new buffer's contents; kImage; kPipe
  BufferReference buffer;  ///< kBuffer
  SharedReference shared;  ///< kShared
  std::uint64_t local_bytes = 0;  ///< kLocal
  SimArgument sim;                ///< kSim
  ImageDescription image;         ///< kImage
  Sampler sampler;                ///< kSampler
  PipeDescription pipe;           ///< kPipe
  std::string queue{};            ///< kQueue: its name; empty: the default queue
  std::uint32_t serial = 0;       ///< number of the statement; a launch binds only new ones
  SourceLine where;
};

/// Named memory that the plan declares before the first launch.
struct BufferSpec {
  enum class Kind : std::uint8_t { kContents, kSlice, kShared, kVariable, kImage, kPipe };
  std::string name;
  Kind kind = Kind::kContents;
  ValueSpec value;            ///< contents; not for kSlice
  BufferReference slice;      ///< kSlice: a range of memory declared before
  std::uint64_t address = 0;  ///< kShared
  ImageDescription image;     ///< kImage
  PipeDescription pipe;       ///< kPipe
  SourceLine where;
};

/// A queue of the device, besides the default one.
struct QueueSpec {
  std::string name;
  std::optional<std::uint64_t> size_bytes{};  ///< nothing: DeviceQueue's default
  std::optional<std::uint64_t> handle{};      ///< nothing: any
  SourceLine where{};
};

/// `default-queue NAME`; the name `none` means that there is no default queue.
struct DefaultQueueSpec {
  std::string name;
  SourceLine where{};
};

/// Elements `first` to `last` (inclusive) of a buffer or argument; `all`: everything.
struct BufferSlice {
  std::string name;
  bool all = true;
  std::uint64_t first = 0;
  std::optional<std::uint64_t> last;
};

struct SizeList {
  std::array<std::uint64_t, 3> size{};
  std::uint32_t dimensions = 0;  ///< 0: not given
  SourceLine where{};
};

struct LaunchStep {
  std::string kernel;  ///< empty: the module's only one
  std::size_t program =
      0;  ///< 0: the plan's module; others are from LaunchPlan::programs, counted from 1
  SizeList global, local, offset;
  SizeList groups;  ///< work-groups, in place of `global`
  std::vector<ArgumentSpec> arguments;
  std::uint64_t repeat = 1;
  std::vector<std::pair<std::string, std::string>> swaps;  ///< arguments, after each launch
  SourceLine repeat_where;
  SourceLine
      where;  ///< the `launch` statement; if implied, the `kernel` or else the last statement
};

struct PrintStep {
  enum class Style : std::uint8_t { kLine, kHexadecimal, kOclgrind, kOclgrindHexadecimal };
  BufferSlice slice;
  std::optional<TypeWord> type;  ///< `as uint`: the type to read the bytes as
  Style style = Style::kLine;
  std::optional<Profile> ranges;         ///< prints legal results of this profile, too
  std::optional<std::uint64_t> columns;  ///< elements in a line; never 0
  SourceLine where;
};

struct OutputStep {
  std::string buffer;
  std::string
      file;  ///< its ending chooses the format (launch/pictures/image.h); "-": standard output
  std::optional<TypeWord> type{};          ///< `as uchar4`: the type to read the bytes as
  std::optional<std::uint64_t> columns{};  ///< elements in a row; never 0
  SourceLine where{};
  bool is_shown = false;  ///< a picture for people to look at (launch/pictures/raster.h)
};

struct Tolerance {
  /// kSpec allows every result that is legal for an implementation of the profile (ResultLog).
  /// Scripts have the others: an order of the found number and the expected one, and the root of the mean square of all differences.
  enum class Kind : std::uint8_t {
    kExact,
    kAbsolute,
    kRelative,
    kUlp,
    kSpec,
    kNotEqual,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual,
    kRootMeanSquare
  };
  Kind kind = Kind::kExact;
  double amount = 0;
  Profile profile = Profile::kFull;  ///< kSpec only
};

struct ExpectBufferStep {
  BufferSlice slice;
  std::vector<Tolerance>
      tolerances;  ///< one for all, or one for each number of an element; none: exact
  ValueSpec value;
  std::string other{};  ///< the buffer that has the expected values; empty: `value` has them
  SourceLine where{};
};

struct ExpectPrintfStep {
  std::string text;
  SourceLine where{};
};

using Step = std::variant<LaunchStep, PrintStep, OutputStep, ExpectBufferStep, ExpectPrintfStep>;

struct ExpectedFault {
  std::string rule;
  std::string buffer;  ///< empty: any
  std::optional<std::array<std::uint64_t, 3>> at;
  SourceLine where;
  std::uint32_t line = 0, column = 0;  ///< place of the finding; 0: any
};

struct ExpectedRefusal {
  std::string rule;
  SourceLine where{};
};

struct ExpectedNoFaults {};

/// The words behind `expect`.
using Expectation = std::variant<ExpectBufferStep, ExpectPrintfStep, ExpectedFault, ExpectedRefusal,
                                 ExpectedNoFaults>;

/// `suppress WHAT`: a file of suppressions, or a rule.
struct NamedSuppression {
  std::string what;
  SourceLine where;
};

struct SpecialisationSpec {
  std::string target;  ///< SpecId in decimal, or the constant's name
  ValueSpec value;
  SourceLine where;
  bool overriding = false;  ///< from the command line: overrides the file's statements
};

/// A module of a plan that has several, such as a script whose pipelines have shaders of their own.
struct ProgramSpec {
  std::vector<std::string> modules{};  ///< resolved paths; several are linked
  std::string text{};                  ///< the module; empty: it is in files
  std::vector<std::string> options{};  ///< options of its compiler, besides build_options
  std::vector<SpecialisationSpec> specialisation{};
};

struct LaunchPlan {
  std::string input;                    ///< name of the plan's file, for messages
  std::string text;                     ///< text of that file, for excerpts; empty: none
  std::vector<std::string> modules;     ///< resolved paths; several are linked
  std::string module_text{};            ///< the module, if it stands in the plan's file itself
  std::vector<ProgramSpec> programs{};  ///< further modules
  std::vector<std::string> build_options;
  std::vector<std::string> module_options{};  ///< further options for the first module alone
  std::vector<SpecialisationSpec> specialisation;
  std::vector<BufferSpec> buffers;
  std::vector<QueueSpec> queues;
  std::optional<DefaultQueueSpec> default_queue;  ///< nothing: the implicit default queue
  std::vector<Step> steps;                        ///< in order of execution
  /// Arguments from the command line. Each replaces that of all launches whose kernel has such a parameter.
  std::vector<ArgumentSpec> overriding;
  std::vector<ExpectedFault> expected_faults;
  std::vector<ExpectedRefusal> expected_refusals;
  std::optional<SourceLine> no_faults{};  ///< place of `expect no faults`, if there
  std::vector<NamedSuppression> suppressions{};
  AskedSettings settings;
};

/// Parses the text of a launch file. Messages call it `file`, and relative paths start beside `file`.
Result<LaunchPlan> parse_launch_text(std::string_view text, const std::string& file);
/// Parses the JSON form: docs/launch.schema.json.
Result<LaunchPlan> parse_launch_json(std::string_view text, const std::string& file);
/// Parses Oclgrind's .sim form.
Result<LaunchPlan> parse_sim(std::string_view text, const std::string& file);

/// Parses an Amber script with compute pipelines.
Result<LaunchPlan> parse_amber(std::string_view text, const std::string& file);
/// Parses a command file of Talvos.
Result<LaunchPlan> parse_talvos(std::string_view text, const std::string& file);

/// Extracts the launch lines of a kernel's source: `//!` in OpenCL C, `;!` in assembly. All other lines become blank, so
/// that line numbers stay. Nothing if there are none.
std::optional<std::string> embedded_launch_text(std::string_view source, std::string_view marker);

/// The marker of launch lines in a source of that name: "//!" in .cl, ";!" in .spvasm; empty for other files.
std::string_view launch_marker(std::string_view path);

/// True if the file name is that of a module (.cl, .spv, .spvasm), not of a launch description.
bool names_module(std::string_view path);

/// Limits for files that are read before anything runs, from `timeout`, `timeout-total` and `max-memory`.
ReadLimit reading_limit(const AskedSettings& settings);

/// True if the file describes a launch and is not a module, by its name or else by its content.
bool names_launch(Input& input);

/// Reads a plan in any of its forms: .launch, .json, .sim, or launch lines in a .cl or .spvasm file, which is then the
/// module. The content decides the form of files with other names. Fails with C0001, C0020 (a module without launch lines),
/// C0021 and C0022.
Result<LaunchPlan> load_plan(Input& input);
Result<LaunchPlan> load_plan(const std::string& path);

/// The options of `transpire run` that describe a launch, as written.
struct LaunchFlags {
  std::vector<std::string> modules;
  /// Texts of the options for the statement with that word (launch/language/statements.h), as often as they are given.
  std::map<std::string_view, std::vector<std::string>> given;

  bool has(std::string_view word) const;
};

/// True if the file is a module with launch lines in its comments.
bool has_launch_lines(Input& input);

/// True if a flag describes a launch. Prints, outputs and expectations alone do not.
bool describes_launch(const LaunchFlags& flags);
Result<LaunchPlan> plan_from_flags(const LaunchFlags& flags);
/// Replaces the parts of a plan's launches that the flags give, and adds the flags' prints, outputs and expectations.
Status override_plan(LaunchPlan& plan, const LaunchFlags& flags);
/// Adds the prints, outputs and expectations of the flags to a plan that came from a file.
Status add_checks(LaunchPlan& plan, const LaunchFlags& flags);

}  // namespace transpire::launch
