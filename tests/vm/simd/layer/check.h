// check_layer() of each instruction set tells what its vector layer does otherwise than plain code.
#pragma once

#include <cstdint>

namespace transpire::vm::test {

/// check_layer() returns how many values it compared. A report is of the lane type's size, and the number of a lane.
using Report = void (*)(const char* what, std::uint32_t bytes, std::uint32_t lane);

}  // namespace transpire::vm::test
