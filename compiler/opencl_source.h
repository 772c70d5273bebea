// OpenCL C to SPIR-V by the programs clang and llvm-spirv (toolchain.h). The library itself contains no compiler.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "compiler/files.h"
#include "compiler/toolchain.h"
#include "transpire/transpire.hpp"

namespace transpire::compiler {

/// Folder of the caller's headers within the temporary folder.
inline constexpr const char* kHeaderFolder = "include";

struct SourceJob {
  std::string path;  ///< the file that clang reads
  std::string name;  ///< name in messages
  std::vector<std::string> options;
  bool optimise = true;
  WorkLimit limit{};
  std::string spirv_version{};  ///< from CompileOptions
  /// true: with clang's type information, if the source may have types of its own; false: lines
  /// alone.
  bool types = false;
  /// Text before the source that is no part of it (source_prologue.h).
  std::string prologue{};
  std::uint64_t max_bytes = ~std::uint64_t{0};  ///< limit for the file's size
};

/// The programs to compile this source, after a check of its options. Errors: C0031, C0037.
Result<Toolchain> usable_toolchain(const std::string& name,
                                   const std::vector<std::string>& options);
/// True if clang's optimiser runs: not for -O0 or -cl-opt-disable; without an -O option only if
/// `optimise`.
bool runs_optimiser(const std::vector<std::string>& options, bool optimise);
/// Compiles a file to a SPIR-V module with source lines. `options` are handed to clang; by default
/// the language is OpenCL C 1.2 and the optimisation -O2. Without `optimise`, or with
/// -cl-opt-disable, clang's optimiser does not run, but an -O option overrides `optimise`. Errors:
/// C0001, C0030 (one per error of clang, with its line), C0031, L0002.
CompiledSource translate_opencl_c(const SourceJob& wanted, const TemporaryFolder& folder,
                                  const Toolchain& toolchain);
/// The warnings in clang's output. `name` is the source's name in messages.
Diagnostics warnings_in(const std::string& name, const std::string& log);
/// As translate_opencl_c(), with a folder and programs of its own, and common_prologue(); uses the cache of
/// kept_source.h. Errors: also those of reading the file, and of usable_toolchain().
CompiledSource compile_file(const SourceJob& wanted);
/// Compiles a text with headers given beside it. common_prologue() stands before it unless another
/// prologue is given. Errors: also those of usable_toolchain().
CompiledSource compile_text(std::string_view text, const CompileOptions& options,
                            const WorkLimit& limit = {},
                            const std::optional<std::string>& prologue = std::nullopt);
/// The name in messages of an input that can be read once: LoadOptions::name, or "<stdin>".
std::string input_name(const LoadOptions& options);
/// Compiles a text from standard input or another file that can be read once. Its includes are
/// relative to the current folder.
CompiledSource compile_standard_input(std::string_view text, const LoadOptions& options,
                                      const WorkLimit& limit);
/// The source with all its includes; none if clang fails.
std::optional<std::string> preprocess_opencl_c(const SourceJob& job, const TemporaryFolder& folder,
                                               const Toolchain& toolchain);
Diagnostic no_folder();

/// True if a text should be compiled with type information: it may have structs, and no option
/// forbids it.
bool wants_types(const std::vector<std::string>& options, std::string_view text);

/// The outcome for a file that may be a source.
struct SourceNotes {
  Diagnostics warnings{};    ///< the compiler's warnings
  bool is_compiled = false;  ///< it was OpenCL C
};

/// The module of a source that was read as a text: GLSL by its name or its `#version`, else OpenCL C as compile_standard_input()
/// compiles it.
Result<std::vector<std::byte>> module_of_text(std::string_view text, const LoadOptions& options,
                                              const WorkLimit& limit, SourceNotes& notes);
/// The module that a file holds or that its source becomes: a `.cl` file is compiled, which may add warnings, and so is
/// OpenCL C from a file that can be read once (is_read_once()); others are read. Errors: also those of read_file().
Result<std::vector<std::byte>> module_of_file(const std::string& path, const LoadOptions& options,
                                              const WorkLimit& limit, SourceNotes& notes);
/// Takes the bytes of standard input, or of another file that can be read once, as module_of_file() does.
Result<std::vector<std::byte>> module_of_input(std::span<const std::byte> bytes,
                                               const LoadOptions& options, const WorkLimit& limit,
                                               SourceNotes& notes);

}  // namespace transpire::compiler
