// The oracles share this: random numbers, options of the command line, and the ways to launch.
//
// An oracle makes kernels of which it knows the results without the VM. Case N of a seed is always
// the same kernel, so a deviation is replayed by `--seed S --first N --count 1`.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "transpire/transpire.hpp"

namespace transpire::oracle {

/// splitmix64: the same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t x = state_ += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
  }
  /// 0 .. n-1
  std::uint32_t below(std::uint64_t n) { return static_cast<std::uint32_t>(bits() % n); }
  std::uint32_t between(std::uint32_t low, std::uint32_t high) {
    return low + below(high - low + 1);
  }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class Container>
  const auto& pick(const Container& from) {
    return *(std::begin(from) + static_cast<std::ptrdiff_t>(below(std::size(from))));
  }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_;
};

/// Element `index` of a list, whose elements refer to each other by such numbers.
template <class List>
decltype(auto) nth(List& list, int index) {
  return list[static_cast<std::size_t>(index)];
}

/// A random stream of its own for case `index`.
Random random_of_case(std::uint64_t seed, std::uint64_t index);

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  std::uint64_t count = 100;
  std::uint64_t most = 5;  ///< deviations that are printed: an oracle gives up behind them
  std::string isa;         ///< only this one
  std::string only;        ///< of hostile programs: the family
  bool self_test = false;  ///< corrupts expected values: the run must report them
  bool print = false;      ///< the module of every case
  bool validate = false;   ///< every module by SPIRV-Tools; what may be invalid is not made
};

/// False after a message about the usage.
bool parse_options(int count, char** arguments, Options& options);

/// One way to launch a kernel.
struct Setup {
  std::string isa;
  bool reference = false;
  unsigned threads = 1;
};
std::string describe(const Setup& setup);

/// Every supported instruction set (or the one asked for), each with both paths. One and two
/// threads take turns from case to case.
std::vector<Setup> setups(const Options& options, std::uint64_t index);

/// Devices by instruction set and threads, each made once.
class Devices {
 public:
  const Device& get(const Setup& setup);

 private:
  std::map<std::pair<std::string, unsigned>, Device> devices_;
};

/// Empty when the launch completed without findings, else what went wrong.
std::string trouble_of(const Result<LaunchResult>& result);

/// What a case comes to: empty texts when all agree.
struct Verdict {
  std::string deviation;  ///< what differs, and how it was launched
  std::string module;     ///< assembly text
};

/// The verdict's module; nothing, with the deviation, where it is not loaded. With `validate`, what is invalid is a deviation.
std::optional<Module> load_case(const Options& options, Verdict& verdict);

/// Runs cases `first` .. `first + count - 1`, prints deviations, and returns the exit code. With
/// `self_test` every case must deviate.
int run_cases(const std::string& name, const Options& options,
              const std::function<Verdict(std::uint64_t index)>& run_case);

/// The whole of a program that runs cases: options, devices, cases. Gives the exit code.
int run_oracle(const std::string& name, int count, char** arguments,
               Verdict (*run_case)(Devices& devices, const Options& options, std::uint64_t index));

}  // namespace transpire::oracle
