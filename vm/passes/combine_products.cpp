// combine_products: a product in float or double becomes part of the sum or difference that alone
// uses it,
//
//     %p = FMul %a, %b;  %s = FAdd %p, %c      =>      %s = FMulPlus %a, %b, %c
//
// with both roundings and the operands' order, so no bit changes: what is saved is an instruction
// and the row of %p. Polynomials, dot products and rotations consist of such pairs.
//
// The uses that were counted first stay right: a product that joins is used by nobody any more, and
// its factors are used by the sum in its place.
#include <cstdint>
#include <vector>

#include "vm/lir/use_lists.h"
#include "vm/passes/passes.h"

namespace transpire::vm::lir {
namespace {

class Combining {
 public:
  explicit Combining(Function& function)
      : function_(function), uses_(function), place_(function.values.size(), 0) {}

  void run() {
    for (const Block& block : function_.blocks) {
      std::uint32_t place = 0;
      for (const ValueId id : block.instructions) {
        place_[id] = ++place;
        Value& value = function_.values[id];
        if (value.op == Op::kFAdd) combine(value, Op::kFMulPlus, Op::kFPlusMul);
        if (value.op == Op::kFSub) combine(value, Op::kFMulMinus, Op::kFMinusMul);
      }
    }
  }

 private:
  bool can_join(ValueId id, const Value& sum) const {
    const Value& product = function_.values[id];
    return product.op == Op::kFMul && product.block == sum.block && uses_.users(id).size() == 1 &&
           // The product of scalars for a row's sum is computed once for all lanes.
           (product.spread == Spread::kUniform) == (sum.spread == Spread::kUniform);
  }

  void combine(Value& sum, Op product_first, Op product_second) {
    if ((bit(sum.kind) & kKindsFloat32And64) == 0) return;
    const ValueId left = sum.args[0], right = sum.args[1];
    const bool left_joins = can_join(left, sum), right_joins = can_join(right, sum);
    if (!left_joins && !right_joins) return;
    // The later of two products joins: the operands of the other would be kept longer.
    if (left_joins && (!right_joins || place_[left] > place_[right])) {
      const auto& factors = function_.values[left].args;
      sum.op = product_first;
      sum.args = {factors[0], factors[1], right};
    } else {
      const auto& factors = function_.values[right].args;
      sum.op = product_second;
      sum.args = {left, factors[0], factors[1]};
    }
  }

  Function& function_;
  UseLists uses_;
  std::vector<std::uint32_t> place_;  ///< by value: position in its block, so far
};

}  // namespace

void combine_products(Function& function) { Combining(function).run(); }

}  // namespace transpire::vm::lir
