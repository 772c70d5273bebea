// What lowering is asked for.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "transpire/launch_settings.hpp"
#include "vm/lir/budget.h"
#include "vm/simd/kind.h"
#include "vm/simd/rounding.h"

namespace transpire::vm {

/// Of one work-item; a batch has at least 64.
inline constexpr std::uint64_t kMaxPrivateBytes = std::uint64_t{1} << 30;

/// Of a full sub-group, where neither the kernel nor the launch says.
inline constexpr std::uint32_t kSubgroupItems = 32;

/// How a launch's work-items lie in batches: what the scheduler's geometry decides of a Program.
struct BatchLayout {
  /// Several work-groups share a batch: group ids vary, Workgroup accesses add a per-lane base.
  bool packed = false;
  /// Consecutive lanes have consecutive GlobalId[0], and the other global and local ids are
  /// uniform. Not packed: the group is one row of work-items, or its size in x is a multiple of
  /// `lanes`, so LocalId[0] is consecutive too. Packed: the launch is one row of groups, each one
  /// row of work-items.
  bool linear_x = false;
  /// Every global id (offset included), size and local id is below 2^31.
  bool ids_fit_31_bits = true;

  friend auto operator<=>(const BatchLayout&, const BatchLayout&) = default;
};

/// A number of poisoned memory: bytes kPoison. A boolean there is true.
constexpr std::uint64_t poison_bits(Kind kind) {
  constexpr std::uint64_t kAll = 0x0101010101010101u * static_cast<std::uint64_t>(kPoison);
  return kind == Kind::kBool ? 1 : kAll >> (64 - width_bits(kind));
}

/// What is known about the launch when a kernel is lowered. A Program is made for one value of it.
struct LowerOptions : LaunchSettings, BatchLayout {
  std::uint32_t lanes = 64;     ///< W of the instruction set
  bool record_results = false;  ///< note what made each stored value (ResultSite)
  /// A buffer is bound to a constant argument and to one that is written: constant memory changes.
  bool constants_change = false;
  /// What the launch touches is compared with others: reads of images that it does not write are told of as well.
  bool tells_all_images = false;
  /// Work-items of a full sub-group of what the kernel enqueues: its own execution modes are none of theirs.
  std::uint32_t enqueued_subgroup_items = kSubgroupItems;
  /// By parameter of the kernel: it may not be written through, as if it were decorated NoWrite. Fewer: those are free.
  std::vector<bool> const_parameters{};
  /// After inlining, else L0003. Phis and blocks count as one, a call as sixteen.
  std::uint64_t max_instructions = 4'000'000;
  LowerLimits limits;  ///< of lowering itself, and of what it makes

  /// Promotion, uniform and affine values; not on the reference path.
  bool optimises() const { return !reference; }
  /// The program says where values and variables are: variables stay in memory, and values that are left have
  /// registers of their own.
  bool keeps_values() const { return observed && debug_info; }
  /// Loads and stores are told of as rows (vm/observe/observer.h), and go the fast way.
  bool tells_rows() const { return watched() && !observed; }
  /// Math functions are correctly rounded (vm/reference/): geometric functions become one op, and
  /// constants are folded by its handlers.
  bool reference_math() const { return math == Math::kReference; }
  /// Work-items of a full sub-group: a power of two, at most 64.
  std::uint32_t subgroup_items() const {
    return subgroup_size == 0 ? kSubgroupItems : subgroup_size;
  }
  /// Of half and float, where the kernel's execution modes say nothing.
  FloatControls float_controls() const {
    const bool truncates = rounding == transpire::Rounding::kTowardsZero;
    return {truncates ? Rounding::kRtz : Rounding::kRte, flush_denorms};
  }
};

}  // namespace transpire::vm
