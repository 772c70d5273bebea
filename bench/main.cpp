// transpire-bench: compares Transpire with native code, PoCL and Oclgrind on this machine, in one
// run. As `--one` it is a worker that measures one case in one way.
#include <signal.h>

#include <filesystem>
#include <iostream>

#include "bench/contenders.h"
#include "bench/options.h"
#include "bench/registry.h"
#include "bench/report.h"
#include "bench/suite.h"
#include "bench/worker.h"

namespace transpire::bench {
namespace {

constexpr int kUsageError = 2;

int List() {
  for (const CaseEntry& entry : AllCases())
    std::cout << entry.name << ": " << entry.summary << '\n';
  return 0;
}

bool AnyFailed(const std::vector<CaseResult>& results) {
  for (const CaseResult& result : results) {
    for (const auto& [label, measurement] : result.by_label) {
      if (Failed(measurement)) return true;
    }
  }
  return false;
}

int Compare(const Options& options) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::vector<Contender> contenders = Contenders(options.size, options.with_oclgrind);
  std::vector<std::string> names = options.cases;
  if (names.empty()) {
    for (const CaseEntry& entry : AllCases()) names.emplace_back(entry.name);
  }
  std::vector<CaseResult> results;
  for (const std::string& name : names) {
    std::cerr << "[" << results.size() + 1 << "/" << names.size() << "] " << name << '\n';
    results.push_back(MeasureCase(program, name, contenders, options.repeats));
  }
  (options.json ? PrintJson : PrintTables)(std::cout, results, contenders);
  return AnyFailed(results) ? 1 : 0;
}

int Main(int count, char** arguments) {
  signal(SIGPIPE, SIG_IGN);  // a worker that died shows as a failed write
  const auto options = ParseOptions(count, arguments);
  if (!options) return kUsageError;
  if (options->help) {
    std::cout << kUsage;
    return 0;
  }
  if (options->list) return List();
  if (options->one.empty()) return Compare(*options);
  return RunWorker(
      {options->one, options->size, options->runner, options->repeats, options->serve});
}

}  // namespace
}  // namespace transpire::bench

int main(int count, char** arguments) { return transpire::bench::Main(count, arguments); }
