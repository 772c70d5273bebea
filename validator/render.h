// From a check's Report to a Diagnostic: the place, notes and hint.
#pragma once

#include "decoder/view/place_renderer.h"
#include "validator/context.h"

namespace transpire::validator {

Diagnostic render(const Report& report, const PlaceRenderer& places);

}  // namespace transpire::validator
