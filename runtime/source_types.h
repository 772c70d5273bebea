// Kernel parameters' types in the words of the source. SPIR-V kernels have no signed integers;
// translators leave the source's words beside the code when asked to:
//
//   OpString "kernel_arg_type.NAME.int*,uint4*,float,"
//   OpString "kernel_arg_type_qual.NAME.restrict const,volatile,,"
//
// (llvm-spirv --preserve-ocl-kernel-arg-type-metadata-through-string; the types are those of
// clGetKernelArgInfo's CL_KERNEL_ARG_TYPE_NAME.)
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "decoder/module.h"
#include "transpire/transpire.hpp"

namespace transpire::runtime {

/// What the source says of a kernel's parameters, in their order; empty when the module does not
/// tell. `topic`: "kernel_arg_type" or "kernel_arg_type_qual".
std::vector<std::string> source_parameter_words(const decoder::Module& module,
                                                std::string_view topic, std::string_view kernel);

/// Gives the integers of a type the signedness that `words` say. Words that do not fit the type, or
/// that only the source could explain (a typedef), change nothing.
void follow_source(std::string_view words, TypeInfo& type);

}  // namespace transpire::runtime
