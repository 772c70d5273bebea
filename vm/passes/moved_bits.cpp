#include "vm/passes/moved_bits.h"

#include <algorithm>
#include <span>
#include <vector>

#include "vm/lir/budget.h"

namespace transpire::vm::lir {
namespace {

/// Values that are looked at.
constexpr std::size_t kMost = 64;

bool is_constant(const Function& function, ValueId id) {
  return function.values[id].op == Op::kConst;
}

bool moves_bits(const Function& function, const Value& value) {
  switch (value.op) {
    case Op::kLoad:
    case Op::kConst:
    case Op::kUndefined:
    case Op::kPhi:
    case Op::kSelect:
    case Op::kBitcast:
    case Op::kTruncate:
    case Op::kZeroExtend:
    case Op::kBitwiseOr:
      return true;
    case Op::kResult:
      return function.values[value.args[0]].op == Op::kLoad;
    case Op::kBitwiseAnd:
      return is_constant(function, value.args[0]) || is_constant(function, value.args[1]);
    case Op::kShiftLeftLogical:
    case Op::kShiftRightLogical:
      return is_constant(function, value.args[1]);
    default:
      return false;
  }
}

/// Operands that it takes bits from.
std::span<const ValueId> moved_operands(const Value& value) {
  const std::span<const ValueId> args = value.args;
  if (value.op == Op::kLoad || value.op == Op::kResult) return {};
  return value.op == Op::kSelect ? args.subspan(1) : args;
}

}  // namespace

bool is_moved(const Function& function, ValueId value) {
  std::vector<ValueId> seen{value};
  for (std::size_t next = 0; next < seen.size(); ++next) {
    const Value& made = function.values[seen[next]];
    function.work(made.args.size() + 1);
    if (!moves_bits(function, made)) return false;
    for (const ValueId arg : moved_operands(made))
      if (std::ranges::find(seen, arg) == seen.end()) seen.push_back(arg);
    if (seen.size() > kMost) return false;
  }
  return true;
}

}  // namespace transpire::vm::lir
