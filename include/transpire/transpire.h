// Transpire's C interface (C11, and C++): load a SPIR-V kernel module, inspect it, run its kernels, read findings.
//
//   transpire_error* error = NULL;
//   transpire_module* module = NULL;
//   if (transpire_module_load_file("saxpy.spv", NULL, &module, &error) != TRANSPIRE_OK) {
//     fputs(transpire_error_text(error), stderr);
//     transpire_error_release(error);
//   }
//
// Errors. Functions return a status. The last parameter, `error`, may be null. Otherwise the function sets `*error` to null
// on success. On failure it sets `*error` to an object with the reason, which the caller releases. A failing function writes
// no other result, except that it sets the pointer to an object that it was to make to null. A null pointer, an index out
// of range and the like give TRANSPIRE_INVALID_ARGUMENT.
//
// Ownership. Comments say which functions make an object. The caller releases it with the function `transpire_..._release`
// of its kind, which accepts null. An object keeps alive the objects it was made from: a module may be released once a
// launch was made. Each `const char*` and each pointer to a const struct that a function gives belongs to the object it
// came from, and lives as long. The library copies strings and arrays it gets, except the bytes of transpire_buffer_wrap.
//
// Strings from the library are UTF-8 (names keep the caller's bytes), end with a zero byte and are never null. An unknown
// string is empty. Structs from the library may grow at the end in later versions: do not copy them or use their size.
//
// Threads. Several threads may use a module, device, result or error at once, and a launch while none changes it.
// Different objects are independent. The caller synchronises accesses to a buffer's bytes. No C++ exceptions come out.
#ifndef TRANSPIRE_TRANSPIRE_H
#define TRANSPIRE_TRANSPIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "transpire/load_options.h"

#ifndef TRANSPIRE_API
#define TRANSPIRE_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// The library's version, e.g. "0.2.0". Static.
TRANSPIRE_API const char* transpire_version(void);

// ---- Failures -----------------------------------------------------------------------------------

typedef enum transpire_status {
  TRANSPIRE_OK = 0,
  TRANSPIRE_INVALID_ARGUMENT = 1,  ///< the calling program's mistake: null, out of range (C0040)
  TRANSPIRE_OUT_OF_MEMORY = 2,  ///< the system's memory or a limit on memory is exhausted (L0004)
  TRANSPIRE_REFUSED = 3,        ///< the module, file or launch is wrong or not supported
  TRANSPIRE_UNEXPECTED = 4      ///< the system failed, e.g. to start a thread
} transpire_status;

typedef enum transpire_severity {
  TRANSPIRE_NOTE = 0,
  TRANSPIRE_WARNING = 1,
  TRANSPIRE_ERROR = 2
} transpire_severity;

/// A function on the call stack, and the place in it: the instruction in question, or the call of the next frame.
typedef struct transpire_frame {
  const char* function;  ///< the function's name, or "%12"
  const char* source_file;
  uint32_t source_line;    ///< 1-based; 0 when unknown
  uint32_t source_column;  ///< 1-based; 0 when unknown
  bool has_word_offset;    ///< true if `word_offset` is known; false if a compiler inlined the call
  uint64_t word_offset;    ///< in 32-bit words from the start of the module
} transpire_frame;

/// One error, warning or note.
typedef struct transpire_diagnostic {
  const char* rule;  ///< stable id, e.g. "TSP-D0003"
  transpire_severity severity;
  const char* message;      ///< one line, lower case, without a final period
  const char* input;        ///< the module's name
  bool has_word_offset;     ///< true if `word_offset` is known
  uint64_t word_offset;     ///< in 32-bit words from the start of the module
  const char* instruction;  ///< e.g. "OpStore"
  const char* source_file;  ///< from debug information, or the name of a text input
  uint32_t source_line;     ///< 1-based; 0 when unknown
  uint32_t source_column;   ///< 1-based; 0 when unknown
  const char* const* notes;
  size_t note_count;
  const char* help;     ///< a hint
  const char* clause;   ///< title and heading in a specification
  const char* text;     ///< the whole diagnostic as text: several lines, each ended with a newline
  const char* excerpt;  ///< the line in question, and below it a line with a caret
  /// The instruction as assembly, if `excerpt` shows a line of the source that the module was compiled from.
  const char* assembly;
  /// The call stack at a finding of a launch: the innermost function first, the kernel last.
  const transpire_frame* frames;
  size_t frame_count;
} transpire_diagnostic;

