#include "runtime/overlapping_buffers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace transpire::runtime {

std::vector<races::OverlappingRange> overlapping_ranges(const memory::AddressSpace& space) {
  constexpr std::uint64_t kBeyond = std::uint64_t{1} << 62;
  std::vector<const memory::Allocation*> buffers;
  for (const memory::Allocation& each : space.allocations())
    if (each.region == memory::Region::kBuffer && each.host != nullptr && !each.is_shadow)
      buffers.push_back(&each);
  std::ranges::sort(buffers, std::less(), &memory::Allocation::host);
  std::vector<races::OverlappingRange> ranges;
  const auto add = [&](const memory::Allocation& each) {
    const auto at = reinterpret_cast<std::uintptr_t>(each.host);
    ranges.push_back({each.begin, each.size_bytes, kBeyond + at - each.begin});
  };
  for (std::size_t i = 0; i < buffers.size();) {
    std::size_t behind = i + 1;
    for (const std::byte* end = buffers[i]->host + buffers[i]->size_bytes;
         behind < buffers.size() && buffers[behind]->host < end; ++behind)
      end = std::max<const std::byte*>(end, buffers[behind]->host + buffers[behind]->size_bytes);
    if (behind - i > 1)
      for (std::size_t each = i; each < behind; ++each) add(*buffers[each]);
    i = behind;
  }
  return ranges;
}

}  // namespace transpire::runtime
