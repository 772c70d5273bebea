// Images and samplers of launches: converts public descriptions to the engine's.
#pragma once

#include "memory/image.h"
#include "memory/sampler.h"
#include "transpire/image.hpp"

namespace transpire::runtime {

/// Part of a BufferState that is an image, besides its bytes.
struct ImageState {
  memory::Image image;  ///< its `texels` are the buffer's bytes
  ImageDescription description;
};

memory::Sampler sampler_of(const Sampler& sampler);

}  // namespace transpire::runtime
