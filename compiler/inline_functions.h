// C99 `inline` functions in what llvm-spirv makes without clang's optimiser.
#pragma once

#include <cstddef>
#include <vector>

namespace transpire::compiler {

/// The module without the Import linkage of functions that have a body. Such a body is the one to inline of a function that C99
/// (6.7.4) expects to be defined by another translation unit; OpenCL C has none, and SPIR-V no name for it (2.16.1: an
/// imported function has no body).
std::vector<std::byte> with_inline_functions(std::vector<std::byte> module);

}  // namespace transpire::compiler
