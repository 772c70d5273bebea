#include "vm/exec/item_notes.h"

#include <algorithm>

#include "vm/exec/engine.h"

namespace transpire::vm::exec {
namespace {

constexpr std::size_t kFewestNotes = 256, kMostNotes = std::size_t{1} << 30;

}  // namespace

bool NoteBudget::draw(std::uint64_t bytes) {
  std::uint64_t left = left_.load(std::memory_order_relaxed);
  while (left >= bytes)
    if (left_.compare_exchange_weak(left, left - bytes, std::memory_order_relaxed)) return true;
  gave_up_.store(true, std::memory_order_relaxed);
  return false;
}

std::optional<ItemNotes::Way> ItemNotes::meets(std::uint32_t lane, const std::byte* host,
                                               std::uint64_t bytes, Way way) {
  std::optional<Way> met;
  const auto begin = reinterpret_cast<std::uintptr_t>(host);
  for (std::uint64_t at = begin; at != begin + bytes;) {
    const std::uint64_t from = at % kChunkBytes;
    const std::uint64_t count = std::min(kChunkBytes - from, begin + bytes - at);
    const std::uint64_t touched = ~std::uint64_t{0} >> (kChunkBytes - count) << from;
    const std::optional<Way> other = note(at / kChunkBytes * kMaxLanes + lane, touched, way);
    if (!met) met = other;
    at += count;
  }
  return met;
}

/// `bytes`: those of the chunk.
std::optional<ItemNotes::Way> ItemNotes::note(std::uint64_t chunk, std::uint64_t bytes, Way way) {
  Note* own = nullptr;
  std::uint64_t others = 0, promised = way.no_alias ? bytes : 0, written = way.writes ? bytes : 0;
  for (std::uint32_t at = first_.empty() ? 0 : first_[bucket(chunk)]; at != 0;) {
    Note& other = notes_[at - 1];
    at = other.next;
    if (other.chunk != chunk) continue;
    written |= other.written;
    if (other.no_alias != 0) promised |= other.accessed;
    if (other.parameter != way.parameter)
      others |= other.accessed;
    else if (other.place == way.place)
      own = &other;
  }
  if (own == nullptr && (notes_.size() < notes_.capacity() || grow())) {
    std::uint32_t& first = first_[bucket(chunk)];
    notes_.push_back({chunk, 0, 0, way.parameter, first, way.no_alias, way.place});
    first = static_cast<std::uint32_t>(notes_.size());
    own = &notes_.back();
  }
  if (own != nullptr) {
    own->accessed |= bytes;
    if (way.writes) own->written |= bytes;
  }
  const std::uint64_t met = bytes & others & promised & written;
  return met == 0 ? std::nullopt : other_way(chunk, met, way.parameter);
}

/// By which parameter else the work-item has accessed some of these bytes of a chunk: a store, if there was one.
std::optional<ItemNotes::Way> ItemNotes::other_way(std::uint64_t chunk, std::uint64_t bytes,
                                                   std::uint32_t parameter) const {
  std::optional<Way> found;
  for (std::uint32_t at = first_.empty() ? 0 : first_[bucket(chunk)]; at != 0;) {
    const Note& each = notes_[at - 1];
    at = each.next;
    if (each.chunk != chunk || each.parameter == parameter || (each.accessed & bytes) == 0)
      continue;
    const bool writes = (each.written & bytes) != 0;
    if (found && (found->writes || !writes)) continue;
    found = {each.parameter, each.no_alias != 0, writes, each.place};
  }
  return found;
}

std::size_t ItemNotes::bucket(std::uint64_t chunk) const {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;
  return (chunk * kOdd >> 32) & (first_.size() - 1);
}

/// Room for twice as many. False where there is no memory left for them.
bool ItemNotes::grow() {
  const std::size_t wanted = std::max(kFewestNotes, 2 * first_.size());
  const std::uint64_t more = (wanted - first_.size()) * (sizeof(Note) + sizeof(std::uint32_t));
  if (wanted > kMostNotes || !budget_->draw(more)) return false;
  drawn_ += more;
  notes_.reserve(wanted);
  first_.assign(wanted, 0);
  for (std::uint32_t n = 0; n < notes_.size(); ++n) {
    std::uint32_t& first = first_[bucket(notes_[n].chunk)];
    notes_[n].next = first;
    first = n + 1;
  }
  return true;
}

void ItemNotes::clear() {
  for (const Note& note : notes_) first_[bucket(note.chunk)] = 0;
  notes_.clear();
}

}  // namespace transpire::vm::exec
