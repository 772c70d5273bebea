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
// The header depends on the standard library only. The library throws no exception but std::bad_alloc.
// Objects of Module, Device, Buffer and the like are handles: copies are cheap and share the object behind them.
// Several threads may use a Module or a Device at once. The caller synchronises accesses to a Buffer's bytes.
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
#include "transpire/load_options.hpp"
#include "transpire/pipe.hpp"
#include "transpire/result.hpp"
#include "transpire/store_log.hpp"
#include "transpire/watch.hpp"

namespace transpire {

struct Validation;       // transpire/validate.hpp
struct ValidateOptions;  // likewise

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

/// The library's version. Valid as long as the process.
TRANSPIRE_API std::string_view version();

// ---- Modules ---------------------------------------------------------------------------------

/// Layout of a kernel parameter's type: enough to fill and print buffers.
struct TypeInfo {
  enum class Kind { kBool, kInt, kFloat, kVector, kArray, kStruct, kPointer, kOther };
  Kind kind = Kind::kOther;
  std::string spelling;          ///< OpenCL C words: "float4", "global float*", "struct Particle"
  std::uint32_t width_bits = 0;  ///< ints and floats only
  std::uint64_t count = 0;       ///< elements of a vector or array
  std::uint64_t size_bytes = 0;
  std::uint64_t align_bytes = 1;
  /// Pointers: "global", "constant", "local", "private", "generic"; of shaders "buffer", "uniform", "push constant".
  std::string address_space;
  /// The members of a struct, or the element of a vector, array or pointer (no element if opaque or recursive).
  std::vector<TypeInfo> elements;
  /// Names of a struct's members, from debug information or OpMemberName, else "member0" and so on.
  std::vector<std::string> member_names;
  std::vector<std::uint64_t> member_offsets;  ///< in bytes
  /// A member that the compiler added as padding; only debug information shows that.
  bool is_padding = false;
};

struct ParameterInfo {
  /// A parameter's OpName, else "arg<index>". A shader's resource: its OpName, else the name of its block's only member, else the
  /// block's, else "SET.BINDING".
  std::string name;
  TypeInfo type;
  bool by_value_struct =
      false;  ///< a struct by value: a private pointer decorated ByVal, or push constants
  bool no_write = false;  ///< const in the source
  /// The type as clGetKernelArgInfo spells it: "uint4", "float*". Empty if the module does not contain it.
  std::string source_type{};
  bool is_const = false;  ///< the qualifiers `const` and `volatile` are the pointee's
  bool is_restrict = false;
  bool is_volatile = false;
  std::string access{};  ///< images and pipes: "read_only", "write_only", "read_write"
  std::optional<ImageParameterInfo> image{};  ///< set if the parameter is an image
  bool is_sampler = false;
  std::optional<PipeParameterInfo> pipe{};  ///< set if the parameter is a pipe
  bool is_queue = false;
  /// Resources of shaders: the descriptor's set and binding. None for push constants, and for parameters of kernels.
  std::optional<std::array<std::uint32_t, 2>> binding{};
  std::string place{};         ///< clspv's kernels: "storage buffer 0.2, offset 4"; else empty
  bool is_unused = false;      ///< the module says nothing of it, and any argument fits
  std::string binding_part{};  ///< an array's element, a sampler: "[3].sampler"
  /// An element of an array of descriptors without a length: see LoadOptions::descriptor_counts.
  bool in_open_array = false;
  /// A shader's buffer that is one run-time array: `type` points to its elements.
  bool holds_array = false;
};

struct KernelInfo {
  std::string name;
  std::vector<ParameterInfo> parameters;
  std::optional<std::array<std::uint64_t, 3>> required_local_size;  ///< LocalSize execution mode
  std::optional<std::array<std::uint64_t, 3>> local_size_hint;
  std::optional<std::uint32_t> subgroup_size;            ///< SubgroupSize execution mode
  std::optional<std::uint32_t> subgroups_per_workgroup;  ///< SubgroupsPerWorkgroup
  bool is_initializer = false;  ///< the VM runs it before other kernels: see Device::run()
  bool is_finalizer = false;    ///< the VM runs it in Device::finish()
  std::vector<std::string> execution_modes;  ///< all modes, as text
  std::uint64_t local_bytes = 0;    ///< Workgroup variables that the kernel and its callees use
  std::uint64_t private_bytes = 0;  ///< variables of a work-item in the kernel and its callees
  /// OpenCL C's attributes, without __attribute__: "reqd_work_group_size(64,1,1) vec_type_hint(float4)".
  std::string attributes{};
  /// A block of OpenCL C that other kernels enqueue. The host cannot set its arguments.
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
  std::string name;  ///< unique: OpName, or "NAME.<index>" if ambiguous, or "variable<index>"
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
  std::uint64_t global_bytes = 0;  ///< size of all CrossWorkgroup variables
  /// True if all work-groups of a launch must have the same size, as in OpenCL C 1.x and for shaders; see LoadOptions::uniform_groups.
  bool uniform_groups = false;
};

/// A source of OpenCL C that this library compiled to make a module.
struct CompiledFrom {
  std::string name;  ///< "saxpy.cl", "<stdin>"
  /// True if LoadOptions::optimise_source was false and the build options had no -O.
  bool is_for_checks = false;
  /// True if the module's signed arithmetic is decorated NoSignedWrap: LoadOptions::optimise_source was false, and the build
  /// options had no -O but -O0.
  bool marks_wraps = false;
};

/// A loaded SPIR-V module. Copies of the handle share it. Thread-safe.
class TRANSPIRE_API Module {
 public:
  /// Loads SPIR-V words in either byte order, or SPIR-V assembly text; the content decides.
  static Result<Module> load(std::span<const std::byte> bytes, const LoadOptions& options = {});
  /// Compiles and loads OpenCL C that was read from standard input, as load_file() does with a `.cl` file.
  static Result<Module> load_source(std::string_view text, LoadOptions options = {});
  /// Loads a file: `.spv`, `.spvasm`, or `.cl` (compiled by clang and llvm-spirv). "-" is standard input; its content
  /// decides the format.
  static Result<Module> load_file(const std::string& path, LoadOptions options = {});
  /// Links modules by their LinkageAttributes. `partial`: an import that none of them defines stays an import.
  static Result<Module> link(std::span<const Module> modules, const LoadOptions& options = {},
                             bool partial = false);
  /// This module with LoadOptions::specialisation and descriptor_counts, and with a name and uniform groups where the options
  /// have them; other options do not matter. Nothing is read again. Fails with C0032, and with what the decoder refuses
  /// because of the values.
  Result<Module> specialised(const LoadOptions& options) const;

