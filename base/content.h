// Recognises inputs that are not SPIR-V, so that diagnostics can name their format.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "transpire/diagnostic.hpp"

namespace transpire {

/// True if the bytes are OpenCL C: a text that is not SPIR-V assembly and has a kernel.
bool is_opencl_c(std::span<const std::byte> bytes);

/// True if the bytes are GLSL: a text with a line `#version 450` or alike.
bool is_glsl(std::span<const std::byte> bytes);
/// True if the bytes are a source, in OpenCL C or GLSL.
bool is_source_text(std::span<const std::byte> bytes);

/// True if the file's name ends like OpenCL C: .cl, .CL, .ocl, or .clcpp; or like a shader.
bool is_source_name(std::string_view path);
/// True for the names of compute shaders in GLSL (.comp) and HLSL (.hlsl), which count as sources, too.
bool is_shader_name(std::string_view path);
/// True if the file's name ends like HLSL: .hlsl.
bool is_hlsl_name(std::string_view path);
/// True if the file's name ends like C++ for OpenCL: .clcpp.
bool is_cpp_source_name(std::string_view path);

/// D0002 with the format of the bytes (LLVM bitcode, an ELF file, GLSL ...) and advice. Nothing if they are SPIR-V or
/// assembly text, or the format is unknown. Messages call the input `name`.
std::optional<Diagnostic> foreign_content(std::span<const std::byte> bytes,
                                          const std::string& name);

}  // namespace transpire
