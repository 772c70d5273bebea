// The slot table behind virtual addresses.
#include "memory/address_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "base/checked.h"

namespace transpire::memory {
namespace {

/// A range begins at one of the first kPages pages of its slot, another one for each range.
constexpr std::uint64_t kPageBytes = 4096, kPages = 4096;
/// Wide slots are cut to at least the distance at which a range may begin behind the start of its slot.
constexpr std::uint32_t kLeastSlotShift = 24;
static_assert(kPageBytes * kPages == std::uint64_t{1} << kLeastSlotShift);

/// Sets Allocation::loads and stores, by which handlers check an access with one test.
void allow(Allocation& allocation) {
  if (allocation.is_shadow) {
    allocation.loads = spaces_of(PointerSpace::kShadow);
    if (allocation.region == Region::kBuffer)
      allocation.loads |= spaces_of(PointerSpace::kShadowGlobal);
    if (allocation.region == Region::kWorkgroup)
      allocation.loads |= spaces_of(PointerSpace::kShadowWorkgroup);
    allocation.stores = allocation.loads;
    return;
  }
  const PointerSpaces all = allocation.live ? spaces_reaching(allocation.region) : PointerSpaces{0};
  const bool constant = allocation.read_only || allocation.region == Region::kConstant;
  allocation.loads = allocation.write_only ? PointerSpaces{0} : all;
  allocation.stores = constant ? PointerSpaces{0} : all;
}

}  // namespace

PointerSpaces spaces_reaching(Region region) {
  constexpr PointerSpaces kGeneric = spaces_of(PointerSpace::kGeneric);
  switch (region) {
    case Region::kBuffer:
      return kGeneric | spaces_of(PointerSpace::kGlobal) | spaces_of(PointerSpace::kConstant);
    case Region::kConstant:
      return spaces_of(PointerSpace::kConstant);
    case Region::kWorkgroup:
      return kGeneric | spaces_of(PointerSpace::kWorkgroup);
    case Region::kPrivate:
      return kGeneric | spaces_of(PointerSpace::kPrivate);
    case Region::kImage:
    case Region::kPipe:
      return 0;
  }
  return 0;
}

AddressSpace::AddressSpace(std::uint32_t pointer_bytes)
    : AddressSpace(pointer_bytes, pointer_bytes == 4 ? 16 : kWideSlotShift,
                   pointer_bytes == 4 ? 1 : std::uint64_t{1} << 12) {}

AddressSpace::AddressSpace(std::uint32_t pointer_bytes, std::uint32_t slot_shift,
                           std::uint64_t first_slot)
    : pointer_bytes_(pointer_bytes),
      slot_shift_(slot_shift),
      first_slot_(first_slot),
      is_wide_(pointer_bytes == 8 && slot_shift == kWideSlotShift) {
  allocations_.push_back({});
  allocations_[0].live = false;
  names_.emplace_back();
}

std::uint64_t AddressSpace::slot_limit() const {
  return pointer_bytes_ == 4 ? (std::uint64_t{1} << 16) - first_slot_
                             : std::uint64_t{1} << (24 + cut_bits_);
}

std::uint64_t AddressSpace::tagged_slots() const {
  return pointer_bytes_ == 4 ? 0 : (std::uint64_t{1} << (kTagShift - slot_shift_)) - first_slot_;
}

std::uint64_t AddressSpace::within_slot(std::uint64_t slot) const {
  return is_wide_ ? slot % kPages * kPageBytes : 0;
}

std::uint64_t AddressSpace::slots_of(std::uint64_t size_bytes) const {
  const std::uint64_t most_within = is_wide_ ? kPages * kPageBytes : 0;
  return ((Checked(most_within) + size_bytes).value() >> slot_shift_) + 2;
}

Result<std::uint64_t> AddressSpace::add(Allocation allocation, std::string name) {
  return add_at(slots_.size(), allocation, std::move(name));
}

bool AddressSpace::is_for_shadows(std::uint64_t slot) const {
  return keeps_shadows_apart_ && slot >= shadow_slots() && slot < slots_behind_shadows();
}

/// The slot behind a range stays free.
bool AddressSpace::is_blocked(std::uint64_t slot) const {
  const auto is_taken = [&](std::uint64_t at) { return at < slots_.size() && slots_[at] != 0; };
  return is_for_shadows(slot) || is_taken(slot) || (slot != 0 && is_taken(slot - 1));
}

std::uint64_t AddressSpace::free_slots(std::uint64_t first, std::uint64_t end) const {
  std::uint64_t taken = 0;
  const std::uint64_t last = std::min(end, slots_.size());
  for (std::uint64_t at = first; at < last; ++at) taken += is_blocked(at) ? 1 : 0;
  return first < end ? end - first - taken : 0;
}

Result<std::uint64_t> AddressSpace::add_in_gap(std::uint64_t slot, Allocation allocation,
                                               std::string name) {
  const std::uint64_t wanted = slots_of(allocation.size_bytes);
  std::uint64_t free = 0, at = std::max(gap_, slot);
  for (; free < wanted && at < slot_limit(); ++at) {
    if (at >= slots_.size() && !is_for_shadows(at) && !is_for_shadows(at + wanted)) break;
    free = is_blocked(at) ? 0 : free + 1;
  }
  const std::uint64_t first = at - free;
  Result<std::uint64_t> added = add_at(first, allocation, std::move(name));
  if (added) gap_ = first + wanted;
  return added;
}

std::uint32_t AddressSpace::spare_bits() const {
  return is_wide_ ? slot_shift_ - kLeastSlotShift : 0;
}

void AddressSpace::cut_slots(std::uint32_t bits) {
  bits = std::min(bits, spare_bits());
  if (bits == 0) return;
  if (!slots_.cut(bits)) throw std::bad_alloc();
  slot_shift_ -= bits;
  first_slot_ <<= bits;
  gap_ <<= bits;
  cut_bits_ += bits;
}

Result<std::uint64_t> AddressSpace::add_at(std::uint64_t slot, Allocation allocation,
                                           std::string name) {
  // One slot more than the bytes need keeps a gap behind every range; the first slot of the table is
  // preceded by the unmapped null range.
  const std::uint64_t within = within_slot(slot);
  const std::uint64_t limit = slot_limit();
  const Checked end = Checked(within) + allocation.size_bytes;
  const std::uint64_t used = (end.value() >> slot_shift_) + 1;
  if (!end.valid() || slot >= limit || used >= limit - slot) {
    return make_diagnostic(Rule::kL0004,
                           fmt::format("no room for {} bytes of '{}' in the {}-bit address space",
                                       allocation.size_bytes, name, pointer_bytes_ * 8));
  }
  allocation.begin = ((first_slot_ + slot) << slot_shift_) + within;
  if (!place(slot, used, allocation, std::move(name))) throw std::bad_alloc();
  return allocation.begin;
}

void AddressSpace::skip_to(std::uint64_t address) {
  if (!slots_.grow((address >> slot_shift_) - first_slot_)) throw std::bad_alloc();
}

bool AddressSpace::place(std::uint64_t slot, std::uint64_t used, const Allocation& allocation,
                         std::string name) {
  if (!slots_.grow(slot + used + 1)) return false;
  slots_.fill(slot, used, static_cast<std::uint32_t>(allocations_.size()));
  allocations_.push_back(allocation);
  allow(allocations_.back());
  names_.push_back(std::move(name));
  return true;
}

std::uint64_t AddressSpace::shadowed_slots() const {
  const std::uint64_t end = shadow_distance(pointer_bytes_) >> slot_shift_;
  if (pointer_bytes_ == 4) return end - first_slot_;
  return first_slot_ < end ? end - first_slot_ : 0;
}

bool AddressSpace::add_shadow(std::uint64_t address, Allocation shadow) {
  const std::uint64_t slot = (address >> slot_shift_) - first_slot_;
  const std::uint64_t last =
      ((Checked(address) + shadow.size_bytes).value() >> slot_shift_) - first_slot_;
  if (last + 1 >= shadowed_slots()) return false;
  shadow.is_shadow = true;
  shadow.begin = address + shadow_distance(pointer_bytes_);
  return place(slot + (shadow_distance(pointer_bytes_) >> slot_shift_), last - slot + 1, shadow,
               {});
}

AddressMap AddressSpace::map() const {
  const bool has_tags = pointer_bytes_ == 8 && slots_.size() <= tagged_slots();
  return {allocations_.data(),
          allocations_.size(),
          slots_.data(),
          slots_.size(),
          first_slot_,
          slot_shift_,
          has_tags,
          first_owner_,
          launch_};
}

std::vector<const Allocation*> AddressSpace::pipes() const {
  std::vector<const Allocation*> found;
  for (const Allocation& allocation : allocations_)
    if (allocation.region == Region::kPipe) found.push_back(&allocation);
  return found;
}

const Allocation* AddressSpace::nearest(std::uint64_t address) const {
  const std::uint64_t slot = (address >> slot_shift_) - first_slot_;
  // Its own slot, the one above (an access just before the start), the one below (past the gap).
  for (std::uint64_t candidate : {slot, slot + 1, slot - 1}) {
    if (candidate < slots_.size() && slots_[candidate] != 0)
      return &allocations_[slots_[candidate]];
  }
  return nullptr;
}

const std::string& AddressSpace::name(const Allocation& allocation) const {
  return names_[static_cast<std::size_t>(&allocation - allocations_.data())];
}

}  // namespace transpire::memory
