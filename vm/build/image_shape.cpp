#include "vm/build/image_shape.h"

#include <fmt/format.h>

#include "base/narrow.h"
#include "decoder/grammar.h"
#include "decoder/image_formats.h"

namespace transpire::vm::builder {
namespace {

using decoder::Type;

std::string unsupported_in_kernels(const Type& image) {
  const Type::ImageShape& shape = image.image;
  if (shape.dim == spv::Dim::Cube || shape.dim == spv::Dim::Rect) return "of this Dim";
  if (shape.sampled != 0) return "whose type says whether they are sampled";
  if (shape.format != spv::ImageFormat::Unknown) return "whose type has a format";
  if (image.element->kind != Type::Kind::kVoid) return "whose Sampled Type is not void";
  return {};
}

std::string unsupported_in_shaders(const Type& image) {
  const Type::ImageShape& shape = image.image;
  if (shape.sampled != 1 && shape.sampled != 2)
    return "whose type does not say whether they are sampled";
  const Type& texel = *image.element;
  const bool is_int = texel.kind == Type::Kind::kInt;
  if (!(is_int || texel.kind == Type::Kind::kFloat) ||
      !(texel.width_bits == 32 || (is_int && texel.width_bits == 64)))
    return fmt::format("whose Sampled Type is {}", decoder::spell(texel));
  if (shape.format != spv::ImageFormat::Unknown && decoder::named_format(shape.format) == nullptr)
    return fmt::format("of the format {}",
                       decoder::enumerant_name(decoder::OperandKind::kImageFormat,
                                               narrow<std::uint32_t>(shape.format)));
  return {};
}

}  // namespace

std::uint8_t image_dimensions(spv::Dim dim) {
  switch (dim) {
    case spv::Dim::Dim1D:
    case spv::Dim::Buffer:
      return 1;
    case spv::Dim::Dim2D:
    case spv::Dim::Rect:
    case spv::Dim::Cube:
      return 2;
    case spv::Dim::Dim3D:
      return 3;
    default:
      return 0;
  }
}

std::string unsupported_image(const Type& image, bool is_resource) {
  const Type::ImageShape& shape = image.image;
  const bool is_2d = shape.dim == spv::Dim::Dim2D, is_cube = shape.dim == spv::Dim::Cube;
  if (image_dimensions(shape.dim) == 0) return "of this Dim";
  if (shape.arrayed && !is_2d && !is_cube && shape.dim != spv::Dim::Dim1D)
    return "in an array that is neither 1D nor 2D";
  if (shape.multisampled && !is_2d) return "multisampled and not 2D";
  if (shape.depth == 1 && !is_2d && !is_cube && shape.dim != spv::Dim::Rect)
    return "of depth and not 2D";
  return is_resource ? unsupported_in_shaders(image) : unsupported_in_kernels(image);
}

}  // namespace transpire::vm::builder
