// Launches of kernels that nobody wrote: small arguments, few steps, little memory.
#pragma once

#include <optional>

#include "transpire/transpire.hpp"

namespace transpire::fuzz {

/// Stops the program with a message: a promise does not hold.
void require(bool condition, const char* what);

/// A launch with an argument for every parameter, of one work-item as long as nobody says
/// otherwise. Nothing when a parameter is too large for that.
std::optional<Launch> small_launch(const Module& module, const KernelInfo& kernel);

/// Gives the image the format and the faces that a shader's resource names; kernels take any.
void fit_shader(const ImageParameterInfo& wanted, ImageDescription& description);

}  // namespace transpire::fuzz