  const ModuleInfo& info() const;
  /// The module's words in the host's byte order, as they were before specialisation.
  std::span<const std::uint32_t> words() const;
  /// The assembly text that the module was loaded from, or an empty text. Valid as long as the module.
  std::string_view assembly() const;
  /// Clang's warnings (C0036), each with its line, if the library compiled the module from OpenCL C.
  const Diagnostics& compiler_warnings() const;
  /// The sources of the module if this library compiled all of it, else none. A linked module may have several. Valid as
  /// long as the module.
  std::span<const CompiledFrom> compiled_from() const;
  /// Notes (L0012) about mistakes that `--check=ub` cannot find, because the module lacks decorations or instructions that
  /// the check needs.
  Diagnostics unseen_by_check_ub() const;
  /// The kernel of that name, or null. Valid as long as the module.
  const KernelInfo* kernel(std::string_view name) const;
  /// An error for each construct in the kernel that the VM does not support; empty if it can run. C0002: no such kernel.
  Diagnostics unsupported(std::string_view kernel) const;
  /// A warning (R0025) for each store through an argument that is a pointer to const in the source. A launch skips these
  /// stores unless it is lenient.
  Diagnostics stores_through_const(std::string_view kernel) const;
  /// One element per parameter of the kernel: false if no instruction can store through it, as far as known before a run.
  /// Parameters that are not pointers have true. Empty if the module has no such kernel or the VM does not support it.
  std::vector<bool> may_write(std::string_view kernel) const;
  /// The module as assembly text, one instruction a line, optionally with word offsets as comments.
  Result<std::string> disassemble(bool with_offsets = false) const;
  /// The values of LoadOptions::specialisation: SpecId, bits. Valid as long as the module.
  std::span<const std::pair<std::uint32_t, std::uint64_t>> specialisation() const;
  /// Validates the module for an environment, "opencl1.2" .. "opencl3.0", optionally followed by "embedded". Accepts
  /// deviations that real producers emit (Strictness::kField). Returns at most 20 errors of Transpire's validator, or if
  /// there are none, the errors of SPIRV-Tools' validator as warnings V0001. Empty: valid. C0035: unknown environment.
  Diagnostics validate(const std::string& environment = "opencl2.2") const;
  /// Validates the module as transpire::validate() does with what the module was loaded from, which need not be read again.
  /// ValidateOptions::name is the module's if left as it is, and so are its sources. Thread-safe. Fails with C0035 and L0002.
  Result<Validation> validate(const ValidateOptions& options) const;

