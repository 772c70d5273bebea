// Finds the texel types that kernels read from and write to their image parameters.
#pragma once

#include <unordered_map>

#include "decoder/module.h"
#include "transpire/image.hpp"

namespace transpire::runtime {

/// Texel types of the image parameters of a module's kernels.
class TexelTypes {
 public:
  explicit TexelTypes(const decoder::Module& module);
  /// `parameter` is the id of a parameter of an entry point's function.
  TexelType of(decoder::Id parameter) const;

 private:
  std::unordered_map<decoder::Id, TexelType> types_;
};

}  // namespace transpire::runtime
