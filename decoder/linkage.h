// The Linkage decorations of a module.
#pragma once

#include "decoder/module.h"

namespace transpire::decoder {

/// The decoration of an id that another module defines; null when none does.
inline const Decoration* import_of(const Module& module, Id id) {
  const Decoration* linkage = module.decoration(id, spv::Decoration::LinkageAttributes);
  const bool is_import =
      linkage != nullptr && !linkage->operands.empty() &&
      linkage->operands[0] == static_cast<std::uint32_t>(spv::LinkageType::Import);
  return is_import ? linkage : nullptr;
}

}  // namespace transpire::decoder
