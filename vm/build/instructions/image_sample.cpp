// Samples, gathers and the query of a level of detail: SPIR-V "Image Instructions", OpImageSample*, OpImage*Gather, OpImageQueryLod.
#include "vm/build/instructions/derivative.h"
#include "vm/build/instructions/image.h"
#include "vm/build/instructions/image_operand.h"

namespace transpire::vm::builder::image {
namespace {

/// A sample that is being built.
struct Sampled {
  const Type* type = nullptr;
  Access access;
};

/// Its handles and coordinates.
std::optional<Sampled> begin_sample(Builder& b, const Instruction& i) {
  const auto sampled = accessed(b, i, Type::Kind::kSampledImage);
  if (!sampled) return std::nullopt;
  Sampled begun{sampled->type, {}};
  begun.access.operation.handles_two = true;
  begun.access.operands = {sampled->handles[0], sampled->handles[1]};
  if (!b.expect(!sampled->type->image.multisampled, "a multisampled image is not sampled") ||
      !add_coordinates(b, i, *sampled->type, begun.access))
    return std::nullopt;
  return begun;
}

/// Divides the coordinates by the component behind them, which is returned.
ValueId project(Builder& b, const Instruction& i, Sampled& sampled) {
  const Type::ImageShape& shape = sampled.type->image;
  Access& access = sampled.access;
  const Values given = b.ids.operand(i, 1);
  const std::uint32_t axes = access.operation.axes();
  if (b.failed() || !b.expect(!shape.arrayed && shape.dim != spv::Dim::Cube &&
                                  access.operation.float_coordinates && given.size() > axes,
                              "a projection is of floats, for an image without layers"))
    return kNoValue;
  for (std::uint32_t k = 0; k < axes; ++k)
    access.operands[access.operation.handles() + k] =
        b.ops.emit(Op::kFDiv, {given[k], given[axes]});
  return given[axes];
}

/// Operand 2, which the texels are compared with.
bool add_reference(Builder& b, const Instruction& i, Access& access, ValueId divisor = kNoValue) {
  access.operation.compares = true;
  ValueId reference = b.ids.scalar_operand(i, 2);
  if (!b.failed() && divisor != kNoValue) reference = b.ops.emit(Op::kFDiv, {reference, divisor});
  access.operands.push_back(reference);
  return !b.failed();
}

void place_sample(Builder& b, const Instruction& i, Op op, Sampled& sampled) {
  Access& access = sampled.access;
  if (!b.expect(access.operation.detail != Detail::kNone, "a sample has neither Lod nor Grad"))
    return;
  if (!permits(b, *sampled.type, false)) return define_zeros(b, i);
  check_use(b, *sampled.type, access);
  place_read(b, i, op, access);
}

/// The gradients of the coordinates between the work-items of a quad.
bool add_gradients(Builder& b, const Instruction& i, Access& access) {
  const ImageOperation& operation = access.operation;
  if (!b.expect(operation.float_coordinates,
                "coordinates with an implicit level of detail are floats"))
    return false;
  const auto first = access.operands.begin() + operation.handles();
  const ValueList coordinates(first, first + operation.axes());
  for (const derivative::Direction direction :
       {derivative::Direction::kX, derivative::Direction::kY})
    for (const ValueId gradient : derivative::differences(b, i, coordinates, direction, false))
      access.gradients.push_back(gradient);
  return !b.failed();
}

/// With ConstOffsets: for each of the four offsets the texel of a gather that has the least coordinates, which is the last one.
void gather_apart(Builder& b, const Instruction& i, Op op, const Access& access, Values offsets,
                  bool compares) {
  const std::vector<Kind>& kinds = b.types.result_layout(i).kinds;
  if (b.failed() ||
      !b.expect(kinds.size() == 4 && offsets.size() == 8 && access.operation.dimensions == 2,
                "a gather has four components, and offsets for each"))
    return;
  ValueList results;
  for (std::size_t texel = 0; texel < 4; ++texel) {
    Access one = access;
    one.operation.has_offset = true;
    one.operands.insert(one.operands.end(), {offsets[2 * texel], offsets[2 * texel + 1]});
    if (compares && !add_reference(b, i, one)) return;
    const ValueList gathered = read_components(b, op, 4, kinds[0], one);
    if (b.failed()) return;
    results.push_back(gathered[3]);
  }
  b.ids.define(i, std::move(results));
}

void place_gather(Builder& b, const Instruction& i, Op op, Sampled& sampled, bool compares) {
  Access& access = sampled.access;
  access.operation.gathers = true;
  const spv::Dim dim = sampled.type->image.dim;
  if (!b.expect(dim == spv::Dim::Dim2D || dim == spv::Dim::Cube,
                "texels are gathered from an image that is neither 2D nor a cube"))
    return;
  constexpr std::uint32_t kOffsets = mask_of(spv::ImageOperandsMask::ConstOffsets);
  const bool is_apart = i.operands.size() > 4 && (i.operands[3] & ~kEverywhere) == kOffsets;
  if (is_apart) return gather_apart(b, i, op, access, b.ids.operand(i, 4), compares);
  if (!add_image_operands(b, i, 3, kOfGathers, access) ||
      (compares && !add_reference(b, i, access)))
    return;
  place_read(b, i, op, access);
}

}  // namespace

void sample(Builder& b, const Instruction& i, Op op, SampleForm form) {
  std::optional<Sampled> sampled = begin_sample(b, i);
  if (!sampled) return;
  Access& access = sampled->access;
  const ValueId divisor = form.projects ? project(b, i, *sampled) : kNoValue;
  if (b.failed() || (form.is_implicit && !add_gradients(b, i, access))) return;
  const std::uint32_t known = form.is_implicit ? kOfImplicitSamples : kOfSamples;
  if (!add_image_operands(b, i, form.compares ? 3 : 2, known, access) ||
      (form.compares && !add_reference(b, i, access, divisor)))
    return;
  place_sample(b, i, op, *sampled);
}

void query_level(Builder& b, const Instruction& i, Op op) {
  std::optional<Sampled> sampled = begin_sample(b, i);
  if (!sampled || !add_gradients(b, i, sampled->access) ||
      !add_image_operands(b, i, i.operands.size(), 0, sampled->access))
    return;
  place_read(b, i, op, sampled->access);
}

void gather(Builder& b, const Instruction& i, Op op) {
  std::optional<Sampled> sampled = begin_sample(b, i);
  const std::optional<std::uint64_t> component = b.ids.constant_of(b.ids.operand_id(i, 2));
  if (!sampled || b.failed() ||
      !b.expect(component && *component < 4, "the component of a gather is a constant below 4"))
    return;
  sampled->access.operation.gathered = narrow<std::uint8_t>(*component);
  place_gather(b, i, op, *sampled, false);
}

void gather_compared(Builder& b, const Instruction& i, Op op) {
  if (std::optional<Sampled> sampled = begin_sample(b, i)) place_gather(b, i, op, *sampled, true);
}

}  // namespace transpire::vm::builder::image
