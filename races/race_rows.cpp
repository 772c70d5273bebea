// RaceChecker, row by row: the fast way, for most accesses. If only barriers of whole groups order memory, it checks consecutive lanes
// a segment at a time, and other lanes cell by cell. It leaves accesses that may race, and all other cases, to race_cells.cpp.
#include <bit>
#include <cstddef>
#include <cstring>

#include "races/race_row.h"
#include "vm/exec/lane_ids.h"

namespace transpire::races {
namespace {

using vm::AccessKind;

/// The fewest lanes with consecutive or equal addresses for which checking whole segments is faster.
constexpr std::uint32_t kShortRun = 4;

/// f(first, count) for each run of lanes in a mask.
template <class F>
void each_run(const std::uint64_t* mask, std::uint32_t lanes, F f) {
  for (std::uint32_t lane = 0; lane < lanes;) {
    const auto count_from = [&](bool ones) {
      std::uint32_t end = lane;
      while (end < lanes) {
        const std::uint64_t word = (ones ? ~mask[end / 64] : mask[end / 64]) >> end % 64;
        if (word != 0) {
          end += static_cast<std::uint32_t>(std::countr_zero(word));
          break;
        }
        end = (end / 64 + 1) * 64;
      }
      return std::min(end, lanes) - lane;
    };
    lane += count_from(false);
    if (lane >= lanes) return;
    const std::uint32_t count = count_from(true);
    f(lane, count);
    lane += count;
  }
}

}  // namespace

void RaceChecker::row(const vm::exec::Batch& batch, const vm::ObservedRow& row) {
  judge_pending_store();
  if (!is_active() || (row.is_image && !program_.site_of(row.instruction).may_race)) return;
  if (const std::uint64_t shift = shift_at(row.begin); shift != 0) {
    vm::ObservedRow moved = row;
    std::array<std::uint64_t, vm::exec::kMaxLanes> addresses;
    moved.begin += shift;
    moved.base += shift;
    if (row.addresses != nullptr) {
      for (std::uint32_t i = 0; i < program_.lanes; ++i) addresses[i] = row.addresses[i] + shift;
      moved.addresses = addresses.data();
    }
    return check_row(batch, moved, shift);
  }
  check_row(batch, row, 0);
}

void RaceChecker::check_row(const vm::exec::Batch& batch, const vm::ObservedRow& row,
                            std::uint64_t shift) {
  const Memory memory = memory_of(row);
  Row all{batch,          row,  CurrentAccess(order_, memory, row.kind), item_of(batch, 0),
          shadow(memory), shift};
  all.now.shift = shift;
  all.now.touch.place = static_cast<std::uint32_t>(row.instruction - program_.code.data());
  if (!order_.uses_item_clocks() && judges_sharing(memory)) {
    all.now.sites = program_.sites.data();
    const std::uint32_t start = order_.epoch() - order_.now(all.first).barriers;
    const std::uint32_t end = start + availability_->shares_until(group_.number, memory) + 1;
    all.now.shared_epochs = std::max(end, order_.resume_epoch()) - order_.resume_epoch();
  }
  const auto address_of = [&](std::uint32_t lane) { return row.addresses[lane]; };
  each_run(row.lanes, program_.lanes, [&](std::uint32_t first, std::uint32_t count) {
    if (row.addresses == nullptr)
      return check_run(all, first, first + count, static_cast<std::uint64_t>(row.stride));
    const std::uint32_t end = first + count;
    for (std::uint32_t lane = first; lane < end;) {
      std::uint32_t behind = lane + 1;
      const std::uint64_t step = behind < end ? address_of(behind) - address_of(lane) : 1;
      if (step == 0 || step == row.bytes)
        while (behind < end && address_of(behind) - address_of(behind - 1) == step) ++behind;
      if (behind - lane >= kShortRun) {
        check_lanes(all, first, lane);
        check_run(all, lane, behind, step);
        first = behind;
      }
      lane = behind;
    }
    check_lanes(all, first, end);
  });
}

/// Checks lanes [first, end), whose addresses are `step` apart.
void RaceChecker::check_run(Row& row, std::uint32_t first, std::uint32_t end, std::uint64_t step) {
  if (order_.uses_item_clocks() || end - first < kShortRun) {
  } else if (step == 0 && row.row.kind == AccessKind::kLoad) {
    if (check_same_address(row, first)) return;
  } else if (step == row.row.bytes) {
    while (first < end) {
      const Piece piece = check_segments(row, first, end);
      check_lanes(row, piece.checked, piece.next);
      first = piece.next;
    }
    return;
  }
  check_lanes(row, first, end);
}

namespace {

/// A touch as two words that are stored directly from registers. Writing the work-item into a Touch in memory and then copying the whole
/// Touch would wait for that write.
struct Written {
  std::uint64_t low, high;
  explicit Written(const Touch& touch)
      : low(std::uint64_t{touch.epoch} << 32),
        high(std::uint64_t{touch.clock} << 32 | touch.place) {}
  void write(std::uint32_t item, Touch& to) const {
    const std::uint64_t first = low | item;
    std::memcpy(&to.item, &first, 8);
    std::memcpy(&to.place, &high, 8);
  }
};
static_assert(offsetof(Touch, epoch) == 4 && offsetof(Touch, place) == 8 && sizeof(Touch) == 16);

/// note_read(), with the touch in registers.
template <class CurrentAccess, class IsOrdered>
inline void write_read(std::array<Touch, 2>& reads, const CurrentAccess& now, std::uint32_t item,
                       const Written& own, IsOrdered is_ordered) {
  if (is_ordered(reads[0])) {
    own.write(item, reads[0]);
    if (reads[1].epoch != 0 && is_ordered(reads[1])) reads[1].epoch = 0;
  } else if (is_ordered(reads[1]) ||
             (reads[0].epoch < now.resume_epoch && reads[1].epoch < now.resume_epoch)) {
    own.write(item, reads[1]);
  }
}

/// Keeps a store in a cell or segment, if the reads need no closer look. False, and nothing changes, if they do.
template <class IsOver>
inline bool write_store(Touch& write, std::array<Touch, 2>& reads, std::uint32_t item,
                        const Written& own, IsOver is_over) {
  if (!is_over(reads[0], false) || !is_over(reads[1], false)) return false;
  own.write(item, write);
  reads[0].epoch = reads[1].epoch = 0;
  return true;
}

/// Keeps a load or a store in a cell that has no lists, if it is certainly no finding. False, and nothing changes, if it may be one.
template <bool kStores, class CurrentAccess>
inline bool touch_cell(Cell& cell, const CurrentAccess& now, std::uint32_t item,
                       const Written& own) {
  const auto is_ordered = [&](const Touch& other) {
    return other.item == item || now.is_ordered(other.epoch);
  };
  const auto is_over = [&](const Touch& other, bool stored) {
    return other.item == item || (now.is_ordered(other.epoch) && now.shares(other, stored));
  };
  if (cell.lists != 0 || !is_over(cell.write, true)) return false;
  if constexpr (kStores) return write_store(cell.write, cell.reads, item, own, is_over);
  write_read(cell.reads, now, item, own, is_ordered);
  return true;
}

/// touch_cell() for all cells of a segment that has no cells of its own. `own` has the shift, see Touch.
template <class CurrentAccess>
inline bool touch_segment(Segment& segment, const CurrentAccess& now, std::uint32_t item,
                          std::uint32_t shift, const Written& own, bool is_store) {
  const auto is_own = [&](const Touch& other) {
    return other.item == item && other.shift == shift;
  };
  const auto is_ordered = [&](const Touch& other) {
    return now.is_ordered(other.epoch) || is_own(other);
  };
  const auto is_over = [&](const Touch& other, bool stored) {
    return now.is_ordered(other.epoch) ? now.shares(other, stored) || is_own(other) : is_own(other);
  };
  if (!is_over(segment.write, true)) return false;
  if (is_store) return write_store(segment.write, segment.reads, item, own, is_over);
  // With another shift some cells belong to the same work-item and others do not.
  for (const Touch& read : segment.reads)
    if (read.shift != shift && !is_ordered(read)) return false;
  write_read(segment.reads, now, item, own, is_ordered);
  return true;
}

/// True if the segment's cells are not needed any more. Cells of global memory always are, since other groups may touch it.
template <class CurrentAccess>
inline bool is_over(const Segment& segment, const CurrentAccess& now) {
  if (now.memory != Memory::kLocal || !now.is_ordered(segment.newest)) return false;
  return now.sites == nullptr || segment.newest < now.first_epoch;
}

}  // namespace

/// Checks lanes with consecutive addresses from `lane` on by whole segments, as long as nothing may race. The result names lanes that must
/// be checked by cells: they are in no whole segment, or in one that has cells or may race.
RaceChecker::Piece RaceChecker::check_segments(Row& row, std::uint32_t lane, std::uint32_t end) {
  const std::uint64_t address = row.row.address(lane), bytes = row.row.bytes;
  Page* const page = row.shadow.page_of(address, (address | bytes) % 4 == 0);
  if (page == nullptr) return {lane, lane + 1};
  const std::uint64_t cells = bytes >> page->cell_shift, first = page->cell(address);
  if ((cells & (cells - 1)) != 0 || cells > kSegmentCells || first % cells != 0) return {lane, end};
  const auto each = static_cast<std::uint32_t>(kSegmentCells / cells);
  const auto within = static_cast<std::uint32_t>(first % kSegmentCells / cells);
  if (within != 0) return {lane, std::min(end, lane + each - within)};
  const bool is_store = row.row.kind == AccessKind::kStore;
  Segment* segment = page->segments.get() + first / kSegmentCells;
  Segment* const last = page->segments.get() + page->segment_count();
  Touch touch = row.now.touch;
  touch.shift = static_cast<std::uint32_t>(std::countr_zero(cells));
  const Written own(touch);
  for (; segment != last && lane + each <= end; ++segment, lane += each) {
    if (segment->cells != nullptr) {
      if (!is_over(*segment, row.now)) return {lane, lane + each};
      row.shadow.drop_cells(*segment);
    }
    if (!touch_segment(*segment, row.now, row.first + lane, touch.shift, own, is_store))
      return {lane, lane + each};
  }
  return {lane, segment == last ? lane : end};
}

/// Checks a load by lanes that all have one address. Two of the lanes represent all. False if it must be checked lane by lane.
bool RaceChecker::check_same_address(Row& row, std::uint32_t first) {
  const std::uint64_t begin = row.row.address(first), end = begin + row.row.bytes;
  const CurrentAccess& now = row.now;
  const Written own(now.touch);
  for (std::uint64_t address = begin; address < end;) {
    Page* const page = row.shadow.page_of(address, (begin | end) % 4 == 0);
    if (page == nullptr) return false;
    Segment& segment = Shadow::segment_of(*page, address);
    Cell* const cell = row.shadow.cell_of(*page, segment, address);
    if (cell == nullptr || cell->lists != 0 || !now.is_ordered(cell->write.epoch) ||
        !now.shares(cell->write, true))
      return false;
    for (const std::uint32_t lane : {first, first + 1})
      touch_cell<false>(*cell, now, row.first + lane, own);
    note_touch(segment, now.touch.epoch);
    address += page->cell_bytes();
  }
  return true;
}

/// Checks lanes cell by cell, until an access may race or a cell has lists. Returns that lane, and sets `done` to the number of its bytes
/// that are checked; `end` if all lanes are.
template <bool kStores>
std::uint32_t RaceChecker::touch_lanes(Row& row, std::uint32_t lane, std::uint32_t end,
                                       std::uint64_t* done) {
  const vm::ObservedRow& all = row.row;
  const CurrentAccess now = row.now;
  const Written own(now.touch);
  Page* page = nullptr;
  std::uint64_t number = ~std::uint64_t{0};
  for (; lane < end; ++lane) {
    const std::uint64_t begin = all.address(lane), stop = begin + all.bytes;
    const bool aligned = (begin | stop) % 4 == 0;
    for (std::uint64_t address = begin; address < stop; address += page->cell_bytes()) {
      *done = address - begin;
      if (address / Page::kBytes != number || (!aligned && page->cell_shift != 0)) {
        page = row.shadow.page_of(address, aligned);
        if (page == nullptr) return lane;
        number = address / Page::kBytes;
      }
      Segment& segment = Shadow::segment_of(*page, address);
      Cell* const cell = row.shadow.cell_of(*page, segment, address);
      if (cell == nullptr || !touch_cell<kStores>(*cell, now, row.first + lane, own)) return lane;
      note_touch(segment, now.touch.epoch);
    }
  }
  return end;
}

void RaceChecker::check_lanes(Row& row, std::uint32_t lane, std::uint32_t end) {
  const vm::ObservedRow& all = row.row;
  for (; lane < end; ++lane) {
    std::uint64_t done = 0;
    if (!order_.uses_item_clocks()) {
      lane = all.kind == AccessKind::kStore ? touch_lanes<true>(row, lane, end, &done)
                                            : touch_lanes<false>(row, lane, end, &done);
      if (lane == end) return;
    }
    row.now.touch.item = row.first + lane;
    row.now.touch.clock = order_.now(row.now.touch.item).clock;
    vm::ObservedAccess access;
    access.instruction = all.instruction;
    access.lane = lane;
    access.address = all.address(lane) - row.shift;
    access.bytes = all.bytes;
    access.kind = all.kind;
    access.place.base = all.at(all.address(lane));
    access.place.is_workgroup = all.is_workgroup;
    access.place.is_image = all.is_image;
    check(row.batch, access, row.now, &row, done);
  }
}

}  // namespace transpire::races
