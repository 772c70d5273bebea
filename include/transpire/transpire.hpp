// Transpire's C++ interface: load a SPIR-V kernel module, inspect it, run its kernels, read findings.
//
//   auto module = transpire::Module::load_file("saxpy.spv");
//   auto device = transpire::Device::create({});
//   transpire::Launch launch(*module, "saxpy");
//   launch.geometry.global_size = {1024, 1, 1};
//   launch.arguments = {transpire::Argument::buffer(y), transpire::Argument::buffer(x),
//                       transpire::Argument::value(3.0f)};
//   auto result = device->run(launch);
//
// Depends on the standard library only. No exception crosses this boundary except std::bad_alloc.
// Objects are cheap handles that share what they name. A Module and a Device may be used from several
// threads at once; a Buffer's bytes are the caller's to guard.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "transpire/compile.hpp"
#include "transpire/diagnostic.hpp"
#include "transpire/enqueue.hpp"
#include "transpire/export.hpp"
#include "transpire/image.hpp"
#include "transpire/launch_settings.hpp"
#include "transpire/legal_range.hpp"
#include "transpire/pipe.hpp"
#include "transpire/result.hpp"
#include "transpire/store_log.hpp"

namespace transpire {

namespace scheduler {
class StopSwitch;
}
namespace runtime {
struct ModuleState;
struct DeviceState;
struct BufferState;
struct MemoryUseState;
class SharedState;
class ResultLogState;
}  // namespace runtime

TRANSPIRE_API std::string_view version();

// ---- Modules ---------------------------------------------------------------------------------

/// The shape of a kernel parameter's type, enough to fill and print buffers.
struct TypeInfo {
  enum class Kind { kBool, kInt, kFloat, kVector, kArray, kStruct, kPointer, kOther };
  Kind kind = Kind::kOther;
  std::string spelling;          ///< OpenCL C words: "float4", "global float*", "struct Particle"
  std::uint32_t width_bits = 0;  ///< int, float
  std::uint64_t count = 0;       ///< of a vector or array
  std::uint64_t size_bytes = 0;
  std::uint64_t align_bytes = 1;
  std::string address_space;  ///< of a pointer: "global", "constant", "local", "private", "generic"
  std::vector<TypeInfo>
      elements;  ///< element of a vector, array or pointer (one; none if opaque or recursive); members
  /// As debug information or OpMemberName has them, else "member0" and so on.
  std::vector<std::string> member_names;
  std::vector<std::uint64_t> member_offsets;
  /// A member that the source has not: it fills a struct up. Only debug information tells.
  bool is_padding = false;
};

struct ParameterInfo {
  std::string name;  ///< OpName, else "arg<index>"
  TypeInfo type;
  bool by_value_struct = false;  ///< a struct passed by value (a private pointer decorated ByVal)
  bool no_write = false;         ///< const in the source
  /// As clGetKernelArgInfo spells it: "uint4", "float*"; empty when the module does not say.
  std::string source_type{};
  bool is_const = false;  ///< qualifiers of what a pointer names, and of the pointer
  bool is_restrict = false;
  bool is_volatile = false;
  std::string access{};  ///< of an image or pipe: "read_only", "write_only", "read_write"
  std::optional<ImageParameterInfo> image{};  ///< of an image
  bool is_sampler = false;
  std::optional<PipeParameterInfo> pipe{};  ///< of a pipe
  bool is_queue = false;
};

struct KernelInfo {
  std::string name;
  std::vector<ParameterInfo> parameters;
  std::optional<std::array<std::uint64_t, 3>> required_local_size;  ///< LocalSize execution mode
  std::optional<std::array<std::uint64_t, 3>> local_size_hint;
  std::optional<std::uint32_t> subgroup_size;            ///< SubgroupSize execution mode
  std::optional<std::uint32_t> subgroups_per_workgroup;  ///< SubgroupsPerWorkgroup
  bool is_initializer = false;  ///< runs before any other kernel of its program, by itself
  bool is_finalizer = false;    ///< runs when its program is not used any more, by itself
  std::vector<std::string> execution_modes;  ///< spelled, all of them
  std::uint64_t local_bytes = 0;    ///< of Workgroup variables that it and what it calls use
  std::uint64_t private_bytes = 0;  ///< of variables of a work-item, in it and in what it calls
  /// OpenCL C's attributes, without __attribute__: "reqd_work_group_size(64,1,1) vec_type_hint(float4)".
  std::string attributes{};
  /// Other kernels enqueue it: a block of OpenCL C, which the host has no arguments for.
  bool is_enqueued = false;
};

struct SpecConstantInfo {
  std::uint32_t spec_id = 0;
  std::string name;
  TypeInfo type;
  std::uint64_t default_bits = 0;
};

/// A program-scope variable of CrossWorkgroup storage: it keeps its value from launch to launch.
struct VariableInfo {
  std::string name;  ///< OpName, made unique: else "variable<index>", or "NAME.<index>"
  TypeInfo type;
};

struct ModuleInfo {
  std::string name;
  std::string spirv_version;  ///< "1.2"
  std::string generator;      ///< number and tool name where known
  std::uint32_t pointer_bits = 64;
  std::string source_language;  ///< "OpenCL C 2.0" when the module says so
  std::vector<std::string> capabilities;
  std::vector<std::string> extensions;
  std::vector<KernelInfo> kernels;
  std::vector<SpecConstantInfo> spec_constants;
  std::vector<VariableInfo> variables;
  std::uint64_t global_bytes = 0;  ///< of CrossWorkgroup variables of the module
  /// All work-groups of a launch must be equally large: of OpenCL C 1.x, or as LoadOptions say.
  bool uniform_groups = false;
};

/// A source of OpenCL C that this library compiled to make a module.
struct CompiledFrom {
  std::string name;  ///< "saxpy.cl", "<stdin>"
  /// LoadOptions::optimise_source was false, and no option said otherwise.
  bool is_for_checks = false;
  /// Its signed arithmetic is decorated NoSignedWrap: likewise, and with an option -O0.
  bool marks_wraps = false;
};

/// A text that debug information names.
struct SourceText {
  std::string name;
  std::string text;
};

struct LoadOptions {
  std::string name = "<module>";  ///< how diagnostics call the input
  /// What the module was compiled from, where it is no file: findings show its lines.
  std::vector<SourceText> sources{};
  std::vector<std::pair<std::uint32_t, std::uint64_t>> specialisation;  ///< SpecId, bits
  std::vector<std::string> build_options;  ///< for OpenCL C: handed to clang
  /// For OpenCL C: with clang's optimiser. It deletes what is undefined, which checks then cannot find. An -O among the
  /// build options goes before this.
  bool optimise_source = true;
  /// ModuleInfo::uniform_groups; nothing: by the language of the source and the build options.
  std::optional<bool> uniform_groups{};
  /// Reading, compiling and decoding that take longer end with L0002; 0 = no limit. Assembly text is
  /// turned into words as a whole: the time is looked at before and after.
  double timeout_seconds = 0;
  std::uint64_t max_file_bytes = std::uint64_t{4}
                                 << 30;  ///< of a file, else L0004: a device has no end
  /// Of OpenCL C: whether members of its structs are to be known by name, for which clang writes all that it knows of the
  /// types (-g); else lines alone.
  bool source_types = true;
};

class TRANSPIRE_API Module {
 public:
  /// SPIR-V words in either byte order, or SPIR-V assembly text (decided by content).
  static Result<Module> load(std::span<const std::byte> bytes, const LoadOptions& options = {});
  /// OpenCL C that was read from standard input: compiled as load_file() compiles a `.cl` file.
  static Result<Module> load_source(std::string_view text, LoadOptions options = {});
  /// `.spv`, `.spvasm`, or `.cl` (through clang and llvm-spirv); "-" is standard input, which may hold any of them.
  static Result<Module> load_file(const std::string& path, LoadOptions options = {});
  /// Links modules by their LinkageAttributes. `partial`: what none of them defines stays an import.
  static Result<Module> link(std::span<const Module> modules, const LoadOptions& options = {},
                             bool partial = false);

