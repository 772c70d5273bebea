// Describes decoded modules, kernels and types in the public API's terms.
#pragma once

#include <span>
#include <string>

#include "analysis/kernel_use.h"
#include "decoder/module.h"
#include "transpire/transpire.hpp"

namespace transpire::reflect {

/// `uses`: of each entry point with the execution model Kernel, in the module's order.
ModuleInfo describe(const decoder::Module& module, std::span<const analysis::KernelUse> uses);
TypeInfo describe(const decoder::Type& type);
bool has_named_barriers(const decoder::Module& module);
/// True if ModuleInfo::variables has the variable.
bool is_program_scope_variable(const decoder::Variable& variable);
/// The name of a program-scope variable without a name, by its index in ModuleInfo::variables.
std::string nameless(std::size_t index);

}  // namespace transpire::reflect
