// The types of images with a meaning: those that the OpenCL environment has.
#pragma once

#include <cstdint>
#include <string>

#include "decoder/module.h"

namespace transpire::vm::builder {

/// Coordinates of one texel of an image, without the layer; 0 of a Dim that OpenCL has not.
std::uint8_t image_dimensions(spv::Dim dim);

/// The unsupported part of an image type, for a message; empty if all of it is supported (OpenCL
/// SPIR-V Environment, "Image types": a void Sampled Type, Sampled and Format unknown; OpenCL C
/// 2.0, "Other Built-in Data Types").
std::string unsupported_image(const decoder::Type& image);

}  // namespace transpire::vm::builder
