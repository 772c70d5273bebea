// measure_ulp: threads take blocks of calls, each with totals of its own, which are added at the
// end.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "base/result.h"
#include "runtime/float_kind.h"
#include "runtime/ulp/arbiter.h"
#include "runtime/ulp/rows.h"
#include "transpire/transpire.hpp"
#include "transpire/ulp.hpp"
#include "vm/exec/float_mode.h"
#include "vm/reference/handlers.h"

namespace transpire {
namespace runtime::ulp {
namespace {

using vm::Kind;
using vm::exec::HandlerTable;
using vm::exec::Isa;

/// Calls that a thread takes at a time: a multiple of every batch width.
constexpr std::uint64_t kBlock = 8192;
constexpr std::size_t kTimedCalls = 2048;

/// Upper ends of the histogram's bins, the last of which takes what is left.
constexpr double kBins[] = {0,   0.25, 0.5, 0.501, 0.51, 0.55, 0.6,  0.75,    1,
                            1.5, 2,    3,   4,     8,    16,   8192, INFINITY};
constexpr std::size_t kBinCount = std::size(kBins);

std::size_t bin_of(double ulp) {
  std::size_t bin = 0;  // most errors are small
  while (bin + 1 < kBinCount && !(ulp <= kBins[bin])) ++bin;
  return bin;
}

float bound_of(const extinst::UlpBounds& bounds, FloatType type) {
  if (type == FloatType::kHalf) return bounds.half_ulp;
  return type == FloatType::kFloat ? bounds.float_ulp : bounds.double_ulp;
}

/// What one thread counted.
struct Totals {
  std::uint64_t by_mpfr = 0, confirmed = 0, contradicted = 0, not_correctly_rounded = 0;
  std::uint64_t outside_full = 0, outside_embedded = 0, checksum = 0;
  std::uint64_t bins[kBinCount] = {};
  double worst_ulp = -1;
  std::uint64_t worst_number = 0;
  Bits worst_result = 0;

  void note_worst(double ulp, std::uint64_t number, Bits result) {
    if (ulp < worst_ulp || (ulp == worst_ulp && number >= worst_number)) return;
    worst_ulp = ulp;
    worst_number = number;
    worst_result = result;
  }
  void add(const Totals& other) {
    by_mpfr += other.by_mpfr;
    confirmed += other.confirmed;
    contradicted += other.contradicted;
    not_correctly_rounded += other.not_correctly_rounded;
    outside_full += other.outside_full;
    outside_embedded += other.outside_embedded;
    checksum += other.checksum;
    for (std::size_t i = 0; i < kBinCount; ++i) bins[i] += other.bins[i];
    if (other.worst_ulp >= 0) note_worst(other.worst_ulp, other.worst_number, other.worst_result);
  }
};

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

class Measurement {
 public:
  Measurement(const MeasuredFunction& function, const UlpOptions& options,
              const HandlerTable* table, UlpReport* report)
      : options_(options),
        report_(*report),
        kind_(kind_of(options.type)),
        operands_(function, kind_, options),
        caller_(function, kind_, table),
        arbiter_(function, kind_),
        arity_(function.arity()) {
    if (options.confirm != 0)
      confirm_each_ = std::max<std::uint64_t>(1, operands_.count() / options.confirm);
  }

  void run() {
    const auto start = std::chrono::steady_clock::now();
    std::vector<Totals> totals(std::max(1u, options_.threads));
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < totals.size(); ++i)
      others.emplace_back([this, &totals, i] { work(totals[i], false); });
    work(totals[0], true);
    for (std::thread& other : others) other.join();
    for (std::size_t i = 1; i < totals.size(); ++i) totals[0].add(totals[i]);
    finish(totals[0]);
    report_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (options_.time) time();
  }

 private:
  void work(Totals& totals, bool reports) {
    const vm::exec::FloatMode mode;
    std::vector<Call> calls;
    std::vector<Bits> results;
    const std::uint64_t count = operands_.count();
    while (!stopped_.load(std::memory_order_relaxed)) {
      const std::uint64_t first = next_.fetch_add(kBlock);
      if (first >= count) return;
      const std::uint64_t last = std::min(count, first + kBlock);
      calls.clear();
      for (std::uint64_t i = first; i < last; ++i) calls.push_back(operands_.call(i));
      caller_.call(calls, &results);
      for (std::uint64_t i = first; i < last; ++i)
        judge(totals, i, calls[i - first], results[i - first]);
      done_ += last - first;
      if (reports && options_.progress && !options_.progress(done_, count)) stopped_ = true;
    }
  }

  void judge(Totals& totals, std::uint64_t number, const Call& call, Bits result) const {
    const Arbiter::Verdict verdict = arbiter_.judge(call.a, call.b, result);
    totals.by_mpfr += verdict.by_mpfr;
    totals.not_correctly_rounded += !arbiter_.same(verdict.expected, result);
    totals.outside_full += report_.full_bound && !(verdict.ulp <= *report_.full_bound);
    totals.outside_embedded += report_.embedded_bound && !(verdict.ulp <= *report_.embedded_bound);
    totals.checksum += mixed(mixed(number) ^ result);
    ++totals.bins[bin_of(verdict.ulp)];
    totals.note_worst(verdict.ulp, number, result);
    if (confirm_each_ == 0 || verdict.by_mpfr || mixed(number) % confirm_each_ != 0) return;
    const Arbiter::Verdict exact = arbiter_.judge_exactly(call.a, call.b, result);
    ++totals.confirmed;
    totals.contradicted += !arbiter_.same(exact.expected, verdict.expected);
  }

