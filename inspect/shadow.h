// Shadow memory of the race checker: for each byte of a launch's memory, the accesses that a later one may race with.
// Bytes are kept by words of four until something accesses less than a word.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "inspect/happens_before.h"

namespace transpire::inspect {

/// An access: when, and by what.
struct Touch {
  Stamp stamp;
  std::uint32_t place = 0;  ///< index into Program::code
  std::uint8_t scope = 0;   ///< spv::Scope, of atomics
};

/// What is known of a word or a byte.
struct Cell {
  /// Accesses of one kind, none of which comes before another one of them.
  using Touches = std::vector<Touch>;
  Touch write;  ///< the last one that is not atomic
  /// Not atomic. Most memory is read by one work-item, or by many with nothing but barriers between: two of them stand
  /// for all then (RaceChecker::keep).
  std::array<Touch, 2> reads;
  struct More {
    Touches reads, atomic_reads, atomic_writes;
  };
  std::unique_ptr<More> more;

  Cell() = default;
  Cell(const Cell& other) { *this = other; }
  Cell& operator=(const Cell& other);
  More& rest() {
    if (!more) more = std::make_unique<More>();
    return *more;
  }
};

class Shadow {
 public:
  explicit Shadow(std::uint64_t max_bytes) : max_bytes_(max_bytes) {}

  /// Calls f(cell, address, bytes) for all that `bytes` from `address` on touch. False: there was no memory for some,
  /// which are forgotten.
  template <class F>
  bool each(std::uint64_t address, std::uint64_t bytes, F f) {
    bool all = true;
    const std::uint64_t end = address + bytes;
    while (address < end) {
      Page* const page = page_of(address);
      const std::uint64_t page_end = (address / kPageBytes + 1) * kPageBytes;
      const std::uint64_t part = std::min(end, page_end);
      if (page == nullptr) {
        all = false;
        address = part;
        continue;
      }
      if (page->cell_bytes != 1 && (address % 4 != 0 || part % 4 != 0)) split(*page);
      for (; address < part; address += page->cell_bytes)
        f(page->cells[address % kPageBytes / page->cell_bytes], address, page->cell_bytes);
    }
    return all;
  }
  void clear();

 private:
  static constexpr std::uint64_t kPageBytes = 1024;
  struct Page {
    std::uint32_t cell_bytes = 4;
    std::vector<Cell> cells;
  };
  Page* page_of(std::uint64_t address);
  void split(Page& page);

  std::uint64_t max_bytes_;
  std::uint64_t used_bytes_ = 0;
  std::uint64_t last_ = ~std::uint64_t{0};  ///< the number of the page that was asked for last
  Page* last_page_ = nullptr;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
};

}  // namespace transpire::inspect
