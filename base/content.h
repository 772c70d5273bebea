// What bytes are that are no SPIR-V, so that what is said of them is more than that.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "transpire/diagnostic.hpp"

namespace transpire {

/// Whether a text is OpenCL C: no assembler text, and something in it is a kernel.
bool is_opencl_c(std::span<const std::byte> bytes);

/// True if a file is OpenCL C by its name's ending: .cl, .CL, .ocl, or .clcpp.
bool is_source_name(std::string_view path);
/// True if it is C++ for OpenCL: .clcpp.
bool is_cpp_source_name(std::string_view path);

/// D0002, with what the bytes are instead and what to do: LLVM's bitcode, an ELF file, GLSL ... Nothing where they
/// are SPIR-V, assembler text, or what nobody knows. `name` is how messages call the input.
std::optional<Diagnostic> foreign_content(std::span<const std::byte> bytes,
                                          const std::string& name);

}  // namespace transpire