  void finish(const Totals& totals) {
    report_.calls = done_;
    report_.complete = done_ == operands_.count();
    report_.by_mpfr = totals.by_mpfr;
    report_.confirmed = totals.confirmed;
    report_.contradicted = totals.contradicted;
    report_.not_correctly_rounded = totals.not_correctly_rounded;
    report_.outside_full = totals.outside_full;
    report_.outside_embedded = totals.outside_embedded;
    report_.checksum = totals.checksum;
    for (std::size_t i = 0; i < kBinCount; ++i)
      if (totals.bins[i] != 0) report_.histogram.emplace_back(kBins[i], totals.bins[i]);
    if (totals.worst_ulp < 0) return;
    const Call worst = operands_.call(totals.worst_number);
    const Arbiter::Verdict verdict = arbiter_.judge_exactly(worst.a, worst.b, totals.worst_result);
    report_.worst_ulp = verdict.ulp;
    report_.worst_operands = {worst.a};
    if (arity_ == 2) report_.worst_operands.push_back(worst.b);
    report_.worst_result = totals.worst_result;
    report_.worst_expected = verdict.expected;
  }

  void time() {
    const vm::exec::FloatMode mode;
    std::vector<Call> calls;
    for (std::size_t i = 0; i < kTimedCalls; ++i) calls.push_back(operands_.moderate(i));
    report_.ns_per_value = caller_.time(calls);
  }

  const UlpOptions& options_;
  UlpReport& report_;
  const Kind kind_;
  const Operands operands_;
  const RowCaller caller_;
  const Arbiter arbiter_;
  const std::size_t arity_;
  std::uint64_t confirm_each_ = 0;  ///< 0: none
  std::atomic<std::uint64_t> next_{0}, done_{0};
  std::atomic<bool> stopped_{false};
};

Diagnostic wrong(std::string message, std::string help) {
  Diagnostic error = make_diagnostic(Rule::kC0022, std::move(message));
  error.help = std::move(help);
  return error;
}

Diagnostic lacks_mpfr(std::string message) {
  Diagnostic error = make_diagnostic(Rule::kC0034, std::move(message));
  error.help = "install it; Debian's package is libmpfr6";
  return error;
}

Status check(const UlpOptions& options, const MeasuredFunction* function) {
  if (function == nullptr)
    return wrong(fmt::format("there is no measure for a function '{}'", options.function),
                 fmt::format("there is one for {}; and for their half_ and native_ forms",
                             fmt::join(measurable_functions(), ", ")));
  const bool library = options.mode == UlpOptions::Mode::kCLibrary;
  if (library && (options.type == FloatType::kHalf || !function->in_c_library))
    return wrong(fmt::format("the C library has no {} of this type", options.function), {});
  const std::uint64_t bits = vm::width_bits(kind_of(options.type)) * function->arity();
  if (options.exhaustive && (bits > 32 || function->takes_integer()))
    return wrong(
        fmt::format("{} has too many operands of this type to walk through", options.function),
        "all halves, all floats and all pairs of halves can be walked through");
  if (options.range && !(options.range->first < options.range->second &&
                         std::isfinite(options.range->second - options.range->first)))
    return wrong("the range's ends must be finite numbers, the first below the second", {});
  return Unit{};
}

const HandlerTable& table_of(const std::string& isa, UlpOptions::Mode mode) {
  const HandlerTable* table = &vm::exec::handlers(Isa::kBaseline);
  if (isa == "avx2") table = &vm::exec::handlers(Isa::kAvx2);
  if (isa == "avx512") table = &vm::exec::handlers(Isa::kAvx512);
  return mode == UlpOptions::Mode::kReference ? vm::exec::reference_handlers(*table) : *table;
}

/// Of OpFDiv, which is no function of OpenCL.std.
constexpr extinst::Function kDivide{
    0, "divide", extinst::Category::kMath, {0.5, 2.5, 0.5}, {1, 3, 3}};

void fill_bounds(const UlpOptions& options, const MeasuredFunction& function, UlpReport* report) {
  const extinst::Function* named = extinst::find_opencl_std(options.function);
  if (named == nullptr) named = extinst::find_opencl_std(function.function.name);
  if (named == nullptr) named = &kDivide;
  const float full = bound_of(named->bounds, options.type);
  const float embedded = bound_of(named->embedded, options.type);
  if (full != extinst::kNoBound) report->full_bound = full;
  if (embedded != extinst::kNoBound) report->embedded_bound = embedded;
}

}  // namespace
}  // namespace runtime::ulp

Result<UlpReport> measure_ulp(const UlpOptions& options) {
  using namespace runtime::ulp;
  const MeasuredFunction* const function = find_measured(options.function);
  if (const Status good = check(options, function); !good) return good.errors();
  if (const std::string lacking = extinst::reference::lacking(); !lacking.empty())
    return lacks_mpfr(lacking);
  const Result<Device> device = Device::create({options.isa, 1});
  if (!device) return device.errors();
  UlpReport report;
  report.isa = device->isa();
  fill_bounds(options, *function, &report);
  const bool library = options.mode == UlpOptions::Mode::kCLibrary;
  Measurement(*function, options, library ? nullptr : &table_of(report.isa, options.mode), &report)
      .run();
  return report;
}

std::vector<std::string> measurable_functions() {
  std::vector<std::string> names;
  for (const auto& function : runtime::ulp::measured_functions())
    names.emplace_back(function.function.name);
  return names;
}

std::string spell_bits(FloatType type, std::uint64_t bits) {
  const double value = extinst::reference::to_double(runtime::kind_of(type), bits);
  return fmt::format("{:a} ({})", value, value);
}

}  // namespace transpire
