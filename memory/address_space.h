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
//
// A private variable has one range for all work-items, a Workgroup variable one for all groups. A pointer to
// one says whose it means once it leaves the expressions that it was made in: when it is stored, converted to
// an integer or compared (Op::kTagPointer), the bits from kTagShift on become the owner's tag. An access
// through it is in order for the owner only. 32-bit addresses have no room for tags.
//
//     | tag 14 | address 50 |        tag 0: the work-item's or group's own
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "memory/slot_table.h"

namespace transpire::memory {

enum class Region : std::uint8_t {
  kBuffer,     ///< host memory shared by all work-items: `host`
  kConstant,   ///< host memory as for kBuffer, never written
  kWorkgroup,  ///< a work-group's own bytes: Batch::workgroup_memory + `offset`
  kPrivate,    ///< a work-item's own bytes, interleaved: `offset` into the lane's private memory
  kImage,      ///< texels, shared by all work-items: `host`, which no pointer leads to; see `image`
  kPipe,       ///< packets, which no pointer leads to; see `pipe`
};

/// The storage class of an access's pointer. It decides which allocations the access may reach. The last three are for
/// accesses to shadows (shadow_distance()): of buffers, of local memory, of any memory.
enum class PointerSpace : std::uint8_t {
  kGlobal,
  kConstant,
  kWorkgroup,
  kPrivate,
  kGeneric,
  kShadowGlobal,
  kShadowWorkgroup,
  kShadow
};
constexpr bool is_shadow(PointerSpace space) { return space >= PointerSpace::kShadowGlobal; }

/// A set of PointerSpaces, a bit each.
using PointerSpaces = std::uint8_t;
constexpr PointerSpaces spaces_of(PointerSpace space) {
  return static_cast<PointerSpaces>(1u << static_cast<unsigned>(space));
}
inline constexpr PointerSpaces kAllSpaces = 0xff;
/// The storage classes of pointers that may lead to memory of a region (SPIR-V 1.0, "Storage Class"). Any buffer may be
/// bound to a constant argument; constant variables have no generic address.
PointerSpaces spaces_reaching(Region region);

struct Image;
class Pipe;

/// One virtual range.
struct Allocation {
  std::uint64_t begin = 0;  ///< virtual address of its first byte
  std::uint64_t size_bytes = 0;
  std::byte* host = nullptr;  ///< kBuffer, kConstant, kImage: its first byte, not owned
  union {
    std::uint64_t offset = 0;  ///< kWorkgroup, kPrivate: bytes from the begin of such memory
    const Image* image;        ///< kImage: not owned. See image_of() (memory/translate.h)
    Pipe* pipe;                ///< kPipe: not owned
  };
  Region region = Region::kBuffer;
  bool read_only = false;   ///< a store is a finding
  bool write_only = false;  ///< a load is a finding
  bool live = true;         ///< false: freed; an access is a finding
  /// Storage classes of pointers that may load and store here. AddressSpace::add() sets them.
  PointerSpaces loads = 0, stores = 0;
  bool is_shadow = false;   ///< the shadow of another allocation, see shadow_distance()
  std::uint32_t index = 0;  ///< kPrivate: the private variable's number
};
// Handlers index an array of these, so a small size keeps it in few cache lines.
static_assert(sizeof(Allocation) == 48);

/// Distance in bytes from a range to its shadow. A shadow has a bit for each bit of its range; a one says that the range's bit is
/// undefined (vm/passes/track_undefined.h). Kernels have no pointers to shadows.
constexpr std::uint64_t shadow_distance(std::uint32_t pointer_bytes) {
  return std::uint64_t{1} << (pointer_bytes == 4 ? 32 : 49);
}

/// The binary logarithm of a slot's size, for 64-bit addresses.
inline constexpr std::uint32_t kWideSlotShift = 36;

inline constexpr std::uint32_t kTagShift = 50;
/// Tags are numbers from 1 to kTags. It is a prime, so that owners whose numbers differ by a power of two have different tags.
inline constexpr std::uint64_t kTags = 16381;

/// A variable of a loop's body begins a new life in each round. The tag of a pointer that left its expressions says which life it
/// means. Lives are counted from 1, modulo kTags - 1; life 0 means any life. The tags of one owner's lives are kTagsApart
/// apart, so that they lie far from the tags of neighbouring owners.
inline constexpr std::uint64_t kTagsApart = 11124, kLivesApart = 10124;
static_assert(kTagsApart * kLivesApart % kTags == 1);
constexpr std::uint16_t next_life(std::uint16_t life) {
  return static_cast<std::uint16_t>(life % (kTags - 1) + 1);
}

constexpr std::uint64_t without_tag(std::uint64_t address) {
  return address & ((std::uint64_t{1} << kTagShift) - 1);
}

/// The view of an AddressSpace that handlers read: plain data, valid as long as the AddressSpace does not change.
struct AddressMap {
  const Allocation* allocations = nullptr;  ///< [0] is a sentinel of size 0
  std::uint64_t allocation_count = 0;       ///< including the sentinel
  const std::uint32_t* slots = nullptr;     ///< index into allocations; 0 = none
  std::uint64_t slot_count = 0;
  std::uint64_t first_slot = 0;
  std::uint32_t slot_shift = 36;
  bool has_tags = false;          ///< all addresses are below 2^kTagShift, with tags above
  std::uint64_t first_owner = 0;  ///< added to an owner's number; differs from launch to launch
  std::uint64_t launch = 0;       ///< the launch's number (memory/pipe.h), if it has pipes

