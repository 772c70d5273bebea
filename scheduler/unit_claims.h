// UnitCounter hands out the units of work of a launch: it knows which ones no thread has claimed. UnitClaims: the units that one
// thread has claimed and has not begun.
//
// Threads claim consecutive units, several at once, so that they seldom contend for the counter. A thread begins its units in order.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace transpire::scheduler {

/// Consecutive units, from `first` up to `end`. Empty if `first` is not below `end`.
struct UnitRange {
  std::uint64_t first = 0, end = 0;
};

class UnitCounter {
 public:
  UnitCounter(std::uint64_t units, unsigned threads)
      : units_(units),
        // Few enough that all threads have work to the end.
        chunk_(std::clamp<std::uint64_t>(units / (std::uint64_t{threads} * 16), 1, 128)) {}

  /// Number of units of the launch.
  std::uint64_t units() const { return units_; }
  /// Claims a chunk. Thread-safe, like all functions that claim.
  UnitRange claim_chunk() { return claim(chunk_); }
  UnitRange claim_one() { return claim(1); }
  /// Claims all units that are left.
  UnitRange claim_rest() { return {next_.exchange(units_), units_}; }

 private:
  UnitRange claim(std::uint64_t count) {
    const std::uint64_t first = next_.fetch_add(count);
    return {first, std::min(first + count, units_)};
  }

  std::uint64_t units_;
  std::uint64_t chunk_;  ///< units claimed at once
  alignas(64) std::atomic<std::uint64_t> next_{0};
};

class UnitClaims {
 public:
  /// Claims a chunk of units in place of the present ones, which have all begun. False if none was left.
  bool claim_chunk(UnitCounter& counter) {
    claimed_ = counter.claim_chunk();
    return !empty();
  }
  bool empty() const { return claimed_.first >= claimed_.end; }
  /// The next unit to begin. There must be one.
  std::uint64_t take() { return claimed_.first++; }
  /// Takes the next unit, or claims one if all have begun. False if none was left.
  bool take_or_claim(UnitCounter& counter, std::uint64_t& unit) {
    UnitRange from = empty() ? counter.claim_one() : claimed_;
    if (from.first >= from.end) return false;
    unit = from.first;
    if (!empty()) ++claimed_.first;
    return true;
  }
  /// The units that have not begun.
  UnitRange left() const { return claimed_; }

 private:
  UnitRange claimed_;
};

}  // namespace transpire::scheduler
