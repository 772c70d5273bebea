// Runs the golden programs: each .cl, .comp, .hlsl and .spvasm file below a folder is launched as its launch
// lines say, in every configuration: the reference path, each instruction set of this machine,
// several threads, and, where a line `# vary: local` allows it, other work-group sizes. Every run
// must meet the program's expectations, and all runs must agree bit for bit in buffers, findings
// and printf output.
//
//   transpire_golden FOLDER [WORD...]     only programs whose path contains one of the words
//   transpire_golden --handlers FOLDER [WORD...]
//                                         this machine's best instruction set alone, with one thread and
//                                         observed: where a processor is emulated, for what its sets compute
//                                         is compared with the reference path on this one
//   transpire_golden --walk FOLDER [WORD...]
//                                         forward, back and forward again: all ways through a launch have the same
//                                         events, and the same bytes in memory between them
//   transpire_golden --coverage FOLDER    runs each program once, and prints as JSON which of SPIR-V's
//                                         instructions work-items executed in programs that pass, how
//                                         often, and what else the modules of these programs hold
//   transpire_golden --coverage-to FILE FOLDER [WORD...]
//                                         runs them in every configuration, and writes that to FILE
//
// Prints what fails, then "N passed, N failed". Files without launch lines are parts of others.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "decoder/module.h"
#include "launch/runner/run_plan.h"
#include "tests/golden/walk.h"

