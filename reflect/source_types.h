// Types of kernel parameters as the source spells them. Integers in SPIR-V kernels have no sign, but translators add the
// source's words on request:
//
//   OpString "kernel_arg_type.NAME.int*,uint4*,float,"
//   OpString "kernel_arg_type_qual.NAME.restrict const,volatile,,"
//
// (llvm-spirv --preserve-ocl-kernel-arg-type-metadata-through-string; the types are those of
// clGetKernelArgInfo's CL_KERNEL_ARG_TYPE_NAME.)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "decoder/module.h"
#include "transpire/transpire.hpp"

namespace transpire::reflect {

/// The source's words for a kernel's parameters, in their order; empty if the module has none. `topic` is "kernel_arg_type"
/// or "kernel_arg_type_qual".
std::vector<std::string> source_parameter_words(const decoder::Module& module,
                                                std::string_view topic, std::string_view kernel);

/// Sets the signs of a type's integers from `words`. Words that do not match the type, or that only the source explains (a
/// typedef), change nothing.
void follow_source(std::string_view words, TypeInfo& type);

/// The number or vector of numbers that the words name, such as "float4", as it is in memory; nothing for other types.
std::optional<TypeInfo> type_named(std::string_view words);

}  // namespace transpire::reflect
