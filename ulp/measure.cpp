// measure_ulp, measure_ulp_of_all: threads take blocks of calls, each with counts of its own, which
// are added at the end.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <thread>

#include "base/nearest.h"
#include "base/result.h"
#include "transpire/transpire.hpp"
#include "transpire/ulp.hpp"
#include "ulp/judge.h"
#include "ulp/operands.h"
#include "ulp/rows.h"
#include "vm/reference/handlers.h"
#include "vm/simd/float_kind.h"
#include "vm/simd/float_mode.h"

namespace transpire {
namespace ulp {
namespace {

using vm::HandlerTable;
using vm::Kind;
using vm::kind_of;

constexpr std::size_t kTimedCalls = 2048;

float bound_of(const extinst::UlpBounds& bounds, FloatType type) {
  if (type == FloatType::kHalf) return bounds.half_ulp;
  return type == FloatType::kFloat ? bounds.float_ulp : bounds.double_ulp;
}

/// One side of a comparison: the mode or library that is measured in a pass, and its report.
struct Contender {
  UlpOptions::Mode mode;
  const HandlerTable* table;  ///< null for the C library and the caller's own function
  UlpReport* report;
  std::optional<Shader> shader{};  ///< runs a formula's function
};

Bounds bounds_of(const UlpOptions& options, const MeasuredFunction& function);

vm::Rounding rounding_of(const UlpOptions& options) {
  switch (options.rounding) {
    case UlpOptions::Rounding::kRtz:
      return vm::Rounding::kRtz;
    case UlpOptions::Rounding::kRtp:
      return vm::Rounding::kRtp;
    case UlpOptions::Rounding::kRtn:
      return vm::Rounding::kRtn;
    default:
      return vm::Rounding::kRte;
  }
}

class Measurement {
 public:
  Measurement(const MeasuredFunction& function, const UlpOptions& options,
              const std::vector<Contender>& contenders)
      : function_(function),
        options_(options),
        contenders_(contenders),
        kind_(kind_of(options.type)),
        rounding_(rounding_of(options)),
        bounds_(bounds_of(options, function)),
        operands_(function, kind_, options) {
    for (const Contender& contender : contenders)
      callers_.emplace_back(function, kind_, contender.table,
                            contender.mode == UlpOptions::Mode::kOwn ? &options.own : nullptr,
                            contender.shader, rounding_);
    if (options.confirm != 0)
      confirm_each_ = std::max<std::uint64_t>(1, operands_.count() / options.confirm);
  }

  /// The number of calls for which the contenders of the fast mode did not all give the same bits.
  std::uint64_t run() {
    const auto start = std::chrono::steady_clock::now();
    std::vector<Counts> counts(std::max(1u, options_.threads));
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < counts.size(); ++i)
      others.emplace_back([this, &counts, i] { work(counts[i], false); });
    work(counts[0], true);
    for (std::thread& other : others) other.join();
    for (std::size_t i = 1; i < counts.size(); ++i) counts[0].add(counts[i]);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const auto block = std::make_unique<Block>();
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
      UlpReport& report = *contenders_[i].report;
      report.seconds = seconds;
      finish(counts[0].totals[i], counts[0].confirmed, &report);
      if (options_.time && !stopped_) time(callers_[i], block.get(), &report);
    }
    return counts[0].differing;
  }

 private:
  /// Counts of one thread.
  struct Counts {
    Totals totals[kMostContenders];
    Totals confirmed;  ///< confirmations by MPFR, for all contenders
    std::uint64_t differing = 0;

    void add(const Counts& other) {
      for (std::size_t i = 0; i < kMostContenders; ++i) totals[i].add(other.totals[i]);
      confirmed.add(other.confirmed);
      differing += other.differing;
    }
  };

