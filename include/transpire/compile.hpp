// Compiles OpenCL C to SPIR-V by calling installed compilers. transpire/transpire.hpp includes this header.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "transpire/diagnostic.hpp"
#include "transpire/export.hpp"

namespace transpire {

/// A header that the source may include, given as text.
struct SourceHeader {
  std::string name;  ///< name in the #include directive; may contain '/', but not ".."
  std::string text;
};

struct CompileOptions {
  std::string name = "<source>";     ///< name of the source in messages
  std::vector<std::string> options;  ///< arguments for clang
  std::vector<SourceHeader> headers;
  /// Runs clang's optimiser. It deletes code with undefined behaviour, which checks then cannot find. An -O among
  /// `options` overrides this.
  bool optimise = true;
  /// Folder in which compiled modules are kept for later processes that compile the same source. Empty: none.
  std::string cache_folder;
  /// SPIR-V version of the module, "1.1" to "1.4". Empty: 1.2, or 1.4 if the source needs that.
  std::string spirv_version{};
  /// Keeps clang's full debug information in the module (OpenCL.DebugInfo.100), including inlined calls. When false,
  /// the module keeps line numbers only: other validators refuse some of the translator's debug instructions.
  bool debug_info = true;
  /// Asks clang for debug information of types if the source may define types; see LoadOptions::source_types.
  bool source_types = false;
};

struct CompiledSource {
  std::vector<std::byte> module;  ///< SPIR-V; empty when there are errors
  std::string log;                ///< the compiler's output, warnings included
  Diagnostics errors;             ///< C0030 (one per error of clang, with its line), C0031, C0001
  Diagnostics warnings{};         ///< C0036 (one per warning of clang, with its line)
};

/// Compiles OpenCL C with the programs clang and llvm-spirv, or with clang alone (docs/compilers.md). The defaults are
/// OpenCL C 1.2 and -O2; `options.options` may override both. Thread-safe.
TRANSPIRE_API CompiledSource compile_source(std::string_view text,
                                            const CompileOptions& options = {});
/// Compiles a file as compile_source() does, with four differences. Names that end in .comp (GLSL) and .hlsl (HLSL) are compute
/// shaders, which glslang compiles; of the options, only names, include folders and debug_info count there. Messages use the file's name, not `options.name`.
/// #include directives look in the file's folder. Environment variables choose the cache folder (docs/compilers.md), not
/// `options.cache_folder`. Errors also report that the file cannot be read (C0001). Thread-safe.
TRANSPIRE_API CompiledSource compile_source_file(const std::string& path,
                                                 const CompileOptions& options = {});
/// True if the programs that compile_source() needs are installed.
TRANSPIRE_API bool can_compile_source();

}  // namespace transpire
