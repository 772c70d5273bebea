#include "launch/language/image_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "launch/language/grammar.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

Diagnostic wrong_image(const std::string& message) {
  return command_error(kBadLaunchFile, message,
                       "write 'image 2d RGBA UNORM_INT8 64x64', and then what the texels are");
}

/// Reads "64", "64x48" or "64x48x3": one number for each side of the image, then the layers of an array.
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

/// Reads `levels N`, `samples N`, `row_pitch N` and `slice_pitch N`.
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
  argument.value.maker = ValueSpec::Maker::kZero;
  constexpr std::string_view kFile = "file:";
  const bool is_picture = size.starts_with(kFile) && size.size() > kFile.size();
  if (is_picture) {
    argument.value.maker = ValueSpec::Maker::kPicture;
    argument.value.file = size.substr(kFile.size());
  } else if (const Status read = read_size(image, size); !read) {
    return read;
  }
  if (const Status read = read_counts(image, text); !read) return read;
  if (text.empty()) return Unit{};
  if (text == "readonly" || text == "writeonly") {
    (text == "readonly" ? argument.value.read_only : argument.value.write_only) = true;
    return Unit{};
  }
  if (is_picture)
    return wrong_image(fmt::format("'{}' holds the texels, '{}' was not expected behind it",
                                   argument.value.file, text));
  auto contents = parse_value_spec(text);
  if (!contents) return contents.errors();
  if (!contents->undefined.empty()) return wrong_image("the texels of an image are defined");
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

std::string size_text(const ImageDescription& image) {
  std::string text = std::to_string(image.width);
  const ImageDim dim = image.dim;
  const bool is_plane = dim == ImageDim::k2D || dim == ImageDim::k2DArray || dim == ImageDim::k3D;
  if (is_plane) text += fmt::format("x{}", image.height);
  if (dim == ImageDim::k3D) text += fmt::format("x{}", image.depth);
  if (dim == ImageDim::k1DArray || dim == ImageDim::k2DArray)
    text += fmt::format("x{}", image.layers);
  return text;
}

std::string image_template(const ImageParameterInfo& parameter,
                           const std::array<std::uint64_t, 3>& size) {
  ImageDescription image;
  image.dim = parameter.dim;
  image.width = size[0];
  image.height = size[1];
  image.depth = size[2];
  image.layers = parameter.dim == ImageDim::k1DArray ? size[1] : size[2];
  if (parameter.cubes != ImageParameterInfo::Cubes::kNone) image.layers = 6;
  const TexelType texels = parameter.texels;
  std::string format = "RGBA UNORM_INT8";
  if (texels == TexelType::kSigned64) format = "R SIGNED_INT64";
  if (texels == TexelType::kUnsigned64) format = "R UNSIGNED_INT64";
  if (texels == TexelType::kSigned) format = "RGBA SIGNED_INT32";
  if (texels == TexelType::kUnsigned || texels == TexelType::kInteger)
    format = "RGBA UNSIGNED_INT32";
  if (parameter.depth) format = "DEPTH FLOAT";
  if (!parameter.channel_order.empty())
    format = fmt::format("{} {}", parameter.channel_order, parameter.channel_type);
  return fmt::format("image {} {} {}{}", image_dim_name(parameter.dim), format, size_text(image),
                     parameter.multisampled ? " samples 4" : "");
}

}  // namespace transpire::launch
