// OpenCL C as a device announces it: options for clang, and text before every source. The text has
// macros and built-in functions that clang does not declare, or whose calls llvm-spirv leaves
// unchanged. These functions call __spirv_ functions, which llvm-spirv turns into the instructions
// of these names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace transpire::compiler {

struct Language {
  std::string standard = "CL1.2";       ///< value for clang's -cl-std
  unsigned major = 3, minor = 0;        ///< the device's version of OpenCL
  std::vector<std::string> extensions;  ///< the device's extensions that are macros of OpenCL C
};

/// Options that make clang's macros and extensions those that the device announces.
std::vector<std::string> language_options(const Language& language);
/// Lines before the source for features that no option of clang sets. `options` are clang's for
/// this source.
std::string language_prologue(const Language& language, const std::vector<std::string>& options,
                              std::string_view source);
/// The prologue of a source that is compiled for no particular device: language and macros are
/// clang's own, and missing declarations are added. `options` are clang's for this source.
std::string common_prologue(const std::vector<std::string>& options, std::string_view source);

}  // namespace transpire::compiler
