// Finds the packet sizes that kernels use for their pipe parameters.
#pragma once

#include <unordered_map>

#include "decoder/module.h"
#include "transpire/pipe.hpp"

namespace transpire::analysis {

class PacketSizes {
 public:
  explicit PacketSizes(const decoder::Module& module);
  /// `parameter` is the id of a parameter of an entry point's function.
  PipeParameterInfo of(decoder::Id parameter) const;

 private:
  std::unordered_map<decoder::Id, PipeParameterInfo> sizes_;
};

}  // namespace transpire::analysis
