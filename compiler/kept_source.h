// Cached modules of OpenCL C (source_cache.h): their keys, and the conditions for keeping them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/opencl_source.h"
#include "compiler/source_cache.h"

namespace transpire::compiler {

/// Names the folder in which modules of `.cl` files and of standard input are kept: "0" none, empty
/// or unset users_cache().
inline constexpr const char* kCacheVariable = "TRANSPIRE_CACHE";
std::string kept_folder();
/// Errors: the variable names no folder, and none can be made there (C0024);
/// refusal_of_users_cache().
std::optional<Diagnostic> refusal_of_kept_folder();

/// "0" switches users_cache() off, "1" is the default.
inline constexpr const char* kUsersCacheVariable = "TRANSPIRE_CL_CACHE";
/// C0033: the variable has another value.
std::optional<Diagnostic> refusal_of_users_cache();
/// The user's folder for caches, in which the OpenCL driver keeps its compiled modules; empty if
/// there is none.
std::string users_cache();

/// True if the compiled module depends on more than text and options: on files, or on the time.
bool reaches_outside(std::string_view text, const std::vector<std::string>& options);

/// The texts that determine a compiled source.
struct SourceParts {
  std::string_view text;                               ///< text of the file that clang reads
  const std::vector<SourceHeader>* headers = nullptr;  ///< handed over with it
  /// If it reaches outside: the preprocessed text with all includes.
  std::optional<std::string> whole{};
  /// If it reaches outside: the included files. `whole` lacks their comments and blanks, which
  /// decide columns.
  std::string included{};
};
/// Sets `whole` and `included`. Returns false if they cannot be made.
bool add_outside(SourceParts& source, const SourceJob& job, const TemporaryFolder& folder,
                 const Toolchain& toolchain);
/// True if the files that it includes are unchanged.
bool is_as_before(const SourceParts& source, const SourceJob& job);

/// The key contains everything that the result depends on: text, options, programs, this library's
/// version and a digest of this room.
SourceCache cache_of(const std::string& folder, const Toolchain& toolchain, const SourceJob& job,
                     const SourceParts& source);
/// The cached module, with its warnings. `name` is the source's name in messages.
std::optional<CompiledSource> found_in(const SourceCache& cache, const std::string& name);

/// The cached module from kept_folder(), else the result of translate_opencl_c() for a file with
/// `text`.
CompiledSource translate_or_find(const SourceJob& job, std::string_view text,
                                 const TemporaryFolder& folder, const Toolchain& toolchain);

}  // namespace transpire::compiler
