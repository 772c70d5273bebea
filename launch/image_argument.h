// Images and samplers as arguments: the words of the launch language, and what is made of them.
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

/// What follows after `image` and after `sampler`. Fails with C0021, C0022 and C0042.
Status read_image_argument(ArgumentSpec& argument, std::string_view text);
Status read_sampler_argument(ArgumentSpec& argument, std::string_view text);

/// The type of an element of the image as it lies in memory: its channels, or the word that holds them.
TypeInfo element_type_of(const Image& image);

/// Whether its texels are integers; and whether R, G and B are encoded as IEC 61966-2-1 says (sRGB).
bool has_integers(const Image& image);
bool is_encoded(const Image& image);

/// An image with contents, which are elements one after the other, zeros, or a picture's pixels. Fails with C0001, C0022, C0042, L0004 and what
/// evaluate() says.
Result<BoundBufferPointer> make_image(const std::string& name, const ImageDescription& description,
                                      const ValueSpec& contents, const Allowance& allowed);

/// Fails with C0022 where an array of several dimensions is not of the image's: slices or layers, rows, columns, samples,
/// channels. A list of texels will do, too.
Status check_shape(const Image& image, const TypedBytes& array, const ValueSpec& contents);

/// "floats", "signed integers", "unsigned integers" or "integers"; empty where it is not known.
std::string_view texel_type_name(TexelType type);

/// "4x4": as many sides as the kind of image has.
std::string spelled_size(const ImageDescription& image);

/// "image 2d RGBA FLOAT 64x64": how an argument for the parameter may be written. `size`: width, height, depth or layers.
std::string image_template(const ImageParameterInfo& parameter,
                           const std::array<std::uint64_t, 3>& size);

}  // namespace transpire::launch
