// The race checker, row by row: what most accesses are. Where nothing but barriers of whole groups orders memory, lanes one
// behind the other are looked at a segment at a time, and the others cell by cell; whatever may race, and all else, is
// left to race_cells.cpp.
#include <bit>
#include <cstddef>
#include <cstring>

#include "inspect/race_row.h"
#include "vm/exec/lane_ids.h"

namespace transpire::inspect {
namespace {

using vm::AccessKind;

/// Lanes whose addresses are in order, or all the same: fewer are not worth a look at whole segments.
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
  settle();
  if (!looks() || (row.is_image && !may_race(row.instruction))) return;
  if (const std::uint64_t shift = shift_at(row.begin); shift != 0) {
    vm::ObservedRow moved = row;
    std::array<std::uint64_t, vm::exec::kMaxLanes> addresses;
    moved.begin += shift;
    moved.base += shift;
    if (row.addresses != nullptr) {
      for (std::uint32_t i = 0; i < program_.lanes; ++i) addresses[i] = row.addresses[i] + shift;
      moved.addresses = addresses.data();
    }
    return look_at_row(batch, moved, shift);
  }
  look_at_row(batch, row, 0);
}

void RaceChecker::look_at_row(const vm::exec::Batch& batch, const vm::ObservedRow& row,
                              std::uint64_t shift) {
  const Memory memory = memory_of(row);
  Row all{batch, row, Now(order_, memory, row.kind), item_of(batch, 0), shadow(memory), shift};
  all.now.shift = shift;
  all.now.touch.place = static_cast<std::uint32_t>(row.instruction - program_.code.data());
  const auto address_of = [&](std::uint32_t lane) { return row.addresses[lane]; };
  each_run(row.lanes, program_.lanes, [&](std::uint32_t first, std::uint32_t count) {
    if (row.addresses == nullptr)
      return look_at_run(all, first, first + count, static_cast<std::uint64_t>(row.stride));
    const std::uint32_t end = first + count;
    for (std::uint32_t lane = first; lane < end;) {
      std::uint32_t behind = lane + 1;
      const std::uint64_t step = behind < end ? address_of(behind) - address_of(lane) : 1;
      if (step == 0 || step == row.bytes)
        while (behind < end && address_of(behind) - address_of(behind - 1) == step) ++behind;
      if (behind - lane >= kShortRun) {
        look_at_lanes(all, first, lane);
        look_at_run(all, lane, behind, step);
        first = behind;
      }
      lane = behind;
    }
    look_at_lanes(all, first, end);
  });
}

/// Of lanes one behind the other whose addresses are `step` apart.
void RaceChecker::look_at_run(Row& row, std::uint32_t first, std::uint32_t end,
                              std::uint64_t step) {
  if (order_.fine() || end - first < kShortRun) {
  } else if (step == 0 && row.row.kind == AccessKind::kLoad) {
    if (look_at_same(row, first)) return;
  } else if (step == row.row.bytes) {
    while (first < end) {
      const Piece piece = look_at_segments(row, first, end);
      look_at_lanes(row, piece.looked_at, piece.next);
      first = piece.next;
    }
    return;
  }
  look_at_lanes(row, first, end);
}

namespace {

/// A touch as two numbers, which go from registers into cells: a work-item that was just written into a Touch in memory is not yet
/// there to be copied with the rest.
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

/// As note_read().
template <class Now, class IsPast>
inline void write_read(std::array<Touch, 2>& reads, const Now& now, std::uint32_t item,
                       const Written& own, IsPast is_past) {
  if (is_past(reads[0])) {
    own.write(item, reads[0]);
    if (reads[1].epoch != 0 && is_past(reads[1])) reads[1].epoch = 0;
  } else if (is_past(reads[1]) || (reads[0].epoch < now.start && reads[1].epoch < now.start)) {
    own.write(item, reads[1]);
  }
}

/// Likewise a store, which comes behind all that was read.
template <class IsPast>
inline bool write_store(Touch& write, std::array<Touch, 2>& reads, std::uint32_t item,
                        const Written& own, IsPast is_past) {
  if (!is_past(reads[0]) || !is_past(reads[1])) return false;
  own.write(item, write);
  reads[0].epoch = reads[1].epoch = 0;
  return true;
}

/// A load or a store of a cell that nothing races with, and about which nothing but a write and two reads is known.
template <bool kStores, class Now>
inline bool touch_cell(Cell& cell, const Now& now, std::uint32_t item, const Written& own) {
  const auto is_past = [&](const Touch& other) {
    return other.item == item || now.is_free(other.epoch);
  };
  if (cell.more != 0 || !is_past(cell.write)) return false;
  if constexpr (kStores) return write_store(cell.write, cell.reads, item, own, is_past);
  write_read(cell.reads, now, item, own, is_past);
  return true;
}

/// The same of all cells of a segment that has none: `own` has the shift.
template <class Now>
inline bool touch_segment(Segment& segment, const Now& now, std::uint32_t item, std::uint32_t shift,
                          const Written& own, bool is_store) {
  const auto is_past = [&](const Touch& other) {
    return now.is_free(other.epoch) || (other.item == item && other.shift == shift);
  };
  if (!is_past(segment.write)) return false;
  if (is_store) return write_store(segment.write, segment.reads, item, own, is_past);
  // Of another shift some cells may be the same work-item's.
  for (const Touch& read : segment.reads)
    if (read.shift != shift && !is_past(read)) return false;
  write_read(segment.reads, now, item, own, is_past);
  return true;
}

/// Whether the segment's cells say nothing that is needed any longer. What is of global memory concerns other groups.
template <class Now>
inline bool is_over(const Segment& segment, const Now& now) {
  return now.memory == Memory::kLocal && now.is_free(segment.newest);
}

}  // namespace

/// Lanes from this one on, each behind the one before it, by whole segments as far as nothing may race; then come some that
/// are in no whole segment, or in one about which more is known.
RaceChecker::Piece RaceChecker::look_at_segments(Row& row, std::uint32_t lane, std::uint32_t end) {
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

/// A load by lanes that all have one address: two of them stand for all.
bool RaceChecker::look_at_same(Row& row, std::uint32_t first) {
  const std::uint64_t begin = row.row.address(first), end = begin + row.row.bytes;
  const Now& now = row.now;
  const Written own(now.touch);
  for (std::uint64_t address = begin; address < end;) {
    Page* const page = row.shadow.page_of(address, (begin | end) % 4 == 0);
    if (page == nullptr) return false;
    Segment& segment = Shadow::segment_of(*page, address);
    Cell* const cell = row.shadow.cell_of(*page, segment, address);
    if (cell == nullptr || cell->more != 0 || !now.is_free(cell->write.epoch)) return false;
    for (const std::uint32_t lane : {first, first + 1})
      touch_cell<false>(*cell, now, row.first + lane, own);
    note_touch(segment, now.touch.epoch);
    address += page->cell_bytes();
  }
  return true;
}

/// Goes on until a lane's access may race, or more is known of a cell: that lane, and how many of its bytes are done.
template <bool kStores>
std::uint32_t RaceChecker::touch_lanes(Row& row, std::uint32_t lane, std::uint32_t end,
                                       std::uint64_t* done) {
  const vm::ObservedRow& all = row.row;
  const Now now = row.now;
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

void RaceChecker::look_at_lanes(Row& row, std::uint32_t lane, std::uint32_t end) {
  const vm::ObservedRow& all = row.row;
  for (; lane < end; ++lane) {
    std::uint64_t done = 0;
    if (!order_.fine()) {
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

}  // namespace transpire::inspect
