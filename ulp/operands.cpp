#include "ulp/operands.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace transpire::ulp {

using extinst::reference::Format;
using extinst::reference::format_of;
using extinst::reference::round_to;
using extinst::reference::to_double;
using vm::Kind;
using vm::Op;

namespace {

Bits nearest(Kind kind, double value) { return round_to(kind, vm::Rounding::kRte, value); }

/// Numbers where functions have zeros, poles, ties and ends of their domain, and those beside them,
/// with both signs; zeros, infinities, NaN, the ends of the subnormal and the normal numbers.
std::vector<Bits> special_values(Kind kind) {
  const Format format = format_of(kind);
  const Bits sign = Bits{1} << (vm::width_bits(kind) - 1);
  const Bits infinity = (static_cast<Bits>(format.infinite_exponent) * 2 - 1)
                        << format.fraction_bits;
  const Bits normal = Bits{1} << format.fraction_bits;
  std::vector<Bits> values{0,
                           1,
                           2,
                           normal - 1,
                           normal,
                           normal + 1,
                           infinity - 1,
                           infinity,
                           extinst::reference::nan_bits(kind)};
  for (const double x : {0.25,
                         0.5,
                         1.0,
                         1.5,
                         2.0,
                         2.5,
                         3.0,
                         4.0,
                         7.0,
                         10.0,
                         64.0,
                         100.0,
                         1.5707963267948966,
                         3.141592653589793,
                         0.7853981633974483,
                         2.718281828459045,
                         0.6931471805599453,
                         88.72283905206835,
                         709.782712893384,
                         11.089866488461016}) {
    const Bits bits = nearest(kind, x);
    values.insert(values.end(), {bits - 1, bits, bits + 1});
  }
  for (int power : {-1, 1, 2, 5, 10, 11, 23, 24, 52, 53, 100})
    if (power < format.infinite_exponent) values.push_back(nearest(kind, std::ldexp(1, power)));
  const std::size_t positive = values.size();
  for (std::size_t i = 0; i < positive; ++i) values.push_back(values[i] | sign);
  return values;
}

std::vector<Bits> special_integers() {
  std::vector<Bits> values;
  for (const std::int32_t n : {0, 1, 2, 3, 4, 5, 7, 10, 31, 64, 100, 127, 128, 149, 1000, 65535,
                               1 << 24, (1 << 24) + 1, std::numeric_limits<std::int32_t>::max()}) {
    values.push_back(static_cast<std::uint32_t>(n));
    values.push_back(static_cast<std::uint32_t>(-n));
  }
  values.push_back(0x80000000u);
  return values;
}

}  // namespace

/// Numbers that depend on a seed and the call's number alone (splitmix64).
class Operands::Random {
 public:
  Random(std::uint64_t seed, std::uint64_t number)
      : state_(seed * 0xd1342543de82ef95u + number * 0x9e3779b97f4a7c15u) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  Bits bits(std::uint32_t width) { return next() >> (64 - width); }
  double between(double low, double high) {
    return low + (high - low) * (static_cast<double>(next() >> 11) * 0x1p-53);
  }

 private:
  std::uint64_t state_;
};

Operands::Operands(const MeasuredFunction& function, Kind kind, const UlpOptions& options)
    : function_(function),
      kind_(kind),
      options_(options),
      low_(function.low),
      high_(function.high) {
  // The range of the exponential functions grows with that of the type.
  if (high_ > 30 && kind == Kind::kF64) low_ *= 8, high_ *= 8;
  if (options.range) low_ = options.range->first, high_ = options.range->second;
  const std::uint64_t width = vm::width_bits(kind);
  if (options.exhaustive) {
    count_ = std::uint64_t{1} << (width * function.arity());
    return;
  }
  if (!options.range) {
    special_ = special_values(kind);
    if (function.arity() == 2)
      special_second_ = function.takes_integer() ? special_integers() : special_;
  }
  count_ = options.samples;
  if (function.arity() <= 2)
    count_ += special_.size() * (function.arity() == 2 ? special_second_.size() : 1);
}

Call Operands::call(std::uint64_t number) const {
  if (options_.exhaustive) {
    if (function_.arity() == 1) return {number, 0};
    return {number >> 16, number & 0xffff};
  }
  if (number < options_.samples)
    return function_.formula != nullptr ? random_of_formula(number) : random(number);
  number -= options_.samples;
  if (function_.arity() == 1) return {special_[number], 0};
  return {special_[number / special_second_.size()],
          special_second_[number % special_second_.size()]};
}

