// Where a kernel, or what it calls, loads or stores through one of its parameters, as its module says.
#pragma once

#include <cstdint>
#include <optional>

#include "decoder/module.h"
#include "vm/program/source.h"

namespace transpire::runtime {

/// The first such instruction of the module, by its place; none where none is found. Pointers are followed through what moves
/// them, calls, and private variables that hold nothing else.
std::optional<vm::Source> find_access(const decoder::Module& module, decoder::Id kernel,
                                      std::size_t parameter, bool stores);

}  // namespace transpire::runtime
