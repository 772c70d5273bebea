#include "memory/slot_table.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

namespace transpire::memory {
namespace {

/// The most slots that a table gets beyond the requested number.
constexpr std::uint64_t kMostAhead = std::uint64_t{1} << 16;
/// Larger tables are mapped, so that the system provides zeroed pages as they are touched.
constexpr std::uint64_t kMostOfHeap = std::uint64_t{1} << 20;

}  // namespace

void FreeSlots::operator()(std::uint32_t* slots) const {
  if (mapped_bytes == 0)
    std::free(slots);
  else
    munmap(slots, mapped_bytes);
}

/// A table of zeros. Null if memory runs out.
std::unique_ptr<std::uint32_t[], FreeSlots> SlotTable::make(std::uint64_t slots) {
  constexpr std::uint64_t kBytes = sizeof(std::uint32_t);
  if (slots > ~std::uint64_t{0} / kBytes) return nullptr;
  if (slots * kBytes <= kMostOfHeap)
    return {static_cast<std::uint32_t*>(std::calloc(slots, kBytes)), FreeSlots{}};
  void* const mapped = mmap(nullptr, slots * kBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  return {static_cast<std::uint32_t*>(mapped), FreeSlots{slots * kBytes}};
}

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
    auto slots = make(capacity);
    if (slots == nullptr) return false;
    slots_ = std::move(slots);
    capacity_ = capacity;
    for (const Run& run : runs_) write(run);
  }
  size_ = size;
  return true;
}

bool SlotTable::cut(std::uint32_t bits) {
  SlotTable finer;
  if (!finer.grow(size_ << bits)) return false;
  for (const Run& run : runs_) finer.fill(run.first << bits, run.count << bits, run.number);
  *this = std::move(finer);
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
