// See toolchain.h.
#include "compiler/toolchain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "base/environment.h"
#include "base/process.h"
#include "compiler/files.h"

namespace transpire::compiler {
namespace {

constexpr std::string_view kClang = "clang", kTranslator = "llvm-spirv";
/// Words before the version in each program's output.
constexpr std::string_view kClangMark = "clang version ", kTranslatorMark = "LLVM version ";
constexpr unsigned kOldest = 14;
/// From this version on, clang's own backend accepts its options.
constexpr unsigned kOldestBackend = 19;
constexpr const char* kTranslatorTarget = "spir64-unknown-unknown";
/// In order of preference: the best tested version, then those with the most similar features.
constexpr std::array<unsigned, 9> kVersions{15, 14, 16, 17, 18, 19, 20, 21, 22};

/// Extensions, with the first translator that knows each. Translators from 16 on must be told to
/// leave out others.
struct Extension {
  std::string_view name;
  unsigned since;
};
constexpr std::array<Extension, 10> kExtensions{{{"SPV_KHR_bit_instructions", 14},
                                                 {"SPV_KHR_expect_assume", 14},
                                                 {"SPV_KHR_integer_dot_product", 14},
                                                 {"SPV_KHR_linkonce_odr", 14},
                                                 {"SPV_KHR_subgroup_rotate", 15},
                                                 {"SPV_KHR_uniform_group_instructions", 15},
                                                 {"SPV_EXT_shader_atomic_float_add", 14},
                                                 {"SPV_EXT_shader_atomic_float_min_max", 14},
                                                 {"SPV_INTEL_subgroups", 14},
                                                 {"SPV_KHR_shader_clock", 16}}};
/// Without clang's optimiser, operations whose types in the source forbid wrapping are decorated so
/// (--check=ub).
constexpr std::string_view kNoWrap = "SPV_KHR_no_integer_wrap_decoration";

/// Results of programs, by their identity, kept as long as they are the same: running one takes
/// some 20 ms.
class Memory {
 public:
  /// The program's output for this option; empty if it fails.
  std::string said_by(const std::string& program, const std::string& option) {
    const std::string key = fmt::format("{} {}", program_identity(program), option);
    const std::lock_guard lock(mutex_);
    const auto [found, is_new] = said_.try_emplace(key);
    constexpr double kSeconds = 20;
    if (is_new) {
      const ProcessEnd end = run_process(program, {option}, {WorkLimit::after(kSeconds)});
      if (end.started && end.exit_code == 0) found->second = end.output;
    }
    return found->second;
  }

  bool lacks_extension(const std::string& translator, std::string_view extension) {
    const std::lock_guard lock(mutex_);
    return lacking_.contains(key_of(translator, extension));
  }
  void learn_lack(const std::string& translator, std::string_view extension) {
    const std::lock_guard lock(mutex_);
    lacking_.insert(key_of(translator, extension));
  }

 private:
  static std::string key_of(const std::string& program, std::string_view extension) {
    return fmt::format("{} {}", program_identity(program), extension);
  }

