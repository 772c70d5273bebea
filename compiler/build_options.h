// The options that a source of OpenCL C may be compiled with: those of OpenCL, and clang's own that change neither what
// is written nor where. All others are refused: clang writes files, runs programs and loads libraries when it is told to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "transpire/diagnostic.hpp"

namespace transpire::compiler {

/// What is wrong with the options, one C0037 for each that is refused: by name where it is known what it would do, else
/// with the option that may have been meant.
Diagnostics check_build_options(const std::vector<std::string>& options);

/// The options without those that mean nothing to clang: there is no aliasing by types to be had, and no sub-group relies
/// on the progress of another.
std::vector<std::string> handed_to_clang(std::vector<std::string> options);

/// Whether the word is an option of OpenCL's own for compiling (OpenCL API 3.0, "Compiler Options") that has no value.
bool is_opencl_flag(std::string_view word);

}  // namespace transpire::compiler