  const std::shared_ptr<runtime::ModuleState>& state() const { return state_; }

 private:
  friend struct runtime::ModuleState;  // makes handles of the shaders of clspv's modules
  std::shared_ptr<runtime::ModuleState> state_;
};

// ---- Buffers and arguments --------------------------------------------------------------------

/// A buffer: bytes that kernels read and write. Copies of the handle share the bytes.
class TRANSPIRE_API Buffer {
 public:
  /// Makes a buffer of zeros, aligned to 128 bytes. `name` appears in findings. Fails with L0004.
  static Result<Buffer> create(std::uint64_t size_bytes, std::string name = {});
  /// Makes a buffer of existing bytes. The buffer holds a reference to `owner`, which keeps the bytes alive. Without an
  /// owner, the caller keeps them as long as a copy of the handle or a launch uses them.
  static Result<Buffer> wrap(std::span<std::byte> bytes, std::string name = {},
                             std::shared_ptr<const void> owner = nullptr);
  /// Makes a buffer of a range of this buffer's bytes, and keeps the bytes alive. A kernel's access outside the range is a
  /// finding. Fails with C0003 if the range is not within this buffer.
  Result<Buffer> slice(std::uint64_t offset_bytes, std::uint64_t size_bytes,
                       std::string name = {}) const;
  std::span<std::byte> bytes() const;
  const std::string& name() const;
  /// Marks all bytes of the buffer as undefined. With check_uninit, a byte stays undefined until a kernel or set_defined()
  /// writes it. Slices made later share this state. Do not call while a launch uses the buffer.
  void set_undefined();
  /// Marks bytes as defined, because the host has written them. Fails with C0003 if they are not within the buffer.
  Status set_defined(std::uint64_t offset_bytes, std::uint64_t size_bytes);
  /// A mask of the buffer's size: bits that are 1 are undefined. The host may change the mask when it may change the bytes.
  /// Empty: all bytes are defined.
  std::span<std::byte> undefined_bits() const;
  /// With true, a kernel's store to the buffer is a finding.
  void set_read_only(bool read_only);
  /// With true, a kernel's load from the buffer is a finding.
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

/// Shared virtual memory: it has the same addresses for the host and for kernels, so each may follow pointers that the other
/// stored in it. Copies of the handle share the memory. Thread-safe, except for its bytes.
class TRANSPIRE_API SharedMemory {
 public:
  /// Reserves 64 GiB of addresses. The system provides memory when it is first touched. Processes get the same addresses
  /// if these are free: the first range begins at 2^45, each further one 2^37 bytes later. Fails with L0004.
  static Result<SharedMemory> create();
  /// Reserves 64 GiB of addresses from `address` on, a multiple of 1 MiB. Fails with L0004 if they are not free.
  static Result<SharedMemory> create_at(std::uint64_t address);
  /// The first reserved address.
  std::uint64_t address() const;
  /// Allocates zeroed bytes at a multiple of `align_bytes` (a power of two, at most 1 MiB). Null if there is no room, or
  /// `size_bytes` is 0. At most 32,768 small allocations fit. `name` appears in findings.
  void* allocate(std::uint64_t size_bytes, std::uint64_t align_bytes = 128,
                 std::string name = {}) const;
  /// Allocates zeroed bytes at `address`, a multiple of 1 MiB. The bytes and 1 MiB behind them must be free. Fails with
  /// L0004.
  Status allocate_at(std::uint64_t address, std::uint64_t size_bytes, std::string name = {}) const;
  /// Frees an allocation. Accesses to it by later launches are findings. Do not call while a launch that may use it runs.
  /// Returns false if `pointer` is not the start of an allocation.
  bool release(void* pointer) const;
  /// The allocation that contains the byte at `pointer`; empty if there is none.
  std::span<std::byte> range_of(const void* pointer) const;
  /// Marks the allocation that contains the byte as undefined; see Buffer::set_undefined(). Allocations start as defined.
  /// Do not call while a launch that may use it runs.
  void set_undefined(const void* pointer) const;
  /// Marks the whole allocation as defined and stops tracking it, for a host that does not report its writes.
  void set_defined(const void* pointer) const;
  /// A mask of `size_bytes` bytes: bits that are 1 are undefined. The host clears bits that it writes. Empty if the whole
  /// allocation is defined, or the bytes are not within one allocation.
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

/// Records the operation that made each number that launches store into buffers and program-scope variables. The error bound
/// of that operation, applied to its operands as Transpire computed them, gives the legal results of other implementations.
/// Copies of the handle share the log. Several threads and launches may use it. It takes some 80 bytes per stored number.
///
/// The log looks through operations that only move a number: variables, selections, fabs, fmin, widening, private and
/// workgroup memory. (A load from private or workgroup memory may get any number that is stored into the same variable.)
/// Numbers that are loaded from a buffer count as inputs, and so do numbers that atomics or the host wrote.
class TRANSPIRE_API ResultLog {
 public:
  static ResultLog create();
  /// The legal results for the number at `offset_bytes` in the buffer. kOpen if the operation has no bound (native_ and
  /// geometric functions, OpDot, mad in the embedded profile), or the number is not within the buffer.
  LegalRange range(const Buffer& buffer, std::uint64_t offset_bytes, FloatType type,
                   Profile profile) const;
  /// Empties the log. Call it before the memory of a buffer is reused for another buffer.
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
  std::uint64_t offset_bytes = 0;  ///< kBuffer: offset of the pointer in the buffer
  std::vector<std::byte> bytes;    ///< kValue: scalar, vector or struct as laid out in memory
  std::uint64_t local_bytes = 0;   ///< kLocal
  std::uint64_t address =
      0;  ///< kShared: address in the launch's shared memory; kQueue: DeviceQueue::handle
  std::optional<Image> texels{};  ///< kImage
  Sampler sampling{};             ///< kSampler
  std::optional<Pipe> packets{};  ///< kPipe

