// What becomes of a module that was compiled, for those who show it and those who hand it on.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transpire/transpire.hpp"

namespace transpire::compiler {

/// Another name for the source, in the module's debug information, the log and the diagnostics: caches are asked by the
/// text alone, and people tell apart what they made. `from` is what the source was compiled as.
void rename_source(CompiledSource& compiled, const std::string& from, const std::string& to);

/// Other names for the files that the module's lines are of: `name` gets one, without "./" in front, and gives the one to
/// write. It is asked of all strings of the module, and must leave those alone that are no file's.
std::vector<std::byte> rename_files(std::span<const std::byte> module,
                                    const std::function<std::string(std::string_view)>& name);

/// The module without debug information but its lines, for other tools.
std::vector<std::byte> without_debug_info(std::span<const std::byte> module);

}  // namespace transpire::compiler
