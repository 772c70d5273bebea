#include "vm/build/instructions/image.h"

#include <fmt/format.h>

#include <optional>

#include "base/narrow.h"
#include "decoder/grammar.h"
#include "vm/build/builder.h"
#include "vm/build/image_shape.h"
#include "vm/build/instructions/image_operand.h"
#include "vm/program/immediates.h"

namespace transpire::vm::builder::image {
namespace {

using Detail = ImageOperation::Detail;

/// The operands that an access is made of, in their order.
struct Access {
  ImageOperation operation;
  ValueList operands;
};

/// As many coordinates as the image has; a vector may have more. A texel of a cube has that of its face, and the face's layer.
bool add_coordinates(Builder& b, const Instruction& i, const Type& image, Access& access) {
  const Values given = b.ids.operand(i, 1);
  if (b.failed()) return false;
  ImageOperation& operation = access.operation;
  const bool is_cube = image.image.dim == spv::Dim::Cube;
  operation.dimensions = image_dimensions(image.image.dim);
  operation.is_cube = is_cube && operation.handles_two;
  operation.arrayed = image.image.arrayed || (is_cube && !operation.handles_two);
  if (!b.expect(given.size() >= operation.coordinates(), "there are too few coordinates"))
    return false;
  const Kind kind = b.ops.kind_of(given[0]);
  operation.float_coordinates = kind == Kind::kF32;
  if (kind != Kind::kF32 && kind != Kind::kI32) {
    b.refuse(Rule::kU0003, fmt::format("{} with coordinates that are no 32-bit floats or integers",
                                       decoder::opcode_name(i.op)));
    return false;
  }
  access.operands.insert(access.operands.end(), given.begin(),
                         given.begin() + operation.coordinates());
  return true;
}

bool has(std::uint32_t mask, spv::ImageOperandsMask bit) {
  return (mask & narrow<std::uint32_t>(bit)) != 0;
}

constexpr std::uint32_t mask_of(spv::ImageOperandsMask bit) { return narrow<std::uint32_t>(bit); }

/// Image operands without effect in an interpreter with one memory, or allowed in all accesses.
constexpr std::uint32_t kEverywhere =
    mask_of(spv::ImageOperandsMask::NonPrivateTexel) |
    mask_of(spv::ImageOperandsMask::MakeTexelAvailable) |
    mask_of(spv::ImageOperandsMask::MakeTexelVisible) |
    mask_of(spv::ImageOperandsMask::VolatileTexel) | mask_of(spv::ImageOperandsMask::SignExtend) |
    mask_of(spv::ImageOperandsMask::ZeroExtend) | mask_of(spv::ImageOperandsMask::Nontemporal);
/// Image operands of gathers, of samples, and of reads and writes.
constexpr std::uint32_t kOfGathers = kEverywhere | mask_of(spv::ImageOperandsMask::ConstOffset) |
                                     mask_of(spv::ImageOperandsMask::Offset);
constexpr std::uint32_t kOfSamples =
    kOfGathers | mask_of(spv::ImageOperandsMask::Lod) | mask_of(spv::ImageOperandsMask::Grad);
constexpr std::uint32_t kOfTexels =
    kEverywhere | mask_of(spv::ImageOperandsMask::Lod) | mask_of(spv::ImageOperandsMask::Sample);

/// "Bias, MinLod"; bits that have no name as a number.
std::string names_of(std::uint32_t mask) {
  std::string names;
  for (; mask != 0; mask &= mask - 1) {
    const std::uint32_t bit = mask & (0u - mask);
    const std::string_view name =
        decoder::enumerant_name(decoder::OperandKind::kImageOperands, bit);
    if (!names.empty()) names += ", ";
    names += name.empty() ? fmt::format("{:#x}", bit) : std::string(name);
  }
  return names;
}

bool excludes_itself(std::uint32_t mask) {
  return (has(mask, spv::ImageOperandsMask::Lod) && has(mask, spv::ImageOperandsMask::Grad)) ||
         (has(mask, spv::ImageOperandsMask::ConstOffset) &&
          has(mask, spv::ImageOperandsMask::Offset)) ||
         (has(mask, spv::ImageOperandsMask::SignExtend) &&
          has(mask, spv::ImageOperandsMask::ZeroExtend));
}

/// The image operands from word `at` on, of which `known` have a meaning.
bool add_image_operands(Builder& b, const Instruction& i, std::size_t at, std::uint32_t known,
                        Access& access) {
  if (at >= i.operands.size()) return true;
  const std::uint32_t mask = i.operands[at++];
  if ((mask & ~known) != 0) {
    b.refuse(Rule::kU0001, fmt::format("{} with image operands {} is not supported",
                                       decoder::opcode_name(i.op), names_of(mask & ~known)));
    return false;
  }
  if (!b.expect(!excludes_itself(mask), "image operands exclude each other")) return false;
  const bool level = has(mask, spv::ImageOperandsMask::Lod);
  const bool gradients = has(mask, spv::ImageOperandsMask::Grad);
  ImageOperation& operation = access.operation;
  const auto add = [&](std::size_t count) {
    const Values values = b.ids.operand(i, at++);
    if (!b.failed() && b.expect(values.size() >= count, "an image operand has too few components"))
      access.operands.insert(access.operands.end(), values.begin(),
                             values.begin() + static_cast<std::ptrdiff_t>(count));
    return !b.failed();
  };
  if (level) operation.detail = Detail::kLevel;
  if (gradients) operation.detail = Detail::kGradients;
  if (level && !add(1)) return false;
  if (gradients && !(add(operation.axes()) && add(operation.axes()))) return false;
  operation.has_offset =
      has(mask, spv::ImageOperandsMask::ConstOffset) || has(mask, spv::ImageOperandsMask::Offset);
  if (operation.has_offset &&
      !(b.expect(!operation.is_cube, "a cube's texel has no offset") && add(operation.dimensions)))
    return false;
  if (has(mask, spv::ImageOperandsMask::SignExtend)) operation.sign = ImageOperation::Sign::kSigned;
  if (has(mask, spv::ImageOperandsMask::ZeroExtend))
    operation.sign = ImageOperation::Sign::kUnsigned;
  operation.has_sample = has(mask, spv::ImageOperandsMask::Sample);
  return !operation.has_sample || add(1);
}

/// Where a read or a write without a sampler goes; its image operands begin at word `at`.
bool add_texel_place(Builder& b, const Instruction& i, std::size_t at, const Type& image,
                     Access& access) {
  return add_coordinates(b, i, image, access) && add_image_operands(b, i, at, kOfTexels, access) &&
         b.expect(!access.operation.float_coordinates, "a texel's coordinates are integers") &&
         b.expect(access.operation.has_sample == image.image.multisampled,
                  "a texel of a multisampled image, and no other, is accessed with a Sample");
}

/// Components of a texel, of which images of OpenCL have one kind.
bool set_components(Builder& b, std::size_t count, Kind kind, Access& access) {
  if (!b.expect(count >= 1 && count <= 4, "a texel has one to four components")) return false;
  if ((vm::bit(kind) & kKindsTexel) == 0) {
    b.refuse(Rule::kU0003, fmt::format("texels of {} are not supported", kind_name(kind)));
    return false;
  }
  access.operation.components = narrow<std::uint8_t>(count);
  access.operation.kind = kind;
  return true;
}

bool fits(Builder& b, const Access& access) {
  bool good = access.operands.size() == access.operation.operands();
  for (std::uint32_t n = 0; good && n < access.operands.size(); ++n)
    good = b.ops.kind_of(access.operands[n]) == access.operation.operand(n);
  return b.expect(good, "an image instruction's operand has another type");
}

/// The rules of OpenCL's images, which say nothing of how they are used, are checked: not those of images whose type says it.
bool is_of_opencl(const Type& image) { return image.image.sampled == 0; }

/// With --check=race, observers get accesses to images that the kernel may write.
void watch_races(Builder& b, const Type& image, ImageOperation& operation) {
  operation.may_race =
      b.request.options.looks_for_races() && image.access != spv::AccessQualifier::ReadOnly;
}

/// Announces such an access, and every access if launches are compared. An observed access calls
/// the observer itself.
void tell(Builder& b, Op op, const ImageOperation& operation, const ValueList& operands) {
  const LowerOptions& options = b.request.options;
  if (options.observed || !(operation.may_race || options.tells_all_images)) return;
  lir::Value value;
  value.op = op;
  value.from = Kind::kI64;
  value.imm = operation.encode();
  value.args = operands;
  b.writer.place(std::move(value));
}

/// Places a read of `count` components of a kind, and returns them.
ValueList read_components(Builder& b, Op op, std::size_t count, Kind kind, Access& access) {
  if (b.failed() || !set_components(b, count, kind, access) || !fits(b, access)) return {};
  tell(b, op == Op::kImageSample ? Op::kImageSampleTell : Op::kImageTell, access.operation,
       access.operands);
  lir::Value value;
  value.op = op;
  value.kind = value.from = kind;
  value.imm = access.operation.encode();
  value.args = std::move(access.operands);
  ValueList results{b.writer.place(std::move(value))};
  for (std::uint64_t c = 1; c < count; ++c) {
    lir::Value component;
    component.op = Op::kResult;
    component.kind = component.from = kind;
    component.imm = c;
    component.args = {results[0]};
    results.push_back(b.writer.place(std::move(component)));
  }
  return results;
}

void place_read(Builder& b, const Instruction& i, Op op, Access& access) {
  const std::vector<Kind>& kinds = b.types.result_layout(i).kinds;
  if (b.failed() || !b.expect(!kinds.empty(), "the result has no type")) return;
  ValueList results = read_components(b, op, kinds.size(), kinds[0], access);
  if (!b.failed()) b.ids.define(i, std::move(results));
}

/// With --check=sync, the group's state keeps a work-item's writes to a read-write image.
void watch_fences(Builder& b, const Type& image, Access& access) {
  if (!b.request.options.check_sync || image.access != spv::AccessQualifier::ReadWrite ||
      !is_of_opencl(image))
    return;
  access.operation.watches_fences = true;
  b.writer.function().uses_barrier = true;
}

/// With --check=ub, notes the launch's use of the image.
void check_use(Builder& b, const Type& image, Access& access) {
  if (!b.request.options.check_ub || !is_of_opencl(image)) return;
  access.operation.checks_use = true;
  b.writer.function().keeps_notes = true;
}

/// Reports an access that the image's qualifier forbids, and drops it.
bool permits(Builder& b, const Type& image, bool writes) {
  const auto other = writes ? spv::AccessQualifier::ReadOnly : spv::AccessQualifier::WriteOnly;
  if (image.access != other) return true;
  b.checks.never(Rule::kR0075, b.ops.constant(Kind::kBool, 1),
                 fmt::format("{} of a {}", writes ? "a write" : "a read", decoder::spell(image)));
  return false;
}

void define_zeros(Builder& b, const Instruction& i) {
  ValueList zeros;
  for (const Kind kind : b.types.result_layout(i).kinds) zeros.push_back(b.ops.constant(kind, 0));
  if (!b.failed()) b.ids.define(i, std::move(zeros));
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

void sample_as(Builder& b, const Instruction& i, Op op, bool compares, bool projects) {
  std::optional<Sampled> sampled = begin_sample(b, i);
  if (!sampled) return;
  const ValueId divisor = projects ? project(b, i, *sampled) : kNoValue;
  if (b.failed() || !add_image_operands(b, i, compares ? 3 : 2, kOfSamples, sampled->access) ||
      (compares && !add_reference(b, i, sampled->access, divisor)))
    return;
  place_sample(b, i, op, *sampled);
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

std::optional<Accessed> accessed(Builder& b, const Instruction& i, Type::Kind kind) {
  const Type* type = b.ids.operand_type(i, 0);
  const Values handles = b.ids.operand(i, 0);
  if (b.failed() ||
      !b.expect(type->kind == kind, kind == Type::Kind::kImage ? "the operand is no image"
                                                               : "the operand is no sampled image"))
    return std::nullopt;
  const Type* image = kind == Type::Kind::kImage ? type : type->element;
  if (const std::string what = unsupported_image(*image, b.request.has_resources());
      !what.empty()) {
    b.refuse(Rule::kU0003,
             fmt::format("images {} are not supported: {}", what, decoder::spell(*image)));
    return std::nullopt;
  }
  return Accessed{image, handles};
}

void sampled_image(Builder& b, const Instruction& i, Op) {
  const Type& type = b.types.result_type(i);
  const Type* image = b.ids.operand_type(i, 0);
  const Type* sampler = b.ids.operand_type(i, 1);
  if (b.failed() || !b.expect(type.kind == Type::Kind::kSampledImage && type.element == image &&
                                  sampler->kind == Type::Kind::kSampler,
                              "a sampled image is of an image of its type and a sampler"))
    return;
  b.ids.define(i, {b.ids.scalar_operand(i, 0), b.ids.scalar_operand(i, 1)});
}

void image_of(Builder& b, const Instruction& i, Op) {
  const auto sampled = accessed(b, i, Type::Kind::kSampledImage);
  if (sampled) b.ids.define(i, {sampled->handles[0]});
}

void sample(Builder& b, const Instruction& i, Op op) { sample_as(b, i, op, false, false); }
void sample_projected(Builder& b, const Instruction& i, Op op) { sample_as(b, i, op, false, true); }
void sample_compared(Builder& b, const Instruction& i, Op op) { sample_as(b, i, op, true, false); }
void sample_compared_projected(Builder& b, const Instruction& i, Op op) {
  sample_as(b, i, op, true, true);
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
  if (const std::string what = unsupported_image(image, b.request.has_resources()); !what.empty())
    return b.refuse(Rule::kU0003,
                    fmt::format("images {} are not supported: {}", what, decoder::spell(image)));
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
  lir::Value value;
  value.op = op;
  value.kind = value.from = Kind::kI64;
  value.imm = access.operation.encode();
  value.args = std::move(access.operands);
  b.ids.define(i, {b.writer.place(std::move(value))});
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
  place_read(b, i, op, access);
}

void write(Builder& b, const Instruction& i, Op op) {
  const auto image = accessed(b, i, Type::Kind::kImage);
  const Values texel = b.ids.operand(i, 2);
  if (!image || b.failed()) return;
  Access access;
  access.operation.writes = true;
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
  tell(b, Op::kImageTell, access.operation, access.operands);
  lir::Value value;
  value.op = op;
  value.from = Kind::kI64;
  value.imm = access.operation.encode();
  value.args = std::move(access.operands);
  b.writer.place(std::move(value));
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
    tell(b, Op::kImageBlockTell, ImageOperation::decode(value.imm), value.args);
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
    tell(b, Op::kImageBlockTell, ImageOperation::decode(value.imm), value.args);
    b.writer.place(std::move(value));
  }
}

}  // namespace transpire::vm::builder::image
