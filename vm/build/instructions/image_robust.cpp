// Accesses to texels that an image has not, with LaunchSettings::robust: reads give zeros, and writes and atomics do nothing; samples,
// gathers and level queries of null images give zeros. They are not made, so that neither findings nor observers hear of them.
#include "memory/image_format.h"
#include "vm/build/float_constant.h"
#include "vm/build/instructions/group_scope.h"
#include "vm/build/instructions/image_operand.h"

namespace transpire::vm::builder::image {
namespace {

/// A bit for each order of channels whose texels outside have an alpha of 1.
constexpr std::uint32_t kOpaqueOrders = [] {
  std::uint32_t orders = 0;
#define TRANSPIRE_CHANNEL_ORDER(name, ...)                             \
  if (memory::row_of(memory::ChannelOrder::k##name).border_alpha != 0) \
    orders |= std::uint32_t{1} << static_cast<unsigned>(memory::ChannelOrder::k##name);
#include "memory/image_format.def"
  return orders;
}();

}  // namespace

ValueId has_texel(Builder& b, const Type& image, const Access& access) {
  if (b.failed() || b.request.options.robust == Robust::kFault || is_of_opencl(image))
    return kNoValue;
  const ImageOperation& operation = access.operation;
  const bool has_level = operation.detail == Detail::kLevel;
  const ValueId level = has_level ? access.operands[operation.first_detail()] : i32(b, 0);
  ValueId inside = b.ops.constant(Kind::kBool, 1);
  const auto limit = [&](ValueId number, ImageQuery::What what, std::uint32_t dimension = 0) {
    const ImageQuery asked{what, narrow<std::uint8_t>(dimension), operation.dimensions,
                           operation.arrayed};
    const ValueId is_below =
        b.ops.emit(Op::kULessThan, {number, query(b, access.operands[0], level, asked)});
    inside = b.ops.emit(Op::kLogicalAnd, {inside, is_below});
  };
  for (std::uint32_t d = 0; d < operation.dimensions; ++d)
    limit(access.operands[1 + d], ImageQuery::What::kSize, d);
  if (operation.arrayed)
    limit(access.operands[1 + operation.dimensions], ImageQuery::What::kLayers);
  if (has_level) limit(level, ImageQuery::What::kLevels);
  if (operation.has_sample) limit(access.operands[operation.sample()], ImageQuery::What::kSamples);
  return inside;
}

ValueId has_sampled_image(Builder& b, const Access& access) {
  if (b.request.options.robust == Robust::kFault || !access.operation.handles_two ||
      !b.request.has_resources())
    return kNoValue;
  const ImageOperation& operation = access.operation;
  const ImageQuery width{ImageQuery::What::kSize, 0, operation.dimensions,
                         operation.arrayed || operation.is_cube};
  return b.ops.emit(Op::kINotEqual, {query(b, access.operands[0], i32(b, 0), width), i32(b, 0)});
}

ValueList outer_texel(Builder& b, const Access& access, const std::vector<Kind>& kinds) {
  ValueList texel;
  for (const Kind kind : kinds) texel.push_back(b.ops.constant(kind, 0));
  if (texel.size() != 4) return texel;
  const auto asked = [&](ImageQuery::What what) {
    return query(b, access.operands[0], i32(b, 0),
                 {what, 0, access.operation.dimensions, access.operation.arrayed});
  };
  const auto is_set = [&](ValueId number) {
    return b.ops.emit(Op::kINotEqual, {number, i32(b, 0)});
  };
  const ValueId opaque =
      b.ops.emit(Op::kShiftRightLogical, {i32(b, kOpaqueOrders), asked(ImageQuery::What::kOrder)});
  const ValueId has_one =
      b.ops.emit(Op::kLogicalAnd, {is_set(b.ops.emit(Op::kBitwiseAnd, {opaque, i32(b, 1)})),
                                   is_set(asked(ImageQuery::What::kLevels))});
  const ValueId one =
      is_float(kinds[3]) ? b.ops.float_constant(kinds[3], kOne) : b.ops.constant(kinds[3], 1);
  texel[3] = b.ops.select(has_one, one, texel[3]);
  return texel;
}

}  // namespace transpire::vm::builder::image
