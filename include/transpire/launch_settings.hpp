// How a launch computes and what it is checked for: one value from the interface down to lowering.
#pragma once

#include <compare>
#include <cstdint>

namespace transpire {

/// How results of floating-point arithmetic are rounded.
enum class Rounding { kToNearestEven, kTowardsZero };

/// How OpenCL.std's math and geometric functions, and OpDot, are computed.
enum class Math {
  kFast,       ///< within the specification's bounds
  kReference,  ///< correctly rounded, by GNU MPFR where double does not settle it: refused with C0034
               ///< on a machine without it
};

struct LaunchSettings {
  /// Work-items of a full sub-group, unless the kernel says: 8, 16, 32 or 64; 0 = 32
  std::uint32_t subgroup_size = 0;
  /// Of half and float, where neither the kernel nor the instruction says: what devices of the embedded
  /// profile may do. Double always rounds to nearest and keeps denormals.
  Rounding rounding = Rounding::kToNearestEven;
  bool flush_denorms = false;  ///< denormals of half and float count as zeros
  bool check_ub = false;       ///< findings for undefined results of division and shifts
  bool check_bounds = false;   ///< findings for indexes outside their array's type
  bool check_sync = false;     ///< findings for asynchronous copies, operands of group instructions
  bool count_instructions = false;  ///< fills LaunchResult::instruction_counts
  Math math = Math::kFast;
  bool reference = false;  ///< no lowering optimisations: the path that others are tested against
  /// Every instruction and access goes the slow way that observers are told of, on one thread; results
  /// and findings are those of any other launch on one thread.
  bool observed = false;
  bool debug_info = false;  ///< of what is observed: values and variables can be read while it runs
  /// The OpenCL version by whose rules scopes and memory semantics that are no constants are judged: 12, 20, 21,
  /// 22 or 30. Findings have the validator's rules (docs/validator.md).
  std::uint32_t opencl_version = 30;

  friend auto operator<=>(const LaunchSettings&, const LaunchSettings&) = default;
};

}  // namespace transpire
