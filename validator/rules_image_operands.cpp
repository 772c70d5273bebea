// SPIR-V 1.0, 3.14: the operands behind the mask of Image Operands.
#include <fmt/format.h>

#include "decoder/view/opcode_sets.h"
#include "decoder/view/type_queries.h"
#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_image_operands {
namespace {

using decoder::OperandKind;
using spv::Dim;
using spv::ImageOperandsMask;
using spv::Op;

constexpr ValidationRule kOperands{
    "V0023", "SPIR-V 1.0, 3.14 \"Image Operands\"",
    "image operands have the types, and are at the instructions and images, that each is defined "
    "for",
    "For samples, Lod is a float; for reads and writes, it is an integer. Grad has two floats for "
    "each dimension. Sample is an integer, and each access to a multisampled image has one."};

constexpr bool has(std::uint32_t mask, ImageOperandsMask bit) {
  return (mask & static_cast<std::uint32_t>(bit)) != 0;
}

bool samples_implicitly(Op op) {
  switch (op) {
    case Op::OpImageSampleImplicitLod:
    case Op::OpImageSampleDrefImplicitLod:
    case Op::OpImageSampleProjImplicitLod:
    case Op::OpImageSampleProjDrefImplicitLod:
    case Op::OpImageSparseSampleImplicitLod:
    case Op::OpImageSparseSampleDrefImplicitLod:
    case Op::OpImageSparseSampleProjImplicitLod:
    case Op::OpImageSparseSampleProjDrefImplicitLod:
      return true;
    default:
      return false;
  }
}

bool samples_explicitly(Op op) {
  switch (op) {
    case Op::OpImageSampleExplicitLod:
    case Op::OpImageSampleDrefExplicitLod:
    case Op::OpImageSampleProjExplicitLod:
    case Op::OpImageSampleProjDrefExplicitLod:
    case Op::OpImageSparseSampleExplicitLod:
    case Op::OpImageSparseSampleDrefExplicitLod:
    case Op::OpImageSparseSampleProjExplicitLod:
    case Op::OpImageSparseSampleProjDrefExplicitLod:
      return true;
    default:
      return false;
  }
}

/// True if the instruction accesses one texel, by integer coordinates.
bool accesses_texel(Op op) {
  return op == Op::OpImageFetch || op == Op::OpImageSparseFetch || op == Op::OpImageRead ||
         op == Op::OpImageSparseRead || op == Op::OpImageWrite;
}

bool gathers(Op op) {
  return op == Op::OpImageGather || op == Op::OpImageDrefGather || op == Op::OpImageSparseGather ||
         op == Op::OpImageSparseDrefGather;
}

/// Checks one instruction: each operand in turn, in the order of the mask's bits.
class ImageOperands {
 public:
  ImageOperands(Context& context, std::uint32_t i)
      : context_(context), view_(context.view), i_(i), op_(view_.at(i).op) {
    const Id type = view_.type_of(view_.word(i, 0));
    image_ = view_.op_of(type) == Op::OpTypeSampledImage ? view_.definition_word(type, 0) : type;
    mask_at_ = view_.find_operand(i, OperandKind::kImageOperands);
    if (mask_at_ >= 0) mask_ = view_.word(i, static_cast<std::size_t>(mask_at_));
    at_ = mask_at_ + 1;
  }

  void check() {
    if (view_.op_of(image_) != Op::OpTypeImage) return;  // another rule reports it
    check_presence();
    if (mask_at_ < 0) return;
    check_detail();
    check_offsets();
    check_last();
  }

 private:
  void check_presence();
  void check_detail();
  void check_offsets();
  void check_last();

  void report(int operand, std::string message) {
    context_.report(kOperands, Place::at(i_, operand), std::move(message));
  }
  /// Reports the operand unless it `fits` the instruction.
  void want_place(bool fits, std::string_view name) {
    if (!fits) report(mask_at_, fmt::format("expected no {} of {}", name, view_.at(i_).info->name));
  }
  /// The next operand is a number or, with `most` above 1, may be a vector of `least` to `most`.
  void want_number(std::string_view name, bool is_float, std::uint32_t least, std::uint32_t most);
  void want_image(std::string_view name, bool needs_levels);
  void want_offset(std::string_view name, bool is_constant);

  Dim dim() const { return static_cast<Dim>(view_.definition_word(image_, 1)); }
  bool is_multisampled() const { return view_.definition_word(image_, 4) == 1; }
  /// Number of coordinates without the array's layer.
  std::uint32_t dimensions() const {
    const bool one = dim() == Dim::Dim1D || dim() == Dim::Buffer;
    return one ? 1 : dim() == Dim::Dim3D || dim() == Dim::Cube ? 3 : 2;
  }
  std::uint32_t coordinate_components() const {
    return component_count(view_, view_.type_of(view_.word(i_, 1)));
  }

