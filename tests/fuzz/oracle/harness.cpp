#include "tests/fuzz/oracle/harness.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace transpire::oracle {
namespace {

void print_deviation(const std::string& name, const Options& options, std::uint64_t index,
                     const Verdict& verdict) {
  fmt::print("{}: deviation\n  replay: --seed {} --first {} --count 1\n{}\n--- module\n{}---\n",
             name, options.seed, index, verdict.deviation, verdict.module);
}

}  // namespace

Random random_of_case(std::uint64_t seed, std::uint64_t index) {
  Random mixed(seed * 0x9E3779B97F4A7C15u ^ index * 0xD1342543DE82EF95u);
  return Random(mixed.bits());
}

bool parse_options(int count, char** arguments, Options& options) {
  const std::map<std::string_view, bool*> flags = {{"--self-test", &options.self_test},
                                                   {"--print", &options.print},
                                                   {"--validate", &options.validate}};
  const std::map<std::string_view, std::string*> texts = {{"--isa", &options.isa},
                                                          {"--only", &options.only}};
  const std::map<std::string_view, std::uint64_t*> numbers = {{"--seed", &options.seed},
                                                              {"--first", &options.first},
                                                              {"--count", &options.count},
                                                              {"--most", &options.most}};
  for (int i = 1; i < count; ++i) {
    const std::string_view word = arguments[i];
    if (flags.contains(word)) {
      *flags.at(word) = true;
      continue;
    }
    const char* const value = ++i < count ? arguments[i] : "";
    char* end = nullptr;
    if (*value != 0 && texts.contains(word))
      *texts.at(word) = value;
    else if (*value != 0 && numbers.contains(word))
      *numbers.at(word) = std::strtoull(value, &end, 0);
    else
      end = arguments[0];
    if (end == nullptr || *end == 0) continue;
    fmt::print(stderr,
               "usage: {} [--seed N] [--first N] [--count N] [--most N] [--isa NAME] [--only NAME] "
               "[--self-test] [--print] [--validate]\n",
               arguments[0]);
    return false;
  }
  return true;
}

std::string describe(const Setup& setup) {
  return fmt::format("{} {} threads={}", setup.isa, setup.reference ? "reference" : "optimised",
                     setup.threads);
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
    fmt::print(stderr, "no device for {}\n", setup.isa);
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
  for (; done < options.count && deviations < options.most; ++done) {
    const std::uint64_t index = options.first + done;
    const Verdict verdict = run_case(index);
    if (options.print) fmt::print("--- case {}\n{}", index, verdict.module);
    if (!verdict.deviation.empty()) {
      ++deviations;
      print_deviation(name, options, index, verdict);
    }
    if ((done + 1) % 1000 == 0) {
      fmt::print("{}: {} done, {:.1f} s\n", name, done + 1, seconds());
      std::fflush(stdout);
    }
  }
  fmt::print("{}: seed {}, cases {}..{}: {} deviations, {:.1f} s\n", name, options.seed,
             options.first, options.first + done - 1, deviations, seconds());
  return deviations == (options.self_test ? std::min(options.count, options.most) : 0) ? 0 : 1;
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
