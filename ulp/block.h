// A block of calls side by side, as the engine's rows are, so that handlers run on it where it is.
#pragma once

#include <array>
#include <cstddef>

#include "extinst/reference/format.h"
#include "ulp/measured.h"

namespace transpire::ulp {

/// Number of calls that a thread takes at a time: a multiple of every batch width. A block's data
/// fits a core's own cache.
inline constexpr std::size_t kBlock = 4096;

/// Numbers of one call each, in as many bytes as their kind has.
using Row = std::array<std::byte, kBlock * 8>;

inline Bits read_bits(const std::byte* row, std::size_t index, std::uint32_t bytes) {
  return extinst::reference::load_bits(row + index * bytes, bytes);
}

inline void write_bits(std::byte* row, std::size_t index, std::uint32_t bytes, Bits bits) {
  extinst::reference::store_bits(row + index * bytes, bytes, bits);
}

/// Bits of one call's operands; the second is 0 if there is none.
struct Call {
  Bits a = 0, b = 0;
};

/// The most contenders of one pass: the reference mode and the fast one on every instruction set.
inline constexpr std::size_t kMostContenders = 4;

/// Consecutive calls and each contender's results: a register block of handlers. An i32 takes 4
/// bytes.
struct alignas(64) Block {
  Row a{}, b{};
  std::array<Row, kMostContenders> results{};
  std::uint64_t first = 0;  ///< the number of the first call
  std::size_t count = 0;
  std::uint32_t bytes = 4, second_bytes = 4;  ///< size of an operand
  bool has_second = false;

  Call call(std::size_t index) const {
    return {read_bits(a.data(), index, bytes),
            has_second ? read_bits(b.data(), index, second_bytes) : 0};
  }
  void set(std::size_t index, const Call& call) {
    write_bits(a.data(), index, bytes, call.a);
    if (has_second) write_bits(b.data(), index, second_bytes, call.b);
  }
  Bits result(std::size_t contender, std::size_t index) const {
    return read_bits(results[contender].data(), index, bytes);
  }
  std::byte* registers() { return reinterpret_cast<std::byte*>(this); }
};
static_assert(offsetof(Block, b) == sizeof(Row) && offsetof(Block, results) == 2 * sizeof(Row));

}  // namespace transpire::ulp
