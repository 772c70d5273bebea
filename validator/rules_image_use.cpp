// SPIR-V 1.0, 2.16.1 and 3.32.10: how images and sampled images are used.
#include <fmt/format.h>

#include "decoder/view/type_queries.h"
#include "validator/context.h"
#include "validator/family_list.h"
#include "validator/operand_rule.h"

namespace transpire::validator {
namespace rules_image_use {
namespace {

using decoder::OperandKind;
using spv::AccessQualifier;
using spv::Dim;
using spv::Op;

constexpr ValidationRule kSampledImage{
    "UNI-16", "SPIR-V 1.0, 2.16.1",
    "the result of OpSampledImage is used in its own block, by image instructions only",
    "Repeat OpSampledImage in front of each use: it costs nothing."};
constexpr ValidationRule kAccess{
    "UNI-46", "OpenCL C 2.0, 6.13.14; SPIR-V 1.0, 3.32.10",
    "reads need an image with the access qualifier ReadOnly or ReadWrite, and writes one with "
    "WriteOnly or ReadWrite",
    "Change the access qualifier of the image's type, or use another image."};
constexpr ValidationRule kCoordinate{
    "UNI-47", "SPIR-V 1.0, 3.32.10",
    "a coordinate has as many components as the image's dimension needs, with one more for arrays",
    "1D and Buffer need 1 component, 2D needs 2, 3D needs 3; the array's layer comes last."};
constexpr ValidationRule kLevel{
    "UNI-48", "SPIR-V 1.0, 3.32.10 OpImageSampleExplicitLod",
    "sampling with an explicit level of detail has the image operand Lod or Grad",
    "Add `Lod %zero`, with a float constant 0."};

constexpr ValidationRule kReadTexel{
    "V0028",
    "OpenCL SPIR-V Environment 3.0, \"Data Format for Reading and Writing Images\"; OpenCL "
    "C 2.0, 6.13.14",
    "OpImageRead gives a vector of four components, of a depth image one float",
    "Read four components and take the ones you need with OpCompositeExtract.", InField::kWarning};

bool is_image_instruction(Op op) {
  const auto* info = decoder::find_opcode(static_cast<std::uint32_t>(op));
  return info && info->class_name == "Image" && op != Op::OpSampledImage;
}

class Images {
 public:
  explicit Images(Context& context) : context_(context), view_(context.view) {}

  void check() {
    for (std::uint32_t i = 0; i < view_.instructions().size(); ++i) check_instruction(i);
  }

 private:
  void check_instruction(std::uint32_t i);
  void check_sampled_image(std::uint32_t i);
  void check_uses(std::uint32_t i);
  void check_sample(std::uint32_t i);
  void check_read(std::uint32_t i);
  void check_texel_read(std::uint32_t i, Id image);
  void check_fetch(std::uint32_t i);
  void check_block(std::uint32_t i, int place, Id type, AccessQualifier forbidden,
                   std::string_view what);
  void check_write(std::uint32_t i);
  void check_coordinate(std::uint32_t i, std::size_t n, Id image, bool integer);
  void check_size(std::uint32_t i);
  void check_sized_image(std::uint32_t i, Id image);
  void check_query(std::uint32_t i);
  void check_access(std::uint32_t i, Id image, AccessQualifier forbidden, std::string_view what);
  void want_texel(std::uint32_t i, int operand, Id type, bool four);

  /// Operand `n`'s image type; 0, with a report, when it is none.
  Id image_type(std::uint32_t i, std::size_t n, Op wanted) {
    const Id id = view_.word(i, n);
    const Id type = is_value(view_, id) ? view_.type_of(id) : 0;
    if (view_.op_of(type) == wanted) return type;
    context_.report(kOperandTypes, Place::at(i, static_cast<int>(n)),
                    fmt::format("expected {}, found {}",
                                wanted == Op::OpTypeImage ? "an image" : "a sampled image",
                                context_.type(type)));
    return 0;
  }
  std::uint32_t dimensions(Id image) const {
    std::uint32_t count = 0;
    switch (static_cast<Dim>(view_.definition_word(image, 1))) {
      case Dim::Dim1D:
      case Dim::Buffer:
        count = 1;
        break;
      case Dim::Dim2D:
      case Dim::Rect:
        count = 2;
        break;
      case Dim::Dim3D:
      case Dim::Cube:
        count = 3;
        break;
      default:
        return 0;
    }
    return count + (view_.definition_word(image, 3) == 1 ? 1 : 0);
  }

