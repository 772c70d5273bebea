#include "tests/fuzz/oracle/harness.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace transpire::oracle {
namespace {

constexpr std::uint64_t kMostDeviations = 5;  // printed before a run gives up

bool read_number(const char* text, std::uint64_t& number) {
  char* end = nullptr;
  number = std::strtoull(text, &end, 0);
  return end != text && *end == 0;
}

void print_deviation(const std::string& name, const Options& options, std::uint64_t index,
                     const Verdict& verdict) {
  std::printf(
      "%s: deviation\n  replay: --seed %llu --first %llu --count 1\n%s\n--- module\n%s---\n",
      name.c_str(), static_cast<unsigned long long>(options.seed),
      static_cast<unsigned long long>(index), verdict.deviation.c_str(), verdict.module.c_str());
}

}  // namespace

Random random_of_case(std::uint64_t seed, std::uint64_t index) {
  Random mixed(seed * 0x9E3779B97F4A7C15u ^ index * 0xD1342543DE82EF95u);
  return Random(mixed.bits());
}

bool parse_options(int count, char** arguments, Options& options) {
  const auto usage = [&] {
    std::fprintf(
        stderr,
        "usage: %s [--seed N] [--first N] [--count N] [--isa NAME] [--self-test] [--print] "
        "[--validate]\n",
        arguments[0]);
    return false;
  };
  for (int i = 1; i < count; ++i) {
    const std::string_view word = arguments[i];
    if (word == "--self-test")
      options.self_test = true;
    else if (word == "--print")
      options.print = true;
    else if (word == "--validate")
      options.validate = true;
    else if (i + 1 == count)
      return usage();
    else if (word == "--isa")
      options.isa = arguments[++i];
    else if (word == "--seed" && read_number(arguments[i + 1], options.seed))
      ++i;
    else if (word == "--first" && read_number(arguments[i + 1], options.first))
      ++i;
    else if (word == "--count" && read_number(arguments[i + 1], options.count))
      ++i;
    else
      return usage();
  }
  return true;
}

std::string describe(const Setup& setup) {
  return setup.isa + (setup.reference ? " reference" : " optimised") +
         " threads=" + std::to_string(setup.threads);
}

std::vector<Setup> setups(const Options& options, std::uint64_t index) {
  std::vector<Setup> all;
  for (const std::string& isa : supported_isas()) {
    if (!options.isa.empty() && isa != options.isa) continue;
    for (const bool reference : {true, false})
      all.push_back({isa, reference, 1 + static_cast<unsigned>((index + all.size() / 2) % 2)});
  }
  return all;
}

const Device& Devices::get(const Setup& setup) {
  const auto key = std::pair(setup.isa, setup.threads);
  const auto found = devices_.find(key);
  if (found != devices_.end()) return found->second;
  auto made = Device::create({.isa = setup.isa, .threads = setup.threads});
  if (!made) {
    std::fprintf(stderr, "no device for %s\n", setup.isa.c_str());
    std::exit(2);
  }
  return devices_.emplace(key, *made).first->second;
}

std::string trouble_of(const Result<LaunchResult>& result) {
  if (!result) return "refused: " + result.errors().front().message;
  if (result->end != LaunchResult::End::kCompleted) return "not completed";
  if (result->findings.empty()) return {};
  return "finding: " + result->findings.front().diagnostic.message;
}

int run_cases(const std::string& name, const Options& options,
              const std::function<Verdict(std::uint64_t)>& run_case) {
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  std::uint64_t done = 0, deviations = 0;
  for (; done < options.count && deviations < kMostDeviations; ++done) {
    const std::uint64_t index = options.first + done;
    const Verdict verdict = run_case(index);
    if (options.print)
      std::printf("--- case %llu\n%s", static_cast<unsigned long long>(index),
                  verdict.module.c_str());
    if (!verdict.deviation.empty()) {
      ++deviations;
      print_deviation(name, options, index, verdict);
    }
    if ((done + 1) % 1000 == 0) {
      std::printf("%s: %llu done, %.1f s\n", name.c_str(),
                  static_cast<unsigned long long>(done + 1), seconds());
      std::fflush(stdout);
    }
  }
  std::printf("%s: seed %llu, cases %llu..%llu: %llu deviations, %.1f s\n", name.c_str(),
              static_cast<unsigned long long>(options.seed),
              static_cast<unsigned long long>(options.first),
              static_cast<unsigned long long>(options.first + done - 1),
              static_cast<unsigned long long>(deviations), seconds());
  return deviations == (options.self_test ? std::min(options.count, kMostDeviations) : 0) ? 0 : 1;
}

std::optional<Module> load_case(const Options& options, Verdict& verdict) {
  auto module = Module::load(std::as_bytes(std::span(verdict.module)));
  if (!module) {
    verdict.deviation = "  not loaded: " + format(module.errors().front());
    return std::nullopt;
  }
  if (options.validate)
    for (const Diagnostic& diagnostic : module->validate())
      verdict.deviation += "  invalid: " + format(diagnostic);
  return std::move(module).value();
}

int run_oracle(const std::string& name, int count, char** arguments,
               Verdict (*run_case)(Devices& devices, const Options& options, std::uint64_t index)) {
  Options options;
  if (!parse_options(count, arguments, options)) return 2;
  Devices devices;
  return run_cases(name, options,
                   [&](std::uint64_t index) { return run_case(devices, options, index); });
}

}  // namespace transpire::oracle
