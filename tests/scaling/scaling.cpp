// Whether loading, validating and lowering scale: each family of hostile modules is doubled in size
// until it has as many bytes as asked for, or a rule ends a stage. The time per byte must stay
// within a factor of that of the smallest module whose time can be measured; a rule must come
// within seconds, and memory stays below its limit in any case.
//
//   scaling [--bytes 2000000] [--family NAME] [--stage "lower avx2"] [--every-isa] [--verbose]
//   scaling --size N ...                      one module of each family
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/fuzz/hostile_modules.h"
#include "tests/scaling/measure.h"

namespace transpire::scaling {
namespace {

constexpr double kMostGrowth = 4;      // of the time per byte
constexpr double kMeasurable = 0.004;  // seconds
constexpr double kMostSeconds = 20;    // until a rule comes: some 2 on a usual machine
constexpr std::uint64_t kMostBytes = std::uint64_t{2} << 30;
constexpr std::uint32_t kFirstSize = 64;
constexpr int kRepeats = 3;
constexpr double kLongRun = 0.3;  // seconds: once is enough

struct Options {
  std::uint64_t bytes = 20'000'000;
  std::string family;
  std::string stage;  ///< the beginning of its name
  std::uint32_t size = 0;
  bool every_isa = false;
  bool verbose = false;
};

std::uint64_t bytes_of(const std::vector<std::uint32_t>& words) { return words.size() * 4; }

void show(const fuzz::HostileFamily& family, std::uint32_t n, std::uint64_t bytes, const Task& task,
          const Measured& m) {
  std::printf("%-14s %8u %9llu bytes  %-24s %8.1f ms  %7.1f ns/byte  %5llu MiB  %s%s\n",
              std::string(family.name).c_str(), n, static_cast<unsigned long long>(bytes),
              spell(task).c_str(), m.seconds * 1e3, m.seconds * 1e9 / static_cast<double>(bytes),
              static_cast<unsigned long long>(m.bytes >> 20), m.rule.c_str(), m.died ? "died" : "");
  std::fflush(stdout);
}

/// What is wrong with one measurement, compared with that of the smallest module.
std::string judge(const Measured& m, double per_byte, double least_per_byte) {
  if (m.died) return "the process ended";
  if (m.bytes > kMostBytes) return "more than 2 GiB of memory";
  if (!m.rule.empty()) return m.seconds > kMostSeconds ? "the rule came late" : "";
  if (least_per_byte > 0 && per_byte > kMostGrowth * least_per_byte) return "grows too fast";
  return "";
}

/// The shortest of some runs.
Measured shortest(const Task& task, const std::vector<std::uint32_t>& words) {
  Measured best = measure(task, words);
  for (int i = 1; i < kRepeats && !best.died && best.seconds < kLongRun; ++i) {
    const Measured next = measure(task, words);
    if (next.died || next.seconds < best.seconds) best = next;
  }
  return best;
}

int double_up(const fuzz::HostileFamily& family, const Task& task, const Options& options) {
  double least = 0;
  for (std::uint32_t n = kFirstSize;; n *= 2) {
    const std::vector<std::uint32_t> words = family.make(n);
    const std::uint64_t bytes = bytes_of(words);
    if (bytes > options.bytes) return 0;
    Measured m = shortest(task, words);
    const auto per_byte = [&] { return m.seconds / static_cast<double>(bytes); };
    std::string wrong = judge(m, per_byte(), least);
    if (wrong == "grows too fast") {  // once more: the machine may have been busy
      m = shortest(task, words);
      wrong = judge(m, per_byte(), least);
    }
    if (options.verbose || !wrong.empty()) show(family, n, bytes, task, m);
    if (!wrong.empty()) {
      std::printf("%s: %s\n", std::string(family.name).c_str(), wrong.c_str());
      return 1;
    }
    if (!m.rule.empty()) return 0;
    if (least == 0 && m.seconds >= kMeasurable) least = per_byte();
  }
}

int run(const Options& options) {
  int wrong = 0, families = 0;
  for (const fuzz::HostileFamily& family : fuzz::hostile_families()) {
    if (!options.family.empty() && options.family != family.name) continue;
    ++families;
    for (const Task& task : tasks(options.every_isa)) {
      if (!spell(task).starts_with(options.stage)) continue;
      if (options.size == 0) {
        wrong += double_up(family, task, options);
        continue;
      }
      const std::vector<std::uint32_t> words = family.make(options.size);
      show(family, options.size, bytes_of(words), task, measure(task, words));
    }
  }
  std::printf("%d families, %d stages that do not scale\n", families, wrong);
  return families == 0 || wrong != 0 ? 1 : 0;
}

}  // namespace
}  // namespace transpire::scaling

int main(int count, char** arguments) {
  transpire::scaling::Options options;
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    const auto next = [&] { return i + 1 < count ? arguments[++i] : ""; };
    if (name == "--bytes") options.bytes = std::strtoull(next(), nullptr, 10);
    if (name == "--stage") options.stage = next();
    if (name == "--family") options.family = next();
    if (name == "--size")
      options.size = static_cast<std::uint32_t>(std::strtoul(next(), nullptr, 10));
    if (name == "--every-isa") options.every_isa = true;
    if (name == "--verbose") options.verbose = true;
  }
  return transpire::scaling::run(options);
}
