// The values that random functions are made of.
#include "tests/vm/lir/random_values.h"

#include <array>

namespace transpire::test {

using namespace vm;
using namespace vm::lir;

std::uint32_t RandomValues::pick(std::size_t n) {
  return static_cast<std::uint32_t>(random_() % n);
}

ValueId RandomValues::argument(Kind kind, std::uint64_t slot) {
  return f_.add({.op = Op::kArgument, .kind = kind, .from = kind, .imm = slot, .args = {}});
}

ValueId RandomValues::place(BlockId block, Value value) {
  value.block = block;
  const Kind kind = value.kind;
  const ValueId id = f_.add(std::move(value));
  f_.blocks[block].instructions.push_back(id);
  if (kind != Kind::kVoid) available_[block].push_back(id);
  return id;
}

ValueId RandomValues::place_hidden(BlockId block, Value value) {
  const ValueId id = place(block, std::move(value));
  available_[block].pop_back();
  return id;
}

ValueId RandomValues::operand(BlockId block, Kind kind) {
  std::vector<ValueId> fitting;
  for (const ValueId id : available_[block]) {
    if (f_.values[id].kind == kind) fitting.push_back(id);
  }
  if (fitting.empty() || pick(6) == 0) {
    constexpr std::array<std::uint64_t, 8> kBits{0, 1, 2, 3, 31, 32, 0x80000000, ~0ull};
    if (kind == Kind::kI32 && pick(5) == 0) return argument_;
    const std::uint64_t bits = kBits[pick(8)];
    return f_.constant(kind, kind == Kind::kF32 ? bits & 0xffffffff : bits);
  }
  // Near values more often: longer chains.
  if (fitting.size() > 4 && pick(2) == 0) return fitting[fitting.size() - 1 - pick(4)];
  return fitting[pick(fitting.size())];
}

void RandomValues::arithmetic(BlockId block) {
  using enum Op;
  constexpr Op kOps[] = {kIAdd,
                         kISub,
                         kIMul,
                         kBitwiseAnd,
                         kBitwiseOr,
                         kBitwiseXor,
                         kShiftLeftLogical,
                         kShiftRightLogical,
                         kShiftRightArithmetic,
                         kUDiv,
                         kUMod,
                         kUMin,
                         kSMax,
                         kSDiv,
                         kSRem};
  const Op op = kOps[pick(std::size(kOps))];
  const Kind kind = pick(3) == 0 ? Kind::kI64 : Kind::kI32;
  place(block, of_kind(op, kind, {operand(block, kind), operand(block, kind)}));
}

void RandomValues::compare(BlockId block) {
  constexpr std::array kOps{Op::kIEqual, Op::kINotEqual, Op::kULessThan, Op::kSLessThanEqual};
  const Kind kind = pick(3) == 0 ? Kind::kI64 : Kind::kI32;
  const ValueId left = operand(block, kind);
  place_compare(block, kOps[pick(kOps.size())], left, operand(block, kind));
}

void RandomValues::convert(BlockId block) {
  struct Row {
    Op op;
    Kind from, to;
  };
  constexpr std::array kRows{
      Row{Op::kTruncate, Kind::kI64, Kind::kI32},   Row{Op::kTruncate, Kind::kI32, Kind::kI8},
      Row{Op::kSignExtend, Kind::kI32, Kind::kI64}, Row{Op::kZeroExtend, Kind::kI32, Kind::kI64},
      Row{Op::kSignExtend, Kind::kI8, Kind::kI32},  Row{Op::kZeroExtend, Kind::kI8, Kind::kI64}};
  const Row& row = kRows[pick(kRows.size())];
  convert_to(block, row.op, row.to, operand(block, row.from));
}

void RandomValues::choose(BlockId block) {
  constexpr std::array kOps{Op::kLogicalAnd, Op::kLogicalNotEqual, Op::kLogicalOr};
  if (pick(3) != 0) {
    place(block, of_kind(Op::kSelect, Kind::kI32,
                         {operand(block, Kind::kBool), operand(block, Kind::kI32),
                          operand(block, Kind::kI32)}));
    return;
  }
  Value value = of_kind(pick(4) == 0 ? Op::kLogicalNot : kOps[pick(3)], Kind::kBool,
                        {operand(block, Kind::kBool)});
  if (value.op != Op::kLogicalNot) value.args.push_back(operand(block, Kind::kBool));
  place(block, std::move(value));
}

ValueId RandomValues::binary(BlockId block, Op op, ValueId a, ValueId b) {
  return place(block, of_kind(op, f_.values[a].kind, {a, b}));
}

ValueId RandomValues::convert_to(BlockId block, Op op, Kind to, ValueId from) {
  return place(block, {.op = op, .kind = to, .from = f_.values[from].kind, .args = {from}});
}

ValueId RandomValues::wide(BlockId block, Op op, ValueId a, std::uint64_t b) {
  return binary(block, op, a, f_.constant(Kind::kI64, b));
}

ValueId RandomValues::place_compare(BlockId block, Op op, ValueId a, ValueId b) {
  return place(block, {.op = op, .kind = Kind::kBool, .from = f_.values[a].kind, .args = {a, b}});
}

ValueId RandomValues::some_float(BlockId block, Kind kind) {
  if (pick(3) != 0) return operand(block, kind);
  const Kind bits = kind == Kind::kF32 ? Kind::kI32 : Kind::kI64;
  ValueId from = operand(block, bits);
  if (pick(4) != 0) {  // between 1 and 2, where sums are not just one of their operands
    const bool wide = bits == Kind::kI64;
    from = binary(block, Op::kBitwiseAnd, from, f_.constant(bits, wide ? ~0ull >> 12 : 0x7fffff));
    from = binary(block, Op::kBitwiseOr, from,
                  f_.constant(bits, wide ? 0x3ff0000000000000u : 0x3f800000u));
  }
  return convert_to(block, Op::kBitcast, kind, from);
}

void RandomValues::floats(BlockId block) {
  const Kind kind = pick(3) == 0 ? Kind::kF64 : Kind::kF32;
  ValueId sum = some_float(block, kind);
  for (std::uint32_t n = 1 + pick(3); n > 0; --n) {
    const ValueId left = some_float(block, kind);
    const ValueId product = binary(block, Op::kFMul, left, some_float(block, kind));
    const Op op = pick(2) == 0 ? Op::kFAdd : Op::kFSub;
    sum = pick(2) == 0 ? binary(block, op, sum, product) : binary(block, op, product, sum);
  }
  convert_to(block, Op::kBitcast, kind == Kind::kF32 ? Kind::kI32 : Kind::kI64, sum);
}

void RandomValues::idiom(BlockId block) {
  const ValueId id = pick(2) == 0 ? available_[0][0] : operand(block, Kind::kI64);
  switch (pick(7)) {
    case 6:
      return floats(block);
    case 0: {
      const ValueId left = wide(block, Op::kShiftLeftLogical, id, 32);
      wide(block, pick(3) == 0 ? Op::kShiftRightLogical : Op::kShiftRightArithmetic, left,
           30 + pick(4));
      return;
    }
    case 1: {
      const ValueId narrow = convert_to(block, Op::kTruncate, Kind::kI32, id);
      convert_to(block, pick(2) == 0 ? Op::kSignExtend : Op::kZeroExtend, Kind::kI64, narrow);
      return;
    }
    case 2: {
      const ValueId select =
          place(block, of_kind(Op::kSelect, Kind::kI32,
                               {operand(block, Kind::kBool), f_.constant(Kind::kI32, pick(2)),
                                f_.constant(Kind::kI32, pick(2))}));
      place_compare(block, pick(2) == 0 ? Op::kIEqual : Op::kINotEqual,
                    f_.constant(Kind::kI32, pick(2)), select);
      return;
    }
    case 3: {
      const ValueId quotient =
          wide(block, std::array{Op::kUDiv, Op::kSDiv, Op::kUMod, Op::kSRem}[pick(4)], id,
               std::array{3ull, 8ull, 1ull, 0ull}[pick(4)]);
      wide(block, Op::kBitwiseAnd, quotient, std::array{0xffffffffull, 7ull, ~0ull}[pick(3)]);
      return;
    }
    case 4: {
      const ValueId narrow = convert_to(block, Op::kTruncate, Kind::kI32, id);
      const ValueId moved = binary(block, pick(2) == 0 ? Op::kIAdd : Op::kIMul, narrow,
                                   f_.constant(Kind::kI32, std::array{1ull, ~0ull, 4ull}[pick(3)]));
      Value value = of_kind(Op::kAddress, Kind::kI64, {pointer_, moved});
      value.extend = pick(2) == 0 ? Extend::kSigned32 : Extend::kUnsigned32;
      value.imm = 4;
      place(block, std::move(value));
      return;
    }
    default: {
      const ValueId narrow = operand(block, pick(2) == 0 ? Kind::kI8 : Kind::kI32);
      const ValueId extended =
          convert_to(block, pick(2) == 0 ? Op::kSignExtend : Op::kZeroExtend, Kind::kI64, narrow);
      const Op op =
          std::array{Op::kIEqual, Op::kULessThan, Op::kSLessThan, Op::kSLessThanEqual}[pick(4)];
      place_compare(block, op, extended, operand(block, Kind::kI64));
    }
  }
}

}  // namespace transpire::test
