#include "inspect/happens_before.h"

#include <algorithm>

namespace transpire::inspect {
namespace {

constexpr Memory kAll[] = {Memory::kLocal, Memory::kGlobal, Memory::kImage};

/// Of groups' barriers, and of these groups themselves.
constexpr std::uint32_t kMostEpochs = 0x7fffffffu;
/// What a node of a hash table takes beside its value, and a release in a History with its marks.
constexpr std::uint64_t kNodeBytes = 64, kReleaseBytes = 160;
/// The golden ratio's, by which words are spread.
constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;

std::size_t index(Memory memory) { return static_cast<std::size_t>(memory); }

std::uint64_t digest_of(const Prefix& prefix) {
  std::uint64_t bits = reinterpret_cast<std::uintptr_t>(prefix.history) + prefix.length * kOdd;
  bits = (bits ^ bits >> 32) * kOdd;
  return bits ^ bits >> 29;
}

std::uint64_t bytes_of(const std::array<Known, kMemories>& known) {
  std::uint64_t prefixes = 0;
  for (const Known& each : known) prefixes += each.prefixes().size();
  return prefixes * sizeof(Prefix);
}

}  // namespace

void Known::add(const Prefix& prefix) {
  for (Prefix& each : prefixes_) {
    if (each.history != prefix.history) continue;
    if (each.length >= prefix.length) return;
    digest_ += digest_of(prefix) - digest_of(each);
    each.length = prefix.length;
    return;
  }
  prefixes_.push_back(prefix);
  digest_ += digest_of(prefix);
}

void Known::add(const Known& other) {
  for (const Prefix& prefix : other.prefixes_) add(prefix);
}

void Known::acquire(const Prefix& prefix) {
  std::erase_if(prefixes_, [&](const Prefix& each) {
    const bool is_known =
        each.history != prefix.history && prefix.history->covers(each, prefix.length);
    if (is_known) digest_ -= digest_of(each);
    return is_known;
  });
  add(prefix);
}

void History::note(std::vector<Mark>& marks, std::uint32_t position, std::uint32_t value) {
  if (marks.empty() || marks.back().value < value) marks.push_back({position, value});
}

std::uint32_t History::most(const std::vector<Mark>& marks, std::uint32_t length) {
  const auto beyond = std::partition_point(
      marks.begin(), marks.end(), [length](const Mark& mark) { return mark.position < length; });
  return beyond == marks.begin() ? 0 : std::prev(beyond)->value;
}

void History::add(Release release) {
  const std::uint32_t position = length_++;
  note(items_[release.item], position, release.clock + 1);
  note(groups_[release.item / group_items_], position, release.fenced);
  if (release.copies != 0) note(copies_[release.item / group_items_], position, release.copies);
  for (const Prefix& prefix : release.known.prefixes())
    if (prefix.history != this) note(known_[prefix.history], position, prefix.length);
  last_[release.item] = std::move(release);
}

bool History::tells_of(const Stamp& stamp, std::uint32_t length) const {
  if (stamp.is_copy()) {
    const auto group = copies_.find(stamp.item / group_items_);
    return group != copies_.end() && most(group->second, length) > (stamp.clock & ~Stamp::kCopy);
  }
  if (const auto item = items_.find(stamp.item);
      item != items_.end() && most(item->second, length) > stamp.clock)
    return true;
  const auto group = groups_.find(stamp.item / group_items_);
  return group != groups_.end() && most(group->second, length) > stamp.barriers;
}

std::vector<Prefix> History::known_by(std::uint32_t length) const {
  std::vector<Prefix> known;
  for (const auto& [history, lengths] : known_)
    if (const std::uint32_t most_known = most(lengths, length); most_known != 0)
      known.push_back({history, most_known});
  return known;
}

bool History::covers(const Prefix& prefix, std::uint32_t length) const {
  const History& other = *prefix.history;
  if (const auto lengths = known_.find(&other);
      lengths != known_.end() && most(lengths->second, length) >= prefix.length)
    return true;
  if (other.items_.size() > items_.size()) return false;
  return std::all_of(other.items_.begin(), other.items_.end(), [&](const auto& each) {
    const auto own = items_.find(each.first);
    return own != items_.end() && most(own->second, length) >= most(each.second, prefix.length);
  });
}

void HappensBefore::note(std::uint64_t bytes) const {
  if (budget_ != nullptr && !budget_->take(bytes)) gave_up_ = true;
}

void HappensBefore::note_in_group(std::uint64_t bytes) const {
  if (budget_ == nullptr) return;
  if (!budget_->take(bytes))
    gave_up_ = true;
  else
    group_.bytes += bytes;
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
  if (budget_ != nullptr) budget_->give_back(group_.bytes);
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
  if (budget_ != nullptr) budget_->give_back(group_.bytes);
  const auto kept = set_aside_.find(group);
  group_ = std::move(kept->second);
  set_aside_.erase(kept);
  if (budget_ != nullptr) budget_->give_back(set_aside_bytes());
  group_.bytes -= set_aside_bytes();
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
  histories_.clear();
}

void HappensBefore::refine() {
  if (fine_) return;
  fine_ = true;
  note(group_items_ * sizeof(ItemState));
  group_.items.assign(group_items_, {});
}

History* HappensBefore::make_history() {
  note(sizeof(History) + kNodeBytes);
  return histories_.emplace_back(std::make_unique<History>(group_items_)).get();
}

ScopeInstance HappensBefore::seen_by(const ScopeInstance& where, Memory object) const {
  constexpr std::uint32_t kWorkgroup = 2;
  if (object == Memory::kGlobal || where.scope >= kWorkgroup) return where;
  return {kWorkgroup, group_.number};
}

std::uint64_t HappensBefore::view(std::uint32_t item, Memory memory) const {
  const std::size_t m = index(memory);
  const std::uint64_t known = state(item).known[m].digest() * kOdd + group_.known[m].digest();
  return ((known ^ known >> 32) + views_) * kOdd;
}

Stamp HappensBefore::now(std::uint32_t item) const {
  return {item, fine_ ? state(item).clock : 0, group_.barriers};
}

bool HappensBefore::reaches(const Known& known, const Stamp& stamp,
                            std::unordered_map<const History*, std::uint32_t>& seen) const {
  std::vector<Prefix> open = known.prefixes();
  while (!open.empty()) {
    const Prefix prefix = open.back();
    open.pop_back();
    std::uint32_t& length = seen[prefix.history];
    if (length >= prefix.length) continue;
    length = prefix.length;
    if (prefix.history->tells_of(stamp, prefix.length)) return true;
    const std::vector<Prefix> next = prefix.history->known_by(prefix.length);
    open.insert(open.end(), next.begin(), next.end());
  }
  return false;
}

bool HappensBefore::ordered(const Stamp& before, std::uint32_t item, Memory memory) const {
  if (before.item == item) return true;
  const std::size_t m = index(memory);
  if (in_group(before) && before.barriers < group_.fenced[m]) return true;
  if (!fine_) return false;
  const ItemState& own = state(item);
  if (own.known[m].empty() && group_.known[m].empty()) return false;
  if (const auto found = own.found[m].find(before.item); found != own.found[m].end() &&
                                                         found->second.clock >= before.clock &&
                                                         found->second.barriers >= before.barriers)
    return true;
  std::unordered_map<const History*, std::uint32_t> seen;
  if (!reaches(own.known[m], before, seen) && !reaches(group_.known[m], before, seen)) return false;
  if (own.found[m].insert_or_assign(before.item, before).second)
    note_in_group(sizeof(Stamp) + kNodeBytes);
  return true;
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
      group_.known[m].add(each.known[m]);
      each.known[m].clear();
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
  for (std::size_t m = 0; m < kMemories; ++m) result.known[m].add(group_.known[m]);
  return result;
}

void HappensBefore::arrive(std::uint32_t item, const Semantics& semantics, std::uint64_t meeting) {
  auto& histories = group_.meetings[meeting];
  const Snapshot before = snapshot(item);
  for (std::size_t m = 0; m < kMemories; ++m) {
    if (!semantics.orders() || !semantics.memories[m]) continue;
    if (histories[m] == nullptr) histories[m] = make_history();
    histories[m]->add({item, before.clock, before.fenced[m], before.copies, before.known[m]});
    note(kReleaseBytes + bytes_of(before.known));
  }
  ++state(item).clock;
}

void HappensBefore::leave(std::uint32_t item, const Semantics& semantics, std::uint64_t meeting) {
  const auto& histories = group_.meetings[meeting];
  for (std::size_t m = 0; m < kMemories; ++m)
    if (semantics.orders() && semantics.memories[m] && histories[m] != nullptr)
      state(item).known[m].acquire({histories[m], histories[m]->length()});
}

void HappensBefore::fence(std::uint32_t item, const Semantics& semantics,
                          const ScopeInstance& where) {
  if (!fine_) return;
  ItemState& own = state(item);
  if (semantics.acquires)
    for (const Read& read : own.reads)
      if (read.where == seen_by(where, read.object) && semantics.memories[index(read.object)] &&
          crosses(semantics, read.across, true, read.object, read.memory))
        own.known[index(read.memory)].acquire(read.prefix);
  if (!semantics.releases) return;
  std::erase_if(own.fences, [&](const Fence& fence) {
    return fence.where == where && fence.semantics.memories == semantics.memories;
  });
  own.fences.push_back({snapshot(item), semantics, where});
  note_in_group(sizeof(Fence) + bytes_of(own.fences.back().snapshot.known));
  ++own.clock;
}

void HappensBefore::acquire(ItemState& own, const Atomic& atomic, std::vector<Log>& logs) {
  for (const Log& log : logs) {
    const Prefix prefix{log.history, log.history->length()};
    const auto same = std::find_if(own.reads.begin(), own.reads.end(), [&](const Read& read) {
      return read.prefix.history == log.history && read.memory == log.memory;
    });
    if (same != own.reads.end())
      same->prefix.length = prefix.length;
    else {
      own.reads.push_back({log.where, log.across, log.memory, atomic.memory, prefix});
      note_in_group(sizeof(Read));
    }
    if (atomic.semantics.acquires && log.where == atomic.where &&
        crosses(atomic.semantics, log.across, false, atomic.memory, log.memory))
      own.known[index(log.memory)].acquire(prefix);
  }
}

bool HappensBefore::crosses(const Semantics& semantics, Across across, bool is_fence, Memory object,
                            Memory memory) {
  if (across == Across::kNone) return true;
  if (across == Across::kSequential) return semantics.sequential && memory != Memory::kImage;
  const bool names_object = is_fence ? semantics.memories[index(object)] : memory == Memory::kImage;
  return names_object && semantics.memories[index(memory)];
}

void HappensBefore::append(std::vector<Log>& logs, const Log& wanted, std::uint32_t item,
                           const Snapshot& snapshot) {
  const std::size_t m = index(wanted.memory);
  auto log = std::find_if(logs.begin(), logs.end(), [&](const Log& each) {
    return each.where == wanted.where && each.memory == wanted.memory &&
           each.across == wanted.across;
  });
  if (log == logs.end()) {
    log = logs.insert(logs.end(), wanted);
    log->history = make_history();
  }
  log->history->add({item, snapshot.clock, snapshot.fenced[m], snapshot.copies, snapshot.known[m]});
  note(kReleaseBytes + bytes_of(snapshot.known));
}

void HappensBefore::append_all(std::vector<Log>& logs, const ScopeInstance& where, Memory object,
                               const Semantics& semantics, bool is_fence, std::uint32_t item,
                               const Snapshot& snapshot) {
  append(logs, {where, Across::kNone, object}, item, snapshot);
  for (const Memory other : kAll)
    for (const Across across : {Across::kSequential, Across::kFences})
      if (other != object && crosses(semantics, across, is_fence, object, other))
        append(logs, {where, across, other}, item, snapshot);
}

void HappensBefore::release(std::uint32_t item, const Atomic& atomic, std::vector<Log>& logs) {
  ItemState& own = state(item);
  if (!atomic.reads) {  // ends all release sequences but those that it heads itself
    std::erase_if(logs, [item](const Log& log) { return !log.history->has(item); });
    for (Log& log : logs) {
      if (!log.history->has_others_than(item)) continue;
      History* const own_part = make_history();
      own_part->add(log.history->last_of(item));
      log.history = own_part;
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
