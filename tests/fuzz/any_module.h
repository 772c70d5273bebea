// Modules of any bytes, loaded through the public interface: what is unsupported is asked for every kernel, which is launched
// with small arguments and limits on the optimised and the reference path. A kernel of one work-item cannot race, so both
// paths must leave the same bytes and text. (Not the same findings: the optimised path makes equal loads once.) What must hold is
// checked on the way; a promise that does not ends the program.
#pragma once

#include <cstddef>
#include <span>

namespace transpire::fuzz {

/// True if the module is loaded. `number` chooses the instruction set.
bool load_any(std::span<const std::byte> bytes, std::size_t number);

}  // namespace transpire::fuzz
