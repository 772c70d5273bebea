// Makes images with texels from values or from a picture: see the header.
#include "launch/runner/image_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "launch/pictures/picture.h"
#include "launch/pictures/texels.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

/// Rows, columns and channels of a 2D image without gaps, for writing it as a picture; empty for other images.
std::vector<std::uint64_t> shape_of(const Image& made, std::uint64_t components) {
  const ImageDescription& image = made.description();
  if (image.dim != ImageDim::k2D || image.levels > 1 || image.samples > 1 ||
      made.bytes().size() != made.packed_bytes())
    return {};
  std::vector<std::uint64_t> shape{image.height, image.width};
  if (components > 1) shape.push_back(components);
  return shape;
}

/// True if the contents are `bytes` zero bytes, which a new image has anyhow.
bool is_zero(const ValueSpec& contents, const TypeInfo& element, std::uint64_t bytes) {
  if (contents.maker != ValueSpec::Maker::kZero) return false;
  const std::uint64_t stride = stride_bytes(contents.type ? type_of(*contents.type) : element);
  const std::uint64_t count = contents.count.value_or(bytes / stride_bytes(element));
  return bytes % stride == 0 && bytes / stride == count;
}

/// Shape of an array of the image's numbers; empty if they do not lie in memory like an array.
std::vector<std::uint64_t> array_shape(const Image& made, std::uint64_t components) {
  const ImageDescription& image = made.description();
  if (image.levels > 1 || made.bytes().size() != made.packed_bytes()) return {};
  std::vector<std::uint64_t> shape;
  const ImageDim dim = image.dim;
  if (dim == ImageDim::k1DArray || dim == ImageDim::k2DArray) shape.push_back(image.layers);
  if (dim == ImageDim::k3D) shape.push_back(image.depth);
  if (dim == ImageDim::k2D || dim == ImageDim::k2DArray || dim == ImageDim::k3D)
    shape.push_back(image.height);
  shape.push_back(image.width);
  if (image.samples > 1) shape.push_back(image.samples);
  if (components > 1) shape.push_back(components);
  return shape;
}

/// The shape without leading dimensions of 1.
std::span<const std::uint64_t> without_ones(std::span<const std::uint64_t> shape) {
  while (shape.size() > 1 && shape[0] == 1) shape = shape.subspan(1);
  return shape;
}

/// Writes the contents to the image's bytes.
Status fill(const Image& image, const ValueSpec& contents, const TypeInfo& element,
            const Allowance& allowed) {
  const std::span<std::byte> bytes = image.bytes();
  if (is_zero(contents, element, bytes.size())) return Unit{};
  const RoomMaker room = [&](std::uint64_t size) -> Result<Buffer> {
    if (size == bytes.size()) return Buffer::wrap(bytes, image.name(), image.state());
    return command_error(kBadValue, fmt::format("image '{}' has {} bytes, its contents have {}",
                                                image.name(), bytes.size(), size));
  };
  const auto data = evaluate(contents, {&element, bytes.size() / stride_bytes(element),
                                        allowed.max_bytes, allowed.limit, room, &element});
  if (!data) return data.errors();
  return check_shape(image, *data, contents);
}

/// Makes an image of zeros. Fails with C0042 and L0004.
Result<Image> make_empty(const std::string& name, const ImageDescription& description,
                         std::uint64_t max_bytes) {
  const auto needed = Image::bytes_needed(description);
  if (!needed) return needed.errors();
  if (*needed > max_bytes)
    return command_error(kMemoryLimit, fmt::format("image '{}' of {} bytes exceeds the limit of {}",
                                                   name, *needed, max_bytes));
  return Image::create(description, name);
}

/// The image as a named buffer of a launch.
Result<BoundBufferPointer> bound_image(const std::string& name, Image& image,
                                       const ValueSpec& contents) {
  auto bound = std::make_shared<BoundBuffer>();
  const TypeInfo type = element_type_of(image);
  const std::uint64_t components = type.count == 0 ? 1 : type.count;
  image.set_read_only(contents.read_only);
  image.set_write_only(contents.write_only);
  auto memory = Buffer::wrap(image.bytes(), name, image.state());
  if (!memory) return memory.errors();
  memory->set_read_only(contents.read_only);
  memory->set_write_only(contents.write_only);
  *bound = {name, type, false, *memory, shape_of(image, components), image};
  return bound;
}

