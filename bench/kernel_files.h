// Where kernels are found: OpenCL C sources, and the SPIR-V modules built from them.
// A case names its kernel file without folder and extension.
#pragma once

#include <cstdint>
#include <string>

#include "bench/case.h"

namespace transpire::bench {

/// The optimisation levels of clang that modules are built with. Modules of kO0 are for tests.
enum class OptimisationLevel : std::uint8_t { kO0, kO2 };

/// Path of the OpenCL C source of `kernel_file`.
std::string SourcePath(const std::string& kernel_file);

/// Path of the SPIR-V module of a case's kernel file, built with the case's options.
std::string ModulePath(const BenchCase& bench, OptimisationLevel level);

}  // namespace transpire::bench
