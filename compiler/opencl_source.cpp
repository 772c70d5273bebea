#include "compiler/opencl_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <sstream>

#include "base/content.h"
#include "base/input_file.h"
#include "base/process.h"
#include "compiler/build_options.h"
#include "compiler/clock_calls.h"
#include "compiler/files.h"
#include "compiler/group_reservations.h"
#include "compiler/inline_functions.h"
#include "compiler/kept_source.h"
#include "compiler/module_words.h"
#include "compiler/newer_names.h"
#include "compiler/printf_formats.h"
#include "compiler/shader_source.h"
#include "compiler/source_prologue.h"

namespace transpire::compiler {
namespace {

/// The program existed a moment ago and cannot be run: its interpreter is missing, or it was
/// removed.
Diagnostic does_not_start(const std::string& path, const std::string& program) {
  Diagnostic error = make_diagnostic(
      Rule::kC0031,
      fmt::format("compiling OpenCL C needs '{}', which is found but cannot be run", program));
  error.input = path;
  return error;
}

bool has_prefix(const std::vector<std::string>& options, std::string_view prefix) {
  return std::any_of(options.begin(), options.end(),
                     [prefix](const std::string& option) { return option.starts_with(prefix); });
}

std::vector<std::string> clang_arguments(const std::vector<std::string>& output_options,
                                         const std::string& path, const std::string& output,
                                         const std::vector<std::string>& options) {
  std::vector<std::string> arguments{"-x", "cl", "-c", "-Xclang", "-finclude-default-header",
                                     "-fno-discard-value-names",
                                     // Findings name the file as the user did, not by its folder.
                                     "-fdebug-compilation-dir=.", "-fno-color-diagnostics",
                                     // Without this, clang leaves files when it crashes.
                                     "-fno-crash-diagnostics"};
  arguments.insert(arguments.end(), output_options.begin(), output_options.end());
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

/// The first line of a diagnostic of clang's.
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

/// Reads "file:line:column: error: message" and "clang: error: message"; none for other lines, such
/// as arbitrary source lines.
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

/// True for lines of clang's outside of diagnostics: counts at the end, and "included from".
bool is_remark_of_compiler(std::string_view line) {
  return line.ends_with(" generated.") || line.starts_with("In file included from ") ||
         line.starts_with("fatal error: too many errors");
}

/// Moves clang's source line and the line with its caret, which follow a heading, to the
/// diagnostic.
void add_excerpt(std::vector<std::string>& notes, Diagnostic& diagnostic) {
  const auto is_caret = [](const std::string& line) {
    return line.find('^') != line.npos && line.find_first_not_of(" \t~^") == line.npos;
  };
  if (notes.size() < 2 || !is_caret(notes[1])) return;
  diagnostic.excerpt = notes[0] + "\n" + notes[1] + "\n";
  notes.erase(notes.begin(), notes.begin() + 2);
}

/// A message of clang's, with advice for kernels that were written for another build.
struct Advice {
  std::string_view message, help;
};
constexpr Advice kAdvice[] = {
    {"use of undeclared identifier",
     "declare it, or define it where the build does, as with --build-options '-D NAME=VALUE'"},
    {"file not found", "say where headers are: --build-options '-I FOLDER'"},
    {"implicit declaration of function",
     "declare it, or ask for the version of OpenCL C that has it: --build-options '-cl-std=CL2.0'"},
    {"unknown type name",
     "declare it, or ask for the version of OpenCL C that has it: "
     "--build-options '-cl-std=CL2.0'"},
    {"kernel must have void return type", "store the result through a pointer argument"},
};

/// Best advice for an unknown name is a later version of the language, then clang's own suggestion.
std::string help_for(const Diagnostic& diagnostic, const std::vector<std::string>& options) {
  if (std::string help = newer_version_help(diagnostic.message, diagnostic.excerpt, options);
      !help.empty())
    return help;
  if (diagnostic.message.find("did you mean") != std::string::npos) return {};
  for (const Advice& advice : kAdvice)
    if (diagnostic.message.find(advice.message) != std::string::npos)
      return std::string(advice.help);
  return {};
}

/// One diagnostic for each error, or warning, of clang's. The lines behind it are its excerpt and
/// clang's notes. `options` are clang's, for advice.
Diagnostics clang_messages(const std::string& path, const std::string& output, bool errors,
                           const std::vector<std::string>& options) {
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
    const bool is_here = heading && line.starts_with("./");  // relative to where clang ran
    if (wanted) found.back().notes.push_back(is_here ? line.substr(2) : line);
  }
  for (Diagnostic& diagnostic : found) {
    add_excerpt(diagnostic.notes, diagnostic);
    if (diagnostic.severity == Severity::kError) diagnostic.help = help_for(diagnostic, options);
  }
  return found;
}

Diagnostics clang_errors(const std::string& path, const std::string& output,
                         const std::vector<std::string>& options) {
  if (Diagnostics errors = clang_messages(path, output, true, options); !errors.empty())
    return errors;
  Diagnostic error = make_diagnostic(Rule::kC0030, "the compiler failed without naming an error");
  error.input = path;
  error.notes = lines_of(output);
  return {error};
}

/// True if the module has an instruction whose result depends on which work-items of a sub-group
/// execute it.
bool has_non_uniform_instruction(Words module) {
  bool found = false;
  each_instruction(module, [&](Words instruction) {
    const spv::Op op = op_of(instruction);
    found =
        found || op == spv::Op::OpGroupNonUniformRotateKHR ||
        (op >= spv::Op::OpGroupNonUniformElect && op <= spv::Op::OpGroupNonUniformQuadSwap) ||
        (op >= spv::Op::OpSubgroupShuffleINTEL && op <= spv::Op::OpSubgroupImageBlockWriteINTEL);
  });
  return found;
}

/// Clang would merge two calls in both branches into one, though other work-items may execute each.
std::vector<std::string> with_branches_kept(std::vector<std::string> options) {
  options.insert(options.end(), {"-mllvm", "-simplifycfg-hoist-common=false", "-mllvm",
                                 "-simplifycfg-sink-common=false"});
  return options;
}

/// Options with which clang's optimiser leaves calls of group functions in place; unchanged if it
/// does so anyway.
std::vector<std::string> with_groups_kept(const std::vector<std::string>& options,
                                          const std::string& module_file,
                                          const TemporaryFolder& folder) {
  const Result<std::vector<std::byte>> module = read_file(module_file);
  if (!module || !runs_optimiser(options, true)) return options;
  const std::vector<std::uint32_t> words = words_of(*module);
  std::vector<std::string> kept = options;
  if (has_non_uniform_instruction(words)) kept = with_branches_kept(std::move(kept));
  if (has_group_reservation(words)) {
    const std::string file = folder.file("reservations.h");
    if (write_file(file, kReservationDeclarations))
      kept = with_reservations_declared(std::move(kept), file);
  }
  return kept;
}

struct Attempt {
  Diagnostics errors;              ///< empty if the module was written
  bool translator_failed = false;  ///< clang accepts the source, but no SPIR-V is made of it
  std::string log;                 ///< clang's

