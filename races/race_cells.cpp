// RaceChecker, cell by cell: the general way, for all kinds of accesses and all kinds of order.
#include <algorithm>
#include <cstring>
#include <utility>

#include "races/current_access.h"
#include "races/race_row.h"
#include "vm/exec/observed.h"

namespace transpire::races {
namespace {

using vm::AccessKind;
using vm::exec::Batch;

/// The most accesses of one kind that are kept for a cell, if none of them happens before another.
constexpr std::size_t kMostTouches = 64;
/// The most words of one store that are compared after it was made.
constexpr std::size_t kMostFound = 256;

}  // namespace

bool RaceChecker::races(const Touch& other, const CurrentAccess& now) const {
  if (now.is_ordered(other)) return false;
  return !order_.ordered(order_.stamp(other.item, other.clock, other.epoch), now.touch.item,
                         now.memory);
}

bool RaceChecker::races(const ScopedTouch& other, bool other_atomic,
                        const CurrentAccess& now) const {
  if (now.is_ordered(other)) return false;
  if (other_atomic && is_atomic(now.kind)) {
    constexpr std::uint8_t kDevice = 1;
    const bool are_wide = now.scope <= kDevice && other.scope <= kDevice;
    if ((are_wide && now.memory != Memory::kLocal) || scopes_meet(other, now)) return false;
  }
  return races(other, now);
}

/// The lists of a cell, or null. Lists in local memory that other groups left do not count.
CellLists* RaceChecker::lists_of(const Cell& cell, const CurrentAccess& now) {
  CellLists* const lists = shadow(now.memory).lists(cell);
  return lists == nullptr || lists->epoch < now.first_epoch ? nullptr : lists;
}

/// The access in a cell that races with the present one. Stores come last, unless nothing else races: two racing stores are no finding
/// if both store the same value.
std::optional<RaceChecker::Found> RaceChecker::race_in(const Cell& cell, const CurrentAccess& now) {
  const std::optional<Found> of_others = race_with_non_stores(cell, now);
  const bool is_sure =
      of_others && (of_others->kind == AccessKind::kLoad || now.kind == AccessKind::kStore);
  if (is_sure) return of_others;
  if (races(cell.write, now)) return Found{cell.write, AccessKind::kStore};
  if (const CellLists* const lists = lists_of(cell, now))
    for (const ScopedTouch& write : lists->writes)
      if (races(write, now)) return Found{write, AccessKind::kStore};
  return of_others;
}

/// The access in a cell, except stores, that races with the present one.
std::optional<RaceChecker::Found> RaceChecker::race_with_non_stores(const Cell& cell,
                                                                    const CurrentAccess& now) {
  const auto among = [&](const auto& touches, AccessKind kind) -> std::optional<Found> {
    for (const ScopedTouch& touch : touches)
      if (races(touch, is_atomic(kind), now)) return Found{touch, kind};
    return std::nullopt;
  };
  const CellLists* const lists = lists_of(cell, now);
  if (lists != nullptr)
    if (const auto found = among(lists->atomic_writes, AccessKind::kAtomic)) return found;
  if (!does_write(now.kind)) return std::nullopt;
  for (const Touch& read : cell.reads)
    if (races(read, now)) return Found{read, AccessKind::kLoad};
  if (lists == nullptr) return std::nullopt;
  if (const auto found = among(lists->reads, AccessKind::kLoad)) return found;
  return among(lists->atomic_reads, AccessKind::kAtomicLoad);
}

/// The access in a cell that is ordered before the present one and does not share its bytes with it.
std::optional<RaceChecker::Found> RaceChecker::unshared_in(const Cell& cell,
                                                           const CurrentAccess& now) {
  if (!judges_sharing(now.memory)) return std::nullopt;
  const std::uint32_t items = order_.group_items();
  const auto end_of = [&](const Touch& touch, AccessKind kind) {
    return Availability::End{order_.stamp(touch.item, touch.clock, touch.epoch), touch.item / items,
                             kind, program_.sites[touch.place].sharing};
  };
  const Availability::End own = end_of(now.touch, now.kind);
  std::optional<Found> found;
  const auto look_at = [&](const Touch& touch, AccessKind kind) {
    if (found || touch.epoch < now.first_epoch || touch.item == now.touch.item) return;
    const auto missing = availability_->missing(end_of(touch, kind), own, now.memory);
    if (missing != vm::exec::Unshared::kNone) found = Found{touch, kind, missing};
  };
  look_at(cell.write, AccessKind::kStore);
  const CellLists* const lists = lists_of(cell, now);
  if (lists != nullptr) {
    for (const ScopedTouch& touch : lists->writes) look_at(touch, AccessKind::kStore);
    for (const ScopedTouch& touch : lists->atomic_writes) look_at(touch, AccessKind::kAtomic);
  }
  if (!does_write(now.kind)) return found;
  for (const Touch& read : cell.reads) look_at(read, AccessKind::kLoad);
  if (lists != nullptr)
    for (const ScopedTouch& read : lists->reads) look_at(read, AccessKind::kLoad);
  return found;
}

/// True if a store races with earlier stores, which is no finding if both store the same value. All of them must then be kept, since a
/// later access may be ordered after one of them and race with another.
bool RaceChecker::races_with_stores(const Cell& cell, const CurrentAccess& now) {
  if (options_.same_value) return false;
  if (races(cell.write, now)) return true;
  const CellLists* const lists = lists_of(cell, now);
  return lists != nullptr && std::any_of(lists->writes.begin(), lists->writes.end(),
                                         [&](const Touch& write) { return races(write, now); });
}

/// Keeps the present access in a cell. False if memory runs out.
bool RaceChecker::keep(Cell& cell, const CurrentAccess& now) {
  Shadow& all = shadow(now.memory);
  if (cell.lists != 0 && lists_of(cell, now) == nullptr) all.drop_lists(cell);
  if (is_atomic(now.kind)) {
    CellLists* const lists = all.make_lists(cell);
    if (lists == nullptr) return false;
    lists->epoch = now.touch.epoch;
    if (does_write(now.kind)) return keep(lists->atomic_writes, lists->tried_atomic_writes, now);
    return keep(lists->atomic_reads, lists->tried_atomic_reads, now);
  }
  if (!does_write(now.kind)) return keep_read(cell, now);
  if (races_with_stores(cell, now)) {
    CellLists* const lists = all.make_lists(cell);
    if (lists == nullptr) return false;
    lists->epoch = now.touch.epoch;
    return keep(lists->writes, lists->tried_writes, now);
  }
  // Earlier accesses need not be kept. Each happened before this store or was found to race with it, and a later access either races with
  // this store or happens after it.
  cell.write = now.touch;
  cell.reads = {};
  all.drop_lists(cell);
  return true;
}

/// Keeps the present access in a list of a cell. False if memory runs out. A full list first loses the accesses that happen before it,
/// since an access that is ordered after it is ordered after them, too.
/// - If only barriers of whole groups order memory, two accesses represent all others: any other work-item is unordered with one of
///   two accesses by different groups, or by different work-items of one group.
/// - If many work-items touch one cell, all work-items with the same view (HappensBefore::view()) are compared with the list once;
///   `tried` is the last view.
bool RaceChecker::keep(std::vector<ScopedTouch>& touches, std::uint64_t& tried,
                       const CurrentAccess& now) {
  const std::size_t most = order_.uses_item_clocks() ? kMostTouches : 2;
  const ScopedTouch own{now.touch, now.scope};
  for (ScopedTouch& touch : touches) {
    if (touch.item != own.item || touch.scope != own.scope) continue;
    touch = own;
    return true;
  }
  const auto drop = [&](auto is_over) {
    std::erase_if(touches, [&](const ScopedTouch& touch) {
      return touch.scope == own.scope && is_over(touch);
    });
  };
  if (touches.size() >= most) {
    if (order_.uses_item_clocks()) {
      const std::uint64_t view = order_.view(own.item, now.memory);
      if (std::exchange(tried, view) == view) return true;
    }
    drop([&](const ScopedTouch& touch) {
      return now.is_ordered(touch.epoch) ||
             order_.ordered(order_.stamp(touch.item, touch.clock, touch.epoch), now.touch.item,
                            now.memory);
    });
  }
  if (touches.size() < most) return shadow(now.memory).keep(touches, own);
  const auto group = [&](const Touch& touch) { return touch.item / order_.group_items(); };
  if (group(touches.front()) == group(touches.back())) touches.back() = own;
  return true;
}

bool RaceChecker::keep_read(Cell& cell, const CurrentAccess& now) {
  const auto is_over = [&](const Touch& touch) { return !races(touch, now); };
  if (!order_.uses_item_clocks() || is_over(cell.reads[0]) || is_over(cell.reads[1])) {
    note_read(cell.reads, now.touch, order_.uses_item_clocks() ? 0 : now.resume_epoch, is_over);
    return true;
  }
  CellLists* const lists = shadow(now.memory).make_lists(cell);
  if (lists == nullptr) return false;
  lists->epoch = now.touch.epoch;
  return keep(lists->reads, lists->tried_reads, now);
}

/// Checks an access cell by cell and keeps it. `skip`: first bytes that are already done. `row`: the row to which the access belongs,
/// whose stored values are known before the store; else null.
void RaceChecker::check(const Batch& batch, const vm::ObservedAccess& access,
                        const CurrentAccess& now, const Row* row, std::uint64_t skip) {
  std::optional<Found> found, stored, unshared;
  std::vector<Store::Word> same;
  Shadow& all = shadow(now.memory);
  const std::uint64_t begin = access.address + now.shift, end = begin + access.bytes;
  for (std::uint64_t address = begin + skip; address < end;) {
    const std::uint64_t part = std::min(end, (address / Page::kBytes + 1) * Page::kBytes);
    Page* const page = all.page_of(address, (address | part) % 4 == 0);
    for (; address < part; address += page == nullptr ? part - address : page->cell_bytes()) {
      Segment* const segment = page == nullptr ? nullptr : &Shadow::segment_of(*page, address);
      Cell* const cell = page == nullptr ? nullptr : all.cell_of(*page, *segment, address);
      if (cell == nullptr) {
        gave_up_ = true;
        continue;
      }
      if (!found) {
        std::optional<Found> here = race_in(*cell, now);
        if (!here && !unshared) unshared = unshared_in(*cell, now);
        const bool stores =
            here && here->kind == AccessKind::kStore && now.kind == AccessKind::kStore;
        if (!stores || options_.same_value) {
          found = here;
        } else if (row != nullptr) {
          if (!stored && row->changes(access.lane, address, page->cell_bytes())) stored = here;
        } else if (same.size() < kMostFound) {
          Store::Word& word = same.emplace_back();
          word.found = *here;
          word.at = access.place.base + (address - begin);
          word.bytes = page->cell_bytes();
          std::memcpy(word.before.data(), word.at, word.bytes);
        }
      }
      note_touch(*segment, now.touch.epoch);
      gave_up_ = !keep(*cell, now) || gave_up_;
    }
  }
  if (found || stored)
    report(batch, access, found ? *found : *stored);
  else if (unshared)
    report(batch, access, *unshared);
  else if (!same.empty())
    pending_store_ = Store{&batch, access, std::move(same)};
}

/// True if a lane's store changes the bytes at an address, after the stores of all lower lanes.
bool RaceChecker::Row::changes(std::uint32_t lane, std::uint64_t address,
                               std::uint64_t bytes) const {
  std::array<std::byte, 4> before{}, after{};
  std::memcpy(before.data(), row.at(address), bytes);
  std::vector<std::byte> value(row.bytes);
  // Copies bytes that lane `by` stores to `over`, if their bits are in `wanted`. Returns the bits of the bytes that it copied.
  const auto lay = [&](std::uint32_t by, std::uint32_t wanted, std::array<std::byte, 4>& over) {
    const std::uint64_t from = row.address(by);
    if (from + row.bytes <= address || address + bytes <= from) return 0u;
    vm::exec::stored_bytes(batch, row, by, value.data());
    std::uint32_t laid = 0;
    for (std::uint64_t i = 0; i < bytes; ++i) {
      if ((wanted >> i & 1) == 0 || address + i < from || address + i >= from + row.bytes) continue;
      over[i] = value[address + i - from];
      laid |= 1u << i;
    }
    return laid;
  };
  // Each byte has the value that the last of the lower lanes stores to it.
  const std::uint32_t all = (1u << bytes) - 1;
  std::uint32_t left = all;
  for (std::uint32_t by = lane; by-- != 0 && left != 0;)
    if ((row.lanes[by / 64] >> by % 64 & 1) != 0) left &= ~lay(by, left, before);
  after = before;
  lay(lane, all, after);
  return before != after;
}

}  // namespace transpire::races