/// The reason of a failure: one or more diagnostics. Immutable; any thread may read it.
typedef struct transpire_error transpire_error;

/// The status that the failed function returned; TRANSPIRE_OK for null.
TRANSPIRE_API transpire_status transpire_error_status(const transpire_error* error);
/// The text of all diagnostics; "" for null.
TRANSPIRE_API const char* transpire_error_text(const transpire_error* error);
/// Number of diagnostics; the first is the root cause. An error has at least one, with two exceptions that have only a
/// text: TRANSPIRE_UNEXPECTED, and a failure without memory for the error itself. 0 for null.
TRANSPIRE_API size_t transpire_error_count(const transpire_error* error);
/// A diagnostic; null if `index` is not below the count.
TRANSPIRE_API const transpire_diagnostic* transpire_error_at(const transpire_error* error,
                                                             size_t index);
TRANSPIRE_API void transpire_error_release(transpire_error* error);

/// The page of a rule, as `transpire explain` prints it.
typedef struct transpire_rule {
  const char* id;
  const char* title;
  const char* explanation;  ///< paragraphs
  const char* clause;       ///< place in a specification
  transpire_severity severity;
} transpire_rule;

/// Gives the rule with an id such as "TSP-D0003", for the life of the process. TRANSPIRE_INVALID_ARGUMENT if there is none.
TRANSPIRE_API transpire_status transpire_find_rule(const char* id, const transpire_rule** rule,
                                                   transpire_error** error);

// ---- Modules ------------------------------------------------------------------------------------

typedef struct transpire_module transpire_module;

typedef enum transpire_type_kind {
  TRANSPIRE_TYPE_BOOL = 0,
  TRANSPIRE_TYPE_INT = 1,
  TRANSPIRE_TYPE_FLOAT = 2,
  TRANSPIRE_TYPE_VECTOR = 3,
  TRANSPIRE_TYPE_ARRAY = 4,
  TRANSPIRE_TYPE_STRUCT = 5,
  TRANSPIRE_TYPE_POINTER = 6,
  TRANSPIRE_TYPE_OTHER = 7
} transpire_type_kind;

/// Layout of a type: enough to fill and print buffers.
typedef struct transpire_type {
  transpire_type_kind kind;
  const char* spelling;  ///< OpenCL C words: "float4", "global float*", "struct Particle"
  uint32_t width_bits;   ///< ints and floats only
  uint64_t count;        ///< elements of a vector or array
  uint64_t size_bytes;
  uint64_t align_bytes;
  /// Pointers: "global", "constant", "local", "private", "generic"; of shaders "buffer", "uniform", "push constant".
  const char* address_space;
  /// The members of a struct, or the element of a vector, array or pointer (no element if opaque or recursive).
  const struct transpire_type* const* elements;
  size_t element_count;
  const char* const* member_names;  ///< structs: element_count names, or null when unknown
  const uint64_t* member_offsets;   ///< structs: element_count offsets in bytes; else null
} transpire_type;

