// Before linking: symbols of linkage LinkOnceODR.
#pragma once

#include <cstdint>
#include <spirv/unified1/spirv.hpp11>
#include <vector>

namespace transpire::decoder {

/// Makes the first definition of each such symbol an export, unless a module exports the name anyway. The
/// others' variables become imports, and their functions the module's own. Words that do not decode
/// may stay as they are.
void keep_one_definition(std::vector<std::vector<std::uint32_t>>& modules);

}  // namespace transpire::decoder
