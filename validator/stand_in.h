// Finds a place in the source for an instruction without a line of its own, such as a declaration,
// which belongs to the whole text.
#pragma once

#include <cstdint>

#include "validator/module_view.h"

namespace transpire::validator {

/// An instruction that has a line, and uses what this one declares, needs the capability that it declares, or stands in
/// its function; kNone when there is none nearby.
std::uint32_t stand_in_for(const ModuleView& view, std::uint32_t instruction);

}  // namespace transpire::validator