/// The kind of argument that a parameter takes, and the function that sets it.
typedef enum transpire_argument_kind {
  TRANSPIRE_ARGUMENT_VALUE = 0,    ///< transpire_launch_set_value with value_bytes bytes
  TRANSPIRE_ARGUMENT_BUFFER = 1,   ///< transpire_launch_set_buffer, _set_null or _set_pointer
  TRANSPIRE_ARGUMENT_LOCAL = 2,    ///< transpire_launch_set_local
  TRANSPIRE_ARGUMENT_IMAGE = 3,    ///< transpire_launch_set_image
  TRANSPIRE_ARGUMENT_SAMPLER = 4,  ///< transpire_launch_set_sampler
  TRANSPIRE_ARGUMENT_PIPE = 5,     ///< transpire_launch_set_pipe
  TRANSPIRE_ARGUMENT_QUEUE = 6     ///< transpire_launch_set_queue, _set_added_queue or _set_null
} transpire_argument_kind;

typedef struct transpire_parameter {
  const char* name;  ///< "arg<index>" if the module has no name
  const transpire_type* type;
  transpire_argument_kind argument;
  uint64_t value_bytes;  ///< size of a TRANSPIRE_ARGUMENT_VALUE, else 0
  bool by_value_struct;  ///< a struct passed by value: `type` is a private pointer to it
  bool no_write;         ///< const in the source
  uint32_t packet_bytes, packet_align;  ///< pipes: as the kernel's instructions say; 0: unknown
  bool has_binding;                     ///< a shader's resource: it has the two that follow
  uint32_t descriptor_set, binding;
  const char* place;  ///< kernels that clspv compiled: "storage buffer 0.2, offset 4"; else empty
  bool is_unused;     ///< the module says nothing of it, and any argument fits
} transpire_parameter;

typedef struct transpire_kernel {
  const char* name;
  const transpire_parameter* const* parameters;
  size_t parameter_count;
  bool has_required_local_size;
  uint64_t required_local_size[3];  ///< a launch's local size must be this one
  bool has_local_size_hint;
  uint64_t local_size_hint[3];
  const char* const* execution_modes;  ///< spelled, all of them
  size_t execution_mode_count;
  uint32_t subgroup_size;            ///< the size that the kernel requires; 0: any
  uint32_t subgroups_per_workgroup;  ///< the number that the kernel requires; 0: any
  bool is_initializer;               ///< the VM runs it before the module's other kernels
  bool is_finalizer;                 ///< the VM runs it in transpire_launch_finish
} transpire_kernel;

typedef struct transpire_spec_constant {
  uint32_t spec_id;
  const char* name;
  const transpire_type* type;
  uint64_t default_bits;
} transpire_spec_constant;

typedef struct transpire_module_info {
  const char* name;
  const char* spirv_version;  ///< "1.2"
  const char* generator;      ///< number and tool name where known
  uint32_t pointer_bits;
  const char* source_language;  ///< "OpenCL C 2.0" when the module says so
  const char* const* capabilities;
  size_t capability_count;
  const char* const* extensions;
  size_t extension_count;
  const transpire_kernel* const* kernels;
  size_t kernel_count;
  const transpire_spec_constant* const* spec_constants;
  size_t spec_constant_count;
} transpire_module_info;

/// Makes a module from SPIR-V words in either byte order, or from assembly text; the content decides. `options` may be null.
TRANSPIRE_API transpire_status transpire_module_load(const void* bytes, size_t size_bytes,
                                                     const transpire_load_options* options,
                                                     transpire_module** module,
                                                     transpire_error** error);
/// Makes a module from a file: `.spv`, `.spvasm` or `.cl` (docs/compilers.md); "-" is standard input. `options` may be null.
TRANSPIRE_API transpire_status transpire_module_load_file(const char* path,
                                                          const transpire_load_options* options,
                                                          transpire_module** module,
                                                          transpire_error** error);
/// Makes one module by linking several by their LinkageAttributes. `options` may be null.
TRANSPIRE_API transpire_status transpire_module_link(const transpire_module* const* modules,
                                                     size_t module_count,
                                                     const transpire_load_options* options,
                                                     transpire_module** module,
                                                     transpire_error** error);
TRANSPIRE_API void transpire_module_release(transpire_module* module);

