// Finds how kernels use the images and pipes that are their parameters.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>

#include "decoder/module.h"
#include "transpire/image.hpp"
#include "transpire/pipe.hpp"

namespace transpire::analysis {

class HandleUse {
 public:
  explicit HandleUse(const decoder::Module& module);
  /// Texel type that kernels read from and write to an image. `parameter` is the id of a parameter of an entry point's
  /// function.
  TexelType texels_of(decoder::Id parameter) const;
  /// Size and alignment of the packets of a pipe; likewise.
  PipeParameterInfo packets_of(decoder::Id parameter) const;

 private:
  std::unordered_map<decoder::Id, TexelType> texels_;
  std::unordered_map<decoder::Id, std::pair<std::uint32_t, std::uint32_t>> packets_;
};

/// True for OpenCL C before 2.0, which has no fences for images alone: fences for global memory order images, too.
inline bool lacks_image_fences(const decoder::Module& module) {
  return module.source_language == spv::SourceLanguage::OpenCL_C && module.source_version < 200'000;
}

}  // namespace transpire::analysis