  Context& context_;
  const ModuleView& view_;
  std::uint32_t i_;
  Op op_;
  Id image_ = 0;
  int mask_at_ = -1;
  std::uint32_t mask_ = 0;
  int at_ = 0;  ///< position of the next operand
};

void ImageOperands::want_number(std::string_view name, bool is_float, std::uint32_t least,
                                std::uint32_t most) {
  const int operand = at_++;
  const Id type = view_.type_of(view_.word(i_, static_cast<std::size_t>(operand)));
  const Id component = view_.component_type(type);
  const std::uint32_t count = component_count(view_, type);
  const bool is_scalar = !is_vector(view_, type);
  if ((is_float ? view_.is_float(component) : view_.is_int(component)) && (most > 1 || is_scalar) &&
      count >= least && count <= most)
    return;
  report(operand,
         fmt::format("expected {} {} as {}, found {}", least == 1 ? "one" : std::to_string(least),
                     is_float     ? least == 1 ? "float" : "floats"
                     : least == 1 ? "integer"
                                  : "integers",
                     name, context_.type(type)));
}

void ImageOperands::want_image(std::string_view name, bool needs_levels) {
  const bool has_levels =
      dim() == Dim::Dim1D || dim() == Dim::Dim2D || dim() == Dim::Dim3D || dim() == Dim::Cube;
  if (is_multisampled() || (needs_levels && !has_levels))
    report(mask_at_, fmt::format("expected no {} of {}", name, context_.type(image_)));
}

void ImageOperands::want_offset(std::string_view name, bool is_constant) {
  const Id id = view_.word(i_, static_cast<std::size_t>(at_));
  if (is_constant && !validator::is_constant(view_.op_of(id)))
    report(at_, fmt::format("expected a constant as {}, found {}", name, context_.name(id)));
  if (dim() == Dim::Cube)
    report(mask_at_, fmt::format("expected no {} of {}", name, context_.type(image_)));
  want_number(name, false, dimensions(), coordinate_components());
}

void ImageOperands::check_presence() {
  if (accesses_texel(op_) && is_multisampled() && !has(mask_, ImageOperandsMask::Sample))
    report(mask_at_ < 0 ? Place::kWhole : mask_at_,
           "expected the image operand Sample for a multisampled image");
  if (has(mask_, ImageOperandsMask::Lod) && has(mask_, ImageOperandsMask::Grad))
    report(mask_at_, "expected Lod or Grad, found both");
  if (has(mask_, ImageOperandsMask::SignExtend) && has(mask_, ImageOperandsMask::ZeroExtend))
    report(mask_at_, "expected SignExtend or ZeroExtend, found both");
}

void ImageOperands::check_detail() {
  if (has(mask_, ImageOperandsMask::Bias)) {
    want_place(samples_implicitly(op_), "Bias");
    want_image("Bias", true);
    want_number("Bias", true, 1, 1);
  }
  if (has(mask_, ImageOperandsMask::Lod)) {
    want_place(samples_explicitly(op_) || accesses_texel(op_), "Lod");
    want_image("Lod", true);
    want_number("Lod", !accesses_texel(op_), 1, 1);
  }
  if (has(mask_, ImageOperandsMask::Grad)) {
    want_place(samples_explicitly(op_), "Grad");
    want_image("Grad", false);
    // Gradients, like coordinates, may have more components than needed: OpenCL C uses float4 in
    // three dimensions.
    want_number("dx of Grad", true, dimensions(), coordinate_components());
    want_number("dy of Grad", true, dimensions(), coordinate_components());
  }
}

void ImageOperands::check_offsets() {
  if (has(mask_, ImageOperandsMask::ConstOffset)) want_offset("ConstOffset", true);
  if (has(mask_, ImageOperandsMask::Offset)) want_offset("Offset", false);
  if (has(mask_, ImageOperandsMask::ConstOffsets)) {
    want_place(gathers(op_), "ConstOffsets");
    const Id id = view_.word(i_, static_cast<std::size_t>(at_));
    const Id type = view_.type_of(id);
    const Id pair = part_type(view_, type, 0);
    if (!validator::is_constant(view_.op_of(id)) || !is_array(view_, type) ||
        part_count(view_, type) != 4u || component_count(view_, pair) != 2 ||
        !view_.is_int(view_.component_type(pair)))
      report(at_, fmt::format("expected a constant array of four pairs of integers as "
                              "ConstOffsets, found {}",
                              context_.type(type)));
    ++at_;
  }
}

void ImageOperands::check_last() {
  if (has(mask_, ImageOperandsMask::Sample)) {
    want_place(accesses_texel(op_), "Sample");
    if (!is_multisampled())
      report(mask_at_, fmt::format("expected no Sample of {}", context_.type(image_)));
    want_number("Sample", false, 1, 1);
  }
  if (has(mask_, ImageOperandsMask::MinLod)) {
    want_place(samples_implicitly(op_) || has(mask_, ImageOperandsMask::Grad), "MinLod");
    want_image("MinLod", true);
    want_number("MinLod", true, 1, 1);
  }
}

void check(Context& context) {
  const ModuleView& view = context.view;
  for (std::uint32_t i = 0; i < view.instructions().size(); ++i) {
    const Op op = view.at(i).op;
    if (samples_implicitly(op) || samples_explicitly(op) || accesses_texel(op) || gathers(op))
      ImageOperands(context, i).check();
  }
}

constexpr const ValidationRule* kRules[] = {&kOperands};

}  // namespace
}  // namespace rules_image_operands

const Family kImageOperandFamily{"image-operands", rules_image_operands::kRules,
                                 rules_image_operands::check};

}  // namespace transpire::validator
