// Hostile programs: kernels whose pointers are forged, wrapped, stale, of the wrong storage class
// or another work-item's, with the verdict on every access known by construction. Each has a benign
// twin of the same shape, which must run without a finding. All run on every instruction set,
// optimised and by the reference path, with one and several threads.
//
//   hostile_test [--seed N] [--first N] [--count N] [--only FAMILY] [--isa NAME] [--self-test]
//   hostile_test --print N     the module and the launches of case N
//
// Case N of a seed is always the same; the families take turns. --most limits the deviations that
// are printed, not those that are counted. --self-test makes expectations wrong: every case must be
// reported.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>

#include "tests/hostile/runner.h"

namespace transpire::hostile {
namespace {

struct Options {
  std::uint64_t seed = 1, first = 0, count = 200, most = 10;
  std::string only, isa;
  bool self_test = false;
  std::optional<std::uint64_t> print;
};

bool read_number(const char* text, std::uint64_t& number) {
  char* end = nullptr;
  number = std::strtoull(text, &end, 0);
  return end != text && *end == 0;
}

bool read_option(std::string_view word, const char* value, Options& options) {
  if (word == "--only") options.only = value;
  if (word == "--isa") options.isa = value;
  if (word == "--only" || word == "--isa") return true;
  if (word == "--print") return read_number(value, options.print.emplace());
  if (word == "--seed") return read_number(value, options.seed);
  if (word == "--most") return read_number(value, options.most);
  if (word == "--first") return read_number(value, options.first);
  return word == "--count" && read_number(value, options.count);
}

bool parse_options(int count, char** arguments, Options& options) {
  for (int i = 1; i < count; ++i) {
    const std::string_view word = arguments[i];
    if (word == "--self-test") {
      options.self_test = true;
    } else if (i + 1 == count || !read_option(word, arguments[i + 1], options)) {
      std::fprintf(stderr,
                   "usage: %s [--seed N] [--first N] [--count N] [--only FAMILY] [--isa NAME] "
                   "[--self-test] [--most N] [--print N]\n",
                   arguments[0]);
      return false;
    } else {
      ++i;
    }
  }
  return true;
}

std::vector<std::string> wanted_families(const Options& options) {
  std::vector<std::string> wanted;
  for (const std::string& family : families())
    if (options.only.empty() || family == options.only) wanted.push_back(family);
  return wanted;
}

void print_case(const Case& made) {
  std::printf("; %s\n", made.title.c_str());
  for (const LaunchSpec& launch : made.launches) {
    std::printf("; launch '%s', groups %u of %u:", launch.kernel.c_str(), made.groups, made.local);
    for (const ArgumentSpec& argument : launch.arguments)
      std::printf(" %s", argument.kind == ArgumentSpec::Kind::kBuffer  ? argument.buffer.c_str()
                         : argument.kind == ArgumentSpec::Kind::kLocal ? "(local)"
                                                                       : "(value)");
    std::printf("\n");
    for (const ExpectedFinding& finding : launch.findings)
      std::printf(";   expects %s at line %u, %llu times, first %llu\n",
                  finding.rules.front().c_str(), finding.line,
                  static_cast<unsigned long long>(finding.count),
                  static_cast<unsigned long long>(finding.first_item));
  }
  std::printf("%s", made.text.c_str());
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
    if (options.self_test) tamper(made, index / 2);
    const std::string deviation = run_case(devices, made, setups(options.isa, index));
    ++tally.programs;
    if (deviation.empty()) continue;
    ++tally.deviations;
    if (!quiet)
      std::printf("hostile: deviation in case %llu%s: %s\n%s",
                  static_cast<unsigned long long>(index), benign ? ", twin" : "",
                  made.title.c_str(), deviation.c_str());
  }
  return tally;
}

int run(const Options& options) {
  const std::vector<std::string> wanted = wanted_families(options);
  if (wanted.empty()) return 2;
  const auto family_of = [&](std::uint64_t index) { return wanted[index % wanted.size()]; };
  if (options.print) {
    for (const bool benign : {false, true})
      print_case(make_case(family_of(*options.print), options.seed, *options.print, benign));
    return 0;
  }
  const auto begin = std::chrono::steady_clock::now();
  oracle::Devices devices;
  std::map<std::string, Tally> tallies;
  std::uint64_t programs = 0, deviations = 0;
  for (std::uint64_t index = options.first; index < options.first + options.count; ++index) {
    const bool quiet = options.self_test || deviations >= options.most;
    const Tally one = run_index(devices, options, family_of(index), index, quiet);
    Tally& tally = tallies[family_of(index)];
    tally.programs += one.programs;
    tally.deviations += one.deviations;
    programs += one.programs;
    deviations += one.deviations;
  }
  for (const auto& [family, tally] : tallies)
    std::printf("hostile: %-12s %5llu programs, %llu deviate\n", family.c_str(),
                static_cast<unsigned long long>(tally.programs),
                static_cast<unsigned long long>(tally.deviations));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  std::printf("hostile: %llu programs, %llu deviate, %.1f s\n",
              static_cast<unsigned long long>(programs),
              static_cast<unsigned long long>(deviations), taken.count());
  return deviations == (options.self_test ? programs : 0) ? 0 : 1;
}

}  // namespace
}  // namespace transpire::hostile

int main(int count, char** arguments) {
  transpire::hostile::Options options;
  if (!transpire::hostile::parse_options(count, arguments, options)) return 2;
  return transpire::hostile::run(options);
}
