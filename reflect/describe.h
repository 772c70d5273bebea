// Describes decoded modules, kernels and types in the public API's terms.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "analysis/kernel_use.h"
#include "decoder/clspv_reflection.h"
#include "decoder/module.h"
#include "transpire/transpire.hpp"

namespace transpire::reflect {

/// `uses`: of each entry point that can be launched, in the module's order. `clspv`: describes the kernels of the source instead
/// of the shaders that clspv made of them; null describes shaders.
ModuleInfo describe(const decoder::Module& module, std::span<const analysis::KernelUse> uses,
                    const decoder::ClspvReflection* clspv = nullptr);
TypeInfo describe(const decoder::Type& type);
/// A pointer to a resource. A block of one runtime array is described as a pointer to the array's elements, each as large as the
/// array's stride.
TypeInfo describe_resource(const decoder::Type& pointer);
/// The images that a parameter or resource of this type takes; nothing for shapes that images have in graphics alone. `texels`: those
/// that a kernel's instructions access; the type of a shader's image says it itself.
std::optional<ImageParameterInfo> describe_image(const decoder::Type& type,
                                                 TexelType texels = TexelType::kUnknown);
bool has_named_barriers(const decoder::Module& module);
/// True if ModuleInfo::variables has the variable.
bool is_program_scope_variable(const decoder::Variable& variable);
/// The name of a program-scope variable without a name, by its index in ModuleInfo::variables.
std::string nameless(std::size_t index);

}  // namespace transpire::reflect
