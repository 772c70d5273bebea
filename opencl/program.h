// A program: source, IL or binaries; what building made of it for its devices; its log.
//
// All devices run the same SPIR-V module, so there is one build, whatever devices it was asked for.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "opencl/context.h"
#include "opencl/object.h"
#include "transpire/transpire.hpp"

struct _cl_program final : transpire::opencl::Object<_cl_program, transpire::opencl::Kind::kProgram> {
  enum class Origin { kSource, kIl, kBinary, kLinked };

  _cl_program(_cl_context& in, Origin from) : context(&in), origin(from) {}
  ~_cl_program();

  const transpire::opencl::Ref<_cl_context> context;
  const Origin origin;
  std::vector<transpire::opencl::Ref<_cl_device_id>> devices;
  std::string source;
  std::vector<std::byte> il;  ///< as clCreateProgramWithIL got it

  /// Guarded by `mutex`. The parts of a build that clGetProgramBuildInfo tells.
  struct Build {
    cl_build_status status = CL_BUILD_NONE;
    cl_program_binary_type binary_type = CL_PROGRAM_BINARY_TYPE_NONE;
    std::string options;
    std::string log;
  };
  std::mutex mutex;
  Build build;
  std::vector<std::byte> module_bytes;      ///< SPIR-V: compiled, linked or loaded; what a binary holds
  std::optional<transpire::Module> module;  ///< of an executable
  std::map<cl_uint, std::vector<std::byte>> spec_constants;  ///< set for the next build
  unsigned kernels = 0;                     ///< attached: the program cannot be built again
};
