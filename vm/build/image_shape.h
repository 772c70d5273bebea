// The types of images with a meaning: those that the environments of kernels and of compute shaders have.
#pragma once

#include <cstdint>
#include <string>

#include "decoder/module.h"

namespace transpire::vm::builder {

/// Coordinates of one texel of an image, without the layer, which a cube has, too; 0 of an unsupported Dim.
std::uint8_t image_dimensions(spv::Dim dim);

/// The unsupported part of an image type, for a message; empty if all of it is supported. `is_resource`: of shaders (Vulkan, "Validation
/// Rules within a Module"), else of kernels (OpenCL SPIR-V Environment, "Image types": a void Sampled Type, Sampled and Format unknown;
/// OpenCL C 2.0, "Other Built-in Data Types").
std::string unsupported_image(const decoder::Type& image, bool is_resource);

}  // namespace transpire::vm::builder
