#include "races/availability.h"

#include <algorithm>

namespace transpire::races {
namespace {

using vm::Sharing;
using vm::exec::Unshared;

constexpr std::uint32_t kMakeAvailable = 0x2000, kMakeVisible = 0x4000;

/// True for scopes that hold work-items of other groups.
bool is_wide(std::uint32_t scope) {
  constexpr std::uint32_t kQueueFamily = 5;
  return scope <= kDevice || scope == kQueueFamily;
}

/// True if the scope may hold two work-items, which are of one group or not.
bool may_hold(std::uint32_t scope, bool in_group) {
  return is_wide(scope) || (in_group && (scope == kWorkgroup || scope == kSubgroup));
}

}  // namespace

void Availability::group_met(std::uint64_t group, std::uint32_t barriers, std::uint32_t semantics,
                             std::uint32_t scope) {
  if ((semantics & (kMakeAvailable | kMakeVisible)) == 0) return;
  const auto named = Semantics::decode(semantics).memories;
  Group& all = groups_[group];
  for (std::size_t m = 0; m < kMemories; ++m) {
    if (!named[m]) continue;
    Memories& known = all[m];
    if ((semantics & kMakeAvailable) != 0) {
      known.available.push_back(barriers);
      if (is_wide(scope)) known.widely_available = barriers;
    }
    if ((semantics & kMakeVisible) == 0) continue;
    known.visible = barriers;
    known.widely_visible |= is_wide(scope);
  }
}

void Availability::fence(std::uint32_t item, std::uint32_t clock, std::uint32_t semantics,
                         std::uint32_t scope) {
  if ((semantics & (kMakeAvailable | kMakeVisible)) == 0) return;
  const auto named = Semantics::decode(semantics).memories;
  Item& all = items_[item];
  for (std::size_t m = 0; m < kMemories; ++m) {
    if (!named[m]) continue;
    Operations& known = all[m];
    if ((semantics & kMakeAvailable) != 0) {
      known.available = clock + 1;
      if (is_wide(scope)) known.widely_available = clock + 1;
    }
    if ((semantics & kMakeVisible) == 0) continue;
    known.visible = true;
    known.widely_visible |= is_wide(scope);
  }
}

void Availability::group_ends(std::uint64_t group) {
  const auto found = groups_.find(group);
  if (found == groups_.end()) return;
  const bool is_wide = std::ranges::any_of(
      found->second, [](const Memories& each) { return each.widely_available != 0; });
  if (!is_wide) groups_.erase(found);
}

const Availability::Memories* Availability::find(std::uint64_t group, Memory memory) const {
  const auto found = groups_.find(group);
  return found == groups_.end() ? nullptr : &found->second[index(memory)];
}

const Availability::Operations* Availability::find(std::uint32_t item, Memory memory) const {
  const auto found = items_.find(item);
  return found == items_.end() ? nullptr : &found->second[index(memory)];
}

bool Availability::is_available(const End& store, bool in_group, Memory memory) const {
  if (store.sharing.kind != Sharing::Kind::kShared || may_hold(store.sharing.scope, in_group))
    return true;
  if (const Operations* own = find(store.stamp.item, memory))
    if ((in_group ? own->available : own->widely_available) > store.stamp.clock) return true;
  const Memories* const group = find(store.group, memory);
  if (group == nullptr) return false;
  if (!in_group) return group->widely_available >= store.stamp.barriers;
  return !group->available.empty() && group->available.back() >= store.stamp.barriers;
}

bool Availability::is_visible(const End& store, const End& load, bool in_group,
                              Memory memory) const {
  if (load.sharing.kind != Sharing::Kind::kShared || may_hold(load.sharing.scope, in_group))
    return true;
  if (const Operations* own = find(load.stamp.item, memory))
    if (in_group ? own->visible : own->widely_visible) return true;
  const Memories* const group = find(load.group, memory);
  if (group == nullptr) return false;
  if (!in_group) return group->widely_visible;
  // Operations of the store's work-item may have made it available before any barrier did.
  std::uint32_t available = store.stamp.barriers;
  const bool by_barrier = store.sharing.kind == Sharing::Kind::kShared &&
                          !may_hold(store.sharing.scope, true) &&
                          find(store.stamp.item, memory) == nullptr;
  if (by_barrier)
    available =
        *std::lower_bound(group->available.begin(), group->available.end(), store.stamp.barriers);
  return group->visible >= available;
}

Unshared Availability::missing(const End& earlier, const End& later, Memory memory) const {
  using Kind = Sharing::Kind;
  const bool in_group = earlier.group == later.group;
  if (later.sharing.kind == Kind::kPrivate) return Unshared::kOwnPrivate;
  if (earlier.sharing.kind == Kind::kPrivate) return Unshared::kOtherPrivate;
  if (!does_write(earlier.kind)) return Unshared::kNone;
  const bool loads = later.kind == vm::AccessKind::kLoad;
  if (loads && earlier.sharing.kind == Kind::kIncoherent) return Unshared::kOtherIncoherent;
  if (loads && later.sharing.kind == Kind::kIncoherent) return Unshared::kOwnIncoherent;
  if (!is_available(earlier, in_group, memory)) return Unshared::kNotAvailable;
  if (loads && !is_visible(earlier, later, in_group, memory)) return Unshared::kNotVisible;
  return Unshared::kNone;
}

}  // namespace transpire::races