  void work(Counts& counts, bool reports) {
    const vm::FloatMode mode;
    const auto block = std::make_unique<Block>();
    const auto judge = std::make_unique<BlockJudge>(function_, kind_, bounds_, rounding_);
    const std::uint64_t count = operands_.count();
    while (!stopped_.load(std::memory_order_relaxed)) {
      const std::uint64_t first = next_.fetch_add(kBlock);
      if (first >= count) return;
      operands_.fill(first, block.get());
      for (std::size_t i = 0; i < callers_.size(); ++i)
        if (!callers_[i].call(*block, i)) stopped_ = true;
      if (stopped_) return;
      judge->decide(*block);
      judge_all(*block, *judge, counts);
      done_ += block->count;
      if (reports && options_.progress && !options_.progress(done_, count)) stopped_ = true;
    }
  }

  /// Contenders that gave the same results, as they nearly always do, are judged once.
  void judge_all(const Block& block, BlockJudge& judge, Counts& counts) const {
    Totals found[kMostContenders];
    double least_worst = counts.totals[0].worst_ulp;
    for (std::size_t i = 1; i < contenders_.size(); ++i)
      least_worst = std::min(least_worst, counts.totals[i].worst_ulp);
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
      std::size_t same = 0;
      while (!are_same(block, same, i)) ++same;
      found[i] = same < i ? found[same] : judge.judge(i, least_worst);
      counts.totals[i].add(found[i]);
      if (i == 0 && confirm_each_ != 0)
        judge.confirm(~std::uint64_t{0} / confirm_each_, &counts.confirmed);
    }
    counts.differing += count_differing(block);
  }

  static bool are_same(const Block& block, std::size_t one, std::size_t other) {
    return one == other || std::memcmp(block.results[one].data(), block.results[other].data(),
                                       block.count * block.bytes) == 0;
  }

  std::uint64_t count_differing(const Block& block) const {
    std::vector<std::size_t> fast;
    for (std::size_t i = 0; i < contenders_.size(); ++i)
      if (contenders_[i].mode == UlpOptions::Mode::kFast) fast.push_back(i);
    const auto same = [&](std::size_t i) { return are_same(block, fast[0], i); };
    if (std::ranges::all_of(fast, same)) return 0;
    std::uint64_t differing = 0;
    for (std::size_t i = 0; i < block.count; ++i)
      differing += !std::ranges::all_of(
          fast, [&](std::size_t c) { return block.result(c, i) == block.result(fast[0], i); });
    return differing;
  }

  void finish(const Totals& totals, const Totals& confirmed, UlpReport* report) const {
    report->calls = done_;
    report->complete = done_ == operands_.count();
    report->full_bound = bounds_.full;
    report->embedded_bound = bounds_.embedded;
    report->by_mpfr = totals.by_mpfr;
    report->confirmed = confirmed.confirmed;
    report->contradicted = confirmed.contradicted;
    report->not_correctly_rounded = totals.not_correctly_rounded;
    report->outside_full = totals.outside_full;
    report->outside_embedded = totals.outside_embedded;
    report->checksum = totals.checksum;
    for (std::size_t i = 0; i < kBinCount; ++i)
      if (totals.bins[i] != 0) report->histogram.emplace_back(kBins[i], totals.bins[i]);
    if (function_.formula != nullptr) {
      report->worst_part = std::max(totals.worst_ulp, 0.0);
      report->worst_ulp = totals.largest_ulp;
      report->rounded_once_in_reference = function_.formula->rounded_once;
    }
    if (totals.worst_ulp < 0) return;
    const Call worst = operands_.call(totals.worst_number);
    const Arbiter::Verdict verdict =
        Arbiter(function_, kind_, rounding_).judge_exactly(worst, totals.worst_result);
    if (function_.formula == nullptr) report->worst_ulp = verdict.ulp;
    for (std::size_t i = 0; i < function_.arity(); ++i)
      report->worst_operands.push_back(worst.operand(i));
    report->worst_result = totals.worst_result;
    report->worst_expected = verdict.expected;
  }