  const ModuleInfo& info() const;
  /// The module's words in the host's byte order, as they were before specialisation.
  std::span<const std::uint32_t> words() const;
  /// The assembly that the module was loaded from; empty when it was none. Valid as long as the module.
  std::string_view assembly() const;
  /// What clang warned of, each with its line, where the module was compiled from a file of OpenCL C.
  const Diagnostics& compiler_warnings() const;
  /// The sources, where all of the module was compiled by this library: one, of a linked module several; else none.
  /// Valid as long as the module.
  std::span<const CompiledFrom> compiled_from() const;
  /// Mistakes that `--check=ub` cannot find, because the module does not say what the check goes by: notes of L0012.
  Diagnostics unseen_by_check_ub() const;
  const KernelInfo* kernel(std::string_view name) const;
  /// Everything the VM would refuse when the kernel is launched; empty when it runs.
  Diagnostics unsupported(std::string_view kernel) const;
  /// Stores through arguments that are pointers to const in the source, each at its place: warnings of R0025. A launch
  /// does not make them unless it is lenient.
  Diagnostics stores_through_const(std::string_view kernel) const;
  /// By parameter of the kernel: whether some instruction may store through it, as far as is known before a run. Empty
  /// where there is no such kernel, or it is not supported.
  std::vector<bool> may_write(std::string_view kernel) const;
  /// Assembly text, one instruction a line; word offsets as comments when asked for.
  Result<std::string> disassemble(bool with_offsets = false) const;
  /// How it was specialised when it was loaded: SpecId, bits. Valid as long as the module.
  std::span<const std::pair<std::uint32_t, std::uint64_t>> specialisation() const;
  /// SPIRV-Tools' validator for an OpenCL environment: "opencl1.2" .. "opencl2.2", with "embedded".
  Diagnostics validate(const std::string& environment = "opencl2.2") const;

