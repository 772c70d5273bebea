#include "races/shadow.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace transpire::races {
namespace {

/// Number of segments whose cells are allocated together.
constexpr std::uint32_t kBlockSegments = 16;
/// Number of touches that a list keeps when memory runs short.
constexpr std::size_t kShort = 2;
constexpr std::uint64_t kSegmentCellBytes = kSegmentCells * sizeof(Cell);

/// The touch of one cell of a segment, from the segment's touch.
Touch of_cell(const Touch& all, std::uint32_t cell) {
  Touch touch = all;
  touch.item += cell >> all.shift;
  touch.clock = 0;
  return touch;
}

/// The touch of a segment of bytes, from the touch of the segment of words of which it is quarter `quarter`.
Touch of_bytes(const Touch& all, std::uint32_t quarter) {
  constexpr std::uint32_t kQuarter = kSegmentCells / 4;
  Touch touch = all;
  touch.item += quarter * kQuarter >> all.shift;
  touch.shift = std::min(all.shift + 2, 31u);
  return touch;
}

}  // namespace

Shadow::~Shadow() {
  for (Cell* block : blocks_) ::operator delete(block, std::align_val_t{alignof(Cell)});
}

Page* Shadow::find_page(std::uint64_t number, bool aligned) {
  auto [at, is_new] = pages_.try_emplace(number);
  Page& page = at->second;
  if (is_new) {
    page.cell_shift = aligned ? 2 : 0;
    const std::uint64_t count = page.segment_count();
    if (!take(count * sizeof(Segment) + sizeof(Page) + 4 * sizeof(void*))) {
      pages_.erase(at);
      return nullptr;
    }
    page.segments = std::make_unique<Segment[]>(count);
  } else if (!aligned && page.cell_shift != 0 && !split(page)) {
    return nullptr;
  }
  recent_[number % kRecent] = {number, &page};
  return &page;
}

Cell* Shadow::take_cells() {
  if (Cell* const cells = free_cells_; cells != nullptr) {
    free_cells_ = *reinterpret_cast<Cell**>(cells);
    return cells;
  }
  if (left_in_block_ == 0) {
    if (!take(kBlockSegments * kSegmentCellBytes)) return nullptr;
    blocks_.push_back(static_cast<Cell*>(
        ::operator new(kBlockSegments* kSegmentCellBytes, std::align_val_t{alignof(Cell)})));
    left_in_block_ = kBlockSegments;
  }
  --left_in_block_;
  return blocks_.back() + std::size_t{left_in_block_} * kSegmentCells;
}

bool Shadow::make_cells(Segment& segment) {
  Cell* const cells = take_cells();
  if (cells == nullptr) return false;
  for (std::uint32_t k = 0; k < kSegmentCells; ++k) {
    Cell* const cell = new (cells + k) Cell;
    cell->write = of_cell(segment.write, k);
    for (std::size_t r = 0; r < 2; ++r) cell->reads[r] = of_cell(segment.reads[r], k);
  }
  segment.newest = std::max({segment.write.epoch, segment.reads[0].epoch, segment.reads[1].epoch});
  segment.cells = cells;
  return true;
}

void Shadow::drop_cells(Segment& segment) {
  for (std::uint32_t k = 0; k < kSegmentCells; ++k) drop_lists(segment.cells[k]);
  *reinterpret_cast<Cell**>(segment.cells) = free_cells_;
  free_cells_ = segment.cells;
  segment = {};
}

/// Splits the cells of a page into bytes. Each byte gets the accesses of its word. False if memory runs out.
bool Shadow::split(Page& page) {
  const std::uint64_t words = page.segment_count();
  if (!take(3 * words * sizeof(Segment))) return false;
  auto segments = std::make_unique<Segment[]>(4 * words);
  for (std::uint64_t i = 0; i < words; ++i) {
    const Segment& from = page.segments[i];
    if (from.cells != nullptr) {
      if (!split_cells(from, segments.get() + 4 * i)) return false;
      continue;
    }
    for (std::uint32_t quarter = 0; quarter < 4; ++quarter) {
      Segment& to = segments[4 * i + quarter];
      to.write = of_bytes(from.write, quarter);
      for (std::size_t r = 0; r < 2; ++r) to.reads[r] = of_bytes(from.reads[r], quarter);
    }
  }
  for (std::uint64_t i = 0; i < words; ++i)
    if (page.segments[i].cells != nullptr) drop_cells(page.segments[i]);
  page.segments = std::move(segments);
  page.cell_shift = 0;
  return true;
}

