// Transpire's C interface (C11, and C++): load a SPIR-V kernel module, inspect it, run its kernels, read findings.
//
//   transpire_error* error = NULL;
//   transpire_module* module = NULL;
//   if (transpire_module_load_file("saxpy.spv", NULL, &module, &error) != TRANSPIRE_OK) {
//     fputs(transpire_error_text(error), stderr);
//     transpire_error_release(error);
//   }
//
// Functions give a status. The last parameter, `error`, may be null; otherwise it is set to null,
// or, when the status is not TRANSPIRE_OK, to an object that says why and that the caller releases.
// Then no other result is written, but that of an object to be made is set to null. Null where a pointer
// is wanted, an index that is too large, and the like give TRANSPIRE_INVALID_ARGUMENT and a message.
//
// Objects are made by functions that say so, and released by the function `transpire_..._release`
// of their kind, which takes null as well. An object keeps alive what it was made from: a module
// may be released when a launch was made. Whatever is handed out as `const char*`, or as a pointer
// to a const struct, belongs to the object it was asked of and lasts as long. Strings are UTF-8 (names as they were
// handed in), end with a zero byte and are never null; what is unknown is empty. Those that are handed in are copied, and
// arrays, but for the bytes of transpire_buffer_wrap.
//
// Modules, devices, results and errors may be used from several threads at once, as may a launch that no thread is
// setting up. Different objects are independent. A buffer's bytes are the caller's to guard. Structs that the library
// hands out may grow at the end in later versions: do not copy them or take their size. Depends on nothing else of
// Transpire; no C++ exception leaves it.
#ifndef TRANSPIRE_TRANSPIRE_H
#define TRANSPIRE_TRANSPIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
  TRANSPIRE_OUT_OF_MEMORY = 2,     ///< memory, or a limit that was set on it (L0004)
  TRANSPIRE_REFUSED = 3,           ///< the module, file or launch is wrong or not supported
  TRANSPIRE_UNEXPECTED = 4         ///< the system failed, e.g. to start a thread
} transpire_status;

typedef enum transpire_severity {
  TRANSPIRE_NOTE = 0,
  TRANSPIRE_WARNING = 1,
  TRANSPIRE_ERROR = 2
} transpire_severity;

/// A function that was being executed.
typedef struct transpire_frame {
  const char* function;  ///< its name, or "%12"
  const char*
      source_file;  ///< of what it was executing: the instruction, or the call that led further in
  uint32_t source_line;    ///< 1-based; 0 when unknown
  uint32_t source_column;  ///< 1-based; 0 when unknown
  bool has_word_offset;  ///< whether the next one is known; not of a call that a compiler expanded
  uint64_t word_offset;  ///< in 32-bit words from the start of the module
} transpire_frame;

/// One error, warning or note.
typedef struct transpire_diagnostic {
  const char* rule;  ///< stable id, e.g. "TSP-D0003"
  transpire_severity severity;
  const char* message;      ///< one line, lower case, without a final period
  const char* input;        ///< the module's name
  bool has_word_offset;     ///< whether the next one is known
  uint64_t word_offset;     ///< in 32-bit words from the start of the module
  const char* instruction;  ///< e.g. "OpStore"
  const char* source_file;  ///< from debug information, or of a text input
  uint32_t source_line;     ///< 1-based; 0 when unknown
  uint32_t source_column;   ///< 1-based; 0 when unknown
  const char* const* notes;
  size_t note_count;
  const char* help;     ///< a hint
  const char* clause;   ///< title and heading of the specification
  const char* text;     ///< all of it as people read it: several lines, each ended
  const char* excerpt;  ///< the line in question, and below it a line with a caret
  /// The instruction as assembly, where the source that it was compiled from is what is shown first.
  const char* assembly;
  /// Of what a launch found: the functions that were being executed, the innermost first, the kernel last.
  const transpire_frame* frames;
  size_t frame_count;
} transpire_diagnostic;

/// Why a function failed. Immutable: may be read by any thread.
typedef struct transpire_error transpire_error;

