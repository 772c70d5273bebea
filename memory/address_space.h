// AddressSpace: the virtual addresses that a launch's kernels see.
//
// A kernel never holds a host address. Every allocation (buffer, program variable, workgroup variable,
// private variable) has a virtual range of its own; ranges start in slots of 2^slot_shift bytes and lie
// at least one whole slot apart, so an index that runs off an allocation meets no other one, and finding
// the allocation of an address is one table look-up:
//
//     address >> slot_shift, minus first_slot  ->  slots[]  ->  Allocation
//
// Physical64: 64 GiB slots from 2^48 on (host addresses below are left to shared virtual memory); ranges
// begin a few pages into them, each another number, so that programs which hash addresses or keep their
// low halves only find as many different ones as elsewhere.
// Physical32: 64 KiB slots from 2^16 on. Address 0 is null. A launch with shared virtual memory has 1 MiB
// slots, from the first shared address on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace transpire::memory {

enum class Region : std::uint8_t {
  kBuffer,     ///< host memory shared by all work-items: `host`
  kConstant,   ///< the same, never written
  kWorkgroup,  ///< a work-group's own bytes: Batch::workgroup_memory + `offset`
  kPrivate,    ///< a work-item's own bytes, interleaved: `offset` into the lane's private memory
};

/// One virtual range.
struct Allocation {
  std::uint64_t begin = 0;       ///< virtual address of its first byte
  std::uint64_t size_bytes = 0;
  std::byte* host = nullptr;     ///< kBuffer, kConstant: not owned
  std::uint64_t offset = 0;      ///< kWorkgroup, kPrivate
  Region region = Region::kBuffer;
  bool read_only = false;        ///< a store is a finding
  bool write_only = false;       ///< a load is a finding
  bool live = true;              ///< false: freed; an access is a finding
  bool readable = true;          ///< live and not write-only, for handlers; add() fills it in
  std::uint32_t index = 0;       ///< kPrivate: the private variable's number
};

/// What handlers read: plain data, valid while the AddressSpace is not changed.
struct AddressMap {
  const Allocation* allocations = nullptr;    ///< [0] is a sentinel of size 0
  const std::uint32_t* slots = nullptr;       ///< index into allocations; 0 = none
  std::uint64_t slot_count = 0;
  std::uint64_t first_slot = 0;
  std::uint32_t slot_shift = 36;
};

class AddressSpace {
 public:
  /// `pointer_bytes` is 4 or 8.
  explicit AddressSpace(std::uint32_t pointer_bytes);
  /// With slots of 2^slot_shift bytes, the first of which is number `first_slot`.
  AddressSpace(std::uint32_t pointer_bytes, std::uint32_t slot_shift, std::uint64_t first_slot);

  /// Adds a range and gives its virtual address. Fails with L0004 when the address space is full.
  /// `allocation.begin` and `readable` are filled in. `name` is for diagnostics.
  Result<std::uint64_t> add(Allocation allocation, std::string name);

  /// The next range begins at `address`, the start of a slot behind all ranges so far.
  void skip_to(std::uint64_t address) { slots_.resize((address >> slot_shift_) - first_slot_, 0); }

  AddressMap map() const;
  /// The allocation that contains `address` or was aimed at: the one whose slots contain it, else the
  /// nearest within one slot. Null when there is none.
  const Allocation* nearest(std::uint64_t address) const;
  const std::string& name(const Allocation& allocation) const;
  std::uint32_t pointer_bytes() const { return pointer_bytes_; }

 private:
  std::uint32_t pointer_bytes_;
  std::uint32_t slot_shift_;
  std::uint64_t first_slot_;
  std::vector<Allocation> allocations_;
  std::vector<std::string> names_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace transpire::memory
