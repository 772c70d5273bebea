#include "races/race.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/rule.h"
#include "races/current_access.h"
#include "vm/exec/lane_ids.h"
#include "vm/exec/read_address.h"

namespace transpire::races {
namespace {

using vm::AccessKind;
using vm::exec::BarrierBetween;
using vm::exec::Batch;
using vm::exec::Unshared;

/// Bit beside a scope: the scope may also be the work-group, if the other access needs it. See may_have_no_scope().
constexpr std::uint32_t kOrWorkgroup = 0x80;

template <class F>
void each_running(const Batch& batch, F f) {
  for (std::uint32_t word = 0; word < vm::exec::kMaxMaskWords; ++word)
    for (std::uint64_t bits = batch.mask[word]; bits != 0; bits &= bits - 1)
      f(word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
}

std::uint32_t last_running(const Batch& batch) {
  std::uint32_t word = vm::exec::kMaxMaskWords - 1;
  while (word > 0 && batch.mask[word] == 0) --word;
  return word * 64 + 63 - static_cast<std::uint32_t>(std::countl_zero(batch.mask[word]));
}

/// True for a compare-exchange that finds another value than it compares with, and therefore stores nothing.
bool fails_to_exchange(const Batch& batch, const vm::ObservedAccess& access) {
  if (access.kind != AccessKind::kAtomic) return false;
  const std::byte* const expected = vm::exec::comparator(batch, *access.instruction, access.lane);
  return expected != nullptr && std::memcmp(expected, access.place.base, access.bytes) != 0;
}

std::uint32_t group_items(const vm::exec::LaunchIds& ids) {
  return static_cast<std::uint32_t>(ids.enqueued_local_size[0] * ids.enqueued_local_size[1] *
                                    ids.enqueued_local_size[2]);
}

bool has_atomics(const vm::Program& program) {
  return std::ranges::any_of(program.sites, [](const vm::Site& site) {
    return site.op == vm::Op::kAnnounceOrder &&
           static_cast<vm::OrderOf>(site.number) == vm::OrderOf::kAtomic;
  });
}

Rule rule_of(Unshared unshared) {
  if (unshared == Unshared::kNone) return Rule::kR0100;
  const bool is_incoherent =
      unshared == Unshared::kOtherIncoherent || unshared == Unshared::kOwnIncoherent;
  return is_incoherent ? Rule::kR0108 : Rule::kR0107;
}

template <class IsOne>
bool has_sharing(const vm::Program& program, IsOne is_one) {
  return std::ranges::any_of(program.sites,
                             [&](const vm::Site& site) { return is_one(site.sharing.kind); });
}

/// Number of the meeting of a group's split barrier. Both halves have the same number.
std::uint64_t meeting_of_split(std::uint64_t number) { return std::uint64_t{1} << 63 | number; }

}  // namespace

RaceChecker::RaceChecker(const vm::Program& program, const vm::exec::LaunchIds& ids,
                         const RaceOptions& options)
    : program_(program),
      ids_(ids),
      options_(options),
      budget_(options.max_bytes),
      order_(group_items(ids), &budget_, program.stores_atomically),
      global_(budget_) {
  group_.local = std::make_unique<Shadow>(budget_);
  const std::uint64_t groups = ids.num_groups[0] * ids.num_groups[1] * ids.num_groups[2];
  counts_ = groups <= (Stamp::kNobody - 1) / order_.group_items();
  gave_up_ = !counts_;
  // This must come first: without it two reads represent all (note_read()), and atomics are not noted.
  if (counts_ && program.orders_finely) order_.use_item_clocks();
  if (counts_ && has_atomics(program)) log_.emplace(order_.group_items(), budget_);
  // Nothing else orders accesses of different work-items.
  const bool orders = program.uses_barrier || program.orders_finely || has_atomics(program);
  using Kind = vm::Sharing::Kind;
  if (orders && has_sharing(program, [](Kind kind) { return kind != Kind::kAny; }))
    availability_.emplace(&budget_);
  shares_locally_ = has_sharing(
      program, [](Kind kind) { return kind == Kind::kShared || kind == Kind::kPrivate; });
}

std::uint64_t RaceChecker::number_of(const std::uint64_t group_id[3]) const {
  return vm::exec::linear_id(ids_.num_groups, group_id[0], group_id[1], group_id[2]);
}

/// Prepares for another group to run: keeps the state of the present group if it has not ended. False if the checker is no longer
/// active.
bool RaceChecker::set_aside() {
  judge_pending_store();
  if (!is_active()) {
    set_aside_.clear();
    spare_.clear();
    order_.forget();
    return false;
  }
  if (group_.runs) {
    order_.set_aside();
    set_aside_[group_.number] = std::move(group_);
  } else {
    spare_.push_back(std::move(group_.local));
  }
  return is_active();
}

void RaceChecker::group_begins(const std::uint64_t group_id[3]) {
  if (!set_aside()) return;
  group_ = {};
  group_.number = number_of(group_id);
  group_.runs = true;
  if (spare_.empty()) spare_.push_back(std::make_unique<Shadow>(budget_));
  group_.local = std::move(spare_.back());
  spare_.pop_back();
  order_.group_begins(group_.number);
}

void RaceChecker::group_goes_on(const std::uint64_t group_id[3]) {
  if (!set_aside()) return;
  const auto kept = set_aside_.find(number_of(group_id));
  group_ = std::move(kept->second);
  set_aside_.erase(kept);
  order_.group_goes_on(group_.number);
}

void RaceChecker::group_ends(const std::uint64_t[3]) {
  judge_pending_store();
  if (availability_) availability_->group_ends(group_.number);
  group_.runs = false;
}

std::uint32_t RaceChecker::item_of(const Batch& batch, std::uint32_t lane) const {
  return static_cast<std::uint32_t>(group_.number * order_.group_items() +
                                    vm::exec::local_linear_id(batch, lane));
}

ScopeInstance RaceChecker::instance(std::uint32_t item, std::uint32_t scope, Memory memory) const {
  scope = std::max(scope & ~kOrWorkgroup, memory == Memory::kLocal ? kWorkgroup : kDevice);
  if (scope == kDevice) return {scope, 0};
  if (scope == kWorkgroup) return {scope, item / order_.group_items()};
  if (scope != kSubgroup) return {scope, item};
  const std::uint64_t subgroup = item % order_.group_items() / program_.subgroup_size;
  return {scope, std::uint64_t{item / order_.group_items()} << 32 | subgroup};
}

bool RaceChecker::scopes_meet(const ScopedTouch& other, const CurrentAccess& now) const {
  const auto meet = [&](std::uint32_t theirs, std::uint32_t own) {
    return instance(other.item, theirs, now.memory) == instance(now.touch.item, own, now.memory);
  };
  if (meet(other.scope, now.scope)) return true;
  return ((other.scope & kOrWorkgroup) != 0 && meet(kWorkgroup, now.scope)) ||
         ((now.scope & kOrWorkgroup) != 0 && meet(other.scope, kWorkgroup));
}

BarrierBetween RaceChecker::barrier_since(const Stamp& stamp, Memory memory) const {
  if (!order_.in_group(stamp) || !order_.passed_barrier(stamp)) return BarrierBetween::kNone;
  if (!order_.passed_in_parts(stamp, memory)) return BarrierBetween::kOfOtherMemory;
  return group_.parts_are_split ? BarrierBetween::kSplit : BarrierBetween::kNarrow;
}

/// Near misses of a race. All events of one finding share them; only the first events look for them.
const std::vector<vm::exec::NearMiss>& RaceChecker::near_misses(const Batch& batch,
                                                                const vm::ObservedAccess& access,
                                                                const Found& found) {
  constexpr std::uint32_t kMostTries = 4;
  static const std::vector<vm::exec::NearMiss> kNone;
  if (!log_) return kNone;
  Explained& known = explained_[{access.instruction, found.other.place}];
  if (!known.near.empty() || known.tries >= kMostTries) return known.near;
  ++known.tries;
  const auto meet = [this](std::uint32_t item, std::uint32_t scope, std::uint32_t other,
                           std::uint32_t other_scope, Memory memory) {
    return instance(item, scope, memory) == instance(other, other_scope, memory);
  };
  known.near =
      log_->explain(found.other.item, item_of(batch, access.lane), memory_of(access.place), meet);
  return known.near;
}

void RaceChecker::report(const Batch& batch, const vm::ObservedAccess& access, const Found& found) {
  const std::uint32_t items = order_.group_items();
  const std::uint32_t item = found.other.item;
  const Stamp stamp = order_.stamp(item, found.other.clock, found.other.epoch);
  vm::exec::OtherHalf half;
  vm::exec::RacingAccess& other = half.access.emplace();
  other.instruction = program_.code.data() + found.other.place;
  other.item = vm::exec::work_item_at(ids_, item / items, item % items);
  other.kind = found.kind;
  other.own = access.kind;
  other.in_group = order_.in_group(stamp);
  other.barrier = barrier_since(stamp, memory_of(access.place));
  other.unshared = found.unshared;
  if (found.unshared == Unshared::kNone) other.near = near_misses(batch, access, found);
  vm::exec::Event event;
  event.rule = static_cast<std::uint16_t>(rule_of(found.unshared));
  event.instruction = access.instruction;
  event.lane = access.lane;
  event.address = access.address;
  event.size_bytes = access.bytes;
  event.other = &half;
  batch.sink->finding(batch, event);
}

std::uint64_t RaceChecker::shift_at(std::uint64_t address) const {
  for (const OverlappingRange& each : options_.shared)
    if (address - each.begin < each.size_bytes) return each.shift;
  return 0;
}

/// True if accesses of the memory may be ordered and yet not shared. GLSL450 has no promises of local memory.
bool RaceChecker::judges_sharing(Memory memory) const {
  return availability_ && memory != Memory::kImage && (memory != Memory::kLocal || shares_locally_);
}

RaceChecker::CurrentAccess RaceChecker::current_access(const Batch& batch,
                                                       const vm::ObservedAccess& access) {
  CurrentAccess now(order_, memory_of(access.place), access.kind);
  now.touch.item = item_of(batch, access.lane);
  now.touch.clock = order_.now(now.touch.item).clock;
  now.touch.place = static_cast<std::uint32_t>(access.instruction - program_.code.data());
  now.shift = shift_at(access.address);
  if (is_atomic(access.kind)) now.scope = static_cast<std::uint8_t>(scope_[access.lane]);
  // An asynchronous copy is made when its event is waited for, which all of the group do. It then happened before later actions of all of
  // them, and of others that acquire a later release of one of them.
  if (program_.site_of(access.instruction).op == vm::Op::kAsyncCopy) {
    now.touch.epoch = order_.start();
    now.touch.clock = order_.copy();
  }
  return now;
}

void RaceChecker::access(const Batch& batch, const vm::ObservedAccess& access) {
  judge_pending_store();
  if (access.place.is_private || !is_active()) return;
  if (access.place.is_image && !program_.site_of(access.instruction).may_race) return;
  if (fails_to_exchange(batch, access)) {
    vm::ObservedAccess load = access;
    load.kind = AccessKind::kAtomicLoad;
    const CurrentAccess now = current_access(batch, load);
    const Semantics semantics = decode(unequal_[access.lane]);
    synchronise(load, now, semantics);
    check(batch, load, now);
    return log_atomic(load, now, semantics);
  }
  const CurrentAccess now = current_access(batch, access);
  if (!is_atomic(access.kind)) return check(batch, access, now);
  const Semantics semantics = decode(semantics_[access.lane]);
  synchronise(access, now, semantics);
  check(batch, access, now);
  log_atomic(access, now, semantics);
}

/// Logs an atomic. Called after its check, so that the log has only earlier atomics then.
void RaceChecker::log_atomic(const vm::ObservedAccess& access, const CurrentAccess& now,
                             const Semantics& semantics) {
  // If no atomic orders anything, atomics are cheap and there may be many. The log then has the first ones, which show how they are used.
  constexpr std::uint32_t kMostRelaxed = std::uint32_t{1} << 14;
  if (!log_ || (!order_.uses_item_clocks() && log_->count() >= kMostRelaxed)) return;
  const std::uint64_t owner = now.memory == Memory::kLocal ? group_.number + 1 : 0;
  log_->atomic(now.touch.item, {owner, access.address + now.shift, now.memory},
               {access.instruction, semantics, now.scope}, now.kind != AccessKind::kAtomicStore,
               does_write(now.kind));
}

void RaceChecker::synchronise(const vm::ObservedAccess& access, const CurrentAccess& now,
                              const Semantics& semantics) {
  if (!order_.uses_item_clocks()) return;
  HappensBefore::Atomic atomic;
  atomic.address = access.address + now.shift;
  atomic.memory = now.memory;
  atomic.reads = now.kind != AccessKind::kAtomicStore;
  atomic.modifies = does_write(now.kind);
  atomic.semantics = semantics;
  atomic.where = instance(now.touch.item, now.scope, now.memory);
  order_.atomic(now.touch.item, atomic);
}

/// Judges a store that races with a store, once it has been made: it is no race if it changed nothing.
void RaceChecker::judge_pending_store() {
  if (!pending_store_) return;
  for (const Store::Word& word : pending_store_->words) {
    if (std::memcmp(word.before.data(), word.at, word.bytes) == 0) continue;
    report(*pending_store_->batch, pending_store_->access, word.found);
    break;
  }
  pending_store_.reset();
}

void RaceChecker::orders(const Batch& batch, const vm::MemoryOrder& order) {
  judge_pending_store();
  if (!is_active()) return;
  if (order.of == vm::OrderOf::kAtomic) {
    each_running(batch, [&](std::uint32_t lane) {
      semantics_[lane] = order.semantics[lane];
      const auto scope = static_cast<spv::Scope>(order.scope[lane]);
      scope_[lane] = may_have_no_scope(scope, decode(semantics_[lane])) ? kDevice | kOrWorkgroup
                                                                        : order.scope[lane];
      unequal_[lane] = order.unequal[lane];
      note_availability(item_of(batch, lane), order.semantics[lane], order.scope[lane]);
    });
    return;
  }
  const spv::Op op = program_.source_of(order.instruction).op;
  if (order.of == vm::OrderOf::kBarrier) {
    const std::uint32_t lane = last_running(batch);
    group_.barrier = decode(order.semantics[lane]);
    group_.barrier_scope = order.scope[lane];
    group_.barrier_bits = order.semantics[lane];
    group_.comes_to_barrier = true;
    group_.barrier_instruction = order.instruction;
    group_.is_split = op == spv::Op::OpControlBarrierWaitINTEL;
    return;
  }
  each_running(batch, [&](std::uint32_t lane) {
    note_availability(item_of(batch, lane), order.semantics[lane], order.scope[lane]);
  });
  if (!order_.uses_item_clocks()) return;
  if (op == spv::Op::OpControlBarrierArriveINTEL) return arrive_at_split(batch, order);
  const auto each = [&](auto f) {
    each_running(batch, [&](std::uint32_t lane) {
      const Semantics semantics = decode(order.semantics[lane]);
      if (semantics.orders()) f(item_of(batch, lane), semantics, order.scope[lane]);
    });
  };
  if (order.of == vm::OrderOf::kSubgroupBarrier) {
    ++meetings_;
    each([&](std::uint32_t item, const Semantics& semantics, std::uint32_t) {
      order_.arrive(item, semantics, meeting_of_subgroup(item));
    });
    each([&](std::uint32_t item, const Semantics& semantics, std::uint32_t) {
      order_.leave(item, semantics, meeting_of_subgroup(item));
    });
    each([&](std::uint32_t item, const Semantics&, std::uint32_t) {
      order_.meeting_ends(meeting_of_subgroup(item));
    });
  }
  // A barrier also is two fences.
  each([&](std::uint32_t item, const Semantics& semantics, std::uint32_t scope) {
    fence(item, order.instruction, semantics, scope);
  });
}

void RaceChecker::note_availability(std::uint32_t item, std::uint32_t semantics,
                                    std::uint32_t scope) {
  if (availability_) availability_->fence(group_.number, order_.now(item), semantics, scope);
}

void RaceChecker::fence(std::uint32_t item, const vm::Inst* instruction, const Semantics& semantics,
                        std::uint32_t scope) {
  order_.fence(item, semantics, instance(item, scope, Memory::kGlobal));
  if (log_) log_->fence(item, {instruction, semantics, static_cast<std::uint8_t>(scope)});
}

/// The first half of a split barrier: a release to the barrier's meeting. It does not order later actions.
void RaceChecker::arrive_at_split(const Batch& batch, const vm::MemoryOrder& order) {
  each_running(batch, [&](std::uint32_t lane) {
    const Semantics semantics = decode(order.semantics[lane]);
    if (!semantics.orders()) return;
    const std::uint32_t item = item_of(batch, lane), scope = order.scope[lane];
    if (semantics.releases && scope <= kWorkgroup)
      order_.arrive(item, semantics, meeting_of_split(group_.splits));
    fence(item, order.instruction, semantics, scope);
  });
}

void RaceChecker::waits(const Batch& batch, const vm::Inst&) {
  judge_pending_store();
  if (!is_active() || !group_.comes_to_barrier) return;
  if (!order_.uses_item_clocks() || !group_.barrier.orders()) return;
  const bool is_named = batch.stop == vm::exec::Stop::kNamedBarrier;
  Semantics releases = group_.barrier;
  releases.acquires = false;
  each_running(batch, [&](std::uint32_t lane) {
    const std::uint32_t item = item_of(batch, lane);
    fence(item, group_.barrier_instruction, releases, group_.barrier_scope);
    if (!is_named) return;
    const ScopeInstance where = instance(item, group_.barrier_scope, Memory::kGlobal);
    order_.arrive(item, group_.barrier, batch.named_barrier);
    group_.waiting.push_back({batch.named_barrier, item, group_.barrier, where});
  });
}

/// A work-item leaves a barrier, which is also an acquire fence.
void RaceChecker::leave(std::uint32_t item, Semantics semantics, const ScopeInstance& where) {
  semantics.releases = false;
  if (!semantics.orders()) return;
  order_.fence(item, semantics, where);
  if (log_)
    log_->fence(item,
                {group_.barrier_instruction, semantics, static_cast<std::uint8_t>(where.scope)});
}

/// Number of a meeting of a work-item's sub-group, the one that meetings_ counts now.
std::uint64_t RaceChecker::meeting_of_subgroup(std::uint32_t item) const {
  return instance(item, kSubgroup, Memory::kGlobal).number << 40 | meetings_;
}

/// The group meets at a barrier that orders less than all of its actions: the second half of a split barrier, or a barrier whose
/// memory scope is narrower than the group. `first`: the group's first work-item.
void RaceChecker::meet_in_parts(std::uint32_t first) {
  order_.group_met_in_parts(group_.barrier);
  group_.parts_are_split = group_.is_split;
  if (!group_.barrier.orders() || group_.barrier_scope > kSubgroup) return;
  const std::uint32_t end = first + order_.group_items();
  const auto meeting = [&](std::uint32_t item) {
    return group_.is_split ? meeting_of_split(group_.splits) : meeting_of_subgroup(item);
  };
  if (!group_.is_split)
    for (std::uint32_t item = first; item < end; ++item)
      order_.arrive(item, group_.barrier, meeting(item));
  if (group_.barrier.acquires && (!group_.is_split || group_.barrier_scope <= kWorkgroup))
    for (std::uint32_t item = first; item < end; ++item)
      order_.leave(item, group_.barrier, meeting(item));
  for (std::uint32_t item = first; item < end; ++item) order_.meeting_ends(meeting(item));
  ++(group_.is_split ? group_.splits : meetings_);
}

void RaceChecker::meets(const Batch& batch, const vm::Inst&) {
  judge_pending_store();
  if (!is_active()) return;
  if (batch.stop == vm::exec::Stop::kNamedBarrier) {
    for (const Waiting& each : group_.waiting) {
      if (each.barrier != batch.named_barrier) continue;
      order_.leave(each.item, each.semantics, each.barrier);
      leave(each.item, each.semantics, each.where);
    }
    std::erase_if(group_.waiting,
                  [&](const Waiting& each) { return each.barrier == batch.named_barrier; });
    return;
  }
  if (!group_.comes_to_barrier) return;
  group_.comes_to_barrier = false;
  const std::uint32_t items = order_.group_items();
  const auto first = static_cast<std::uint32_t>(group_.number * items);
  if (availability_)
    availability_->group_met(group_.number, order_.now(first).barriers, group_.barrier_bits,
                             group_.barrier_scope);
  if (group_.is_split || group_.barrier_scope > kWorkgroup)
    meet_in_parts(first);
  else
    order_.group_met(group_.barrier);
  if (!order_.uses_item_clocks()) return;
  for (std::uint32_t i = 0; i < items; ++i)
    leave(first + i, group_.barrier, instance(first + i, group_.barrier_scope, Memory::kGlobal));
}

}  // namespace transpire::races
