// KeptPages: the bytes that memory has at one moment, to which it can go back. A page is copied just before its first change, so
// the copies take as much memory and time as the pages that change. Memory that nobody changes costs one bit a page.
//
//     a range of memory   | page | page | page | rest |    pages are counted from the range's first byte; the last may be shorter
//     Range::kept         |  0   |  1   |  0   |  1   |    pages that changed since, each with a copy in pages_
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace transpire::runtime {

class KeptPages {
 public:
  /// Size of a page in bytes; a range's last page may have fewer.
  static constexpr std::uint64_t kPageBytes = 4096;

  /// The moment is now. The ranges, which outlive this object, may be empty, overlap or touch each other.
  explicit KeptPages(std::vector<std::span<std::byte>> ranges);

  /// Copies the pages with these bytes, except those that have a copy. Whoever changes the bytes calls this before. The bytes lie in
  /// one of the ranges, or in none: then nothing happens. Throws std::bad_alloc; the call may then be repeated.
  void before_change(const std::byte* first, std::uint64_t size_bytes);
  /// Puts back the bytes of the moment. The copies stay, for the next time.
  void restore() const;
  /// Bytes in all copies.
  std::uint64_t kept_bytes() const { return kept_bytes_; }

 private:
  /// A run of bytes that the given ranges cover. No two runs overlap or touch.
  struct Range {
    std::byte* begin = nullptr;
    std::uint64_t size_bytes = 0;
    std::vector<std::uint64_t> kept{};  ///< a bit for each page

    bool holds(const std::byte* byte) const;
    bool has(std::uint64_t page) const { return (kept[page / 64] >> page % 64 & 1) != 0; }
  };
  struct Page {
    std::byte* begin;
    std::vector<std::byte> bytes;
  };

  Range* find(const std::byte* byte);
  void keep(Range& range, std::uint64_t page);

  std::vector<Range> ranges_;  ///< by address
  std::size_t last_ = 0;       ///< index of the range of the last change
  std::vector<Page> pages_;
  std::uint64_t kept_bytes_ = 0;
};

}  // namespace transpire::runtime
