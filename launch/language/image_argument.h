// Images and samplers as arguments: reads and writes their words in the launch language.
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

#include "launch/language/launch_plan.h"

namespace transpire::launch {

/// Read the text behind `image` or `sampler`. Fail with C0021, C0022 and C0042.
Status read_image_argument(ArgumentSpec& argument, std::string_view text);
Status read_sampler_argument(ArgumentSpec& argument, std::string_view text);

/// "4x4": one number per dimension of the image.
std::string size_text(const ImageDescription& image);

/// Text of an argument for the parameter: "image 2d RGBA FLOAT 64x64". `size` is width, height, and depth or layers.
std::string image_template(const ImageParameterInfo& parameter,
                           const std::array<std::uint64_t, 3>& size);

}  // namespace transpire::launch
