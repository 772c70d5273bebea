#include "compiler/kept_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "base/environment.h"
#include "base/rule.h"
#include "compiler/sources_digest.h"

namespace transpire::compiler {
namespace {

/// Options by which clang reads files that no directive of the text names, or asks for the time.
bool reach_outside(const std::vector<std::string>& options) {
  return std::ranges::any_of(options, [](const std::string& option) {
    constexpr std::string_view kPrefixes[] = {"-include", "--include", "-imacros", "--imacros"};
    return option.find("__TIME") != option.npos || option.find("__DATE") != option.npos ||
           std::ranges::any_of(kPrefixes, [&option](std::string_view prefix) {
             return option.starts_with(prefix);
           });
  });
}

/// The files that a preprocessed text names in its lines `# 1 "FILE"`, but the one that is compiled: their names and what they hold.
std::string texts_of_files(std::string_view whole, const SourceJob& job) {
  std::set<std::string> names;
  for (std::size_t at = 0; at < whole.size(); at = whole.find('\n', at), at += at != whole.npos) {
    if (whole[at] != '#') continue;
    const std::string_view line = whole.substr(at, whole.find('\n', at) - at);
    const std::size_t first = line.find('"'), last = line.rfind('"');
    if (first != line.npos && last > first) names.emplace(line.substr(first + 1, last - first - 1));
  }
  names.erase(job.path);
  std::string texts;
  for (const std::string& name : names) {
    const Result<std::vector<std::byte>> file = read_file(name, job.limit, job.max_bytes);
    if (!file) continue;  // no file: "<built-in>"
    texts += fmt::format("{} {}\n", name, file->size());
    texts.append(reinterpret_cast<const char*>(file->data()), file->size());
  }
  return texts;
}

}  // namespace

std::string users_cache() {
  if (environment_variable(kUsersCacheVariable) == "0") return {};
  if (const std::string cache = environment_variable("XDG_CACHE_HOME"); cache.starts_with('/'))
    return cache + "/transpire";
  if (const std::string home = environment_variable("HOME"); !home.empty())
    return home + "/.cache/transpire";
  return {};
}

std::string kept_folder() {
  const std::string named = environment_variable(kCacheVariable);
  if (named.empty()) return users_cache();
  return named == "0" ? std::string() : named;
}

std::optional<Diagnostic> refusal_of_users_cache() {
  const std::string value = environment_variable(kUsersCacheVariable);
  if (value.empty() || value == "0" || value == "1") return std::nullopt;
  Diagnostic error = make_diagnostic(
      Rule::kC0033, fmt::format("'{}' in {} means nothing", value, kUsersCacheVariable));
  error.help = "'0' keeps no compiled sources, '1' does. XDG_CACHE_HOME says in which folder";
  return error;
}

std::optional<Diagnostic> refusal_of_kept_folder() {
  const std::string named = environment_variable(kCacheVariable);
  if (named.empty()) return refusal_of_users_cache();
  if (named == "0") return std::nullopt;
  std::error_code error;
  std::filesystem::create_directories(named, error);
  if (std::error_code ignored; !error || std::filesystem::is_directory(named, ignored))
    return std::nullopt;
  Diagnostic refusal = make_diagnostic(
      Rule::kC0024, fmt::format("'{}' in {} is no folder, and none can be made there: {}", named,
                                kCacheVariable, error.message()));
  refusal.help = "name a folder, or '0' to keep no compiled sources";
  return refusal;
}

/// Directives may be spliced over lines, or spelled with trigraphs.
bool reaches_outside(std::string_view text, const std::vector<std::string>& options) {
  std::string joined;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text.find_first_not_of(" \t\r", i + 1);
    if (text[i] == '\\' && end != text.npos && text[end] == '\n')
      i = end;
    else
      joined += text[i];
  }
  const auto has = [&joined](const char* word) { return joined.find(word) != joined.npos; };
  return has("include") || has("import") || has("embed") || has("__TIME") || has("__DATE") ||
         has("?\?/") || reach_outside(options);
}

bool add_outside(SourceParts& source, const SourceJob& job, const TemporaryFolder& folder,
                 const Toolchain& toolchain) {
  source.whole = preprocess_opencl_c(job, folder, toolchain);
  if (source.whole) source.included = texts_of_files(*source.whole, job);
  return source.whole.has_value();
}

bool is_as_before(const SourceParts& source, const SourceJob& job) {
  return !source.whole || source.included == texts_of_files(*source.whole, job);
}

SourceCache cache_of(const std::string& folder, const Toolchain& toolchain, const SourceJob& job,
                     const SourceParts& source) {
  std::string key = toolchain.identity();
  const auto add = [&key](std::string_view part) {
    key += fmt::format("{}:{}\n", part.size(), part);
  };
  add(version());
  add(kSourcesDigest);
  add(environment_variable("CCC_OVERRIDE_OPTIONS"));  // which clang obeys
  add(job.name);
  add(job.optimise ? "optimised" : "plain");
  add(job.spirv_version);
  for (const std::string& option : job.options) add(option);
  add(job.prologue);
  add(source.text);
  if (source.headers != nullptr)
    for (const SourceHeader& header : *source.headers) {
      add(header.name);
      add(header.text);
    }
  add(source.whole ? "with files" : "alone");
  if (source.whole) add(*source.whole);
  add(source.included);
  return {folder, std::move(key)};
}

std::optional<CompiledSource> found_in(const SourceCache& cache, const std::string& name) {
  std::optional<CompiledSource> found = cache.find();
  if (found) found->warnings = warnings_in(name, found->log);
  return found;
}

CompiledSource translate_or_find(const SourceJob& job, std::string_view text,
                                 const TemporaryFolder& folder, const Toolchain& toolchain) {
  const std::string kept = kept_folder();
  SourceParts source{text};
  if (kept.empty() ||
      (reaches_outside(text, job.options) && !add_outside(source, job, folder, toolchain)))
    return translate_opencl_c(job, folder, toolchain);
  const SourceCache cache = cache_of(kept, toolchain, job, source);
  if (auto found = found_in(cache, job.name)) return *std::move(found);
  CompiledSource compiled = translate_opencl_c(job, folder, toolchain);
  // Somebody may have written the files meanwhile.
  const Result<std::vector<std::byte>> now = read_file(job.path, job.limit, job.max_bytes);
  const bool is_same = now && std::ranges::equal(*now, std::as_bytes(std::span(text)));
  if (compiled.errors.empty() && is_same && is_as_before(source, job)) cache.store(compiled);
  return compiled;
}

}  // namespace transpire::compiler