/// Gives clang's warnings, each with its line, for a module compiled from OpenCL C. The module owns the array; null: none.
TRANSPIRE_API transpire_status transpire_module_get_compiler_warnings(
    const transpire_module* module, const transpire_diagnostic* const** warnings, size_t* count,
    transpire_error** error);

TRANSPIRE_API transpire_status transpire_module_get_info(const transpire_module* module,
                                                         const transpire_module_info** info,
                                                         transpire_error** error);
/// Gives the kernel of that name. Refused if the module has none; the error lists the names of its kernels.
TRANSPIRE_API transpire_status transpire_module_find_kernel(const transpire_module* module,
                                                            const char* name,
                                                            const transpire_kernel** kernel,
                                                            transpire_error** error);
/// Refused if the kernel uses something that the VM does not support, with a diagnostic for each such use.
TRANSPIRE_API transpire_status transpire_module_check_kernel(const transpire_module* module,
                                                             const char* name,
                                                             transpire_error** error);
/// Validates the module for an environment: "opencl1.2" .. "opencl3.0", optionally with "embedded"; null: "opencl2.2".
/// Accepts deviations that real producers emit. Refused if Transpire's validator or SPIRV-Tools' validator finds an error.
TRANSPIRE_API transpire_status transpire_module_validate(const transpire_module* module,
                                                         const char* environment,
                                                         transpire_error** error);

enum {
  TRANSPIRE_FIELD = 1,  ///< accepts deviations that real producers emit
  TRANSPIRE_STRICT = 2  ///< follows the letter of the specifications
};

/// Validates SPIR-V words in either byte order, or assembly text, which the VM need not be able to load. Refused if the
/// module is not valid, with up to 1,000 diagnostics. `environment` is as in transpire_module_validate, `strictness` is
/// TRANSPIRE_FIELD or TRANSPIRE_STRICT. `device` is JSON (docs/validator.md); null: the most capable device without
/// extensions. Calls SPIRV-Tools' validator only for environments of Vulkan and of SPIR-V alone.
TRANSPIRE_API transpire_status transpire_validate(const void* bytes, size_t size_bytes,
                                                  const char* environment, uint32_t strictness,
                                                  const char* device, transpire_error** error);
/// Gives the module as assembly text, one instruction a line, optionally with word offsets as comments.
TRANSPIRE_API transpire_status transpire_module_disassemble(const transpire_module* module,
                                                            bool with_offsets, const char** text,
                                                            transpire_error** error);

// ---- Buffers and shared memory ------------------------------------------------------------------

/// A buffer: bytes that kernels read and write.
typedef struct transpire_buffer transpire_buffer;

/// Makes a buffer of zeros, aligned to 128 bytes. `name` appears in findings; may be null.
TRANSPIRE_API transpire_status transpire_buffer_create(uint64_t size_bytes, const char* name,
                                                       transpire_buffer** buffer,
                                                       transpire_error** error);
/// Makes a buffer of bytes that the caller keeps until the buffer, its slices and the launches that have them are released.
TRANSPIRE_API transpire_status transpire_buffer_wrap(void* bytes, uint64_t size_bytes,
                                                     const char* name, transpire_buffer** buffer,
                                                     transpire_error** error);
/// Makes a buffer of a range of another buffer's bytes, which it keeps alive. A kernel's access outside the range is a
/// finding. Refused (C0003) if the range is not within `whole`.
TRANSPIRE_API transpire_status transpire_buffer_slice(const transpire_buffer* whole,
                                                      uint64_t offset_bytes, uint64_t size_bytes,
                                                      const char* name, transpire_buffer** buffer,
                                                      transpire_error** error);
TRANSPIRE_API void transpire_buffer_release(transpire_buffer* buffer);

/// Gives the buffer's bytes, to write and read while no launch uses the buffer. `size_bytes` may be null.
TRANSPIRE_API transpire_status transpire_buffer_get_bytes(const transpire_buffer* buffer,
                                                          void** bytes, uint64_t* size_bytes,
                                                          transpire_error** error);
