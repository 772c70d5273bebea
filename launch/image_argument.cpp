#include "launch/image_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "launch/diagnose.h"
#include "launch/plan_builder.h"

namespace transpire::launch {
namespace {

Diagnostic wrong_image(const std::string& message) {
  return command_error(kBadLaunchFile, message,
                       "write 'image 2d RGBA UNORM_INT8 64x64', and then what the texels are");
}

/// "64", "64x48" or "64x48x3": as many sides as the kind of image has, an array's layers last.
Status read_size(ImageDescription& image, std::string_view text) {
  std::vector<std::uint64_t> sides;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const auto side = parse_count(text.substr(begin, end - begin), "size");
    if (!side) return side.errors();
    sides.push_back(*side);
    begin = end + 1;
  }
  std::vector<std::uint64_t*> wanted{&image.width};
  const ImageDim dim = image.dim;
  if (dim == ImageDim::k2D || dim == ImageDim::k2DArray || dim == ImageDim::k3D)
    wanted.push_back(&image.height);
  if (dim == ImageDim::k3D) wanted.push_back(&image.depth);
  if (dim == ImageDim::k1DArray || dim == ImageDim::k2DArray) wanted.push_back(&image.layers);
  if (sides.size() != wanted.size())
    return wrong_image(fmt::format("a {} image has {} size{}, found '{}'", image_dim_name(dim),
                                   wanted.size(), wanted.size() == 1 ? "" : "s", text));
  for (std::size_t i = 0; i < sides.size(); ++i) *wanted[i] = sides[i];
  return Unit{};
}

/// `levels N`, `samples N`, `row_pitch N` and `slice_pitch N`.
Status read_counts(ImageDescription& image, std::string_view& text) {
  for (;;) {
    std::string_view rest = text;
    const std::string_view word = take_word(rest);
    const bool is_pitch = word == "row_pitch" || word == "slice_pitch";
    if (!is_pitch && word != "levels" && word != "samples") return Unit{};
    const auto count = parse_count(take_word(rest), word);
    if (!count) return count.errors();
    if (is_pitch)
      (word == "row_pitch" ? image.row_pitch : image.slice_pitch) = *count;
    else
      (word == "levels" ? image.levels : image.samples) =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(*count, 0xffffffffu));
    text = rest;
  }
}

struct ElementRow {
  std::string_view channel_type;
  ScalarType scalar;
};
constexpr ElementRow kElements[] = {
    {"SNORM_INT8", ScalarType::kChar},
    {"SNORM_INT16", ScalarType::kShort},
    {"UNORM_INT8", ScalarType::kUchar},
    {"UNORM_INT16", ScalarType::kUshort},
    {"UNORM_SHORT_565", ScalarType::kUshort},
    {"UNORM_SHORT_555", ScalarType::kUshort},
    {"UNORM_INT_101010", ScalarType::kUint},
    {"SIGNED_INT8", ScalarType::kChar},
    {"SIGNED_INT16", ScalarType::kShort},
    {"SIGNED_INT32", ScalarType::kInt},
    {"UNSIGNED_INT8", ScalarType::kUchar},
    {"UNSIGNED_INT16", ScalarType::kUshort},
    {"UNSIGNED_INT32", ScalarType::kUint},
    {"HALF_FLOAT", ScalarType::kHalf},
    {"FLOAT", ScalarType::kFloat},
    {"UNORM_INT24", ScalarType::kUint},
    {"UNORM_INT_101010_2", ScalarType::kUint},
};

/// Rows, columns and channels of a 2D image without gaps, by which it is written as a picture; empty of others.
std::vector<std::uint64_t> shape_of(const Image& made, std::uint64_t components) {
  const ImageDescription& image = made.description();
  if (image.dim != ImageDim::k2D || image.levels > 1 || image.samples > 1 ||
      made.bytes().size() != made.packed_bytes())
    return {};
  std::vector<std::uint64_t> shape{image.height, image.width};
  if (components > 1) shape.push_back(components);
  return shape;
}

/// Whether the contents are so many zero bytes of an image with such elements: as it is made.
bool is_zero(const ValueSpec& contents, const TypeInfo& element, std::uint64_t bytes) {
  if (contents.maker != ValueSpec::Maker::kZero) return false;
  const std::uint64_t stride = stride_bytes(contents.type ? type_of(*contents.type) : element);
  const std::uint64_t count = contents.count.value_or(bytes / stride_bytes(element));
  return bytes % stride == 0 && bytes / stride == count;
}

