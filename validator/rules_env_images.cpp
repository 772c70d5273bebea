// ENV-2.1-07 to 15, ENV-2.4-06, ENV-7.2.1, 7.2.2, 7.2.7, 7.2.9 and 7.2.10: image types, and
// operands of image instructions. Values that are not constant are checked at run time.
#include <fmt/format.h>

#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_env_images {
namespace {

using decoder::OperandKind;

constexpr std::string_view kCommon = "OpenCL SPIR-V Environment 2.2, 2.1";

constexpr ValidationRule kSampledType{
    .id = "ENV-2.1-07",
    .clause = kCommon,
    .statement = "the Sampled Type of an image is void",
    .hint =
        "Write void: each read and write states the type of its texels, and the image does not."};
constexpr ValidationRule kSampled{
    .id = "ENV-2.1-08",
    .clause = kCommon,
    .statement = "the operand Sampled of an image is 0",
    .hint = "Write 0: only at run time is it known whether an image is sampled."};
constexpr ValidationRule kMultisampled{
    .id = "ENV-2.1-09",
    .clause = kCommon,
    .statement = "images have one sample: MS is 0 without cl_khr_gl_msaa_sharing",
    .hint =
        "Name cl_khr_gl_msaa_sharing in the device's description, or use an image of one sample."};
constexpr ValidationRule kArrayed{.id = "ENV-2.1-10",
                                  .clause = kCommon,
                                  .statement = "only 1D and 2D images are arrayed",
                                  .hint = "Use an array of 2D images, or a 3D image."};
constexpr ValidationRule kFormat{
    .id = "ENV-2.1-11",
    .clause = kCommon,
    .statement = "the Image Format is Unknown",
    .hint = "The host chooses the format when it makes the image: write Unknown."};
constexpr ValidationRule kQualifier{
    .id = "ENV-2.1-12",
    .clause = kCommon,
    .statement = "image types have an Access Qualifier",
    .hint = "Add ReadOnly, WriteOnly or ReadWrite at the end of OpTypeImage."};
constexpr ValidationRule kWriteOperands{
    .id = "ENV-2.1-13",
    .clause = kCommon,
    .statement =
        "OpImageWrite has no Image Operands; with cl_khr_mipmap_image_writes it may have Lod",
    .hint = "Leave the operands out.",
    .in_field = InField::kWarning};
constexpr ValidationRule kReadOffset{.id = "ENV-2.1-14",
                                     .clause = kCommon,
                                     .statement = "OpImageRead has no ConstOffset",
                                     .hint = "Add the offset to the coordinate."};
constexpr ValidationRule kSampleOffset{
    .id = "ENV-2.1-15",
    .clause = kCommon,
    .statement = "OpImageSampleExplicitLod has no ConstOffset",
    .hint = "Add the offset, scaled for normalized coordinates, to the coordinate."};
constexpr ValidationRule kShape{
    .id = "ENV-2.4-06",
    .clause = "OpenCL SPIR-V Environment 2.2, 2.4.2, table 1",
    .statement = "images are 1D, 1D array, 2D, 2D array, 2D depth, 2D depth array, 3D or Buffer",
    .hint =
        "Use one of these eight: OpenCL has no images for other combinations of Dim, Depth and "
        "Arrayed."};
constexpr ValidationRule kWrite3D{
    .id = "ENV-7.2.1-01",
    .clause = "OpenCL SPIR-V Environment 2.2, 7.2.1",
    .statement = "writes to 3D images need cl_khr_3d_image_writes",
    .hint = "Name the extension in the device's description, or write to a buffer.",
    .in_field = InField::kWarning};
constexpr ValidationRule kDepthImage{
    .id = "ENV-7.2.2-01",
    .clause = "OpenCL SPIR-V Environment 2.2, 7.2.2",
    .statement = "depth images need cl_khr_depth_images",
    .hint =
        "Name the extension in the device's description. Table 1 of 2.4.2 lists depth images "
        "without a condition; strictly, only the extension lets a device accept them.",
    .in_field = InField::kWarning};
constexpr ValidationRule kMultisampledUse{
    .id = "ENV-7.2.7-01",
    .clause = "OpenCL SPIR-V Environment 2.2, 7.2.7",
    .statement =
        "multisampled images are only read, and queried for size, format, order and samples",
    .hint = "Read the samples with OpImageRead, and write to an image of one sample."};
constexpr ValidationRule kMultisampledDim{.id = "ENV-7.2.7-02",
                                          .clause = "OpenCL SPIR-V Environment 2.2, 7.2.7",
                                          .statement = "multisampled images are 2D",
                                          .hint = "Use Dim 2D, arrayed if need be."};
constexpr ValidationRule kSampleLod{
    .id = "ENV-7.2.9-01",
    .clause = "OpenCL SPIR-V Environment 2.2, 7.2.9",
    .statement = "a Lod other than zero for OpImageSampleExplicitLod needs cl_khr_mipmap_image",
    .hint = "Write a Lod of 0.0, or name the extension in the device's description.",
    .in_field = InField::kWarning};
constexpr ValidationRule kReadLod{
    .id = "ENV-7.2.9-02",
    .clause = "OpenCL SPIR-V Environment 2.2, 7.2.9",
    .statement = "a Lod other than zero for OpImageRead needs cl_khr_mipmap_image",
    .hint = "Leave the Lod out, or name the extension in the device's description.",
    .in_field = InField::kWarning};
constexpr ValidationRule kSizeLod{
    .id = "ENV-7.2.9-03",
    .clause = "OpenCL SPIR-V Environment 2.2, 7.2.9",
    .statement = "a Lod other than zero for OpImageQuerySizeLod needs cl_khr_mipmap_image",
    .hint = "Ask for level 0, or name the extension in the device's description.",
    .in_field = InField::kWarning};
constexpr ValidationRule kWriteLod{
    .id = "ENV-7.2.10-01",
    .clause = "OpenCL SPIR-V Environment 2.2, 7.2.10",
    .statement = "a Lod other than zero for OpImageWrite needs cl_khr_mipmap_image_writes",
    .hint = "Leave the Lod out, or name the extension in the device's description.",
    .in_field = InField::kWarning};

constexpr std::uint32_t kLod = static_cast<std::uint32_t>(spv::ImageOperandsMask::Lod);
constexpr std::uint32_t kConstOffset =
    static_cast<std::uint32_t>(spv::ImageOperandsMask::ConstOffset);

// Operands of OpTypeImage.
enum : int {
  kTypeOperand,
  kDimOperand,
  kDepthOperand,
  kArrayedOperand,
  kMsOperand,
  kSampledOperand,
  kFormatOperand,
  kAccessOperand
};

bool is_2d(spv::Dim dim) { return dim == spv::Dim::Dim2D; }

bool in_table(spv::Dim dim, std::uint32_t depth, std::uint32_t arrayed) {
  if (depth > 1 || arrayed > 1 || (depth == 1 && !is_2d(dim))) return false;
  switch (dim) {
    case spv::Dim::Dim1D:
    case spv::Dim::Dim2D:
      return true;
    case spv::Dim::Dim3D:
    case spv::Dim::Buffer:
      return arrayed == 0;
    default:
      return false;
  }
}

void check_type(Context& context, std::uint32_t i) {
  const ModuleView& view = context.view;
  const auto dim = static_cast<spv::Dim>(view.word(i, kDimOperand));
  const std::uint32_t depth = view.word(i, kDepthOperand);
  const std::uint32_t arrayed = view.word(i, kArrayedOperand);
  const std::uint32_t ms = view.word(i, kMsOperand);
  const auto report = [&](const ValidationRule& rule, int operand, std::string message) {
    context.report(rule, Place::at(i, operand), std::move(message));
  };
  if (view.op_of(view.word(i, kTypeOperand)) != spv::Op::OpTypeVoid)
    report(kSampledType, kTypeOperand,
           fmt::format("expected Sampled Type void, found {}",
                       context.type(view.word(i, kTypeOperand))));
  if (ms != 0 && !context.device.has("cl_khr_gl_msaa_sharing"))
    report(kMultisampled, kMsOperand, fmt::format("expected MS 0, found {}", ms));
  if (ms != 0 && !is_2d(dim))
    report(kMultisampledDim, kDimOperand,
           fmt::format("expected Dim 2D of a multisampled image, found {}",
                       decoder::enumerant_name(OperandKind::kDim, view.word(i, kDimOperand))));
  if (arrayed != 0 && dim != spv::Dim::Dim1D && !is_2d(dim))
    report(kArrayed, kArrayedOperand,
           fmt::format("expected Dim 1D or 2D of an arrayed image, found {}",
                       decoder::enumerant_name(OperandKind::kDim, view.word(i, kDimOperand))));
  if (view.word(i, kSampledOperand) != 0)
    report(kSampled, kSampledOperand,
           fmt::format("expected Sampled 0, found {}", view.word(i, kSampledOperand)));
  if (view.word(i, kFormatOperand) != static_cast<std::uint32_t>(spv::ImageFormat::Unknown))
    report(kFormat, kFormatOperand,
           fmt::format(
               "expected the format Unknown, found {}",
               decoder::enumerant_name(OperandKind::kImageFormat, view.word(i, kFormatOperand))));
  if (!in_table(dim, depth, arrayed))
    report(kShape, kDimOperand,
           fmt::format("OpenCL has no image with Dim {}, Depth {} and Arrayed {}",
                       decoder::enumerant_name(OperandKind::kDim, view.word(i, kDimOperand)), depth,
                       arrayed));
  if (!view.has_operand(i, kAccessOperand))
    report(kQualifier, Place::kWhole, "expected an Access Qualifier, found none");
  if (depth == 1 && is_2d(dim) && !context.device.has("cl_khr_depth_images"))
    report(kDepthImage, kDepthOperand, "a depth image needs cl_khr_depth_images");
}

/// True if the id is a constant other than zero, of a floating-point or integer type.
bool is_nonzero_constant(const ModuleView& view, Id id) {
  if (const auto value = view.constant_value(id)) return *value != 0;
  const std::uint32_t definition = view.definition(id);
  if (view.at(definition).op != spv::Op::OpConstant || !view.is_float(view.type_of(id)))
    return false;
  const std::uint32_t width = view.definition_word(view.type_of(id), 0);
  const std::uint64_t sign = std::uint64_t{1} << ((width == 64 ? 64 : width == 16 ? 16 : 32) - 1);
  return (view.number(definition, 0) & ~sign) != 0;
}

/// The Image Operands of an instruction: position of the mask (-1: none), and of the Lod behind it.
struct ImageOperands {
  int at = -1;
  std::uint32_t mask = 0;
  Id lod = 0;
  int lod_at = -1;
};

ImageOperands image_operands(const ModuleView& view, std::uint32_t i) {
  ImageOperands found;
  found.at = view.find_operand(i, OperandKind::kImageOperands);
  if (found.at < 0) return found;
  found.mask = view.word(i, static_cast<std::size_t>(found.at));
  // Parameters follow in the order of the bits; only Bias is below Lod.
  if ((found.mask & kLod) != 0) {
    found.lod_at = found.at + 1 + ((found.mask & 1) != 0 ? 1 : 0);
    found.lod = view.word(i, static_cast<std::size_t>(found.lod_at));
  }
  return found;
}

void check_write(Context& context, std::uint32_t i) {
  const ModuleView& view = context.view;
  const Id image = view.type_of(view.word(i, 0));
  const bool is_3d =
      view.op_of(image) == spv::Op::OpTypeImage &&
      static_cast<spv::Dim>(view.definition_word(image, kDimOperand)) == spv::Dim::Dim3D;
  const bool feature =
      context.environment.version == 30 && context.device.has_feature("__opencl_c_3d_image_writes");
  if (is_3d && !feature && !context.device.has("cl_khr_3d_image_writes"))
    context.report(kWrite3D, Place::at(i, 0),
                   fmt::format("a write to the 3D image {} needs cl_khr_3d_image_writes",
                               context.name(view.word(i, 0))));
  const ImageOperands operands = image_operands(view, i);
  if (operands.at < 0) return;
  const bool only_lod = operands.mask == kLod;
  if (only_lod && context.device.has("cl_khr_mipmap_image_writes")) return;
  if (only_lod && is_nonzero_constant(view, operands.lod))
    return context.report(kWriteLod, Place::at(i, operands.lod_at),
                          "expected a Lod of zero without cl_khr_mipmap_image_writes");
  context.report(kWriteOperands, Place::at(i, operands.at),
                 "expected no Image Operands of OpImageWrite");
}

void check_read(Context& context, std::uint32_t i, const ValidationRule& offset,
                const ValidationRule& lod) {
  const ImageOperands operands = image_operands(context.view, i);
  if (operands.at < 0) return;
  if ((operands.mask & kConstOffset) != 0)
    context.report(offset, Place::at(i, operands.at),
                   fmt::format("expected no ConstOffset of {}", context.view.at(i).info->name));
  if (operands.lod != 0 && is_nonzero_constant(context.view, operands.lod) &&
      !context.device.has("cl_khr_mipmap_image"))
    context.report(lod, Place::at(i, operands.lod_at),
                   "expected a Lod of zero without cl_khr_mipmap_image");
}

bool may_use_samples(spv::Op op) {
  switch (op) {
    case spv::Op::OpImageRead:
    case spv::Op::OpImageQuerySizeLod:
    case spv::Op::OpImageQuerySize:
    case spv::Op::OpImageQueryFormat:
    case spv::Op::OpImageQueryOrder:
    case spv::Op::OpImageQuerySamples:
      return true;
    default:
      return false;
  }
}

void check_samples(Context& context) {
  const ModuleView& view = context.view;
  if (!context.device.has("cl_khr_gl_msaa_sharing")) return;
  for (std::uint32_t i = 0; i < view.instructions().size(); ++i) {
    const Instruction& in = view.at(i);
    if (!in.info || in.info->class_name != "Image" || may_use_samples(in.op)) continue;
    const Id type = view.type_of(view.word(i, 0));
    if (view.op_of(type) == spv::Op::OpTypeImage && view.definition_word(type, kMsOperand) != 0)
      context.report(kMultisampledUse, Place::at(i, 0),
                     fmt::format("{} cannot use the multisampled image {}", in.info->name,
                                 context.name(view.word(i, 0))),
                     {{"its type", view.definition(type)}});
  }
}

void check(Context& context) {
  const ModuleView& view = context.view;
  for (const std::uint32_t i : view.all(spv::Op::OpTypeImage)) check_type(context, i);
  for (const std::uint32_t i : view.all(spv::Op::OpImageWrite)) check_write(context, i);
  for (const std::uint32_t i : view.all(spv::Op::OpImageRead))
    check_read(context, i, kReadOffset, kReadLod);
  for (const std::uint32_t i : view.all(spv::Op::OpImageSampleExplicitLod))
    check_read(context, i, kSampleOffset, kSampleLod);
  for (const std::uint32_t i : view.all(spv::Op::OpImageQuerySizeLod))
    if (is_nonzero_constant(view, view.word(i, 1)) && !context.device.has("cl_khr_mipmap_image"))
      context.report(kSizeLod, Place::at(i, 1), "expected level 0 without cl_khr_mipmap_image");
  check_samples(context);
}

constexpr const ValidationRule* kRules[] = {
    &kSampledType,     &kSampled,         &kMultisampled, &kArrayed, &kFormat,  &kQualifier,
    &kWriteOperands,   &kReadOffset,      &kSampleOffset, &kShape,   &kWrite3D, &kDepthImage,
    &kMultisampledUse, &kMultisampledDim, &kSampleLod,    &kReadLod, &kSizeLod, &kWriteLod};

}  // namespace
}  // namespace rules_env_images

const Family kEnvImagesFamily{"images", rules_env_images::kRules, rules_env_images::check};

}  // namespace transpire::validator
