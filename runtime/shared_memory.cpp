// Shared virtual memory: host addresses that kernels use as they are.
#include <fmt/format.h>
#include <sys/mman.h>

#include <iterator>

#include "base/rule.h"
#include "runtime/shared_state.h"
#include "transpire/transpire.hpp"

namespace transpire {
namespace runtime {
namespace {

constexpr std::uint64_t kSlots = SharedState::kCapacityBytes >> SharedState::kSlotShift;
constexpr unsigned kPreferredRanges = 64;

}  // namespace

SharedState::~SharedState() {
  if (begin_ != nullptr) munmap(begin_, kCapacityBytes);
}

/// Maps the range. Returns false if it lies elsewhere than at `hint`, unless `hint` is 0.
bool SharedState::map(std::uint64_t hint) {
  // No MAP_FIXED: existing mappings stay. Without a hint, one slot more is mapped to align the
  // range, and the rest is returned, so that a later mapping with these addresses as hint can
  // succeed.
  const std::uint64_t bytes = kCapacityBytes + (hint == 0 ? kSlotBytes : 0);
  void* const mapped = mmap(reinterpret_cast<void*>(hint), bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return false;
  const auto address = reinterpret_cast<std::uintptr_t>(mapped);
  if (hint != 0 && address != hint) {
    munmap(mapped, bytes);
    return false;
  }
  const std::uint64_t before = (kSlotBytes - address % kSlotBytes) % kSlotBytes;
  begin_ = static_cast<std::byte*>(mapped) + before;
  if (before != 0) munmap(mapped, before);
  if (const std::uint64_t after = bytes - kCapacityBytes - before; after != 0)
    munmap(begin_ + kCapacityBytes, after);
  return true;
}

Status SharedState::reserve() {
  for (unsigned i = 0; i < kPreferredRanges; ++i)
    if (map(kFirstAddress + i * kAddressStride)) return Unit{};
  if (map(0)) return Unit{};
  return make_diagnostic(Rule::kL0004,
                         fmt::format("no room for {} GiB of addresses for shared virtual memory",
                                     kCapacityBytes >> 30));
}

Status SharedState::reserve_at(std::uint64_t address) {
  if (address != 0 && address % kSlotBytes == 0 && map(address)) return Unit{};
  return make_diagnostic(
      Rule::kL0004,
      address % kSlotBytes == 0
          ? fmt::format("the addresses for shared virtual memory from {:#x} on are not free",
                        address)
          : fmt::format("shared virtual memory begins at a multiple of 1 MiB, found {:#x}",
                        address));
}

/// First fit behind the last allocation, else from the start. kSlots when there is none.
std::uint64_t SharedState::find_room(std::uint64_t slots) const {
  const auto search = [&](std::uint64_t from, std::uint64_t limit) {
    for (auto at = ranges_.lower_bound(from); at != ranges_.end() && at->first < from + slots; ++at)
      from = at->first + slots_of(at->second.size_bytes);
    return from + slots <= limit ? from : kSlots;
  };
  if (slots > kSlots) return kSlots;
  const std::uint64_t behind = search(next_, kSlots);
  return behind != kSlots ? behind : search(0, kSlots);
}

std::byte* SharedState::allocate(std::uint64_t size_bytes, std::string name) {
  if (size_bytes == 0 || size_bytes > kCapacityBytes) return nullptr;
  const std::lock_guard lock(mutex_);
  const std::uint64_t slot = find_room(slots_of(size_bytes));
  if (slot == kSlots) return nullptr;
  ranges_.emplace(slot, Range{size_bytes, std::move(name), {}});
  next_ = slot + slots_of(size_bytes);
  ++version_;
  return begin_ + (slot << kSlotShift);
}

bool SharedState::is_free(std::uint64_t slot, std::uint64_t slots) const {
  const auto behind = ranges_.lower_bound(slot);
  if (behind != ranges_.end() && behind->first < slot + slots) return false;
  if (behind == ranges_.begin()) return true;
  const auto before = std::prev(behind);
  return before->first + slots_of(before->second.size_bytes) <= slot;
}

Status SharedState::allocate_at(std::uint64_t address, std::uint64_t size_bytes, std::string name) {
  const std::uint64_t offset = address - reinterpret_cast<std::uintptr_t>(begin_);
  const std::uint64_t slot = offset >> kSlotShift;
  const bool fits = size_bytes != 0 && size_bytes <= kCapacityBytes && offset < kCapacityBytes &&
                    offset % kSlotBytes == 0 && slot + slots_of(size_bytes) <= kSlots;
  const std::lock_guard lock(mutex_);
  if (!fits || !is_free(slot, slots_of(size_bytes)))
    return make_diagnostic(
        Rule::kL0004,
        fmt::format("no room for {} bytes of '{}' at {:#x} in the shared virtual memory "
                    "from {:#x} on, where each allocation begins 1 MiB further on",
                    size_bytes, name, address, reinterpret_cast<std::uintptr_t>(begin_)));
  ranges_.emplace(slot, Range{size_bytes, std::move(name), {}});
  next_ = slot + slots_of(size_bytes);
  ++version_;
  return Unit{};
}

std::vector<SharedMemory::Range> SharedState::ranges() const {
  std::vector<SharedMemory::Range> all;
  const std::lock_guard lock(mutex_);
  all.reserve(ranges_.size());
  for (const auto& [slot, range] : ranges_)
    all.push_back({{begin_ + (slot << kSlotShift), range.size_bytes}, range.name});
  return all;
}

bool SharedState::release(std::byte* data) {
  const auto offset = static_cast<std::uint64_t>(data - begin_);
  if (data < begin_ || offset >= kCapacityBytes || offset % kSlotBytes != 0) return false;
  const std::lock_guard lock(mutex_);
  const auto range = ranges_.find(offset >> kSlotShift);
  if (range == ranges_.end()) return false;
  // Gives the memory back; what is allocated there next is zero again.
  madvise(data, range->second.size_bytes, MADV_DONTNEED);
  ranges_.erase(range);
  ++version_;
  return true;
}

std::map<std::uint64_t, SharedState::Range>::const_iterator SharedState::find(
    const std::byte* data) const {
  if (data < begin_ || data >= begin_ + kCapacityBytes) return ranges_.end();
  const auto offset = static_cast<std::uint64_t>(data - begin_);
  auto range = ranges_.upper_bound(offset >> kSlotShift);
  if (range == ranges_.begin()) return ranges_.end();
  --range;
  const bool holds = offset - (range->first << kSlotShift) < range->second.size_bytes;
  return holds ? range : ranges_.end();
}

std::span<std::byte> SharedState::range_of(const std::byte* data) const {
  const std::lock_guard lock(mutex_);
  const auto range = find(data);
  if (range == ranges_.end()) return {};
  return {begin_ + (range->first << kSlotShift), range->second.size_bytes};
}

void SharedState::set_undefined(const std::byte* data, bool undefined) {
  const std::lock_guard lock(mutex_);
  const auto range = find(data);
  if (range == ranges_.end()) return;
  Range& changed = ranges_.at(range->first);
  if (!undefined && changed.undefined == nullptr) return;
  changed.undefined = undefined ? std::make_shared<UndefinedBits>(changed.size_bytes) : nullptr;
  ++version_;
}

std::span<std::byte> SharedState::undefined_bits(const std::byte* data,
                                                 std::uint64_t size_bytes) const {
  const std::lock_guard lock(mutex_);
  const auto range = find(data);
  if (range == ranges_.end() || range->second.undefined == nullptr) return {};
  const auto offset = static_cast<std::uint64_t>(data - begin_) - (range->first << kSlotShift);
  if (size_bytes > range->second.size_bytes - offset) return {};
  std::byte* const bits = range->second.undefined->bytes();
  if (bits == nullptr) return {};
  return {bits + offset, size_bytes};
}

std::vector<std::shared_ptr<UndefinedBits>> SharedState::add_shadows(
    memory::AddressSpace& space) const {
  std::vector<std::shared_ptr<UndefinedBits>> kept;
  const std::lock_guard lock(mutex_);
  for (const auto& [slot, range] : ranges_) {
    if (range.undefined == nullptr) continue;
    memory::Allocation shadow;
    shadow.size_bytes = range.size_bytes;
    shadow.host = range.undefined->bytes();
    if (shadow.host == nullptr) continue;
    space.add_shadow(reinterpret_cast<std::uintptr_t>(begin_ + (slot << kSlotShift)), shadow);
    kept.push_back(range.undefined);
  }
  return kept;
}

Result<memory::AddressSpace> SharedState::make_space(std::uint64_t& version) const {
  const std::lock_guard lock(mutex_);
  version = version_;
  memory::AddressSpace space(8, kSlotShift, reinterpret_cast<std::uintptr_t>(begin_) >> kSlotShift);
  for (const auto& [slot, range] : ranges_) {
    memory::Allocation allocation;
    allocation.size_bytes = range.size_bytes;
    allocation.host = begin_ + (slot << kSlotShift);
    space.skip_to(reinterpret_cast<std::uintptr_t>(allocation.host));
    if (const auto added = space.add(allocation, range.name); !added) return added.errors();
  }
  space.skip_to(reinterpret_cast<std::uintptr_t>(begin_) + kCapacityBytes);
  return space;
}

}  // namespace runtime

Result<SharedMemory> SharedMemory::create() {
  auto state = std::make_shared<runtime::SharedState>();
  if (const Status reserved = state->reserve(); !reserved) return reserved.errors();
  SharedMemory memory;
  memory.state_ = std::move(state);
  return memory;
}

Result<SharedMemory> SharedMemory::create_at(std::uint64_t address) {
  auto state = std::make_shared<runtime::SharedState>();
  if (const Status reserved = state->reserve_at(address); !reserved) return reserved.errors();
  SharedMemory memory;
  memory.state_ = std::move(state);
  return memory;
}

std::uint64_t SharedMemory::address() const {
  return reinterpret_cast<std::uintptr_t>(state_->begin());
}

Status SharedMemory::allocate_at(std::uint64_t address, std::uint64_t size_bytes,
                                 std::string name) const {
  return state_->allocate_at(address, size_bytes, std::move(name));
}

std::vector<SharedMemory::Range> SharedMemory::ranges() const { return state_->ranges(); }

void* SharedMemory::allocate(std::uint64_t size_bytes, std::uint64_t align_bytes,
                             std::string name) const {
  const bool power_of_two = align_bytes != 0 && (align_bytes & (align_bytes - 1)) == 0;
  if (!power_of_two || align_bytes > runtime::SharedState::kSlotBytes) return nullptr;
  return state_->allocate(size_bytes, std::move(name));
}

bool SharedMemory::release(void* pointer) const {
  return state_->release(static_cast<std::byte*>(pointer));
}

std::span<std::byte> SharedMemory::range_of(const void* pointer) const {
  return state_->range_of(static_cast<const std::byte*>(pointer));
}

void SharedMemory::set_undefined(const void* pointer) const {
  state_->set_undefined(static_cast<const std::byte*>(pointer), true);
}

void SharedMemory::set_defined(const void* pointer) const {
  state_->set_undefined(static_cast<const std::byte*>(pointer), false);
}

std::span<std::byte> SharedMemory::undefined_bits(const void* pointer,
                                                  std::uint64_t size_bytes) const {
  return state_->undefined_bits(static_cast<const std::byte*>(pointer), size_bytes);
}

Argument Argument::shared(const void* pointer) {
  Argument argument;
  argument.kind = Kind::kShared;
  argument.address = reinterpret_cast<std::uintptr_t>(pointer);
  return argument;
}

}  // namespace transpire
