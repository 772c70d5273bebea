#include "vm/build/instructions/derivative.h"

#include <fmt/format.h>

#include <bit>
#include <optional>

#include "vm/build/builder.h"

namespace transpire::vm::builder::derivative {
namespace {

ValueId i32(Builder& b, std::uint32_t bits) { return b.ops.constant(Kind::kI32, bits); }

/// The width of a work-group; 0 if the module does not say.
std::uint32_t width_of(const decoder::EntryPoint& entry) {
  const decoder::ExecutionMode* size = entry.mode(spv::ExecutionMode::LocalSize);
  if (size == nullptr) size = entry.mode(spv::ExecutionMode::LocalSizeId);
  return size == nullptr || size->operands.empty() ? 0 : size->operands[0];
}

/// The distance of a quad's rows in work-items of a sub-group: 2 for quads that lie in a line. Nothing if it is refused.
std::optional<std::uint32_t> row_distance(Builder& b) {
  const decoder::EntryPoint& entry = b.request.entry;
  if (entry.mode(spv::ExecutionMode::DerivativeGroupLinearNV) != nullptr) return 2;
  if (entry.mode(spv::ExecutionMode::DerivativeGroupQuadsNV) == nullptr) {
    b.refuse(Rule::kU0001,
             "a derivative is not supported: it needs a graphics pipeline or an execution mode "
             "DerivativeGroup");
    return std::nullopt;
  }
  const std::uint32_t width = width_of(entry), most = b.groups.subgroup_size() / 2;
  if (std::has_single_bit(width) && width > 1 && width <= most) return width;
  b.refuse(
      Rule::kU0001,
      fmt::format(
          "a derivative in work-groups {} wide is not supported: the rows of a quad are in one "
          "sub-group for powers of two from 2 to {}",
          width, most));
  return std::nullopt;
}

/// The value behind this work-item's place in the quad minus the one before it, `distance` work-items apart. With `row`, of the
/// first pair in the other direction, which is `row` apart.
ValueId step(Builder& b, ValueId value, std::uint32_t distance, std::uint32_t row) {
  const ValueId begin = b.ops.emit(Op::kBitwiseAnd, {b.groups.lane(), i32(b, ~(distance | row))});
  const ValueId end = b.ops.emit(Op::kBitwiseOr, {begin, i32(b, distance)});
  const ValueId one[] = {value};
  return b.ops.emit(Op::kFSub, {b.groups.shuffle(one, end)[0], b.groups.shuffle(one, begin)[0]});
}

}  // namespace

void difference(Builder& b, const Instruction& i, Direction direction, bool is_coarse) {
  const Values values = b.ids.operand(i, 0);
  if (b.failed()) return;
  const std::optional<std::uint32_t> rows = row_distance(b);
  if (!rows) return;
  ValueList result;
  for (const ValueId value : values) {
    if (!b.expect(is_float(b.ops.kind_of(value)), "a derivative is one of floats")) return;
    const auto in_x = [&] { return step(b, value, 1, is_coarse ? *rows : 0); };
    const auto in_y = [&] { return step(b, value, *rows, is_coarse ? 1 : 0); };
    if (direction == Direction::kWidth)
      result.push_back(b.ops.emit(
          Op::kFAdd, {b.ops.emit(Op::kFAbs, {in_x()}), b.ops.emit(Op::kFAbs, {in_y()})}));
    else
      result.push_back(direction == Direction::kX ? in_x() : in_y());
  }
  b.ids.define(i, std::move(result));
}

}  // namespace transpire::vm::builder::derivative
