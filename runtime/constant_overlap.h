// Memory that is constant by one argument of a launch and written by another.
#pragma once

#include <vector>

#include "transpire/transpire.hpp"
#include "vm/program/program.h"

namespace transpire::runtime {

/// A finding R0029 for each pair of a constant argument and one that the kernel may store through or
/// an image that it may write, whose bytes overlap. Both are bound as the program's parameters want them.
std::vector<Finding> find_constant_overlaps(const Launch& launch, const vm::Program& program);

}  // namespace transpire::runtime
