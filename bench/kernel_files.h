// Where kernels are found: OpenCL C sources, and the SPIR-V modules built from them.
// A case names its kernel file without folder and extension.
#pragma once

#include <string>

namespace transpire::bench {

/// Path of the OpenCL C source of `kernel_file`.
std::string SourcePath(const std::string& kernel_file);

/// Path of the SPIR-V module of `kernel_file`.
std::string ModulePath(const std::string& kernel_file);

}  // namespace transpire::bench
