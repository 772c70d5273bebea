// LaunchPlan: what a launch file, its JSON form, an Oclgrind .sim file, the launch lines inside a
// kernel's source, or command line flags ask for, as one value. Nothing here has seen the module
// yet: names, types and sizes are resolved when the plan runs (launch/run_plan.h). The language is
// described in docs/launch-file.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "launch/asked_settings.h"
#include "launch/value_spec.h"
#include "transpire/legal_range.hpp"
#include "transpire/result.hpp"
#include "transpire/transpire.hpp"

namespace transpire::launch {

/// An argument as an Oclgrind .sim file gives it: its meaning depends on the parameter it meets.
struct SimArgument {
  std::uint64_t size_bytes = 0;
  std::optional<ScalarType> type;
  bool null = false, dump = false, hex = false, noinit = false, read_only = false,
       write_only = false;
  std::string fill, range;          ///< empty: not given
  std::vector<std::string> values;  ///< numbers after the header
};

/// `NAME [offset BYTES] [size BYTES] [readonly|writeonly]`: some of a declared buffer.
struct BufferReference {
  std::string name;
  std::uint64_t offset_bytes = 0;
  std::optional<std::uint64_t> size_bytes;  ///< nothing: no slice, a pointer into the whole buffer
  bool read_only = false, write_only = false;
};

/// An address in shared memory: a number, or a declared range and an offset into it.
struct SharedReference {
  std::string name;  ///< empty: `address` is all
  std::uint64_t address = 0;
  std::uint64_t offset_bytes = 0;
};

/// Packets of one size, and how many there is room for. Sizes are a pipe's own to judge.
struct PipeDescription {
  std::optional<TypeWord> type;  ///< of a packet; nothing: only its size is known
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
  std::string target;  ///< parameter name, or its index in decimal
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
  std::uint32_t serial = 0;  ///< counts the statements; a launch binds those that are new to it
  SourceLine where;
};

/// Memory with a name that is there before the first launch.
struct BufferSpec {
  enum class Kind : std::uint8_t { kContents, kSlice, kShared, kVariable, kImage, kPipe };
  std::string name;
  Kind kind = Kind::kContents;
  ValueSpec value;            ///< but of kSlice
  BufferReference slice;      ///< kSlice: of what was declared before
  std::uint64_t address = 0;  ///< kShared
  ImageDescription image;     ///< kImage
  PipeDescription pipe;       ///< kPipe
  SourceLine where;
};

/// A queue of the device, besides the default one.
struct QueueSpec {
  std::string name;
  std::optional<std::uint64_t> size_bytes{};  ///< nothing: as DeviceQueue has it
  std::optional<std::uint64_t> handle{};      ///< nothing: any
  SourceLine where{};
};

/// `default-queue NAME`; `none`: there is none.
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
  SizeList global, local, offset;
  std::vector<ArgumentSpec> arguments;
  std::uint64_t repeat = 1;
  std::vector<std::pair<std::string, std::string>> swaps;  ///< arguments, after each launch
  SourceLine repeat_where;
  SourceLine
      where;  ///< of `launch`; of one that is implied, of `kernel`, else of the last statement
};

struct PrintStep {
  enum class Style : std::uint8_t { kLine, kHexadecimal, kOclgrind, kOclgrindHexadecimal };
  BufferSlice slice;
  std::optional<TypeWord> type;  ///< `as uint`: how to read the bytes
  Style style = Style::kLine;
  std::optional<Profile> ranges;         ///< with what an implementation of that profile may give
  std::optional<std::uint64_t> columns;  ///< elements in a line; never 0
  SourceLine where;
};

struct OutputStep {
  std::string buffer;
  std::string file;  ///< its end says what it holds (launch/image.h); "-": standard output
  std::optional<TypeWord> type{};          ///< `as uchar4`: how to read the bytes
  std::optional<std::uint64_t> columns{};  ///< elements in a row; never 0
  SourceLine where{};
  bool is_shown = false;  ///< a picture for people to look at (launch/raster.h)
};

struct Tolerance {
  /// kSpec: what an implementation of the profile may give where the launches gave what they gave.
  enum class Kind : std::uint8_t { kExact, kAbsolute, kRelative, kUlp, kSpec };
  Kind kind = Kind::kExact;
  double amount = 0;
  Profile profile = Profile::kFull;  ///< of kSpec
};

struct ExpectBufferStep {
  BufferSlice slice;
  std::vector<Tolerance>
      tolerances;  ///< one for all, or one for each number of an element; none: exact
  ValueSpec value;
  std::string text;  ///< the line, for messages
  SourceLine where;
};

struct ExpectPrintfStep {
  std::string text;
  SourceLine where;
};

using Step = std::variant<LaunchStep, PrintStep, OutputStep, ExpectBufferStep, ExpectPrintfStep>;

struct ExpectedFault {
  std::string rule;
  std::string buffer;  ///< empty: any
  std::optional<std::array<std::uint64_t, 3>> at;
  SourceLine where;
  std::uint32_t line = 0, column = 0;  ///< of the finding's place; 0: any
};

