#include "inspect/happens_before.h"

#include <algorithm>

namespace transpire::inspect {
namespace {

constexpr Memory kAll[] = {Memory::kLocal, Memory::kGlobal, Memory::kImage};

/// Of groups' barriers, and of these groups themselves.
constexpr std::uint32_t kMostEpochs = 0x7fffffffu;
/// What a node of a hash table takes beside its value.
constexpr std::uint64_t kNodeBytes = 64;
/// Of a barrier of some.
constexpr std::uint64_t kMeetingBytes =
    sizeof(std::uint64_t) + kMemories * sizeof(Clocks) + kNodeBytes;
/// Of a release sequence, for each who is in it.
constexpr std::uint64_t kHeadBytes = sizeof(std::uint32_t) + sizeof(Clocks) + kNodeBytes;

/// Of a work-group or a sub-group.
std::uint64_t group_of(const ScopeInstance& where) {
  return where.scope == kWorkgroup ? where.number : where.number >> 32;
}

/// Keys of what is known of a group: its barriers, its copies, and what its work-items released.
struct GroupKeys {
  GroupKeys(std::uint64_t group, std::uint32_t group_items)
      : barriers(group * (std::uint64_t{group_items} + 2)), copies(barriers + 1) {}
  std::uint64_t item(std::uint64_t local) const { return copies + 1 + local; }
  std::uint64_t barriers, copies;
};

}  // namespace

void HappensBefore::note(std::uint64_t bytes) {
  if (budget_ != nullptr && !budget_->take(bytes)) gave_up_ = true;
}

void HappensBefore::note_in_group(std::uint64_t bytes) {
  if (!group_.charge.take(budget_, bytes)) gave_up_ = true;
}

void HappensBefore::group_begins(std::uint64_t group) {
  ++views_;
  start_ = gone_on_ = epoch() + 1;
  if (start_ > kMostEpochs) gave_up_ = true;
  if (group == starts_.size()) {
    note(sizeof(std::uint32_t));
    starts_.push_back(start_);
  } else {
    note(4 * sizeof(std::uint64_t));
    other_starts_[group] = start_;
  }
  std::vector<ItemState> items = std::move(group_.items);
  group_ = {};
  group_.number = group;
  group_.start = start_;
  group_.items = std::move(items);
  if (fine_) group_.items.assign(group_items_, {});
}

/// What a group takes while another one runs.
std::uint64_t HappensBefore::set_aside_bytes() const {
  return sizeof(Group) + group_items_ * sizeof(ItemState);
}

void HappensBefore::set_aside() {
  refine();  // what holds for barriers of whole groups alone holds for groups that come one after the other
  const std::uint32_t last = epoch();
  note_in_group(set_aside_bytes());
  Group& kept = set_aside_[group_.number];
  kept = std::exchange(group_, {});
  start_ = last - group_.barriers;
}

void HappensBefore::group_goes_on(std::uint64_t group) {
  ++views_;
  gone_on_ = epoch() + 1;
  if (gone_on_ > kMostEpochs) gave_up_ = true;
  const auto kept = set_aside_.find(group);
  group_ = std::move(kept->second);
  set_aside_.erase(kept);
  group_.charge.give_back(set_aside_bytes());
  start_ = gone_on_ - group_.barriers;
  std::vector<GoneOn>& before = went_on_[group];
  if (!before.empty() && before.back().barriers == group_.barriers) {
    before.back().last = gone_on_;  // there was no barrier in between
    return;
  }
  note(sizeof(GoneOn));
  before.push_back({gone_on_, gone_on_, group_.barriers});
}

std::uint32_t HappensBefore::barriers_at(std::uint64_t group, std::uint32_t epoch) const {
  if (const auto found = went_on_.find(group); found != went_on_.end()) {
    const std::vector<GoneOn>& all = found->second;
    const auto behind = std::partition_point(
        all.begin(), all.end(), [epoch](const GoneOn& each) { return each.first <= epoch; });
    if (behind != all.begin()) {
      const GoneOn& since = *std::prev(behind);
      return since.barriers + (epoch > since.last ? epoch - since.last : 0);
    }
  }
  return epoch - start_of(group);
}

void HappensBefore::forget() {
  set_aside_.clear();
  group_ = {};
  went_on_.clear();
  for (Objects& objects : objects_) objects.clear();
  store_.forget_joined();
}

void HappensBefore::refine() {
  if (fine_) return;
  fine_ = true;
  note(group_items_ * sizeof(ItemState));
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
  return {item, fine_ ? state(item).clock : 0, group_.barriers};
}

bool HappensBefore::tells_of(const Clocks& clocks, const Stamp& stamp) const {
  if (clocks.empty()) return false;
  const GroupKeys keys(stamp.item / group_items_, group_items_);
  if (stamp.is_copy()) return clocks.at(keys.copies) > (stamp.clock & ~Stamp::kCopy);
  return clocks.at(keys.item(stamp.item % group_items_)) > stamp.clock ||
         clocks.at(keys.barriers) > stamp.barriers;
}

void HappensBefore::tell(Clocks& clocks, std::uint32_t item, const Snapshot& snapshot,
                         Memory memory) {
  const std::size_t m = index(memory);
  const GroupKeys keys(item / group_items_, group_items_);
  clocks.join(store_, snapshot.known[m]);
  clocks.raise(store_, keys.item(item % group_items_), snapshot.clock + 1);
  clocks.raise(store_, keys.barriers, snapshot.fenced[m]);
  if (snapshot.copies != 0) clocks.raise(store_, keys.copies, snapshot.copies);
}

void HappensBefore::learn(ItemState& own, Memory memory, const Clocks& clocks) {
  const std::size_t m = index(memory);
  if (own.known[m].empty()) own.known[m] = group_.known[m];
  own.known[m].join(store_, clocks);
}

bool HappensBefore::ordered(const Stamp& before, std::uint32_t item, Memory memory) const {
  if (before.item == item) return true;
  const std::size_t m = index(memory);
  if (in_group(before) && before.barriers < group_.fenced[m]) return true;
  if (!fine_) return false;
  const Clocks& own = state(item).known[m];
  return tells_of(own.empty() ? group_.known[m] : own, before);
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
  if (is_new) note_in_group(kMeetingBytes);
  const Snapshot before = snapshot(item);
  if (semantics.orders())
    for (const Memory memory : kAll)
      if (semantics.memories[index(memory)])
        tell(found->second[index(memory)], item, before, memory);
  ++state(item).clock;
}

void HappensBefore::leave(std::uint32_t item, const Semantics& semantics, std::uint64_t meeting) {
  const auto found = group_.meetings.find(meeting);
  if (found == group_.meetings.end() || !semantics.orders()) return;
  for (const Memory memory : kAll)
    if (semantics.memories[index(memory)]) learn(state(item), memory, found->second[index(memory)]);
}

void HappensBefore::meeting_ends(std::uint64_t meeting) {
  if (group_.meetings.erase(meeting) != 0) group_.charge.give_back(kMeetingBytes);
}

void HappensBefore::fence(std::uint32_t item, const Semantics& semantics,
                          const ScopeInstance& where) {
  if (!fine_) return;
  ItemState& own = state(item);
  if (semantics.acquires)
    for (const Read& read : own.reads)
      if (read.where == seen_by(where, read.object) && semantics.memories[index(read.object)] &&
          crosses(semantics, read.across, true, read.object, read.memory))
        learn(own, read.memory, read.clocks);
  if (!semantics.releases) return;
  const std::size_t replaced = std::erase_if(own.fences, [&](const Fence& fence) {
    return fence.where == where && fence.semantics.memories == semantics.memories &&
           fence.semantics.sequential == semantics.sequential;
  });
  own.fences.push_back({snapshot(item), semantics, where});
  if (replaced == 0) note_in_group(sizeof(Fence));
  ++own.clock;
}

void HappensBefore::acquire(ItemState& own, const Atomic& atomic, const std::vector<Log>& logs) {
  for (const Log& log : logs) {
    if (atomic.semantics.acquires && log.where == atomic.where &&
        crosses(atomic.semantics, log.across, false, atomic.memory, log.memory))
      learn(own, log.memory, log.clocks);
    else if (!is_others(log.where))
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
    note_in_group(sizeof(Read));
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

bool HappensBefore::is_others(const ScopeInstance& where) const {
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
    return is_others(each.where) && is_over(group_of(each.where));
  });
  Log& log = logs.emplace_back();
  log.where = where;
  log.across = across;
  log.memory = memory;
  if (!log.charge.take(budget_, sizeof(Log))) gave_up_ = true;
  return log;
}

void HappensBefore::append(Log& log, std::uint32_t item, const Snapshot& snapshot) {
  if (!atomics_store_) return tell(log.clocks, item, snapshot, log.memory);
  log.only = log.clocks.empty() || log.only == item ? item : Stamp::kNobody;
  const auto [head, is_new] = log.heads.try_emplace(item);
  if (is_new && !log.charge.take(budget_, kHeadBytes)) gave_up_ = true;
  tell(head->second, item, snapshot, log.memory);
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

}  // namespace transpire::inspect
