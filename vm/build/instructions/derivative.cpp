#include "vm/build/instructions/derivative.h"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "decoder/grammar.h"
#include "vm/build/builder.h"
#include "vm/build/instructions/group_scope.h"

namespace transpire::vm::builder::derivative {
namespace {

/// A difference in a direction whose neighbours are `distance` work-items apart: the second one's value minus the first one's. `row` is 0, or
/// the distance in the other direction, where the first pair is taken instead of this work-item's own.
ValueId step(Builder& b, ValueId value, std::uint32_t distance, std::uint32_t row) {
  const ValueId begin = b.ops.emit(Op::kBitwiseAnd, {b.groups.lane(), i32(b, ~(distance | row))});
  const ValueId end = b.ops.emit(Op::kBitwiseOr, {begin, i32(b, distance)});
  const ValueId one[] = {value};
  return b.ops.emit(Op::kFSub, {b.groups.shuffle(one, end)[0], b.groups.shuffle(one, begin)[0]});
}

/// The quads lie in work-groups that are made of whole ones, and each in one sub-group.
bool expect_whole_quads(Builder& b, bool is_linear) {
  const auto [x, y, z] = group_size(b.request.entry);
  if (is_linear) {
    if (std::uint64_t{x} * y * z % 4 == 0) return true;
    b.refuse(Rule::kU0001, fmt::format("work-groups of {} x {} x {} have no whole quads in a line: "
                                       "DerivativeGroupLinear needs a multiple of 4",
                                       x, y, z));
    return false;
  }
  const std::uint32_t widest = b.groups.subgroup_size() / 2;
  if (std::has_single_bit(x) && x > 1 && x <= widest && y % 2 == 0) return true;
  b.refuse(Rule::kU0001,
           fmt::format("quads in work-groups {} wide and {} high are not supported: "
                       "DerivativeGroupQuads needs even heights, and widths that are powers of two "
                       "from 2 to {}, so that each quad is in one sub-group",
                       x, y, widest));
  return false;
}

}  // namespace

std::optional<std::uint32_t> quad_row(Builder& b) {
  const decoder::EntryPoint& entry = b.request.entry;
  const bool is_linear = entry.mode(spv::ExecutionMode::DerivativeGroupLinearNV) != nullptr;
  const decoder::ExecutionMode* const quads =
      entry.mode(spv::ExecutionMode::DerivativeGroupQuadsNV);
  if (!is_linear && quads == nullptr) return 2;
  if (!expect_whole_quads(b, is_linear)) return std::nullopt;
  return is_linear ? 2 : group_size(entry)[0];
}

ValueList differences(Builder& b, const Instruction& i, Values values, Direction direction,
                      bool is_coarse) {
  if (b.request.entry.mode(spv::ExecutionMode::DerivativeGroupLinearNV) == nullptr &&
      b.request.entry.mode(spv::ExecutionMode::DerivativeGroupQuadsNV) == nullptr) {
    b.refuse(Rule::kU0001,
             fmt::format("{} is not supported here: derivatives need a graphics pipeline or an "
                         "execution mode DerivativeGroup",
                         decoder::opcode_name(i.op)));
    return {};
  }
  const std::optional<std::uint32_t> rows = quad_row(b);
  if (!rows) return {};
  ValueList result;
  for (const ValueId value : values) {
    if (!b.expect(is_float(b.ops.kind_of(value)), "a derivative is one of floats")) return {};
    const auto in_x = [&] { return step(b, value, 1, is_coarse ? *rows : 0); };
    const auto in_y = [&] { return step(b, value, *rows, is_coarse ? 1 : 0); };
    if (direction == Direction::kSum)
      result.push_back(b.ops.emit(
          Op::kFAdd, {b.ops.emit(Op::kFAbs, {in_x()}), b.ops.emit(Op::kFAbs, {in_y()})}));
    else
      result.push_back(direction == Direction::kX ? in_x() : in_y());
  }
  return result;
}

void difference(Builder& b, const Instruction& i, Direction direction, bool is_coarse) {
  const Values values = b.ids.operand(i, 0);
  if (b.failed()) return;
  ValueList result = differences(b, i, values, direction, is_coarse);
  if (!b.failed()) b.ids.define(i, std::move(result));
}

}  // namespace transpire::vm::builder::derivative
