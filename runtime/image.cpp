#include "runtime/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/narrow.h"
#include "base/rule.h"
#include "memory/image_copy.h"
#include "memory/texel.h"
#include "runtime/state.h"

namespace transpire {
namespace {

using memory::ShapeError;

constexpr std::string_view kDims[] = {"1d", "1d_array", "1d_buffer", "2d", "2d_array", "3d"};
static_assert(static_cast<int>(ImageDim::k3D) == static_cast<int>(memory::ImageDim::k3D));

constexpr std::string_view kAddressing[] = {"none", "clamp_to_edge", "clamp", "repeat",
                                            "mirrored_repeat"};

constexpr std::string_view kCompares[] = {
    "",
    "compare_never",
    "compare_less",
    "compare_equal",
    "compare_less_or_equal",
    "compare_greater",
    "compare_not_equal",
    "compare_greater_or_equal",
    "compare_always",
};

constexpr std::string_view kBorders[] = {"border_transparent_black", "border_opaque_black",
                                         "border_opaque_white"};

constexpr std::string_view kLodMin = "lod_min=", kLodMax = "lod_max=";

Diagnostic wrong(std::string what) { return make_diagnostic(Rule::kC0042, std::move(what)); }

std::string spell(ShapeError error, const ImageDescription& d) {
  switch (error) {
    case ShapeError::kFormat:
      return fmt::format("channel order {} has no channel type {}", d.channel_order,
                         d.channel_type);
    case ShapeError::kDepth:
      return fmt::format("expected a 2d or 2d_array image of channel order {}, found {}",
                         d.channel_order, image_dim_name(d.dim));
    case ShapeError::kSide:
      return fmt::format("expected 1 to {} texels a side, found {} x {} x {}", memory::kMaxSide,
                         d.width, d.height, std::max(d.depth, d.layers));
    case ShapeError::kRowPitch:
      return fmt::format("a row pitch of {} bytes is shorter than a row, or not of whole texels",
                         d.row_pitch);
    case ShapeError::kSlicePitch:
      return fmt::format("a slice pitch of {} bytes is shorter than a slice, or not of whole rows",
                         d.slice_pitch);
    case ShapeError::kLevels:
      return fmt::format("the image cannot have {} levels", d.levels);
    case ShapeError::kSamples:
      return fmt::format("the image cannot have {} samples", d.samples);
    default:
      return "the image is too large";
  }
}

Result<memory::Image> lay_out(const ImageDescription& description) {
  if (static_cast<std::size_t>(description.dim) >= std::size(kDims))
    return wrong(
        fmt::format("there is no kind of image {}", static_cast<unsigned>(description.dim)));
  const auto order = memory::order_named(description.channel_order);
  if (!order)
    return wrong(fmt::format("there is no channel order '{}'", description.channel_order));
  const auto type = memory::type_named(description.channel_type);
  if (!type) return wrong(fmt::format("there is no channel type '{}'", description.channel_type));
  memory::ImageShape shape;
  shape.dim = static_cast<memory::ImageDim>(description.dim);
  shape.format = {*order, *type};
  shape.width = description.width;
  shape.height = description.height;
  shape.depth = description.depth;
  shape.array_size = description.layers;
  shape.row_pitch = description.row_pitch;
  shape.slice_pitch = description.slice_pitch;
  shape.levels = description.levels;
  shape.samples = description.samples;
  memory::Image image;
  const ShapeError error = memory::lay_out(shape, image);
  if (error == ShapeError::kTooLarge)
    return make_diagnostic(Rule::kL0004, "the image is too large for 64 bits");
  if (error != ShapeError::kNone) return wrong(spell(error, description));
  return image;
}

/// Makes the buffer an image.
void attach(runtime::BufferState& state, const memory::Image& image,
            const ImageDescription& description) {
  auto made = std::make_unique<runtime::ImageState>();
  made->image = image;
  made->image.texels = state.data;
  made->description = description;
  made->description.channel_order = memory::row_of(image.format.order).spelling;
  made->description.channel_type = memory::row_of(image.format.type).spelling;
  made->description.width = image.width();
  made->description.height = image.height();
  made->description.depth = image.depth();
  made->description.layers = image.array_size();
  made->description.row_pitch = image.level[0].row_pitch;
  made->description.slice_pitch = image.level[0].slice_pitch;
  state.image = std::move(made);
}

/// The status of a copy between level 0 and `host_bytes` of linear memory.
Status copied(const Image& image, memory::CopyError error, std::size_t host_bytes) {
  const ImageDescription& d = image.description();
  switch (error) {
    case memory::CopyError::kNone:
      return Unit{};
    case memory::CopyError::kRowPitch:
    case memory::CopyError::kSlicePitch:
      return wrong(
          fmt::format("the {} pitch is shorter than what it is of, in an image of {} x {} texels",
                      error == memory::CopyError::kRowPitch ? "row" : "slice", d.width, d.height));
    default:
      return wrong(
          fmt::format("expected room for all texels of the image, found {} bytes", host_bytes));
  }
}

/// A texel's bytes; null outside. Coordinates that the kind of image lacks are 0.
std::byte* element(const memory::Image& image, std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  const memory::ImageLevel& level = image.level[0];
  if (x >= level.size[0] || y >= level.size[1] || z >= level.size[2]) return nullptr;
  return image.texels + memory::texel_offset(image, level, static_cast<std::int32_t>(x),
                                             static_cast<std::int32_t>(y),
                                             static_cast<std::int32_t>(z));
}

template <class T>
std::array<double, 4> read_as(const std::byte* at, memory::ImageFormat format) {
  const memory::Texel<T> texel = memory::read_texel<T>(at, format);
  return {static_cast<double>(texel.v[0]), static_cast<double>(texel.v[1]),
          static_cast<double>(texel.v[2]), static_cast<double>(texel.v[3])};
}

template <class T>
void write_as(std::byte* at, memory::ImageFormat format, const std::array<double, 4>& color) {
  memory::Texel<T> texel{};
  for (std::size_t c = 0; c < 4; ++c) {
    double value = color[c];
    if constexpr (std::is_integral_v<T>) {
      using Limits = std::numeric_limits<T>;
      // The greatest number of 64 bits is no double, but the one above it is.
      if (value >= std::ldexp(1.0, Limits::digits)) {
        texel.v[c] = Limits::max();
        continue;
      }
      value = std::isnan(value) ? 0 : std::max(value, static_cast<double>(Limits::min()));
    }
    texel.v[c] = static_cast<T>(value);
  }
  memory::write_texel<T>(at, format, texel);
}

/// Reads a level of detail; returns false if the text is none.
bool read_lod(std::string_view number, float& lod) {
  const char* const end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, lod);
  return error == std::errc{} && stop == end && lod >= 0;
}

TexelType texel_type(memory::ChannelType type) {
  const bool is_wide = memory::is_wide(type);
  switch (memory::texel_kind(type)) {
    case memory::TexelKind::kSigned:
      return is_wide ? TexelType::kSigned64 : TexelType::kSigned;
    case memory::TexelKind::kUnsigned:
      return is_wide ? TexelType::kUnsigned64 : TexelType::kUnsigned;
    default:
      return TexelType::kFloat;
  }
}

/// Calls f with a value of the type that texels are read and written as.
template <class F>
auto with_texel(memory::ChannelType type, F f) {
  switch (texel_type(type)) {
    case TexelType::kSigned:
      return f(std::int32_t{});
    case TexelType::kUnsigned:
      return f(std::uint32_t{});
    case TexelType::kSigned64:
      return f(std::int64_t{});
    case TexelType::kUnsigned64:
      return f(std::uint64_t{});
    default:
      return f(float{});
  }
}

/// True if the format has texels of the type that a shader's resource has, and is the one that its type names; for kernels, if
/// OpenCL has it.
bool has_texels(const ImageParameterInfo& parameter, memory::ImageFormat format) {
  if (!parameter.needs_texels) return !memory::is_of_shaders(format);
  const bool is_named = parameter.channel_order.empty() ||
                        (memory::order_named(parameter.channel_order) == format.order &&
                         memory::type_named(parameter.channel_type) == format.type);
  return texel_type(format.type) == parameter.texels && is_named;
}

bool has_cubes(ImageParameterInfo::Cubes cubes, const memory::Image& image) {
  using Cubes = ImageParameterInfo::Cubes;
  const std::uint32_t layers = image.array_size();
  return cubes == Cubes::kNone || (image.width() == image.height() && layers % 6 == 0 &&
                                   (cubes == Cubes::kSeveral || layers == 6));
}

/// Applies one word of a sampler's description. Returns false if the word is unknown.
bool apply(const std::string& word, Sampler& sampler) {
  const auto* mode = std::find(std::begin(kAddressing), std::end(kAddressing), word);
  if (mode != std::end(kAddressing))
    sampler.addressing = static_cast<Sampler::Addressing>(mode - std::begin(kAddressing));
  else if (const auto* compare = std::find(std::begin(kCompares), std::end(kCompares), word);
           compare != std::end(kCompares) && !word.empty())
    sampler.compare = static_cast<Sampler::Compare>(compare - std::begin(kCompares));
  else if (const auto* border = std::find(std::begin(kBorders), std::end(kBorders), word);
           border != std::end(kBorders))
    sampler.border = static_cast<Sampler::Border>(border - std::begin(kBorders));
  else if (word == "nearest" || word == "linear")
    sampler.linear = word == "linear";
  else if (word == "normalized" || word == "unnormalized")
    sampler.normalized = word == "normalized";
  else if (word == "mip_nearest" || word == "mip_linear")
    sampler.mip_linear = word == "mip_linear";
  else if (word.starts_with(kLodMin))
    return read_lod(std::string_view(word).substr(kLodMin.size()), sampler.lod_min);
  else if (word.starts_with(kLodMax))
    return read_lod(std::string_view(word).substr(kLodMax.size()), sampler.lod_max);
  else
    return false;
  return true;
}

}  // namespace