/// Decodes a number of a picture that is encoded as sRGB (IEC 61966-2-1).
double linear_of(double encoded) {
  return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

/// Converts pixels to R, G, B and A of texels. Integer formats keep the picture's numbers; others get fractions of the greatest.
class Colours {
 public:
  Colours(const Picture& picture, const Image& image)
      : picture_(picture),
        scale_(has_integers(image) || picture.most == 0 ? 1 : picture.most),
        opaque_(has_integers(image) ? picture.most : 1),
        is_encoded_(is_encoded(image) && picture.most != 0) {}

  std::array<double, 4> at(std::uint64_t pixel) const {
    const bool has_colours = picture_.channels >= 3;
    const bool has_alpha = picture_.channels % 2 == 0;
    std::array<double, 4> texel;
    for (unsigned c = 0; c < 3; ++c) {
      texel[c] = picture_.number(pixel, has_colours ? c : 0) / scale_;
      if (is_encoded_) texel[c] = linear_of(texel[c]);
    }
    texel[3] = has_alpha ? picture_.number(pixel, picture_.channels - 1) / scale_ : opaque_;
    return texel;
  }

 private:
  const Picture& picture_;
  double scale_, opaque_;
  bool is_encoded_;  ///< picture and texels are sRGB; floats of a picture are linear
};

/// Makes an image of the picture's size.
Result<BoundBufferPointer> make_picture(const std::string& name, ImageDescription description,
                                        const ValueSpec& contents, const Allowance& allowed) {
  if (description.dim != ImageDim::k2D || description.samples > 1)
    return command_error(kBadValue, "only a 2d image of one sample has a picture's texels");
  const auto picture = read_picture(contents.file, allowed.reading());
  if (!picture) return picture.errors();
  description.width = picture->columns;
  description.height = picture->rows;
  auto image = make_empty(name, description, allowed.beside(picture->bytes()).max_bytes);
  if (!image) return image.errors();
  if (has_integers(*image) && picture->most == 0)
    return command_error(kBadValue,
                         fmt::format("the numbers of '{}' are floating-point ones, those of {} {}",
                                     contents.file, image->description().channel_type, "integers"));
  const Colours colours(*picture, *image);
  Pacer pacer(allowed.limit);
  for (std::uint64_t y = 0; y < picture->rows; ++y) {
    for (std::uint64_t x = 0; x < picture->columns; ++x) {
      pacer.step();
      image->set_texel(colours.at(y * picture->columns + x), x, y);
    }
  }
  return bound_image(name, *image, contents);
}

}  // namespace

Status check_shape(const Image& image, const TypedBytes& array, const ValueSpec& contents) {
  if (contents.any_type || array.shape.size() < 2 ||
      image.bytes().size() != array.bytes.size())  // another check reports a wrong number of bytes
    return Unit{};
  const TypeInfo element = element_type_of(image);
  const unsigned number_bytes = size_bytes(leaves_of(element)[0].type);
  const std::uint64_t components = image.element_bytes() / number_bytes;
  std::vector<std::uint64_t> wanted = array_shape(image, components);
  const std::uint64_t numbers = image.bytes().size() / number_bytes;
  const std::vector<std::uint64_t> list{numbers / components,
                                        components};  // shape of a list of texels
  const auto is_like = [&](std::span<const std::uint64_t> shape) {
    return std::ranges::equal(without_ones(array.shape), without_ones(shape));
  };
  if (is_like(wanted) || is_like(list)) return Unit{};
  if (wanted.empty()) wanted = list;
  if (components == 1) wanted.push_back(1);
  if (is_like(wanted)) return Unit{};
  if (components == 1) wanted.pop_back();
  return command_error(
      kBadValue,
      fmt::format("the array of '{}' has the shape ({}), image '{}' has ({})", contents.file,
                  fmt::join(array.shape, ", "), image.name(), fmt::join(wanted, ", ")),
      "rows come first, then columns, then channels; a flat array of as many numbers is taken too");
}

Result<BoundBufferPointer> make_image(const std::string& name, const ImageDescription& description,
                                      const ValueSpec& contents, const Allowance& allowed) {
  if (contents.maker == ValueSpec::Maker::kPicture)
    return make_picture(name, description, contents, allowed);
  auto image = make_empty(name, description, allowed.max_bytes);
  if (!image) return image.errors();
  if (const Status filled =
          fill(*image, contents, element_type_of(*image), allowed.beside(image->bytes().size()));
      !filled)
    return filled.errors();
  return bound_image(name, *image, contents);
}
}  // namespace transpire::launch