  /// The tag of an owner. `owner`: a work-item's global linear id or a group's linear number.
  std::uint64_t tag_of(std::uint64_t owner, std::uint64_t life = 0) const {
    return (owner + first_owner + life * kTagsApart) % kTags + 1;
  }
  /// The life that a tag means, if the tag is the owner's.
  std::uint64_t life_of(std::uint64_t tag, std::uint64_t owner) const {
    return (tag - 1 + kTags - (owner + first_owner) % kTags) * kLivesApart % kTags;
  }
};

class AddressSpace {
 public:
  /// `pointer_bytes` is 4 or 8.
  explicit AddressSpace(std::uint32_t pointer_bytes);
  /// Slots have 2^slot_shift bytes; the first slot is number `first_slot`.
  AddressSpace(std::uint32_t pointer_bytes, std::uint32_t slot_shift, std::uint64_t first_slot);

  /// Adds a range and gives its virtual address. Fails with L0004 when the address space is full.
  /// `allocation.begin`, `loads` and `stores` are filled in. `name` is for diagnostics.
  Result<std::uint64_t> add(Allocation allocation, std::string name);

  /// Adds a range at a slot, counted from the first one. All slots that the range takes must be free.
  Result<std::uint64_t> add_at(std::uint64_t slot, Allocation allocation, std::string name);
  /// Adds a range at the first free slots from `slot` on that lie behind the ranges which this function placed before, and where no
  /// shadow may be.
  Result<std::uint64_t> add_in_gap(std::uint64_t slot, Allocation allocation, std::string name);

  /// Number of slots for a range of `size_bytes`, with the free slot behind it, wherever it begins in its first slot.
  std::uint64_t slots_of(std::uint64_t size_bytes) const;
  /// Number of slots that ranges may take. Below `tagged_slots()` addresses have tags.
  std::uint64_t slot_limit() const;
  std::uint64_t tagged_slots() const;
  std::uint64_t used_slots() const { return slots_.size(); }
  /// Number of slots from the first one on whose ranges may have shadows.
  std::uint64_t shadowed_slots() const;
  /// After this call ranges get no address that the shadow of another range may have.
  void keep_shadows_apart() { keeps_shadows_apart_ = true; }
  /// The first slot behind all possible shadows.
  std::uint64_t slots_behind_shadows() const { return shadow_slots() + shadowed_slots(); }

  /// Cuts each slot into 2^bits slots, to make room for many small ranges. The slots must be wide enough. Addresses stay the same;
  /// slot numbers become 2^bits times as large.
  void cut_slots(std::uint32_t bits);
  /// Bits by which slots were cut, and by which they may still be cut.
  std::uint32_t cut_bits() const { return cut_bits_; }
  std::uint32_t spare_bits() const;
  /// Number of slots in [first, end) that add_in_gap() may use.
  std::uint64_t free_slots(std::uint64_t first, std::uint64_t end) const;
  /// Adds the shadow of the range that begins at `address`. False if there is no room for it.
  bool add_shadow(std::uint64_t address, Allocation shadow);
  /// Sets AddressMap::first_owner, a number that differs from launch to launch.
  void set_first_owner(std::uint64_t number) { first_owner_ = number; }
  /// Sets AddressMap::launch. Needed only by launches with pipes.
  void set_launch(std::uint64_t number) { launch_ = number; }
  /// All allocations that are pipes.
  std::vector<const Allocation*> pipes() const;
  /// All allocations, in the order in which they were added.
  std::span<const Allocation> allocations() const { return std::span(allocations_).subspan(1); }

  /// Places the next range at `address`, which must be the start of a slot behind all ranges so far.
  void skip_to(std::uint64_t address);

  AddressMap map() const;
  /// The allocation that an access to `address` probably meant: the allocation whose slots contain it, else the
  /// nearest one within one slot. Null if there is none.
  const Allocation* nearest(std::uint64_t address) const;
  const std::string& name(const Allocation& allocation) const;
  std::uint32_t pointer_bytes() const { return pointer_bytes_; }

 private:
  /// Distance in slots from a range to its shadow.
  std::uint64_t shadow_slots() const { return shadow_distance(pointer_bytes_) >> slot_shift_; }
  bool is_for_shadows(std::uint64_t slot) const;
  bool is_blocked(std::uint64_t slot) const;
  std::uint64_t within_slot(std::uint64_t slot) const;
  /// False if memory for the slot table runs out.
  bool place(std::uint64_t slot, std::uint64_t used, const Allocation& allocation,
             std::string name);

  std::uint32_t pointer_bytes_;
  std::uint32_t slot_shift_;
  std::uint64_t first_slot_;
  std::uint32_t cut_bits_ = 0;
  bool is_wide_;  ///< slots of 64 GiB, or smaller ones that were cut from them
  bool keeps_shadows_apart_ = false;
  std::uint64_t first_owner_ = 0;
  std::uint64_t launch_ = 0;
  std::uint64_t gap_ = 0;  ///< the slot at which add_in_gap() continues
  std::vector<Allocation> allocations_;
  std::vector<std::string> names_;
  SlotTable slots_;
};

}  // namespace transpire::memory
