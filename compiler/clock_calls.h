// Clock reads in what llvm-spirv makes, which does not know the instruction.
#pragma once

#include <cstddef>
#include <vector>

namespace transpire::compiler {

/// The module with OpReadClockKHR in place of calls of the imported function
/// `ulong __spirv_ReadClockKHR(int scope)`.
std::vector<std::byte> with_clock_instructions(std::vector<std::byte> module);

}  // namespace transpire::compiler
