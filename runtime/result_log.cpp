#include "runtime/result_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

#include "extinst/reference/format.h"
#include "extinst/table.h"
#include "vm/simd/float_kind.h"

namespace transpire {
namespace runtime {
namespace {

using vm::Kind;
using vm::Op;
using vm::ResultOrigin;

/// How far a correct result may be from the exact one, and what gave it.
struct Bound {
  double ulp = 0;  ///< 0 exact, 0.5 correctly rounded, or extinst::kNoBound
  std::string name;
  bool is_rounded_here = true;  ///< Transpire's own result is exact or correctly rounded
};

double of_kind(const extinst::UlpBounds& bounds, Kind kind) {
  return kind == Kind::kF16   ? bounds.half_ulp
         : kind == Kind::kF32 ? bounds.float_ulp
                              : bounds.double_ulp;
}

/// Results that the specification's formula leaves no choice of, though its tables do not list
/// them, or call integers correctly rounded.
bool is_exact_by_formula(const extinst::Function& function) {
  constexpr std::string_view kNames[] = {"step", "sign", "ceil", "floor", "trunc", "rint", "round"};
  return std::ranges::find(kNames, function.name) != std::end(kNames);
}

Bound function_bound(const extinst::Function& function, const ResultOrigin& origin,
                     Profile profile) {
  const bool embedded = profile == Profile::kEmbedded;
  Bound bound{of_kind(embedded ? function.embedded : function.bounds, origin.kind),
              std::string(function.name)};
  if (is_exact_by_formula(function)) bound.ulp = 0;
  // Either of two results that are recorded; the embedded profile has no bound.
  if (function.name == "mad" && origin.fused_known && !embedded) bound.ulp = 0.5;
  bound.is_rounded_here = bound.ulp <= 0.5 || origin.op == Op::kFDiv || origin.op == Op::kSqrt;
  return bound;
}

/// Division in the specification's tables: OpFDiv.
double division_ulp(Kind kind, Profile profile) {
  if (profile == Profile::kFull) return kind == Kind::kF32 ? 2.5 : 0.5;
  return kind == Kind::kF16 ? 1 : 3;
}

/// Functions of OpenCL.std whose op was reached without their number, such as sincos's second
/// result.
const extinst::Function* function_of(Op op) {
  std::string name(vm::info(op).name);
  name[0] = static_cast<char>(std::tolower(name[0]));
  return extinst::find_opencl_std(name);
}

Bound op_bound(const ResultOrigin& origin, Profile profile) {
  switch (origin.op) {
    case Op::kConst:
    case Op::kArgument:
    case Op::kLoad:
      return {0, ""};
    case Op::kFAdd:
    case Op::kFSub:
    case Op::kFMul:
      return {0.5, fmt::format("Op{}", vm::info(origin.op).name)};
    case Op::kFDiv:
      return {division_ulp(origin.kind, profile), "OpFDiv"};
    case Op::kFRem:
    case Op::kFMod:
    case Op::kFAbs:
      return {0, fmt::format("Op{}", vm::info(origin.op).name)};
    default:
      break;
  }
  if (vm::info(origin.op).shape == vm::Shape::kConvert) return {0.5, "a conversion"};
  if (const extinst::Function* function = function_of(origin.op))
    return function_bound(*function, origin, profile);
  return {extinst::kNoBound, std::string(vm::info(origin.op).name)};
}

Bound bound_of(const ResultOrigin& origin, Profile profile) {
  if (origin.function == ResultOrigin::kDot) return {extinst::kNoBound, "OpDot"};
  if (origin.function == ResultOrigin::kFused)
    return {origin.fused_known ? 0.5 : double{extinst::kNoBound}, "a sum with a product"};
  if (origin.function == 0) return op_bound(origin, profile);
  const extinst::Function* function = extinst::find_opencl_std(origin.function - 1u);
  return function != nullptr ? function_bound(*function, origin, profile)
                             : Bound{extinst::kNoBound, "an unknown function"};
}

FloatType type_of(Kind kind) {
  return kind == Kind::kF16   ? FloatType::kHalf
         : kind == Kind::kF32 ? FloatType::kFloat
                              : FloatType::kDouble;
}

std::uint32_t bytes_of(FloatType type) {
  return type == FloatType::kHalf ? 2 : type == FloatType::kFloat ? 4 : 8;
}

double read(const std::byte* host, FloatType type) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, host, bytes_of(type));
  return extinst::reference::to_double(vm::kind_of(type), bits);
}

/// Denormals are optional in float and half, and required in double.
bool may_flush(Kind kind) { return kind != Kind::kF64; }

/// Extends the range of a result that is rounded here once (by half a unit, or by less than one if
/// the launch or kernel chose another mode) by the results of devices that round otherwise. Where
/// rounding is towards zero, overflow gives the largest number instead of infinity.
void allow_roundings(LegalRange& range, Kind kind, Profile profile, vm::FloatModeSource mode) {
  using Of = vm::FloatModeSource::Of;
  const double value = range.value;
  const LegalRange next = legal_range(value, type_of(kind), 1);
  const bool negative = std::signbit(value);
  if (mode.rounding == Of::kLaunch) {  // towards zero here
    (negative ? range.low : range.high) = negative ? next.low : next.high;
  } else if (mode.rounding == Of::kUsual && profile == Profile::kEmbedded && value != 0) {
    const double largest = range_detail::largest(type_of(kind));
    const double inner = std::isinf(value) ? std::copysign(largest, value)
                         : negative        ? next.high
                                           : next.low;
    (negative ? range.high : range.low) = inner;
  }
}

LegalRange range_of(double value, const Bound& bound, Kind kind, Profile profile,
                    vm::FloatModeSource mode) {
  using Of = vm::FloatModeSource::Of;
  LegalRange range;
  range.value = range.low = range.high = value;
  range.operation = bound.name;
  range.ulp = bound.ulp;
  if (bound.ulp < 0) {
    range.kind = LegalRange::Kind::kOpen;
    return range;
  }
  // Around the exact result, from which the number here is off by half a unit, or, of a function
  // that is not correctly rounded here, by as much as it may be.
  double distance = 0;
  const double own = mode.rounding == Of::kUsual ? 0.5 : 1;
  if (bound.ulp > 0.5) distance = bound.ulp + (bound.is_rounded_here ? own : bound.ulp);
  const bool given = bound.name.empty();
  range = legal_range(value, type_of(kind), distance, may_flush(kind) && !given);
  range.operation = bound.name;
  range.ulp = bound.ulp;
  if (bound.ulp == 0.5 && kind != Kind::kF64 && !std::isnan(value))
    allow_roundings(range, kind, profile, mode);
  if (!given && value == 0 && mode.denorms == Of::kLaunch) {  // flushed here, perhaps
    const double least = range_detail::least_normal(type_of(kind));
    (std::signbit(value) ? range.low : range.high) = std::copysign(least, value);
  }
  return range;
}

/// Both what `range` and what `other` allow.
void join(LegalRange& range, const LegalRange& other) {
  if (other.kind == LegalRange::Kind::kOpen) range.kind = LegalRange::Kind::kOpen;
  const auto below = [](double a, double b) {
    return a < b || (a == b && std::signbit(a) && !std::signbit(b));
  };
  if (below(other.low, range.low)) range.low = other.low;
  if (below(range.high, other.high)) range.high = other.high;
  range.may_flush = range.may_flush || other.may_flush;
  range.ulp = std::max(range.ulp, other.ulp);
  if (!other.operation.empty() && range.operation.find(other.operation) == std::string::npos)
    range.operation += (range.operation.empty() ? "" : ", ") + other.operation;
}

}  // namespace

