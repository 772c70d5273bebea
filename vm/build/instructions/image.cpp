#include "vm/build/instructions/image.h"

#include <fmt/format.h>

#include <optional>

#include "base/narrow.h"
#include "vm/build/builder.h"
#include "vm/build/image_shape.h"
#include "vm/program/immediates.h"

namespace transpire::vm::builder::image {
namespace {

using Detail = ImageOperation::Detail;

/// The object of an access: the image's type and its handle, or for a sampled image both handles.
struct Accessed {
  const Type* type = nullptr;
  Values handles;
};

std::optional<Accessed> accessed(Builder& b, const Instruction& i, Type::Kind kind) {
  const Type* type = b.ids.operand_type(i, 0);
  const Values handles = b.ids.operand(i, 0);
  if (b.failed() ||
      !b.expect(type->kind == kind, kind == Type::Kind::kImage ? "the operand is no image"
                                                               : "the operand is no sampled image"))
    return std::nullopt;
  const Type* image = kind == Type::Kind::kImage ? type : type->element;
  if (const std::string what = unsupported_image(*image); !what.empty()) {
    b.refuse(Rule::kU0003,
             fmt::format("images {} are not supported: {}", what, decoder::spell(*image)));
    return std::nullopt;
  }
  return Accessed{image, handles};
}

/// The operands that an access is made of, in their order.
struct Access {
  ImageOperation operation;
  ValueList operands;
};

/// As many coordinates as the image has; a vector may have more.
bool add_coordinates(Builder& b, const Instruction& i, const Type& image, Access& access) {
  const Values given = b.ids.operand(i, 1);
  if (b.failed()) return false;
  ImageOperation& operation = access.operation;
  operation.dimensions = image_dimensions(image.image.dim);
  operation.arrayed = image.image.arrayed;
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
    mask_of(spv::ImageOperandsMask::VolatileTexel) | mask_of(spv::ImageOperandsMask::SignExtend) |
    mask_of(spv::ImageOperandsMask::ZeroExtend) | mask_of(spv::ImageOperandsMask::Nontemporal);
/// Image operands of samples, and of reads and writes.
constexpr std::uint32_t kOfSamples =
    kEverywhere | mask_of(spv::ImageOperandsMask::Lod) | mask_of(spv::ImageOperandsMask::Grad);
constexpr std::uint32_t kOfTexels =
    kEverywhere | mask_of(spv::ImageOperandsMask::Lod) | mask_of(spv::ImageOperandsMask::Sample);

bool excludes_itself(std::uint32_t mask) {
  return (has(mask, spv::ImageOperandsMask::Lod) && has(mask, spv::ImageOperandsMask::Grad)) ||
         (has(mask, spv::ImageOperandsMask::SignExtend) &&
          has(mask, spv::ImageOperandsMask::ZeroExtend));
}

/// The image operands from word `at` on, of which `known` have a meaning.
bool add_image_operands(Builder& b, const Instruction& i, std::size_t at, std::uint32_t known,
                        Access& access) {
  if (at >= i.operands.size()) return true;
  const std::uint32_t mask = i.operands[at++];
  if ((mask & ~known) != 0) {
    b.refuse(Rule::kU0001, fmt::format("{} with image operands {:#x} is not supported",
                                       decoder::opcode_name(i.op), mask & ~known));
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
  if (gradients && !(add(operation.dimensions) && add(operation.dimensions))) return false;
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

void place_read(Builder& b, const Instruction& i, Op op, Access& access) {
  const std::vector<Kind>& kinds = b.types.result_layout(i).kinds;
  if (b.failed() || !b.expect(!kinds.empty(), "the result has no type") ||
      !set_components(b, kinds.size(), kinds[0], access) || !fits(b, access))
    return;
  tell(b, op == Op::kImageSample ? Op::kImageSampleTell : Op::kImageTell, access.operation,
       access.operands);
  lir::Value value;
  value.op = op;
  value.kind = value.from = kinds[0];
  value.imm = access.operation.encode();
  value.args = std::move(access.operands);
  ValueList results{b.writer.place(std::move(value))};
  for (std::uint64_t c = 1; c < kinds.size(); ++c) {
    lir::Value component;
    component.op = Op::kResult;
    component.kind = component.from = kinds[0];
    component.imm = c;
    component.args = {results[0]};
    results.push_back(b.writer.place(std::move(component)));
  }
  b.ids.define(i, std::move(results));
}

/// With --check=sync, the group's state keeps a work-item's writes to a read-write image.
void watch_fences(Builder& b, const Type& image, Access& access) {
  if (!b.request.options.check_sync || image.access != spv::AccessQualifier::ReadWrite) return;
  access.operation.watches_fences = true;
  b.writer.function().uses_barrier = true;
}

/// With --check=ub, notes the launch's use of the image.
void check_use(Builder& b, Access& access) {
  if (!b.request.options.check_ub) return;
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

ValueId query(Builder& b, ValueId image, ValueId level, ImageQuery query) {
  lir::Value value;
  value.op = Op::kImageQuery;
  value.kind = value.from = Kind::kI32;
  value.imm = query.encode();
  value.args = {image, level};
  return b.writer.place(std::move(value));
}

/// Defines the components of the result from `queries`.
void define_queries(Builder& b, const Instruction& i, const Accessed& image, ValueId level,
                    std::span<const ImageQuery> queries) {
  const std::vector<Kind>& kinds = b.types.result_layout(i).kinds;
  if (b.failed() || !b.expect(kinds.size() == queries.size() && is_int(kinds[0]),
                              "a query's result has not as many integers as are asked for"))
    return;
  ValueList results;
  for (ImageQuery one : queries) {
    one.dimensions = image_dimensions(image.type->image.dim);
    one.arrayed = image.type->image.arrayed;
    results.push_back(b.ops.resize(query(b, image.handles[0], level, one), kinds[0], false));
  }
  b.ids.define(i, std::move(results));
}

void query_one(Builder& b, const Instruction& i, ImageQuery::What what) {
  const auto image = accessed(b, i, Type::Kind::kImage);
  if (!image) return;
  const ImageQuery one[] = {{what}};
  define_queries(b, i, *image, b.ops.constant(Kind::kI32, 0), one);
}

void query_sizes(Builder& b, const Instruction& i, const Accessed& image, ValueId level) {
  std::vector<ImageQuery> queries;
  for (std::uint8_t d = 0; d < image_dimensions(image.type->image.dim); ++d)
    queries.push_back({ImageQuery::What::kSize, d});
  if (image.type->image.arrayed) queries.push_back({ImageQuery::What::kLayers});
  define_queries(b, i, image, level, queries);
}

}  // namespace

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

void sample(Builder& b, const Instruction& i, Op op) {
  const auto sampled = accessed(b, i, Type::Kind::kSampledImage);
  if (!sampled) return;
  Access access;
  access.operation.handles_two = true;
  access.operands = {sampled->handles[0], sampled->handles[1]};
  if (!add_coordinates(b, i, *sampled->type, access) ||
      !add_image_operands(b, i, 2, kOfSamples, access) ||
      !b.expect(access.operation.detail != Detail::kNone, "a sample has neither Lod nor Grad") ||
      !b.expect(!sampled->type->image.multisampled, "a multisampled image is not sampled"))
    return;
  if (!permits(b, *sampled->type, false)) return define_zeros(b, i);
  check_use(b, access);
  place_read(b, i, op, access);
}

void read(Builder& b, const Instruction& i, Op op) {
  const auto image = accessed(b, i, Type::Kind::kImage);
  if (!image) return;
  Access access;
  access.operands = {image->handles[0]};
  if (!add_texel_place(b, i, 2, *image->type, access)) return;
  if (!permits(b, *image->type, false)) return define_zeros(b, i);
  watch_fences(b, *image->type, access);
  check_use(b, access);
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
  check_use(b, access);
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

void query_size_lod(Builder& b, const Instruction& i, Op) {
  const auto image = accessed(b, i, Type::Kind::kImage);
  const ValueId level = b.ids.scalar_operand(i, 1);
  if (image && !b.failed() && b.expect(is_int(b.ops.kind_of(level)), "a level is an integer"))
    query_sizes(b, i, *image, b.ops.resize(level, Kind::kI32, false));
}

void query_size(Builder& b, const Instruction& i, Op) {
  const auto image = accessed(b, i, Type::Kind::kImage);
  if (image) query_sizes(b, i, *image, b.ops.constant(Kind::kI32, 0));
}

void query_format(Builder& b, const Instruction& i, Op) {
  query_one(b, i, ImageQuery::What::kFormat);
}
void query_order(Builder& b, const Instruction& i, Op) {
  query_one(b, i, ImageQuery::What::kOrder);
}
void query_levels(Builder& b, const Instruction& i, Op) {
  query_one(b, i, ImageQuery::What::kLevels);
}
void query_samples(Builder& b, const Instruction& i, Op) {
  query_one(b, i, ImageQuery::What::kSamples);
}

}  // namespace transpire::vm::builder::image
