// The options that a source of OpenCL C may be compiled with: those of OpenCL, and clang's own that change neither which files it writes nor where. All others are refused: some make clang write files,
// run programs or load libraries.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "transpire/diagnostic.hpp"

namespace transpire::compiler {

/// One C0037 for each refused option: with its effect if that is known, else with the option that
/// may have been meant.
Diagnostics check_build_options(const std::vector<std::string>& options);

/// The options without those that have no meaning for clang: it has no type-based aliasing here,
/// and no sub-group relies on the progress of another.
std::vector<std::string> handed_to_clang(std::vector<std::string> options);

/// True for an option of OpenCL's own for compiling (OpenCL API 3.0, "Compiler Options") that has
/// no value.
bool is_opencl_flag(std::string_view word);

}  // namespace transpire::compiler
