// transpire-math-bench: float functions of the fast mode beside vector math libraries, one core,
// operands and results in the cache. Prints a table in Markdown for docs/numerics.md.
//
// A ratio is a library's time over ours: 1 is as fast, 0.5 takes twice as long.
#include <cmath>
#include <cstdio>
#include <random>

#include "bench/math/vector_libraries.h"
#include "transpire/transpire.hpp"
#include "transpire/ulp.hpp"

using namespace transpire;

namespace {

struct Case {
  const char* function;
  float low, high;
};

/// The ranges that measure_ulp takes its timed operands from.
constexpr Case kCases[] = {{"exp", -104, 89},  {"log", 0, 3},  {"sin", -100, 100},
                           {"cos", -100, 100}, {"pow", 0, 10}, {"sqrt", 0, 100},
                           {"rsqrt", 0, 100},  {"erf", -5, 5}, {"tanh", -10, 10}};

constexpr std::size_t kValues = 2048;

double time_ours(const std::string& function, const std::string& isa) {
  UlpOptions options;
  options.function = function;
  options.isa = isa;
  options.samples = 1;
  const auto report = measure_ulp(options);
  return report ? report->ns_per_value : NAN;
}

/// Exponents of powers are such that results are in range, as measure_ulp's are.
void fill(const Case& c, std::vector<float>& a, std::vector<float>& b) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> first(c.low, c.high), part(-1, 1);
  for (std::size_t i = 0; i < kValues; ++i) {
    a[i] = first(random);
    b[i] = part(random) * 127 / std::fabs(std::log2(a[i]));
  }
}

void print_row(const Case& c, const std::string& isa) {
  std::vector<float> a(kValues), b(kValues);
  fill(c, a, b);
  const double ours = time_ours(c.function, isa);
  double one_ulp = NAN, libmvec = NAN;  // SLEEF's time, or that of instructions; libmvec's
  std::string others;
  for (const auto& [library, time] : bench::time_libraries(c.function, isa == "avx512", a, b)) {
    (library == "libmvec" ? libmvec : one_ulp) = time;
    char text[64];
    std::snprintf(text, sizeof text, "%s%s %.2f", others.empty() ? "" : ", ", library.c_str(),
                  time);
    others += text;
  }
  std::printf("| %s | %s | %.2f | %s | %.2f | ", c.function, isa.c_str(), ours, others.c_str(),
              one_ulp / ours);
  if (std::isnan(libmvec))
    std::printf("- |\n");
  else
    std::printf("%.2f |\n", libmvec / ours);
}

}  // namespace

int main() {
  std::printf(
      "| function | instruction set | ns per value | others, ns per value "
      "| ratio to SLEEF or the instruction | ratio to libmvec |\n|---|---|---|---|---|---|\n");
  for (const std::string& isa : supported_isas())
    if (isa != "baseline" && supported_isas().back() == "avx512")
      for (const Case& c : kCases) print_row(c, isa);
}