  static Argument buffer(Buffer b, std::uint64_t offset_bytes = 0);
  static Argument local(std::uint64_t size_bytes);
  static Argument null();
  static Argument image(Image image);
  static Argument sampler(const Sampler& sampler);
  static Argument pipe(Pipe pipe);
  /// A queue of Launch::queues, by its handle.
  static Argument queue(std::uint64_t handle = DeviceQueue{}.handle);
  /// A pointer into Launch::shared, or any other. An access through an invalid pointer is a finding.
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
  std::array<std::uint64_t, 3> local_size{0, 0, 0};  ///< all 0: the VM chooses
  std::array<std::uint64_t, 3> global_offset{0, 0, 0};
};

/// The rows of launch_limits.def document each member and give its initial value.
struct Limits {
#define TRANSPIRE_LIMIT(type, member, initial, ...) type member = initial;
#define TRANSPIRE_RUN_LIMIT(...)
#include "transpire/launch_limits.def"
#undef TRANSPIRE_LIMIT
};

/// Cancels launches from another thread. Unlike Launch::progress it does not slow a launch. Copies of the handle share it.
/// Thread-safe; signal handlers must not use it.
class TRANSPIRE_API Canceller {
 public:
  static Canceller create();
  /// Ends all launches that have this canceller, with End::kCancelled, within about a millisecond. Later launches do not
  /// begin.
  void cancel() const;
  bool cancelled() const;
  const std::shared_ptr<scheduler::StopSwitch>& state() const { return state_; }

