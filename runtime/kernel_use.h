// What a kernel makes use of, itself and in what it calls.
#pragma once

#include <cstdint>
#include <vector>

#include "decoder/module.h"

namespace transpire::runtime {

struct KernelUse {
  std::uint64_t local_bytes =
      0;  ///< Workgroup variables, one after the other as their types align; as
          ///< private_bytes 2^64 - 1 when they are more
  std::uint64_t private_bytes = 0;  ///< Function variables
  /// A barrier, an instruction of a group or sub-group, Workgroup memory.
  bool needs_group = false;
  /// A built-in that tells how work-items are grouped.
  bool names_group = false;
  bool prints = false;

  /// Whether batches need not begin where groups do.
  bool may_flow() const { return !needs_group && !prints; }
  /// Whether nothing that the kernel does can tell how work-items are grouped.
  bool group_is_invisible() const { return !needs_group && !names_group; }
};

/// Of the module's kernels, in the order of ModuleInfo::kernels. Each function counts once; what is enqueued counts for
/// itself.
std::vector<KernelUse> kernel_uses(const decoder::Module& module);
/// The functions that the module's kernels enqueue or ask about, each once, and what each makes use of.
struct EnqueuedFunction {
  decoder::Id id = 0;
  KernelUse use;
};
std::vector<EnqueuedFunction> enqueued_functions(const decoder::Module& module);

}  // namespace transpire::runtime
