// What lowering is asked for.
#pragma once

#include <cstdint>

#include "vm/lir/budget.h"
#include "vm/simd/rounding.h"

namespace transpire::vm {

/// Of one work-item; a batch has at least 64.
inline constexpr std::uint64_t kMaxPrivateBytes = std::uint64_t{1} << 30;

/// What is known about the launch when a kernel is lowered. A Program is made for one value of it.
struct LowerOptions {
  std::uint32_t lanes = 64;  ///< W of the instruction set
  /// Several work-groups share a batch: group ids vary, Workgroup accesses add a per-lane base.
  bool packed = false;
  /// Consecutive lanes have consecutive GlobalId[0], and the other global and local ids are
  /// uniform. Not packed: the group is one row of work-items, or its size in x is a multiple of
  /// `lanes`, so LocalId[0] is consecutive too. Packed: the launch is one row of groups, each one
  /// row of work-items.
  bool linear_x = false;
  /// Every global id (offset included), size and local id is below 2^31.
  bool ids_fit_31_bits = true;
  bool check_ub = false;      ///< --check=ub: findings for division, shifts
  bool check_bounds = false;  ///< --check=bounds: findings for indexes outside their array's type
  bool check_sync = false;    ///< --check=sync: findings for asynchronous copies, group operands
  /// The OpenCL version by whose rules scopes and semantics that are no constants are judged: 12 to 30.
  std::uint32_t opencl_version = 30;
  std::uint32_t subgroup_size = 32;  ///< work-items of a full sub-group: a power of two, at most 64
  FloatControls float_controls;  ///< of half and float, where the kernel's execution modes say nothing
  bool count_instructions = false;   ///< count the work-items that execute each SPIR-V opcode
  bool record_results = false;       ///< note what made each stored value (ResultSite)
  /// Math functions are correctly rounded (vm/reference/): geometric functions become one op, and
  /// constants are folded by its handlers.
  bool reference_math = false;
  /// A buffer is bound to a constant argument and to one that is written: constant memory changes.
  bool constants_change = false;
  /// For a launch with an observer (vm/observe/observer.h).
  bool observed = false;
  bool optimise = true;       ///< false: no promotion, no uniform or affine values (reference path)
  /// After inlining, else L0003. Phis and blocks count as one, a call as sixteen.
  std::uint64_t max_instructions = 4'000'000;
  LowerLimits limits;  ///< of lowering itself, and of what it makes
};

}  // namespace transpire::vm