/// Makes kernels' stores to the buffer findings. Do not call while a launch uses the buffer.
TRANSPIRE_API transpire_status transpire_buffer_set_read_only(transpire_buffer* buffer,
                                                              bool read_only,
                                                              transpire_error** error);
/// Makes kernels' loads from the buffer findings. Do not call while a launch uses the buffer.
TRANSPIRE_API transpire_status transpire_buffer_set_write_only(transpire_buffer* buffer,
                                                               bool write_only,
                                                               transpire_error** error);

/// Shared virtual memory: it has the same addresses for the host and for kernels. Thread-safe, except for its bytes.
typedef struct transpire_shared_memory transpire_shared_memory;

/// Makes a shared memory: reserves 64 GiB of addresses. The system provides memory when it is first touched.
TRANSPIRE_API transpire_status transpire_shared_memory_create(transpire_shared_memory** memory,
                                                              transpire_error** error);
/// Allocates `size_bytes` (at least 1) zeroed bytes. transpire_shared_memory_free or the release of `memory` frees them.
/// `align_bytes` is a power of two of at most 1 MiB, or 0 for 128. `name` appears in findings; may be null.
TRANSPIRE_API transpire_status transpire_shared_memory_allocate(
    const transpire_shared_memory* memory, uint64_t size_bytes, uint64_t align_bytes,
    const char* name, void** bytes, transpire_error** error);
/// Frees an allocation. Do not call while a launch that may use it runs.
TRANSPIRE_API transpire_status transpire_shared_memory_free(const transpire_shared_memory* memory,
                                                            void* bytes, transpire_error** error);
/// Finds the allocation that contains the byte at `pointer`; null and 0 if there is none.
TRANSPIRE_API transpire_status transpire_shared_memory_find(const transpire_shared_memory* memory,
                                                            const void* pointer, void** bytes,
                                                            uint64_t* size_bytes,
                                                            transpire_error** error);
TRANSPIRE_API void transpire_shared_memory_release(transpire_shared_memory* memory);

// ---- Devices ------------------------------------------------------------------------------------

/// A device: an instruction set, threads, and lowered programs that later launches reuse.
typedef struct transpire_device transpire_device;

typedef struct transpire_device_info {
  const char* isa;
  uint32_t threads;
  uint32_t lanes;  ///< work-items in a batch
} transpire_device_info;

/// Makes a device. `isa` is a name from transpire_get_isas; null or "": the value of the environment variable TRANSPIRE_ISA,
/// else the widest. `threads` is the number of threads; 0: the value of TRANSPIRE_THREADS, else one per core that the
/// calling thread may run on. Refused (C0033) if the machine does not have the instruction set.
TRANSPIRE_API transpire_status transpire_device_create(const char* isa, uint32_t threads,
                                                       transpire_device** device,
                                                       transpire_error** error);
TRANSPIRE_API transpire_status transpire_device_get_info(const transpire_device* device,
                                                         const transpire_device_info** info,
                                                         transpire_error** error);
TRANSPIRE_API void transpire_device_release(transpire_device* device);
/// Gives the names of the instruction sets that this machine has, the best one last. They live as long as the process.
TRANSPIRE_API transpire_status transpire_get_isas(const char* const** names, size_t* count,
                                                  transpire_error** error);

// ---- Launches -----------------------------------------------------------------------------------

/// A kernel with its arguments, sizes and settings. It may be run several times, and changed between runs.
typedef struct transpire_launch transpire_launch;

/// Makes a launch of one work-item without arguments. Refused if the module has no such kernel.
TRANSPIRE_API transpire_status transpire_launch_create(const transpire_module* module,
                                                       const char* kernel,
                                                       transpire_launch** launch,
                                                       transpire_error** error);
TRANSPIRE_API void transpire_launch_release(transpire_launch* launch);