namespace {

using namespace transpire;
using namespace transpire::launch;

struct Program {
  std::string path;
  std::string name;          ///< the path below the folder
  bool vary_local = false;   ///< results do not depend on the work-group size
  bool reads_clock = false;  ///< no two runs give the same bytes
};

struct Configuration {
  std::string name;
  RunOverrides overrides;
};

// ---- Programs ---------------------------------------------------------------------------------

std::string_view marker_of(const std::filesystem::path& path) {
  const std::string suffix = path.extension().string();
  if (suffix == ".cl" || suffix == ".comp" || suffix == ".hlsl") return "//!";
  return suffix == ".spvasm" ? ";!" : "";
}

bool is_wanted(std::string_view name, std::span<const std::string> words) {
  return words.empty() || std::any_of(words.begin(), words.end(), [&](const std::string& word) {
           return name.find(word) != name.npos;
         });
}

std::vector<Program> find_programs(const std::string& folder, std::span<const std::string> words) {
  std::vector<Program> programs;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string_view marker = marker_of(entry.path());
    const std::string name = std::filesystem::relative(entry.path(), folder).string();
    if (marker.empty() || !is_wanted(name, words)) continue;
    const auto bytes = transpire::launch::read_file(entry.path().string());
    if (!bytes) continue;
    const std::string_view source(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    const auto launch_text = transpire::launch::embedded_launch_text(source, marker);
    if (!launch_text) continue;
    const bool vary_local = launch_text->find("# vary: local") != launch_text->npos;
    const bool reads_clock = launch_text->find("# reads a clock") != launch_text->npos;
    programs.push_back({entry.path().string(), name, vary_local, reads_clock});
  }
  std::sort(programs.begin(), programs.end(),
            [](const Program& a, const Program& b) { return a.name < b.name; });
  return programs;
}

// ---- Configurations ---------------------------------------------------------------------------

/// The reference path of this machine's best one is the configuration that all others are compared with.
void add_configurations(const std::string& isa, std::vector<Configuration>& all) {
  Configuration& plain = all.emplace_back();
  plain.name = isa;
  plain.overrides.settings.isa = isa;
  plain.overrides.settings.threads = 1;
  if (isa != transpire::supported_isas().back()) {
    Configuration& reference = all.emplace_back(plain);
    reference.name += ", reference";
    reference.overrides.settings.reference = true;
  }
  Configuration& observed = all.emplace_back();
  observed.name = isa + ", observed";
  observed.overrides.settings.isa = isa;
  observed.overrides.settings.observed = true;
}

enum class Which : std::uint8_t { kAll, kHandlers, kWalk };

/// The first one is what the others are compared with.
std::vector<Configuration> make_configurations(Which which, bool vary_local) {
  std::vector<Configuration> all;
  if (which == Which::kHandlers) {
    add_configurations(transpire::supported_isas().back(), all);
    return all;
  }
  if (which == Which::kWalk) {
    all.emplace_back().name = "walked";
    return all;
  }
  Configuration& reference = all.emplace_back();
  reference.name = "reference";
  reference.overrides.settings.reference = true;
  reference.overrides.settings.threads = 1;
  for (const std::string& isa : transpire::supported_isas()) add_configurations(isa, all);
  Configuration& debugged = all.emplace_back();
  debugged.name = "with debug information";
  debugged.overrides.settings.observed = debugged.overrides.settings.debug_info = true;
  for (const unsigned threads : {2u, 8u}) {
    Configuration& next = all.emplace_back();
    next.name = fmt::format("{} threads", threads);
    next.overrides.settings.threads = threads;
  }
  if (!vary_local) return all;
  for (const std::uint64_t items : {1u, 7u, 64u, 100u, 300u}) {
    Configuration& next = all.emplace_back();
    next.name = fmt::format("groups of {}", items);
    next.overrides.local_size = std::array<std::uint64_t, 3>{items, 1, 1};
    next.overrides.settings.lenient = true;
    next.overrides.settings.threads = 1;
  }
  return all;
}

// ---- Comparison -------------------------------------------------------------------------------

/// The note that shows the operands of the first work-item, where the finding has one.
std::string operands_of(const transpire::Diagnostic& diagnostic) {
  for (const std::string& note : diagnostic.notes)
    if (note.starts_with("operand")) return note;
  return {};
}

/// The parts of a finding that two runs of a program must agree on. The group that work-items shared is no
/// part, nor is the order, which follows groups.
auto identity(const ReportedFinding& reported) {
  const transpire::Finding& finding = reported.finding;
  return std::tuple(finding.global_id, finding.diagnostic.word_offset, finding.diagnostic.rule,
                    operands_of(finding.diagnostic), finding.allocation, finding.count,
                    finding.offset_bytes, finding.access_bytes,
                    finding.follows_from ? finding.follows_from->rule : "", finding.consequences);
}

auto identities(const RunReport& report) {
  std::vector<decltype(identity(report.findings[0]))> all;
  for (const ReportedFinding& finding : report.findings) all.push_back(identity(finding));
  std::sort(all.begin(), all.end());
  return all;
}

std::string buffer_difference(const BufferReport& a, const BufferReport& b) {
  if (a.name != b.name || a.bytes.size() != b.bytes.size())
    return fmt::format("buffer '{}' became '{}'", a.name, b.name);
  const auto place = std::mismatch(a.bytes.begin(), a.bytes.end(), b.bytes.begin());
  if (place.first == a.bytes.end()) return {};
  return fmt::format("buffer '{}' differs at byte {}: {:02x} became {:02x}", a.name,
                     place.first - a.bytes.begin(), static_cast<unsigned>(*place.first),
                     static_cast<unsigned>(*place.second));
}

/// Empty when the runs agree.
std::string difference(const RunReport& first, const RunReport& other) {
  if (first.buffers.size() != other.buffers.size()) return "there are other buffers";
  for (std::size_t i = 0; i < first.buffers.size(); ++i) {
    std::string text = buffer_difference(first.buffers[i], other.buffers[i]);
    if (!text.empty()) return text;
  }
  if (first.text != other.text) return "the printf output differs";
  if (identities(first) != identities(other)) return "the findings differ";
  return {};
}

/// True where work-items that ran together may have made a difference: a launch that was cut short.
bool was_cut_short(const RunReport& report) {
  return !report.launches.empty() &&
         report.launches.back().end != transpire::LaunchResult::End::kCompleted;
}

// ---- Running ----------------------------------------------------------------------------------

/// Empty when the run is as the program wants it.
std::string failure_of(const RunReport& report, const Configuration& configuration) {
  if (report.exit_code != 0) return transpire::launch::format_messages(report);
  if (report.expectations == 0) return "the program expects nothing\n";
  const auto& wanted = configuration.overrides.settings.isa;
  if (wanted && !report.isa.empty() && report.isa != *wanted)
    return fmt::format("{} was asked for, {} ran\n", *wanted, report.isa);
  return {};
}

std::string format_all(const transpire::Diagnostics& diagnostics) {
  std::string text;
  for (const transpire::Diagnostic& diagnostic : diagnostics) text += transpire::format(diagnostic);
  return text;
}

// ---- Coverage ---------------------------------------------------------------------------------

struct Coverage {
  std::map<std::string, std::uint64_t> executed;
  std::set<std::string> contained;   ///< opcodes
  std::set<std::string> operations;  ///< of OpSpecConstantOp
  std::set<std::string> functions;   ///< of OpenCL.std
};

void add_module(const Module& module, Coverage& coverage) {
  const std::span<const std::uint32_t> words = module.words();
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16) {
    const auto op = static_cast<spv::Op>(words[at] & 0xffff);
    coverage.contained.emplace(transpire::decoder::opcode_name(op));
    if (op == spv::Op::OpSpecConstantOp)
      coverage.operations.emplace(
          transpire::decoder::opcode_name(static_cast<spv::Op>(words[at + 3])));
    if (op == spv::Op::OpExtInst)
      coverage.functions.emplace(transpire::decoder::ext_inst_name(
          transpire::decoder::ExtendedSet::kOpenCLStd, words[at + 4]));
  }
}

