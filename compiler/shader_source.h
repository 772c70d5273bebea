// Compute shaders in GLSL and HLSL to SPIR-V, by glslang where it is installed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/work_limit.h"

namespace transpire::compiler {

/// The environment variable that names glslang's program: a name that PATH has, or a path.
inline constexpr const char* kGlslangVariable = "TRANSPIRE_GLSLANG";

/// The module of a file with GLSL, for Vulkan 1.2, or HLSL, for Vulkan 1.1, with its lines and names. The entry point of HLSL is `main`. `options` are -DNAME=VALUE, -UNAME and -IFOLDER.
/// Nothing is kept between calls: glslang takes a few milliseconds. Errors: C0030 with glslang's messages, C0031 without glslang,
/// C0037, L0002.
Result<std::vector<std::byte>> compile_shader(const std::string& path,
                                              const std::vector<std::string>& options,
                                              const WorkLimit& limit);

/// Compiles a text in GLSL as compile_shader() compiles a file. Messages and debug information call it `name`.
Result<std::vector<std::byte>> compile_shader_text(std::string_view text, const std::string& name,
                                                   const std::vector<std::string>& options,
                                                   const WorkLimit& limit);

}  // namespace transpire::compiler
