// SlotTable: a number for each slot of an address space, 0 where nothing is. Memory is taken where numbers stand:
// shadows lie gigabytes of slots behind what they belong to (memory::shadow_distance()), and what lies between is
// neither written nor read. As handlers see it, it is an array.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace transpire::memory {

struct FreeSlots {
  std::uint64_t mapped_bytes = 0;  ///< 0: it is no mapping of its own
  void operator()(std::uint32_t* slots) const;
};

class SlotTable {
 public:
  SlotTable() = default;
  SlotTable(const SlotTable& other) { *this = other; }
  SlotTable& operator=(const SlotTable& other);
  SlotTable(SlotTable&&) = default;
  SlotTable& operator=(SlotTable&&) = default;

  const std::uint32_t* data() const { return slots_.get(); }
  std::uint64_t size() const { return size_; }
  std::uint32_t operator[](std::uint64_t slot) const { return slots_[slot]; }

  /// Has at least so many slots. False, and nothing is done: there is no memory for that many.
  bool grow(std::uint64_t size);
  /// Makes 2^bits slots of each, with its number. False likewise.
  bool cut(std::uint32_t bits);
  /// Gives slots of the table a number.
  void fill(std::uint64_t first, std::uint64_t count, std::uint32_t number);

 private:
  /// Slots that have a number. The latest counts.
  struct Run {
    std::uint64_t first, count;
    std::uint32_t number;
  };

  static std::unique_ptr<std::uint32_t[], FreeSlots> make(std::uint64_t slots);
  void write(const Run& run);

  std::unique_ptr<std::uint32_t[], FreeSlots> slots_;
  std::uint64_t size_ = 0, capacity_ = 0;
  std::vector<Run> runs_;
};

}  // namespace transpire::memory
