// VectorClock: for each chain of commands, the number up to which all its commands have ended. It
// is a sequence sorted by chain, because merging clocks is the commonest work.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace transpire::opencl {

class VectorClock {
 public:
  void raise(std::uint64_t chain, std::uint64_t number) {
    const auto at = std::ranges::lower_bound(entries_, chain, {}, &Entry::first);
    if (at == entries_.end() || at->first != chain)
      entries_.insert(at, {chain, number});
    else
      at->second = std::max(at->second, number);
  }

  void merge(const VectorClock& other) {
    if (other.entries_.empty()) return;
    std::vector<Entry> both;
    both.reserve(entries_.size() + other.entries_.size());
    auto mine = entries_.begin();
    for (const Entry& theirs : other.entries_) {
      while (mine != entries_.end() && mine->first < theirs.first) both.push_back(*mine++);
      const bool is_known = mine != entries_.end() && mine->first == theirs.first;
      both.emplace_back(theirs.first,
                        is_known ? std::max(mine++->second, theirs.second) : theirs.second);
    }
    both.insert(both.end(), mine, entries_.end());
    entries_ = std::move(both);
  }

  bool holds(std::uint64_t chain, std::uint64_t number) const {
    const auto at = std::ranges::lower_bound(entries_, chain, {}, &Entry::first);
    return at != entries_.end() && at->first == chain && at->second >= number;
  }

  /// Keeps only the chains for which `is_wanted` is true.
  template <class Wanted>
  void keep(const Wanted& is_wanted) {
    std::erase_if(entries_, [&](const Entry& entry) { return !is_wanted(entry.first); });
  }

  std::size_t size() const { return entries_.size(); }

 private:
  using Entry = std::pair<std::uint64_t, std::uint64_t>;
  std::vector<Entry> entries_;
};

}  // namespace transpire::opencl
