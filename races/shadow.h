// Shadow: the race checker's shadow memory. It has, for each byte of a launch's memory, the accesses with which a later access may race.
//
//     page 1 KiB -> segments of 16 cells -> cells
//
// A cell is a word of four bytes, or a byte in pages in which something accesses less than a word. Most memory is touched in order:
// consecutive cells by consecutive work-items. In such a segment one Touch stands for all 16 cells; other segments have cells.
//
// The time of a touch is an epoch, which counts barriers on from group to group (HappensBefore).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "races/budget.h"

namespace transpire::races {

/// An access: work-item, time and instruction.
struct Touch {
  std::uint32_t item = 0;   ///< the work-item's number in the launch: group after group
  std::uint32_t epoch = 0;  ///< 0: no access
  std::uint32_t place = 0;  ///< index into Program::code
  /// In a cell `clock`: the item's releases so far. In a segment `shift`: item + (k >> shift) touched cell k.
  union {
    std::uint32_t clock = 0;
    std::uint32_t shift;
  };
};

/// An atomic access.
struct ScopedTouch : Touch {
  std::uint8_t scope = 0;  ///< spv::Scope
};

/// Accesses to a cell in addition to its last write and two reads.
struct CellLists {
  std::uint32_t epoch = 0;  ///< epoch of the newest access
  std::uint32_t next_free = 0;
  /// HappensBefore::view() of the last work-item that was compared with each list, see RaceChecker::keep().
  std::uint64_t tried_reads = 0, tried_writes = 0, tried_atomic_reads = 0, tried_atomic_writes = 0;
  std::vector<ScopedTouch> reads, atomic_reads, atomic_writes;
  std::vector<ScopedTouch>
      writes;  ///< stores that are unordered with the cell's, and changed nothing
  static constexpr std::vector<ScopedTouch> CellLists::*kLists[] = {
      &CellLists::reads, &CellLists::atomic_reads, &CellLists::atomic_writes, &CellLists::writes};
};

/// The accesses to a word or a byte. One cache line.
struct alignas(64) Cell {
  Touch write;  ///< the last write that is not atomic
  /// Reads that are not atomic. One work-item reads most memory, or many do with only barriers in between. Two reads then represent all
  /// (RaceChecker::keep()).
  std::array<Touch, 2> reads;
  std::uint32_t lists = 0;  ///< number of its lists in Shadow; 0: none
};
static_assert(sizeof(Cell) == 64);

inline constexpr std::uint32_t kSegmentCells = 16;

struct alignas(64) Segment {
  Touch write;  ///< as in a cell, valid if there are no cells; `reads`, too
  std::array<Touch, 2> reads;
  Cell* cells = nullptr;
  std::uint32_t newest = 0;  ///< last epoch in which its cells were touched
};
static_assert(sizeof(Segment) == 64);

struct Page {
  static constexpr std::uint64_t kBytes = 1024;
  std::uint32_t cell_shift = 2;  ///< log2 of a cell's bytes
  std::unique_ptr<Segment[]> segments;

  std::uint32_t cell_bytes() const { return 1u << cell_shift; }
  /// The number of the cell of an address in the page.
  std::uint64_t cell(std::uint64_t address) const { return address % kBytes >> cell_shift; }
  std::uint64_t segment_count() const { return (kBytes >> cell_shift) / kSegmentCells; }
};

class Shadow {
 public:
  explicit Shadow(Budget& budget) : budget_(budget) {}
  ~Shadow();
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;

  /// The page of an address, which is made if there is none. `aligned`: the access begins and ends at whole words; otherwise the page
  /// gets cells of bytes. Null if memory runs out.
  Page* page_of(std::uint64_t address, bool aligned) {
    const std::uint64_t number = address / Page::kBytes;
    const Recent& recent = recent_[number % kRecent];
    if (recent.number == number && (aligned || recent.page->cell_shift == 0)) return recent.page;
    return find_page(number, aligned);
  }
  static Segment& segment_of(const Page& page, std::uint64_t address) {
    return page.segments[page.cell(address) / kSegmentCells];
  }
  /// The cell of an address in a segment of the page. Null if memory for the segment's cells runs out.
  Cell* cell_of(const Page& page, Segment& segment, std::uint64_t address) {
    if (segment.cells == nullptr && !make_cells(segment)) return nullptr;
    return segment.cells + page.cell(address) % kSegmentCells;
  }
  /// Removes the cells of a segment and everything in them.
  void drop_cells(Segment& segment);

  /// The lists of a cell, or null.
  CellLists* lists(const Cell& cell) {
    return cell.lists == 0 ? nullptr : lists_[cell.lists - 1].get();
  }
  /// The lists of a cell, which are made if there are none. Null if memory runs out.
  CellLists* make_lists(Cell& cell);
  void drop_lists(Cell& cell);
  /// Adds a touch to a list of CellLists. If memory runs short, all lists keep only their first and their last touch. False if memory runs
  /// out completely.
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
  std::vector<Cell*> blocks_;        ///< blocks from which cells are taken
  Cell* free_cells_ = nullptr;       ///< linked by their first bytes
  std::uint32_t left_in_block_ = 0;  ///< in units of a segment's cells
  std::vector<std::unique_ptr<CellLists>> lists_;
  std::uint32_t free_lists_ = 0;  ///< number of the first free lists; 0: none
  std::uint64_t long_bytes_ = 0;  ///< bytes that shrink() would give back
};

}  // namespace transpire::races