/// Sets the sizes. Each array has `dimensions` (1 to 3) elements. `local_size` null or all 0: the VM chooses it.
/// `global_offset` null: 0. transpire_launch_run refuses sizes that do not fit the kernel.
TRANSPIRE_API transpire_status transpire_launch_set_size(
    transpire_launch* launch, uint32_t dimensions, const uint64_t* global_size,
    const uint64_t* local_size, const uint64_t* global_offset, transpire_error** error);

/// These functions set the argument of parameter `index`, from 0. transpire_launch_run refuses a wrong kind or size.
TRANSPIRE_API transpire_status transpire_launch_set_buffer(transpire_launch* launch, size_t index,
                                                           const transpire_buffer* buffer,
                                                           uint64_t offset_bytes,
                                                           transpire_error** error);
/// Sets a scalar, vector or struct, given as its bytes in memory.
TRANSPIRE_API transpire_status transpire_launch_set_value(transpire_launch* launch, size_t index,
                                                          const void* bytes, size_t size_bytes,
                                                          transpire_error** error);
TRANSPIRE_API transpire_status transpire_launch_set_local(transpire_launch* launch, size_t index,
                                                          uint64_t size_bytes,
                                                          transpire_error** error);
TRANSPIRE_API transpire_status transpire_launch_set_null(transpire_launch* launch, size_t index,
                                                         transpire_error** error);
/// Sets a pointer into the launch's shared memory, or any other. An access through an invalid pointer is a finding.
TRANSPIRE_API transpire_status transpire_launch_set_pointer(transpire_launch* launch, size_t index,
                                                            const void* pointer,
                                                            transpire_error** error);
/// Sets the shared memory that the kernel may access; null: none. Only for modules with 64-bit pointers.
TRANSPIRE_API transpire_status transpire_launch_set_shared_memory(
    transpire_launch* launch, const transpire_shared_memory* memory, transpire_error** error);

/// Limits of launches, TRANSPIRE_LIMIT_STEPS = 0 and so on. The rows of launch_limits.def document each constant, and give
/// its number and the limit's initial value.
typedef enum transpire_limit {
#define TRANSPIRE_LIMIT(type, member, initial, constant, number, ...) constant = number,
#define TRANSPIRE_RUN_LIMIT(...)
#include "transpire/launch_limits.def"
#undef TRANSPIRE_LIMIT
} transpire_limit;

/// Sets a limit; `limit` is a transpire_limit.
TRANSPIRE_API transpire_status transpire_launch_set_limit(transpire_launch* launch, uint32_t limit,
                                                          uint64_t value, transpire_error** error);

enum {
  TRANSPIRE_CHECK_UB = 1,      ///< reports undefined results of division and shifts
  TRANSPIRE_CHECK_BOUNDS = 2,  ///< reports indexes outside their array's type
  TRANSPIRE_REFERENCE = 4,     ///< lowers without optimisations; tests compare other paths with it
  TRANSPIRE_CHECK_SYNC = 8,  ///< reports wrong asynchronous copies, operands of group instructions
  TRANSPIRE_MATH_REFERENCE = 16,     ///< rounds math correctly; refused (C0034) without GNU MPFR
  TRANSPIRE_LENIENT = 32,            ///< also runs launches that a device would refuse: see C0005
  TRANSPIRE_CHECK_RACE = 64,         ///< reports data races
  TRANSPIRE_CHECK_SAME_VALUE = 128,  ///< as CHECK_RACE, and unordered stores of the same value
  TRANSPIRE_CHECK_UNINIT = 256,      ///< reports values never written that affect a result
  TRANSPIRE_CHECK_ALL = 1 << 30      ///< every check that the library has, without SAME_VALUE
};

/// Sets the checks and modes; `checks` is the sum of their constants. The default is 0. Memory accesses are always checked.
TRANSPIRE_API transpire_status transpire_launch_set_checks(transpire_launch* launch,
                                                           uint32_t checks,
                                                           transpire_error** error);

/// Sets the work-items of a full sub-group: 8, 16, 32 or 64; default 0: 32. The size that a kernel requires comes first.
TRANSPIRE_API transpire_status transpire_launch_set_subgroup_size(transpire_launch* launch,
                                                                  uint32_t work_items,
                                                                  transpire_error** error);

