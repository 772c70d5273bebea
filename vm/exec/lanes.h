// Lane masks in a handler: counting, walking, spreading them over bytes. In the instruction set's
// own namespace, like all handler code.
#pragma once

#include <type_traits>

#include "vm/exec/handlers.h"
#include "vm/simd/mask.h"

namespace transpire::vm::TRANSPIRE_ISA {

static_assert(kLanes <= exec::kMaxLanes && exec::kMaxLanes % 64 == 0);

/// True if a mask has a lane.
TRANSPIRE_INLINE bool any(const std::uint64_t* m) {
  std::uint64_t all = 0;
  for (std::uint32_t w = 0; w < kMaskWords; ++w) all |= m[w];
  return all != 0;
}

TRANSPIRE_INLINE bool mask_full(const std::uint64_t* m) {
  std::uint64_t all = ~std::uint64_t{0};
  for (std::uint32_t w = 0; w < kMaskWords; ++w) all &= m[w];
  return all == ~std::uint64_t{0};
}

TRANSPIRE_INLINE std::uint32_t mask_count(const std::uint64_t* m) {
  std::uint64_t lanes = 0;
  for (std::uint32_t w = 0; w < kMaskWords; ++w) {
    if constexpr (kHasPopcount) {
      lanes += static_cast<std::uint64_t>(__builtin_popcountll(m[w]));
    } else {
      std::uint64_t v = m[w];  // adds pairs, nibbles, bytes
      v -= v >> 1 & 0x5555555555555555ull;
      v = (v & 0x3333333333333333ull) + (v >> 2 & 0x3333333333333333ull);
      v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0full;
      lanes += v * 0x0101010101010101ull >> 56;
    }
  }
  return static_cast<std::uint32_t>(lanes);
}

/// The first and last running lane; a batch never runs with none.
TRANSPIRE_INLINE std::uint32_t first_lane(const std::uint64_t* m) {
  std::uint32_t w = 0;
  while (w + 1 < kMaskWords && m[w] == 0) ++w;
  return w * 64 + static_cast<std::uint32_t>(__builtin_ctzll(m[w]));
}
TRANSPIRE_INLINE std::uint32_t last_lane(const std::uint64_t* m) {
  std::uint32_t w = kMaskWords - 1;
  while (w > 0 && m[w] == 0) --w;
  return w * 64 + 63 - static_cast<std::uint32_t>(__builtin_clzll(m[w]));
}

/// Calls f(lane) for every lane of the mask in ascending order.
template <class F>
TRANSPIRE_INLINE void for_each_lane(const std::uint64_t* m, F f) {
  for (std::uint32_t w = 0; w < kMaskWords; ++w) {
    for (std::uint64_t left = m[w]; left != 0; left &= left - 1)
      f(w * 64 + static_cast<std::uint32_t>(__builtin_ctzll(left)));
  }
}

/// for_each_lane, without looking for lanes when all run.
template <class F>
TRANSPIRE_INLINE void each_running(const std::uint64_t* mask, F f) {
  if (!mask_full(mask)) return for_each_lane(mask, f);
#pragma GCC unroll 8
  for (std::uint32_t i = 0; i < kLanes; ++i) f(i);
}

/// The numbers of the bits that are set in a byte, ascending, a byte each.
struct BitNumbers {
  std::uint64_t of[256] = {};
  constexpr BitNumbers() {
    for (std::uint32_t bits = 0; bits < 256; ++bits) {
      std::uint32_t found = 0;
      for (std::uint32_t bit = 0; bit < 8; ++bit)
        if ((bits >> bit & 1) != 0) of[bits] |= std::uint64_t{bit} << (8 * found++);
    }
  }
};
inline constexpr BitNumbers kBitNumbers;

/// Lists the running lanes in the batch: eight at a time, each time over what the last ones left.
__attribute__((noinline, unused)) static void list_lanes(Batch* batch) {
  constexpr std::uint64_t kEach = 0x0101010101010101ull;
  std::uint32_t count = 0;
  for (std::uint32_t w = 0; w < kMaskWords; ++w) {
    const std::uint64_t mask = batch->mask[w];
    batch->listed_mask[w] = mask;
    for (std::uint32_t byte = 0; byte < 8; ++byte) {
      const auto bits = static_cast<std::uint8_t>(mask >> (8 * byte));
      const std::uint64_t lanes = kBitNumbers.of[bits] + kEach * (w * 64 + byte * 8);
      __builtin_memcpy(batch->listed + count, &lanes, 8);
      count += static_cast<std::uint32_t>(__builtin_popcount(bits));
    }
  }
  const std::uint64_t last = kEach * batch->listed[count - 1];
  __builtin_memcpy(batch->listed + count, &last, 8);
  batch->listed_count = (count + kLaneListStep - 1) / kLaneListStep * kLaneListStep;
}

/// Calls write(lane, read(lane)) for every running lane, for some twice: eight reads, then their
/// writes, so that the second time reads what the first one did. Instructions with the same lanes,
/// those of a block, find them listed: walking over the bits of the mask each time, and out of its
/// words, is slower.
template <class Read, class Write>
TRANSPIRE_INLINE void each_listed(Batch* batch, Read read, Write write) {
  constexpr std::uint32_t kStep = kLaneListStep;
  decltype(read(0u)) value[kStep];
  if (mask_full(batch->mask)) {
    for (std::uint32_t i = 0; i < kLanes; i += kStep) {
#pragma GCC unroll 8
      for (std::uint32_t k = 0; k < kStep; ++k) value[k] = read(i + k);
#pragma GCC unroll 8
      for (std::uint32_t k = 0; k < kStep; ++k) write(i + k, value[k]);
    }
    return;
  }
  std::uint64_t other = 0;
  for (std::uint32_t w = 0; w < kMaskWords; ++w) other |= batch->mask[w] ^ batch->listed_mask[w];
  if (other != 0) list_lanes(batch);
  const std::uint8_t* end = batch->listed + batch->listed_count;
  for (const std::uint8_t* lane = batch->listed; lane != end; lane += kStep) {
#pragma GCC unroll 8
    for (std::uint32_t k = 0; k < kStep; ++k) value[k] = read(std::uint32_t{lane[k]});
#pragma GCC unroll 8
    for (std::uint32_t k = 0; k < kStep; ++k) write(std::uint32_t{lane[k]}, value[k]);
  }
}

/// out[i] = in[i] for lanes of the mask, `other` for the rest. Rows are aligned.
template <class T>
TRANSPIRE_INLINE void keep_active(T* out, const T* in, const std::uint64_t* m, T other) {
  for (std::uint32_t i = 0; i < kLanes; i += kVectorLanes<T>)
    store(out + i, blend(lane_mask<T>(m[i / 64], i % 64), load(in + i), splat(other)));
}

/// The lanes of a word of 64 whose value equals `value`.
template <class T>
TRANSPIRE_INLINE std::uint64_t equal_lanes(const T* row, T value) {
  return mask_word<T>([&](std::uint32_t lane) TRANSPIRE_INLINE_LAMBDA {
    return compare_vectors<Predicate::kEqual, T>(load(row + lane), splat(value));
  });
}

TRANSPIRE_INLINE void bytes_to_mask(std::uint64_t* m, const std::uint8_t* bytes) {
  for (std::uint32_t w = 0; w < kMaskWords; ++w) {
    std::uint64_t bits = 0;
    for (std::uint32_t i = 0; i < 64; ++i) bits |= std::uint64_t{bytes[w * 64 + i] != 0} << i;
    m[w] = bits;
  }
}

TRANSPIRE_INLINE void mask_to_bytes(std::uint8_t* bytes, const std::uint64_t* m) {
  for (std::uint32_t i = 0; i < kLanes; ++i) bytes[i] = m[i / 64] >> (i % 64) & 1;
}

}  // namespace transpire::vm::TRANSPIRE_ISA