  Context& context_;
  const ModuleView& view_;
};

void Images::check_instruction(std::uint32_t i) {
  switch (view_.at(i).op) {
    case Op::OpSampledImage:
      check_sampled_image(i);
      check_uses(i);
      break;
    case Op::OpImageSampleExplicitLod:
      check_sample(i);
      break;
    case Op::OpImageRead:
      check_read(i);
      break;
    case Op::OpImageWrite:
      check_write(i);
      break;
    case Op::OpImageFetch:
      check_fetch(i);
      break;
    case Op::OpSubgroupImageBlockReadINTEL:
      check_block(i, Place::kType, view_.at(i).type_id, AccessQualifier::WriteOnly, "read");
      break;
    case Op::OpSubgroupImageBlockWriteINTEL:
      check_block(i, 2, view_.type_of(view_.word(i, 2)), AccessQualifier::ReadOnly, "written");
      break;
    case Op::OpImage:
      if (const Id type = image_type(i, 0, Op::OpTypeSampledImage);
          type != 0 && view_.definition_word(type, 0) != view_.at(i).type_id)
        context_.report(kOperandTypes, Place::at(i, Place::kType),
                        "expected the image type of the sampled image");
      break;
    case Op::OpImageQuerySizeLod:
    case Op::OpImageQuerySize:
      check_size(i);
      break;
    case Op::OpImageQueryFormat:
    case Op::OpImageQueryOrder:
    case Op::OpImageQueryLevels:
    case Op::OpImageQuerySamples:
      check_query(i);
      break;
    default:
      break;
  }
}

void Images::check_sampled_image(std::uint32_t i) {
  const Id result = view_.at(i).type_id;
  const Id image = image_type(i, 0, Op::OpTypeImage);
  if (image == 0) return;
  if (view_.op_of(result) != Op::OpTypeSampledImage || view_.definition_word(result, 0) != image)
    context_.report(kOperandTypes, Place::at(i, Place::kType),
                    fmt::format("expected a sampled image of {}, found {}", context_.type(image),
                                context_.type(result)));
  const Id sampler = view_.word(i, 1);
  if (view_.op_of(view_.type_of(sampler)) != Op::OpTypeSampler)
    context_.report(
        kOperandTypes, Place::at(i, 1),
        fmt::format("expected a sampler, found {}", context_.type(view_.type_of(sampler))));
  check_access(i, image, AccessQualifier::WriteOnly, "read");
}

void Images::check_uses(std::uint32_t i) {
  const Instruction& in = view_.at(i);
  if (view_.definition(in.result_id) != i) return;  // a second definition, which is reported
  for (const std::uint32_t user : view_.uses(in.result_id)) {
    const Instruction& use = view_.at(user);
    if (use.function == kNone) continue;  // names and decorations
    if (!is_image_instruction(use.op))
      context_.report(
          kSampledImage, Place::at(user),
          fmt::format("expected an image instruction as the user of the sampled image {}",
                      context_.name(in.result_id)),
          {{"defined here", i}});
    else if (use.block != in.block)
      context_.report(
          kSampledImage, Place::at(user),
          fmt::format("expected the sampled image {} to be made in the block that uses it",
                      context_.name(in.result_id)),
          {{"defined here", i}});
  }
}

void Images::want_texel(std::uint32_t i, int operand, Id type, bool four) {
  const Id component = view_.component_type(type);
  const bool number = view_.is_int(component) || view_.is_float(component);
  if (number && (!four || component_count(view_, type) == 4)) return;
  context_.report(kOperandTypes, Place::at(i, operand),
                  fmt::format("expected {}, found {}",
                              four ? "a vector of four numbers" : "a number or a vector of numbers",
                              context_.type(type)));
}

void Images::check_sample(std::uint32_t i) {
  const Id type = image_type(i, 0, Op::OpTypeSampledImage);
  if (type == 0) return;
  const Id image = view_.definition_word(type, 0);
  // A depth image gives one number; OpenCL C reads it as a float.
  want_texel(i, Place::kType, view_.at(i).type_id, view_.definition_word(image, 2) != 1);
  check_coordinate(i, 1, image, false);
  const int mask = view_.find_operand(i, OperandKind::kImageOperands);
  const std::uint32_t bits = mask < 0 ? 0 : view_.word(i, static_cast<std::size_t>(mask));
  constexpr std::uint32_t kLod = 0x2, kGrad = 0x4;
  if ((bits & (kLod | kGrad)) == 0)
    context_.report(kLevel, Place::at(i, mask < 0 ? Place::kWhole : mask),
                    "expected the image operand Lod or Grad");
}

void Images::check_read(std::uint32_t i) {
  const Id image = image_type(i, 0, Op::OpTypeImage);
  if (image == 0) return;
  check_access(i, image, AccessQualifier::WriteOnly, "read");
  want_texel(i, Place::kType, view_.at(i).type_id, false);
  check_texel_read(i, image);
  check_coordinate(i, 1, image, true);
}

/// Images of OpenCL environments never have Sampled 1.
void Images::check_fetch(std::uint32_t i) {
  const Id image = image_type(i, 0, Op::OpTypeImage);
  if (image != 0 && view_.definition_word(image, 5) != 1)
    context_.report(
        kOperandTypes, Place::at(i, 0),
        fmt::format("expected an image with Sampled 1, found {}", context_.type(image)),
        {{"the image's type", view_.definition(image)}},
        "Read texels with OpImageRead, or with OpImageSampleExplicitLod and a sampler.");
}

void Images::check_texel_read(std::uint32_t i, Id image) {
  const Id type = view_.at(i).type_id;
  const bool depth = view_.definition_word(image, 2) == 1;
  if (depth ? view_.is_float(type) : component_count(view_, type) == 4) return;
  context_.report(kReadTexel, Place::at(i, Place::kType),
                  fmt::format("expected {} from {}, found {}",
                              depth ? "a floating-point scalar" : "a vector of four numbers",
                              context_.type(image), context_.type(type)));
}

void Images::check_write(std::uint32_t i) {
  const Id image = image_type(i, 0, Op::OpTypeImage);
  if (image == 0) return;
  check_access(i, image, AccessQualifier::ReadOnly, "written");
  check_coordinate(i, 1, image, true);
  want_texel(i, 2, view_.type_of(view_.word(i, 2)), false);
}

/// SPV_INTEL_subgroups: integers of a plain 2D image. `place` is where their type shows.
void Images::check_block(std::uint32_t i, int place, Id type, AccessQualifier forbidden,
                         std::string_view what) {
  const Id image = image_type(i, 0, Op::OpTypeImage);
  if (image == 0) return;
  check_access(i, image, forbidden, what);
  check_coordinate(i, 1, image, true);
  if (!view_.is_int(view_.component_type(type)))
    context_.report(
        kOperandTypes, Place::at(i, place),
        fmt::format("expected an integer or a vector of integers, found {}", context_.type(type)));
  const bool is_plain = static_cast<Dim>(view_.definition_word(image, 1)) == Dim::Dim2D &&
                        view_.definition_word(image, 2) == 0 &&
                        view_.definition_word(image, 3) == 0 &&
                        view_.definition_word(image, 4) == 0;
  if (!is_plain)
    context_.report(kOperandTypes, Place::at(i, 0),
                    fmt::format("expected a 2D image without depth, layers or samples, found {}",
                                context_.type(image)));
}

void Images::check_coordinate(std::uint32_t i, std::size_t n, Id image, bool integer) {
  const Id type = view_.type_of(view_.word(i, n));
  const Id component = view_.component_type(type);
  if (!view_.is_int(component) && (integer || !view_.is_float(component))) {
    context_.report(kOperandTypes, Place::at(i, static_cast<int>(n)),
                    fmt::format("expected a coordinate of {}, found {}",
                                integer ? "integers" : "integers or floats", context_.type(type)));
    return;
  }
  const std::uint32_t wanted = dimensions(image);
  const std::uint32_t count = component_count(view_, type);
  if (count < wanted)
    context_.report(kCoordinate, Place::at(i, static_cast<int>(n)),
                    fmt::format("expected at least {} components for {}, found {}", wanted,
                                context_.type(image), count),
                    {{"the image's type", view_.definition(image)}});
}

void Images::check_size(std::uint32_t i) {
  const Id image = image_type(i, 0, Op::OpTypeImage);
  if (image == 0) return;
  check_sized_image(i, image);
  const Id result = view_.at(i).type_id;
  const bool cube = static_cast<Dim>(view_.definition_word(image, 1)) == Dim::Cube;
  const std::uint32_t wanted = dimensions(image) - (cube ? 1 : 0);
  if (!view_.is_int(view_.component_type(result)) || component_count(view_, result) != wanted)
    context_.report(kOperandTypes, Place::at(i, Place::kType),
                    fmt::format("expected {} integers for {}, found {}", wanted,
                                context_.type(image), context_.type(result)));
  if (view_.at(i).op == Op::OpImageQuerySizeLod && !view_.is_int(view_.type_of(view_.word(i, 1))))
    context_.report(kOperandTypes, Place::at(i, 1),
                    fmt::format("expected an integer scalar, found {}",
                                context_.type(view_.type_of(view_.word(i, 1)))));
}

/// Images whose size can be queried: with levels of detail, or without.
void Images::check_sized_image(std::uint32_t i, Id image) {
  const auto dim = static_cast<Dim>(view_.definition_word(image, 1));
  const bool multisampled = view_.definition_word(image, 4) == 1;
  const bool has_levels =
      dim == Dim::Dim1D || dim == Dim::Dim2D || dim == Dim::Dim3D || dim == Dim::Cube;
  const bool with_level = view_.at(i).op == Op::OpImageQuerySizeLod;
  const bool maybe_sampled = view_.definition_word(image, 5) != 1;
  if (with_level ? has_levels && !multisampled : !has_levels || multisampled || maybe_sampled)
    return;
  context_.report(kOperandTypes, Place::at(i, 0),
                  fmt::format("expected an image {} levels of detail, found {}",
                              with_level ? "with" : "without", context_.type(image)));
}

void Images::check_query(std::uint32_t i) {
  const Id image = image_type(i, 0, Op::OpTypeImage);
  if (image == 0) return;
  if (!view_.is_int(view_.at(i).type_id)) {
    context_.report(
        kOperandTypes, Place::at(i, Place::kType),
        fmt::format("expected an integer type, found {}", context_.type(view_.at(i).type_id)));
    return;
  }
  const auto dim = static_cast<Dim>(view_.definition_word(image, 1));
  const bool multisampled = view_.definition_word(image, 4) == 1;
  if (view_.at(i).op == Op::OpImageQueryLevels && dim != Dim::Dim1D && dim != Dim::Dim2D &&
      dim != Dim::Dim3D && dim != Dim::Cube)
    context_.report(kOperandTypes, Place::at(i, 0),
                    fmt::format("expected an image with levels, found {}", context_.type(image)));
  if (view_.at(i).op == Op::OpImageQuerySamples && (dim != Dim::Dim2D || !multisampled))
    context_.report(
        kOperandTypes, Place::at(i, 0),
        fmt::format("expected a multisampled 2D image, found {}", context_.type(image)));
}

void Images::check_access(std::uint32_t i, Id image, AccessQualifier forbidden,
                          std::string_view what) {
  const std::uint32_t definition = view_.definition(image);
  if (!view_.has_operand(definition, 7)) return;
  if (static_cast<AccessQualifier>(view_.word(definition, 7)) == forbidden)
    context_.report(
        kAccess, Place::at(i, 0),
        fmt::format("expected an image that can be {}, found {}", what, context_.type(image)),
        {{"the image's type", definition}});
}

void check(Context& context) { Images(context).check(); }

constexpr const ValidationRule* kRules[] = {&kSampledImage, &kAccess, &kCoordinate, &kLevel,
                                            &kReadTexel};

}  // namespace
}  // namespace rules_image_use

const Family kImageUseFamily{"image-use", rules_image_use::kRules, rules_image_use::check};

}  // namespace transpire::validator
