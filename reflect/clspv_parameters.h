// Parameters of OpenCL kernels that clspv made shaders of, as the reflection of the module has them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "decoder/clspv_reflection.h"
#include "transpire/transpire.hpp"

namespace transpire::reflect {

/// The parameters of the kernel in the source, in their order. A parameter that the shader does not use is marked as such.
std::vector<ParameterInfo> clspv_parameters(const decoder::Module& module,
                                            const decoder::ClspvKernel& kernel);

/// The variables that are arguments of the kernel, with the arguments' names.
std::vector<std::pair<decoder::Id, std::string>> clspv_variable_names(
    const decoder::Module& module, const decoder::ClspvKernel& kernel);

/// The work-group size that launches of the kernel must have; nothing if they choose it by specialisation constants.
/// `local_size`: the one that the entry point declares.
std::optional<std::array<std::uint64_t, 3>> clspv_required_size(
    const decoder::ClspvReflection& reflection, const decoder::ClspvKernel& kernel,
    const std::optional<std::array<std::uint64_t, 3>>& local_size);

/// Bytes of the arrays that stand for arguments in local memory, with the lengths that the module gives them.
std::uint64_t clspv_local_argument_bytes(const decoder::Module& module,
                                         const decoder::ClspvKernel& kernel);

}  // namespace transpire::reflect
