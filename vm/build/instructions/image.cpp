#include "vm/build/instructions/image.h"

#include <fmt/format.h>

#include "vm/build/image_shape.h"
#include "vm/build/instructions/group_scope.h"
#include "vm/build/instructions/guarded.h"
#include "vm/build/instructions/image_operand.h"

namespace transpire::vm::builder::image {
namespace {

/// Adds the offset to the coordinates of a texel.
void add_offset(Builder& b, Access& access) {
  ImageOperation& operation = access.operation;
  if (!operation.has_offset || b.failed()) return;
  const auto offset = access.operands.begin() + operation.first_offset();
  for (std::uint32_t k = 0; k < operation.dimensions; ++k) {
    if (!b.expect(b.ops.kind_of(offset[k]) == Kind::kI32, "an offset is not of 32-bit integers"))
      return;
    ValueId& coordinate = access.operands[operation.handles() + k];
    coordinate = b.ops.emit(Op::kIAdd, {coordinate, offset[k]});
  }
  access.operands.erase(offset, offset + operation.dimensions);
  operation.has_offset = false;
}

/// Where a read or a write without a sampler goes; its image operands begin at word `at`.
bool add_texel_place(Builder& b, const Instruction& i, std::size_t at, const Type& image,
                     Access& access) {
  const std::uint32_t known = i.op == spv::Op::OpImageFetch ? kOfFetches : kOfTexels;
  if (!add_coordinates(b, i, image, access) ||
      !b.expect(!access.operation.float_coordinates, "a texel's coordinates are integers") ||
      !add_image_operands(b, i, at, known, access))
    return false;
  add_offset(b, access);
  return b.expect(access.operation.has_sample == image.image.multisampled,
                  "a texel of a multisampled image, and no other, is accessed with a Sample");
}

/// With --check=race, observers get accesses to images that the kernel may write.
void watch_races(Builder& b, const Type& image, ImageOperation& operation) {
  operation.may_race =
      b.request.options.looks_for_races() && image.access != spv::AccessQualifier::ReadOnly;
}

/// With --check=sync, the group's state keeps a work-item's writes to a read-write image.
void watch_fences(Builder& b, const Type& image, Access& access) {
  if (!b.request.options.check_sync || image.access != spv::AccessQualifier::ReadWrite ||
      !is_of_opencl(image))
    return;
  access.operation.watches_fences = true;
  b.writer.function().uses_barrier = true;
}

/// True for types of images that differ in Depth alone, which SPIRV-Tools accepts as the type of a sampled image and its image.
bool is_same_but_depth(const Type& left, const Type& right) {
  const Type::ImageShape &a = left.image, &b = right.image;
  return left.kind == right.kind && left.element == right.element && left.access == right.access &&
         a.dim == b.dim && a.arrayed == b.arrayed && a.multisampled == b.multisampled &&
         a.sampled == b.sampled && a.format == b.format;
}

/// The object of a sub-group's block access, with column and row of its first byte.
struct Block {
  const Type* type = nullptr;
  ValueId handle = kNoValue, x = kNoValue, y = kNoValue;
};

std::optional<Block> block_of(Builder& b, const Instruction& i) {
  const auto image = accessed(b, i, Type::Kind::kImage);
  const Values at = b.ids.operand(i, 1);
  if (!image || b.failed()) return std::nullopt;
  const Type::ImageShape& type = image->type->image;
  const bool is_plain = image_dimensions(type.dim) == 2 && !type.arrayed && !type.multisampled;
  if (!b.expect(is_plain, "a block access is of a two-dimensional image") ||
      !b.expect(at.size() == 2 && b.ops.kind_of(at[0]) == Kind::kI32,
                "a block's coordinate is two 32-bit integers"))
    return std::nullopt;
  return Block{image->type, image->handles[0], at[0], at[1]};
}

bool fits_block(Builder& b, const std::vector<Kind>& kinds) {
  return b.expect(!kinds.empty() && is_int(kinds[0]), "a block access is of integers");
}

/// Component c of a block: this work-item's element of row c.
lir::Value block_access(Builder& b, const Block& block, Kind kind, std::size_t c, bool writes) {
  ImageOperation operation;
  operation.components = 1;
  operation.kind = kind;
  operation.writes = writes;
  watch_races(b, *block.type, operation);
  const ValueId skipped =
      b.ops.emit(Op::kIMul, {b.groups.lane(), b.ops.constant(Kind::kI32, lane_bytes(kind))});
  lir::Value value;
  value.imm = operation.encode();
  value.args = {block.handle, b.ops.emit(Op::kSAddSat, {block.x, skipped}),
                b.ops.emit(Op::kSAddSat, {block.y, b.ops.constant(Kind::kI32, c)})};
  return value;
}

}  // namespace

void sampled_image(Builder& b, const Instruction& i, Op) {
  const Type& type = b.types.result_type(i);
  const Type* image = b.ids.operand_type(i, 0);
  const Type* sampler = b.ids.operand_type(i, 1);
  if (b.failed() || !b.expect(type.kind == Type::Kind::kSampledImage &&
                                  is_same_but_depth(*type.element, *image) &&
                                  sampler->kind == Type::Kind::kSampler,
                              "a sampled image is of an image of its type and a sampler"))
    return;
  b.ids.define(i, {b.ids.scalar_operand(i, 0), b.ids.scalar_operand(i, 1)});
}

void image_of(Builder& b, const Instruction& i, Op) {
  const auto sampled = accessed(b, i, Type::Kind::kSampledImage);
  if (sampled) b.ids.define(i, {sampled->handles[0]});
}

void texel_pointer(Builder& b, const Instruction& i, Op op) {
  if (!b.request.has_resources())
    return b.refuse(Rule::kU0001, "OpImageTexelPointer is not supported in kernels of OpenCL");
  const Type* pointer = b.ids.operand_type(i, 0);
  if (b.failed() ||
      !b.expect(pointer->kind == Type::Kind::kPointer && pointer->element != nullptr &&
                    pointer->element->kind == Type::Kind::kImage,
                "the operand is no pointer to an image"))
    return;
  const Type& image = *pointer->element;
  if (!expect_supported(b, image)) return;
  Access access;
  access.operands =
      b.memory.load(image, b.ids.scalar_operand(i, 0), b.types.space_of(*pointer), {});
  if (b.failed() || !add_coordinates(b, i, image, access) ||
      !b.expect(!access.operation.float_coordinates, "a texel's coordinates are integers"))
    return;
  access.operation.is_atomic = true;
  access.operation.has_sample = image.image.multisampled;
  if (image.image.multisampled) access.operands.push_back(b.ids.scalar_operand(i, 2));
  const Kind kind = b.types.scalar_kind(*image.element);
  if (b.failed() || !set_components(b, 1, kind, access) || !fits(b, access)) return;
  const ValueId inside = has_texel(b, image, access);
  const auto place = [&]() -> ValueList {
    lir::Value value;
    value.op = op;
    value.kind = value.from = Kind::kI64;
    value.imm = access.operation.encode();
    value.args = std::move(access.operands);
    return {b.writer.place(std::move(value))};
  };
  b.ids.define(i, inside == kNoValue ? place() : where_else(b, inside, {i64(b, 0)}, place));
}

void read(Builder& b, const Instruction& i, Op op) {
  const auto image = accessed(b, i, Type::Kind::kImage);
  if (!image) return;
  Access access;
  access.operands = {image->handles[0]};
  if (!add_texel_place(b, i, 2, *image->type, access)) return;
  if (!permits(b, *image->type, false)) return define_zeros(b, i);
  watch_fences(b, *image->type, access);
  check_use(b, *image->type, access);
  watch_races(b, *image->type, access.operation);
  const ValueId inside = has_texel(b, *image->type, access);
  if (inside == kNoValue) return place_read(b, i, op, access);
  const std::vector<Kind>& kinds = b.types.result_layout(i).kinds;
  if (b.failed() || !b.expect(!kinds.empty(), "the result has no type")) return;
  b.ids.define(i, where_else(b, inside, outer_texel(b, access, kinds), [&] {
                 return read_components(b, op, kinds.size(), kinds[0], access);
               }));
}

void write(Builder& b, const Instruction& i, Op op) {
  const auto image = accessed(b, i, Type::Kind::kImage);
  const Values texel = b.ids.operand(i, 2);
  if (!image || b.failed()) return;
  Access access;
  access.operation.writes = true;
  access.operation.is_symmetric = !is_of_opencl(*image->type);
  access.operands = {image->handles[0]};
  if (!add_texel_place(b, i, 3, *image->type, access) ||
      !b.expect(!texel.empty(), "a write has a texel") ||
      !set_components(b, texel.size(), b.ops.kind_of(texel[0]), access))
    return;
  access.operands.insert(access.operands.end(), texel.begin(), texel.end());
  if (!fits(b, access) || !permits(b, *image->type, true)) return;
  watch_fences(b, *image->type, access);
  check_use(b, *image->type, access);
  watch_races(b, *image->type, access.operation);
  const auto place = [&] {
    announce(b, Op::kImageAnnounce, access.operation, access.operands);
    lir::Value value;
    value.op = op;
    value.from = Kind::kI64;
    value.imm = access.operation.encode();
    value.args = std::move(access.operands);
    b.writer.place(std::move(value));
  };
  const ValueId inside = has_texel(b, *image->type, access);
  if (inside == kNoValue) return place();
  where(b, inside, place);
}

void sparse(Builder& b, const Instruction& i, Op op,
            void (*plain)(Builder&, const Instruction&, Op)) {
  const Type& result = b.types.result_type(i);
  if (b.failed() || !b.expect(result.kind == Type::Kind::kStruct && result.members.size() == 2 &&
                                  result.members[0]->kind == Type::Kind::kInt,
                              "the result is no struct of a residency code and a texel"))
    return;
  Instruction texel = i;
  texel.type_id = result.members[1]->id;
  if (i.op == spv::Op::OpImageSparseFetch) texel.op = spv::Op::OpImageFetch;
  plain(b, texel, op);
  const Bound* const bound = b.failed() ? nullptr : b.ids.find_bound(i.result_id);
  if (bound == nullptr) return;
  ValueList values{b.ops.constant(b.types.scalar_kind(*result.members[0]), 0)};
  values.insert(values.end(), bound->values.begin(), bound->values.end());
  b.ids.define(i, std::move(values));
}

void texels_resident(Builder& b, const Instruction& i, Op) {
  const ValueId code = b.ids.scalar_operand(i, 0);
  if (b.failed() || !b.expect(is_int(b.ops.kind_of(code)), "a residency code is an integer"))
    return;
  b.ids.define(i, {b.ops.emit(Op::kIEqual, {code, b.ops.constant(b.ops.kind_of(code), 0)})});
}

void fence(Builder& b) {
  lir::Value value;
  value.op = Op::kImageFence;
  b.writer.function().uses_barrier = true;
  b.writer.place(std::move(value));
}

void read_block(Builder& b, const Instruction& i, Op op) {
  const std::optional<Block> block = block_of(b, i);
  if (!block) return;
  const std::vector<Kind>& kinds = b.types.result_layout(i).kinds;
  if (b.failed() || !fits_block(b, kinds)) return;
  if (!permits(b, *block->type, false)) return define_zeros(b, i);
  ValueList results;
  for (std::size_t c = 0; c < kinds.size(); ++c) {
    lir::Value value = block_access(b, *block, kinds[c], c, false);
    value.op = op;
    value.kind = value.from = kinds[c];
    announce(b, Op::kImageBlockAnnounce, ImageOperation::decode(value.imm), value.args);
    results.push_back(b.writer.place(std::move(value)));
  }
  b.ids.define(i, std::move(results));
}

void write_block(Builder& b, const Instruction& i, Op op) {
  const std::optional<Block> block = block_of(b, i);
  const Values values = b.ids.operand(i, 2);
  if (!block || b.failed()) return;
  std::vector<Kind> kinds;
  for (const ValueId value : values) kinds.push_back(b.ops.kind_of(value));
  if (!fits_block(b, kinds) || !permits(b, *block->type, true)) return;
  const ValueId within_word =
      b.ops.emit(Op::kBitwiseAnd, {block->x, b.ops.constant(Kind::kI32, 3)});
  b.checks.never(Rule::kR0077,
                 b.ops.emit(Op::kINotEqual, {within_word, b.ops.constant(Kind::kI32, 0)}),
                 "a write that does not begin at a multiple of four bytes");
  for (std::size_t c = 0; c < kinds.size(); ++c) {
    lir::Value value = block_access(b, *block, kinds[c], c, true);
    value.op = op;
    value.from = Kind::kI64;
    value.args.push_back(values[c]);
    announce(b, Op::kImageBlockAnnounce, ImageOperation::decode(value.imm), value.args);
    b.writer.place(std::move(value));
  }
}

}  // namespace transpire::vm::builder::image
