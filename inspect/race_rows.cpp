// The race checker, row by row: what most accesses are. Where nothing but barriers of whole groups orders memory, lanes one
// behind the other are looked at a segment at a time, and the others cell by cell; whatever may race, and all else, is
// left to race_cells.cpp.
#include <bit>

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
  if (!looks()) return;
  const Memory memory = row.is_workgroup ? Memory::kLocal : Memory::kGlobal;
  Row all{batch, row, Now(order_, memory, row.kind), item_of(batch, 0), shadow(memory)};
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

/// A load or a store of a cell that nothing races with, and about which nothing but a write and two reads is known.
template <bool kWrites, class Now>
inline bool touch_cell(Cell& cell, const Now& now) {
  if (cell.more != 0 || !now.is_past(cell.write)) return false;
  if constexpr (kWrites) {
    if (!now.is_past(cell.reads[0]) || !now.is_past(cell.reads[1])) return false;
    cell.write = now.touch;
    cell.reads[0].epoch = cell.reads[1].epoch = 0;
  } else {
    note_read(cell.reads, now.touch, now.start,
              [&](const Touch& other) { return now.is_past(other); });
  }
  return true;
}

/// The same of all cells of a segment that has none. `own` is the touch of all.
template <class Now>
inline bool touch_segment(Segment& segment, const Now& now, const Touch& own, bool is_store) {
  const auto is_past = [&](const Touch& other) {
    return now.is_free(other.epoch) || (other.item == own.item && other.shift == own.shift);
  };
  // Of another shift some cells may be the same work-item's.
  const auto is_known = [&](const Touch& other) {
    return other.shift == own.shift || is_past(other);
  };
  if (!is_past(segment.write)) return false;
  std::array<Touch, 2>& reads = segment.reads;
  if (is_store) {
    if (!is_past(reads[0]) || !is_past(reads[1])) return false;
    segment.write = own;
    reads[0].epoch = reads[1].epoch = 0;
    return true;
  }
  if (!is_known(reads[0]) || !is_known(reads[1])) return false;
  note_read(reads, own, now.start, is_past);
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
  Segment* segment = page->segments.get() + first / kSegmentCells;
  Segment* const last = page->segments.get() + page->segment_count();
  Touch own = row.now.touch;
  own.shift = static_cast<std::uint32_t>(std::countr_zero(cells));
  for (; segment != last && lane + each <= end; ++segment, lane += each) {
    own.item = row.first + lane;
    if (segment->cells != nullptr) {
      if (!is_over(*segment, row.now)) return {lane, lane + each};
      row.shadow.drop_cells(*segment);
    }
    if (!touch_segment(*segment, row.now, own, row.row.kind == AccessKind::kStore))
      return {lane, lane + each};
  }
  return {lane, segment == last ? lane : end};
}

/// A load by lanes that all have one address: two of them stand for all.
bool RaceChecker::look_at_same(Row& row, std::uint32_t first) {
  const std::uint64_t begin = row.row.address(first), end = begin + row.row.bytes;
  Now& now = row.now;
  for (std::uint64_t address = begin; address < end;) {
    Page* const page = row.shadow.page_of(address, (begin | end) % 4 == 0);
    if (page == nullptr) return false;
    Segment& segment = Shadow::segment_of(*page, address);
    Cell* const cell = row.shadow.cell_of(*page, segment, address);
    if (cell == nullptr || cell->more != 0 || !now.is_free(cell->write.epoch)) return false;
    for (const std::uint32_t lane : {first, first + 1}) {
      now.touch.item = row.first + lane;
      touch_cell<false>(*cell, now);
    }
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
  Now now = row.now;
  Page* page = nullptr;
  std::uint64_t number = ~std::uint64_t{0};
  for (; lane < end; ++lane) {
    const std::uint64_t begin = all.address(lane), stop = begin + all.bytes;
    const bool aligned = (begin | stop) % 4 == 0;
    now.touch.item = row.first + lane;
    for (std::uint64_t address = begin; address < stop; address += page->cell_bytes()) {
      *done = address - begin;
      if (address / Page::kBytes != number || (!aligned && page->cell_shift != 0)) {
        page = row.shadow.page_of(address, aligned);
        if (page == nullptr) return lane;
        number = address / Page::kBytes;
      }
      Segment& segment = Shadow::segment_of(*page, address);
      Cell* const cell = row.shadow.cell_of(*page, segment, address);
      if (cell == nullptr || !touch_cell<kStores>(*cell, now)) return lane;
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
    access.address = all.address(lane);
    access.bytes = all.bytes;
    access.kind = all.kind;
    access.place.base = all.at(access.address);
    access.place.is_workgroup = all.is_workgroup;
    check(row.batch, access, row.now, &row, done);
  }
}

}  // namespace transpire::inspect
