#include "compiler/shader_source.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <optional>
#include <sstream>

#include "base/content.h"
#include "base/environment.h"
#include "base/process.h"
#include "compiler/files.h"
#include "compiler/module_words.h"
#include "compiler/opencl_source.h"

namespace transpire::compiler {
namespace {

/// The names of glslang's program, the one of newer packages last.
constexpr const char* kPrograms[] = {"glslangValidator", "glslang"};

Diagnostic no_glslang(const std::string& why) {
  Diagnostic error =
      make_diagnostic(Rule::kC0031, fmt::format("compiling a shader needs glslang, and {}", why));
  error.help = fmt::format("install glslang-tools, or name the program in {}", kGlslangVariable);
  return error;
}

Result<std::string> find_glslang() {
  if (std::string named = environment_variable(kGlslangVariable); !named.empty()) return named;
  for (const char* program : kPrograms)
    if (!program_identity(program).empty()) return std::string(program);
  return no_glslang(fmt::format("PATH has neither '{}' nor '{}'", kPrograms[0], kPrograms[1]));
}

/// Others may name files to write.
std::optional<Diagnostic> refusal_of(const std::vector<std::string>& options) {
  for (const std::string& option : options) {
    if (option.starts_with("-D") || option.starts_with("-U") || option.starts_with("-I")) continue;
    Diagnostic error =
        make_diagnostic(Rule::kC0037, fmt::format("the build option '{}' is refused", option));
    error.help = "shaders take '-DNAME=VALUE', '-UNAME' and '-IFOLDER'";
    return error;
  }
  return std::nullopt;
}

/// "ERROR: FILE:LINE: MESSAGE"; none for other lines, and for the counts at the end.
std::optional<Diagnostic> message_in(std::string_view line, const std::string& path,
                                     const std::string& name) {
  constexpr std::string_view kMark = "ERROR: ";
  if (!line.starts_with(kMark)) return std::nullopt;
  line.remove_prefix(kMark.size());
  Diagnostic error = make_diagnostic(Rule::kC0030, std::string(line));
  error.input = name;
  const std::string place = path + ":";
  if (!line.starts_with(place)) return std::nullopt;
  line.remove_prefix(place.size());
  const auto [stop, wrong] =
      std::from_chars(line.data(), line.data() + line.size(), error.source.line);
  line.remove_prefix(static_cast<std::size_t>(stop - line.data()));
  if (wrong != std::errc{} || !line.starts_with(": ")) return error;
  error.source.file = name;
  line.remove_prefix(2);
  while (line.ends_with(' ')) line.remove_suffix(1);
  if (line.starts_with("'' : ")) line.remove_prefix(5);
  error.message = line;
  return error;
}

Diagnostics messages_in(const std::string& output, const std::string& path,
                        const std::string& name) {
  Diagnostics errors;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (auto error = message_in(line, path, name);
        error && error->message != "compilation terminated")
      errors.push_back(*std::move(error));
  if (!errors.empty()) return errors;
  Diagnostic error = make_diagnostic(Rule::kC0030, "glslang rejects the source");
  error.input = name;
  if (!output.empty()) error.notes.push_back(output);
  return {std::move(error)};
}

}  // namespace

namespace {

/// The module with a file's name in place of the one that glslang read.
std::vector<std::byte> renamed(std::span<const std::byte> module, std::string_view from,
                               std::string_view to) {
  const std::vector<std::uint32_t> words = words_of(module);
  std::vector<std::uint32_t> made(words.begin(), words.begin() + decoder::kHeaderWords);
  each_instruction(words, [&](Words instruction) {
    const bool is_name = op_of(instruction) == spv::Op::OpString && instruction.size() > 2 &&
                         text_of(instruction.subspan(2)) == from;
    if (!is_name) return void(made.insert(made.end(), instruction.begin(), instruction.end()));
    std::vector<std::uint32_t> operands{instruction[1]};
    operands.resize(1 + to.size() / 4 + 1);  // with the zero that ends it
    std::memcpy(&operands[1], to.data(), to.size());
    append(made, spv::Op::OpString, operands);
  });
  return bytes_of(made);
}

/// Compiles the file at `path`, which messages call `name`.
Result<std::vector<std::byte>> compile_named(const std::string& path, const std::string& name,
                                             const std::vector<std::string>& options,
                                             const WorkLimit& limit) {
  if (auto refused = refusal_of(options)) return *std::move(refused);
  TRANSPIRE_TRY(const std::string program, find_glslang());
  const TemporaryFolder folder;
  if (!folder.ok()) return no_folder();
  const std::string output = folder.file("shader.spv");
  // Structured buffers of HLSL have the decoration BufferBlock, which SPIR-V has up to 1.3.
  std::vector<std::string> arguments =
      is_hlsl_name(path) ? std::vector<std::string>{"-D", "-e", "main", "--target-env", "vulkan1.1"}
                         : std::vector<std::string>{"--target-env", "vulkan1.2"};
  arguments.insert(arguments.end(), {"-S", "comp", "-V", "-g"});
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.insert(arguments.end(), {"-o", output, path});
  const ProcessEnd end = run_process(program, arguments, {limit});
  if (limit.spent()) return time_is_over("the shader was compiled");
  if (!end.started) return no_glslang(fmt::format("'{}' cannot be run", program));
  if (end.exit_code != 0) return messages_in(end.output, path, name);
  return read_file(output, limit);
}

}  // namespace

Result<std::vector<std::byte>> compile_shader(const std::string& path,
                                              const std::vector<std::string>& options,
                                              const WorkLimit& limit) {
  return compile_named(path, path, options, limit);
}

Result<std::vector<std::byte>> compile_shader_text(std::string_view text, const std::string& name,
                                                   const std::vector<std::string>& options,
                                                   const WorkLimit& limit) {
  constexpr std::size_t kMostNameBytes = 4096;
  const TemporaryFolder folder;
  const std::string path = folder.file("shader.comp");
  if (!folder.ok() || !write_file(path, text)) return no_folder();
  auto module = compile_named(path, name, options, limit);
  if (!module) return module;
  return renamed(*module, path, std::string_view(name).substr(0, kMostNameBytes));
}

}  // namespace transpire::compiler
