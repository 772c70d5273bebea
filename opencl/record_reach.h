// The instructions that a kernel may execute, with all functions that it calls and enqueues.
// Records omit results that cannot be repeated.
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