 private:
  explicit Canceller(std::shared_ptr<scheduler::StopSwitch> state) : state_(std::move(state)) {}
  std::shared_ptr<scheduler::StopSwitch> state_;  ///< null after a move: cancel() does nothing
};

/// A kernel with its arguments, sizes, settings and limits. Device::run() executes it; it may be run several times.

struct Launch : LaunchSettings {
  Launch(Module m, std::string k) : module(std::move(m)), kernel(std::move(k)) {}
  Module module;
  std::string kernel;
  Geometry geometry;
  std::vector<Argument> arguments;
  /// Shared memory that the kernel may access. Only for modules with 64-bit pointers.
  std::optional<SharedMemory> shared;
  /// Device queues, at most kMaxDeviceQueues. If `has_default_queue`, the first one is the default queue.
  std::vector<DeviceQueue> queues{DeviceQueue{}};
  bool has_default_queue = true;
  Limits limits;
  std::optional<ResultLog> results{};  ///< records the launch's stores; slows the launch
  std::optional<StoreLog> stores{};    ///< records last stores; makes the launch an observed one
  Watch* watch = nullptr;              ///< not owned; makes the launch an observed one
  /// The launching thread calls it every millisecond or so with the numbers of finished and of all work-groups. Returning
  /// false cancels the launch, which then ends within another millisecond.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress;
  /// If set, it is called before each call of `progress` with the number of instructions executed so far, counted as
  /// LaunchResult::instructions. This number grows even while one work-group takes long.
  std::function<void(std::uint64_t instructions)> executing{};
  std::optional<Canceller> canceller{};  ///< may cancel the launch
  bool wants_memory_use = false;         ///< with check_race: fills LaunchResult::memory_uses

