// Images and samplers as arguments: reads their words in the launch language, and makes the images.
//
//   image DIM ORDER TYPE SIZE [levels N] [samples N] [row_pitch N] [slice_pitch N] [CONTENTS]
//   image 2d ORDER TYPE file:PICTURE [levels N] [row_pitch N]
//   sampler WORD...
//
//   image 2d RGBA UNORM_INT8 4x4 uchar4:range:0:1
//   sampler clamp_to_edge linear normalized
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "launch/bind.h"

namespace transpire::launch {

/// Read the text behind `image` or `sampler`. Fail with C0021, C0022 and C0042.
Status read_image_argument(ArgumentSpec& argument, std::string_view text);
Status read_sampler_argument(ArgumentSpec& argument, std::string_view text);

/// Type of the image's elements in memory: a vector of channels, or the word that packs them.
TypeInfo element_type_of(const Image& image);

/// True if the texels are integers; true if R, G and B are encoded as sRGB (IEC 61966-2-1).
bool has_integers(const Image& image);
bool is_encoded(const Image& image);

/// Makes an image. Its contents are elements in order, zeros, or the pixels of a picture. Fails with C0001, C0022, C0042,
/// L0004 and as evaluate() does.
Result<BoundBufferPointer> make_image(const std::string& name, const ImageDescription& description,
                                      const ValueSpec& contents, const Allowance& allowed);

/// Checks that an array has the image's dimensions: slices or layers, rows, columns, samples, channels. An array of one
/// dimension is a list of texels. Fails with C0022.
Status check_shape(const Image& image, const TypedBytes& array, const ValueSpec& contents);

/// "floats", "signed integers", "unsigned integers" or "integers"; empty for kUnknown.
std::string_view texel_type_name(TexelType type);

/// "4x4": one number per dimension of the image.
std::string spelled_size(const ImageDescription& image);

/// Text of an argument for the parameter: "image 2d RGBA FLOAT 64x64". `size` is width, height, and depth or layers.
std::string image_template(const ImageParameterInfo& parameter,
                           const std::array<std::uint64_t, 3>& size);

}  // namespace transpire::launch
