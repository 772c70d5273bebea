#include "races/availability.h"

#include <algorithm>

namespace transpire::races {
namespace {

using vm::Sharing;
using vm::exec::Unshared;

constexpr std::uint32_t kMakeAvailable = 0x2000, kMakeVisible = 0x4000;

/// True for scopes that hold work-items of other groups. The builder has made Device of QueueFamily.
bool is_wide(std::uint32_t scope) { return scope <= kDevice; }

/// True if the scope may hold two work-items, which are of one group or not.
bool may_hold(std::uint32_t scope, bool in_group) {
  return is_wide(scope) || (in_group && (scope == kWorkgroup || scope == kSubgroup));
}

}  // namespace

void Availability::Operations::note(Time time, std::uint32_t semantics, std::uint32_t scope) {
  if ((semantics & kMakeAvailable) != 0) {
    available = time;
    if (is_wide(scope)) widely_available = time;
  }
  if ((semantics & kMakeVisible) == 0) return;
  visible = time;
  if (is_wide(scope) && widely_visible == 0) widely_visible = time;
}

/// The notes of a group for an operation with these semantics. Null if there is nothing to note.
Availability::Group* Availability::note_in(std::uint64_t group, std::uint32_t semantics) {
  if (gave_up_ || (semantics & (kMakeAvailable | kMakeVisible)) == 0) return nullptr;
  const auto [found, is_new] = groups_.try_emplace(group);
  if (is_new) pay(found->second, sizeof(*found) + 4 * sizeof(void*));
  return gave_up_ ? nullptr : &found->second;
}

/// Pays for notes of a group. All notes are lost if memory runs out.
void Availability::pay(Group& group, std::uint64_t bytes) {
  if (group.charge.take(budget_, bytes)) return;
  gave_up_ = true;
  groups_.clear();
}

void Availability::group_met(std::uint64_t group, std::uint32_t barriers, std::uint32_t semantics,
                             std::uint32_t scope) {
  Group* const known = note_in(group, semantics);
  if (known == nullptr) return;
  const auto named = Semantics::decode(semantics).memories;
  const Time time = 2 * Time{barriers} + 1;
  for (std::size_t m = 0; m < kMemories; ++m) {
    if (!named[m]) continue;
    known->in[m].barriers.note(time, semantics, scope);
    if ((semantics & kMakeAvailable) != 0) known->in[m].available.push_back(time);
  }
  pay(*known, kMemories * sizeof(Time));
}

void Availability::fence(std::uint64_t group, const Stamp& now, std::uint32_t semantics,
                         std::uint32_t scope) {
  Group* const known = note_in(group, semantics);
  if (known == nullptr) return;
  const auto [item, is_new] = known->items.try_emplace(now.item);
  const auto named = Semantics::decode(semantics).memories;
  for (std::size_t m = 0; m < kMemories; ++m) {
    if (!named[m]) continue;
    item->second[m].note(Time{now.clock} + 1, semantics, scope);
    known->in[m].items.note(2 * Time{now.barriers}, semantics, scope);
  }
  if (is_new) pay(*known, sizeof(*item) + 2 * sizeof(void*));
}

void Availability::group_ends(std::uint64_t group) {
  const auto found = groups_.find(group);
  if (found == groups_.end()) return;
  const bool is_wide = std::ranges::any_of(found->second.in, [](const Group::In& each) {
    return each.barriers.widely_available != 0 || each.items.widely_available != 0;
  });
  if (!is_wide) groups_.erase(found);
}

const Availability::Group* Availability::find(std::uint64_t group) const {
  const auto found = groups_.find(group);
  return found == groups_.end() ? nullptr : &found->second;
}

Availability::Operations Availability::own(const Group& group, std::uint32_t item, Memory memory) {
  const auto found = group.items.find(item);
  return found == group.items.end() ? Operations{} : found->second[index(memory)];
}

/// The time since when a store is available to its group.
Availability::Time Availability::available_since(const End& store, Memory memory) const {
  const Time made = 2 * Time{store.stamp.barriers};
  if (store.sharing.kind != Sharing::Kind::kShared || may_hold(store.sharing.scope, true))
    return made;
  const Group* const group = find(store.group);
  if (group == nullptr) return kNever;
  if (own(*group, store.stamp.item, memory).available > store.stamp.clock) return made;
  const std::vector<Time>& all = group->in[index(memory)].available;
  const auto next = std::lower_bound(all.begin(), all.end(), made);
  return next == all.end() ? kNever : *next;
}

bool Availability::is_available(const End& store, bool in_group, Memory memory) const {
  const Time since = available_since(store, memory);
  if (in_group) return since != kNever;
  if (store.sharing.kind != Sharing::Kind::kShared || is_wide(store.sharing.scope)) return true;
  const Group* const group = find(store.group);
  if (group == nullptr) return false;
  const Group::In& known = group->in[index(memory)];
  return own(*group, store.stamp.item, memory).widely_available > store.stamp.clock ||
         known.barriers.widely_available >= 2 * Time{store.stamp.barriers} ||
         known.items.widely_available >= since;
}

bool Availability::is_visible(const End& store, const End& load, bool in_group,
                              Memory memory) const {
  if (load.sharing.kind != Sharing::Kind::kShared || may_hold(load.sharing.scope, in_group))
    return true;
  const Group* const group = find(load.group);
  if (group == nullptr) return false;
  const Group::In& known = group->in[index(memory)];
  const Operations own = Availability::own(*group, load.stamp.item, memory);
  if (in_group) return own.visible != 0 || known.barriers.visible >= available_since(store, memory);
  if (own.widely_visible != 0 || known.barriers.widely_visible != 0) return true;
  const Time came = known.items.widely_visible;
  return came != 0 &&
         (own.visible != 0 || may_hold(load.sharing.scope, true) || known.barriers.visible >= came);
}

Unshared Availability::missing(const End& earlier, const End& later, Memory memory) const {
  using Kind = Sharing::Kind;
  const bool in_group = earlier.group == later.group;
  if (vm::is_atomic(earlier.kind) && vm::is_atomic(later.kind)) return Unshared::kNone;
  if (later.sharing.kind == Kind::kPrivate) return Unshared::kOwnPrivate;
  if (earlier.sharing.kind == Kind::kPrivate) return Unshared::kOtherPrivate;
  if (!does_write(earlier.kind)) return Unshared::kNone;
  const bool loads = later.kind == vm::AccessKind::kLoad;
  if (loads && earlier.sharing.kind == Kind::kIncoherent) return Unshared::kOtherIncoherent;
  if (loads && later.sharing.kind == Kind::kIncoherent) return Unshared::kOwnIncoherent;
  if (gave_up_) return Unshared::kNone;
  if (!is_available(earlier, in_group, memory)) return Unshared::kNotAvailable;
  const bool reads =
      later.kind != vm::AccessKind::kStore && later.kind != vm::AccessKind::kAtomicStore;
  if (reads && !is_visible(earlier, later, in_group, memory)) return Unshared::kNotVisible;
  return Unshared::kNone;
}

std::uint32_t Availability::shares_until(std::uint64_t group, Memory memory) const {
  const Group* const found = find(group);
  if (found == nullptr) return 0;
  const Group::In& known = found->in[index(memory)];
  const auto behind =
      std::upper_bound(known.available.begin(), known.available.end(), known.barriers.visible);
  return behind == known.available.begin() ? 0 : static_cast<std::uint32_t>(*std::prev(behind) / 2);
}

}  // namespace transpire::races
