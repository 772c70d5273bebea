// Finds the texel types that kernels read from and write to their image parameters.
#pragma once

#include <unordered_map>

#include "decoder/module.h"
#include "transpire/image.hpp"

namespace transpire::analysis {

/// Texel types of the image parameters of a module's kernels.
class TexelTypes {
 public:
  explicit TexelTypes(const decoder::Module& module);
  /// `parameter` is the id of a parameter of an entry point's function.
  TexelType of(decoder::Id parameter) const;

 private:
  std::unordered_map<decoder::Id, TexelType> types_;
};

/// True for OpenCL C before 2.0, which has no fences for images alone: fences for global memory order images, too.
inline bool lacks_image_fences(const decoder::Module& module) {
  return module.source_language == spv::SourceLanguage::OpenCL_C && module.source_version < 200'000;
}

}  // namespace transpire::analysis