  void time(const RowCaller& caller, Block* block, UlpReport* report) const {
    const vm::FloatMode mode;
    operands_.fill(0, block);
    block->count = function_.formula != nullptr ? kBlock : kTimedCalls;  // a shader runs them all
    for (std::size_t i = 0; i < block->count; ++i) block->set(i, operands_.moderate(i));
    const std::optional<double> nanoseconds = caller.time(*block);
    report->ns_per_value = nanoseconds.value_or(0);
    report->complete = report->complete && nanoseconds.has_value();
  }

  const MeasuredFunction& function_;
  const UlpOptions& options_;
  const std::vector<Contender>& contenders_;
  const Kind kind_;
  const vm::Rounding rounding_;
  const Bounds bounds_;
  const Operands operands_;
  std::vector<RowCaller> callers_;
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

/// True if the engine rounds the function in all directions by a single op.
bool is_one_op(const MeasuredFunction& function, FloatType type) {
  const vm::Op op = function.op;
  if (op == vm::Op::kFDim || op == vm::Op::kLdexp) return false;
  return type != FloatType::kHalf || (op != vm::Op::kSqrt && op != vm::Op::kFDiv);
}

Status check(const UlpOptions& options, const MeasuredFunction* function) {
  if (function == nullptr) {
    std::vector<std::string> names = measurable_functions();
    for (const GlslFunction& glsl : glsl_functions()) names.emplace_back(glsl.name);
    for (const Formula& formula : formulas()) names.emplace_back(formula.name);
    const std::string near = nearest(options.function, names);
    return wrong(fmt::format("there is no measure for a function '{}'", options.function),
                 (near.empty() ? "" : fmt::format("did you mean '{}'? ", near)) +
                     fmt::format("there is one for {}; and for half_ and native_ forms",
                                 fmt::join(names, ", ")));
  }
  if (options.mode == UlpOptions::Mode::kOwn && !options.own)
    return wrong("there is no function of one's own to measure", "set UlpOptions::own");
  const bool library = options.mode == UlpOptions::Mode::kCLibrary;
  if (library && (options.type == FloatType::kHalf || !function->in_c_library))
    return wrong(fmt::format("the C library has no {} of this type", options.function), {});
  if (function->formula != nullptr &&
      (options.mode == UlpOptions::Mode::kOwn || options.rounding != UlpOptions::Rounding::kRte))
    return wrong(fmt::format("{} is measured in shaders, to nearest", options.function), {});
  if (options.rounding != UlpOptions::Rounding::kRte) {
    if (options.mode != UlpOptions::Mode::kReference && options.mode != UlpOptions::Mode::kOwn)
      return wrong("only the reference mode rounds in another direction than to nearest", {});
    if (options.mode == UlpOptions::Mode::kReference && !is_one_op(*function, options.type))
      return wrong(fmt::format("{} of this type is measured to nearest only", options.function),
                   "other directions take more than one instruction of the engine");
  }
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

/// `isa` is one that the machine supports.
const HandlerTable& table_of(const std::string& isa, UlpOptions::Mode mode) {
  const HandlerTable& table = vm::exec::handlers(*vm::isa_named(isa));
  return mode == UlpOptions::Mode::kReference ? vm::exec::reference_handlers(table) : table;
}

/// `contender`, with the shader that a formula needs.
Result<Contender> ready(Contender contender, const MeasuredFunction& function, FloatType type) {
  if (function.formula == nullptr) return contender;
  const Math math = contender.mode == UlpOptions::Mode::kReference ? Math::kReference : Math::kFast;
  auto shader = Shader::create(*function.formula, kind_of(type), contender.report->isa, math);
  if (!shader) return shader.errors();
  contender.shader = *std::move(shader);
  return contender;
}

/// OpFDiv, which is no function of OpenCL.std.
constexpr extinst::Function kDivide{
    0, "divide", extinst::Category::kMath, {0.5, 2.5, 0.5}, {1, 3, 3}};

Bounds bounds_of(const UlpOptions& options, const MeasuredFunction& function) {
  if (function.formula != nullptr) return {};
  if (const GlslFunction* const glsl = find_glsl(options.function)) {
    const float bound = bound_of(glsl->bounds, options.type);
    const bool is_bounded =
        bound != extinst::kNoBound && options.rounding == UlpOptions::Rounding::kRte;
    return {is_bounded ? std::optional<double>(bound) : std::nullopt, std::nullopt};
  }
  const extinst::Function* named = extinst::find_opencl_std(options.function);
  if (named == nullptr) named = extinst::find_opencl_std(function.function.name);
  if (named == nullptr) named = &kDivide;
  const float full = bound_of(named->bounds, options.type);
  const float embedded = bound_of(named->embedded, options.type);
  Bounds bounds;
  if (options.rounding != UlpOptions::Rounding::kRte) return bounds;
  if (full != extinst::kNoBound) bounds.full = full;
  if (embedded != extinst::kNoBound) bounds.embedded = embedded;
  return bounds;
}

/// Fails if the options allow no measurement.
Result<const MeasuredFunction*> function_to_measure(const UlpOptions& options) {
  const MeasuredFunction* const function = find_measured(options.function);
  if (const Status good = check(options, function); !good) return good.errors();
  if (const std::string lacking = extinst::reference::lacking(); !lacking.empty())
    return lacks_mpfr(lacking);
  return function;
}

}  // namespace
}  // namespace ulp