  const std::shared_ptr<runtime::ModuleState>& state() const { return state_; }

 private:
  std::shared_ptr<runtime::ModuleState> state_;
};

// ---- Buffers and arguments --------------------------------------------------------------------

/// Bytes that kernels read and write. Aligned to 128. Shared by copies of the handle.
class TRANSPIRE_API Buffer {
 public:
  /// `name` appears in findings. Contents start as zero.
  static Result<Buffer> create(std::uint64_t size_bytes, std::string name = {});
  /// Bytes that `owner` keeps, which lives as long as the buffer; without one, the caller keeps them
  /// as long as a copy of the handle or a launch uses them.
  static Result<Buffer> wrap(std::span<std::byte> bytes, std::string name = {},
                             std::shared_ptr<const void> owner = nullptr);
  /// Some of this buffer's bytes as a buffer of its own, which keeps this one's storage alive: an
  /// access outside of them is a finding. Fails with C0003 when they are not within this buffer.
  Result<Buffer> slice(std::uint64_t offset_bytes, std::uint64_t size_bytes,
                       std::string name = {}) const;
  std::span<std::byte> bytes() const;
  const std::string& name() const;
  /// Nobody has written it yet: with check_uninit, what kernels read of it before they wrote it is undefined. Not while a
  /// launch uses the buffer. Slices that are made later share what is known of it.
  void set_undefined();
  /// The host has written these bytes. Fails with C0003 when they are not within the buffer.
  Status set_defined(std::uint64_t offset_bytes, std::uint64_t size_bytes);
  /// As many bytes as the buffer has, a bit for each of its bits: 1 where nobody wrote it. The host may change them, as it
  /// may the bytes. Empty: all is defined.
  std::span<std::byte> undefined_bits() const;
  /// A kernel's store becomes a finding.
  void set_read_only(bool read_only);
  /// A kernel's load becomes a finding.
  void set_write_only(bool write_only);
  bool read_only() const;
  bool write_only() const;
  template <class T>
  std::span<T> as() const {
    return {reinterpret_cast<T*>(bytes().data()), bytes().size() / sizeof(T)};
  }
  const std::shared_ptr<runtime::BufferState>& state() const { return state_; }