void Operands::fill(std::uint64_t first, Block* block) const {
  block->first = first;
  block->count = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, count_ - first));
  block->bytes = vm::lane_bytes(kind_);
  block->has_second = function_.arity() >= 2;
  block->second_bytes = function_.takes_integer() ? 4 : block->bytes;
  block->more_count = function_.arity() > 2 ? function_.arity() - 2 : 0;
  block->components = function_.formula != nullptr ? function_.formula->result_count() : 1;
  if (options_.exhaustive)
    fill_with_all(block);
  else
    for (std::size_t i = 0; i < block->count; ++i) block->set(i, call(first + i));
}

/// Gives the same operands as call(), faster, for walks through all numbers.
void Operands::fill_with_all(Block* block) const {
  const auto fill = [&]<class T>(T* row, int shift) {
    for (std::size_t i = 0; i < block->count; ++i)
      row[i] = static_cast<T>((block->first + i) >> shift);
  };
  auto* const halves = reinterpret_cast<std::uint16_t*>(block->a.data());
  if (kind_ == Kind::kF32) {
    fill(reinterpret_cast<std::uint32_t*>(block->a.data()), 0);
  } else if (!block->has_second) {
    fill(halves, 0);
  } else {
    fill(halves, 16);
    fill(reinterpret_cast<std::uint16_t*>(block->b.data()), 0);
  }
}

Call Operands::moderate(std::uint64_t number) const {
  Random random(~options_.seed, number);
  const Bits a = nearest(kind_, draw(random));
  if (function_.formula != nullptr) {
    Call call{a};
    for (std::size_t i = 1; i < function_.arity(); ++i)
      call.set_operand(i, nearest(kind_, draw(random)));
    return call;
  }
  return {a, function_.arity() == 2 ? second(a, random, false) : 0};
}

double Operands::draw(Random& random) const { return random.between(low_, high_); }

Call Operands::random(std::uint64_t number) const {
  Random random(options_.seed, number);
  const bool any = !options_.range && random.next() % 2 == 0;
  const Bits a = any ? random.bits(vm::width_bits(kind_)) : nearest(kind_, draw(random));
  if (function_.arity() == 1) return {a, 0};
  return {a, second(a, random, !options_.range && random.next() % 4 == 0)};
}

/// One of the operands before operand `i`, or its negative, or a number beside these.
Bits Operands::related(const Call& call, std::size_t i, Random& random) const {
  const Bits sign = Bits{1} << (vm::width_bits(kind_) - 1);
  const Bits bits = call.operand(random.next() % i) ^ (random.next() % 2 == 0 ? sign : 0);
  const Bits moved = bits + random.next() % 5 - 2;
  return (moved & (sign - 1)) | (bits & sign);
}

/// Operands of any bits, special ones, those of about a size anywhere in the format, those that cancel; half of the calls have
/// operands in the usual range.
Call Operands::random_of_formula(std::uint64_t number) const {
  Random random(options_.seed, number);
  const std::uint64_t way = options_.range ? 7 : random.next() % 8;
  const int most = format_of(kind_).infinite_exponent - 2;
  const double scale = std::ldexp(1.0, static_cast<int>(random.between(-most, most)));
  Call call;
  call.component = number % kBlock % function_.formula->result_count();
  for (std::size_t i = 0; i < function_.arity(); ++i) {
    Bits bits = nearest(kind_, draw(random));
    if (way == 0) bits = random.bits(vm::width_bits(kind_));
    if (way == 1 && random.next() % 2 == 0) bits = special_[random.next() % special_.size()];
    if (way == 2) bits = nearest(kind_, scale * random.between(-2, 2));
    if (way == 3 && i > 0 && random.next() % 2 == 0) bits = related(call, i, random);
    call.set_operand(i, bits);
  }
  return call;
}

/// A number of the first one's size, or a power that gives a result in range.
Bits Operands::second(Bits first, Random& random, bool any) const {
  const double x = std::fabs(to_double(kind_, first));
  const Op op = function_.op;
  double value = random.between(-4, 4) * x;
  if ((op == Op::kPow || op == Op::kPowr || op == Op::kPown) && x > 0 && std::isfinite(x) && x != 1)
    value = random.between(-1.1, 1.1) * format_of(kind_).infinite_exponent / std::log2(x);
  if (options_.range && !function_.takes_integer()) value = draw(random);
  if (!function_.takes_integer())
    return any ? random.bits(vm::width_bits(kind_)) : nearest(kind_, value);
  if (any || !(std::fabs(value) < 0x1p30)) return random.bits(32);
  const double n = op == Op::kRootn ? random.between(-20, 20) : value;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(n));
}

}  // namespace transpire::ulp
