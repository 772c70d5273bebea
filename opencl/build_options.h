// The options of clBuildProgram, clCompileProgram and clLinkProgram.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace transpire::opencl {

enum class OptionsOf { kBuild, kCompile, kLink };

struct BuildOptions {
  std::vector<std::string> clang;  ///< options passed on to clang
  std::string standard = "CL1.2";  ///< the newest 1.x unless -cl-std names another one
  bool optimise = true;
  bool uniform_groups = false;  ///< -cl-uniform-work-group-size
  bool create_library = false;
  bool argument_info = false;  ///< -cl-kernel-arg-info
};

/// Empty if an option is unknown for this call, or incomplete. Words may be quoted and escaped as
/// in a shell.
std::optional<BuildOptions> parse_build_options(const char* options, OptionsOf of);

/// True if kernels of this version of OpenCL C cannot have work-groups of unequal sizes.
bool has_only_uniform_groups(std::string_view standard);

}  // namespace transpire::opencl
