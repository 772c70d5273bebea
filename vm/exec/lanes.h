// Lane masks in a handler: counting, walking, spreading them over bytes. In the instruction set's own
// namespace, like all handler code.
#pragma once

#include <type_traits>

#include "vm/simd/compare.h"
#include "vm/simd/isa.h"
#include "vm/simd/mask.h"

namespace transpire::vm::exec::TRANSPIRE_ISA {

TRANSPIRE_INLINE bool mask_full(const std::uint64_t* m) {
  std::uint64_t all = ~std::uint64_t{0};
  for (std::uint32_t w = 0; w < kMaskWords; ++w) all &= m[w];
  return all == ~std::uint64_t{0};
}

TRANSPIRE_INLINE std::uint32_t mask_count(const std::uint64_t* m) {
  std::uint64_t lanes = 0;
  for (std::uint32_t w = 0; w < kMaskWords; ++w) {
#if defined(TRANSPIRE_ISA_BASELINE)
    std::uint64_t v = m[w];  // no popcnt instruction: adds pairs, nibbles, bytes
    v -= v >> 1 & 0x5555555555555555ull;
    v = (v & 0x3333333333333333ull) + (v >> 2 & 0x3333333333333333ull);
    v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0full;
    lanes += v * 0x0101010101010101ull >> 56;
#else
    lanes += static_cast<std::uint64_t>(__builtin_popcountll(m[w]));
#endif
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

template <class T>
TRANSPIRE_INLINE const Vector<T>& vector_at(const T* p) {
  return *reinterpret_cast<const Vector<T>*>(p);
}

/// out[i] = in[i] for lanes of the mask, `other` for the rest. Rows are aligned.
template <class T>
TRANSPIRE_INLINE void keep_active(T* out, const T* in, const std::uint64_t* m, T other) {
  for (std::uint32_t i = 0; i < kLanes; i += kVectorLanes<T>) {
    *reinterpret_cast<Vector<T>*>(out + i) =
        blend<T>(lane_mask<T>(m[i / 64], i % 64), vector_at(in + i), splat(other));
  }
}

/// The lanes of a word of 64 whose value equals `value`.
template <class T>
TRANSPIRE_INLINE std::uint64_t equal_lanes(const T* row, T value) {
  return mask_word<sizeof(T)>([&](std::uint32_t lane) TRANSPIRE_INLINE_LAMBDA {
    return compare_vectors<Predicate::kEqual, T>(vector_at(row + lane), splat(value));
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

}  // namespace transpire::vm::exec::TRANSPIRE_ISA
