// The memory that a kernel declares for itself, in bytes: what clGetKernelWorkGroupInfo tells.
#pragma once

#include <cstdint>

#include "decoder/module.h"

namespace transpire::runtime {

struct KernelMemory {
  std::uint64_t local_bytes = 0;  ///< Workgroup variables, one after the other as their types align
  std::uint64_t private_bytes = 0;  ///< Function variables
};

/// Of a kernel's function and all that it calls, each function once.
KernelMemory kernel_memory(const decoder::Module& module, const decoder::Function& entry);

}  // namespace transpire::runtime