bool Shadow::split_cells(const Segment& words, Segment* bytes) {
  for (std::uint32_t quarter = 0; quarter < 4; ++quarter) {
    Segment& to = bytes[quarter];
    to.cells = take_cells();
    if (to.cells == nullptr) return false;
    to.newest = words.newest;
    for (std::uint32_t k = 0; k < kSegmentCells; ++k) {
      const Cell& from = words.cells[quarter * 4 + k / 4];
      Cell* const cell = new (to.cells + k) Cell(from);
      cell->lists = 0;
      const CellLists* const known = lists(from);
      if (known == nullptr) continue;
      CellLists* const own = make_lists(*cell);
      if (own == nullptr) return false;
      own->epoch = known->epoch;
      for (const auto list : CellLists::kLists)
        for (const ScopedTouch& touch : known->*list)
          if (!keep(own->*list, touch)) return false;
    }
  }
  return true;
}

CellLists* Shadow::make_lists(Cell& cell) {
  if (cell.lists != 0) return lists_[cell.lists - 1].get();
  if (free_lists_ != 0) {
    cell.lists = free_lists_;
    free_lists_ = lists_[free_lists_ - 1]->next_free;
    return lists_[cell.lists - 1].get();
  }
  if (!take(sizeof(CellLists) + sizeof(void*))) return nullptr;
  lists_.push_back(std::make_unique<CellLists>());
  cell.lists = static_cast<std::uint32_t>(lists_.size());
  return lists_.back().get();
}

void Shadow::drop_lists(Cell& cell) {
  if (cell.lists == 0) return;
  CellLists& lists = *lists_[cell.lists - 1];
  for (const auto list : CellLists::kLists) forget(lists.*list);
  lists.tried_reads = lists.tried_writes = lists.tried_atomic_reads = lists.tried_atomic_writes = 0;
  lists.next_free = free_lists_;
  free_lists_ = cell.lists;
  cell.lists = 0;
}

bool Shadow::keep(std::vector<ScopedTouch>& touches, const ScopedTouch& touch) {
  const std::size_t before = touches.capacity();
  if (touches.size() == before) {
    const std::size_t wanted = std::max<std::size_t>(kShort, 2 * before);
    const std::uint64_t bytes = (wanted - before) * sizeof(ScopedTouch);
    if (!take(bytes)) {
      if (touches.size() < kShort) return false;
      touches.back() = touch;
      return true;
    }
    if (before >= kShort) long_bytes_ += bytes;
    touches.reserve(wanted);
  }
  touches.push_back(touch);
  return true;
}

bool Shadow::take(std::uint64_t bytes) {
  if (budget_.take(bytes)) return true;
  shrink();
  return budget_.take(bytes);
}

void Shadow::forget(std::vector<ScopedTouch>& touches) {
  budget_.give_back(touches.capacity() * sizeof(ScopedTouch));
  if (touches.capacity() > kShort)
    long_bytes_ -= (touches.capacity() - kShort) * sizeof(ScopedTouch);
  std::vector<ScopedTouch>().swap(touches);  // with its memory
}

/// Frees memory: in each long list the first and the last access remain and represent the others.
void Shadow::shrink() {
  if (long_bytes_ == 0) return;
  for (const std::unique_ptr<CellLists>& lists : lists_)
    for (const auto list : CellLists::kLists) {
      std::vector<ScopedTouch>& touches = (*lists).*list;
      if (touches.capacity() <= kShort) continue;
      const std::vector<ScopedTouch> all = std::move(touches);
      budget_.give_back((all.capacity() - kShort) * sizeof(ScopedTouch));
      touches.clear();
      touches.reserve(kShort);
      if (!all.empty()) touches.push_back(all.front());
      if (all.size() > 1) touches.push_back(all.back());
    }
  long_bytes_ = 0;
}

}  // namespace transpire::races
