// Launches of kernels that clspv compiled. A launch of such a kernel gives the arguments and sizes of OpenCL; its shader takes
// buffers at sets and bindings, push constants, and values of specialisation constants. The reflection in the module says which
// argument goes where, so a launch of the kernel becomes launches of the shader. Nothing behind this file knows of it.
//
//   argument                    shader
//   global, constant pointer    the buffer at its set and binding
//   plain old data              bytes of a buffer that is made for the launch, or of the push constants
//   pointer as an address       an address among such bytes
//   image, sampler              the image or sampler at its set and binding
//   local memory                a specialisation constant: the number of elements of a Workgroup array
//   work-group size, offset     specialisation constants, push constants
//
// A launch whose groups are not all of one size is split into regions of which that holds: up to two in each dimension.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "runtime/launch_part.h"
#include "runtime/state.h"

namespace transpire::runtime {

/// Buffers of a module on a device that keep their bytes from launch to launch: data of constants, program-scope variables.
struct ClspvBuffers {
  std::mutex mutex;
  std::map<std::uint32_t, Buffer> by_word_offset;  ///< that of the instruction of the reflection
  /// Addresses of ProgramScopeVariablePointerRelocation, by its word offset.
  std::map<std::uint32_t, std::shared_ptr<KeptAddress>> relocated;
};

/// A region of a launch, as a launch of the shader.
struct ShaderLaunch {
  Launch launch;
  LaunchPart part;
};

struct ShaderLaunches {
  std::vector<ShaderLaunch> launches;  ///< in the order of their regions
  std::optional<Buffer>
      printf;  ///< they write there what the kernel prints: runtime/clspv_printf.h
};

/// The launches of the shader. `launch` is of a kernel in its module's reflection. Errors: C0003, C0004 and C0005 as of any
/// kernel's launch, L0002, L0004.
Result<ShaderLaunches> shader_launches(const Launch& launch, ClspvBuffers& kept,
                                       const WorkLimit& limit);

}  // namespace transpire::runtime
