// A program: source, IL or binaries; what building made of it for its devices; its log.
//
// All devices run the same SPIR-V module, so there is one image, whatever devices a build was asked
// for. Only who gives each device a binary of its own gets one for each.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "opencl/api.h"
#include "opencl/context.h"
#include "opencl/object.h"
#include "transpire/transpire.hpp"

namespace transpire::opencl {

/// What devices of a program run, and what building it told.
struct Image {
  std::optional<Module> loaded;         ///< of IL or a binary, before any build
  std::vector<std::byte> module_bytes;  ///< SPIR-V: compiled, linked or loaded; what a binary holds
  /// The same with all that the compiler told of the source, and with names of files that no other program of the process
  /// has; empty: there is no more.
  std::vector<std::byte> told_bytes;
  cl_program_binary_type binary_type = CL_PROGRAM_BINARY_TYPE_NONE;
  std::optional<Module> module;  ///< of an executable
  std::string log;
  std::vector<SourceText> sources;  ///< that findings quote: what it was compiled from
  bool uniform_groups = false;      ///< its kernels' work-groups must all be equally large
  bool is_for_checks = false;       ///< compiled without clang's optimiser, all of it
  bool argument_info = true;  ///< clGetKernelArgInfo tells of its kernels: source must ask for that
  /// Kernels that the VM does not run, and why, as people read it.
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
  /// "<source 2>": how messages call it. Counted as the process makes programs, so the same in every run.
  const std::string name;
  std::vector<transpire::opencl::Ref<_cl_device_id>> devices;
  std::string source;
  std::vector<std::byte> il;  ///< as clCreateProgramWithIL got it
  /// For each device, which image it runs; empty when all run the first.
  std::vector<std::size_t> image_numbers;
  std::size_t image_number(const _cl_device_id* device) const;  ///< 0 for a strange device

  // Guarded by `mutex`. The images do not change while the program has kernels.
  std::mutex mutex;
  cl_build_status status = CL_BUILD_NONE;
  std::string build_options;
  std::vector<transpire::opencl::Image> images{1};
  std::map<cl_uint, std::uint64_t> spec_constants;  ///< bits, set for the next build
  unsigned kernels = 0;                             ///< attached: the program cannot be built again
  std::vector<std::function<void()>> release_callbacks;
};

namespace transpire::opencl {

/// What a program binary holds. The binary of an executable is its SPIR-V module as it is, for other
/// tools to read; else a head says what it is:
///
///   "TRSPPROG"  u32 binary type  u32 0  SPIR-V words
struct Binary {
  cl_program_binary_type type;
  std::span<const std::byte> module;
};
Binary read_binary(std::span<const std::byte> bytes);
std::vector<std::byte> make_binary(cl_program_binary_type type, std::span<const std::byte> module);

/// Where in a file's name of a module a source that is no file begins: "<source>", "put.h of <source 1>"; npos: nowhere.
std::size_t find_source(std::string_view name);

/// What a program runs of a binary: the sources' names say that they are of `program`, "<binary 1>".
std::vector<std::byte> named_after(std::span<const std::byte> module, const std::string& program);

/// A module with new values of specialisation constants written into it.
std::vector<std::byte> specialised(std::span<const std::uint32_t> words,
                                   const std::map<cl_uint, std::uint64_t>& values);

/// Throws CL_INVALID_PROGRAM_EXECUTABLE when no device has an executable. Builds a program of an
/// executable's binary that nobody has built: it was once, and applications take that for enough.
/// The program's mutex is held.
void require_executable(_cl_program& program);

/// Kernels that clCreateKernel makes: with the same parameters for all devices that have an
/// executable, and such as the VM runs. The program's mutex is held.
std::vector<std::string> kernel_names(const _cl_program& program);

/// A kernel by name: for each image what it says of it, null where it has none. Throws
/// CL_INVALID_KERNEL_NAME; CL_INVALID_KERNEL_DEFINITION when executables differ in its parameters.
std::vector<const KernelInfo*> find_kernel(const _cl_program& program, const std::string& name);

/// Checks the pair of parameters that a callback and its data are.
template <class Notify>
void check_notify(Notify notify, const void* user_data) {
  check(notify != nullptr || user_data == nullptr, CL_INVALID_VALUE);
}

/// Whether the module has an initializer, &KernelInfo::is_initializer, or a finalizer.
bool has_kernel(const ModuleInfo& module, bool KernelInfo::*which);

/// Diagnostics as people read them.
std::string format_all(const Diagnostics& diagnostics);

}  // namespace transpire::opencl
