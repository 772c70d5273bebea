// Hostile programs: kernels whose pointers are forged, wrapped, stale, of the wrong storage class
// or another work-item's, with the verdict on every access known by construction. Each has a benign
// twin of the same shape, which must run without a finding. All run on every instruction set,
// optimised and by the reference path, with one and several threads.
//
// tests/fuzz/oracle/harness.h has the options. Case N of a seed is always the same; the families take turns. --print also
// prints the module and the launches of each case. --self-test makes expectations wrong: every case must be reported.
#include <fmt/format.h>

#include <chrono>

#include "tests/hostile/runner.h"

namespace transpire::hostile {
namespace {

using oracle::Options;

void print_case(const Case& made) {
  fmt::print("; {}\n", made.title);
  for (const LaunchSpec& launch : made.launches) {
    fmt::print("; launch '{}', groups {} of {}:", launch.kernel, made.groups, made.local);
    for (const ArgumentSpec& argument : launch.arguments)
      fmt::print(" {}", argument.kind == ArgumentSpec::Kind::kBuffer  ? argument.buffer
                        : argument.kind == ArgumentSpec::Kind::kLocal ? "(local)"
                                                                      : "(value)");
    fmt::print("\n");
    for (const ExpectedFinding& finding : launch.findings)
      fmt::print(";   expects {} at line {}, {} times, first {}\n", finding.rules.front(),
                 finding.line, finding.count, finding.first_item);
  }
  fmt::print("{}", made.text);
}

struct Tally {
  std::uint64_t programs = 0, deviations = 0;
};

/// The hostile program and its twin. Prints what deviates.
Tally run_index(oracle::Devices& devices, const Options& options, const std::string& family,
                std::uint64_t index, bool quiet) {
  Tally tally;
  for (const bool benign : {false, true}) {
    Case made = make_case(family, options.seed, index, benign);
    if (options.print) print_case(made);
    if (options.self_test) tamper(made, index / 2);
    const std::string deviation = run_case(devices, made, setups(options.isa, index));
    ++tally.programs;
    if (deviation.empty()) continue;
    ++tally.deviations;
    if (!quiet)
      fmt::print("hostile: deviation in case {}{}: {}\n{}", index, benign ? ", twin" : "",
                 made.title, deviation);
  }
  return tally;
}

int run(const Options& options) {
  std::vector<std::string> wanted = families();
  if (!options.only.empty())
    std::erase_if(wanted, [&](const std::string& family) { return family != options.only; });
  if (wanted.empty()) return 2;
  const auto begin = std::chrono::steady_clock::now();
  oracle::Devices devices;
  std::map<std::string, Tally> tallies;
  Tally all;
  for (std::uint64_t index = options.first; index < options.first + options.count; ++index) {
    const std::string& family = wanted[index % wanted.size()];
    const bool quiet = options.self_test || all.deviations >= options.most;
    const Tally one = run_index(devices, options, family, index, quiet);
    for (Tally* sum : {&tallies[family], &all}) {
      sum->programs += one.programs;
      sum->deviations += one.deviations;
    }
  }
  for (const auto& [family, tally] : tallies)
    fmt::print("hostile: {:12} {:5} programs, {} deviate\n", family, tally.programs,
               tally.deviations);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  fmt::print("hostile: {} programs, {} deviate, {:.1f} s\n", all.programs, all.deviations,
             taken.count());
  return all.deviations == (options.self_test ? all.programs : 0) ? 0 : 1;
}

}  // namespace
}  // namespace transpire::hostile

int main(int count, char** arguments) {
  transpire::oracle::Options options;
  if (!transpire::oracle::parse_options(count, arguments, options)) return 2;
  return transpire::hostile::run(options);
}
