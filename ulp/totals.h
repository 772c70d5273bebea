// Counts of a contender's results.
#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "ulp/measured.h"

namespace transpire::ulp {

/// Upper ends of the histogram's bins; the last bin takes all larger errors. Correctly rounded
/// results are in the first three.
inline constexpr double kBins[] = {0,   0.25, 0.5, 0.501, 0.51, 0.55, 0.6,  0.75,    1,
                                   1.5, 2,    3,   4,     8,    16,   8192, INFINITY};
inline constexpr std::size_t kBinCount = std::size(kBins);

inline std::size_t bin_of(double ulp) {
  std::size_t bin = 0;  // most errors are small
  while (bin + 1 < kBinCount && !(ulp <= kBins[bin])) ++bin;
  return bin;
}

/// The specification's error bounds; none if it gives no figure.
struct Bounds {
  std::optional<double> full, embedded;
};

/// Bits that depend on all bits of a number (splitmix64).
inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/// Totals of one thread, or of one block.
struct Totals {
  std::uint64_t by_mpfr = 0, confirmed = 0, contradicted = 0, not_correctly_rounded = 0;
  std::uint64_t outside_full = 0, outside_embedded = 0, checksum = 0;
  std::uint64_t bins[kBinCount] = {};
  double worst_ulp = -1;   ///< for formulas a part of the allowed error
  double largest_ulp = 0;  ///< formulas only: the largest error where a finite one is allowed
  std::uint64_t worst_number = 0;  ///< number of the first call with this error
  Bits worst_result = 0;

  void note_worst(double ulp, std::uint64_t number, Bits result) {
    if (ulp < worst_ulp || (ulp == worst_ulp && number >= worst_number)) return;
    worst_ulp = ulp;
    worst_number = number;
    worst_result = result;
  }
  void add(const Totals& other) {
    by_mpfr += other.by_mpfr;
    confirmed += other.confirmed;
    contradicted += other.contradicted;
    not_correctly_rounded += other.not_correctly_rounded;
    outside_full += other.outside_full;
    outside_embedded += other.outside_embedded;
    checksum += other.checksum;
    for (std::size_t i = 0; i < kBinCount; ++i) bins[i] += other.bins[i];
    largest_ulp = std::max(largest_ulp, other.largest_ulp);
    if (other.worst_ulp >= 0) note_worst(other.worst_ulp, other.worst_number, other.worst_result);
  }
};

}  // namespace transpire::ulp
