#include "memory/slot_table.h"

#include <algorithm>
#include <new>
#include <utility>

namespace transpire::memory {
namespace {

/// Slots that a table gets at most beyond those that were asked for.
constexpr std::uint64_t kMostAhead = std::uint64_t{1} << 16;

}  // namespace

SlotTable& SlotTable::operator=(const SlotTable& other) {
  if (this == &other) return *this;
  SlotTable copy;
  if (!copy.grow(other.size_)) throw std::bad_alloc();
  copy.runs_ = other.runs_;
  for (const Run& run : copy.runs_) copy.write(run);
  return *this = std::move(copy);
}

bool SlotTable::grow(std::uint64_t size) {
  if (size <= size_) return true;
  if (size > capacity_) {
    const std::uint64_t capacity = size + std::min(size, kMostAhead);
    // The system hands out large zeroed memory as it is touched.
    auto* slots = static_cast<std::uint32_t*>(std::calloc(capacity, sizeof(std::uint32_t)));
    if (slots == nullptr) return false;
    slots_.reset(slots);
    capacity_ = capacity;
    for (const Run& run : runs_) write(run);
  }
  size_ = size;
  return true;
}

void SlotTable::fill(std::uint64_t first, std::uint64_t count, std::uint32_t number) {
  runs_.push_back({first, count, number});
  write(runs_.back());
}

void SlotTable::write(const Run& run) {
  std::fill_n(slots_.get() + run.first, run.count, run.number);
}

}  // namespace transpire::memory
