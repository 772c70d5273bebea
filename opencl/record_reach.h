// What a kernel may execute, with all that it calls and enqueues: records leave out what cannot be the same again.
#pragma once

#include <cstdint>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string_view>

namespace transpire::opencl {

/// Whether such an instruction is among it. `words` are a module's that was loaded.
bool may_execute(std::span<const std::uint32_t> words, std::string_view kernel, spv::Op op);

}  // namespace transpire::opencl
