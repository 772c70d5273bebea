// `transpire ulp`: measures the error of a math function.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "cli/commands.h"
#include "cli/json_output.h"
#include "launch/language/number.h"
#include "launch/language/plan_builder.h"
#include "launch/report/diagnose.h"
#include "transpire/ulp.hpp"

namespace transpire::cli {
namespace {

/// `LOW:HIGH`.
Result<std::pair<double, double>> parse_range(const std::string& text) {
  const std::size_t colon = text.find(':');
  std::pair<double, double> range;
  double* const ends[2] = {&range.first, &range.second};
  const std::string parts[2] = {text.substr(0, colon),
                                colon == std::string::npos ? "" : text.substr(colon + 1)};
  for (int i = 0; i < 2; ++i) {
    char* stop = nullptr;
    *ends[i] = std::strtod(parts[i].c_str(), &stop);
    if (parts[i].empty() || *stop != '\0')
      return command_error(kBadValue, fmt::format("'{}' is not a range", text),
                           "write '0:1', '-1e3:1e3' or '0x1p-10:1'");
  }
  return range;
}

Status read_count(const std::string& text, const char* what, std::uint64_t& target) {
  if (text.empty()) return Unit{};
  const auto count = parse_count(text, what);
  if (!count) return count.errors();
  target = *count;
  return Unit{};
}

Result<UlpOptions> measurement_of(const UlpCommandOptions& options) {
  UlpOptions measurement;
  measurement.function = options.function;
  measurement.isa = options.isa;
  measurement.exhaustive = options.exhaustive;
  if (options.type == "half") measurement.type = FloatType::kHalf;
  if (options.type == "double") measurement.type = FloatType::kDouble;
  if (options.mode == "reference") measurement.mode = UlpOptions::Mode::kReference;
  if (options.mode == "libc") measurement.mode = UlpOptions::Mode::kCLibrary;
  if (options.rounding == "rtz") measurement.rounding = UlpOptions::Rounding::kRtz;
  if (options.rounding == "rtp") measurement.rounding = UlpOptions::Rounding::kRtp;
  if (options.rounding == "rtn") measurement.rounding = UlpOptions::Rounding::kRtn;
  if (!options.range.empty()) {
    const auto range = parse_range(options.range);
    if (!range) return range.errors();
    measurement.range = *range;
  }
  std::uint64_t threads = 1;
  for (const Status& read : {read_count(options.samples, "number of samples", measurement.samples),
                             read_count(options.seed, "seed", measurement.seed),
                             read_count(options.confirm, "number of calls", measurement.confirm),
                             read_count(options.threads, "number of threads", threads)})
    if (!read) return read.errors();
  measurement.threads =
      static_cast<unsigned>(std::min<std::uint64_t>(std::max<std::uint64_t>(threads, 1), 256));
  return measurement;
}

/// A progress bar on standard error, overwritten in place; appears after one second.
class Bar {
 public:
  bool update(std::uint64_t done, std::uint64_t total) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return true;
    next_ = now + std::chrono::milliseconds(200);
    shown_ = true;
    constexpr std::size_t kWidth = 40;
    const double part = static_cast<double>(done) / static_cast<double>(total);
    const auto full = static_cast<std::size_t>(part * kWidth);
    const double spent = std::chrono::duration<double>(now - start_).count();
    fmt::print(stderr, "\r\033[K[{:#<{}}{:<{}}] {:.1f} %, {:.0f} s left", "", full, "",
               kWidth - full, 100 * part, spent / part - spent);
    return true;
  }
  ~Bar() {
    if (shown_) std::fputs("\r\033[K", stderr);
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point next_ = start_ + std::chrono::seconds(1);
  bool shown_ = false;
};

std::string spell_bound(const std::optional<double>& bound) {
  return bound ? fmt::format("{}", *bound) : "no figure";
}

/// Functions of GLSL.std.450 begin with a capital letter, those of OpenCL.std never do.
bool is_glsl(const std::string& function) { return function[0] >= 'A' && function[0] <= 'Z'; }

const char* name_of(UlpOptions::Mode mode) {
  if (mode == UlpOptions::Mode::kReference) return "reference";
  return mode == UlpOptions::Mode::kFast ? "fast" : "libc";
}

std::string text_of_worst(const UlpCommandOptions& options, FloatType type,
                          const UlpReport& report) {
  const std::string allowed =
      is_glsl(options.function)
          ? fmt::format("at least {} (Vulkan)", spell_bound(report.full_bound))
          : fmt::format("{} (full profile), {} (embedded)", spell_bound(report.full_bound),
                        spell_bound(report.embedded_bound));
  std::string text =
      report.worst_part
          ? fmt::format(
                "worst error: {:.6g} ulp\nlargest part of the error allowed: {:.6g} (Vulkan)\n",
                report.worst_ulp, *report.worst_part)
          : fmt::format("worst error: {:.6g} ulp; allowed: {}\n", report.worst_ulp, allowed);
  for (std::size_t i = 0; i < report.worst_operands.size(); ++i) {
    const bool integer = i == 1 && ulp_second_operand(options.function) == UlpSecond::kInteger;
    text +=
        fmt::format("  {} {}\n", i == 0 ? "at      " : "and     ",
                    integer ? fmt::format("{}", static_cast<std::int32_t>(report.worst_operands[i]))
                            : spell_bits(type, report.worst_operands[i]));
  }
  return text + fmt::format("  result   {}\n  correct  {}\n", spell_bits(type, report.worst_result),
                            spell_bits(type, report.worst_expected));
}

std::string measured_text(const UlpCommandOptions& options, FloatType type, UlpOptions::Mode mode,
                          const UlpReport& report) {
  const bool library = mode == UlpOptions::Mode::kCLibrary;
  std::string text = fmt::format("{} of {}, {}{}{}{}: {} calls in {:.1f} s, {} decided by MPFR\n",
                                 options.function, options.type, name_of(mode), library ? "" : ", ",
                                 library ? "" : report.isa,
                                 options.rounding == "rte" ? "" : ", " + options.rounding,
                                 report.calls, report.seconds, report.by_mpfr);
  text += text_of_worst(options, type, report);
  text += fmt::format("not correctly rounded: {}\noutside the bound: {}",
                      report.not_correctly_rounded, report.outside_full);
  text += is_glsl(options.function)
              ? " (Vulkan)\n"
              : fmt::format(" (full profile), {} (embedded)\n", report.outside_embedded);
  if (report.confirmed != 0)
    text += fmt::format("of the other calls MPFR looked at {} as well and contradicts {}\n",
                        report.confirmed, report.contradicted);
  text += "error up to       calls\n";
  for (const auto& [limit, count] : report.histogram)
    text += fmt::format("{:>8} ulp  {:>11}\n", limit, count);
  text += fmt::format("time: {:.3g} ns per value\n", report.ns_per_value);
  if (!report.complete) text += "not all calls were made\n";
  return text;
}

/// True if the results break the promise of the mode.
bool breaks_promise(UlpOptions::Mode mode, const UlpReport& report) {
  const bool rounds_once = mode == UlpOptions::Mode::kReference && report.rounded_once_in_reference;
  const bool broken = rounds_once ? report.not_correctly_rounded != 0 : report.outside_full != 0;
  return broken || report.contradicted != 0;
}

/// `--mode all`.
int measure_all(const UlpCommandOptions& options, const UlpOptions& measurement) {
  const auto comparison = measure_ulp_of_all(measurement);
  if (!comparison) return fail("ulp", options, comparison.errors());
  bool broken = comparison->differing != 0;
  std::string text;
  for (const auto& [mode, report] : comparison->contenders) {
    broken |= breaks_promise(mode, report);
    text += measured_text(options, measurement.type, mode, report) + "\n";
  }
  text +=
      fmt::format("calls whose bits differ between instruction sets: {}\n", comparison->differing);
  const int code = broken ? kExpectationFailed : kSuccess;
  print(options.json() ? json_of_ulps(options.function, options.type, *comparison, code) : text);
  return code;
}

}  // namespace

int command_ulp(const UlpCommandOptions& options) {
  auto measurement = measurement_of(options);
  if (!measurement) return fail("ulp", options, measurement.errors());
  Bar bar;
  if (isatty(STDERR_FILENO) != 0)
    measurement->progress = [&bar](std::uint64_t done, std::uint64_t total) {
      return bar.update(done, total);
    };
  if (options.mode == "all") return measure_all(options, *measurement);
  const auto report = measure_ulp(*measurement);
  if (!report) return fail("ulp", options, report.errors());
  const int code = breaks_promise(measurement->mode, *report) ? kExpectationFailed : kSuccess;
  print(options.json() ? json_of_ulp(options, *report, code)
                       : measured_text(options, measurement->type, measurement->mode, *report));
  return code;
}

}  // namespace transpire::cli
