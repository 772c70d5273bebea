#include "races/happens_before.h"

#include <algorithm>

namespace transpire::races {
namespace {

constexpr Memory kAll[] = {Memory::kLocal, Memory::kGlobal, Memory::kImage};

/// The most epochs of a launch: barriers of groups, and begins of groups.
constexpr std::uint32_t kMostEpochs = 0x7fffffffu;
/// Bytes of a hash table's node in addition to its value.
constexpr std::uint64_t kNodeBytes = 64;
/// Bytes of a meeting, see HappensBefore::arrive().
constexpr std::uint64_t kMeetingBytes =
    sizeof(std::uint64_t) + kMemories * sizeof(Clocks) + kNodeBytes;
/// Bytes of a release sequence for each of its work-items.
constexpr std::uint64_t kHeadBytes = sizeof(std::uint32_t) + sizeof(Clocks) + kNodeBytes;

/// Number of the work-group of a scope instance, which must be a work-group or a sub-group.
std::uint64_t group_of(const ScopeInstance& where) {
  return where.scope == kWorkgroup ? where.number : where.number >> 32;
}

/// Keys of a group in vector clocks: its barriers, its copies, and the releases of its work-items.
struct GroupKeys {
  GroupKeys(std::uint64_t group, std::uint32_t group_items)
      : barriers(group * (std::uint64_t{group_items} + 2)), copies(barriers + 1) {}
  std::uint64_t item(std::uint64_t local) const { return copies + 1 + local; }
  std::uint64_t barriers, copies;
};

}  // namespace

void HappensBefore::charge_launch(std::uint64_t bytes) {
  if (budget_ != nullptr && !budget_->take(bytes)) gave_up_ = true;
}

void HappensBefore::charge_group(std::uint64_t bytes) {
  if (!group_.charge.take(budget_, bytes)) gave_up_ = true;
}

void HappensBefore::group_begins(std::uint64_t group) {
  ++views_;
  start_ = resume_epoch_ = epoch() + 1;
  if (start_ > kMostEpochs) gave_up_ = true;
  if (group == starts_.size()) {
    charge_launch(sizeof(std::uint32_t));
    starts_.push_back(start_);
  } else {
    charge_launch(4 * sizeof(std::uint64_t));
    other_starts_[group] = start_;
  }
  std::vector<ItemState> items = std::move(group_.items);
  group_ = {};
  group_.number = group;
  group_.start = start_;
  group_.items = std::move(items);
  if (uses_item_clocks_) group_.items.assign(group_items_, {});
}

/// Bytes of a group that was set aside.
std::uint64_t HappensBefore::set_aside_bytes() const {
  return sizeof(Group) + group_items_ * sizeof(ItemState);
}

void HappensBefore::set_aside() {
  use_item_clocks();  // order by barriers of whole groups alone requires that groups run one after the other
  const std::uint32_t last = epoch();
  charge_group(set_aside_bytes());
  Group& kept = set_aside_[group_.number];
  kept = std::exchange(group_, {});
  start_ = last - group_.barriers;
}

void HappensBefore::group_goes_on(std::uint64_t group) {
  ++views_;
  resume_epoch_ = epoch() + 1;
  if (resume_epoch_ > kMostEpochs) gave_up_ = true;
  const auto kept = set_aside_.find(group);
  group_ = std::move(kept->second);
  set_aside_.erase(kept);
  group_.charge.give_back(set_aside_bytes());
  start_ = resume_epoch_ - group_.barriers;
  std::vector<Resumption>& before = resumptions_[group];
  if (!before.empty() && before.back().barriers == group_.barriers) {
    before.back().last = resume_epoch_;  // there was no barrier in between
    return;
  }
  charge_launch(sizeof(Resumption));
  before.push_back({resume_epoch_, resume_epoch_, group_.barriers});
}

std::uint32_t HappensBefore::barriers_at(std::uint64_t group, std::uint32_t epoch) const {
  if (const auto found = resumptions_.find(group); found != resumptions_.end()) {
    const std::vector<Resumption>& all = found->second;
    const auto behind = std::partition_point(
        all.begin(), all.end(), [epoch](const Resumption& each) { return each.first <= epoch; });
    if (behind != all.begin()) {
      const Resumption& since = *std::prev(behind);
      return since.barriers + (epoch > since.last ? epoch - since.last : 0);
    }
  }
  return epoch - start_of(group);
}

void HappensBefore::forget() {
  set_aside_.clear();
  group_ = {};
  resumptions_.clear();
  for (Objects& objects : objects_) objects.clear();
  store_.forget_joined();
}

void HappensBefore::use_item_clocks() {
  if (uses_item_clocks_) return;
  uses_item_clocks_ = true;
  charge_launch(group_items_ * sizeof(ItemState));
  group_.items.assign(group_items_, {});
}

ScopeInstance HappensBefore::seen_by(const ScopeInstance& where, Memory object) const {
  if (object != Memory::kLocal || where.scope >= kWorkgroup) return where;
  return {kWorkgroup, group_.number};
}

std::uint64_t HappensBefore::view(std::uint32_t item, Memory memory) const {
  const std::size_t m = index(memory);
  const Clocks& own = state(item).known[m];
  const std::uint64_t known = own.empty() ? group_.known[m].id() : own.id();
  return (known * kGoldenRatio ^ views_) * kGoldenRatio;
}

Stamp HappensBefore::now(std::uint32_t item) const {
  return {item, uses_item_clocks_ ? state(item).clock : 0, group_.barriers};
}

bool HappensBefore::covers(const Clocks& clocks, const Stamp& stamp) const {
  if (clocks.empty()) return false;
  const GroupKeys keys(stamp.item / group_items_, group_items_);
  if (stamp.is_copy()) return clocks.at(keys.copies) > (stamp.clock & ~Stamp::kCopy);
  return clocks.at(keys.item(stamp.item % group_items_)) > stamp.clock ||
         clocks.at(keys.barriers) > stamp.barriers;
}

void HappensBefore::add_release(Clocks& clocks, std::uint32_t item, const Snapshot& snapshot,
                                Memory memory) {
  const std::size_t m = index(memory);
  const GroupKeys keys(item / group_items_, group_items_);
  clocks.join(store_, snapshot.known[m]);
  clocks.raise(store_, keys.item(item % group_items_), snapshot.clock + 1);
  clocks.raise(store_, keys.barriers, snapshot.fenced[m]);
  if (snapshot.copies != 0) clocks.raise(store_, keys.copies, snapshot.copies);
}

void HappensBefore::acquire_clocks(ItemState& own, Memory memory, const Clocks& clocks) {
  const std::size_t m = index(memory);
  if (own.known[m].empty()) own.known[m] = group_.known[m];
  own.known[m].join(store_, clocks);
}

bool HappensBefore::ordered(const Stamp& before, std::uint32_t item, Memory memory) const {
  if (before.item == item) return true;
  const std::size_t m = index(memory);
  if (in_group(before) && before.barriers < group_.fenced[m]) return true;
  if (!uses_item_clocks_) return false;
  const Clocks& own = state(item).known[m];
  return covers(own.empty() ? group_.known[m] : own, before);
}

void HappensBefore::group_met(const Semantics& semantics) {
  ++group_.barriers;
  ++views_;
  if (group_.barriers > kMostEpochs) gave_up_ = true;
  if (!semantics.orders()) return;
  for (const Memory memory : kAll) {
    const std::size_t m = index(memory);
    if (!semantics.memories[m]) continue;
    group_.fenced[m] = group_.barriers;
    for (ItemState& each : group_.items) {
      group_.known[m].join(store_, each.known[m]);
      each.known[m] = {};
    }
  }
}

void HappensBefore::group_met_in_parts(const Semantics& semantics) {
  group_met({});
  for (const Memory memory : kAll)
    if (semantics.memories[index(memory)]) group_.in_parts[index(memory)] = group_.barriers;
}

HappensBefore::Snapshot HappensBefore::snapshot(std::uint32_t item) const {
  const ItemState& own = state(item);
  Snapshot result{own.clock, group_.copies, group_.fenced, own.known};
  for (std::size_t m = 0; m < kMemories; ++m)
    if (result.known[m].empty()) result.known[m] = group_.known[m];
  return result;
}

void HappensBefore::arrive(std::uint32_t item, const Semantics& semantics, std::uint64_t meeting) {
  const auto [found, is_new] = group_.meetings.try_emplace(meeting);
  if (is_new) charge_group(kMeetingBytes);
  const Snapshot before = snapshot(item);
  if (semantics.orders())
    for (const Memory memory : kAll)
      if (semantics.memories[index(memory)])
        add_release(found->second[index(memory)], item, before, memory);
  ++state(item).clock;
}

void HappensBefore::leave(std::uint32_t item, const Semantics& semantics, std::uint64_t meeting) {
  const auto found = group_.meetings.find(meeting);
  if (found == group_.meetings.end() || !semantics.orders()) return;
  for (const Memory memory : kAll)
    if (semantics.memories[index(memory)])
      acquire_clocks(state(item), memory, found->second[index(memory)]);
}

void HappensBefore::meeting_ends(std::uint64_t meeting) {
  if (group_.meetings.erase(meeting) != 0) group_.charge.give_back(kMeetingBytes);
}

void HappensBefore::fence(std::uint32_t item, const Semantics& semantics,
                          const ScopeInstance& where) {
  if (!uses_item_clocks_) return;
  ItemState& own = state(item);
  if (semantics.acquires)
    for (const Read& read : own.reads)
      if (read.where == seen_by(where, read.object) && semantics.memories[index(read.object)] &&
          crosses(semantics, read.across, true, read.object, read.memory))
        acquire_clocks(own, read.memory, read.clocks);
  if (!semantics.releases) return;
  const std::size_t replaced = std::erase_if(own.fences, [&](const Fence& fence) {
    return fence.where == where && fence.semantics.memories == semantics.memories &&
           fence.semantics.sequential == semantics.sequential;
  });
  own.fences.push_back({snapshot(item), semantics, where});
  if (replaced == 0) charge_group(sizeof(Fence));
  ++own.clock;
}

void HappensBefore::acquire(ItemState& own, const Atomic& atomic, const std::vector<Log>& logs) {
  for (const Log& log : logs) {
    if (atomic.semantics.acquires && log.where == atomic.where &&
        crosses(atomic.semantics, log.across, false, atomic.memory, log.memory))
      acquire_clocks(own, log.memory, log.clocks);
    else if (!is_of_other_group(log.where))
      read(own, log, atomic.memory);
  }
}

void HappensBefore::read(ItemState& own, const Log& log, Memory object) {
  auto same = std::find_if(own.reads.begin(), own.reads.end(), [&](const Read& each) {
    return each.where == log.where && each.across == log.across && each.memory == log.memory &&
           each.object == object;
  });
  if (same == own.reads.end()) {
    same = own.reads.insert(same, {log.where, log.across, log.memory, object, {}});
    charge_group(sizeof(Read));
  }
  same->clocks.join(store_, log.clocks);
}

bool HappensBefore::crosses(const Semantics& semantics, Across across, bool is_fence, Memory object,
                            Memory memory) {
  if (across == Across::kNone) return true;
  if (across == Across::kSequential) return semantics.sequential && memory != Memory::kImage;
  const bool names_object = is_fence ? semantics.memories[index(object)] : memory == Memory::kImage;
  return names_object && semantics.memories[index(memory)];
}

bool HappensBefore::is_of_other_group(const ScopeInstance& where) const {
  return (where.scope == kWorkgroup || where.scope == kSubgroup) &&
         group_of(where) != group_.number;
}

HappensBefore::Log& HappensBefore::log_of(std::vector<Log>& logs, const ScopeInstance& where,
                                          Across across, Memory memory) {
  const auto same = std::find_if(logs.begin(), logs.end(), [&](const Log& each) {
    return each.where == where && each.memory == memory && each.across == across;
  });
  if (same != logs.end()) return *same;
  std::erase_if(logs, [this](const Log& each) {
    return is_of_other_group(each.where) && is_over(group_of(each.where));
  });
  Log& log = logs.emplace_back();
  log.where = where;
  log.across = across;
  log.memory = memory;
  if (!log.charge.take(budget_, sizeof(Log))) gave_up_ = true;
  return log;
}

void HappensBefore::append(Log& log, std::uint32_t item, const Snapshot& snapshot) {
  if (!atomics_store_) return add_release(log.clocks, item, snapshot, log.memory);
  log.only = log.clocks.empty() || log.only == item ? item : Stamp::kNobody;
  const auto [head, is_new] = log.heads.try_emplace(item);
  if (is_new && !log.charge.take(budget_, kHeadBytes)) gave_up_ = true;
  add_release(head->second, item, snapshot, log.memory);
  log.clocks.join(store_, head->second);
  if (log.heads.size() >= log.look_through) forget_heads(log);
}

void HappensBefore::forget_heads(Log& log) {
  const std::size_t gone = std::erase_if(
      log.heads, [this](const auto& head) { return is_over(head.first / group_items_); });
  log.charge.give_back(gone * kHeadBytes);
  log.look_through = std::max<std::size_t>(64, 2 * log.heads.size());
}

void HappensBefore::append_all(std::vector<Log>& logs, const ScopeInstance& where, Memory object,
                               const Semantics& semantics, bool is_fence, std::uint32_t item,
                               const Snapshot& snapshot) {
  append(log_of(logs, where, Across::kNone, object), item, snapshot);
  for (const Memory other : kAll)
    for (const Across across : {Across::kSequential, Across::kFences})
      if (other != object && crosses(semantics, across, is_fence, object, other))
        append(log_of(logs, where, across, other), item, snapshot);
}

void HappensBefore::release(std::uint32_t item, const Atomic& atomic, std::vector<Log>& logs) {
  ItemState& own = state(item);
  if (!atomic.reads) {  // ends all release sequences but those that it heads itself
    std::erase_if(logs, [item](const Log& log) { return !log.heads.contains(item); });
    for (Log& log : logs) {
      if (log.only == item) continue;
      const Clocks own_part = log.heads.at(item);
      log.charge.give_back((log.heads.size() - 1) * kHeadBytes);
      log.heads.clear();
      log.heads.emplace(item, own_part);
      log.clocks = own_part;
      log.only = item;
    }
  }
  for (const Fence& fence : own.fences) {
    if (!fence.semantics.memories[index(atomic.memory)]) continue;
    append_all(logs, seen_by(fence.where, atomic.memory), atomic.memory, fence.semantics, true,
               item, fence.snapshot);
  }
  if (!atomic.semantics.releases) return;
  append_all(logs, atomic.where, atomic.memory, atomic.semantics, false, item, snapshot(item));
  ++own.clock;
}

void HappensBefore::atomic(std::uint32_t item, const Atomic& atomic) {
  std::vector<Log>& logs = objects(atomic.memory)[atomic.address];
  if (atomic.reads) acquire(state(item), atomic, logs);
  if (atomic.modifies) release(item, atomic, logs);
}

}  // namespace transpire::races
