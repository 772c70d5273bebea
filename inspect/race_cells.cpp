// The race checker, cell by cell: whatever kind an access is of, and whatever orders memory.
#include <algorithm>
#include <cstring>
#include <utility>

#include "inspect/race_now.h"
#include "inspect/race_row.h"
#include "vm/exec/observed.h"

namespace transpire::inspect {
namespace {

using vm::AccessKind;
using vm::exec::Batch;

/// More accesses of one kind to a cell, none of which comes before another, are not kept.
constexpr std::size_t kMostTouches = 64;
/// Of the words of one store.
constexpr std::size_t kMostFound = 256;

}  // namespace

bool RaceChecker::races(const Touch& other, const Now& now) const {
  if (now.is_past(other)) return false;
  return !order_.ordered(order_.stamp(other.item, other.clock, other.epoch), now.touch.item,
                         now.memory);
}

bool RaceChecker::races(const ScopedTouch& other, bool other_atomic, const Now& now) const {
  if (now.is_past(other)) return false;
  if (other_atomic && is_atomic(now.kind)) {
    constexpr std::uint8_t kDevice = 1;
    const bool are_wide = now.scope <= kDevice && other.scope <= kDevice;
    if ((are_wide && now.memory != Memory::kLocal) || scopes_meet(other, now)) return false;
  }
  return races(other, now);
}

/// Of local memory what other groups left is nothing.
More* RaceChecker::more_of(const Cell& cell, const Now& now) {
  More* const more = shadow(now.memory).more(cell);
  return more == nullptr || more->epoch < now.exists ? nullptr : more;
}

/// The last store comes behind what is a finding in any case: two stores that race are none where both store the same.
std::optional<RaceChecker::Found> RaceChecker::look_at(const Cell& cell, const Now& now) {
  const std::optional<Found> of_others = look_at_others(cell, now);
  const bool is_sure =
      of_others && (of_others->kind == AccessKind::kLoad || now.kind == AccessKind::kStore);
  if (is_sure) return of_others;
  if (races(cell.write, now)) return Found{cell.write, AccessKind::kStore};
  if (const More* const more = more_of(cell, now))
    for (const ScopedTouch& write : more->writes)
      if (races(write, now)) return Found{write, AccessKind::kStore};
  return of_others;
}

/// All but stores.
std::optional<RaceChecker::Found> RaceChecker::look_at_others(const Cell& cell, const Now& now) {
  const auto among = [&](const auto& touches, AccessKind kind) -> std::optional<Found> {
    for (const ScopedTouch& touch : touches)
      if (races(touch, is_atomic(kind), now)) return Found{touch, kind};
    return std::nullopt;
  };
  const More* const more = more_of(cell, now);
  if (more != nullptr)
    if (const auto found = among(more->atomic_writes, AccessKind::kAtomic)) return found;
  if (!does_write(now.kind)) return std::nullopt;
  for (const Touch& read : cell.reads)
    if (races(read, now)) return Found{read, AccessKind::kLoad};
  if (more == nullptr) return std::nullopt;
  if (const auto found = among(more->reads, AccessKind::kLoad)) return found;
  return among(more->atomic_reads, AccessKind::kAtomicLoad);
}

/// A store that races with another one, and is no finding if it stores the same: what comes behind the one may race with the other.
bool RaceChecker::is_beside_stores(const Cell& cell, const Now& now) {
  if (options_.same_value) return false;
  if (races(cell.write, now)) return true;
  const More* const more = more_of(cell, now);
  return more != nullptr && std::any_of(more->writes.begin(), more->writes.end(),
                                        [&](const Touch& write) { return races(write, now); });
}

/// False: there is no memory for it.
bool RaceChecker::keep(Cell& cell, const Now& now) {
  Shadow& all = shadow(now.memory);
  if (cell.more != 0 && more_of(cell, now) == nullptr) all.drop_more(cell);
  if (is_atomic(now.kind)) {
    More* const more = all.make_more(cell);
    if (more == nullptr) return false;
    more->epoch = now.touch.epoch;
    if (does_write(now.kind)) return keep(more->atomic_writes, more->tried_atomic_writes, now);
    return keep(more->atomic_reads, more->tried_atomic_reads, now);
  }
  if (!does_write(now.kind)) return keep_read(cell, now);
  if (is_beside_stores(cell, now)) {
    More* const more = all.make_more(cell);
    if (more == nullptr) return false;
    more->epoch = now.touch.epoch;
    return keep(more->writes, more->tried_writes, now);
  }
  // What races with anything before it, and not with it, would have to come behind it.
  cell.write = now.touch;
  cell.reads = {};
  all.drop_more(cell);
  return true;
}

/// Whoever comes behind the new one comes behind those before it. Beyond some, two stand for all: where nothing but barriers of
/// whole groups orders memory, any other work-item is unordered with one of two of different groups, or of one group and
/// of different work-items. Where many items touch one cell, those that know the same of the others are compared with
/// them once.
bool RaceChecker::keep(std::vector<ScopedTouch>& touches, std::uint64_t& tried, const Now& now) {
  const std::size_t most = order_.fine() ? kMostTouches : 2;
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
    if (order_.fine()) {
      const std::uint64_t view = order_.view(own.item, now.memory);
      if (std::exchange(tried, view) == view) return true;
    }
    drop([&](const ScopedTouch& touch) {
      return now.is_free(touch.epoch) ||
             order_.ordered(order_.stamp(touch.item, touch.clock, touch.epoch), now.touch.item,
                            now.memory);
    });
  }
  if (touches.size() < most) return shadow(now.memory).keep(touches, own);
  const auto group = [&](const Touch& touch) { return touch.item / order_.group_items(); };
  if (group(touches.front()) == group(touches.back())) touches.back() = own;
  return true;
}

bool RaceChecker::keep_read(Cell& cell, const Now& now) {
  const auto is_over = [&](const Touch& touch) { return !races(touch, now); };
  if (!order_.fine() || is_over(cell.reads[0]) || is_over(cell.reads[1])) {
    note_read(cell.reads, now.touch, order_.fine() ? 0 : now.start, is_over);
    return true;
  }
  More* const more = shadow(now.memory).make_more(cell);
  if (more == nullptr) return false;
  more->epoch = now.touch.epoch;
  return keep(more->reads, more->tried_reads, now);
}

/// Without its first `skip` bytes, which are done. `row`: it is a row's lane, whose store's value is known.
void RaceChecker::check(const Batch& batch, const vm::ObservedAccess& access, const Now& now,
                        const Row* row, std::uint64_t skip) {
  std::optional<Found> found, stored;
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
        std::optional<Found> here = look_at(*cell, now);
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
  else if (!same.empty())
    store_ = Store{&batch, access, std::move(same)};
}

/// Whether a lane stores other bytes there than there are, after what the lanes before it store.
bool RaceChecker::Row::changes(std::uint32_t lane, std::uint64_t address,
                               std::uint64_t bytes) const {
  std::array<std::byte, 4> before{}, after{};
  std::memcpy(before.data(), row.at(address), bytes);
  std::vector<std::byte> value(row.bytes);
  // Of these bytes, by bit; those that it stores.
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
  // What the last one of those before it stores is there.
  const std::uint32_t all = (1u << bytes) - 1;
  std::uint32_t left = all;
  for (std::uint32_t by = lane; by-- != 0 && left != 0;)
    if ((row.lanes[by / 64] >> by % 64 & 1) != 0) left &= ~lay(by, left, before);
  after = before;
  lay(lane, all, after);
  return before != after;
}

}  // namespace transpire::inspect
