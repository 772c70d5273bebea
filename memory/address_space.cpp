// The slot table behind virtual addresses.
#include "memory/address_space.h"

#include <fmt/format.h>

#include "base/checked.h"

namespace transpire::memory {
namespace {

constexpr std::uint32_t kWideSlotShift = 36;
/// Ranges begin on different pages of their slots.
constexpr std::uint64_t kPageBytes = 4096, kPages = 4096;

}  // namespace

AddressSpace::AddressSpace(std::uint32_t pointer_bytes)
    : AddressSpace(pointer_bytes, pointer_bytes == 4 ? 16 : kWideSlotShift,
                   pointer_bytes == 4 ? 1 : std::uint64_t{1} << 12) {}

AddressSpace::AddressSpace(std::uint32_t pointer_bytes, std::uint32_t slot_shift,
                           std::uint64_t first_slot)
    : pointer_bytes_(pointer_bytes), slot_shift_(slot_shift), first_slot_(first_slot) {
  allocations_.push_back({});
  allocations_[0].live = allocations_[0].readable = false;
  names_.emplace_back();
}

Result<std::uint64_t> AddressSpace::add(Allocation allocation, std::string name) {
  // One slot more than the bytes need keeps a gap behind every range; the first slot of the table is
  // preceded by the unmapped null range.
  const std::uint64_t first = slots_.size();
  const std::uint64_t within = slot_shift_ == kWideSlotShift ? first % kPages * kPageBytes : 0;
  const Checked end = Checked(within) + allocation.size_bytes;
  const std::uint64_t used = (end.value() >> slot_shift_) + 1;
  const std::uint64_t limit = pointer_bytes_ == 4 ? (std::uint64_t{1} << 16) - first_slot_
                                                  : std::uint64_t{1} << 24;
  if (!end.valid() || used + 1 > limit || first > limit - used - 1) {
    return make_diagnostic(Rule::kL0004,
                           fmt::format("no room for {} bytes of '{}' in the {}-bit address space",
                                       allocation.size_bytes, name, pointer_bytes_ * 8));
  }
  allocation.begin = ((first_slot_ + first) << slot_shift_) + within;
  allocation.readable = allocation.live && !allocation.write_only;
  slots_.insert(slots_.end(), used, static_cast<std::uint32_t>(allocations_.size()));
  slots_.push_back(0);
  allocations_.push_back(allocation);
  names_.push_back(std::move(name));
  return allocation.begin;
}

AddressMap AddressSpace::map() const {
  return {allocations_.data(), slots_.data(), slots_.size(), first_slot_, slot_shift_};
}

const Allocation* AddressSpace::nearest(std::uint64_t address) const {
  const std::uint64_t slot = (address >> slot_shift_) - first_slot_;
  // Its own slot, the one above (an access just before the start), the one below (past the gap).
  for (std::uint64_t candidate : {slot, slot + 1, slot - 1}) {
    if (candidate < slots_.size() && slots_[candidate] != 0) return &allocations_[slots_[candidate]];
  }
  return nullptr;
}

const std::string& AddressSpace::name(const Allocation& allocation) const {
  return names_[static_cast<std::size_t>(&allocation - allocations_.data())];
}

}  // namespace transpire::memory
