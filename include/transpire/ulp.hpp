// Measures the accuracy of math functions: errors in units in the last place (ULP), against GNU MPFR.
//
//   transpire::UlpOptions options;
//   options.function = "exp";
//   const auto report = transpire::measure_ulp(options);
//
// The C library settles most calls: it computes in double for half and float, in 80 bits for double, and the
// exact result lies in an interval of known width around its value. MPFR decides the other calls and, on
// request, checks a sample of the settled ones. The error is defined as in OpenCL, "Relative Error as ULPs".
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

/// A batch of calls of one function: arrays of operands and of results.
struct UlpCalls {
  std::size_t count = 0;         ///< elements of each array
  const void* first = nullptr;   ///< first operands, of UlpOptions::type
  const void* second = nullptr;  ///< second operands, of that type or int32_t; null: none
  void* results = nullptr;       ///< written by the callee, of UlpOptions::type
};

struct UlpOptions {
  /// Function of OpenCL.std, "exp", "pow", "native_sin", or of GLSL.std.450, "Exp", "InverseSqrt". Bounds of the latter are
  /// those of Vulkan, for halves and floats, and count as the full profile's: the least error that Vulkan allows at any operand.
  /// Others of GLSL.std.450, with the size of their vectors, "Fma", "Length3", and core instructions, "OpDot4": formulas, which
  /// have a bound at each call (UlpReport::worst_part). They have the modes kFast and kReference, and kRte only.
  std::string function;
  FloatType type = FloatType::kFloat;
  enum class Mode {
    kFast,
    kReference,
    kCLibrary,  ///< this machine's C library; not for half
    kOwn,       ///< the function `own`: another implementation
  };
  Mode mode = Mode::kFast;
  /// Rounding of the correct result: to the nearest number (ties to even), or towards zero, positive or negative infinity.
  /// The specification bounds errors for kRte only. The other roundings need the mode kOwn or kReference; kReference does
  /// not have them for fdim, ldexp, and sqrt and divide of halves.
  enum class Rounding { kRte, kRtz, kRtp, kRtn };
  Rounding rounding = Rounding::kRte;
  /// The measured function in mode kOwn: it computes a batch of calls. All measuring threads call it. Returning false ends
  /// the measurement early. The timed calls come last, in the thread that called measure_ulp().
  std::function<bool(const UlpCalls&)> own;
  std::string isa;  ///< instruction set, as DeviceOptions::isa
  /// Range of operands: first operands, and second floats, are distributed evenly in it. Without it, half of the calls
  /// have operands of random bits; the others have operands whose results are neither 0 nor infinite.
  std::optional<std::pair<double, double>> range;
  std::uint64_t samples = 1'000'000;  ///< calls besides those of all (pairs of) special values
  std::uint64_t seed = 1;
  /// Measures every half or float, or every pair of halves, instead of samples.
  bool exhaustive = false;
  unsigned threads = 1;
  std::uint64_t confirm = 0;  ///< approximate number of settled calls that MPFR checks
  bool time = true;           ///< measures UlpReport::ns_per_value
  /// Called now and then, in the thread that called measure_ulp(), with the numbers of finished and of all calls.
  /// Returning false ends the measurement early.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress;
};

struct UlpReport {
  std::string isa;
  std::uint64_t calls = 0;
  std::uint64_t by_mpfr = 0;    ///< calls that MPFR decided
  std::uint64_t confirmed = 0;  ///< settled calls that MPFR checked
  std::uint64_t contradicted =
      0;  ///< checked calls that were settled wrongly: 0 unless the C library is broken
  /// Results that differ from the correctly rounded number, see UlpOptions::rounding. Zeros of different sign differ; all
  /// NaNs are equal.
  std::uint64_t not_correctly_rounded = 0;
  /// False for the formulas that the reference mode does not round once (docs/numerics.md).
  bool rounded_once_in_reference = true;
  /// Formulas: of results that are not the nearest number, which is always allowed, the largest part that an error is of the one
  /// that Vulkan allows for the call, with the call's operands below; nothing for other functions. Where Vulkan allows any
  /// result, calls do not count, nor in worst_ulp: where the formula may overflow or divide by 0 on the way, and where an
  /// operand is infinite or NaN.
  std::optional<double> worst_part{};
  double worst_ulp = 0;  ///< largest error; infinite if one result is a NaN and the other is not
  /// Bits of the operands (one or two; formulas may have more), of the result and of the correct result of the first call with the largest error.
  std::vector<std::uint64_t> worst_operands;
  std::uint64_t worst_result = 0, worst_expected = 0;
  /// The specification's error bounds in ULP; nothing if it gives none, and for roundings other than kRte.
  std::optional<double> full_bound, embedded_bound;
  std::uint64_t outside_full = 0, outside_embedded = 0;  ///< calls with an error beyond the bound
  /// Entries (limit, calls): the number of calls with an error of at most `limit` ULP and above the limit of the entry
  /// before.
  std::vector<std::pair<double, std::uint64_t>> histogram;
  std::uint64_t checksum = 0;  ///< sum over all results; independent of threads and batch width
  double ns_per_value = 0;     ///< time of one call on one thread, operands in the usual range
  double seconds = 0;
  bool complete = true;  ///< false if `progress` or `own` ended the measurement early
};

/// Measures one function. Fails with C0022 (no such function, type, range or rounding), C0033 (no such instruction set)
/// and C0034 (no GNU MPFR).
TRANSPIRE_API Result<UlpReport> measure_ulp(const UlpOptions& options);

/// Reports of several modes that made the same calls.
struct UlpComparison {
  struct Contender {
    UlpOptions::Mode mode;
    UlpReport report;  ///< `seconds`, `confirmed` and `contradicted` count all contenders together
  };
  /// The reference mode, then the fast mode on each instruction set.
  std::vector<Contender> contenders;
  /// Calls whose results in the fast mode differ between instruction sets. Expected to be 0.
  std::uint64_t differing = 0;
};

/// Measures the reference mode on the widest instruction set, and the fast mode on each instruction set that this machine
/// has. UlpOptions::isa limits both to one instruction set; UlpOptions::mode is ignored. The correct results are computed
/// once, so this takes little longer than one measurement. Fails as measure_ulp() does.
TRANSPIRE_API Result<UlpComparison> measure_ulp_of_all(UlpOptions options);

/// Names of the functions that can be measured. measure_ulp() also takes their half_ and native_ forms.
TRANSPIRE_API std::vector<std::string> measurable_functions();

/// Type of a function's second operand. kNone if it has one operand, or cannot be measured.
enum class UlpSecond { kNone, kFloat, kInteger };
TRANSPIRE_API UlpSecond ulp_second_operand(const std::string& function);

/// Text of a number given by its bits, exact and in decimal: "0x1.8p+1 (3)".
TRANSPIRE_API std::string spell_bits(FloatType type, std::uint64_t bits);

}  // namespace transpire
