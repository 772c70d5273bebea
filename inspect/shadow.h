// Shadow memory of the race checker: for each byte of a launch's memory, the accesses that a later one may race with.
//
//     page 1 KiB -> segments of 16 cells -> cells
//
// A cell is a word of four bytes, or a byte in pages in which something accesses less than a word. Most memory is touched in
// order: cell after cell by work-item after work-item. Of such segments one Touch tells for all 16 cells; the others have cells.
//
// When a touch was is an epoch: barriers of all groups of the launch, counted on from group to group (HappensBefore).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "inspect/budget.h"

namespace transpire::inspect {

/// An access: who, when, and by what.
struct Touch {
  std::uint32_t item = 0;   ///< its number in the launch: group after group
  std::uint32_t epoch = 0;  ///< 0: there was none
  std::uint32_t place = 0;  ///< index into Program::code
  /// The item's releases so far. Of all cells of a segment: the cell k was touched by item + (k >> shift).
  union {
    std::uint32_t clock = 0;
    std::uint32_t shift;
  };
};

/// An atomic access.
struct ScopedTouch : Touch {
  std::uint8_t scope = 0;  ///< spv::Scope
};

/// What a cell has beside its last write and two reads.
struct More {
  std::uint32_t epoch = 0;  ///< of the newest
  std::uint32_t next_free = 0;
  /// HappensBefore::view() of one to which none of many came before: of each of the lists.
  std::uint64_t tried_reads = 0, tried_writes = 0, tried_atomic_reads = 0, tried_atomic_writes = 0;
  std::vector<ScopedTouch> reads, atomic_reads, atomic_writes;
  std::vector<ScopedTouch>
      writes;  ///< that are unordered with the cell's, and stored what was there
  static constexpr std::vector<ScopedTouch> More::*kLists[] = {&More::reads, &More::atomic_reads,
                                                               &More::atomic_writes, &More::writes};
};

/// What is known of a word or a byte. One cache line.
struct alignas(64) Cell {
  Touch write;  ///< the last one that is not atomic
  /// Not atomic. Most memory is read by one work-item, or by many with nothing but barriers between: two of them stand
  /// for all then (RaceChecker::keep).
  std::array<Touch, 2> reads;
  std::uint32_t more = 0;  ///< its number in Shadow; 0: none
};
static_assert(sizeof(Cell) == 64);

inline constexpr std::uint32_t kSegmentCells = 16;

struct alignas(64) Segment {
  Touch write;  ///< these three as of a cell, where there are no cells
  std::array<Touch, 2> reads;
  Cell* cells = nullptr;
  std::uint32_t newest = 0;  ///< epoch in which its cells were touched last
};
static_assert(sizeof(Segment) == 64);

struct Page {
  static constexpr std::uint64_t kBytes = 1024;
  std::uint32_t cell_shift = 2;  ///< log2 of a cell's bytes
  std::unique_ptr<Segment[]> segments;

  std::uint32_t cell_bytes() const { return 1u << cell_shift; }
  /// Of an address in it.
  std::uint64_t cell(std::uint64_t address) const { return address % kBytes >> cell_shift; }
  std::uint64_t segment_count() const { return (kBytes >> cell_shift) / kSegmentCells; }
};

class Shadow {
 public:
  explicit Shadow(Budget& budget) : budget_(budget) {}
  ~Shadow();
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;

  /// The page of an address, which something accesses `aligned`: from and to whole words. Null: there is no memory for it.
  Page* page_of(std::uint64_t address, bool aligned) {
    const std::uint64_t number = address / Page::kBytes;
    const Recent& recent = recent_[number % kRecent];
    if (recent.number == number && (aligned || recent.page->cell_shift == 0)) return recent.page;
    return find_page(number, aligned);
  }
  static Segment& segment_of(const Page& page, std::uint64_t address) {
    return page.segments[page.cell(address) / kSegmentCells];
  }
  /// Of a segment of the page. Null: there is no memory for its cells.
  Cell* cell_of(const Page& page, Segment& segment, std::uint64_t address) {
    if (segment.cells == nullptr && !make_cells(segment)) return nullptr;
    return segment.cells + page.cell(address) % kSegmentCells;
  }
  /// Nothing of what its cells know is needed any longer.
  void drop_cells(Segment& segment);

  /// What the cell has beside; null: it has nothing.
  More* more(const Cell& cell) { return cell.more == 0 ? nullptr : mores_[cell.more - 1].get(); }
  /// Null: there is no memory for it.
  More* make_more(Cell& cell);
  void drop_more(Cell& cell);
  /// Adds to a list of More. Where memory runs short, lists keep their first and their last touch. False: there is none at all.
  bool keep(std::vector<ScopedTouch>& touches, const ScopedTouch& touch);

 private:
  static constexpr std::uint64_t kRecent = 64;
  struct Recent {
    std::uint64_t number = ~std::uint64_t{0};
    Page* page = nullptr;
  };
  Page* find_page(std::uint64_t number, bool aligned);
  bool make_cells(Segment& segment);
  Cell* take_cells();
  bool split(Page& page);
  bool split_cells(const Segment& words, Segment* bytes);
  bool take(std::uint64_t bytes);
  void forget(std::vector<ScopedTouch>& touches);
  void shrink();

  Budget& budget_;
  std::array<Recent, kRecent> recent_;
  std::unordered_map<std::uint64_t, Page> pages_;
  std::vector<Cell*> blocks_;        ///< that cells were taken from
  Cell* free_cells_ = nullptr;       ///< linked by their first bytes
  std::uint32_t left_in_block_ = 0;  ///< in units of a segment's cells
  std::vector<std::unique_ptr<More>> mores_;
  std::uint32_t free_more_ = 0;   ///< its number
  std::uint64_t long_bytes_ = 0;  ///< that shrink() would give back
};

}  // namespace transpire::inspect