  // Launches do not compare: operators inherited from LaunchSettings would ignore all members above.
  friend bool operator==(const Launch&, const Launch&) = delete;
  friend auto operator<=>(const Launch&, const Launch&) = delete;
};

/// The cause of a finding: an earlier finding of the same work-item, the first one of the later finding. By the module's
/// def-use chains, the later finding's wrong operands derive from the result of the earlier instruction, or from a store
/// that it did not make. A chain may pass through memory that work-items share if both pointers are computed in the same
/// way.
struct Cause {
  std::size_t finding = 0;  ///< index into LaunchResult::findings
  std::string rule;
  SourceLine source;                         ///< place of the earlier finding's diagnostic
  std::optional<std::uint64_t> word_offset;  ///< likewise
};

/// A mistake of the kernel that a launch found. One finding stands for all with the same rule, instruction and allocation.
struct Finding {
  Diagnostic diagnostic;
  std::uint64_t count = 1;  ///< work-items that made the mistake before the launch ended
  /// Ids of the first such work-item, in order of work-group, then barriers passed, then work-item.
  std::array<std::uint64_t, 3> global_id{};
  std::array<std::uint64_t, 3> group_id{};
  std::array<std::uint64_t, 3> local_id{};
  std::string allocation;                    ///< name of the buffer or variable; may be empty
  std::optional<std::int64_t> offset_bytes;  ///< offset in the allocation; may be negative
  std::uint64_t access_bytes = 0;
  std::optional<Cause> follows_from{};
  std::uint64_t consequences = 0;  ///< findings that this one caused, directly or indirectly
  bool is_error() const { return diagnostic.severity == Severity::kError; }
  /// True if this finding caused others and has no known cause itself.
  bool is_first_cause() const { return consequences != 0 && !follows_from; }
};

/// The accesses of a finished launch to memory that outlives it. A host that knows which commands no event orders compares
/// their uses to find races between them. Copies of the handle share it.
class TRANSPIRE_API MemoryUse {
 public:
  /// Findings for bytes that this launch and an unordered other one access in conflict: R0102, or R0103 for buffers that
  /// both change by atomics. Their places are in this launch.
  std::vector<Finding> races_with(const MemoryUse& other) const;
  /// Findings (R0102) for this launch's accesses that conflict with an unordered read or write of `range` by the host
  /// command `by`, e.g. "clEnqueueReadBuffer".
  std::vector<Finding> races_with(std::span<const std::byte> range, bool writes,
                                  const std::string& by) const;
  /// Findings (R0104) for accesses to bytes that the host has mapped: writes if mapped for reading, else all accesses.
  std::vector<Finding> in_mapped(std::span<const std::byte> range, bool for_writing) const;
  /// Findings (R0105) for accesses to `range`, an allocation of shared virtual memory that the host did not list.
  std::vector<Finding> in_unlisted(std::span<const std::byte> range) const;
  /// Removes the accesses to these bytes, because their memory now belongs to another object. Not thread-safe.
  void forget(std::span<const std::byte> range) const;
  /// Memory that the records themselves take.
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
    kNoProgress  ///< work-items wait for something that none of them will do
  };
  End end = End::kCompleted;
  /// Causes before effects: in order of work-group, barriers passed and work-item of a finding's first work-item, then in
  /// order of execution. Findings of limits come last. The order depends neither on the number of threads nor on the
  /// instruction set.
  std::vector<Finding> findings;
  std::string printf_output;                  ///< in work-group order
  std::array<std::uint64_t, 3> local_size{};  ///< the work-group size used
  std::uint64_t work_items = 0;
  std::uint64_t instructions = 0;  ///< lowered instructions times active work-items
  /// With Launch::count_instructions: executed opcodes, each with its number of executions by work-items. In order of
  /// opcodes; opcodes that only children executed come last.
  std::vector<std::pair<std::string, std::uint64_t>> instruction_counts;
  double wall_seconds = 0;  ///< duration of the kernel's execution, without lowering and children
  double lower_seconds = 0;
  /// The first kMostChildren children, in the order they would run in if none waited. The findings, text and counts above
  /// include those of all children, behind the launch's own. If a limit ended a child, `end` says which limit.
  static constexpr std::size_t kMostChildren = 10'000;
  std::vector<ChildLaunch> children{};
  std::uint64_t child_count = 0;
  /// OpenCL status of the launch and its children: 0, or the error code of the first kernel that failed.
  std::int32_t child_status = 0;
  double child_seconds = 0;  ///< from the end of the kernel until all children had completed
  /// With Launch::wants_memory_use: the accesses of the launch, and those of the children that the race check followed.
  std::vector<MemoryUse> memory_uses{};
};

struct DeviceOptions {
  std::string isa;       ///< one of known_isas(); "": the variable TRANSPIRE_ISA, else the best
  unsigned threads = 0;  ///< 0: the variable TRANSPIRE_THREADS, else the caller's usable cores
};

/// A device that runs launches: an instruction set and threads. Copies of the handle share it. Thread-safe.

class TRANSPIRE_API Device {
 public:
  /// Fails with C0033 if the machine does not have the instruction set, or TRANSPIRE_THREADS is no number.
  static Result<Device> create(const DeviceOptions& options = {});
  const std::string& isa() const;
  unsigned threads() const;
  std::uint32_t lanes() const;  ///< work-items in a batch
  /// Runs a launch to its end. Fails if the arguments or the geometry are invalid or the kernel is not supported. Mistakes
  /// of the kernel are no failure: the result has a finding for each.
  ///
  /// Before the first launch of a module, its initializers run with the launch's limits and checks. Their output and
  /// findings, and those of their children, come first in the result. If the launch is refused afterwards, the next
  /// launch's result has them. If a limit ends the initializers, the kernel does not run.
  Result<LaunchResult> run(const Launch& launch) const;
  /// Ends the use of a module on this device. Runs its finalizers if one of its kernels ran, with the settings and limits of
  /// `launch` (its kernel and arguments are ignored). Then discards the module's program-scope variables. Do not call while
  /// a launch of the module runs.
  Result<LaunchResult> finish(const Launch& launch) const;
  /// The bytes of a program-scope variable, `module.info().variables[index]`. They keep their value from launch to launch
  /// on this device. Do not access them while a launch of the module runs. Fails with C0026 (no such variable), L0004 and
  /// U0003 (its initializer).
  Result<Buffer> program_variable(const Module& module, std::size_t index) const;

  const std::shared_ptr<runtime::DeviceState>& state() const { return state_; }

 private:
  std::shared_ptr<runtime::DeviceState> state_;
};

/// Names of the instruction sets that this machine can run, best last.
TRANSPIRE_API std::vector<std::string> supported_isas();

/// Names of all instruction sets, the legal values of DeviceOptions::isa. Device::create() refuses instruction sets that
/// this machine does not have, or that the library was built without.
TRANSPIRE_API std::vector<std::string> known_isas();

}  // namespace transpire