/// The status that came with it; TRANSPIRE_OK of null.
TRANSPIRE_API transpire_status transpire_error_status(const transpire_error* error);
/// All diagnostics as people read them; "" of null.
TRANSPIRE_API const char* transpire_error_text(const transpire_error* error);
/// At least one, the first of which is the root cause; none of TRANSPIRE_UNEXPECTED, or where even
/// memory for the error was missing, which have only a text. 0 of null.
TRANSPIRE_API size_t transpire_error_count(const transpire_error* error);
/// Null when `index` is not below the count.
TRANSPIRE_API const transpire_diagnostic* transpire_error_at(const transpire_error* error,
                                                             size_t index);
TRANSPIRE_API void transpire_error_release(transpire_error* error);

/// What `transpire explain` prints of a rule.
typedef struct transpire_rule {
  const char* id;
  const char* title;
  const char* explanation;  ///< paragraphs
  const char* clause;       ///< where a specification says so
  transpire_severity severity;
} transpire_rule;

/// The rule of an id such as "TSP-D0003"; static. Invalid argument when there is none.
TRANSPIRE_API transpire_status transpire_find_rule(const char* id, const transpire_rule** rule,
                                                   transpire_error** error);

// ---- Modules ------------------------------------------------------------------------------------

typedef struct transpire_module transpire_module;

typedef struct transpire_specialisation {
  uint32_t spec_id;
  uint64_t bits;  ///< of the constant's type, from the lowest bit on
} transpire_specialisation;

/// A text that a module was compiled from, where it is no file. Copied.
typedef struct transpire_source_text {
  const char* name;  ///< as the module's debug information names it
  const char* text;
} transpire_source_text;

/// Set struct_size to sizeof(transpire_load_options), and to zero what is to be as it is by default.
typedef struct transpire_load_options {
  size_t struct_size;
  const char* name;  ///< how diagnostics call the input; null: the path, or "<module>"
  const transpire_specialisation* specialisations;
  size_t specialisation_count;
  const char* const* build_options;  ///< for OpenCL C: handed to clang
  size_t build_option_count;
  /// For OpenCL C: without clang's optimiser, which deletes undefined code before it is found; but for an -O option.
  bool unoptimised_source;
  /// Reading, compiling and decoding end with TSP-L0002 when they take longer; 0: no limit. Programs
  /// of versions before this member may go without it: struct_size says so.
  uint64_t timeout_milliseconds;
  uint64_t max_file_bytes;               ///< of a file, else TSP-L0004; 0: 4 GiB. As above
  const transpire_source_text* sources;  ///< whose lines findings show. As above
  size_t source_count;
} transpire_load_options;

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

/// The shape of a type, enough to fill and print buffers.
typedef struct transpire_type {
  transpire_type_kind kind;
  const char* spelling;  ///< OpenCL C words: "float4", "global float*", "struct Particle"
  uint32_t width_bits;   ///< int, float
  uint64_t count;        ///< of a vector or array
  uint64_t size_bytes;
  uint64_t align_bytes;
  const char* address_space;  ///< of a pointer: "global", "constant", "local", "private", "generic"
  /// The element of a vector, array or pointer (one; none if opaque or recursive); a struct's members.
  const struct transpire_type* const* elements;
  size_t element_count;
  const char* const* member_names;  ///< of a struct: element_count of them, or null when unknown
  const uint64_t* member_offsets;   ///< of a struct: element_count of them, in bytes; else null
} transpire_type;

/// What a parameter wants to be set to.
typedef enum transpire_argument_kind {
  TRANSPIRE_ARGUMENT_VALUE = 0,    ///< transpire_launch_set_value, of value_bytes
  TRANSPIRE_ARGUMENT_BUFFER = 1,   ///< transpire_launch_set_buffer, _set_null or _set_pointer
  TRANSPIRE_ARGUMENT_LOCAL = 2,    ///< transpire_launch_set_local
  TRANSPIRE_ARGUMENT_IMAGE = 3,    ///< transpire_launch_set_image
  TRANSPIRE_ARGUMENT_SAMPLER = 4,  ///< transpire_launch_set_sampler
  TRANSPIRE_ARGUMENT_PIPE = 5,     ///< transpire_launch_set_pipe
  TRANSPIRE_ARGUMENT_QUEUE = 6     ///< transpire_launch_set_queue, _set_added_queue or _set_null
} transpire_argument_kind;

