// Rules for Address: constants go into the offset and the scale, extensions into Value::extend, so
// that loads and stores can take the rest as a base and an index. See value_rules.h.
#include <bit>

#include "vm/passes/bits.h"
#include "vm/passes/value_rules.h"

namespace transpire::vm::lir {
namespace {

// The engine's span checks want a scale below this.
constexpr std::int64_t kMaxFactor = std::int64_t{1} << 31;

std::int64_t wrap_add(std::int64_t a, std::uint64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + b);
}

}  // namespace

ValueId ValueRules::address(Value& v) {
  const Value& base = operand(v, 0);
  if (base.op == Op::kAddress && base.args.size() == 1) {
    v.imm2 = wrap_add(v.imm2, static_cast<std::uint64_t>(base.imm2));
    v.args[0] = base.args[0];
    changed_ = true;
    return kNoValue;
  }
  if (v.args.size() > 1) {
    address_index(v);
    return kNoValue;
  }
  return v.imm2 == 0 ? v.args[0] : kNoValue;
}

void ValueRules::address_index(Value& v) {
  if (constant_index(v)) return;
  const Value index = operand(v, 1);
  if (widened_index(v, index)) {
    changed_ = true;
    return;
  }
  changed_ = moved_index(v, index) || scaled_index(v, index) || changed_;
}

// An index of 32 bits is taken as it stands, one of fewer bits widened to 32; one that was cut to
// 32 bits although it fits is taken whole.
bool ValueRules::widened_index(Value& v, const Value& index) {
  if (v.extend == Extend::kNone) {
    if (index.op != Op::kSignExtend && index.op != Op::kZeroExtend) return false;
    v.extend = index.op == Op::kSignExtend ? Extend::kSigned32 : Extend::kUnsigned32;
    v.args[1] = index.from == Kind::kI32
                    ? index.args[0]
                    : build(v, index.op, Kind::kI32, index.from, {index.args[0]});
    return true;
  }
  const std::uint64_t fits = v.extend == Extend::kSigned32 ? 0x7fffffff : 0xffffffff;
  if (index.op != Op::kTruncate || index.from != Kind::kI64 || bounds_[index.args[0]] > fits)
    return false;
  v.extend = Extend::kNone;
  v.args[1] = index.args[0];
  return true;
}

bool ValueRules::constant_index(Value& v) {
  const auto index = constant(v, 1);
  if (!index && v.imm != 0) return false;
  const std::uint64_t wide = !index ? 0
                             : v.extend == Extend::kSigned32
                                 ? static_cast<std::uint64_t>(sign_extend(*index, Kind::kI32))
                                 : *index;
  v.imm2 = wrap_add(v.imm2, wide * v.imm);
  v.args.pop_back();
  v.extend = Extend::kNone;
  v.imm = 1;
  return changed_ = true;
}

// Low bits that are zero, as far as the op itself tells.
unsigned ValueRules::zero_bits(ValueId id) const {
  const Value& value = of(id);
  const auto right = constant(value, 1);
  if (!right || *right == 0) return 0;
  if (value.op == Op::kShiftLeftLogical)
    return static_cast<unsigned>(*right % width_bits(value.kind));
  const bool keeps = value.op == Op::kIMul || value.op == Op::kBitwiseAnd;
  return keeps ? static_cast<unsigned>(std::countr_zero(*right)) : 0;
}

// True if index + addend, in 32 bits, widens to the sum of the widened operands.
bool ValueRules::keeps_sign(const Value& v, std::uint64_t addend, ValueId index) const {
  if (v.extend == Extend::kNone) return true;
  if (addend >> zero_bits(index) == 0) return true;  // without a carry
  const std::uint64_t bound = bounds_[index];
  if (v.extend == Extend::kUnsigned32) return bound + addend <= 0xffffffff;
  if (bound > 0x7fffffff) return false;
  return addend > 0x7fffffff || bound + addend <= 0x7fffffff;
}

// base + (x + c) * scale
bool ValueRules::moved_index(Value& v, const Value& index) {
  const auto addend = constant(index, 1);
  if (index.op != Op::kIAdd || !addend || !keeps_sign(v, *addend, index.args[0])) return false;
  const std::uint64_t wide = v.extend == Extend::kSigned32
                                 ? static_cast<std::uint64_t>(sign_extend(*addend, Kind::kI32))
                                 : *addend;
  v.imm2 = wrap_add(v.imm2, wide * v.imm);
  v.args[1] = index.args[0];
  return true;
}

// base + (x * c) * scale
bool ValueRules::scaled_index(Value& v, const Value& index) {
  const auto right = constant(index, 1);
  if (!right || (index.op != Op::kIMul && index.op != Op::kShiftLeftLogical)) return false;
  std::uint64_t factor = *right;
  if (index.op == Op::kShiftLeftLogical) {
    if (*right >= 31) return false;
    factor = std::uint64_t{1} << *right;
  }
  std::uint64_t scale = 0;
  if (factor >= kMaxFactor || __builtin_mul_overflow(factor, v.imm, &scale) ||
      scale >= kMaxFactor) {
    return false;
  }
  const std::uint64_t limit = v.extend == Extend::kSigned32 ? 0x7fffffff : 0xffffffff;
  std::uint64_t bound = 0;
  const bool fits =
      v.extend == Extend::kNone ||
      (!__builtin_mul_overflow(bounds_[index.args[0]], factor, &bound) && bound <= limit);
  if (!fits) return false;
  v.imm = scale;
  v.args[1] = index.args[0];
  return true;
}

}  // namespace transpire::vm::lir