std::vector<std::uint32_t> ResultLogState::begin(const vm::Program& program) {
  const std::lock_guard lock(mutex_);
  std::vector<std::uint32_t> numbers;
  for (const vm::ResultSite& site : program.result_sites) {
    const auto number = static_cast<std::uint32_t>(sites_.size());
    const auto [known, fresh] = numbers_.try_emplace(
        Site{site.origins, program.reference_math, program.float_modes}, number);
    if (fresh) sites_.push_back(&known->first);
    numbers.push_back(known->second);
  }
  return numbers;
}

void ResultLogState::store(const std::byte* host, std::uint32_t bytes, std::uint32_t site,
                           double low, double high) {
  Shard& part = shard(host);
  const std::lock_guard lock(part.mutex);
  part.records[host] = {bytes, site, low, high};
}

LegalRange ResultLogState::range(const std::byte* host, FloatType type, Profile profile) const {
  const double value = read(host, type);
  LegalRange range;
  range.value = range.low = range.high = value;
  Record record;
  {
    const Shard& part = shard(host);
    const std::lock_guard lock(part.mutex);
    const auto found = part.records.find(host);
    if (found == part.records.end()) return range;
    record = found->second;
  }
  const bool is_current = (record.low <= value && value <= record.high) || std::isnan(value);
  if (record.bytes != bytes_of(type) || !is_current) return range;
  const std::lock_guard lock(mutex_);
  const Site& site = *sites_[record.site];
  bool first = true;
  for (const ResultOrigin& origin : site.origins) {
    Bound bound = bound_of(origin, profile);
    bound.is_rounded_here = bound.is_rounded_here || site.is_rounded;
    for (const double end : {record.low, record.high}) {
      // The ends are the value itself, but of sums and mad, whose products may be fused.
      const Kind kind = vm::is_float(origin.kind) ? origin.kind : Kind::kF64;
      const LegalRange one = range_of(
          origin.fused_known ? end : value, bound, kind, profile,
          site.modes[static_cast<std::size_t>(kind) - static_cast<std::size_t>(Kind::kF16)]);
      if (first)
        range = one;
      else
        join(range, one);
      first = false;
    }
  }
  range.value = value;
  return range;
}

void ResultLogState::clear() {
  for (Shard& part : shards_) {
    const std::lock_guard lock(part.mutex);
    part.records.clear();
  }
}

void ResultSink::stored(const vm::exec::Batch& /*batch*/, const vm::StoredResult& result) {
  const memory::Allocation* const allocation = space_.nearest(result.address);
  if (allocation == nullptr || allocation->region != memory::Region::kBuffer ||
      result.address < allocation->begin || allocation->read_only ||
      result.address - allocation->begin + result.bytes > allocation->size_bytes)
    return;  // a finding, not a store
  log_.store(allocation->host + (result.address - allocation->begin), result.bytes,
             sites_[result.site], result.low, result.high);
}

}  // namespace runtime

ResultLog ResultLog::create() {
  ResultLog log;
  log.state_ = std::make_shared<runtime::ResultLogState>();
  return log;
}

LegalRange ResultLog::range(const Buffer& buffer, std::uint64_t offset_bytes, FloatType type,
                            Profile profile) const {
  if (buffer.bytes().size() < runtime::bytes_of(type) ||
      offset_bytes > buffer.bytes().size() - runtime::bytes_of(type)) {
    LegalRange nothing;
    nothing.kind = LegalRange::Kind::kOpen;
    nothing.value = nothing.low = nothing.high = std::numeric_limits<double>::quiet_NaN();
    return nothing;
  }
  return state_->range(buffer.bytes().data() + offset_bytes, type, profile);
}

void ResultLog::clear() { state_->clear(); }

}  // namespace transpire