typedef struct transpire_parameter {
  const char* name;  ///< "arg<index>" when the module does not say
  const transpire_type* type;
  transpire_argument_kind argument;
  uint64_t value_bytes;  ///< of TRANSPIRE_ARGUMENT_VALUE, else 0
  bool by_value_struct;  ///< a struct passed by value: `type` is a private pointer to it
  bool no_write;         ///< const in the source
  uint32_t packet_bytes, packet_align;  ///< of a pipe, as the kernel says; 0: it does not
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
  uint32_t subgroup_size;            ///< that it asks for; 0: any
  uint32_t subgroups_per_workgroup;  ///< a work-group must have so many; 0: any number
  bool is_initializer;               ///< runs before its module's other kernels, by itself
  bool is_finalizer;                 ///< runs when its module is not used any more, by itself
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

/// Makes a module from SPIR-V words in either byte order, or SPIR-V assembly text (decided by content). `options` may be null.
TRANSPIRE_API transpire_status transpire_module_load(const void* bytes, size_t size_bytes,
                                                     const transpire_load_options* options,
                                                     transpire_module** module,
                                                     transpire_error** error);
/// The same from a file: `.spv`, `.spvasm`, or `.cl` (through clang and llvm-spirv, docs/compilers.md); "-" is standard input.
TRANSPIRE_API transpire_status transpire_module_load_file(const char* path,
                                                          const transpire_load_options* options,
                                                          transpire_module** module,
                                                          transpire_error** error);
/// Makes one module from several by their LinkageAttributes. `options` may be null.
TRANSPIRE_API transpire_status transpire_module_link(const transpire_module* const* modules,
                                                     size_t module_count,
                                                     const transpire_load_options* options,
                                                     transpire_module** module,
                                                     transpire_error** error);
TRANSPIRE_API void transpire_module_release(transpire_module* module);

/// What clang warned of, each with its line, where the module was compiled from files of OpenCL C. The array lives as
/// long as the module; null when there are none.
TRANSPIRE_API transpire_status transpire_module_get_compiler_warnings(
    const transpire_module* module, const transpire_diagnostic* const** warnings, size_t* count,
    transpire_error** error);

TRANSPIRE_API transpire_status transpire_module_get_info(const transpire_module* module,
                                                         const transpire_module_info** info,
                                                         transpire_error** error);
/// Refused, with the names there are, when the module has no such kernel.
TRANSPIRE_API transpire_status transpire_module_find_kernel(const transpire_module* module,
                                                            const char* name,
                                                            const transpire_kernel** kernel,
                                                            transpire_error** error);
/// Refused when a launch of the kernel would be, with everything in it that is not supported.
TRANSPIRE_API transpire_status transpire_module_check_kernel(const transpire_module* module,
                                                             const char* name,
                                                             transpire_error** error);
/// Validates for an environment: "opencl1.2" .. "opencl3.0", perhaps with "embedded"; null: "opencl2.2". What real producers
/// emit is accepted. Refused when something is found, be it by SPIRV-Tools' validator alone.
TRANSPIRE_API transpire_status transpire_module_validate(const transpire_module* module,
                                                         const char* environment,
                                                         transpire_error** error);

enum {
  TRANSPIRE_FIELD = 1,  ///< what real producers emit is accepted
  TRANSPIRE_STRICT = 2  ///< the letter of the specifications
};

/// Validates SPIR-V words in either byte order, or assembly text, that need not be what can be loaded.
/// Refused when the module is not valid, with a diagnostic for each mistake, up to 1000 of them.
/// `environment` as above, `strictness` one of those; `device` is JSON as docs/validator.md says, null: the most
/// capable device without extensions. What SPIRV-Tools' validator alone finds is nothing here.
TRANSPIRE_API transpire_status transpire_validate(const void* bytes, size_t size_bytes,
                                                  const char* environment, uint32_t strictness,
                                                  const char* device, transpire_error** error);
/// Assembly text, one instruction a line; with word offsets as comments when asked for.
TRANSPIRE_API transpire_status transpire_module_disassemble(const transpire_module* module,
                                                            bool with_offsets, const char** text,
                                                            transpire_error** error);

// ---- Buffers and shared memory ------------------------------------------------------------------

/// Bytes that kernels read and write.
typedef struct transpire_buffer transpire_buffer;

/// Makes a buffer of zeros, aligned to 128 bytes. `name` appears in findings; may be null.
TRANSPIRE_API transpire_status transpire_buffer_create(uint64_t size_bytes, const char* name,
                                                       transpire_buffer** buffer,
                                                       transpire_error** error);
/// Makes a buffer of bytes that stay the caller's, who keeps them as long as the buffer, a slice of
/// it or a launch it was set to is there.
TRANSPIRE_API transpire_status transpire_buffer_wrap(void* bytes, uint64_t size_bytes,
                                                     const char* name, transpire_buffer** buffer,
                                                     transpire_error** error);
/// Makes a buffer of some of another one's bytes, which it keeps alive: an access outside of them
/// is a finding. Refused (C0003) when they are not within `whole`.
TRANSPIRE_API transpire_status transpire_buffer_slice(const transpire_buffer* whole,
                                                      uint64_t offset_bytes, uint64_t size_bytes,
                                                      const char* name, transpire_buffer** buffer,
                                                      transpire_error** error);
TRANSPIRE_API void transpire_buffer_release(transpire_buffer* buffer);

/// The bytes themselves, to fill and to read between launches. `size_bytes` may be null.
TRANSPIRE_API transpire_status transpire_buffer_get_bytes(const transpire_buffer* buffer,
                                                          void** bytes, uint64_t* size_bytes,
                                                          transpire_error** error);
/// A kernel's store becomes a finding. Not while a launch uses the buffer.
TRANSPIRE_API transpire_status transpire_buffer_set_read_only(transpire_buffer* buffer,
                                                              bool read_only,
                                                              transpire_error** error);
/// A kernel's load becomes a finding. Not while a launch uses the buffer.
TRANSPIRE_API transpire_status transpire_buffer_set_write_only(transpire_buffer* buffer,
                                                               bool write_only,
                                                               transpire_error** error);

/// Memory that has the same addresses for host and kernels (shared virtual memory). May be used
/// from several threads at once.
typedef struct transpire_shared_memory transpire_shared_memory;

/// Reserves 64 GiB of addresses; memory is used as it is touched.
TRANSPIRE_API transpire_status transpire_shared_memory_create(transpire_shared_memory** memory,
                                                              transpire_error** error);
/// Zeroed bytes, which transpire_shared_memory_free or the memory's release give back; at least
/// one. `align_bytes` is a power of two of at most 1 MiB, or 0 for 128. `name` appears in findings; may be null.
TRANSPIRE_API transpire_status transpire_shared_memory_allocate(
    const transpire_shared_memory* memory, uint64_t size_bytes, uint64_t align_bytes,
    const char* name, void** bytes, transpire_error** error);
/// Gives back what `allocate` gave. Not while a launch runs that may use it.
TRANSPIRE_API transpire_status transpire_shared_memory_free(const transpire_shared_memory* memory,
                                                            void* bytes, transpire_error** error);
/// The whole allocation that holds the byte at `pointer`; null and 0 when there is none.
TRANSPIRE_API transpire_status transpire_shared_memory_find(const transpire_shared_memory* memory,
                                                            const void* pointer, void** bytes,
                                                            uint64_t* size_bytes,
                                                            transpire_error** error);
TRANSPIRE_API void transpire_shared_memory_release(transpire_shared_memory* memory);

// ---- Devices ------------------------------------------------------------------------------------

/// An instruction set and threads, and what launches leave for the next ones to reuse.
typedef struct transpire_device transpire_device;

typedef struct transpire_device_info {
  const char* isa;
  uint32_t threads;
  uint32_t lanes;  ///< work-items in a batch
} transpire_device_info;

/// Makes a device. `isa` is one of transpire_get_isas; null or "": as TRANSPIRE_ISA says, else the widest. `threads` 0: as
/// TRANSPIRE_THREADS says, else one for every core that the calling thread may run on.
TRANSPIRE_API transpire_status transpire_device_create(const char* isa, uint32_t threads,
                                                       transpire_device** device,
                                                       transpire_error** error);
TRANSPIRE_API transpire_status transpire_device_get_info(const transpire_device* device,
                                                         const transpire_device_info** info,
                                                         transpire_error** error);
TRANSPIRE_API void transpire_device_release(transpire_device* device);
/// The instruction sets that this machine can run, best last. Static.
TRANSPIRE_API transpire_status transpire_get_isas(const char* const** names, size_t* count,
                                                  transpire_error** error);

// ---- Launches -----------------------------------------------------------------------------------

/// A kernel with its arguments and sizes. Can be run again and again, and changed in between.
typedef struct transpire_launch transpire_launch;

/// Makes a launch of one work-item without arguments. Refused when there is no such kernel.
TRANSPIRE_API transpire_status transpire_launch_create(const transpire_module* module,
                                                       const char* kernel,
                                                       transpire_launch** launch,
                                                       transpire_error** error);
TRANSPIRE_API void transpire_launch_release(transpire_launch* launch);

/// `dimensions` (1 to 3) says how many elements the arrays have. `local_size` null or all 0: chosen; `global_offset` null: 0.
/// What does not fit the kernel is refused when the launch is run.
TRANSPIRE_API transpire_status transpire_launch_set_size(
    transpire_launch* launch, uint32_t dimensions, const uint64_t* global_size,
    const uint64_t* local_size, const uint64_t* global_offset, transpire_error** error);

/// Arguments: `index` is the parameter's, from 0. Whether kind and size fit the parameter is looked at when the launch is run.
TRANSPIRE_API transpire_status transpire_launch_set_buffer(transpire_launch* launch, size_t index,
                                                           const transpire_buffer* buffer,
                                                           uint64_t offset_bytes,
                                                           transpire_error** error);
/// A scalar, vector or struct as laid out in memory.
TRANSPIRE_API transpire_status transpire_launch_set_value(transpire_launch* launch, size_t index,
                                                          const void* bytes, size_t size_bytes,
                                                          transpire_error** error);
TRANSPIRE_API transpire_status transpire_launch_set_local(transpire_launch* launch, size_t index,
                                                          uint64_t size_bytes,
                                                          transpire_error** error);
TRANSPIRE_API transpire_status transpire_launch_set_null(transpire_launch* launch, size_t index,
                                                         transpire_error** error);
/// A pointer into the launch's shared memory, or any other: what it may not point to, only an access finds.
TRANSPIRE_API transpire_status transpire_launch_set_pointer(transpire_launch* launch, size_t index,
                                                            const void* pointer,
                                                            transpire_error** error);
/// What the kernel can reach besides its arguments; null: nothing. For modules with 64-bit pointers.
TRANSPIRE_API transpire_status transpire_launch_set_shared_memory(
    transpire_launch* launch, const transpire_shared_memory* memory, transpire_error** error);

typedef enum transpire_limit {
  TRANSPIRE_LIMIT_STEPS = 0,         ///< instructions of one work-item; 0 (as it is): unlimited
  TRANSPIRE_LIMIT_MILLISECONDS = 1,  ///< of the whole launch; 0 (as it is): unlimited
  TRANSPIRE_LIMIT_FINDINGS = 2,      ///< distinct ones; 0: unlimited. 100
  TRANSPIRE_LIMIT_MEMORY_BYTES = 3,  ///< of buffers, local and private memory. 16 GiB
  TRANSPIRE_LIMIT_PRINTF_BYTES = 4,  ///< of text, and 32 bytes a call. 64 MiB
  TRANSPIRE_LIMIT_CHILDREN = 5,      ///< kernels and markers that it enqueues; 0: none. 100,000
  TRANSPIRE_LIMIT_CHECK_BYTES = 6    ///< of what a check notes (TRANSPIRE_CHECK_RACE). 1 GiB
} transpire_limit;

/// `limit` is a transpire_limit.
TRANSPIRE_API transpire_status transpire_launch_set_limit(transpire_launch* launch, uint32_t limit,
                                                          uint64_t value, transpire_error** error);

enum {
  TRANSPIRE_CHECK_UB = 1,      ///< findings for undefined results of division and shifts
  TRANSPIRE_CHECK_BOUNDS = 2,  ///< findings for indexes outside their array's type
  TRANSPIRE_REFERENCE = 4,   ///< no lowering optimisations: the path that others are tested against
  TRANSPIRE_CHECK_SYNC = 8,  ///< findings for asynchronous copies, operands of group instructions
  TRANSPIRE_MATH_REFERENCE = 16,  ///< correctly rounded; without GNU MPFR launches fail with C0034
  TRANSPIRE_LENIENT = 32,         ///< also runs what a device would refuse: see C0005
  TRANSPIRE_CHECK_RACE = 64,      ///< findings for accesses to the same memory that nothing orders
  TRANSPIRE_CHECK_SAME_VALUE = 128,  ///< the same, and where two work-items store the same value
  TRANSPIRE_CHECK_UNINIT = 256,      ///< findings for values that nothing wrote, where they matter
  TRANSPIRE_CHECK_ALL = 1 << 30      ///< every check that the library has, without SAME_VALUE
};

/// `checks` are the sum of those that are on; none are by default. Accesses are checked always.
TRANSPIRE_API transpire_status transpire_launch_set_checks(transpire_launch* launch,
                                                           uint32_t checks,
                                                           transpire_error** error);

/// Work-items of a full sub-group, unless the kernel says: 8, 16, 32 or 64; 0 (as it is): 32.
TRANSPIRE_API transpire_status transpire_launch_set_subgroup_size(transpire_launch* launch,
                                                                  uint32_t work_items,
                                                                  transpire_error** error);

enum { TRANSPIRE_ROUND_TO_NEAREST_EVEN = 0, TRANSPIRE_ROUND_TOWARDS_ZERO = 1 };

/// How half and float are computed where neither the kernel nor the instruction says: what devices of the embedded
/// profile may do. `rounding` is a TRANSPIRE_ROUND_ constant, another is an error (TSP-C0040); with `flush_denorms` not 0, denormals count as zeros.
TRANSPIRE_API transpire_status transpire_launch_set_float_controls(transpire_launch* launch,
                                                                   uint32_t rounding,
                                                                   int flush_denorms,
                                                                   transpire_error** error);

/// The OpenCL version by whose rules scopes and memory semantics that are no constants are judged: 12,
/// 20, 21, 22 or 30 (as it is). Another is an error (TSP-C0040).
TRANSPIRE_API transpire_status transpire_launch_set_opencl_version(transpire_launch* launch,
                                                                   uint32_t version,
                                                                   transpire_error** error);

/// Called now and then with the work-groups done and in all, on the thread that runs the launch;
/// false cancels it. Must not throw or jump out.
typedef bool (*transpire_progress)(uint64_t done, uint64_t total, void* user);

/// `progress` null: none. `user` is handed to it.
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
  TRANSPIRE_END_NO_PROGRESS = 5  ///< its work-items wait for what none of them will do
} transpire_end;

