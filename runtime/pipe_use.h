// What kernels say of the packets of pipes that are their parameters.
#pragma once

#include <unordered_map>

#include "decoder/module.h"
#include "transpire/pipe.hpp"

namespace transpire::runtime {

class PacketSizes {
 public:
  explicit PacketSizes(const decoder::Module& module);
  /// By the id of the parameter of an entry point's function.
  PipeParameterInfo of(decoder::Id parameter) const;

 private:
  std::unordered_map<decoder::Id, PipeParameterInfo> sizes_;
};

}  // namespace transpire::runtime
