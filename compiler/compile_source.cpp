// compile_source: OpenCL C text and headers in memory, through files that clang reads, and the
// cache.
#include <fmt/format.h>

#include "base/content.h"
#include "compiler/compiled_module.h"
#include "compiler/kept_source.h"
#include "compiler/opencl_source.h"
#include "compiler/shader_source.h"
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
  const bool outside = reaches_outside(text, options.options);
  SourceJob job{{}, options.name, options.options, options.optimise, limit, options.spirv_version};
  job.prologue = prologue ? *prologue : common_prologue(options.options, text);
  SourceParts source{text, &options.headers};
  const SourceJob named = job;  // without folders that are made for it
  std::optional<SourceCache> cache;
  if (!options.cache_folder.empty() && !outside) {
    cache.emplace(cache_of(options.cache_folder, *toolchain, named, source));
    if (auto found = found_in(*cache, options.name)) return *std::move(found);
  }
  const TemporaryFolder folder;
  if (!folder.ok()) return {{}, {}, {no_folder()}};
  job.path = folder.file("source.cl");
  if (auto errors = write_sources(text, options, job.path, folder); !errors.empty())
    return {{}, {}, std::move(errors)};
  const std::string headers = folder.file(kHeaderFolder);
  if (!options.headers.empty())
    job.options.insert(job.options.begin(),
                       {"-I" + headers, "-ffile-prefix-map=" + headers + "/="});
  if (!options.cache_folder.empty() && outside && add_outside(source, job, folder, *toolchain)) {
    cache.emplace(cache_of(options.cache_folder, *toolchain, named, source));
    if (auto found = found_in(*cache, options.name)) return *std::move(found);
  }
  CompiledSource compiled = translate_opencl_c(job, folder, *toolchain);
  if (cache && compiled.errors.empty() && is_as_before(source, job)) cache->store(compiled);
  return compiled;
}

namespace {

/// With what clang knows of types where that is wanted, as compile_file() does it.
CompiledSource compile_typed(std::string_view text, const CompileOptions& options,
                             const WorkLimit& limit) {
  if (options.source_types && wants_types(options.options, text)) {
    CompileOptions with_types = options;
    with_types.options.emplace_back("-g");
    CompiledSource compiled = compile_text(text, with_types, limit);
    if (compiled.errors.empty()) return compiled;
  }
  return compile_text(text, options, limit);
}

}  // namespace

std::string input_name(const LoadOptions& options) {
  return options.name == LoadOptions{}.name ? "<stdin>" : options.name;
}

CompiledSource compile_standard_input(std::string_view text, const LoadOptions& options,
                                      const WorkLimit& limit) {
  if (auto refusal = refusal_of_kept_folder()) return {{}, {}, {*std::move(refusal)}};
  CompileOptions compile;
  compile.name = input_name(options);
  compile.options = options.build_options;
  compile.options.emplace_back("-I.");
  compile.optimise = options.optimise_source;
  compile.cache_folder = kept_folder();
  compile.source_types = options.source_types;
  return compile_typed(text, compile, limit);
}

}  // namespace compiler

CompiledSource compile_source(std::string_view text, const CompileOptions& options) {
  return compiler::as_wanted(compiler::compile_typed(text, options, {}), options);
}

CompiledSource compile_source_file(const std::string& path, const CompileOptions& options) {
  if (is_shader_name(path)) {
    auto module = compiler::compile_shader(path, options.options, {});
    if (!module) return {{}, {}, module.errors()};
    return compiler::as_wanted({std::move(module).value(), {}, {}}, options);
  }
  return compiler::as_wanted(compiler::compile_file({path,
                                                     path,
                                                     options.options,
                                                     options.optimise,
                                                     {},
                                                     options.spirv_version,
                                                     options.source_types}),
                             options);
}

}  // namespace transpire
