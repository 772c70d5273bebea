// OpenCL C to SPIR-V by the programs clang-15 and llvm-spirv-15. The library itself contains no
// compiler.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace transpire::runtime {

/// Compiles a `.cl` file to a SPIR-V 1.2 module with source lines. `options` are handed to clang;
/// the language is OpenCL C 1.2 and the optimisation -O2 unless they say otherwise. Without
/// `optimise` clang's optimiser does not run, whatever they say. Errors: C0001, C0030 (one per
/// error of clang, with its line), C0031.
Result<std::vector<std::byte>> compile_opencl_c(const std::string& path,
                                                const std::vector<std::string>& options,
                                                bool optimise);

}  // namespace transpire::runtime
