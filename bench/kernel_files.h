// Where kernels are found: OpenCL C sources, and the SPIR-V modules built from them and from their GLSL forms.
// A case names its file of OpenCL C without folder and extension; GLSL has a file for each kernel, called as the kernel is.
#pragma once

#include <cstdint>
#include <string>

#include "bench/case.h"

namespace transpire::bench {

/// The languages that kernels are written in, line by line the same.
enum class Flavour : std::uint8_t { kOpenCl, kGlsl };

/// The optimisation levels that modules are built with: clang's, and for GLSL glslang's code as it is (kO0) or after
/// `spirv-opt -O` (kO2). Modules of kO0 are for tests.
enum class OptimisationLevel : std::uint8_t { kO0, kO2 };

/// Path of the OpenCL C source of `kernel_file`.
std::string SourcePath(const std::string& kernel_file);

/// Path of the SPIR-V module of a case's kernel file, built with the case's options.
std::string ModulePath(const BenchCase& bench, OptimisationLevel level);

/// Path of the SPIR-V module of the GLSL form of a case's `kernel`, built with the case's options.
std::string ShaderPath(const BenchCase& bench, const std::string& kernel, OptimisationLevel level);

/// True if the kernels of all launches have a GLSL form, and it was built.
bool HasShaders(const BenchCase& bench);

}  // namespace transpire::bench
