// Finds a place in the source for an instruction without a line of its own, such as a declaration,
// which belongs to the whole text.
#pragma once

#include <cstdint>

#include "decoder/view/module_view.h"

namespace transpire::decoder::view {

/// An instruction that has an OpLine, and uses the result of this one, needs the capability that it declares, or stands in
/// its function; kNone when there is none nearby.
std::uint32_t nearest_with_line(const ModuleView& view, std::uint32_t instruction);

}  // namespace transpire::decoder::view
