// SlotTable: an array with a number for each slot of an address space; 0: no allocation. Pages of the array take memory only once
// they have numbers, since shadows lie gigabytes of slots behind their allocations (memory::shadow_distance()).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace transpire::memory {

struct FreeSlots {
  std::uint64_t mapped_bytes = 0;  ///< 0: the memory is no mapping of its own
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

  /// Makes the table at least `size` slots long. False, and nothing changes, if memory runs out.
  bool grow(std::uint64_t size);
  /// Replaces each slot by 2^bits slots with its number. False, and nothing changes, if memory runs out.
  bool cut(std::uint32_t bits);
  /// Gives slots of the table a number.
  void fill(std::uint64_t first, std::uint64_t count, std::uint32_t number);

 private:
  /// A range of slots with one number. Later ranges override earlier ones.
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
