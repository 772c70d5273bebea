// Measuring how exact a math function is: errors in units in the last place, against GNU MPFR.
//
//   transpire::UlpOptions options;
//   options.function = "exp";
//   const auto report = transpire::measure_ulp(options);
//
// A double (for half and float) or 80-bit (for double) value of the C library with an interval of a
// stated width around it settles most calls; MPFR decides the others, and a sample of those that
// the interval settled when asked to. The error is that of OpenCL, "Relative Error as ULPs".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "transpire/export.hpp"
#include "transpire/float_type.hpp"
#include "transpire/result.hpp"

namespace transpire {

/// Calls of one function, their operands side by side.
struct UlpCalls {
  std::size_t count = 0;
  const void* first = nullptr;   ///< operands of UlpOptions::type
  const void* second = nullptr;  ///< the same, or i32; null where there is one
  void* results = nullptr;       ///< to be written, of UlpOptions::type
};

struct UlpOptions {
  std::string function;  ///< of OpenCL.std: "exp", "pow", "native_sin"
  FloatType type = FloatType::kFloat;
  enum class Mode {
    kFast,
    kReference,
    kCLibrary,  ///< what this machine's C library gives; no halves
    kOwn,       ///< what `own` gives: another implementation
  };
  Mode mode = Mode::kFast;
  /// What the correct result of a call is: the nearest number, the even one of two, or the next one
  /// towards zero, positive or negative infinity. Other than kRte is measured in the mode kOwn, and in
  /// kReference but of fdim, ldexp, and sqrt and divide of halves. The specification's bounds are
  /// those of kRte.
  enum class Rounding { kRte, kRtz, kRtp, kRtn };
  Rounding rounding = Rounding::kRte;
  /// Called from all measuring threads; false ends the measurement early. Calls that are timed come
  /// last, in the thread that measures.
  std::function<bool(const UlpCalls&)> own;
  std::string isa;  ///< as DeviceOptions::isa
  /// First operands, and second floats, are drawn evenly from this range; without it, half of the
  /// calls have any bits and half lie where results are neither 0 nor infinite.
  std::optional<std::pair<double, double>> range;
  std::uint64_t samples = 1'000'000;  ///< besides all special values, or all pairs of them
  std::uint64_t seed = 1;
  /// Every half or float, or every pair of halves, instead of samples.
  bool exhaustive = false;
  unsigned threads = 1;
  std::uint64_t confirm = 0;  ///< about so many of the settled calls are given to MPFR as well
  bool time = true;           ///< fills UlpReport::ns_per_value
  /// Called now and then from the measuring thread with calls done and in all; false ends it early.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress;
};

struct UlpReport {
  std::string isa;
  std::uint64_t calls = 0;
  std::uint64_t by_mpfr = 0;    ///< of them, decided by MPFR
  std::uint64_t confirmed = 0;  ///< settled calls that MPFR looked at as well
  std::uint64_t contradicted =
      0;  ///< and found settled wrongly: none, unless the C library is broken
  /// Results that are not the number that UlpOptions::rounding asks for, with the sign of a zero.
  /// Any NaN is as good as another.
  std::uint64_t not_correctly_rounded = 0;
  double worst_ulp = 0;  ///< infinite when a NaN stands for a number or the other way round
  /// Of the first worst call: bits of the operands (one or two), of the result and of the correct
  /// one.
  std::vector<std::uint64_t> worst_operands;
  std::uint64_t worst_result = 0, worst_expected = 0;
  /// What the specification allows; nothing where it gives no figure, and for other roundings.
  std::optional<double> full_bound, embedded_bound;
  std::uint64_t outside_full = 0, outside_embedded = 0;
  /// How many calls had an error of at most the first number, and more than the entry before
  /// allows.
  std::vector<std::pair<double, std::uint64_t>> histogram;
  std::uint64_t checksum = 0;  ///< of all results, in any order of threads and for any batch width
  double ns_per_value = 0;     ///< of the function alone, on one thread, operands in its range
  double seconds = 0;
  bool complete = true;  ///< neither progress nor `own` ended it early
};

/// Fails with C0022 (no such function, type, range or rounding), C0033 (no such instruction set) and
/// C0034 (no GNU MPFR).
TRANSPIRE_API Result<UlpReport> measure_ulp(const UlpOptions& options);

/// What one pass found of several ways to make the same calls.
struct UlpComparison {
  struct Contender {
    UlpOptions::Mode mode;
    UlpReport report;  ///< `seconds`, `confirmed` and `contradicted` are those of the whole pass
  };
  /// The reference mode, then the fast mode on each instruction set.
  std::vector<Contender> contenders;
  /// Calls whose bits in the fast mode are not the same on all these instruction sets: none.
  std::uint64_t differing = 0;
};

/// Measures the reference mode, on the widest instruction set, and the fast mode on all that this
/// machine has (with UlpOptions::isa: both on this one), in little more time than one takes: what
/// is correct is found out once. UlpOptions::mode is not looked at. Fails as measure_ulp.
TRANSPIRE_API Result<UlpComparison> measure_ulp_of_all(UlpOptions options);

/// The functions that can be measured, each once, under its plain name.
TRANSPIRE_API std::vector<std::string> measurable_functions();

/// What a function takes besides a float, or of a function that cannot be measured: nothing.
enum class UlpSecond { kNone, kFloat, kInteger };
TRANSPIRE_API UlpSecond ulp_second_operand(const std::string& function);

/// A number of the type, spelled so that it reads back: "0x1.8p+1 (3)".
TRANSPIRE_API std::string spell_bits(FloatType type, std::uint64_t bits);

}  // namespace transpire
