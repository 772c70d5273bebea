// compile_source: OpenCL C text and headers in memory, through files that clang reads, and the
// cache.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/compiled_module.h"
#include "compiler/opencl_source.h"
#include "compiler/source_cache.h"
#include "compiler/source_prologue.h"

namespace transpire {
namespace compiler {
namespace {

std::string quoted(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c == '\n' ? ' ' : c;
  }
  return text;
}

/// Headers lie below the folder that is made for them, whatever they are called.
bool stays_below(std::string_view name) {
  if (name.empty() || name.front() == '/') return false;
  const std::string path = fmt::format("/{}/", name);
  return path.find("/../") == path.npos;
}

Diagnostics write_sources(std::string_view text, const CompileOptions& options,
                          const std::string& path, const TemporaryFolder& folder) {
  if (!write_file(path, fmt::format("#line 1 \"{}\"\n{}", quoted(options.name), text)))
    return {no_folder()};
  for (const SourceHeader& header : options.headers) {
    Diagnostic error = make_diagnostic(
        Rule::kC0001, fmt::format("cannot make a file of the header '{}'", header.name));
    error.input = options.name;
    if (!stays_below(header.name)) return {error};
    if (!write_file(fmt::format("{}/{}", folder.file(kHeaderFolder), header.name), header.text))
      return {error};
  }
  return {};
}

/// Whether what clang reads depends on more than this text: files, or the time. Directives may be
/// spliced over lines, or spelled with trigraphs.
bool reaches_outside(std::string_view text) {
  std::string joined;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text.find_first_not_of(" \t\r", i + 1);
    if (text[i] == '\\' && end != text.npos && text[end] == '\n')
      i = end;
    else
      joined += text[i];
  }
  const auto has = [&joined](const char* word) { return joined.find(word) != joined.npos; };
  return has("include") || has("import") || has("__TIME") || has("__DATE") || has("?\?/");
}

/// All that decides what the compiler makes of the source, each part with its length.
std::string key_of(const Toolchain& toolchain, std::string_view text, const CompileOptions& options,
                   std::string_view prologue, bool preprocessed) {
  std::string key = toolchain.identity();
  const auto add = [&key](std::string_view part) {
    key += fmt::format("{}:{}\n", part.size(), part);
  };
  add(options.name);
  add(options.optimise ? "optimised" : "plain");
  add(options.spirv_version);
  for (const std::string& option : options.options) add(option);
  if (!preprocessed) {
    add(prologue);
    for (const SourceHeader& header : options.headers) {
      add(header.name);
      add(header.text);
    }
  }
  add(preprocessed ? "preprocessed" : "source");
  add(text);
  return key;
}

std::optional<CompiledSource> found_in(const SourceCache& cache, const std::string& name) {
  std::optional<CompiledSource> found = cache.find();
  if (found) found->warnings = warnings_in(name, found->log);
  return found;
}

/// As the caller wants the module; caches keep all.
CompiledSource as_wanted(CompiledSource compiled, const CompileOptions& options) {
  if (!options.debug_info) compiled.module = without_debug_info(compiled.module);
  return compiled;
}

}  // namespace

CompiledSource compile_text(std::string_view text, const CompileOptions& options,
                            const WorkLimit& limit, const std::optional<std::string>& prologue) {
  const Result<Toolchain> toolchain = usable_toolchain(options.name, options.options);
  if (!toolchain) return {{}, {}, toolchain.errors()};
  const bool outside = reaches_outside(text);
  const std::string before = prologue ? *prologue : common_prologue(options.options, text);
  std::optional<SourceCache> cache;
  if (!options.cache_folder.empty() && !outside) {
    cache.emplace(options.cache_folder, key_of(*toolchain, text, options, before, false));
    if (auto found = found_in(*cache, options.name)) return *std::move(found);
  }
  const TemporaryFolder folder;
  if (!folder.ok()) return {{}, {}, {no_folder()}};
  const std::string path = folder.file("source.cl");
  if (auto errors = write_sources(text, options, path, folder); !errors.empty())
    return {{}, {}, std::move(errors)};
  const std::string headers = folder.file(kHeaderFolder);
  SourceJob job{path,  options.name,         options.options, options.optimise,
                limit, options.spirv_version};
  job.prologue = before;
  if (!options.headers.empty())
    job.options.insert(job.options.begin(),
                       {"-I" + headers, "-ffile-prefix-map=" + headers + "/="});
  if (!options.cache_folder.empty() && outside) {
    if (const auto whole = preprocess_opencl_c(job, folder, *toolchain)) {
      cache.emplace(options.cache_folder, key_of(*toolchain, *whole, options, before, true));
      if (auto found = found_in(*cache, options.name)) return *std::move(found);
    }
  }
  CompiledSource compiled = translate_opencl_c(job, folder, *toolchain);
  if (cache && compiled.errors.empty()) cache->store(compiled);
  return compiled;
}

CompiledSource compile_standard_input(std::string_view text, const LoadOptions& options,
                                      const WorkLimit& limit) {
  CompileOptions compile;
  compile.name = "<stdin>";
  compile.options = options.build_options;
  compile.options.emplace_back("-I.");
  compile.optimise = options.optimise_source;
  if (options.source_types && wants_types(options.build_options, text)) {
    CompileOptions with_types = compile;
    with_types.options.emplace_back("-g");
    CompiledSource compiled = compile_text(text, with_types, limit);
    if (compiled.errors.empty()) return compiled;
  }
  return compile_text(text, compile, limit);
}

}  // namespace compiler

CompiledSource compile_source(std::string_view text, const CompileOptions& options) {
  return compiler::as_wanted(compiler::compile_text(text, options), options);
}

CompiledSource compile_source_file(const std::string& path, const CompileOptions& options) {
  return compiler::as_wanted(
      compiler::compile_file(
          {path, path, options.options, options.optimise, {}, options.spirv_version}),
      options);
}

}  // namespace transpire
