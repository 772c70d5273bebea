// Copies between rows and memory that all lanes see alike, after every check has been made: one block,
// a stride apart, or gathered and scattered in chunks.
#pragma once

#include "vm/exec/lane_addresses.h"

namespace transpire::vm::exec::TRANSPIRE_ISA {
namespace {

constexpr std::uint32_t kChunk = 16;

/// Whether the chunk's offsets are kStep apart. In vectors by hand: g++ unrolls the loop into scalars.
template <std::uint32_t kStep>
TRANSPIRE_INLINE bool is_ramp(const std::uint32_t* from) {
  constexpr std::uint32_t kPart = kVectorLanes<std::uint32_t>;
  Vector<std::uint32_t> other{}, ramp{};
  for (std::uint32_t i = 0; i < kPart; ++i) ramp[i] = i * kStep;
  for (std::uint32_t i = 0; i < kChunk; i += kPart)
    other |= vector_at(from + i) ^ (splat(from[0] + i * kStep) + ramp);
#if defined(TRANSPIRE_ISA_AVX512)
  const auto bits = reinterpret_cast<__m512i>(other);
  return _mm512_test_epi32_mask(bits, bits) == 0;
#elif defined(TRANSPIRE_ISA_AVX2)
  const auto bits = reinterpret_cast<__m256i>(other);
  return _mm256_testz_si256(bits, bits) != 0;
#else
  const auto bits = reinterpret_cast<__m128i>(other);
  return _mm_movemask_epi8(_mm_cmpeq_epi32(bits, _mm_setzero_si128())) == 0xffff;
#endif
}

template <class T>
TRANSPIRE_INLINE void gather(const std::byte* host, const std::uint32_t* offset, T* out) {
  for (std::uint32_t c = 0; c < kLanes; c += kChunk) {
    const std::uint32_t* from = offset + c;
    // Tiles make chunks of consecutive elements, or of one element for all.
    const std::uint32_t step = from[1] - from[0];
    if (step == sizeof(T) && is_ramp<sizeof(T)>(from)) {
      __builtin_memcpy(out + c, host + from[0], kChunk * sizeof(T));
      continue;
    }
    if (step == 0 && is_ramp<0>(from)) {
      T value;
      __builtin_memcpy(&value, host + from[0], sizeof(T));
      for (std::uint32_t i = 0; i < kChunk; ++i) out[c + i] = value;
      continue;
    }
    for (std::uint32_t i = 0; i < kChunk; ++i) __builtin_memcpy(out + c + i, host + from[i], sizeof(T));
  }
}

/// In lane order, so that of lanes with one address the last one's value stays.
template <class T>
TRANSPIRE_INLINE void scatter(std::byte* host, const std::uint32_t* offset, const T* in) {
  for (std::uint32_t c = 0; c < kLanes; c += kChunk) {
    const std::uint32_t* to = offset + c;
    if (is_ramp<sizeof(T)>(to)) {
      __builtin_memcpy(host + to[0], in + c, kChunk * sizeof(T));
      continue;
    }
    for (std::uint32_t i = 0; i < kChunk; ++i) __builtin_memcpy(host + to[i], in + c + i, sizeof(T));
  }
}

/// Two components at each offset, as one word.
template <class T>
TRANSPIRE_INLINE void scatter_pairs(std::byte* host, const std::uint32_t* offset, const T* low,
                                    const T* high) {
  using Pair = Twice<T>;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const auto pair = static_cast<Pair>(static_cast<Pair>(high[i]) << (8 * sizeof(T)) | low[i]);
    __builtin_memcpy(host + offset[i], &pair, sizeof(pair));
  }
}

/// Consecutive arrays of N components, taken apart.
template <class T, std::uint32_t N>
TRANSPIRE_INLINE void split(const std::byte* host, std::uint32_t first, std::uint32_t count,
                            T* const* out) {
  struct Tuple {
    T c[N];
  };
  for (std::uint32_t n = 0; n < N; ++n) {
    T* __restrict target = out[n] + first;
    for (std::uint32_t i = 0; i < count; ++i)
      __builtin_memcpy(target + i, host + i * sizeof(Tuple) + n * sizeof(T), sizeof(T));
  }
}

/// `host` is the first running lane's.
template <class T>
void load_affine(const std::byte* host, const Lanes& lanes, const Access& access, T* const* out) {
  const std::uint32_t first = lanes.first, count = lanes.last - lanes.first + 1;
  const std::uint32_t n = access.components;
  if (lanes.stride == static_cast<std::int64_t>(n * sizeof(T))) {
    if (n == 1) {
      if (count == kLanes) {
        __builtin_memcpy(out[0], host, kLanes * sizeof(T));
      } else {
        __builtin_memcpy(out[0] + first, host, count * sizeof(T));
      }
      return;
    }
    if (n == 2) return split<T, 2>(host, first, count, out);
    if (n == 4) return split<T, 4>(host, first, count, out);
  }
  if (lanes.stride == 0) {
    for (std::uint32_t c = 0; c < n; ++c) {
      T value;
      __builtin_memcpy(&value, host + c * sizeof(T), sizeof(T));
      T* target = out[c];
      for (std::uint32_t i = 0; i < kLanes; ++i) target[i] = value;
    }
    return;
  }
  for (std::uint32_t c = 0; c < n; ++c) {
    T* target = out[c] + first;
    const std::byte* from = host + c * sizeof(T);
    for (std::uint32_t i = 0; i < count; ++i)
      __builtin_memcpy(target + i, from + lanes.stride * static_cast<std::int64_t>(i), sizeof(T));
  }
}

template <class T>
void store_affine(std::byte* host, const Lanes& lanes, const Access& access, const Batch* batch,
                  const T* const* in) {
  const std::uint32_t n = access.components;
  const bool whole = mask_count(batch->mask) == lanes.last - lanes.first + 1;
  if (whole && n == 1 && lanes.stride == static_cast<std::int64_t>(sizeof(T))) {
    const std::uint32_t count = lanes.last - lanes.first + 1;
    if (count == kLanes) {
      __builtin_memcpy(host, in[0], kLanes * sizeof(T));
    } else {
      __builtin_memcpy(host, in[0] + lanes.first, count * sizeof(T));
    }
    return;
  }
  if (whole && n == 4 && lanes.stride == static_cast<std::int64_t>(4 * sizeof(T))) {
    std::byte* to = host;
    for (std::uint32_t i = lanes.first; i <= lanes.last; ++i, to += 4 * sizeof(T)) {
      const T tuple[4] = {in[0][i], in[1][i], in[2][i], in[3][i]};
      __builtin_memcpy(to, tuple, sizeof(tuple));
    }
    return;
  }
  const auto put = [&](std::uint32_t i) TRANSPIRE_INLINE_LAMBDA {
    std::byte* to = host + lanes.stride * (static_cast<std::int64_t>(i) - lanes.first);
    for (std::uint32_t c = 0; c < n; ++c) __builtin_memcpy(to + c * sizeof(T), in[c] + i, sizeof(T));
  };
  if (!whole) return for_each_lane(batch->mask, put);
  if (n == 1) {
    const T* source = in[0];
    for (std::uint32_t i = lanes.first; i <= lanes.last; ++i)
      __builtin_memcpy(host + lanes.stride * (static_cast<std::int64_t>(i) - lanes.first), source + i,
                       sizeof(T));
    return;
  }
  for (std::uint32_t i = lanes.first; i <= lanes.last; ++i) put(i);
}

}  // namespace
}  // namespace transpire::vm::exec::TRANSPIRE_ISA