 private:
  std::shared_ptr<runtime::BufferState> state_;
};

/// Memory that has the same addresses for host and kernels (shared virtual memory): a kernel follows
/// pointers that the host stored there, and the host those that a kernel stored. Shared by copies of
/// the handle; thread-safe, but for the bytes themselves.
class TRANSPIRE_API SharedMemory {
 public:
  /// Reserves 64 GiB of addresses; memory is used as it is touched. Fails with L0004. The addresses
  /// are the same ones in every process where they are free: the first range begins at 2^45, each
  /// further one 2^37 bytes on.
  static Result<SharedMemory> create();
  /// The same from `address` on, a multiple of 1 MiB. Fails with L0004 when that is taken.
  static Result<SharedMemory> create_at(std::uint64_t address);
  /// Where its addresses begin.
  std::uint64_t address() const;
  /// Zeroed bytes, at a multiple of `align_bytes` (a power of two, at most 1 MiB); null when there is
  /// no room. There is room for 32,768 small allocations. `name` appears in findings.
  void* allocate(std::uint64_t size_bytes, std::uint64_t align_bytes = 128,
                 std::string name = {}) const;
  /// Zeroed bytes at `address`, a multiple of 1 MiB behind which nothing is allocated for 1 MiB more
  /// than the size. Fails with L0004.
  Status allocate_at(std::uint64_t address, std::uint64_t size_bytes, std::string name = {}) const;
  /// Gives back what `allocate` gave; an access of a later launch is a finding. Not while a launch
  /// runs that may use it. False when `pointer` is not the start of an allocation.
  bool release(void* pointer) const;
  /// The whole allocation that holds the byte at `pointer`; empty when there is none.
  std::span<std::byte> range_of(const void* pointer) const;
  /// As Buffer::set_undefined, of the allocation that holds the byte. Another allocation is defined from its beginning,
  /// whatever is stored there. Not while a launch runs that may use it.
  void set_undefined(const void* pointer) const;
  /// Takes that back, for who writes it without telling.
  void set_defined(const void* pointer) const;
  /// Which bits of so many bytes nobody has defined, to be changed as the host writes; empty where all of the allocation
  /// is defined, and where the bytes are not in one.
  std::span<std::byte> undefined_bits(const void* pointer, std::uint64_t size_bytes) const;
  struct Range {
    std::span<std::byte> bytes;
    std::string name;
  };
  /// All allocations, in order of their addresses.
  std::vector<Range> ranges() const;
  const std::shared_ptr<runtime::SharedState>& state() const { return state_; }

 private:
  std::shared_ptr<runtime::SharedState> state_;
};

/// Remembers, for every number that launches store into buffers and program-scope variables, which
/// operation made it, and so what another implementation may have given instead: its operands taken as
/// they are here, only the last operation's bound counts. Shared by copies of the handle; range() and
/// launches may be called from several threads. It takes some 80 bytes for each number stored.
///
/// What merely moves a number is looked through: variables, selections, fabs, fmin, widening, private
/// and workgroup memory (there, everything that is stored into the same variable counts). What is
/// loaded from a buffer counts as given, and so do numbers that atomics or the host left.
class TRANSPIRE_API ResultLog {
 public:
  static ResultLog create();
  /// For the number at `offset_bytes`, as it stands in the buffer. kOpen where no bound exists (native_
  /// functions, OpDot and the geometric functions, mad in the embedded profile) and outside the buffer.
  LegalRange range(const Buffer& buffer, std::uint64_t offset_bytes, FloatType type,
                   Profile profile) const;
  /// Before the memory of a buffer is used for another one.
  void clear();
  const std::shared_ptr<runtime::ResultLogState>& state() const { return state_; }

