// What is kept of compiled OpenCL C (source_cache.h): under which key, and whether it may be.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/opencl_source.h"
#include "compiler/source_cache.h"

namespace transpire::compiler {

/// Names the folder where modules of `.cl` files, and of standard input, are kept: "0" nowhere, empty or unset in
/// users_cache().
inline constexpr const char* kCacheVariable = "TRANSPIRE_CACHE";
std::string kept_folder();
/// Errors: the variable names no folder, and none can be made there (C0024); refusal_of_users_cache().
std::optional<Diagnostic> refusal_of_kept_folder();

/// "0" switches users_cache() off, "1" is the same as none.
inline constexpr const char* kUsersCacheVariable = "TRANSPIRE_CL_CACHE";
/// C0033: the variable has another value.
std::optional<Diagnostic> refusal_of_users_cache();
/// The user's folder for caches, where the OpenCL driver keeps what it compiles; empty where there is none.
std::string users_cache();

/// Whether what clang makes of the text depends on more than it and the options: on files, or on the time.
bool reaches_outside(std::string_view text, const std::vector<std::string>& options);

/// What a source is made of.
struct SourceParts {
  std::string_view text;                               ///< of the file that clang reads
  const std::vector<SourceHeader>* headers = nullptr;  ///< handed over with it
  /// Where it reaches outside: what clang makes of it with all that it includes.
  std::optional<std::string> whole{};
  /// Likewise: the files that it includes. Comments and blanks, of which nothing is left in `whole`, decide columns.
  std::string included{};
};
/// `whole` and `included`. False: they cannot be made.
bool add_outside(SourceParts& source, const SourceJob& job, const TemporaryFolder& folder,
                 const Toolchain& toolchain);
/// Whether the files that it includes are as they were.
bool is_as_before(const SourceParts& source, const SourceJob& job);

/// In the key is what decides what the programs make of it: the text and options, the programs, this library's version and
/// a digest of this room.
SourceCache cache_of(const std::string& folder, const Toolchain& toolchain, const SourceJob& job,
                     const SourceParts& source);
/// What is kept, with its warnings. `name` is how messages call the source.
std::optional<CompiledSource> found_in(const SourceCache& cache, const std::string& name);

/// translate_opencl_c() of a file that holds `text`, unless kept_folder() has it.
CompiledSource translate_or_find(const SourceJob& job, std::string_view text,
                                 const TemporaryFolder& folder, const Toolchain& toolchain);

}  // namespace transpire::compiler