struct ExpectedRefusal {
  std::string rule;
  SourceLine where;
};

/// `suppress WHAT`: a file of suppressions, or a rule.
struct NamedSuppression {
  std::string what;
  SourceLine where;
};

struct SpecialisationSpec {
  std::string target;  ///< SpecId in decimal, or the constant's name
  ValueSpec value;
  SourceLine where;
  bool overriding = false;  ///< by the command line: what the file says of it later does not count
};

/// Options that a launch file and the command line share; nothing: not said.
struct PlanSettings : AskedSettings {
  std::optional<std::string> isa;
  std::optional<unsigned> threads;
  std::optional<std::uint64_t> max_steps, max_errors, max_memory_bytes, max_printf_bytes,
      max_children, max_check_bytes;
  std::optional<std::uint64_t> shared_base;     ///< where the addresses of shared memory begin
  std::optional<double> timeout_seconds;        ///< of a launch, and of what stands between two
  std::optional<double> total_timeout_seconds;  ///< of all that a run does
};

struct LaunchPlan {
  std::string input;                 ///< the file that it came from, for messages
  std::string text;                  ///< of that file, to be quoted; empty: none
  std::vector<std::string> modules;  ///< resolved paths; several are linked
  std::vector<std::string> build_options;
  std::vector<SpecialisationSpec> specialisation;
  std::vector<BufferSpec> buffers;
  std::vector<QueueSpec> queues;
  std::optional<DefaultQueueSpec> default_queue;  ///< nothing: one that no statement declares
  std::vector<Step> steps;                        ///< in the order in which they happen
  /// Arguments that the command line gives in the place of the launches' own; each is for the kernels that have it.
  std::vector<ArgumentSpec> overriding;
  std::vector<ExpectedFault> expected_faults;
  std::vector<ExpectedRefusal> expected_refusals;
  std::optional<SourceLine> no_faults{};  ///< `expect no faults`, where it stands
  std::vector<NamedSuppression> suppressions{};
  PlanSettings settings;
};

/// The text of a launch file. `file` names it in messages and is where relative paths start.
Result<LaunchPlan> parse_launch_text(std::string_view text, const std::string& file);
/// The JSON form: docs/launch.schema.json.
Result<LaunchPlan> parse_launch_json(std::string_view text, const std::string& file);
/// Oclgrind's .sim form.
Result<LaunchPlan> parse_sim(std::string_view text, const std::string& file);

/// The launch lines inside a kernel's source: `//!` in OpenCL C, `;!` in assembly, with all other
/// lines left blank so that line numbers hold. Nothing when there are none.
std::optional<std::string> embedded_launch_text(std::string_view source, std::string_view marker);

/// What launch lines begin with in a source of that name: "//!" in .cl, ";!" in .spvasm; empty for other files.
std::string_view launch_marker(std::string_view path);

/// Whether the file name is that of a module (.cl, .spv, .spvasm) rather than of a launch
/// description.
bool names_module(std::string_view path);

/// The limits that `timeout`, `timeout-total` and `max-memory` leave for files that are read before anything runs.
ReadLimit reading_limit(const PlanSettings& settings);

/// Whether the file describes a launch and is no module, by its name or else by its content.
bool names_launch(const std::string& path, const ReadLimit& limit = text_limit());

/// Reads a file of any of the forms: .launch, .json, .sim, or a .cl/.spvasm with launch lines,
/// whose module is the file itself. Other names are told by their content. Fails with C0001, C0020
/// (a module without launch lines), C0021 and C0022.
Result<LaunchPlan> load_plan(const std::string& path, const ReadLimit& limit = text_limit());

/// The flags of `transpire run` that describe a launch, as written.
struct LaunchFlags {
  std::vector<std::string> modules;
  std::string kernel, global, local, offset;
  std::vector<std::string> arguments;  ///< "NAME=VALUE"
  std::vector<std::string> buffers;    ///< "NAME=VALUE"
  std::vector<std::string> queues;     ///< "NAME[=SIZE]"
  std::string default_queue;
  std::vector<std::string> specialisation;  ///< "ID=VALUE"
  std::vector<std::string> build_options;
  std::vector<std::string> prints, outputs, shown, expectations;
  std::string repeat;
  std::vector<std::string> swaps;  ///< "A,B"
};

/// Whether the file is a module in whose comments there are launch lines.
bool has_launch_lines(const std::string& path, const ReadLimit& limit = text_limit());

/// Whether any flag describes a launch (rather than only adding prints, outputs and expectations).
bool describes_launch(const LaunchFlags& flags);
Result<LaunchPlan> plan_from_flags(const LaunchFlags& flags);
/// What the flags say of launches in the place of what a plan from a file says; adds their prints, outputs and expectations.
Status override_plan(LaunchPlan& plan, const LaunchFlags& flags);
/// Adds the prints, outputs and expectations of the flags to a plan that came from a file.
Status add_checks(LaunchPlan& plan, const LaunchFlags& flags);

}  // namespace transpire::launch
