// Checked access to one lane's memory, and the findings of failed accesses. This is the slow path
// of every memory handler: compiled once, shared by all instruction sets; its findings are exact.
#pragma once

#include <cstdint>

#include "base/rule.h"
#include "memory/address_space.h"
#include "vm/exec/engine.h"
#include "vm/observe/observer.h"

namespace transpire::vm::exec {

static_assert(kGenericSpace == static_cast<int>(memory::PointerSpace::kGeneric));

/// The module's facts about a pointer that an access goes through.
struct Through {
  std::uint64_t align_mask = 0;  ///< required alignment - 1
  memory::PointerSpace space = memory::PointerSpace::kGeneric;
  bool no_write = false;   ///< its parameter promises not to be written
  bool is_texel = false;   ///< an ImageTexel's address; 0 was reported there
  bool is_robust = false;  ///< see Access::is_robust
};

/// The pointer of a load, store or atomic; of a copy its target.
inline Through through(const Access& access) {
  return {access.align_mask, static_cast<memory::PointerSpace>(access.pointer & kPointerSpace),
          (access.pointer & kPointerNoWrite) != 0, (access.pointer & kPointerTexel) != 0,
          access.is_robust != 0};
}
/// The pointer that a copy reads from.
inline Through copy_source(const Access& access) {
  return {access.align_mask,
          static_cast<memory::PointerSpace>(access.pointer >> kPointerSourceShift & kPointerSpace),
          false, false, access.is_source_robust != 0};
}

/// One component of a load or store, as an access of its own.
Access component_of(const Access& access);

/// Checks null, bounds, storage class, alignment, permission and lifetime. Returns true and a
/// place, or false after reporting. A robust access that is not made is not reported. Calls no observer.
bool find_place(Batch* batch, const Inst* ip, std::uint32_t lane, std::uint64_t address,
                std::uint64_t bytes, const Through& pointer, AccessKind kind, HostPlace* place);

/// As find_place(), for an access that the kernel makes if it is correct: an observer gets it.
bool locate(Batch* batch, const Inst* ip, std::uint32_t lane, std::uint64_t address,
            std::uint64_t bytes, const Through& pointer, AccessKind kind, HostPlace* place);
/// Locates the address of `access`. Not inline: atomics call it from loops that need their
/// registers.
bool locate(Batch* batch, const Inst* ip, std::uint32_t lane, std::uint64_t address,
            const Access& access, AccessKind kind, HostPlace* place);

/// The place of a shadow (Program::shadow_distance). False if the memory has none: all of it is
/// defined.
bool find_shadow(const Batch& batch, std::uint32_t lane, std::uint64_t address, std::uint64_t bytes,
                 HostPlace* place);

/// The allocation of a lane's load or store; null if the access is not made. Reports nothing. `address` becomes the one at which a
/// robust access is made.
const memory::Allocation* lane_allocation(const Batch& batch, const Access& access,
                                          std::uint32_t lane, std::uint64_t* address,
                                          AccessKind kind);

/// The place of the byte at `offset` of an allocation, for that lane.
HostPlace place_in(const Batch& batch, const memory::Allocation& allocation, std::uint32_t lane,
                   std::uint64_t offset);
/// The i-th byte from a place on.
std::byte* byte_at(const HostPlace& place, std::uint64_t i);

/// Reads or writes the bytes of a place.
void read_place(const HostPlace& place, void* out, std::uint64_t bytes);
void write_place(const HostPlace& place, const void* in, std::uint64_t bytes);

/// A lock for atomics on memory shared between threads that is not aligned to their size and that
/// the host has no instructions for. Only one thread holds one at a time. Atomic among accesses of
/// one size; sequentially consistent.
class MisalignedAtomic {
 public:
  MisalignedAtomic();
  ~MisalignedAtomic();
  MisalignedAtomic(const MisalignedAtomic&) = delete;
  MisalignedAtomic& operator=(const MisalignedAtomic&) = delete;
};

/// The checked load and store of one lane: a failed load gives zero, a failed store is dropped.
void load_lane(Batch* batch, const Inst* ip, const Access& access, std::uint32_t lane,
               std::uint64_t address, void* out);
void store_lane(Batch* batch, const Inst* ip, const Access& access, std::uint32_t lane,
                std::uint64_t address, const void* in);

/// One lane's part of OpCopyMemorySized. False after a finding, or if the batch was cancelled.
bool copy_lane(Batch* batch, const Inst* ip, const Access& access, std::uint32_t lane,
               std::uint64_t target, std::uint64_t source, std::uint64_t bytes);

/// Formats the printf at `ip` for every running lane, in lane order. The result is 0, or -1 if
/// there was no room ("OpenCL C 2.0", printf). Returns false if the batch must stop behind it,
/// because its steps are used up.
bool print_lanes(const Inst* ip, std::byte* r, Batch* batch);

/// Passes the values that the running lanes stored to the sink: RecordResult of values of that
/// kind.
void record_lanes(const Inst* ip, const std::byte* r, const Batch* batch, Kind kind);

/// Time of the host's monotonic clock.
std::uint64_t monotonic_nanoseconds();

/// Reports the mistake in a lane's access.
void report_access(Batch* batch, const Inst* ip, Rule rule, std::uint32_t lane,
                   std::uint64_t address, std::uint64_t bytes);

/// Reports an event that concerns lanes rather than an address (division, shift, unreachable).
void report_lanes(Batch* batch, const Inst* ip, std::uint16_t rule, const std::uint64_t* lanes);

/// Marks all bits of a private variable as undefined, in the running lanes.
void undefine_private(Batch& batch, const Inst* ip, std::uint32_t variable);

/// Notes that a lane stores an undefined value, and reports it where the host sees it.
void report_stored(Batch* batch, const Inst* ip, std::uint32_t lane, std::uint64_t address);

/// Reports an element of an AsyncCopy of shadows that has undefined bits, if the host sees it.
/// Returns false if nothing is reported.
bool report_copied(Batch* batch, const Inst* ip, std::uint32_t lane, std::uint64_t target,
                   std::uint64_t source);

/// Reports that a lane makes an access at `address` by an index that its array's type does not
/// have.
void report_index(Batch* batch, const Inst* ip, std::uint32_t lane, std::int64_t index,
                  std::uint64_t address);

}  // namespace transpire::vm::exec
