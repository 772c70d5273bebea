// `transpire compile`: compiles OpenCL C or a compute shader to a SPIR-V module file.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/commands.h"
#include "cli/json_output.h"
#include "launch/report/diagnose.h"
#include "launch/report/files.h"
#include "transpire/transpire.hpp"

namespace transpire::cli {
namespace {

Result<CompileOptions> options_of(const CompileCommand& command) {
  CompileOptions options;
  auto words = words_of(command.build_options);
  if (!words) return words.errors();
  options.options = std::move(words).value();
  const auto has_level = [](const std::string& word) { return word.starts_with("-O"); };
  if (command.for_checks &&
      (!command.level.empty() || std::ranges::any_of(options.options, has_level)))
    return command_error(kBadCommandLine,
                         "'--for-checks' compiles without clang's optimiser, '-O' asks for a level "
                         "of it",
                         "leave out one of them");
  if (!command.level.empty()) options.options.push_back("-O" + command.level);
  if (command.debug) options.options.emplace_back("-g");
  options.spirv_version = command.spirv_version;
  options.optimise = !command.for_checks;
  options.source_types = command.for_checks;  // as a run compiles it
  options.debug_info = command.debug || command.for_checks;
  return options;
}

Result<CompiledSource> compiled_of(const CompileCommand& command, CompileOptions options) {
  if (!is_read_once(command.file)) return compile_source_file(command.file, options);
  const auto bytes = read_file(command.file);
  if (!bytes) return bytes.errors();
  options.name = command.file == "-" ? "<stdin>" : command.file;
  options.options.emplace_back("-I.");
  return compile_source({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, options);
}

Status write_module(const std::string& path, std::span<const std::byte> module) {
  if (path != "-") return write_file(path, module);
  print({reinterpret_cast<const char*>(module.data()), module.size()});
  return Unit{};
}

}  // namespace

int command_compile(const CompileCommand& command) {
  const auto options = options_of(command);
  if (!options) return fail("compile", command, options.errors());
  if (!is_read_once(command.file) && launch_marker(command.file) != "//!")
    return fail("compile", command,
                {command_error(
                    kBadCommandLine, fmt::format("'{}' is no source", command.file),
                    "sources are files called NAME.cl, .CL, .ocl or .clcpp, standard input, '-', "
                    "and shaders: NAME.comp or .hlsl")});
  std::error_code ignored;
  if (std::filesystem::equivalent(command.file, command.output, ignored))
    return fail("compile", command,
                {command_error(kBadCommandLine,
                               fmt::format("'{}' would be replaced by its module", command.file))});
  const auto compiled_source = compiled_of(command, *options);
  if (!compiled_source) return fail("compile", command, compiled_source.errors());
  const CompiledSource& compiled = *compiled_source;
  if (!compiled.errors.empty()) return fail("compile", command, compiled.errors);
  if (const Status written = write_module(command.output, compiled.module); !written)
    return fail("compile", command, written.errors());
  if (command.json() && command.output != "-")
    print(json_of_compilation(command.file, command.output, compiled));
  else
    show(compiled.warnings);
  return kSuccess;
}

}  // namespace transpire::cli
