#include "races/sync_log.h"

#include <algorithm>
#include <bit>

namespace transpire::races {
namespace {

using vm::exec::NearMiss;

/// The fewest work-items whose reads are kept; larger groups have as many as work-items.
constexpr std::uint32_t kFewestItems = 256;
constexpr std::size_t kMostObjects = 4096;
/// Divisor: the log takes memory only if it needs at most this part of the remaining budget, since races come first.
constexpr std::uint64_t kShare = 8;

/// True if atomics on an object in one memory order accesses to another one, as `semantics` of both sides are.
bool crosses(const Semantics& semantics, bool is_fence, Memory object, Memory memory) {
  if (object == memory) return true;
  if (is_fence) return semantics.memories[index(object)] && semantics.memories[index(memory)];
  if (memory == Memory::kImage) return semantics.memories[index(memory)];
  return semantics.sequential;
}

}  // namespace

std::size_t SyncLog::Hash::operator()(const Object& object) const {
  const std::uint64_t spread = (object.address ^ object.owner * kGoldenRatio) * kGoldenRatio;
  return spread ^ spread >> 32;
}

SyncLog::SyncLog(std::uint32_t group_items, Budget& budget) : budget_(budget) {
  const std::uint32_t count = std::bit_ceil(std::max(group_items, kFewestItems));
  if (take(count * sizeof(Item))) items_.resize(count);
}

bool SyncLog::take(std::uint64_t bytes) {
  return bytes <= budget_.left() / kShare && charge_.take(&budget_, bytes);
}

SyncLog::Item& SyncLog::of(std::uint32_t item) {
  Item& found = items_[item & (items_.size() - 1)];
  if (found.number == item) return found;
  found.number = item;
  found.fence.instruction = nullptr;
  for (Read& read : found.reads) read.changes = nullptr;
  return found;
}

void SyncLog::fence(std::uint32_t item, const Order& order) {
  if (items_.empty()) return;
  Item& by = of(item);
  if (order.semantics.releases) by.fence = order;
  if (!order.semantics.acquires) return;
  for (Read& read : by.reads) read.fence = order;
}

void SyncLog::atomic(std::uint32_t item, const Object& object, const Order& order, bool reads,
                     bool modifies) {
  if (items_.empty()) return;
  Changes* const changes = changes_of(object);
  if (changes == nullptr) return;
  ++time_;
  Item& by = of(item);
  if (reads) read(by, *changes, order, modifies);
  if (modifies) change(by, *changes, order, reads);
}

/// The changes of an object. If there are too many objects, all are forgotten first. Null if there is no memory to spare.
SyncLog::Changes* SyncLog::changes_of(const Object& object) {
  if (latest_ != nullptr && latest_->object == object) return latest_;
  auto found = objects_.find(object);
  if (found == objects_.end()) {
    if (objects_.size() >= kMostObjects || !take(kObjectBytes)) {
      charge_.give_back(objects_.size() * kObjectBytes);
      objects_.clear();
      latest_ = nullptr;
      for (Item& item : items_) item.number = Stamp::kNobody;
      if (!take(kObjectBytes)) return nullptr;
    }
    found = objects_.try_emplace(object).first;
    found->second.object = object;
  }
  return latest_ = &found->second;
}

/// Keeps a read. It replaces an earlier read by the same instruction, else the oldest one.
void SyncLog::read(Item& by, const Changes& changes, const Order& order, bool modifies) const {
  Read* place = &by.reads.front();
  for (Read& each : by.reads) {
    if (each.changes == nullptr ||
        (each.changes == &changes && each.own.instruction == order.instruction)) {
      place = &each;
      break;
    }
    if (each.time < place->time) place = &each;
  }
  *place = {&changes, time_, changes.last, modifies, order, {}};
}

void SyncLog::change(const Item& by, Changes& changes, const Order& order, bool reads) const {
  if (changes.latest.size() < kMostChanges) changes.latest.emplace_back();
  changes.latest[changes.next] = {by.number, time_, reads, order, by.fence};
  changes.next = (changes.next + 1) % kMostChanges;
  changes.last = time_;
}

std::vector<const SyncLog::Read*> SyncLog::reads_of(std::uint32_t item) const {
  std::vector<const Read*> reads;
  if (items_.empty()) return reads;
  const Item& by = items_[item & (items_.size() - 1)];
  if (by.number != item) return reads;
  for (const Read& read : by.reads)
    if (read.changes != nullptr) reads.push_back(&read);
  std::ranges::sort(reads, std::greater<>(), &Read::time);
  return reads;
}

const SyncLog::Change* SyncLog::change_by(const Changes& changes, std::uint32_t item,
                                          std::uint32_t before) {
  const Change* found = nullptr;
  for (const Change& each : changes.latest)
    if (each.item == item && each.time < before && (found == nullptr || found->time < each.time))
      found = &each;
  return found;
}

const SyncLog::Change* SyncLog::change_at(const Changes& changes, std::uint32_t time) {
  const auto found = std::ranges::find(changes.latest, time, &Change::time);
  return found == changes.latest.end() ? nullptr : &*found;
}

namespace {

/// The order by which one side of a pair synchronises: the atomic's own, else its fence's.
struct Side {
  const SyncLog::Order* order = nullptr;  ///< null: the atomic is relaxed and has no fence
  bool is_fence = false;
};

Side side_of(const SyncLog::Order& own, const SyncLog::Order& fence, bool Semantics::*has) {
  if (own.semantics.*has) return {&own, false};
  return {fence.instruction == nullptr ? nullptr : &fence, true};
}

/// The semantics bit of a memory that the side's fence should name and does not; 0: none is missing.
std::uint32_t lacking(const Side& side, Memory object, Memory memory) {
  constexpr std::uint32_t kBits[] = {Semantics::kLocalBit, Semantics::kGlobalBit,
                                     Semantics::kImageBit};
  if (!side.is_fence) return 0;
  for (const Memory each : {object, memory})
    if (!side.order->semantics.memories[index(each)]) return kBits[index(each)];
  return 0;
}

}  // namespace

/// Adds the reason why a modification and a later read do not synchronise, if they do not.
void SyncLog::explain_pair(const Changes& changes, const Change& first, const Read& second,
                           std::uint32_t reader, Memory memory, const Meet& meet,
                           Reasons& reasons) const {
  using Why = NearMiss::Why;
  const Memory object = second.changes->object.memory;
  NearMiss miss;
  miss.first = first.own.instruction;
  miss.second = second.own.instruction;
  miss.first_object = miss.second_object = second.changes->object.address;
  miss.object_is_local = object == Memory::kLocal;
  const Side release = side_of(first.own, first.fence, &Semantics::releases);
  const Side acquire = side_of(second.own, second.fence, &Semantics::acquires);
  const auto add = [&](Why why, const vm::Inst* third = nullptr) {
    miss.why = why;
    miss.third = third;
    reasons.push_back(miss);
  };
  if (release.order == nullptr || acquire.order == nullptr) {
    if (release.order == nullptr && acquire.order == nullptr) return add(Why::kRelaxed);
    return add(release.order == nullptr ? Why::kRelaxedStore : Why::kRelaxedLoad);
  }
  miss.first_scope = release.order->scope;
  miss.second_scope = acquire.order->scope;
  if ((miss.lacking = lacking(release, object, memory)) != 0)
    return add(Why::kReleaseMemory, release.order->instruction);
  if ((miss.lacking = lacking(acquire, object, memory)) != 0)
    return add(Why::kAcquireMemory, acquire.order->instruction);
  if (!crosses(release.order->semantics, release.is_fence, object, memory) ||
      !crosses(acquire.order->semantics, acquire.is_fence, object, memory))
    return add(Why::kObjectMemory);
  if (!meet(first.item, release.order->scope, reader, acquire.order->scope, object))
    return add(Why::kScopes, release.is_fence   ? release.order->instruction
                             : acquire.is_fence ? acquire.order->instruction
                                                : nullptr);
  for (const Change& each : changes.latest)
    if (each.time > first.time && each.time < second.time && !each.reads && each.item != first.item)
      return add(Why::kReplaced, each.own.instruction);
}

/// Adds a reason if the work-items use different objects: `earlier` released one, the reader acquired another.
void SyncLog::explain_two_objects(std::uint32_t earlier, const std::vector<const Read*>& reads,
                                  Reasons& reasons) const {
  for (const Read* const read : reads) {
    const bool acquires = side_of(read->own, read->fence, &Semantics::acquires).order != nullptr;
    // A relaxed read-modify-write may take a lock, and an object that two instructions change may be a lock.
    if (!acquires && !read->modifies) continue;
    const Change* last = nullptr;
    const Object* other = nullptr;
    for (const auto& [_, changes] : objects_) {
      const Change* const found = change_by(changes, earlier, time_ + 1);
      if (found == nullptr || (last != nullptr && last->time > found->time)) continue;
      const bool releases = found->own.semantics.releases || found->fence.instruction != nullptr;
      const bool is_lock = std::ranges::any_of(changes.latest, [&](const Change& each) {
        return each.item == earlier && each.own.instruction != found->own.instruction;
      });
      if (acquires ? !releases : !is_lock) continue;
      last = found;
      other = &changes.object;
    }
    if (last == nullptr || other == &read->changes->object) continue;
    if (change_by(*read->changes, earlier, time_ + 1) != nullptr) continue;
    NearMiss miss;
    miss.why = NearMiss::Why::kTwoObjects;
    miss.first = last->own.instruction;
    miss.second = read->own.instruction;
    miss.first_object = other->address;
    miss.second_object = read->changes->object.address;
    reasons.push_back(miss);
    return;
  }
}

std::vector<NearMiss> SyncLog::explain(std::uint32_t earlier, std::uint32_t later, Memory memory,
                                       const Meet& meet) const {
  Reasons reasons;
  const std::vector<const Read*> reads = reads_of(later);
  std::vector<const Read*> of_others;
  for (const Read* const read : reads) {
    const Changes& changes = *read->changes;
    if (const Change* const first = change_by(changes, earlier, read->time))
      explain_pair(changes, *first, *read, later, memory, meet, reasons);
    else if (read->from != 0)
      of_others.push_back(read);
  }
  // A third work-item may have modified the object in between.
  for (const Read* const read : of_others) {
    const Change* const first = change_at(*read->changes, read->from);
    if (first != nullptr && first->item != later)
      explain_pair(*read->changes, *first, *read, later, memory, meet, reasons);
  }
  explain_two_objects(earlier, reads, reasons);
  if (reasons.size() > kMostReasons) reasons.resize(kMostReasons);
  return reasons;
}

}  // namespace transpire::races