enum { TRANSPIRE_ROUND_TO_NEAREST_EVEN = 0, TRANSPIRE_ROUND_TOWARDS_ZERO = 1 };

/// Sets rounding and denormals of half and float, where neither the kernel nor the instruction chooses. `rounding` is a
/// TRANSPIRE_ROUND_ constant; any other value is an error (TSP-C0040). `flush_denorms` not 0 treats denormals as zeros.
TRANSPIRE_API transpire_status transpire_launch_set_float_controls(transpire_launch* launch,
                                                                   uint32_t rounding,
                                                                   int flush_denorms,
                                                                   transpire_error** error);

/// Sets the OpenCL version whose rules apply to scopes and memory semantics that the kernel computes: 12, 20, 21, 22 or 30
/// (the default). Any other value is an error (TSP-C0040).
TRANSPIRE_API transpire_status transpire_launch_set_opencl_version(transpire_launch* launch,
                                                                   uint32_t version,
                                                                   transpire_error** error);

/// A progress function. The thread that called transpire_launch_run calls it every millisecond or so with the numbers of
/// finished and of all work-groups. Returning false cancels the launch. It must not throw or jump out.
typedef bool (*transpire_progress)(uint64_t done, uint64_t total, void* user);

/// Sets the progress function; null: none. Each call gets `user`.
TRANSPIRE_API transpire_status transpire_launch_set_progress(transpire_launch* launch,
                                                             transpire_progress progress,
                                                             void* user, transpire_error** error);

// ---- Results ------------------------------------------------------------------------------------

typedef struct transpire_result transpire_result;

typedef enum transpire_end {
  TRANSPIRE_END_COMPLETED = 0,
  TRANSPIRE_END_TOO_MANY_FINDINGS = 1,
  TRANSPIRE_END_STEP_LIMIT = 2,
  TRANSPIRE_END_TIME_LIMIT = 3,
  TRANSPIRE_END_CANCELLED = 4,
  TRANSPIRE_END_NO_PROGRESS = 5  ///< work-items wait for something that none of them will do
} transpire_end;

/// A mistake of the kernel that a launch found. One finding stands for all with the same rule, instruction and allocation.
/// The ids are those of its first work-item, in order of work-group, barriers passed and work-item.
typedef struct transpire_finding {
  const transpire_diagnostic* diagnostic;
  uint64_t count;  ///< work-items that made the mistake before the launch ended
  uint64_t global_id[3];
  uint64_t group_id[3];
  uint64_t local_id[3];
  const char* allocation;  ///< name of the buffer or variable
  bool has_offset;         ///< true if `offset_bytes` is known
  int64_t offset_bytes;    ///< offset in the allocation; negative before its start
  uint64_t access_bytes;
  /// An earlier finding that caused this one: its wrong result or missing store led to the wrong operands. Null: none known.
  const struct transpire_finding* follows_from;
  uint64_t consequences;  ///< number of findings that this one caused, directly or indirectly
} transpire_finding;

typedef struct transpire_result_info {
  transpire_end end;
  /// Causes before effects: in order of work-group, barriers passed and work-item; findings of limits come last.
  const transpire_finding* const* findings;
  size_t finding_count;
  const char* printf_output;  ///< in work-group order; may contain zero bytes, and ends with one
  size_t printf_bytes;        ///< without the last zero byte
  uint64_t local_size[3];     ///< the work-group size used
  uint64_t work_items;
  uint64_t instructions;  ///< lowered instructions times active work-items
  double wall_seconds;    ///< duration of execution, without lowering
  double lower_seconds;
} transpire_result_info;

/// Runs the launch to its end and makes its result. Refused if arguments or sizes do not fit, or the kernel is not
/// supported. Mistakes of the kernel are no failure: the result has a finding for each.
TRANSPIRE_API transpire_status transpire_launch_run(const transpire_launch* launch,
                                                    const transpire_device* device,
                                                    transpire_result** result,
                                                    transpire_error** error);
