// Text of a finding's operands: numbers, coordinates and texels.
#pragma once

#include <string>

#include "findings/findings.h"

namespace transpire::findings {

/// "operands: 7, 0", for vectors "operands: (7, 1), (0, 2)", "operand: 1e+30", for images "coordinates: (4, 0)"; empty if the
/// instruction tells none, or if the rule has notes of its own about them.
std::string describe_operands(const scheduler::Finding& found, const FindingContext& context);

/// The texel of an image at the finding's address: "(3, 1)", for a mipmap "(3, 1) of level 2"; empty if it names no image.
std::string spell_texel(const scheduler::Finding& found);

/// Help of TSP-R0070 and TSP-R0071: the first work-item's coordinates, level or sample, and how many the image has.
std::string outside_image_help(const scheduler::Finding& found, const FindingContext& context);

}  // namespace transpire::findings