/// Something a launch found wrong. Equal ones (same rule, instruction and allocation) are folded.
typedef struct transpire_finding {
  const transpire_diagnostic* diagnostic;
  uint64_t count;  ///< work-items that did it; of those that ran, where the launch ended early
  uint64_t global_id[3];  ///< of the first one, in order of work-group, barriers passed, work-item
  uint64_t group_id[3];
  uint64_t local_id[3];
  const char* allocation;  ///< name of the buffer or variable
  bool has_offset;         ///< whether the next one is known
  int64_t offset_bytes;    ///< into the allocation; negative before its start
  uint64_t access_bytes;
  /// An earlier one that gave, or did not store, what the wrong operands are made from. Null: none is known
  const struct transpire_finding* follows_from;
  uint64_t consequences;  ///< findings that follow from this one, or from one that does
} transpire_finding;

typedef struct transpire_result_info {
  transpire_end end;
  /// Cause before effect: by work-group, barriers passed, work-item, as it executed them; limits last.
  const transpire_finding* const* findings;
  size_t finding_count;
  const char* printf_output;  ///< in work-group order; may hold zero bytes, and ends with one more
  size_t printf_bytes;        ///< without the last zero byte
  uint64_t local_size[3];     ///< the one used
  uint64_t work_items;
  uint64_t instructions;  ///< lowered instructions times active work-items
  double wall_seconds;    ///< of execution, without lowering
  double lower_seconds;
} transpire_result_info;

