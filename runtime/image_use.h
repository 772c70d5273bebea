// What kernels do with the images that are their parameters.
#pragma once

#include <unordered_map>

#include "decoder/module.h"
#include "transpire/image.hpp"

namespace transpire::runtime {

/// As what texels are read and written of the images that are kernels' parameters.
class TexelTypes {
 public:
  explicit TexelTypes(const decoder::Module& module);
  /// By the id of the parameter of an entry point's function.
  TexelType of(decoder::Id parameter) const;

 private:
  std::unordered_map<decoder::Id, TexelType> types_;
};

}  // namespace transpire::runtime