bool takes(const ImageParameterInfo& parameter, const Image& image) {
  const memory::Image& found = image.state()->image->image;
  const bool is_depth = memory::is_depth(found.format.order);
  return static_cast<ImageDim>(found.dim) == parameter.dim &&
         (parameter.depth ? is_depth : !is_depth || parameter.needs_texels) &&
         (found.samples > 1) == parameter.multisampled && has_texels(parameter, found.format) &&
         has_cubes(parameter.cubes, found);
}

std::string wanted_image(const ImageParameterInfo& parameter) {
  using Cubes = ImageParameterInfo::Cubes;
  std::string text = fmt::format("a {}{} image", parameter.multisampled ? "multisampled " : "",
                                 image_dim_name(parameter.dim));
  if (!parameter.channel_order.empty())
    text += fmt::format(" of {} {}", parameter.channel_order, parameter.channel_type);
  else if (parameter.depth)
    text += " of DEPTH";
  else if (parameter.needs_texels)
    text += fmt::format(" of {}", texel_type_name(parameter.texels));
  if (parameter.cubes == Cubes::kOne) text += " with six square layers";
  if (parameter.cubes == Cubes::kSeveral) text += " with six square layers for each cube";
  return text;
}

std::string_view texel_type_name(TexelType type) {
  switch (type) {
    case TexelType::kFloat:
      return "floats";
    case TexelType::kSigned:
      return "signed integers";
    case TexelType::kUnsigned:
      return "unsigned integers";
    case TexelType::kInteger:
      return "integers";
    case TexelType::kSigned64:
      return "signed integers of 64 bits";
    case TexelType::kUnsigned64:
      return "unsigned integers of 64 bits";
    case TexelType::kUnknown:
      break;
  }
  return {};
}