 private:
  std::shared_ptr<runtime::ResultLogState> state_;
};

/// One kernel argument.
struct TRANSPIRE_API Argument {
  enum class Kind {
    kUnset,
    kBuffer,
    kValue,
    kLocal,
    kNull,
    kShared,
    kImage,
    kSampler,
    kPipe,
    kQueue
  };
  Kind kind = Kind::kUnset;
  std::optional<Buffer> memory;    ///< kBuffer
  std::uint64_t offset_bytes = 0;  ///< kBuffer: where the pointer points
  std::vector<std::byte> bytes;    ///< kValue: scalar, vector or struct as laid out in memory
  std::uint64_t local_bytes = 0;   ///< kLocal
  std::uint64_t address =
      0;  ///< kShared: in the launch's shared memory; kQueue: DeviceQueue::handle
  std::optional<Image> texels{};  ///< kImage
  Sampler sampling{};             ///< kSampler
  std::optional<Pipe> packets{};  ///< kPipe

  static Argument buffer(Buffer b, std::uint64_t offset_bytes = 0);
  static Argument local(std::uint64_t size_bytes);
  static Argument null();
  static Argument image(Image image);
  static Argument sampler(const Sampler& sampler);
  static Argument pipe(Pipe pipe);
  /// One of Launch::queues.
  static Argument queue(std::uint64_t handle = DeviceQueue{}.handle);
  /// A pointer into `Launch::shared`, or any other: what it may not point to, only an access finds.
  static Argument shared(const void* pointer);
  static Argument raw(std::span<const std::byte> bytes);
  template <class T>
  static Argument value(const T& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    return raw(std::as_bytes(std::span(&v, 1)));
  }
};

// ---- Launching --------------------------------------------------------------------------------

struct Geometry {
  std::uint32_t dimensions = 1;
  std::array<std::uint64_t, 3> global_size{1, 1, 1};
  std::array<std::uint64_t, 3> local_size{0, 0, 0};  ///< all 0: chosen
  std::array<std::uint64_t, 3> global_offset{0, 0, 0};
};

struct Limits {
  /// Instructions of one work-item; 0 = unlimited. One that copies or prints counts once more for each
  /// 4,096 bytes beyond the first.
  std::uint64_t max_steps = 0;
  double timeout_seconds = 0;  ///< for lowering and running it; 0 = none
  /// Distinct findings that are reported: the first ones in the order of LaunchResult::findings. The
  /// launch starts no further work-groups once there are so many. 0 = unlimited
  std::uint64_t max_findings = 100;
  std::uint64_t max_memory_bytes = std::uint64_t{16} << 30;
  /// What printf may leave behind, as CL_DEVICE_PRINTF_BUFFER_SIZE: the text, and 32 bytes a call. What
  /// does not fit is dropped and a finding says so; the call gives -1.
  std::uint64_t max_printf_bytes = std::uint64_t{64} << 20;
  /// Kernels and markers that a launch may enqueue, its children and theirs. An enqueue beyond it fails, and is a finding
  /// (TSP-L0009). 0: every enqueue fails
  std::uint64_t max_children = 100'000;
  /// What a check may note of the memory that the kernel touches (LaunchSettings::check_race). Beyond it is not looked at,
  /// which is a finding (TSP-L0010).
  std::uint64_t max_check_bytes = std::uint64_t{1} << 30;
};

/// Ends launches from outside. Unlike `Launch::progress` it costs a launch nothing. Shared by copies of the handle;
/// thread-safe, but not for signal handlers.
class TRANSPIRE_API Canceller {
 public:
  static Canceller create();
  /// The launches that have it end within a millisecond or so, with End::kCancelled; those to come do not begin.
  void cancel() const;
  bool cancelled() const;
  const std::shared_ptr<scheduler::StopSwitch>& state() const { return state_; }

