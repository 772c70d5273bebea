// OpenCL C to SPIR-V, by compilers that are installed: a part of transpire/transpire.hpp, which includes it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "transpire/diagnostic.hpp"
#include "transpire/export.hpp"

namespace transpire {

struct SourceHeader {
  std::string name;  ///< as #include names it; may hold '/', not ".."
  std::string text;
};

struct CompileOptions {
  std::string name = "<source>";     ///< how messages call the source
  std::vector<std::string> options;  ///< handed to clang
  std::vector<SourceHeader> headers;
  /// With clang's optimiser. It deletes what is undefined, which checks then cannot find. An -O among the options goes
  /// before this.
  bool optimise = true;
  /// Keeps what was compiled there, for the next process that compiles the same; empty: nowhere.
  std::string cache_folder;
  /// "1.1" to "1.4"; empty: 1.2, or the first one that has what the source needs.
  std::string spirv_version{};
  /// Keeps all that clang tells of the source (OpenCL.DebugInfo.100), expanded calls among it. Else only lines are
  /// kept; what the translator makes of the rest, other validators refuse.
  bool debug_info = true;
  /// With what clang knows of types where the source may have some of its own, as LoadOptions has it.
  bool source_types = false;
};

struct CompiledSource {
  std::vector<std::byte> module;  ///< SPIR-V; empty when there are errors
  std::string log;                ///< what the compiler wrote, warnings included
  Diagnostics errors;             ///< C0030 (one per error of clang, with its line), C0031, C0001
  Diagnostics warnings{};         ///< C0036, one per warning of clang, with its line
};

/// Compiles OpenCL C by the programs clang and llvm-spirv, or clang alone (docs/compilers.md). The language is OpenCL C 1.2 and the
/// optimisation -O2 unless the options say otherwise. Thread-safe.
TRANSPIRE_API CompiledSource compile_source(std::string_view text,
                                            const CompileOptions& options = {});
/// Compiles a file as compile_source() does. Messages use the file's name whatever the options say. Its includes lie beside it.
/// The environment says what is kept, and where (docs/compilers.md); the options do not. Errors: also those of reading it.
TRANSPIRE_API CompiledSource compile_source_file(const std::string& path,
                                                 const CompileOptions& options = {});
/// True if both programs are installed.
TRANSPIRE_API bool can_compile_source();

}  // namespace transpire