std::string_view image_dim_name(ImageDim dim) {
  const auto row = static_cast<std::size_t>(dim);
  return row < std::size(kDims) ? kDims[row] : "unknown";
}

std::optional<ImageDim> image_dim_named(std::string_view name) {
  const auto* found = std::find(std::begin(kDims), std::end(kDims), name);
  if (found == std::end(kDims)) return std::nullopt;
  return static_cast<ImageDim>(found - std::begin(kDims));
}

Result<std::uint64_t> Image::bytes_needed(const ImageDescription& description) {
  TRANSPIRE_TRY(const memory::Image layout, lay_out(description));
  return layout.size_bytes;
}

Result<Image> Image::create(const ImageDescription& description, std::string name) {
  TRANSPIRE_TRY(const memory::Image layout, lay_out(description));
  TRANSPIRE_TRY(const Buffer buffer, Buffer::create(layout.size_bytes, std::move(name)));
  attach(*buffer.state(), layout, description);
  Image image;
  image.state_ = buffer.state();
  return image;
}

Result<Image> Image::wrap(const ImageDescription& description, std::span<std::byte> bytes,
                          std::string name, std::shared_ptr<const void> owner) {
  TRANSPIRE_TRY(const memory::Image layout, lay_out(description));
  if (bytes.size() < layout.size_bytes)
    return wrong(
        fmt::format("expected {} bytes for the image, found {}", layout.size_bytes, bytes.size()));
  TRANSPIRE_TRY(const Buffer buffer,
                Buffer::wrap(bytes.first(layout.size_bytes), std::move(name), std::move(owner)));
  attach(*buffer.state(), layout, description);
  Image image;
  image.state_ = buffer.state();
  return image;
}