  std::mutex mutex_;
  std::map<std::string, std::string> said_;
  std::set<std::string> lacking_;
};

Memory& memory() {
  static Memory it;
  return it;
}

bool is_there(const std::string& program) { return !program_identity(program).empty(); }

/// 0 if the program does not print a version.
unsigned asked_version(const std::string& program, std::string_view mark) {
  const std::string said = memory().said_by(program, "--version");
  const std::size_t at = said.find(mark);
  unsigned version = 0;
  if (at != said.npos)
    std::from_chars(said.data() + at + mark.size(), said.data() + said.size(), version);
  return version;
}

/// True if clang has a backend for SPIR-V, which not every build has.
bool writes_spirv(const ToolchainProgram& clang) {
  return clang.version >= kOldestBackend && is_there(clang.name) &&
         memory().said_by(clang.name, "--print-targets").find("spirv64") != std::string::npos;
}

std::string numbered(std::string_view base, unsigned version) {
  return fmt::format("{}-{}", base, version);
}

/// The program of that version: with the number in its name, or without if its output has the
/// version.
std::optional<ToolchainProgram> program_of(std::string_view base, std::string_view mark,
                                           unsigned version) {
  if (std::string name = numbered(base, version); is_there(name))
    return ToolchainProgram{std::move(name), version};
  std::string plain(base);
  if (version == 0 || !is_there(plain) || asked_version(plain, mark) != version)
    return std::nullopt;
  return ToolchainProgram{std::move(plain), version};
}

std::optional<ToolchainProgram> clang_of(unsigned version) {
  return program_of(kClang, kClangMark, version);
}

std::optional<ToolchainProgram> translator_of(unsigned version) {
  return program_of(kTranslator, kTranslatorMark, version);
}

/// Version of clang without a number in its name; 0 if there is none, or it is too old.
unsigned plain_version() {
  const std::string plain(kClang);
  const unsigned version = is_there(plain) ? asked_version(plain, kClangMark) : 0;
  return version < kOldest ? 0 : version;
}

Diagnostic no_toolchain(std::string message, std::vector<std::string> notes = {}) {
  Diagnostic error = make_diagnostic(Rule::kC0031, std::move(message));
  error.notes = std::move(notes);
  error.help = fmt::format(
      "on Debian: apt install clang-15 llvm-spirv-15; or set {} and {} to programs that work "
      "together; or give a SPIR-V module",
      kClangVariable, kTranslatorVariable);
  return error;
}

/// "looked in PATH for clang-15, ... and clang: there is clang-16"
std::string search_note(std::string_view base) {
  std::string names, found;
  const auto add = [&](const std::string& name, std::string_view separator) {
    names += fmt::format("{}{}", separator, name);
    if (is_there(name)) found += fmt::format("{}{}", found.empty() ? "" : ", ", name);
  };
  for (const unsigned version : kVersions) add(numbered(base, version), names.empty() ? "" : ", ");
  add(std::string(base), " and ");
  return fmt::format("looked in PATH for {}: {}", names,
                     found.empty() ? "there is none" : "there is " + found);
}

Diagnostic nothing_found() {
  return no_toolchain(
      "compiling OpenCL C needs clang and llvm-spirv of one version, which were not found",
      {search_note(kClang), search_note(kTranslator),
       "nor was there a clang that writes SPIR-V by itself (`clang --print-targets` lists "
       "spirv64)"});
}

/// The program that a variable names.
Result<ToolchainProgram> named(const char* variable_name, const std::string& program,
                               std::string_view mark) {
  if (!is_there(program))
    return no_toolchain(fmt::format("{} names '{}', which is no program{}", variable_name, program,
                                    program.find('/') == program.npos ? " in PATH" : ""));
  const unsigned version = asked_version(program, mark);
  if (version == 0)
    return no_toolchain(
        fmt::format("{} names '{}', which does not work", variable_name, program),
        {fmt::format("`{} --version` does not print '{}' and a number", program, mark)});
  if (version < kOldest)
    return no_toolchain(
        fmt::format("{} names '{}', whose version is {}: {} is the oldest that works",
                    variable_name, program, version, kOldest));
  return ToolchainProgram{program, version};
}

Result<Toolchain> with_clang(const ToolchainProgram& clang) {
  if (const auto translator = translator_of(clang.version)) return Toolchain(clang, *translator);
  if (writes_spirv(clang)) return Toolchain(clang, {});
  return no_toolchain(
      fmt::format("{} names '{}' of version {}, for which no translator was found", kClangVariable,
                  clang.name, clang.version),
      {fmt::format("looked in PATH for {} and for {} of version {}",
                   numbered(kTranslator, clang.version), kTranslator, clang.version),
       fmt::format("'{}' does not write SPIR-V by itself", clang.name)});
}

Result<Toolchain> with_translator(const ToolchainProgram& translator) {
  if (const auto clang = clang_of(translator.version)) return Toolchain(*clang, translator);
  return no_toolchain(
      fmt::format("{} names '{}' of version {}, for which no clang was found", kTranslatorVariable,
                  translator.name, translator.version),
      {fmt::format("looked in PATH for {} and for {} of version {}",
                   numbered(kClang, translator.version), kClang, translator.version)});
}

Result<Toolchain> named_toolchain(const std::string& clang_name,
                                  const std::string& translator_name) {
  std::optional<ToolchainProgram> clang, translator;
  if (!clang_name.empty()) {
    const auto found = named(kClangVariable, clang_name, kClangMark);
    if (!found) return found.errors();
    clang = *found;
  }
  if (!translator_name.empty()) {
    const auto found = named(kTranslatorVariable, translator_name, kTranslatorMark);
    if (!found) return found.errors();
    translator = *found;
  }
  if (!translator) return with_clang(*clang);
  if (!clang) return with_translator(*translator);
  if (translator->version < clang->version)
    return no_toolchain(
        fmt::format("'{}' of version {} does not read what '{}' of version {} writes",
                    translator->name, translator->version, clang->name, clang->version),
        {fmt::format("{} and {} name them", kTranslatorVariable, kClangVariable)});
  return Toolchain(*clang, *translator);
}

Result<Toolchain> installed_toolchain() {
  const auto pair = [](unsigned version) -> std::optional<Toolchain> {
    const auto clang = clang_of(version);
    const auto translator = clang ? translator_of(version) : std::nullopt;
    return translator ? std::optional(Toolchain(*clang, *translator)) : std::nullopt;
  };
  for (const unsigned version : kVersions)
    if (const auto found = pair(version)) return *found;
  if (const auto found = pair(plain_version())) return *found;
  // The newest has the most features.
  std::array<unsigned, kVersions.size()> newest_first = kVersions;
  std::sort(newest_first.rbegin(), newest_first.rend());
  for (const unsigned version : newest_first)
    if (const ToolchainProgram clang{numbered(kClang, version), version}; writes_spirv(clang))
      return Toolchain(clang, {});
  if (const ToolchainProgram clang{std::string(kClang), plain_version()}; writes_spirv(clang))
    return Toolchain(clang, {});
  return nothing_found();
}

/// A target's name for clang's own backend: spir-unknown-unknown and spir64-unknown-unknown are for
/// a translator.
std::string backend_target(std::string_view target, std::string_view spirv_version) {
  const std::string_view machine = target.substr(0, target.find('-'));
  const bool is_32 = machine == "spir" || machine.starts_with("spirv32");
  return fmt::format("spirv{}v{}-unknown-unknown", is_32 ? 32 : 64, spirv_version);
}

/// The program that gets the option for extensions.
const ToolchainProgram& writer(const ToolchainProgram& clang, const ToolchainProgram& translator) {
  return translator.name.empty() ? clang : translator;
}

}  // namespace

std::string Toolchain::identity() const {
  return fmt::format("{}\n{}\n", program_identity(clang_.name),
                     has_translator() ? program_identity(translator_.name) : "");
}

std::vector<std::string> Toolchain::output_options(std::string_view spirv_version) const {
  std::vector<std::string> options;
  if (has_translator())
    options = {"-target", kTranslatorTarget, "-emit-llvm"};
  else  // the backend would round a product and a sum once, where a translator leaves both
    options = {"-target", backend_target(kTranslatorTarget, spirv_version), "-ffp-contract=off"};
  // Numbers before the source lines of messages came with 17.
  constexpr unsigned kWithNumbers = 17;
  if (clang_.version >= kWithNumbers) options.emplace_back("-fno-diagnostics-show-line-numbers");
  return options;
}

std::vector<std::string> Toolchain::as_taken(std::vector<std::string> options,
                                             std::string_view spirv_version) const {
  if (has_translator()) return options;
  constexpr std::string_view kJoined = "--target=";
  for (std::size_t i = 0; i < options.size(); ++i) {
    std::string& word = options[i];
    if (word.starts_with(kJoined))
      word =
          fmt::format("{}{}", kJoined,
                      backend_target(std::string_view(word).substr(kJoined.size()), spirv_version));
    else if (i > 0 && options[i - 1] == "-target")
      word = backend_target(word, spirv_version);
  }
  return options;
}

std::string Toolchain::extensions_option(bool wants_wraps) const {
  const ToolchainProgram& program = writer(clang_, translator_);
  std::string list;
  const auto add = [&](std::string_view name) {
    if (!memory().lacks_extension(program.name, name))
      list += fmt::format("{}+{}", list.empty() ? "" : ",", name);
  };
  for (const Extension& extension : kExtensions)
    if (extension.since <= program.version) add(extension.name);
  if (wants_wraps) add(kNoWrap);
  return "--spirv-ext=" + list;
}

bool Toolchain::learns_of_extension(std::string_view said, std::string_view asked) const {
  // The translator's message, and clang's.
  for (const std::string_view mark : {"Unknown extension '", "Unknown SPIR-V extension: +"}) {
    const std::size_t at = said.find(mark);
    if (at == said.npos) continue;
    std::string_view name = said.substr(at + mark.size());
    name = name.substr(0, name.find_first_of("' \n"));
    memory().learn_lack(writer(clang_, translator_).name, name);
    return !name.empty() && asked.find(name) != asked.npos;
  }
  return false;
}

Result<Toolchain> find_toolchain() {
  const std::string clang = environment_variable(kClangVariable),
                    translator = environment_variable(kTranslatorVariable);
  if (clang.empty() && translator.empty()) return installed_toolchain();
  return named_toolchain(clang, translator);
}

}  // namespace transpire::compiler
