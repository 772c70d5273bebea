// Changes to a compiled module before it is shown or handed on.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transpire/transpire.hpp"

namespace transpire::compiler {

/// Renames the source in the module's debug information, the log and the diagnostics: caches look
/// up the text alone, and users need to tell their sources apart. `from` is the name it was
/// compiled with.
void rename_source(CompiledSource& compiled, const std::string& from, const std::string& to);

/// Renames the files of the module's lines: `name` gets a file's name, without "./" in front, and
/// returns the new one. It is called for all strings of the module, and must return others
/// unchanged.
std::vector<std::byte> rename_files(std::span<const std::byte> module,
                                    const std::function<std::string(std::string_view)>& name);

/// The module with lines as its only debug information, for other tools.
std::vector<std::byte> without_debug_info(std::span<const std::byte> module);

}  // namespace transpire::compiler
