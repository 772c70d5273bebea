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

/// Where in the temporary folder the headers lie that the caller gave.
inline constexpr const char* kHeaderFolder = "include";

struct SourceJob {
  std::string path;  ///< the file that clang reads
  std::string name;  ///< how errors call it
  std::vector<std::string> options;
  bool optimise = true;
  WorkLimit limit{};
  std::string spirv_version{};  ///< as CompileOptions says it
  /// With what clang knows of types, where the source may have some of its own; else with lines alone.
  bool types = false;
  /// What stands before the source and is no part of it (source_prologue.h).
  std::string prologue{};
  std::uint64_t max_bytes = ~std::uint64_t{0};  ///< of the file
};

/// The programs that compile this source, whose options are known and change no outputs. Errors: C0031, C0037.
Result<Toolchain> usable_toolchain(const std::string& name,
                                   const std::vector<std::string>& options);
/// True if clang's optimiser runs: not for -O0 or -cl-opt-disable, and where no -O is among the options not without
/// `optimise`.
bool runs_optimiser(const std::vector<std::string>& options, bool optimise);
/// Compiles a file to a SPIR-V module with source lines. `options` are handed to clang; the language is OpenCL C 1.2
/// and the optimisation -O2 unless they say otherwise. Without `optimise`, or with -cl-opt-disable, clang's optimiser
/// does not run, but an -O goes before `optimise`. Errors: C0001, C0030 (one per error of clang, with its line), C0031, L0002.
CompiledSource translate_opencl_c(const SourceJob& wanted, const TemporaryFolder& folder,
                                  const Toolchain& toolchain);
/// What clang warned of, by what it wrote. `name` is how messages call the source.
Diagnostics warnings_in(const std::string& name, const std::string& log);
/// The same by a folder and programs of its own, with common_prologue(); kept as kept_source.h says. Errors: also those of reading the file, and of usable_toolchain().
CompiledSource compile_file(const SourceJob& wanted);
/// Of a text, and of headers that are handed over with it; what stands before it is common_prologue() unless it is given.
/// Errors: also those of usable_toolchain().
CompiledSource compile_text(std::string_view text, const CompileOptions& options,
                            const WorkLimit& limit = {},
                            const std::optional<std::string>& prologue = std::nullopt);
/// How messages call an input that was read once: LoadOptions::name, or "<stdin>".
std::string input_name(const LoadOptions& options);
/// Compiles a text from standard input or another file that can be read once. Its includes lie in the current folder.
CompiledSource compile_standard_input(std::string_view text, const LoadOptions& options,
                                      const WorkLimit& limit);
/// The source with all that it includes; nothing when it cannot be made.
std::optional<std::string> preprocess_opencl_c(const SourceJob& job, const TemporaryFolder& folder,
                                               const Toolchain& toolchain);
Diagnostic no_folder();

/// Whether a text is to be compiled with what clang knows of types: it may have structs, and no option says otherwise.
bool wants_types(const std::vector<std::string>& options, std::string_view text);

/// The outcome for a file that may be a source.
struct SourceNotes {
  Diagnostics warnings{};    ///< of the compiler
  bool is_compiled = false;  ///< it was OpenCL C
};

/// The module that a file holds or that its source becomes: a `.cl` file is compiled, which may add warnings, and so is
/// OpenCL C from a file that can be read once (is_read_once()); others are read. Errors: also those of read_file().
Result<std::vector<std::byte>> module_of_file(const std::string& path, const LoadOptions& options,
                                              const WorkLimit& limit, SourceNotes& notes);
/// Takes the bytes of standard input, or of another file that can be read once, as module_of_file() does.
Result<std::vector<std::byte>> module_of_input(std::span<const std::byte> bytes,
                                               const LoadOptions& options, const WorkLimit& limit,
                                               SourceNotes& notes);

}  // namespace transpire::compiler
