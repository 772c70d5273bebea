// A program: its source, IL or binaries; the modules that a build made of it for its devices, called
// its images; its log.
//
// All devices run the same SPIR-V module, so there is one image, whichever devices a build names.
// Only a program with a different binary for each device has an image for each.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "opencl/context.h"
#include "opencl/entry_point.h"
#include "opencl/object.h"
#include "transpire/transpire.hpp"

namespace transpire::opencl {

/// A module that devices of a program run, and the messages of its build.
struct Image {
  std::optional<Module> loaded;         ///< from IL or a binary, before any build
  std::vector<std::byte> module_bytes;  ///< SPIR-V: compiled, linked or loaded; content of binaries
  /// module_bytes with all debug information of the compiler, and with names of files that are
  /// unique in the process. Empty: as module_bytes.
  std::vector<std::byte> told_bytes;
  cl_program_binary_type binary_type = CL_PROGRAM_BINARY_TYPE_NONE;
  std::optional<Module> module;  ///< set for executables
  std::string log;
  std::vector<SourceText> sources;  ///< the texts it was compiled from, for quotes in findings
  bool uniform_groups = false;      ///< its kernels' work-groups must all be equally large
  bool is_for_checks = false;       ///< all of it was compiled without clang's optimiser
  bool argument_info = true;        ///< clGetKernelArgInfo answers; a source must ask for that
  /// Kernels that the VM does not run, with the reason as text.
  std::map<std::string, std::string> refusals;
};

}  // namespace transpire::opencl

struct _cl_program final
    : transpire::opencl::Object<_cl_program, transpire::opencl::Kind::kProgram> {
  enum class Origin { kSource, kIl, kBinary, kLinked };

  _cl_program(_cl_context& in, Origin from);
  ~_cl_program();

  const transpire::opencl::Ref<_cl_context> context;
  const Origin origin;
  /// The name in messages: "<source 2>". Programs are counted as the process makes them, so names
  /// are the same in every run.
  const std::string name;
  std::vector<transpire::opencl::Ref<_cl_device_id>> devices;
  std::string source;
  std::vector<std::byte> il;  ///< from clCreateProgramWithIL
  /// By device: its image. Empty if all devices run the first.
  std::vector<std::size_t> image_numbers;
  std::size_t image_number(const _cl_device_id* device) const;  ///< 0 for a device that is not the
                                                                ///< program's

  // Guarded by `mutex`. The images do not change while the program has kernels.
  std::mutex mutex;
  cl_build_status status = CL_BUILD_NONE;
  std::string build_options;
  std::vector<transpire::opencl::Image> images{1};
  std::map<cl_uint, std::uint64_t> spec_constants;  ///< by id: bits for the next build
  unsigned kernels = 0;                             ///< number of attached kernels; with any, the
                                                    ///< program cannot be built again
  std::vector<std::function<void()>> release_callbacks;
};

namespace transpire::opencl {

/// The content of a program binary. The binary of an executable is its plain SPIR-V module, so that
/// other tools can read it. Others begin with a head:
///
///   "TRSPPROG"  u32 binary type  u32 0  SPIR-V words
struct Binary {
  cl_program_binary_type type;
  std::span<const std::byte> module;
};
Binary read_binary(std::span<const std::byte> bytes);
std::vector<std::byte> make_binary(cl_program_binary_type type, std::span<const std::byte> module);

/// In a file name of a module, the position of a source's name: of "<source 1>" in "put.h of
/// <source 1>". npos: none.
std::size_t find_source(std::string_view name);

/// The module of a binary as a program runs it: names of sources include `program`, "<binary 1>".
std::vector<std::byte> named_after(std::span<const std::byte> module, const std::string& program);

/// A copy of the module with new values of specialisation constants.
std::vector<std::byte> specialised(std::span<const std::uint32_t> words,
                                   const std::map<cl_uint, std::uint64_t>& values);

/// Throws CL_INVALID_PROGRAM_EXECUTABLE if no device has an executable. A program made of an
/// executable's binary is built first, because applications take the binary's build for enough. The
/// caller holds the program's mutex.
void require_executable(_cl_program& program);

/// Kernels that clCreateKernel makes: kernels that the VM runs, with the same parameters on all
/// devices that have an executable. The caller holds the program's mutex.
std::vector<std::string> kernel_names(const _cl_program& program);

/// By image: the kernel of that name, or null. Throws CL_INVALID_KERNEL_NAME;
/// CL_INVALID_KERNEL_DEFINITION if executables differ in its parameters.
std::vector<const KernelInfo*> find_kernel(const _cl_program& program, const std::string& name);

/// Checks that user data is given only with a callback.
template <class Notify>
void check_notify(Notify notify, const void* user_data) {
  check(notify != nullptr || user_data == nullptr, CL_INVALID_VALUE);
}

/// True if the module has an initializer (&KernelInfo::is_initializer) or a finalizer.
bool has_kernel(const ModuleInfo& module, bool KernelInfo::*which);

/// The diagnostics as text.
std::string format_all(const Diagnostics& diagnostics);

}  // namespace transpire::opencl
