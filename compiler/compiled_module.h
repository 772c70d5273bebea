// What becomes of a module that was compiled, for those who show it and those who hand it on.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "transpire/transpire.hpp"

namespace transpire::compiler {

/// Another name for the source, in the module's debug information, the log and the diagnostics: caches are asked by the
/// text alone, and people tell apart what they made. `from` is what the source was compiled as.
void rename_source(CompiledSource& compiled, const std::string& from, const std::string& to);

/// The module without debug information but its lines, for other tools.
std::vector<std::byte> without_debug_info(std::span<const std::byte> module);

}  // namespace transpire::compiler
