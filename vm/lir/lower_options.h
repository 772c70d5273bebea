// The options of lowering.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "transpire/launch_settings.hpp"
#include "vm/lir/budget.h"
#include "vm/simd/kind.h"
#include "vm/simd/rounding.h"

namespace transpire::vm {

/// For one work-item; a batch has at least 64.
inline constexpr std::uint64_t kMaxPrivateBytes = std::uint64_t{1} << 30;

/// Size of a full sub-group, unless the kernel or the launch says otherwise.
inline constexpr std::uint32_t kSubgroupItems = 32;

/// How a launch's work-items lie in batches: the part of the scheduler's geometry that a Program
/// depends on.
struct BatchLayout {
  /// Several work-groups share a batch: group ids vary, Workgroup accesses add a per-lane base.
  bool packed = false;
  /// Consecutive lanes have consecutive GlobalId[0], and the other global and local ids are
  /// uniform. Not packed: the group is one row of work-items, or its size in x is a multiple of
  /// `lanes`, so LocalId[0] is consecutive too. Packed: the launch is one row of groups, each one
  /// row of work-items.
  bool linear_x = false;
  /// Every global id (offset included), size and local id has at most so many bits: 24, 28, 31, or 64 for any. Products of
  /// small ones with constants are then known to fit 32 bits.
  std::uint32_t id_bits = 31;

  friend auto operator<=>(const BatchLayout&, const BatchLayout&) = default;
};

/// Facts beside the settings: a launch's arguments and wishes decide them.
struct LaunchFacts {
  bool record_results = false;  ///< note the operations that made each stored value (ResultSite)
  /// A buffer is bound to a constant argument and to one that is written: constant memory changes.
  bool constants_change = false;
  /// The launch's accesses are compared with other launches', so observers also get reads of images
  /// that it does not write.
  bool announces_all_images = false;

  friend auto operator<=>(const LaunchFacts&, const LaunchFacts&) = default;
};

/// A number of poisoned memory: bytes kPoison. A boolean there is true.
constexpr std::uint64_t poison_bits(Kind kind) {
  constexpr std::uint64_t kAll = 0x0101010101010101u * static_cast<std::uint64_t>(kPoison);
  return kind == Kind::kBool ? 1 : kAll >> (64 - width_bits(kind));
}

/// The facts about a launch that lowering uses. A Program is made for one value of this.
struct LowerOptions : LaunchSettings, BatchLayout, LaunchFacts {
  std::uint32_t lanes = 64;  ///< W of the instruction set
  /// Size of a full sub-group in enqueued kernels without execution modes of their own for it.
  std::uint32_t enqueued_subgroup_items = kSubgroupItems;
  /// By parameter of the kernel: no writing through it, as if it were decorated NoWrite. Missing
  /// entries: false.
  std::vector<bool> const_parameters{};
  /// After inlining, else L0003. Phis and blocks count as one, a call as sixteen.
  std::uint64_t max_instructions = 4'000'000;
  LowerLimits limits;  ///< for lowering itself and for its result

  /// Promotion, uniform and affine values; not on the reference path.
  bool optimises() const { return !reference; }
  /// The program knows the places of values and variables: variables stay in memory, and remaining
  /// values have registers of their own.
  bool keeps_values() const { return observed && debug_info; }
  /// Observers get loads and stores as rows (vm/observe/observer.h), which stay on the fast path.
  bool announces_rows() const { return watched() && !observed; }
  /// Math functions are correctly rounded (vm/reference/): geometric functions become one op, and
  /// constants are folded by its handlers.
  bool reference_math() const { return math == Math::kReference; }
  /// Work-items of a full sub-group: a power of two, at most 64.
  std::uint32_t subgroup_items() const {
    return subgroup_size == 0 ? kSubgroupItems : subgroup_size;
  }
  /// For half and float, unless the kernel's execution modes say otherwise.
  FloatControls float_controls() const {
    const bool truncates = rounding == transpire::Rounding::kTowardsZero;
    return {truncates ? Rounding::kRtz : Rounding::kRte, flush_denorms};
  }
};

}  // namespace transpire::vm