const ImageDescription& Image::description() const { return state_->image->description; }
const std::string& Image::name() const { return state_->name; }
std::span<std::byte> Image::bytes() const { return {state_->data, state_->size_bytes}; }
std::uint32_t Image::element_bytes() const { return state_->image->image.element_bytes; }

std::uint64_t Image::packed_bytes() const {
  const memory::Image& image = state_->image->image;
  return std::uint64_t{image.width()} * image.height() * image.depth() * image.array_size() *
         image.samples * image.element_bytes;
}

Status Image::write(std::span<const std::byte> from, std::uint64_t row_pitch,
                    std::uint64_t slice_pitch) const {
  const memory::Image& image = state_->image->image;
  return copied(
      *this,
      memory::copy_from_linear(image, 0, memory::whole(image, 0), from, {row_pitch, slice_pitch}),
      from.size());
}

Status Image::read(std::span<std::byte> to, std::uint64_t row_pitch,
                   std::uint64_t slice_pitch) const {
  const memory::Image& image = state_->image->image;
  return copied(
      *this,
      memory::copy_to_linear(image, 0, memory::whole(image, 0), to, {row_pitch, slice_pitch}),
      to.size());
}

std::array<double, 4> Image::texel(std::uint64_t x, std::uint64_t y, std::uint64_t z) const {
  const memory::Image& image = state_->image->image;
  const std::byte* const at = element(image, x, y, z);
  if (at == nullptr) return {};
  return with_texel(image.format.type, [&]<class T>(T) { return read_as<T>(at, image.format); });
}

void Image::set_texel(const std::array<double, 4>& color, std::uint64_t x, std::uint64_t y,
                      std::uint64_t z) const {
  const memory::Image& image = state_->image->image;
  std::byte* const at = element(image, x, y, z);
  if (at == nullptr) return;
  with_texel(image.format.type, [&]<class T>(T) { write_as<T>(at, image.format, color); });
}

void Image::set_read_only(bool read_only) { state_->read_only = read_only; }
void Image::set_write_only(bool write_only) { state_->write_only = write_only; }
bool Image::read_only() const { return state_->read_only; }
bool Image::write_only() const { return state_->write_only; }

Result<Sampler> Sampler::named(std::span<const std::string> words) {
  Sampler sampler;
  for (const std::string& word : words)
    if (!apply(word, sampler)) return wrong(fmt::format("'{}' says nothing of a sampler", word));
  return sampler;
}

std::string Sampler::words() const {
  const auto row = static_cast<std::size_t>(addressing);
  std::string text =
      fmt::format("{} {} {}", row < std::size(kAddressing) ? kAddressing[row] : "unknown",
                  linear ? "linear" : "nearest", normalized ? "normalized" : "unnormalized");
  const Sampler usual;
  if (mip_linear) text += " mip_linear";
  if (lod_min != usual.lod_min) text += fmt::format(" {}{}", kLodMin, lod_min);
  if (lod_max != usual.lod_max) text += fmt::format(" {}{}", kLodMax, lod_max);
  if (const auto at = static_cast<std::size_t>(compare); at != 0 && at < std::size(kCompares))
    text += fmt::format(" {}", kCompares[at]);
  if (const auto at = static_cast<std::size_t>(border); at != 0 && at < std::size(kBorders))
    text += fmt::format(" {}", kBorders[at]);
  return text;
}

memory::Sampler runtime::sampler_of(const Sampler& sampler) {
  memory::Sampler made;
  made.addressing = static_cast<memory::AddressingMode>(sampler.addressing);
  made.normalized = sampler.normalized;
  made.filter = sampler.linear ? memory::FilterMode::kLinear : memory::FilterMode::kNearest;
  made.mip_filter = sampler.mip_linear ? memory::FilterMode::kLinear : memory::FilterMode::kNearest;
  made.lod_min = sampler.lod_min;
  made.lod_max = sampler.lod_max;
  made.compares = sampler.compare != Sampler::Compare::kNone;
  if (made.compares) made.passing = narrow<memory::Relations>(sampler.compare) - 1;
  made.border = static_cast<memory::Border>(sampler.border);
  return made;
}

}  // namespace transpire