/// Writes the contents to the image's bytes.
Status fill(const Image& image, const ValueSpec& contents, const TypeInfo& element,
            std::uint64_t max_bytes) {
  const std::span<std::byte> bytes = image.bytes();
  if (is_zero(contents, element, bytes.size())) return Unit{};
  const auto data = evaluate(contents, {&element, bytes.size() / stride_bytes(element), max_bytes});
  if (!data) return data.errors();
  if (data->bytes.size() != bytes.size())
    return command_error(kBadValue, fmt::format("image '{}' has {} bytes, its contents have {}",
                                                image.name(), bytes.size(), data->bytes.size()));
  std::copy(data->bytes.begin(), data->bytes.end(), bytes.begin());
  return Unit{};
}

}  // namespace

Status read_image_argument(ArgumentSpec& argument, std::string_view text) {
  argument.kind = ArgumentSpec::Kind::kImage;
  const std::string_view dim_word = take_word(text);
  const auto dim = image_dim_named(dim_word);
  if (!dim)
    return command_error(
        kBadLaunchFile, fmt::format("'{}' is no kind of image", dim_word),
        suggestion(dim_word, {"1d", "1d_array", "1d_buffer", "2d", "2d_array", "3d"}, "kinds"));
  ImageDescription& image = argument.image;
  image.dim = *dim;
  image.channel_order = take_word(text);
  image.channel_type = take_word(text);
  const std::string_view size = take_word(text);
  if (size.empty()) return wrong_image("an image needs a channel order, a channel type and a size");
  if (const Status read = read_size(image, size); !read) return read;
  if (const Status read = read_counts(image, text); !read) return read;
  argument.value.maker = ValueSpec::Maker::kZero;
  if (text.empty()) return Unit{};
  if (text == "readonly" || text == "writeonly") {
    (text == "readonly" ? argument.value.read_only : argument.value.write_only) = true;
    return Unit{};
  }
  auto contents = parse_value_spec(text);
  if (!contents) return contents.errors();
  argument.value = std::move(contents).value();
  return Unit{};
}

Status read_sampler_argument(ArgumentSpec& argument, std::string_view text) {
  argument.kind = ArgumentSpec::Kind::kSampler;
  std::vector<std::string> words;
  while (!text.empty()) words.emplace_back(take_word(text));
  auto sampler = Sampler::named(words);
  if (!sampler) return sampler.errors();
  argument.sampler = *sampler;
  return Unit{};
}

TypeInfo element_type_of(const Image& image) {
  const std::uint32_t bytes = image.element_bytes();
  for (const ElementRow& row : kElements) {
    if (row.channel_type != image.description().channel_type) continue;
    const unsigned components = bytes / size_bytes(row.scalar);
    return type_of(TypeWord{row.scalar, components == 3 ? 1 : std::max(components, 1u)});
  }
  return byte_type();
}

Result<BoundBufferPointer> make_image(const std::string& name, const ImageDescription& description,
                                      const ValueSpec& contents, std::uint64_t max_bytes) {
  const auto needed = Image::bytes_needed(description);
  if (!needed) return needed.errors();
  if (*needed > max_bytes)
    return command_error(kMemoryLimit, fmt::format("image '{}' of {} bytes exceeds the limit of {}",
                                                   name, *needed, max_bytes));
  auto image = Image::create(description, name);
  if (!image) return image.errors();
  auto bound = std::make_shared<BoundBuffer>();
  const TypeInfo type = element_type_of(*image);
  const std::uint64_t components = type.count == 0 ? 1 : type.count;
  if (const Status filled = fill(*image, contents, type, max_bytes); !filled)
    return filled.errors();
  image->set_read_only(contents.read_only);
  image->set_write_only(contents.write_only);
  auto memory = Buffer::wrap(image->bytes(), name, image->state());
  if (!memory) return memory.errors();
  memory->set_read_only(contents.read_only);
  memory->set_write_only(contents.write_only);
  *bound = {name, type, false, *memory, shape_of(*image, components), *image};
  return bound;
}

std::string image_template(const ImageParameterInfo& parameter) {
  const bool flat = parameter.dim == ImageDim::k1D || parameter.dim == ImageDim::k1DBuffer;
  const bool deep = parameter.dim == ImageDim::k2DArray || parameter.dim == ImageDim::k3D;
  return fmt::format("image {} {} {}{}", image_dim_name(parameter.dim),
                     parameter.depth ? "DEPTH FLOAT" : "RGBA UNORM_INT8",
                     flat   ? "64"
                     : deep ? "64x64x4"
                            : "64x64",
                     parameter.multisampled ? " samples 4" : "");
}

}  // namespace transpire::launch
