#include "vm/build/instructions/image_operand.h"

#include <fmt/format.h>

#include "decoder/grammar.h"
#include "vm/build/image_shape.h"
#include "vm/build/instructions/guarded.h"

namespace transpire::vm::builder::image {
namespace {

bool has(std::uint32_t mask, spv::ImageOperandsMask bit) {
  return (mask & narrow<std::uint32_t>(bit)) != 0;
}

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

/// Adds a bias, limited as by a device with a maxSamplerLodBias of 16, to the level of detail of gradients, which is the logarithm of their
/// length.
void bias(Builder& b, ValueId by, Access& access) {
  if (b.failed() || !b.expect(b.ops.kind_of(by) == Kind::kF32, "a bias is a float")) return;
  const ValueId most = b.ops.constant(Kind::kF32, 0x41800000);  // 16
  const ValueId least = b.ops.constant(Kind::kF32, 0xc1800000);
  by = b.ops.select(b.ops.emit(Op::kFOrdLessThan, {most, by}), most, by);
  by = b.ops.select(b.ops.emit(Op::kFOrdLessThan, {by, least}), least, by);
  const ValueId factor = b.ops.emit(Op::kExp2, {by});
  for (ValueId& gradient : access.gradients) gradient = b.ops.emit(Op::kFMul, {gradient, factor});
}

/// The level, or level of detail, of operand `at`. Texels have no other level than 0 where it is a constant.
bool add_level(Builder& b, const Instruction& i, std::size_t at, Access& access) {
  const ValueId level = b.ids.scalar_operand(i, at);
  if (b.failed()) return false;
  if (!access.operation.handles_two && b.ops.constant_bits(level) == 0) return true;
  access.operation.detail = Detail::kLevel;
  access.operands.push_back(level);
  return true;
}

/// MinLod: makes a level of detail of gradients, at least `least`. The gradients are the last operands but for the offset.
bool limit_level(Builder& b, ValueId least, Access& access) {
  ImageOperation& operation = access.operation;
  if (b.failed() ||
      !b.expect(operation.detail == Detail::kGradients && b.ops.kind_of(least) == Kind::kF32,
                "MinLod is a float, of a sample with derivatives"))
    return false;
  const auto gradients = access.operands.begin() + operation.first_detail();
  Access query{operation, {access.operands.begin(), gradients + operation.details()}};
  query.operation.has_offset = query.operation.compares = query.operation.gathers = false;
  const ValueList level = read_components(b, Op::kImageLevel, 2, Kind::kF32, query);
  if (b.failed()) return false;
  access.operands.erase(gradients + 1, gradients + operation.details());
  *gradients = b.ops.emit(Op::kFMax, {level[1], least});
  operation.detail = Detail::kLevel;
  return true;
}

}  // namespace

bool expect_supported(Builder& b, const Type& image) {
  const std::string what = unsupported_image(image, b.request.has_resources());
  if (what.empty()) return true;
  b.refuse(Rule::kU0003,
           fmt::format("images {} are not supported: {}", what, decoder::spell(image)));
  return false;
}

std::optional<Accessed> accessed(Builder& b, const Instruction& i, Type::Kind kind) {
  const Type* type = b.ids.operand_type(i, 0);
  const Values handles = b.ids.operand(i, 0);
  if (b.failed() ||
      !b.expect(type->kind == kind, kind == Type::Kind::kImage ? "the operand is no image"
                                                               : "the operand is no sampled image"))
    return std::nullopt;
  const Type* image = kind == Type::Kind::kImage ? type : type->element;
  if (!expect_supported(b, *image)) return std::nullopt;
  return Accessed{image, handles};
}

bool add_coordinates(Builder& b, const Instruction& i, const Type& image, Access& access) {
  const Values given = b.ids.operand(i, 1);
  if (b.failed()) return false;
  ImageOperation& operation = access.operation;
  const bool is_cube = image.image.dim == spv::Dim::Cube;
  operation.dimensions = image_dimensions(image.image.dim);
  operation.is_cube = is_cube && operation.handles_two;
  operation.arrayed = image.image.arrayed || (is_cube && !operation.handles_two);
  const bool has_layer = operation.arrayed && i.op != spv::Op::OpImageQueryLod;
  const std::uint32_t count = operation.axes() + (has_layer ? 1 : 0);
  if (!b.expect(given.size() >= count, "there are too few coordinates")) return false;
  const Kind kind = b.ops.kind_of(given[0]);
  operation.float_coordinates = kind == Kind::kF32;
  if (kind != Kind::kF32 && kind != Kind::kI32) {
    b.refuse(Rule::kU0003, fmt::format("{} with coordinates that are no 32-bit floats or integers",
                                       decoder::opcode_name(i.op)));
    return false;
  }
  access.operands.insert(access.operands.end(), given.begin(), given.begin() + count);
  if (operation.arrayed && !has_layer) access.operands.push_back(b.ops.constant(kind, 0));
  return true;
}

bool add_image_operands(Builder& b, const Instruction& i, std::size_t at, std::uint32_t known,
                        Access& access) {
  const std::uint32_t mask = at < i.operands.size() ? i.operands[at++] : 0;
  if ((mask & ~known) != 0) {
    b.refuse(Rule::kU0001, fmt::format("{} with image operands {} is not supported",
                                       decoder::opcode_name(i.op), names_of(mask & ~known)));
    return false;
  }
  if (!b.expect(!excludes_itself(mask), "image operands exclude each other")) return false;
  const bool gradients = has(mask, spv::ImageOperandsMask::Grad);
  ImageOperation& operation = access.operation;
  const auto add = [&](std::size_t count) {
    const Values values = b.ids.operand(i, at++);
    if (!b.failed() && b.expect(values.size() >= count, "an image operand has too few components"))
      access.operands.insert(access.operands.end(), values.begin(),
                             values.begin() + static_cast<std::ptrdiff_t>(count));
    return !b.failed();
  };
  if (has(mask, spv::ImageOperandsMask::Bias)) bias(b, b.ids.scalar_operand(i, at++), access);
  if (has(mask, spv::ImageOperandsMask::Lod) && !add_level(b, i, at++, access)) return false;
  if (gradients || !access.gradients.empty()) operation.detail = Detail::kGradients;
  if (gradients && !(add(operation.axes()) && add(operation.axes()))) return false;
  access.operands.insert(access.operands.end(), access.gradients.begin(), access.gradients.end());
  operation.has_offset =
      has(mask, spv::ImageOperandsMask::ConstOffset) || has(mask, spv::ImageOperandsMask::Offset);
  if (operation.has_offset &&
      !(b.expect(!operation.is_cube, "a cube's texel has no offset") && add(operation.dimensions)))
    return false;
  if (has(mask, spv::ImageOperandsMask::SignExtend)) operation.sign = ImageOperation::Sign::kSigned;
  if (has(mask, spv::ImageOperandsMask::ZeroExtend))
    operation.sign = ImageOperation::Sign::kUnsigned;
  operation.has_sample = has(mask, spv::ImageOperandsMask::Sample);
  if (b.failed() || (operation.has_sample && !add(1))) return false;
  return !has(mask, spv::ImageOperandsMask::MinLod) ||
         limit_level(b, b.ids.scalar_operand(i, at++), access);
}

bool set_components(Builder& b, std::size_t count, Kind kind, Access& access) {
  if (!b.expect(count >= 1 && count <= 4, "a texel has one to four components")) return false;
  const bool is_wide = kind == Kind::kI64;  // kernels have none
  if ((vm::bit(kind) & kKindsTexel) == 0 || (is_wide && !b.request.has_resources())) {
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

bool is_of_opencl(const Type& image) { return image.image.sampled == 0; }

void announce(Builder& b, Op op, const ImageOperation& operation, const ValueList& operands) {
  const LowerOptions& options = b.request.options;
  if (options.observed || !(operation.may_race || options.announces_all_images)) return;
  lir::Value value;
  value.op = op;
  value.from = Kind::kI64;
  value.imm = operation.encode();
  value.args = operands;
  b.writer.place(std::move(value));
}

ValueList read_components(Builder& b, Op op, std::size_t count, Kind kind, Access& access) {
  if (b.failed() || !set_components(b, count, kind, access) || !fits(b, access)) return {};
  const auto place = [&] {
    if (op != Op::kImageLevel)
      announce(b, op == Op::kImageSample ? Op::kImageSampleAnnounce : Op::kImageAnnounce,
               access.operation, access.operands);
    lir::Value value;
    value.op = op;
    value.kind = value.from = kind;
    value.imm = access.operation.encode();
    value.args = std::move(access.operands);
    return b.writer.place_all(std::move(value), count);
  };
  const ValueId exists = has_sampled_image(b, access);
  if (exists == kNoValue) return place();
  return where_else(b, exists, ValueList(count, b.ops.constant(kind, 0)), place);
}

void place_read(Builder& b, const Instruction& i, Op op, Access& access) {
  const std::vector<Kind>& kinds = b.types.result_layout(i).kinds;
  if (b.failed() || !b.expect(!kinds.empty(), "the result has no type")) return;
  ValueList results = read_components(b, op, kinds.size(), kinds[0], access);
  if (!b.failed()) b.ids.define(i, std::move(results));
}

void check_use(Builder& b, const Type& image, Access& access) {
  if (!b.request.options.check_ub || !is_of_opencl(image)) return;
  access.operation.checks_use = true;
  b.writer.function().keeps_notes = true;
}

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

}  // namespace transpire::vm::builder::image
