// SharedState: the reserved range of host addresses behind SharedMemory, and what of it is
// allocated.
//
// The range is cut into slots of 1 MiB. An allocation starts at a slot and is followed by a free
// one, so that a launch's AddressSpace, whose slots are the same, finds allocations as it finds all
// others. Freed slots are not the next ones to be given out again: a pointer that outlives its
// allocation is found for longer.
//
// The first range of a process begins at kFirstAddress, further ones kAddressStride on, where these
// addresses are free: what was recorded of one process can be done again in another.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "memory/address_space.h"
#include "runtime/undefined_bits.h"
#include "transpire/transpire.hpp"

namespace transpire::runtime {

class SharedState {
 public:
  static constexpr std::uint32_t kSlotShift = 20;
  static constexpr std::uint64_t kSlotBytes = std::uint64_t{1} << kSlotShift;
  static constexpr std::uint64_t kCapacityBytes = std::uint64_t{64} << 30;

  static constexpr std::uint64_t kFirstAddress = std::uint64_t{1} << 45;
  static constexpr std::uint64_t kAddressStride = std::uint64_t{1} << 37;

  SharedState() = default;
  ~SharedState();
  SharedState(const SharedState&) = delete;
  SharedState& operator=(const SharedState&) = delete;

  /// Anywhere, or from an address on that is a multiple of kSlotBytes.
  Status reserve();
  Status reserve_at(std::uint64_t address);
  std::byte* begin() const { return begin_; }
  std::byte* allocate(std::uint64_t size_bytes, std::string name);
  Status allocate_at(std::uint64_t address, std::uint64_t size_bytes, std::string name);
  bool release(std::byte* data);
  std::span<std::byte> range_of(const std::byte* data) const;

  std::vector<SharedMemory::Range> ranges() const;

  // Of the allocation that holds a byte: see SharedMemory.
  void set_undefined(const std::byte* data, bool undefined);
  std::span<std::byte> undefined_bits(const std::byte* data, std::uint64_t size_bytes) const;
  /// Adds the shadows of what was undefined to a space that make_space() made. They are good as long as somebody keeps
  /// what it gives.
  std::vector<std::shared_ptr<UndefinedBits>> add_shadows(memory::AddressSpace& space) const;

  /// Changes with every allocation and release, and what becomes undefined or defined as a whole.
  std::uint64_t version() const { return version_; }
  /// An address space whose addresses begin with this range, with all that is allocated now.
  /// `version` is that of what it holds.
  Result<memory::AddressSpace> make_space(std::uint64_t& version) const;

 private:
  struct Range {
    std::uint64_t size_bytes = 0;
    std::string name;
    std::shared_ptr<UndefinedBits> undefined{};  ///< null: it is all defined
  };

  /// Slots from an allocation's first to the free one behind it.
  static std::uint64_t slots_of(std::uint64_t size_bytes) { return (size_bytes >> kSlotShift) + 2; }
  /// The first slot and the allocation; end() where there is none. Its mutex is held.
  std::map<std::uint64_t, Range>::const_iterator find(const std::byte* data) const;
  std::uint64_t find_room(std::uint64_t slots) const;
  bool is_free(std::uint64_t slot, std::uint64_t slots) const;
  bool map(std::uint64_t hint);

  std::byte* begin_ = nullptr;  ///< of the first slot; kCapacityBytes are mapped from there on
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Range> ranges_;  ///< by first slot
  std::uint64_t next_ = 0;                 ///< the slot behind the last allocation
  std::atomic<std::uint64_t> version_{1};
};

}  // namespace transpire::runtime
