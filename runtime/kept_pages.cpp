#include "runtime/kept_pages.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace transpire::runtime {
namespace {

/// Addresses of different objects, which `<` need not order.
constexpr std::less<const std::byte*> kIsBefore;

}  // namespace

KeptPages::KeptPages(std::vector<std::span<std::byte>> ranges) {
  std::ranges::sort(ranges, kIsBefore, [](std::span<std::byte> range) { return range.data(); });
  for (const std::span<std::byte> range : ranges) {
    if (range.empty()) continue;
    std::byte* const end = range.data() + range.size();
    if (ranges_.empty() ||
        kIsBefore(ranges_.back().begin + ranges_.back().size_bytes, range.data())) {
      ranges_.push_back({range.data(), range.size()});
    } else {
      Range& before = ranges_.back();
      before.size_bytes =
          std::max(before.size_bytes, static_cast<std::uint64_t>(end - before.begin));
    }
  }
  for (Range& range : ranges_) range.kept.resize((range.size_bytes - 1) / kPageBytes / 64 + 1);
}

bool KeptPages::Range::holds(const std::byte* byte) const {
  return !kIsBefore(byte, begin) && kIsBefore(byte, begin + size_bytes);
}

KeptPages::Range* KeptPages::find(const std::byte* byte) {
  if (ranges_.empty()) return nullptr;
  if (ranges_[last_].holds(byte)) return &ranges_[last_];
  const auto behind = std::ranges::upper_bound(ranges_, byte, kIsBefore, &Range::begin);
  if (behind == ranges_.begin() || !std::prev(behind)->holds(byte)) return nullptr;
  last_ = static_cast<std::size_t>(std::prev(behind) - ranges_.begin());
  return &ranges_[last_];
}

void KeptPages::before_change(const std::byte* first, std::uint64_t size_bytes) {
  Range* const range = size_bytes == 0 ? nullptr : find(first);
  if (range == nullptr) return;
  const auto offset = static_cast<std::uint64_t>(first - range->begin);
  const std::uint64_t last = offset + std::min(size_bytes, range->size_bytes - offset) - 1;
  for (std::uint64_t page = offset / kPageBytes; page <= last / kPageBytes; ++page)
    if (!range->has(page)) keep(*range, page);
}

void KeptPages::keep(Range& range, std::uint64_t page) {
  std::byte* const begin = range.begin + page * kPageBytes;
  const std::uint64_t size = std::min(kPageBytes, range.size_bytes - page * kPageBytes);
  pages_.push_back({begin, {begin, begin + size}});
  range.kept[page / 64] |= std::uint64_t{1} << page % 64;
  kept_bytes_ += size;
}

void KeptPages::restore() const {
  for (const Page& page : pages_) std::memcpy(page.begin, page.bytes.data(), page.bytes.size());
}

}  // namespace transpire::runtime
