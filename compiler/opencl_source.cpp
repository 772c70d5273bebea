#include "compiler/opencl_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <sstream>

#include "base/process.h"
#include "compiler/clock_calls.h"
#include "compiler/files.h"
#include "decoder/raw_instructions.h"

namespace transpire::compiler {
namespace {

constexpr const char* kClang = "clang-15";
constexpr const char* kTranslator = "llvm-spirv-15";

Diagnostic not_installed(const std::string& path, const std::string& program,
                         const std::string& package) {
  Diagnostic error = make_diagnostic(
      Rule::kC0031, fmt::format("compiling OpenCL C needs '{}', which is not installed", program));
  error.input = path;
  error.help = fmt::format("on Debian: apt install {}; or give a SPIR-V module", package);
  return error;
}

bool has_prefix(const std::vector<std::string>& options, std::string_view prefix) {
  return std::any_of(options.begin(), options.end(),
                     [prefix](const std::string& option) { return option.starts_with(prefix); });
}

std::vector<std::string> clang_arguments(const std::string& path, const std::string& output,
                                         const std::vector<std::string>& options) {
  std::vector<std::string> arguments{"-x", "cl", "-target", "spir64-unknown-unknown", "-emit-llvm",
                                     "-c", "-Xclang", "-finclude-default-header",
                                     "-fno-discard-value-names",
                                     // Findings name the file as the user did, not where it lies.
                                     "-fdebug-compilation-dir=.", "-fno-color-diagnostics"};
  if (!has_prefix(options, "-cl-std")) arguments.emplace_back("-cl-std=CL1.2");
  if (!has_prefix(options, "-O")) arguments.emplace_back("-O2");
  if (!has_prefix(options, "-g")) arguments.emplace_back("-gline-tables-only");
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.insert(arguments.end(), {"-o", output, path});
  return arguments;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// What the first line of a diagnostic of clang's says.
struct Heading {
  std::string_view severity;
  std::string message;
  SourceLine place;
};

/// "file:line:column" as a whole.
bool parse_place(std::string_view text, SourceLine& place) {
  const std::size_t column = text.rfind(':');
  if (column == text.npos || column == 0) return false;
  const std::size_t row = text.rfind(':', column - 1);
  if (row == text.npos) return false;
  const auto number = [](std::string_view digits, std::uint32_t& into) {
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, into);
    return error == std::errc{} && stop == end;
  };
  place.file = text.substr(0, row);
  while (place.file.starts_with("./")) place.file.erase(0, 2);
  return number(text.substr(row + 1, column - row - 1), place.line) &&
         number(text.substr(column + 1), place.column);
}

/// Reads "file:line:column: error: message" and "clang: error: message"; nothing for other lines,
/// of which source lines may hold anything.
std::optional<Heading> heading_of(std::string_view line) {
  for (const std::string_view severity : {"fatal error", "error", "warning", "note", "remark"}) {
    const std::string mark = fmt::format(": {}: ", severity);
    const std::size_t at = line.find(mark);
    if (at == line.npos) continue;
    Heading heading{severity, std::string(line.substr(at + mark.size())), {}};
    if (parse_place(line.substr(0, at), heading.place)) return heading;
    heading.place = {};
    if (line.starts_with("clang")) return heading;
  }
  return std::nullopt;
}

/// Lines of clang's that belong to no diagnostic: counts at the end, and what included a file.
bool is_remark_of_compiler(std::string_view line) {
  return line.ends_with(" generated.") || line.starts_with("In file included from ") ||
         line.starts_with("fatal error: too many errors");
}

/// A source line of clang's and the line with its caret, which follow a heading.
void add_excerpt(std::vector<std::string>& notes, Diagnostic& diagnostic) {
  const auto is_caret = [](const std::string& line) {
    return line.find('^') != line.npos && line.find_first_not_of(" \t~^") == line.npos;
  };
  if (notes.size() < 2 || !is_caret(notes[1])) return;
  diagnostic.excerpt = notes[0] + "\n" + notes[1] + "\n";
  notes.erase(notes.begin(), notes.begin() + 2);
}

/// One diagnostic for each error, or warning, of clang's. The lines that follow one are its excerpt, and what clang
/// notes.
Diagnostics clang_messages(const std::string& path, const std::string& output, bool errors) {
  Diagnostics found;
  bool wanted = false;
  for (const std::string& line : lines_of(output)) {
    const auto heading = heading_of(line);
    if (heading &&
        (errors ? heading->severity.ends_with("error") : heading->severity == "warning")) {
      Diagnostic diagnostic =
          make_diagnostic(errors ? Rule::kC0030 : Rule::kC0036, heading->message);
      diagnostic.input = path;
      diagnostic.source = heading->place;
      found.push_back(std::move(diagnostic));
      wanted = true;
      continue;
    }
    if (is_remark_of_compiler(line) || (heading && heading->severity != "note")) wanted = false;
    if (wanted) found.back().notes.push_back(line);
  }
  for (Diagnostic& diagnostic : found) add_excerpt(diagnostic.notes, diagnostic);
  return found;
}

Diagnostics clang_errors(const std::string& path, const std::string& output) {
  if (Diagnostics errors = clang_messages(path, output, true); !errors.empty()) return errors;
  Diagnostic error = make_diagnostic(Rule::kC0030, "the compiler failed without naming an error");
  error.input = path;
  error.notes = lines_of(output);
  return {error};
}

/// Whether the module has an instruction whose result depends on which work-items of a sub-group are
/// there.
bool has_non_uniform_instruction(const std::string& path) {
  const Result<std::vector<std::byte>> module = read_file(path);
  if (!module) return false;
  std::vector<std::uint32_t> words(module->size() / 4);
  if (!words.empty()) std::memcpy(words.data(), module->data(), words.size() * 4);
  bool found = false;
  decoder::for_each_instruction(words, [&](std::size_t at, std::size_t) {
    const auto op = static_cast<spv::Op>(words[at] & 0xffff);
    found = found || op == spv::Op::OpGroupNonUniformRotateKHR ||
            (op >= spv::Op::OpGroupNonUniformElect && op <= spv::Op::OpGroupNonUniformQuadSwap) ||
            (op >= spv::Op::OpSubgroupShuffleINTEL && op <= spv::Op::OpSubgroupBlockWriteINTEL);
  });
  return found;
}

/// Clang 15 makes one call of two that stand in both branches, though other work-items may execute each.
std::vector<std::string> with_branches_kept(std::vector<std::string> options) {
  options.insert(options.end(), {"-mllvm", "-simplifycfg-hoist-common=false", "-mllvm",
                                 "-simplifycfg-sink-common=false"});
  return options;
}

struct Attempt {
  Diagnostics errors;              ///< empty when the module was written
  bool translator_failed = false;  ///< clang accepts the source, the translator what it made not
  std::string log;                 ///< clang's
};

/// What clang wrote, with files of the temporary folder named as the source names them.
std::string as_user_named(std::string text, const TemporaryFolder& folder) {
  for (const std::string& prefix : {folder.file(kHeaderFolder) + "/", folder.file("")})
    for (std::size_t at = text.find(prefix); at != text.npos; at = text.find(prefix, at))
      text.erase(at, prefix.size());
  return text;
}

Diagnostic out_of_time(const SourceJob& job) {
  Diagnostic error = time_is_over("OpenCL C was compiled");
  error.input = job.name;
  return error;
}

/// What the translator may use where the source asks for it. Modules of other sources are the same
/// with and without.
constexpr const char* kExtensions =
    "--spirv-ext=+SPV_KHR_bit_instructions,+SPV_KHR_expect_assume,+SPV_KHR_integer_dot_product,"
    "+SPV_KHR_linkonce_odr,+SPV_KHR_subgroup_rotate,+SPV_KHR_uniform_group_instructions,"
    "+SPV_EXT_shader_atomic_float_add,+SPV_EXT_shader_atomic_float_min_max,+SPV_INTEL_subgroups";

/// Without clang's optimiser, operations that the source's types keep from wrapping say so (--check=ub).
ProcessEnd run_translator(const std::string& version, const std::string& bitcode,
                          const std::string& module, const SourceJob& job) {
  std::string extensions = kExtensions;
  if (!job.optimise) extensions += ",+SPV_KHR_no_integer_wrap_decoration";
  return run_process(
      kTranslator,
      {"--spirv-max-version=" + version, extensions,
       // Types as the source spells them: SPIR-V has no signed integers.
       "--preserve-ocl-kernel-arg-type-metadata-through-string", bitcode, "-o", module},
      {job.limit});
}

/// Runs both programs, which write `module`.
Attempt translate(const SourceJob& job, const TemporaryFolder& folder, const std::string& module,
                  const std::vector<std::string>& options) {
  const std::string bitcode = folder.file("kernel.bc");
  const ProcessEnd clang =
      run_process(kClang, clang_arguments(job.path, bitcode, options), {job.limit});
  Attempt attempt;
  if (clang.limit != WorkLimit::End::kNone) {
    attempt.errors = {out_of_time(job)};
    return attempt;
  }
  if (!clang.started || clang.exit_code == 127) {
    attempt.errors = {not_installed(job.name, kClang, "clang-15")};
    return attempt;
  }
  attempt.log = as_user_named(clang.output, folder);
  if (clang.exit_code != 0) {
    attempt.errors = clang_errors(job.name, attempt.log);
    return attempt;
  }
  const std::string version = job.spirv_version.empty() ? "1.2" : job.spirv_version;
  ProcessEnd translator = run_translator(version, bitcode, module, job);
  // Non-uniform instructions of sub-groups came with 1.3; a module says the version it was allowed.
  const bool may_be_later = job.spirv_version.empty() && translator.started;
  if (may_be_later && translator.exit_code != 0 && translator.exit_code != 127)
    if (ProcessEnd later = run_translator("1.4", bitcode, module, job); later.exit_code == 0)
      translator = std::move(later);
  if (!translator.started || translator.exit_code == 127) {
    attempt.errors = {not_installed(job.name, kTranslator, "llvm-spirv-15")};
    return attempt;
  }
  if (translator.exit_code == 0) return attempt;
  if (translator.limit != WorkLimit::End::kNone) {
    attempt.errors = {out_of_time(job)};
    return attempt;
  }
  Diagnostic error = make_diagnostic(Rule::kC0030, "the translation to SPIR-V failed");
  error.input = job.name;
  error.notes = lines_of(translator.output);
  // Where it crashed, what follows is its stack.
  error.notes.erase(
      std::find_if(error.notes.begin(), error.notes.end(),
                   [](const std::string& line) { return line.starts_with("PLEASE submit"); }),
      error.notes.end());
  if (!job.spirv_version.empty())
    error.help = "a newer version of SPIR-V may have what the source needs";
  attempt.errors = {error};
  attempt.translator_failed = true;
  return attempt;
}

}  // namespace

Diagnostics warnings_in(const std::string& name, const std::string& log) {
  return clang_messages(name, log, false);
}

CompiledSource translate_opencl_c(const SourceJob& job, const TemporaryFolder& folder) {
  const std::string module = folder.file("kernel.spv");
  std::vector<std::string> plain = job.options;
  plain.insert(plain.end(), {"-Xclang", "-disable-llvm-passes"});
  Attempt attempt = translate(job, folder, module, job.optimise ? job.options : plain);
  if (attempt.errors.empty() && job.optimise && has_non_uniform_instruction(module))
    attempt = translate(job, folder, module, with_branches_kept(job.options));
  // Clang's optimiser makes what SPIR-V 1.2 lacks: 3-bit integers in switches, `freeze`. The VM
  // optimises by itself, so nothing is lost without it.
  if (attempt.translator_failed && job.optimise) attempt = translate(job, folder, module, plain);
  CompiledSource compiled{{}, std::move(attempt.log), std::move(attempt.errors)};
  compiled.warnings = warnings_in(job.name, compiled.log);
  if (!compiled.errors.empty()) return compiled;
  Result<std::vector<std::byte>> words = read_file(module);
  if (!words)
    compiled.errors = words.errors();
  else
    compiled.module = with_clock_instructions(std::move(*words));
  return compiled;
}

std::optional<std::string> preprocess_opencl_c(const SourceJob& job,
                                               const TemporaryFolder& folder) {
  const std::string output = folder.file("kernel.i");
  std::vector<std::string> arguments = clang_arguments(job.path, output, job.options);
  arguments.emplace_back("-E");
  if (run_process(kClang, arguments).exit_code != 0) return std::nullopt;
  const Result<std::vector<std::byte>> text = read_file(output);
  if (!text) return std::nullopt;
  return as_user_named(std::string(reinterpret_cast<const char*>(text->data()), text->size()),
                       folder);
}

std::string compiler_identity() {
  return fmt::format("{}\n{}\n", program_identity(kClang), program_identity(kTranslator));
}

CompiledSource compile_file(const SourceJob& job) {
  // A missing file is our own error, in our own words.
  if (const auto source = read_file(job.path); !source) return {{}, {}, source.errors()};
  const TemporaryFolder folder;
  if (!folder.ok()) return {{}, {}, {no_folder()}};
  return translate_opencl_c(job, folder);
}

Diagnostic no_folder() {
  return make_diagnostic(Rule::kC0001, "cannot make a temporary folder for the compiler");
}

Result<std::vector<std::byte>> module_of_file(const std::string& path, const LoadOptions& options,
                                              const WorkLimit& limit, Diagnostics& warnings) {
  if (path.ends_with(".cl")) {
    CompiledSource compiled =
        compile_file({path, path, options.build_options, options.optimise_source, limit});
    warnings = std::move(compiled.warnings);
    if (!compiled.errors.empty()) return std::move(compiled.errors);
    return std::move(compiled.module);
  }
  return read_file(path, limit, options.max_file_bytes);
}

}  // namespace transpire::compiler

namespace transpire {

bool can_compile_source() {
  return !compiler::program_identity(compiler::kClang).empty() &&
         !compiler::program_identity(compiler::kTranslator).empty();
}

}  // namespace transpire
