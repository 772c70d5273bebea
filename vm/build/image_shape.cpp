#include "vm/build/image_shape.h"

namespace transpire::vm::builder {

std::uint8_t image_dimensions(spv::Dim dim) {
  switch (dim) {
    case spv::Dim::Dim1D:
    case spv::Dim::Buffer:
      return 1;
    case spv::Dim::Dim2D:
      return 2;
    case spv::Dim::Dim3D:
      return 3;
    default:
      return 0;
  }
}

std::string unsupported_image(const decoder::Type& image) {
  const auto& shape = image.image;
  const bool is_2d = shape.dim == spv::Dim::Dim2D;
  if (image_dimensions(shape.dim) == 0) return "of this Dim";
  if (shape.arrayed && !is_2d && shape.dim != spv::Dim::Dim1D)
    return "in an array that is neither 1D nor 2D";
  if (shape.multisampled && !is_2d) return "multisampled and not 2D";
  if (shape.depth == 1 && !is_2d) return "of depth and not 2D";
  if (shape.sampled != 0) return "whose type says whether they are sampled";
  if (shape.format != spv::ImageFormat::Unknown) return "whose type has a format";
  if (image.element->kind != decoder::Type::Kind::kVoid) return "whose Sampled Type is not void";
  return {};
}

}  // namespace transpire::vm::builder
