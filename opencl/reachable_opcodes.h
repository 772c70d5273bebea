// Says whether a kernel may execute an opcode, in any function that it calls or enqueues. Records
// ask: they omit the results of kernels that another run would not repeat.
#pragma once

#include <cstdint>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string_view>

namespace transpire::opencl {

/// True if the kernel may execute an instruction with this opcode. `words` are those of a loaded
/// module.
bool may_execute(std::span<const std::uint32_t> words, std::string_view kernel, spv::Op op);

}  // namespace transpire::opencl