/// Ends the use of the launch's module on the device, and makes a result. Runs the module's finalizers if one of its kernels
/// ran there, then discards its program-scope variables. Do not call while a launch of the module runs.
TRANSPIRE_API transpire_status transpire_launch_finish(const transpire_launch* launch,
                                                       const transpire_device* device,
                                                       transpire_result** result,
                                                       transpire_error** error);
TRANSPIRE_API transpire_status transpire_result_get_info(const transpire_result* result,
                                                         const transpire_result_info** info,
                                                         transpire_error** error);
TRANSPIRE_API void transpire_result_release(transpire_result* result);

// ---- Legal results of other implementations -----------------------------------------------------

/// Records the operation that made each number that launches store into buffers and program-scope variables. The error
/// bound of that operation, applied to its operands as Transpire computed them, gives the legal results of other
/// implementations. Thread-safe; several launches may share a log. A log takes some 80 bytes for each stored number.
typedef struct transpire_result_log transpire_result_log;

TRANSPIRE_API transpire_status transpire_result_log_create(transpire_result_log** log,
                                                           transpire_error** error);
TRANSPIRE_API void transpire_result_log_release(transpire_result_log* log);
/// Empties the log. Call it before the memory of a buffer is reused for another buffer.
TRANSPIRE_API transpire_status transpire_result_log_clear(transpire_result_log* log,
                                                          transpire_error** error);
/// Sets the log of the launch's stores; null (the default): none. Bounds are narrowest with TRANSPIRE_MATH_REFERENCE.
TRANSPIRE_API transpire_status transpire_launch_set_result_log(transpire_launch* launch,
                                                               const transpire_result_log* log,
                                                               transpire_error** error);

enum { TRANSPIRE_HALF = 0, TRANSPIRE_FLOAT = 1, TRANSPIRE_DOUBLE = 2 };

/// Profiles of OpenCL, which differ in the error bounds of functions.
enum { TRANSPIRE_PROFILE_FULL = 0, TRANSPIRE_PROFILE_EMBEDDED = 1 };

/// Legal results of other implementations. The caller sets struct_size to sizeof(transpire_legal_range).
typedef struct transpire_legal_range {
  size_t struct_size;
  /// Every result is legal, and `low` and `high` mean nothing. OpenCL bounds no results of native_ and geometric functions,
  /// lgamma and OpDot, nor of mix and mad in the embedded profile.
  bool is_open;
  bool may_flush;    ///< zeros of both signs are legal, too: a subnormal may be flushed
  double value;      ///< Transpire's result
  double low, high;  ///< legal results, both included; both are `value` if no other is legal
  double ulp;        ///< the error bound behind `low` and `high`, against the exact result
  /// The operation that made the number, "sin", or several with commas. Empty: it counts as an input. Belongs to the log.
  const char* operation;
} transpire_legal_range;

/// Gives the legal results for the number at `offset_bytes` in the buffer. `float_type` is its type, TRANSPIRE_HALF to
/// TRANSPIRE_DOUBLE. An error (TSP-C0040) if the number is not within the buffer.
TRANSPIRE_API transpire_status transpire_result_log_get_range(
    const transpire_result_log* log, const transpire_buffer* buffer, uint64_t offset_bytes,
    uint32_t float_type, uint32_t profile, transpire_legal_range* range, transpire_error** error);
/// True if another implementation may give the number `other`. All NaNs are equal. False for null.
TRANSPIRE_API bool transpire_legal_range_allows(const transpire_legal_range* range, double other);
#ifdef __cplusplus
}
#endif
#include "transpire/enqueue.h"
#include "transpire/image.h"
#include "transpire/pipe.h"
#include "transpire/robust.h"
#include "transpire/schedule.h"
#include "transpire/uninit.h"
#include "transpire/watch.h"
#endif
