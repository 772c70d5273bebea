// The values of expressions, one work-item and one component at a time.
#include "tests/fuzz/oracle/expression.h"

namespace transpire::oracle {
namespace {

class Evaluator {
 public:
  Evaluator(const Expressions& expressions, std::vector<Value>& values)
      : expressions_(expressions), values_(values) {}

  void evaluate(const Node& node, Value& result) {
    switch (node.instruction->form) {
      case Form::kReduce:
        return reduce(node, result);
      case Form::kDot:
        return dot(node, result);
      case Form::kBitcast:
        return bitcast(node, result);
      case Form::kConstruct:
        return construct(node, result);
      case Form::kExtract:
        result[0] = lane(node, 0, node.literals[0]);
        return;
      case Form::kExtractDynamic:
        result[0] = lane(node, 0, static_cast<unsigned>(lane(node, 1, 0)));
        return;
      case Form::kInsert:
        result = value(node, 1);
        result[node.literals[0]] = lane(node, 0, 0);
        return;
      case Form::kInsertDynamic:
        result = value(node, 0);
        result[lane(node, 2, 0)] = lane(node, 1, 0);
        return;
      default:
        for (unsigned c = 0; c < node.shape.count; ++c)
          result[c] = component(node, c) & low_bits(node.shape.scalar.width);
    }
  }

 private:
  const Node& operand(const Node& node, std::size_t n) const {
    return nth(expressions_.nodes, node.operands[n]);
  }
  const Value& value(const Node& node, std::size_t n) const {
    return nth(values_, node.operands[n]);
  }
  std::uint64_t lane(const Node& node, std::size_t n, unsigned c) const {
    return value(node, n)[c];
  }

  /// The value as the launch's modes want it, as an operand or result of what computes.
  std::uint64_t flushed(const Scalar& scalar, std::uint64_t bits) const {
    if (!expressions_.modes.flush_denorms || scalar.kind != Kind::kFloat || scalar.width == 64)
      return bits;
    const Format f = format_of(scalar.width);
    return f.magnitude(bits) <= low_bits(f.fraction) ? bits & f.sign() : bits;
  }
  int rounding_of(const Scalar& scalar) const {
    const bool other =
        expressions_.modes.towards_zero && scalar.kind == Kind::kFloat && scalar.width != 64;
    return other ? kTowardsZero : kNearestEven;
  }
  std::uint64_t compute(const Instruction& how, Compute compute, const Scalar& from,
                        const Scalar& to, const std::uint64_t* x) const {
    if (moves_bits(how)) return compute(from, x);
    std::uint64_t in[4];
    for (unsigned i = 0; i < 4; ++i) in[i] = flushed(from, x[i]);
    if (how.form == Form::kFloatInt) in[1] = x[1];
    return flushed(
        to, computed(compute, from, in, obeys_rounding(how) ? rounding_of(from) : kNearestEven));
  }

  std::uint64_t component(const Node& node, unsigned c) {
    const Instruction& how = *node.instruction;
    std::uint64_t x[4] = {};
    for (std::size_t i = 0; i < node.operands.size() && i < 4;
         ++i)  // a scalar serves all components
      x[i] = lane(node, i, operand(node, i).shape.count == 1 ? 0 : c);
    const Scalar& from = operand(node, 0).shape.scalar;
    switch (how.form) {
      case Form::kSelect:
        return x[0] != 0 ? x[1] : x[2];
      case Form::kPick: {  // vectors look at the condition's highest bit, scalars at all of them
        const bool second = (node.shape.count == 1 ? x[2] : x[2] >> (from.width - 1)) != 0;
        return second ? x[1] : x[0];
      }
      case Form::kConvert:
        return flushed(node.shape.scalar,
                       how.convert(from, node.shape.scalar, flushed(from, x[0]),
                                   node.rounding < 0 && node.shape.scalar.kind == Kind::kFloat
                                       ? rounding_of(node.shape.scalar)
                                       : node.rounding,
                                   node.saturated));
      case Form::kFromPayload:
        return how.compute(node.shape.scalar, x);
      case Form::kShuffle: {
        const unsigned first = operand(node, 0).shape.count, from_both = node.literals[c];
        return from_both < first ? lane(node, 0, from_both) : lane(node, 1, from_both - first);
      }
      case Form::kStructure:
      case Form::kPointer:
        return compute(how, node.literals[0] == 1 ? how.second : how.compute, from,
                       node.shape.scalar, x);
      default:
        return compute(how, how.compute, from, node.shape.scalar, x);
    }
  }

  void reduce(const Node& node, Value& result) {
    unsigned ones = 0;
    const unsigned count = operand(node, 0).shape.count;
    for (unsigned c = 0; c < count; ++c) ones += lane(node, 0, c) != 0;
    result[0] = std::string(node.instruction->name) == "OpAll" ? ones == count : ones != 0;
  }

  void dot(const Node& node, Value& result) {
    const Instruction& how = *node.instruction;
    for (unsigned c = 0; c < operand(node, 0).shape.count; ++c) {
      const std::uint64_t factors[] = {lane(node, 0, c), lane(node, 1, c)};
      const Scalar& scalar = node.shape.scalar;
      const std::uint64_t in[] = {flushed(scalar, factors[0]), flushed(scalar, factors[1])};
      const std::uint64_t terms[] = {
          result[0], flushed(scalar, computed(how.compute, scalar, in, rounding_of(scalar)))};
      result[0] = c == 0
                      ? terms[1]
                      : flushed(scalar, computed(how.second, scalar, terms, rounding_of(scalar)));
    }
  }

  /// Through the bytes in memory.
  void bitcast(const Node& node, Value& result) {
    const Shape& from = operand(node, 0).shape;
    const unsigned from_bytes = from.scalar.width / 8, to_bytes = node.shape.scalar.width / 8;
    for (unsigned byte = 0; byte < from_bytes * from.count; ++byte) {
      const std::uint64_t bits = lane(node, 0, byte / from_bytes) >> (byte % from_bytes * 8) & 0xff;
      result[byte / to_bytes] |= bits << (byte % to_bytes * 8);
    }
  }

  void construct(const Node& node, Value& result) {
    unsigned to = 0;
    for (std::size_t i = 0; i < node.operands.size(); ++i)
      for (unsigned c = 0; c < operand(node, i).shape.count; ++c) result[to++] = lane(node, i, c);
  }

  const Expressions& expressions_;
  std::vector<Value>& values_;
};

}  // namespace

std::vector<Value> values_of(const Expressions& expressions, std::uint32_t item,
                             const Inputs& inputs) {
  std::vector<Value> values(expressions.nodes.size());
  Evaluator evaluator(expressions, values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Node& node = expressions.nodes[i];
    if (node.leaf == Leaf::kLoad) {
      const Place& place = node.place;
      const std::size_t by = place.by < 0 ? 0 : nth(values, place.by)[0];
      values[i] = nth(inputs, place.buffer)[element_of(place, item) + by];
    }
    if (node.leaf == Leaf::kItem) values[i][0] = item & low_bits(node.shape.scalar.width);
    if (node.leaf == Leaf::kConstant || node.leaf == Leaf::kArgument)
      for (unsigned c = 0; c < node.shape.count; ++c) values[i][c] = node.bits[c];
    if (node.leaf != Leaf::kNone) continue;
    evaluator.evaluate(node, values[i]);
    if (node.instruction == expressions.corrupted) values[i][0] ^= 1;
  }
  return values;
}

}  // namespace transpire::oracle
