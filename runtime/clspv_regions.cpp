#include "runtime/clspv_regions.h"

#include <algorithm>
#include <cstddef>

namespace transpire::runtime {
namespace {

/// Adds to each region the part that its groups do not fill in the dimension, as a region of its own.
std::vector<Region> split(const std::vector<Region>& regions, std::size_t d) {
  std::vector<Region> parts;
  for (const Region& region : regions) {
    const std::uint64_t rest = region.size[d] % region.group_size[d];
    Region whole = region;
    whole.size[d] -= rest;
    if (whole.size[d] != 0) parts.push_back(whole);
    if (rest == 0) continue;
    Region last = region;
    last.first[d] += whole.size[d];
    last.size[d] = last.group_size[d] = rest;
    parts.push_back(last);
  }
  return parts;
}

}  // namespace

Region whole_of(const vm::exec::LaunchIds& ids) {
  Region all;
  std::copy_n(ids.global_size, 3, all.size.begin());
  std::copy_n(ids.enqueued_local_size, 3, all.group_size.begin());
  return all;
}

std::vector<Region> regions_of(const vm::exec::LaunchIds& ids) {
  std::vector<Region> regions{whole_of(ids)};
  for (std::size_t d = 0; d < 3; ++d) regions = split(regions, d);
  return regions;
}

}  // namespace transpire::runtime
