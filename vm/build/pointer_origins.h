// Which parameters of the kernel pointers come from, whatever was chosen: by a select, by control flow, or by what was
// stored into a private variable.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/lir/lir.h"

namespace transpire::vm::builder {

enum class Origins : std::uint8_t {
  kAny,   ///< one of the wanted parameters, if it can only be these
  kSole,  ///< the one that it can only be
};

/// By value: 1 + the index of a parameter that it comes from; 0 where it may come from elsewhere.
std::vector<std::uint32_t> pointer_origins(lir::Function& function,
                                           bool (*is_wanted)(const Parameter&), Origins which);

/// Sole origins, among all pointer parameters.
inline std::vector<std::uint32_t> sole_origins(lir::Function& function) {
  return pointer_origins(
      function, [](const Parameter&) { return true; }, Origins::kSole);
}

}  // namespace transpire::vm::builder
