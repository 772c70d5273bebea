// OpenCL C as a device announces it, by what clang can be told and by what stands before every source: macros,
// and the built-in functions that clang does not declare, or whose calls llvm-spirv leaves as they are. The latter
// call __spirv_ functions, which it turns into the instructions of these names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace transpire::compiler {

struct Language {
  std::string standard = "CL1.2";       ///< as clang's -cl-std takes it
  unsigned major = 3, minor = 0;        ///< the version of OpenCL that the device has
  std::vector<std::string> extensions;  ///< of the device, those that are macros of OpenCL C
};

/// Options that make clang's macros and extensions those that the device announces.
std::vector<std::string> language_options(const Language& language);
/// Lines before the source to the same end, where clang has no option. `options` are clang's for this source.
std::string language_prologue(const Language& language, const std::vector<std::string>& options,
                              std::string_view source);
/// The same for a source that is compiled for no device in particular: the language and the macros are clang's own, and
/// what it does not declare is there beside them. `options` are clang's for this source.
std::string common_prologue(const std::vector<std::string>& options, std::string_view source);

}  // namespace transpire::compiler