  void fail(Diagnostic error) { errors = {std::move(error)}; }
};

/// Clang's output, with files of the temporary folder under their names in the source.
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

/// One compilation: programs, input and output files, and time limit.
struct Work {
  const SourceJob& job;
  const TemporaryFolder& folder;
  const Toolchain& toolchain;
  std::string module;  ///< file to write
  /// Arithmetic carries its no-wrap promises. Values that the optimiser moved ahead of a condition
  /// may break them.
  bool wants_wraps = false;
};

/// Runs the program; if it reports unknown extensions, again without these. `arguments` composes
/// its arguments with the option.
template <class Arguments>
ProcessEnd run_with_extensions(const Work& work, const std::string& program,
                               const Arguments& arguments) {
  for (;;) {
    const std::string extensions = work.toolchain.extensions_option(work.wants_wraps);
    ProcessEnd end = run_process(program, arguments(extensions), {work.job.limit});
    if (end.exit_code == 0 || !work.toolchain.learns_of_extension(end.output, extensions))
      return end;
  }
}

bool ran_out(const ProcessEnd& end) { return end.limit != WorkLimit::End::kNone; }

bool was_not_run(const ProcessEnd& end) { return !end.started || end.exit_code == 127; }

/// The versions of SPIR-V to try, in that order. Non-uniform instructions of sub-groups came with 1.3; a module says the
/// version it was allowed.
std::vector<std::string> versions_of(const SourceJob& job) {
  if (!job.spirv_version.empty()) return {job.spirv_version};
  return {"1.2", "1.4"};
}

/// Runs the program for each version until it succeeds. If none does, returns the first result.
template <class Run>
ProcessEnd first_success(const std::vector<std::string>& versions, const Run& run) {
  ProcessEnd first = run(versions.front());
  if (was_not_run(first)) return first;
  for (std::size_t i = 1; i < versions.size() && first.exit_code != 0 && !ran_out(first); ++i)
    if (ProcessEnd later = run(versions[i]); later.exit_code == 0) return later;
  return first;
}

/// Reports that a source which clang accepts cannot be translated to SPIR-V.
void fail_to_translate(Attempt& attempt, const SourceJob& job, const std::string& said) {
  Diagnostic error = make_diagnostic(Rule::kC0030, "the translation to SPIR-V failed");
  error.input = job.name;
  error.notes = lines_of(said);
  // After a crash, the rest is a stack trace.
  error.notes.erase(
      std::find_if(error.notes.begin(), error.notes.end(),
                   [](const std::string& line) { return line.starts_with("PLEASE submit"); }),
      error.notes.end());
  if (!job.spirv_version.empty())
    error.help = "a newer version of SPIR-V may have what the source needs";
  attempt.fail(std::move(error));
  attempt.translator_failed = true;
}

/// True if the program ran to its end; otherwise the attempt has failed.
bool has_ended(Attempt& attempt, const ProcessEnd& end, const Work& work,
               const std::string& program) {
  if (ran_out(end))
    attempt.fail(out_of_time(work.job));
  else if (was_not_run(end))
    attempt.fail(does_not_start(work.job.name, program));
  return attempt.errors.empty();
}

/// Clang writes bitcode, and the translator makes the module.
Attempt translate_by_both(const Work& work, const std::vector<std::string>& options) {
  const Toolchain& toolchain = work.toolchain;
  const std::string bitcode = work.folder.file("kernel.bc");
  const ProcessEnd clang =
      run_process(toolchain.clang(),
                  clang_arguments(toolchain.output_options({}), work.job.path, bitcode, options),
                  {work.job.limit});
  Attempt attempt;
  if (!has_ended(attempt, clang, work, toolchain.clang())) return attempt;
  attempt.log = as_user_named(clang.output, work.folder);
  if (clang.exit_code != 0) {
    attempt.errors = clang_errors(work.job.name, attempt.log, options);
    return attempt;
  }
  const auto run = [&](const std::string& version) {
    return run_with_extensions(
        work, toolchain.translator(),
        [&](const std::string& extensions) -> std::vector<std::string> {
          return {"--spirv-max-version=" + version, extensions,
                  // Types as the source spells them: SPIR-V has no signed integers.
                  "--preserve-ocl-kernel-arg-type-metadata-through-string", bitcode, "-o",
                  work.module};
        });
  };
  const ProcessEnd translator = first_success(versions_of(work.job), run);
  if (has_ended(attempt, translator, work, toolchain.translator()) && translator.exit_code != 0)
    fail_to_translate(attempt, work.job, translator.output);
  return attempt;
}

/// True if clang's backend failed on a source that clang accepts.
bool is_of_backend(std::string_view said) {
  for (const std::string_view mark : {"PLEASE submit", "error in backend", "LLVM ERROR"})
    if (said.find(mark) != said.npos) return true;
  return false;
}

/// Clang writes the module.
Attempt translate_by_clang(const Work& work, const std::vector<std::string>& options) {
  const Toolchain& toolchain = work.toolchain;
  const auto run = [&](const std::string& version) {
    return run_with_extensions(work, toolchain.clang(), [&](const std::string& extensions) {
      std::vector<std::string> output = toolchain.output_options(version);
      output.insert(output.end(), {"-mllvm", extensions});
      return clang_arguments(output, work.job.path, work.module,
                             toolchain.as_taken(options, version));
    });
  };
  const ProcessEnd clang = first_success(versions_of(work.job), run);
  Attempt attempt;
  if (!has_ended(attempt, clang, work, toolchain.clang())) return attempt;
  attempt.log = as_user_named(clang.output, work.folder);
  if (clang.exit_code != 0 && is_of_backend(attempt.log))
    fail_to_translate(attempt, work.job, attempt.log);
  else if (clang.exit_code != 0)
    attempt.errors = clang_errors(work.job.name, attempt.log, options);
  return attempt;
}

Attempt translate(const Work& work, const std::vector<std::string>& options) {
  return work.toolchain.has_translator() ? translate_by_both(work, options)
                                         : translate_by_clang(work, options);
}

/// Clang's options for this source; the prologue becomes a file of the folder. If that cannot be
/// written, clang reports it.
std::vector<std::string> options_of(const SourceJob& job, const TemporaryFolder& folder) {
  std::vector<std::string> options = handed_to_clang(job.options);
  const std::string prologue = folder.file("prologue.h");
  if (!job.prologue.empty()) {
    write_file(prologue, job.prologue);
    options.insert(options.end(), {"-include", prologue});
  }
  return options;
}

}  // namespace

/// The last -O option counts.
bool runs_optimiser(const std::vector<std::string>& options, bool optimise) {
  bool runs = optimise;
  for (const std::string& option : options) {
    if (option.starts_with("-O")) runs = option != "-O0";
    if (option == "-disable-llvm-passes" || option == "-cl-opt-disable") return false;
  }
  return runs;
}

Diagnostics warnings_in(const std::string& name, const std::string& log) {
  return clang_messages(name, log, false, {});
}

CompiledSource translate_opencl_c(const SourceJob& wanted, const TemporaryFolder& folder,
                                  const Toolchain& toolchain) {
  SourceJob job = wanted;
  const bool has_level = has_prefix(job.options, "-O");
  const bool disabled = has_prefix(job.options, "-cl-opt-disable");
  job.optimise = (job.optimise || has_level) && !disabled;
  const bool as_written = !runs_optimiser(job.options, wanted.optimise);
  const bool wants_wraps = as_written && (!wanted.optimise || disabled);
  const Work work{job, folder, toolchain, folder.file("kernel.spv"), wants_wraps};
  const std::vector<std::string> options = options_of(job, folder);
  std::vector<std::string> plain = options;
  plain.insert(plain.end(), {"-Xclang", "-disable-llvm-passes"});
  Attempt attempt = translate(work, job.optimise ? options : plain);
  if (attempt.errors.empty() && job.optimise)
    if (const auto kept = with_groups_kept(options, work.module, folder); kept != options)
      attempt = translate(work, kept);
  // Clang's optimiser makes what SPIR-V 1.2 lacks: 3-bit integers in switches, `freeze`. The VM
  // optimises by itself, so nothing is lost without it.
  if (attempt.translator_failed && job.optimise) attempt = translate(work, plain);
  CompiledSource compiled{{}, std::move(attempt.log), std::move(attempt.errors)};
  compiled.warnings = warnings_in(job.name, compiled.log);
  if (!compiled.errors.empty()) return compiled;
  Result<std::vector<std::byte>> words = read_file(work.module);
  if (!words)
    compiled.errors = words.errors();
  else
    compiled.module = with_inline_functions(with_clock_instructions(
        toolchain.has_translator() ? std::move(*words) : with_printf_formats(std::move(*words))));
  return compiled;
}

std::optional<std::string> preprocess_opencl_c(const SourceJob& job, const TemporaryFolder& folder,
                                               const Toolchain& toolchain) {
  const std::string output = folder.file("kernel.i");
  const std::string version = versions_of(job).front();
  std::vector<std::string> arguments =
      clang_arguments(toolchain.output_options(version), job.path, output,
                      toolchain.as_taken(options_of(job, folder), version));
  arguments.emplace_back("-E");
  if (run_process(toolchain.clang(), arguments, {job.limit}).exit_code != 0) return std::nullopt;
  const Result<std::vector<std::byte>> text = read_file(output);
  if (!text) return std::nullopt;
  return as_user_named(std::string(reinterpret_cast<const char*>(text->data()), text->size()),
                       folder);
}

Result<Toolchain> usable_toolchain(const std::string& name,
                                   const std::vector<std::string>& options) {
  Diagnostics errors = check_build_options(options);
  if (errors.empty()) {
    Result<Toolchain> found = find_toolchain();
    if (found) return found;
    errors = found.errors();
  }
  for (Diagnostic& error : errors) error.input = name;
  return errors;
}

bool wants_types(const std::vector<std::string>& options, std::string_view text) {
  return !has_prefix(options, "-g") &&
         (text.find("struct") != text.npos || text.find("include") != text.npos);
}

CompiledSource compile_file(const SourceJob& wanted) {
  SourceJob job = wanted;
  if (is_cpp_source_name(job.name) && !has_prefix(job.options, "-cl-std"))
    job.options.emplace_back("-cl-std=clc++");
  const std::vector<std::string> without_types = job.options;
  // This project reports a missing file itself.
  const auto source = read_file(job.path, job.limit, job.max_bytes);
  if (!source) return {{}, {}, source.errors()};
  const std::string_view text(reinterpret_cast<const char*>(source->data()), source->size());
  job.prologue = common_prologue(job.options, text);
  job.types = job.types && wants_types(job.options, text);
  if (job.types) job.options.emplace_back("-g");
  const Result<Toolchain> toolchain = usable_toolchain(job.name, job.options);
  if (!toolchain) return {{}, {}, toolchain.errors()};
  if (auto refusal = refusal_of_kept_folder()) return {{}, {}, {*std::move(refusal)}};
  const TemporaryFolder folder;
  if (!folder.ok()) return {{}, {}, {no_folder()}};
  CompiledSource compiled = translate_or_find(job, text, folder, *toolchain);
  if (compiled.errors.empty() || !job.types) return compiled;
  // Translators fail on some of clang's type information: then lines alone are used.
  const TemporaryFolder another;
  job.options = without_types;
  return another.ok() ? translate_or_find(job, text, another, *toolchain) : compiled;
}

Diagnostic no_folder() {
  return make_diagnostic(Rule::kC0001, "cannot make a temporary folder for the compiler");
}

namespace {

Result<std::vector<std::byte>> module_of(CompiledSource compiled, SourceNotes& notes) {
  notes = {std::move(compiled.warnings), true};
  if (!compiled.errors.empty()) return std::move(compiled.errors);
  return std::move(compiled.module);
}

std::string_view source_in(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

Result<std::vector<std::byte>> module_of_text(std::string_view text, const LoadOptions& options,
                                              const WorkLimit& limit, SourceNotes& notes) {
  if (is_shader_name(options.name) || is_glsl(std::as_bytes(std::span(text))))
    return compile_shader_text(text, input_name(options), options.build_options, limit);
  return module_of(compile_standard_input(text, options, limit), notes);
}

Result<std::vector<std::byte>> module_of_input(std::span<const std::byte> bytes,
                                               const LoadOptions& options, const WorkLimit& limit,
                                               SourceNotes& notes) {
  if (is_source_text(bytes)) return module_of_text(source_in(bytes), options, limit, notes);
  if (auto foreign = foreign_content(bytes, input_name(options))) return *foreign;
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

Result<std::vector<std::byte>> module_of_file(const std::string& path, const LoadOptions& options,
                                              const WorkLimit& limit, SourceNotes& notes) {
  const bool is_source = is_source_name(path);
  const bool is_stream = is_read_once(path);
  if (is_shader_name(path) && !is_stream) return compile_shader(path, options.build_options, limit);
  if (is_source && !is_stream) {
    SourceJob job{path,  path, options.build_options, options.optimise_source,
                  limit, {},   options.source_types};
    job.max_bytes = options.max_file_bytes;
    return module_of(compile_file(job), notes);
  }
  auto bytes = read_file(path, limit, options.max_file_bytes);
  if (!bytes) return bytes;
  if (is_source) return module_of_text(source_in(*bytes), options, limit, notes);
  if (is_stream) return module_of_input(*bytes, options, limit, notes);
  if (auto foreign = foreign_content(*bytes, path)) return *foreign;
  return bytes;
}

}  // namespace transpire::compiler

namespace transpire {

bool can_compile_source() { return compiler::find_toolchain().ok(); }

}  // namespace transpire