 private:
  explicit Canceller(std::shared_ptr<scheduler::StopSwitch> state) : state_(std::move(state)) {}
  std::shared_ptr<scheduler::StopSwitch> state_;  ///< null: moved from; does nothing
};

struct Launch : LaunchSettings {
  Launch(Module m, std::string k) : module(std::move(m)), kernel(std::move(k)) {}
  Module module;
  std::string kernel;
  Geometry geometry;
  std::vector<Argument> arguments;
  /// What the kernel can reach besides its arguments. Only for modules with 64-bit pointers.
  std::optional<SharedMemory> shared;
  /// Of the device, kMaxDeviceQueues at most; the first one is the default queue where `has_default_queue` says so.
  std::vector<DeviceQueue> queues{DeviceQueue{}};
  bool has_default_queue = true;
  Limits limits;
  std::optional<ResultLog> results{};  ///< what is stored is recorded there; takes its time
  std::optional<StoreLog> stores{};    ///< who stored last where; the launch is observed then
  /// Called every millisecond or so from the launching thread with work-groups done and in all; false
  /// cancels: what runs ends within another millisecond.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress;
  /// Where both are set, called before each call of `progress` with the instructions that were executed so far, counted
  /// as LaunchResult::instructions: what moves while one work-group takes long.
  std::function<void(std::uint64_t instructions)> executing{};
  std::optional<Canceller> canceller{};  ///< who may end it
  bool wants_memory_use = false;         ///< LaunchResult::memory_uses; with check_race

  // Only settings compare: those of the base would leave out all of the above.
  friend bool operator==(const Launch&, const Launch&) = delete;
  friend auto operator<=>(const Launch&, const Launch&) = delete;
};

/// An earlier finding that another one follows from: what its instruction gave, or did not store, the operands that are
/// wrong in the other one are made from, as the module's definitions and uses tell. A way through memory that work-items
/// share counts where both pointers are made in the same way. Found for the first work-item of the other one, which did
/// both.
struct Cause {
  std::size_t finding = 0;  ///< index into LaunchResult::findings
  std::string rule;
  SourceLine source;                         ///< its diagnostic's
  std::optional<std::uint64_t> word_offset;  ///< likewise
};

/// Something a launch found wrong. Equal ones (same rule, instruction and allocation) are folded.
struct Finding {
  Diagnostic diagnostic;
  std::uint64_t count = 1;  ///< work-items that did it; of those that ran, where
                            ///< the launch ended early
  /// Of the first one, in order of work-group, then barriers passed, then work-item.
  std::array<std::uint64_t, 3> global_id{};
  std::array<std::uint64_t, 3> group_id{};
  std::array<std::uint64_t, 3> local_id{};
  std::string allocation;                    ///< name of the buffer or variable; may be empty
  std::optional<std::int64_t> offset_bytes;  ///< into the allocation
  std::uint64_t access_bytes = 0;
  std::optional<Cause> follows_from{};
  std::uint64_t consequences = 0;  ///< findings that follow from it, or from one that does
  bool is_error() const { return diagnostic.severity == Severity::kError; }
  /// Whether others follow from it, and it from none.
  bool is_first_cause() const { return consequences != 0 && !follows_from; }
};

/// Which memory a launch touched that others may touch as well: for who knows what may run beside it. Shared by copies of
/// the handle.
class TRANSPIRE_API MemoryUse {
 public:
  /// What the two launches do to the same bytes if nothing orders them: R0102, and R0103 of buffers that both change by
  /// atomics. Places are those of this one.
  std::vector<Finding> races_with(const MemoryUse& other) const;
  /// The same of something that reads or writes these bytes, "clEnqueueReadBuffer": R0102.
  std::vector<Finding> races_with(std::span<const std::byte> range, bool writes,
                                  const std::string& by) const;
  /// R0104: accesses to bytes that are mapped, for reading alone or for writing, too.
  std::vector<Finding> in_mapped(std::span<const std::byte> range, bool for_writing) const;
  /// R0105: accesses to an allocation of shared virtual memory that it was not given.
  std::vector<Finding> in_unlisted(std::span<const std::byte> range) const;
  /// These bytes are somebody else's from now on. Not while another call looks.
  void forget(std::span<const std::byte> range) const;
  /// What it takes itself.
  std::uint64_t size_bytes() const;

  explicit MemoryUse(std::shared_ptr<runtime::MemoryUseState> state) : state_(std::move(state)) {}
  const std::shared_ptr<runtime::MemoryUseState>& state() const { return state_; }

