// The programs that make SPIR-V of OpenCL C: which are used, and all that differs between their versions. Whoever runs
// them asks here, and knows no version.
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

/// Programs that belong together.
class Toolchain {
 public:
  /// Without a translator clang writes SPIR-V by itself.
  Toolchain(ToolchainProgram clang, ToolchainProgram translator)
      : clang_(std::move(clang)), translator_(std::move(translator)) {}

  const std::string& clang() const { return clang_.name; }
  const std::string& translator() const { return translator_.name; }
  bool has_translator() const { return !translator_.name.empty(); }

  /// Where the programs are, of which size and time: differs when others are used, or installed in their place.
  std::string identity() const;
  /// What clang is told to write bitcode, or SPIR-V of that version ("1.2") where there is no translator, and messages as
  /// all versions have them.
  std::vector<std::string> output_options(std::string_view spirv_version) const;
  /// A source's own options as this clang takes them: targets by the names that it writes SPIR-V for.
  std::vector<std::string> as_taken(std::vector<std::string> options,
                                    std::string_view spirv_version) const;
  /// Which extensions may be used where the source asks for them, but for those that turned out not to be known. Modules
  /// of other sources are the same with and without. `wants_wraps`: arithmetic is decorated with what it promises.
  std::string extensions_option(bool wants_wraps) const;
  /// Whether the program that writes SPIR-V said that it does not know one of the extensions that it was asked for, which
  /// then is not asked for again.
  bool learns_of_extension(std::string_view said, std::string_view asked) const;

 private:
  ToolchainProgram clang_, translator_;
};

/// Those that the environment variables name. Else the pair of one version that is installed: 15 before all others,
/// numbered programs before those without a number. Else a clang that writes SPIR-V by itself. Errors: C0031, which
/// says what was looked for, or what is wrong with what a variable names; nothing else is used in its place.
Result<Toolchain> find_toolchain();

}  // namespace transpire::compiler
