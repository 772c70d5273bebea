// Linking modules that have names, which messages use.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace transpire::decoder {

/// As link() in decoder/module.h. `names`: how messages call the modules, one for each; those that several have get a number.
Result<std::vector<std::uint32_t>> link_named(
    const std::vector<std::vector<std::uint32_t>>& modules, std::vector<std::string> names,
    bool allow_unresolved);

/// Rewrites the linker's message on a symbol: names the modules that define and use it, and its types there.
Diagnostics explained(Diagnostics errors, const std::vector<std::vector<std::uint32_t>>& modules,
                      std::span<const std::string> names);

}  // namespace transpire::decoder