 private:
  std::shared_ptr<runtime::MemoryUseState> state_;
};

struct LaunchResult {
  enum class End {
    kCompleted,
    kTooManyFindings,
    kStepLimit,
    kTimeLimit,
    kCancelled,
    kNoProgress  ///< its work-items wait for what none of them will do
  };
  End end = End::kCompleted;
  /// Cause before effect: ordered by work-group, barriers passed and work-item of the first that did it, and those of
  /// one work-item as it executed them. What a limit has to say comes last. The order is the same whatever the number of
  /// threads and the instruction set.
  std::vector<Finding> findings;
  std::string printf_output;                  ///< in work-group order
  std::array<std::uint64_t, 3> local_size{};  ///< the one used
  std::uint64_t work_items = 0;
  std::uint64_t instructions = 0;  ///< lowered instructions times active work-items
  /// With Launch::count_instructions: the opcodes that were executed, and how many work-items did, each
  /// time counted; by opcode, those of what was enqueued alone behind.
  std::vector<std::pair<std::string, std::uint64_t>> instruction_counts;
  double wall_seconds = 0;  ///< of execution, without lowering and without what was enqueued
  double lower_seconds = 0;
  /// What was enqueued, in the order in which it would be run if nothing waited: the first kMostChildren. Findings, text and
  /// counts above are of all of it, behind the launch's own. `end` is that of what a limit ended.
  static constexpr std::size_t kMostChildren = 10'000;
  std::vector<ChildLaunch> children{};
  std::uint64_t child_count = 0;
  /// OpenCL's status of the launch with all that it enqueued: 0, or of the first kernel that failed an error.
  std::int32_t child_status = 0;
  double child_seconds = 0;  ///< from the end of the launch itself until all was complete
  /// With Launch::wants_memory_use: of the launch, and of what it enqueued, as far as that was looked at.
  std::vector<MemoryUse> memory_uses{};
};

struct DeviceOptions {
  std::string isa;       ///< one of known_isas(); "" = TRANSPIRE_ISA or the best
  unsigned threads = 0;  ///< 0 = TRANSPIRE_THREADS or all cores that the caller may run on
};

class TRANSPIRE_API Device {
 public:
  static Result<Device> create(const DeviceOptions& options = {});
  const std::string& isa() const;
  unsigned threads() const;
  std::uint32_t lanes() const;  ///< work-items in a batch
  /// Runs a kernel to its end. Errors are refusals: invalid arguments or geometry, unsupported
  /// instructions. What the kernel does wrong is in the result's findings.
  /// Before a module's first launch its initializers run, with the launch's limits and checks; what they
  /// print and what is found, also in what they enqueue, comes first in the result; in that of the next launch, where
  /// this one is refused. The kernel does not run where a limit ends them.
  Result<LaunchResult> run(const Launch& launch) const;
  /// For who is done with a module: runs its finalizers with the surroundings of `launch`, whose kernel
  /// and arguments do not count, unless no kernel of it ran; then forgets its program-scope variables.
  /// Not while a launch of the module runs.
  Result<LaunchResult> finish(const Launch& launch) const;
  /// The bytes of a program-scope variable, `module.info().variables[index]`, which keep their value
  /// from launch to launch on this device. Not to be touched while a launch of the module runs. Fails
  /// with C0026, L0004 and U0003 (its initializer).
  Result<Buffer> program_variable(const Module& module, std::size_t index) const;

  const std::shared_ptr<runtime::DeviceState>& state() const { return state_; }

 private:
  std::shared_ptr<runtime::DeviceState> state_;
};

/// Names of the instruction sets that this machine can run, best last.
TRANSPIRE_API std::vector<std::string> supported_isas();

/// Names of all instruction sets, on whatever machine: what DeviceOptions::isa may say. Device::create() refuses
/// those that this machine cannot run or that the library was built without.
TRANSPIRE_API std::vector<std::string> known_isas();

}  // namespace transpire
