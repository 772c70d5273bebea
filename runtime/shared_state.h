// SharedState: the reserved range of host addresses behind SharedMemory, and its allocations.
//
// The range consists of slots of 1 MiB. An allocation starts at a slot, and a free slot follows it. A launch's AddressSpace
// has the same slots, so it finds these allocations as it finds all others. Freed slots are reused late, so that accesses
// through dangling pointers are found for longer.
//
// The first range of a process begins at kFirstAddress, each further one kAddressStride later, if these addresses are free.
// A recorded run can therefore be repeated in another process.
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

  /// Reserve the range: at any address, or at `address`, a multiple of kSlotBytes.
  Status reserve();
  Status reserve_at(std::uint64_t address);
  std::byte* begin() const { return begin_; }
  std::byte* allocate(std::uint64_t size_bytes, std::string name);
  Status allocate_at(std::uint64_t address, std::uint64_t size_bytes, std::string name);
  bool release(std::byte* data);
  std::span<std::byte> range_of(const std::byte* data) const;

  std::vector<SharedMemory::Range> ranges() const;

  // Undefined bits of the allocation that contains a byte; see SharedMemory.
  void set_undefined(const std::byte* data, bool undefined);
  std::span<std::byte> undefined_bits(const std::byte* data, std::uint64_t size_bytes) const;
  /// Adds the shadows of undefined allocations to a space from make_space(). The caller keeps the result as long as it uses
  /// the space.
  std::vector<std::shared_ptr<UndefinedBits>> add_shadows(memory::AddressSpace& space) const;

  /// Changes with every allocation and release, and whenever an allocation becomes undefined or defined as a whole.
  std::uint64_t version() const { return version_; }
  /// Makes an address space that begins with this range and its current allocations. `version` gets their version().
  Result<memory::AddressSpace> make_space(std::uint64_t& version) const;

 private:
  struct Range {
    std::uint64_t size_bytes = 0;
    std::string name;
    std::shared_ptr<UndefinedBits> undefined{};  ///< null: all bytes are defined
  };

  /// Number of slots that an allocation takes, with the free slot behind it.
  static std::uint64_t slots_of(std::uint64_t size_bytes) { return (size_bytes >> kSlotShift) + 2; }
  /// The allocation that contains the byte; end() if there is none. The caller holds the mutex.
  std::map<std::uint64_t, Range>::const_iterator find(const std::byte* data) const;
  std::uint64_t find_room(std::uint64_t slots) const;
  bool is_free(std::uint64_t slot, std::uint64_t slots) const;
  bool map(std::uint64_t hint);

  std::byte* begin_ = nullptr;  ///< the first slot; kCapacityBytes are mapped from here on
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Range> ranges_;  ///< by first slot
  std::uint64_t next_ = 0;                 ///< the slot behind the last allocation
  std::atomic<std::uint64_t> version_{1};
};

}  // namespace transpire::runtime
