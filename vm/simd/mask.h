// Bit masks of lanes: one bit a lane in 64-bit words, lane 0 lowest. Makes words from the lane
// masks of vector comparisons and lane masks from words, in the instruction set's own mask form:
// mask registers (AVX-512), or vectors whose lanes are all ones or zero.
#pragma once

#include <utility>

#include "vm/simd/vector.h"

namespace transpire::vm::TRANSPIRE_ISA {

/// The words of a mask row. Unlike other rows these are only 8-byte aligned.
TRANSPIRE_INLINE std::uint64_t* mask_row(std::byte* r, std::uint32_t offset) {
  return reinterpret_cast<std::uint64_t*>(r + offset);
}

/// A scalar bool as a word: all lanes or none.
TRANSPIRE_INLINE std::uint64_t scalar_word(std::byte* r, std::uint32_t offset) {
  return 0 - (scalar<std::uint64_t>(r, offset) & 1);
}

#if defined(TRANSPIRE_ISA_AVX512)

/// The bits of a word from `lane` on as the mask of a vector of T.
template <class T>
TRANSPIRE_INLINE auto lane_mask(std::uint64_t word, std::uint32_t lane) {
  const std::uint64_t bits = word >> lane;
  if constexpr (sizeof(T) == 1)
    return static_cast<__mmask64>(bits);
  else if constexpr (sizeof(T) == 2)
    return static_cast<__mmask32>(bits);
  else if constexpr (sizeof(T) == 4)
    return static_cast<__mmask16>(bits);
  else
    return static_cast<__mmask8>(bits);
}

template <class T, class Mask>
TRANSPIRE_INLINE Vector<T> blend(Mask mask, Vector<T> yes, Vector<T> no) {
  static_assert(sizeof(Mask) * 8 == kVectorLanes<T>);
  const auto a = reinterpret_cast<__m512i>(no), b = reinterpret_cast<__m512i>(yes);
  if constexpr (sizeof(T) == 1)
    return reinterpret_cast<Vector<T>>(_mm512_mask_blend_epi8(mask, a, b));
  else if constexpr (sizeof(T) == 2)
    return reinterpret_cast<Vector<T>>(_mm512_mask_blend_epi16(mask, a, b));
  else if constexpr (sizeof(T) == 4)
    return reinterpret_cast<Vector<T>>(_mm512_mask_blend_epi32(mask, a, b));
  else
    return reinterpret_cast<Vector<T>>(_mm512_mask_blend_epi64(mask, a, b));
}

/// The word of 64 lanes, from get(lane): the mask of the vector that starts there. The parts are
/// joined in mask registers: storing them one by one would stall the next 64-bit load of the word.
template <std::size_t kBytes, class Get>
TRANSPIRE_INLINE std::uint64_t mask_word(Get get) {
  if constexpr (kBytes == 1) {
    return get(0);
  } else if constexpr (kBytes == 2) {
    return _mm512_kunpackd(get(32), get(0));
  } else if constexpr (kBytes == 4) {
    return _mm512_kunpackd(_mm512_kunpackw(get(48), get(32)), _mm512_kunpackw(get(16), get(0)));
  } else {
    const auto pair = [&](int lane) TRANSPIRE_INLINE_LAMBDA {
      return _mm512_kunpackb(get(lane + 8), get(lane));
    };
    return _mm512_kunpackd(_mm512_kunpackw(pair(48), pair(32)), _mm512_kunpackw(pair(16), pair(0)));
  }
}

#else

template <class T>
TRANSPIRE_INLINE Vector<Signed<T>> lane_mask(std::uint64_t word, std::uint32_t lane) {
  using U = Bits<T>;
  const auto mask = [&]<std::size_t... kLane>(std::index_sequence<kLane...>)
      TRANSPIRE_INLINE_LAMBDA {
    Vector<U> spread, bit{static_cast<U>(U{1} << kLane % kWidth<U>)...};
    if constexpr (sizeof(T) == 1) {  // byte i / 8 to lane i, within 128 bits
      const auto part =
          reinterpret_cast<Vector<U>>(splat(static_cast<std::uint32_t>(word >> lane)));
      constexpr Vector<U> kByte = {static_cast<U>(kLane / 16 * 16 + kLane / 8)...};
      spread = __builtin_shuffle(part, kByte);
    } else {  // the same part of the word serves several vectors, each of which picks other bits
      spread = splat(static_cast<U>(word >> lane / kWidth<U> * kWidth<U>));
      bit = bit << static_cast<int>(lane % kWidth<U>);
    }
    return (spread & bit) == bit;
  };
  return mask(std::make_index_sequence<kVectorLanes<T>>{});
}

template <class T>
TRANSPIRE_INLINE Vector<T> blend(Vector<Signed<T>> mask, Vector<T> yes, Vector<T> no) {
  return mask ? yes : no;
}

#if defined(TRANSPIRE_ISA_AVX2)

/// One byte a lane, for 32 lanes, in order. Packing works within 128 bits, so its halves
/// interleave.
template <std::size_t kBytes, class Get>
TRANSPIRE_INLINE __m256i mask_bytes(Get get) {
  const auto words = [](__m256i a, __m256i b, __m256i c, __m256i d) TRANSPIRE_INLINE_LAMBDA {
    return _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
  };
  if constexpr (kBytes == 1) {
    return get(0);
  } else if constexpr (kBytes == 2) {
    return _mm256_permute4x64_epi64(_mm256_packs_epi16(get(0), get(16)), 0xd8);
  } else if constexpr (kBytes == 4) {
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    return _mm256_permutevar8x32_epi32(words(get(0), get(8), get(16), get(24)), order);
  } else {
    const auto pair = [&](int lane) TRANSPIRE_INLINE_LAMBDA {
      return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(get(lane)),
                                                   _mm256_castsi256_ps(get(lane + 4)), 0x88));
    };
    const __m256i order = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
    const __m256i bytes = words(pair(0), pair(8), pair(16), pair(24));
    return _mm256_shuffle_epi8(_mm256_permute4x64_epi64(bytes, 0xd8), order);
  }
}

