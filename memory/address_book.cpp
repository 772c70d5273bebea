#include "memory/address_book.h"

#include <algorithm>

namespace transpire::memory {

std::optional<std::vector<std::uint64_t>> AddressBook::place(std::span<const Entry> entries,
                                                             std::uint64_t begin,
                                                             std::uint64_t end) {
  const std::lock_guard lock(mutex_);
  next_ = std::max(next_, begin);
  if (!place_new(entries, begin, end)) {
    places_.clear();
    next_ = begin;
    if (!place_new(entries, begin, end)) return std::nullopt;
  }
  std::vector<std::uint64_t> slots;
  for (const Entry& entry : entries) slots.push_back(places_.find(entry.owner)->second.slot);
  return slots;
}

bool AddressBook::place_new(std::span<const Entry> entries, std::uint64_t begin,
                            std::uint64_t end) {
  for (const Entry& entry : entries) {
    const auto known = places_.find(entry.owner);
    // An old place is too small if the buffer's memory grew, and unusable if a variable now lies in front of it.
    if (known != places_.end() && known->second.slot >= begin && known->second.slots == entry.slots)
      continue;
    if (next_ > end || entry.slots > end - next_) return false;
    places_.insert_or_assign(entry.owner, Place{next_, entry.slots, entry.name});
    next_ += entry.slots;
  }
  return true;
}

std::optional<AddressBook::Known> AddressBook::find(std::uint64_t slot) {
  const std::lock_guard lock(mutex_);
  for (const auto& [owner, place] : places_)
    if (slot >= place.slot && slot - place.slot < place.slots)
      return Known{place.name, !owner.expired()};
  return std::nullopt;
}

}  // namespace transpire::memory
