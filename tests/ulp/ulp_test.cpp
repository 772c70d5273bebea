// What the two modes of math functions promise, held against the arbiter of `transpire ulp`.
//
//   reference: every result is correctly rounded, in each of the four modes; all halves of functions
//              of one operand, random calls and all (pairs of) special values of the others
//   fast:      no result is outside the full profile's bound, and every instruction set gives the
//              same bits; nor is one of GLSL.std.450 outside Vulkan's
//   glsl:      every float, of functions of GLSL.std.450 that take one
//
// Functions that are judged by a formula (ulp/formulas.def) come along in all three.
//
// In both, MPFR confirms a sample of what the arbiter decided without it.
#include "transpire/ulp.hpp"

#include <fmt/format.h>

#include <cstring>
#include <string_view>
#include <thread>

#include "transpire/transpire.hpp"

using namespace transpire;

namespace {

using Rounding = UlpOptions::Rounding;

constexpr FloatType kTypes[] = {FloatType::kHalf, FloatType::kFloat, FloatType::kDouble};
constexpr const char* kTypeNames[] = {"half", "float", "double"};

UlpOptions options_for(const std::string& name, FloatType type) {
  UlpOptions options;
  options.function = name;
  options.type = type;
  options.seed = 20240601;
  options.time = false;
  options.exhaustive = type == FloatType::kHalf && ulp_second_operand(name) == UlpSecond::kNone;
  options.confirm = 500;
  return options;
}

int failures = 0;

void fail(const UlpOptions& options, const UlpReport& report, const std::string& what) {
  ++failures;
  const auto type = static_cast<std::size_t>(options.type);
  constexpr const char* kRoundings[] = {"rte", "rtz", "rtp", "rtn"};
  fmt::print("{} of {} on {}, {}: {}; worst {} ulp at", options.function, kTypeNames[type],
             report.isa, kRoundings[static_cast<int>(options.rounding)], what, report.worst_ulp);
  for (const std::uint64_t bits : report.worst_operands) fmt::print(" {:#x}", bits);
  fmt::print(", result {:#x}, correct {:#x}\n", report.worst_result, report.worst_expected);
}

void check_settled(const UlpOptions& options, const UlpReport& report) {
  if (report.contradicted != 0)
    fail(options, report,
         fmt::format("MPFR contradicts {} of {} decided calls", report.contradicted,
                     report.confirmed));
}

void check_reference(const UlpOptions& options, const UlpReport& report) {
  if (report.not_correctly_rounded != 0)
    fail(options, report,
         fmt::format("{} results are not correctly rounded", report.not_correctly_rounded));
}

UlpReport measured(const UlpOptions& options) {
  const auto report = measure_ulp(options);
  if (!report) {
    ++failures;
    fmt::print("{}: {}\n", options.function, report.errors()[0].message);
    return {};
  }
  check_settled(options, *report);
  return *report;
}

std::uint64_t test_reference(const std::string& name, FloatType type) {
  UlpOptions options = options_for(name, type);
  options.mode = UlpOptions::Mode::kReference;
  options.samples = type == FloatType::kFloat ? 40'000 : 8'000;
  std::uint64_t calls = 0;
  for (const auto rounding : {Rounding::kRte, Rounding::kRtz, Rounding::kRtp, Rounding::kRtn}) {
    options.rounding = rounding;
    if (rounding != Rounding::kRte) {
      if (name == "fdim" || name == "ldexp") continue;
      if (type == FloatType::kHalf && (name == "sqrt" || name == "divide")) continue;
      options.samples = 2'000;
    }
    const UlpReport report = measured(options);
    check_reference(options, report);
    calls += report.calls;
  }
  return calls;
}

void check_fast(const UlpOptions& options, const UlpReport& report) {
  if (report.outside_full != 0)
    fail(options, report, fmt::format("{} results are outside of the bound", report.outside_full));
}

/// Of doubles, for which the reference mode is too slow to come along.
std::uint64_t test_fast_doubles(UlpOptions options) {
  options.samples = 20'000;
  std::uint64_t calls = 0, checksum = 0;
  for (const std::string& isa : supported_isas()) {
    options.isa = isa;
    const UlpReport report = measured(options);
    check_fast(options, report);
    if (calls != 0 && report.checksum != checksum)
      fail(options, report, "other bits than on the instruction set before");
    checksum = report.checksum;
    calls += report.calls;
    options.confirm = 0;
  }
  return calls;
}

/// All instruction sets, and the reference mode, in one pass.
std::uint64_t test_fast(const std::string& name, FloatType type) {
  UlpOptions options = options_for(name, type);
  if (type == FloatType::kDouble) return test_fast_doubles(options);
  options.samples = type == FloatType::kFloat ? 1'000'000 : 200'000;
  const auto comparison = measure_ulp_of_all(options);
  if (!comparison) {
    ++failures;
    fmt::print("{}: {}\n", name, comparison.errors()[0].message);
    return 0;
  }
  check_settled(options, comparison->contenders.front().report);
  std::uint64_t calls = 0;
  for (const auto& [mode, report] : comparison->contenders) {
    if (mode == UlpOptions::Mode::kReference)
      check_reference(options, report);
    else
      check_fast(options, report);
    calls += report.calls;
  }
  if (comparison->differing != 0)
    fail(options, comparison->contenders.back().report,
         fmt::format("{} calls differ between instruction sets", comparison->differing));
  return calls;
}

struct FormulaRow {
  const char* name;
  bool rounded_once, takes_one_number;
};
constexpr FormulaRow kFormulas[] = {
#define TRANSPIRE_FORMULA(name, size, operands, result, formula, once, rule) \
  {size == 0 ? #name : #name #size, once, std::string_view(operands) == "s"},
#include "ulp/formulas.def"
#undef TRANSPIRE_FORMULA
};

/// Both modes and all instruction sets in one pass.
std::uint64_t test_formula(const FormulaRow& formula, FloatType type, std::uint64_t samples,
                           bool all_floats) {
  UlpOptions options = options_for(formula.name, type);
  options.samples = samples;
  options.exhaustive &= formula.takes_one_number;
  options.exhaustive |= all_floats && formula.takes_one_number;
  options.threads = all_floats ? std::thread::hardware_concurrency() : 1;
  const auto comparison = measure_ulp_of_all(options);
  if (!comparison) {
    ++failures;
    fmt::print("{}: {}\n", formula.name, comparison.errors()[0].message);
    return 0;
  }
  check_settled(options, comparison->contenders.front().report);
  std::uint64_t calls = 0;
  for (const auto& [mode, report] : comparison->contenders) {
    if (mode == UlpOptions::Mode::kReference && formula.rounded_once)
      check_reference(options, report);
    check_fast(options, report);
    if (!report.complete) fail(options, report, "a shader failed");
    calls += report.calls;
  }
  if (comparison->differing != 0)
    fail(options, comparison->contenders.back().report,
         fmt::format("{} calls differ between instruction sets", comparison->differing));
  return calls;
}

std::uint64_t test_all_formulas(const char* wanted, bool all_floats, int& functions) {
  std::uint64_t calls = 0;
  for (const FormulaRow& formula : kFormulas) {
    if (wanted != nullptr && std::string_view(formula.name) != wanted) continue;
    ++functions;
    calls += test_formula(formula, FloatType::kHalf, all_floats ? 1'000'000 : 8'000, false);
    calls += test_formula(formula, FloatType::kFloat, all_floats ? 10'000'000 : 8'000, all_floats);
    calls += test_formula(formula, FloatType::kDouble, all_floats ? 100'000 : 2'000, false);
  }
  return calls;
}

constexpr const char* kGlslFunctions[] = {
#define TRANSPIRE_GLSL_MEASURED(name, opencl, half, single, rule) #name,
#include "ulp/glsl.def"
#undef TRANSPIRE_GLSL_MEASURED
};

/// Functions of OpenCL.std run these, so few calls are enough to find one that runs as another. `all_floats` takes many pairs
/// where a function has two operands.
std::uint64_t test_glsl(const std::string& name, FloatType type, bool all_floats) {
  UlpOptions options = options_for(name, type);
  options.exhaustive |= all_floats && ulp_second_operand(name) == UlpSecond::kNone;
  options.samples = all_floats ? 100'000'000 : 20'000;
  options.threads = all_floats ? std::thread::hardware_concurrency() : 1;
  const UlpReport report = measured(options);
  check_fast(options, report);
  if (!report.full_bound) fail(options, report, "there is no bound");
  return report.calls;
}

std::uint64_t test_all_glsl(const char* wanted, bool all_floats, int& functions) {
  std::uint64_t calls = 0;
  for (const std::string name : kGlslFunctions) {
    if (wanted != nullptr && name != wanted) continue;
    ++functions;
    calls +=
        test_glsl(name, FloatType::kHalf, false) + test_glsl(name, FloatType::kFloat, all_floats);
  }
  return calls;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print("usage: transpire_ulp_test reference|fast|glsl [FUNCTION]\n");
    return 2;
  }
  const bool reference = std::strcmp(argv[1], "reference") == 0;
  const bool glsl = std::strcmp(argv[1], "glsl") == 0;
  const char* const wanted = argc > 2 ? argv[2] : nullptr;
  std::uint64_t calls = 0;
  int functions = 0;
  if (!reference)
    calls += test_all_glsl(wanted, glsl, functions) + test_all_formulas(wanted, glsl, functions);
  for (const std::string& name : glsl ? std::vector<std::string>() : measurable_functions()) {
    if (wanted != nullptr && name != wanted) continue;
    ++functions;
    for (const FloatType type : kTypes)
      calls += reference ? test_reference(name, type) : test_fast(name, type);
  }
  fmt::print("{} functions, {} calls, {} failures\n", functions, calls, failures);
  return failures != 0 || calls == 0 ? 1 : 0;
}