template <std::size_t kBytes, class Get>
TRANSPIRE_INLINE std::uint64_t mask_word(Get get) {
  const auto bits = [&](int first) TRANSPIRE_INLINE_LAMBDA {
    const auto part = [&](int lane) TRANSPIRE_INLINE_LAMBDA {
      return reinterpret_cast<__m256i>(get(first + lane));
    };
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(mask_bytes<kBytes>(part)));
  };
  return bits(0) | static_cast<std::uint64_t>(bits(32)) << 32;
}

#else

/// One byte a lane, for 16 lanes.
template <std::size_t kBytes, class Get>
TRANSPIRE_INLINE __m128i mask_bytes(Get get) {
  const auto words = [](__m128i a, __m128i b, __m128i c, __m128i d) TRANSPIRE_INLINE_LAMBDA {
    return _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
  };
  if constexpr (kBytes == 1) {
    return get(0);
  } else if constexpr (kBytes == 2) {
    return _mm_packs_epi16(get(0), get(8));
  } else if constexpr (kBytes == 4) {
    return words(get(0), get(4), get(8), get(12));
  } else {
    const auto pair = [&](int lane) TRANSPIRE_INLINE_LAMBDA {
      return _mm_castps_si128(
          _mm_shuffle_ps(_mm_castsi128_ps(get(lane)), _mm_castsi128_ps(get(lane + 2)), 0x88));
    };
    return words(pair(0), pair(4), pair(8), pair(12));
  }
}

template <std::size_t kBytes, class Get>
TRANSPIRE_INLINE std::uint64_t mask_word(Get get) {
  const auto bits = [&](int first) TRANSPIRE_INLINE_LAMBDA {
    const auto part = [&](int lane) TRANSPIRE_INLINE_LAMBDA {
      return reinterpret_cast<__m128i>(get(first + lane));
    };
    return static_cast<std::uint64_t>(_mm_movemask_epi8(mask_bytes<kBytes>(part)));
  };
  return bits(0) | bits(16) << 16 | bits(32) << 32 | bits(48) << 48;
}

#endif
#endif

}  // namespace transpire::vm::TRANSPIRE_ISA