/// Runs the launch to its end and makes its result. Failures are refusals: arguments or sizes that
/// do not fit, unsupported instructions. What the kernel does wrong is in the result's findings.
TRANSPIRE_API transpire_status transpire_launch_run(const transpire_launch* launch,
                                                    const transpire_device* device,
                                                    transpire_result** result,
                                                    transpire_error** error);
/// For who is done with the launch's module: runs its finalizers, unless no kernel of it ran on the device,
/// and forgets its program-scope variables. Not while a launch of the module runs.
TRANSPIRE_API transpire_status transpire_launch_finish(const transpire_launch* launch,
                                                       const transpire_device* device,
                                                       transpire_result** result,
                                                       transpire_error** error);
TRANSPIRE_API transpire_status transpire_result_get_info(const transpire_result* result,
                                                         const transpire_result_info** info,
                                                         transpire_error** error);
TRANSPIRE_API void transpire_result_release(transpire_result* result);

// ---- What another implementation may give -------------------------------------------------------

/// Remembers, for every number that launches store into buffers and program-scope variables, which
/// operation made it: its operands taken as they are here, that operation's error bound says which
/// results other implementations may give. May be used from several threads, and by several
/// launches. It takes some 80 bytes for each number stored.
typedef struct transpire_result_log transpire_result_log;

