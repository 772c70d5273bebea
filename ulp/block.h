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

/// The most operands of a call: two matrices of four columns.
inline constexpr std::size_t kMostOperands = 32;

/// Bits of one call's operands; the second is 0 if there is none. Only formulas have more than two, and a component.
struct Call {
  Bits a = 0, b = 0;
  std::array<Bits, kMostOperands - 2> more{};
  std::size_t component = 0;  ///< the scalar of the result that is asked for

  Bits operand(std::size_t i) const { return i == 0 ? a : i == 1 ? b : more[i - 2]; }
  void set_operand(std::size_t i, Bits bits) { (i == 0 ? a : i == 1 ? b : more[i - 2]) = bits; }
};

/// The most contenders of one pass: the reference mode and the fast one on every instruction set.
inline constexpr std::size_t kMostContenders = 4;

/// Consecutive calls and each contender's results: a register block of handlers. An i32 takes 4
/// bytes.
struct alignas(64) Block {
  Row a{}, b{};
  std::array<Row, kMostOperands - 2> more{};
  std::array<Row, kMostContenders> results{};
  std::uint64_t first = 0;  ///< the number of the first call
  std::size_t count = 0;
  std::uint32_t bytes = 4, second_bytes = 4;  ///< size of an operand
  bool has_second = false;
  std::size_t more_count = 0;  ///< operands behind the second
  std::size_t components = 1;  ///< scalars of a result: the calls ask for them in turn

  Call call(std::size_t index) const {
    Call call{read_bits(a.data(), index, bytes),
              has_second ? read_bits(b.data(), index, second_bytes) : 0};
    for (std::size_t i = 0; i < more_count; ++i)
      call.more[i] = read_bits(more[i].data(), index, bytes);
    call.component = index % components;
    return call;
  }
  void set(std::size_t index, const Call& call) {
    write_bits(a.data(), index, bytes, call.a);
    if (has_second) write_bits(b.data(), index, second_bytes, call.b);
    for (std::size_t i = 0; i < more_count; ++i)
      write_bits(more[i].data(), index, bytes, call.more[i]);
  }
  Bits result(std::size_t contender, std::size_t index) const {
    return read_bits(results[contender].data(), index, bytes);
  }
  std::byte* registers() { return reinterpret_cast<std::byte*>(this); }
};
static_assert(offsetof(Block, b) == sizeof(Row) && offsetof(Block, more) == 2 * sizeof(Row) &&
              offsetof(Block, results) == kMostOperands * sizeof(Row));

}  // namespace transpire::ulp
