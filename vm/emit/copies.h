// The copies of an edge happen at once; this puts them one behind the other.
#pragma once

#include <cstdint>
#include <vector>

namespace transpire::vm::emission {

/// A copy from one place to another, by their offsets in the register block. If several copies have the same target,
/// no copy reads it.
struct PlaceCopy {
  std::uint32_t target = 0, source = 0;
};

struct CopyStep {
  enum class What : std::uint8_t {
    kCopy,       ///< makes the copy
    kSave,       ///< moves the old value of the copy's target to the temporary of its kind
    kCopySaved,  ///< makes the copy from the temporary, to which its source was moved
  };
  std::uint32_t copy = 0;  ///< index of the copy
  What what = What::kCopy;
};

/// The steps that have the effect of all copies at once. No copy has its source for a target.
std::vector<CopyStep> order_copies(const std::vector<PlaceCopy>& copies);

}  // namespace transpire::vm::emission