TRANSPIRE_API transpire_status transpire_result_log_create(transpire_result_log** log,
                                                           transpire_error** error);
TRANSPIRE_API void transpire_result_log_release(transpire_result_log* log);
/// Before the memory of a buffer is used for another one.
TRANSPIRE_API transpire_status transpire_result_log_clear(transpire_result_log* log,
                                                          transpire_error** error);
/// What the launch stores is recorded there; null (as it is): nowhere. Bounds are narrowest with
/// TRANSPIRE_MATH_REFERENCE.
TRANSPIRE_API transpire_status transpire_launch_set_result_log(transpire_launch* launch,
                                                               const transpire_result_log* log,
                                                               transpire_error** error);

enum { TRANSPIRE_HALF = 0, TRANSPIRE_FLOAT = 1, TRANSPIRE_DOUBLE = 2 };

/// The profiles of OpenCL: how exact the functions of a device must be.
enum { TRANSPIRE_PROFILE_FULL = 0, TRANSPIRE_PROFILE_EMBEDDED = 1 };

/// The caller's: set struct_size to sizeof(transpire_legal_range).
typedef struct transpire_legal_range {
  size_t struct_size;
  /// Nothing bounds the result: for one, that of native_ and geometric functions, lgamma, OpDot,
  /// mix and mad in the embedded profile. Then `low` and `high` mean nothing.
  bool is_open;
  bool may_flush;    ///< a zero of either sign is legal too, as a subnormal that was flushed
  double value;      ///< what was computed here
  double low, high;  ///< both included; both `value` when nothing else may be given
  double ulp;        ///< the bound behind them, against the exact result
  /// What made the number: "sin", "OpFDiv", or several with commas between; empty: nothing that was
  /// recorded, so the number counts as given. Belongs to the log.
  const char* operation;
} transpire_legal_range;

/// Of the number at `offset_bytes`, as it stands in the buffer, of one of the types TRANSPIRE_HALF
/// to TRANSPIRE_DOUBLE. An error (TSP-C0040) outside of the buffer.
TRANSPIRE_API transpire_status transpire_result_log_get_range(
    const transpire_result_log* log, const transpire_buffer* buffer, uint64_t offset_bytes,
    uint32_t float_type, uint32_t profile, transpire_legal_range* range, transpire_error** error);
/// Whether another implementation may give that number; every NaN is as good as another. False of null.
TRANSPIRE_API bool transpire_legal_range_allows(const transpire_legal_range* range, double other);
#ifdef __cplusplus
}
#endif
#include "transpire/enqueue.h"
#include "transpire/image.h"
#include "transpire/pipe.h"
#include "transpire/schedule.h"
#include "transpire/uninit.h"
#endif
