// Lane masks in a handler: counting, walking, spreading them over bytes. In the instruction set's own
// namespace, like all handler code.
#pragma once

#include <type_traits>

#include "vm/simd/isa.h"

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

/// out[i] = in[i] for lanes of the mask, `other` for the rest.
template <class T>
TRANSPIRE_INLINE void keep_active(T* __restrict out, const T* __restrict in, const std::uint64_t* m,
                                  T other) {
#if defined(TRANSPIRE_ISA_AVX512)
  if constexpr (sizeof(T) == 4) {
    const __m512i fill = _mm512_set1_epi32(static_cast<int>(other));
    for (std::uint32_t i = 0; i < kLanes; i += 16) {
      const auto k = static_cast<__mmask16>(m[i / 64] >> (i % 64));
      _mm512_storeu_si512(out + i, _mm512_mask_loadu_epi32(fill, k, in + i));
    }
    return;
  } else if constexpr (sizeof(T) == 8) {
    const __m512i fill = _mm512_set1_epi64(static_cast<long long>(other));
    for (std::uint32_t i = 0; i < kLanes; i += 8) {
      const auto k = static_cast<__mmask8>(m[i / 64] >> (i % 64));
      _mm512_storeu_si512(out + i, _mm512_mask_loadu_epi64(fill, k, in + i));
    }
    return;
  }
#endif
  for (std::uint32_t i = 0; i < kLanes; ++i)
    out[i] = (m[i / 64] >> (i % 64) & 1) != 0 ? in[i] : other;
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
