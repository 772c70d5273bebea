// printf as clang's own backend writes it: with a pointer to an array for its format, where OpenCL.std wants one to
// characters.
#pragma once

#include <cstddef>
#include <vector>

namespace transpire::compiler {

/// The module with pointers to the first character in place of those to arrays.
std::vector<std::byte> with_printf_formats(std::vector<std::byte> module);

}  // namespace transpire::compiler