Result<UlpReport> measure_ulp(const UlpOptions& options) {
  using namespace ulp;
  const auto function = function_to_measure(options);
  if (!function) return function.errors();
  const Result<Device> device = Device::create({options.isa, 1});
  if (!device) return device.errors();
  UlpReport report;
  report.isa = device->isa();
  const bool engine =
      options.mode == UlpOptions::Mode::kFast || options.mode == UlpOptions::Mode::kReference;
  const HandlerTable* const table = engine ? &table_of(report.isa, options.mode) : nullptr;
  const auto contender = ready({options.mode, table, &report}, **function, options.type);
  if (!contender) return contender.errors();
  Measurement(**function, options, {*contender}).run();
  return report;
}

Result<UlpComparison> measure_ulp_of_all(UlpOptions options) {
  using namespace ulp;
  options.mode = UlpOptions::Mode::kFast;
  const auto function = function_to_measure(options);
  if (!function) return function.errors();
  const Result<Device> device = Device::create({options.isa, 1});
  if (!device) return device.errors();
  UlpComparison comparison;
  const std::vector<std::string> isas =
      options.isa.empty() ? supported_isas() : std::vector<std::string>{options.isa};
  comparison.contenders.push_back({UlpOptions::Mode::kReference, {}});
  comparison.contenders.back().report.isa = device->isa();
  for (const std::string& isa : isas) {
    comparison.contenders.push_back({UlpOptions::Mode::kFast, {}});
    comparison.contenders.back().report.isa = isa;
  }
  std::vector<Contender> contenders;
  contenders.reserve(comparison.contenders.size());
  for (auto& [mode, report] : comparison.contenders) {
    auto contender = ready({mode, &table_of(report.isa, mode), &report}, **function, options.type);
    if (!contender) return contender.errors();
    contenders.push_back(*std::move(contender));
  }
  comparison.differing = Measurement(**function, options, contenders).run();
  return comparison;
}

std::vector<std::string> measurable_functions() {
  std::vector<std::string> names;
  for (const auto& function : ulp::measured_functions()) names.emplace_back(function.function.name);
  return names;
}

UlpSecond ulp_second_operand(const std::string& function) {
  const auto* const found = ulp::find_measured(function);
  if (found == nullptr || found->arity() == 1) return UlpSecond::kNone;
  return found->takes_integer() ? UlpSecond::kInteger : UlpSecond::kFloat;
}

std::string spell_bits(FloatType type, std::uint64_t bits) {
  const double value = extinst::reference::to_double(vm::kind_of(type), bits);
  return fmt::format("{:a} ({})", value, value);
}

}  // namespace transpire
