// The programs that make SPIR-V of OpenCL C: their choice, and all differences between their
// versions. Callers depend on no version.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace transpire::compiler {

/// Environment variables that name programs: a name that PATH has, or a path. Empty ones count as unset.
inline constexpr const char* kClangVariable = "TRANSPIRE_CLANG";
inline constexpr const char* kTranslatorVariable = "TRANSPIRE_LLVM_SPIRV";

/// A program as it is started, and its major version.
struct ToolchainProgram {
  std::string name;
  unsigned version = 0;
};

/// A clang, with the translator of its version if it needs one.
class Toolchain {
 public:
  /// Without a translator clang writes SPIR-V by itself.
  Toolchain(ToolchainProgram clang, ToolchainProgram translator)
      : clang_(std::move(clang)), translator_(std::move(translator)) {}

  const std::string& clang() const { return clang_.name; }
  const std::string& translator() const { return translator_.name; }
  bool has_translator() const { return !translator_.name.empty(); }

  /// Places, sizes and times of the programs: differs when others are used or installed in their
  /// place.
  std::string identity() const;
  /// Options by which clang writes bitcode, or without a translator SPIR-V of that version ("1.2"),
  /// and messages that are alike in all versions.
  std::vector<std::string> output_options(std::string_view spirv_version) const;
  /// A source's own options as this clang accepts them: with targets for which it writes SPIR-V.
  std::vector<std::string> as_taken(std::vector<std::string> options,
                                    std::string_view spirv_version) const;
  /// The option for extensions that a source may use, without those found to be unknown. Modules of
  /// sources that use none are the same with and without it. `wants_wraps`: arithmetic is decorated
  /// with its no-wrap promises.
  std::string extensions_option(bool wants_wraps) const;
  /// Returns true if the program reported an unknown extension among the requested ones. That one
  /// is not requested again.
  bool learns_of_extension(std::string_view said, std::string_view asked) const;

 private:
  ToolchainProgram clang_, translator_;
};

/// The programs that the environment variables name. Otherwise an installed pair of one version: 15
/// first, programs with a number in their name before those without. Otherwise a clang that writes
/// SPIR-V by itself. Errors: C0031, with the searched names, or the mistake in a variable; other
/// programs never replace one that a variable names.
Result<Toolchain> find_toolchain();

}  // namespace transpire::compiler
