// Images and samplers of launches: the public descriptions and what the engine has of them.
#pragma once

#include "memory/image.h"
#include "memory/sampler.h"
#include "transpire/image.hpp"

namespace transpire::runtime {

/// What a BufferState that is an image has besides its bytes.
struct ImageState {
  memory::Image image;  ///< its `texels` are the buffer's bytes
  ImageDescription description;
};

memory::Sampler sampler_of(const Sampler& sampler);

}  // namespace transpire::runtime
