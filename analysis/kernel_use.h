// KernelUse: the features that a kernel and its callees use.
#pragma once

#include <cstdint>
#include <vector>

#include "decoder/module.h"

namespace transpire::analysis {

struct KernelUse {
  std::uint64_t local_bytes = 0;    ///< size of Workgroup variables, with alignment; 2^64 - 1 if it
                                    ///< does not fit; private_bytes likewise
  std::uint64_t private_bytes = 0;  ///< size of Function variables
  /// Uses a barrier, a group or sub-group instruction, a cooperative matrix, or Workgroup memory.
  bool needs_group = false;
  bool has_matrices = false;  ///< values of cooperative matrices
  /// Reads a built-in that depends on the work-group size.
  bool names_group = false;
  bool prints = false;

  /// True if a batch may contain work-items of several groups, and begin inside a group.
  bool may_flow() const { return !needs_group && !prints; }
  /// True if the kernel's results cannot depend on the work-group size.
  bool group_is_invisible() const { return !needs_group && !names_group; }
};

/// The uses of the module's kernels, in the order of ModuleInfo::kernels. Each callee counts once. Enqueued functions do not
/// count; see enqueued_functions().
std::vector<KernelUse> kernel_uses(const decoder::Module& module);
/// A function that the module's kernels enqueue or query, and its use.
struct EnqueuedFunction {
  decoder::Id id = 0;
  KernelUse use;
};
/// All such functions, without duplicates.
std::vector<EnqueuedFunction> enqueued_functions(const decoder::Module& module);

}  // namespace transpire::analysis