/// One that fails adds nothing.
void add_run(const LaunchPlan& plan, const Module& module, Coverage& coverage) {
  Configuration configuration;
  configuration.overrides.module = module;
  configuration.overrides.settings.threads = 1;
  configuration.overrides.settings.count_instructions = true;
  const RunReport report = transpire::launch::run_plan(plan, configuration.overrides);
  if (!failure_of(report, configuration).empty() || report.launches.empty()) return;
  for (const auto& launch : report.launches)
    for (const auto& [name, count] : launch.instruction_counts) coverage.executed[name] += count;
  add_module(module, coverage);
}

// ---- Programs that run -------------------------------------------------------------------------

/// All failures of one program, as text. One that has none is counted, if anybody counts.
std::string run_program(const Program& program, Which which, Coverage* coverage) {
  const Result<LaunchPlan> plan = transpire::launch::load_plan(program.path);
  if (!plan) return fmt::format("FAILED {}\n{}", program.name, format_all(plan.errors()));
  // Compiled once. Where that fails, each run fails again and meets an expected refusal.
  const Result<Module> module = transpire::launch::load_module(*plan, plan->settings);
  std::vector<Configuration> configurations = make_configurations(which, program.vary_local);
  if (!module) configurations.resize(1);
  std::string failures;
  RunReport first;
  for (std::size_t i = 0; i < configurations.size(); ++i) {
    Configuration& configuration = configurations[i];
    if (module) configuration.overrides.module = *module;
    std::string walked;
    if (which == Which::kWalk && !program.reads_clock)
      configuration.overrides.run_launch = [&walked](const auto& device, const auto& launch) {
        return transpire::test::walk(device, launch, walked);
      };
    RunReport report = transpire::launch::run_plan(*plan, configuration.overrides);
    std::string failure = failure_of(report, configuration);
    if (failure.empty() && !walked.empty()) failure = walked + "\n";
    if (failure.empty() && i > 0 && !was_cut_short(report)) {
      const std::string text = difference(first, report);
      if (!text.empty()) failure = fmt::format("{} from [{}]\n", text, configurations[0].name);
    }
    if (!failure.empty())
      failures += fmt::format("FAILED {} [{}]\n{}", program.name, configuration.name, failure);
    if (i == 0) first = std::move(report);
  }
  if (coverage != nullptr && module && failures.empty()) add_run(*plan, *module, *coverage);
  return failures;
}

// ---- Coverage, as text -------------------------------------------------------------------------

std::string list(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    if (!name.empty()) text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", name);
  return text;
}

/// Each program runs once.
Coverage coverage_of(const std::string& folder) {
  Coverage coverage;
  for (const Program& program : find_programs(folder, {})) {
    const Result<LaunchPlan> plan = transpire::launch::load_plan(program.path);
    if (!plan) continue;
    const Result<Module> module = transpire::launch::load_module(*plan, plan->settings);
    if (module) add_run(*plan, *module, coverage);
  }
  return coverage;
}

void print(const Coverage& coverage, std::FILE* file) {
  std::string executed;
  for (const auto& [name, count] : coverage.executed)
    executed += fmt::format("{}\"{}\": {}", executed.empty() ? "" : ", ", name, count);
  std::fputs(fmt::format("{{\"executed\": {{{}}},\n\"contained\": [{}],\n\"operations\": [{}],\n"
                         "\"functions\": [{}]}}\n",
                         executed, list(coverage.contained), list(coverage.operations),
                         list(coverage.functions))
                 .c_str(),
             file);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto take = [&arguments](std::string_view option) {
    if (arguments.size() < 2 || arguments[0] != option) return false;
    arguments.erase(arguments.begin());
    return true;
  };
  if (take("--coverage")) {
    print(coverage_of(arguments[0]), stdout);
    return 0;
  }
  Which which = Which::kAll;
  if (take("--handlers")) which = Which::kHandlers;
  if (take("--walk")) which = Which::kWalk;
  std::FILE* file = nullptr;
  if (take("--coverage-to")) {
    file = std::fopen(arguments[0].c_str(), "w");
    if (file == nullptr) return std::perror(arguments[0].c_str()), 2;
    arguments.erase(arguments.begin());
  }
  if (arguments.empty()) {
    std::fputs(
        "usage: transpire_golden [--handlers | --walk | --coverage | --coverage-to FILE] FOLDER "
        "[WORD...]\n",
        stderr);
    return 2;
  }
  Coverage coverage;
  int passed = 0;
  int failed = 0;
  for (const Program& program : find_programs(arguments[0], std::span(arguments).subspan(1))) {
    const std::string failures = run_program(program, which, file != nullptr ? &coverage : nullptr);
    ++(failures.empty() ? passed : failed);
    std::fputs(failures.c_str(), stdout);
    std::fflush(stdout);
  }
  std::fputs(fmt::format("{} passed, {} failed\n", passed, failed).c_str(), stdout);
  if (file != nullptr) {
    print(coverage, file);
    std::fclose(file);
  }
  return failed == 0 && passed > 0 ? 0 : 1;
}
