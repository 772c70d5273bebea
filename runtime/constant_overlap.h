// Finds memory that one argument of a launch declares constant and another argument may write.
#pragma once

#include <vector>

#include "transpire/transpire.hpp"
#include "vm/program/program.h"

namespace transpire::runtime {

/// A finding R0029 for each pair of arguments with overlapping bytes: one constant, the other a buffer or image that the
/// kernel may write. The arguments have passed check_arguments().
std::vector<Finding> find_constant_overlaps(const Launch& launch, const vm::Program& program);

}  // namespace transpire::runtime
