// Copies between rows and memory that all lanes see alike, after every check has been made: one
// block, a stride apart, or gathered and scattered in chunks.
#pragma once

#include "vm/exec/lane_addresses.h"
#include "vm/exec/tuple_copies.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

constexpr std::uint32_t kChunk = 16;

/// kCount elements that are consecutive in memory, as vectors: where g++ takes a memcpy to be seldom met, it
/// makes a `rep movs`, whose start costs as much as twenty vectors.
template <class T, std::uint32_t kCount>
TRANSPIRE_INLINE void copy_elements(void* to, const void* from) {
  constexpr std::size_t kBytes = kCount * sizeof(T);
  constexpr std::size_t kPart = kBytes < kVectorBytes ? kBytes : kVectorBytes;
  typedef T Unaligned __attribute__((vector_size(kPart), may_alias, aligned(1)));
#pragma GCC unroll 8
  for (std::uint32_t i = 0; i < kBytes / kPart; ++i)
    static_cast<Unaligned*>(to)[i] = static_cast<const Unaligned*>(from)[i];
}

/// A row that is consecutive in memory, whole.
template <class T>
TRANSPIRE_INLINE void copy_row(void* to, const void* from) {
  copy_elements<T, kLanes>(to, from);
}

/// True if the chunk's offsets are kStep apart. In vectors by hand: g++ unrolls the loop into
/// scalars.
template <std::uint32_t kStep>
TRANSPIRE_INLINE bool is_ramp(const std::uint32_t* from) {
  constexpr std::uint32_t kPart = kVectorLanes<std::uint32_t>;
  Vector<std::uint32_t> other(0);
  for (std::uint32_t i = 0; i < kChunk; i += kPart)
    other |= load(from + i) ^ (splat(from[0] + i * kStep) + steps<std::uint32_t, kStep>());
  return is_zero(other);
}

template <class T>
TRANSPIRE_INLINE void gather(const std::byte* host, const std::uint32_t* offset, T* out) {
  for (std::uint32_t c = 0; c < kLanes; c += kChunk) {
    const std::uint32_t* from = offset + c;
    // Tiles make chunks of consecutive elements, or of one element for all.
    const std::uint32_t step = from[1] - from[0];
    if (step == sizeof(T) && is_ramp<sizeof(T)>(from)) {
      copy_elements<T, kChunk>(out + c, host + from[0]);
      continue;
    }
    if (step == 0 && is_ramp<0>(from)) {
      T value;
      __builtin_memcpy(&value, host + from[0], sizeof(T));
      for (std::uint32_t i = 0; i < kChunk; ++i) out[c + i] = value;
      continue;
    }
    for (std::uint32_t i = 0; i < kChunk; ++i)
      __builtin_memcpy(out + c + i, host + from[i], sizeof(T));
  }
}

/// In lane order: of lanes with one address, the last one's value stays.
template <class T>
TRANSPIRE_INLINE void scatter(std::byte* host, const std::uint32_t* offset, const T* in) {
  for (std::uint32_t c = 0; c < kLanes; c += kChunk) {
    const std::uint32_t* to = offset + c;
    if (is_ramp<sizeof(T)>(to)) {
      copy_elements<T, kChunk>(host + to[0], in + c);
      continue;
    }
    for (std::uint32_t i = 0; i < kChunk; ++i)
      __builtin_memcpy(host + to[i], in + c + i, sizeof(T));
  }
}

/// The first and the last kBytes of `bytes`, which are at most twice as many; of fewer than kBytes the
/// halves of that.
template <std::size_t kBytes>
TRANSPIRE_INLINE void copy_ends(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes >= kBytes) {
    constexpr std::size_t kPart = kBytes < kVectorBytes ? kBytes : kVectorBytes;
    typedef std::uint8_t Part __attribute__((vector_size(kPart), may_alias, aligned(1)));
    const auto load = [from](std::size_t at) TRANSPIRE_INLINE_LAMBDA {
      return *reinterpret_cast<const Part*>(from + at);
    };
    Part first[kBytes / kPart], last[kBytes / kPart];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kBytes / kPart; ++i) first[i] = load(i * kPart);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kBytes / kPart; ++i) last[i] = load(bytes - kBytes + i * kPart);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kBytes / kPart; ++i)
      *reinterpret_cast<Part*>(to + i * kPart) = first[i];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kBytes / kPart; ++i)
      *reinterpret_cast<Part*>(to + bytes - kBytes + i * kPart) = last[i];
  } else if constexpr (kBytes > 1) {
    copy_ends<kBytes / 2>(to, from, bytes);
  }
}

/// `count` elements of a row, often not all. In place: a call of memcpy takes as long as the copy. And in two
/// overlapping pieces: the end of a loop over vectors cannot be foreseen, and costs as much again.
template <class T>
TRANSPIRE_INLINE void copy_part(void* to, const void* from, std::uint32_t count) {
  copy_ends<kLanes * sizeof(T) / 2>(static_cast<std::byte*>(to),
                                    static_cast<const std::byte*>(from), count * sizeof(T));
}

/// One component, a stride apart.
template <class T>
TRANSPIRE_INLINE void load_strided(const std::byte* host, std::int64_t stride, std::uint32_t count,
                                   T* out) {
  for (std::uint32_t i = 0; i < count; ++i)
    __builtin_memcpy(out + i, host + stride * static_cast<std::int64_t>(i), sizeof(T));
}

/// Up to this multiple of the wanted components, shuffles of whole tuples are faster than single
/// elements.
constexpr std::uint32_t kMaxSkipped = kIsaBits / 64;

/// The elements that neighbouring lanes' addresses are apart when that is at least the components.
template <class T>
TRANSPIRE_INLINE std::uint32_t tuple_of(const Lanes& lanes, const Access& access) {
  if (lanes.stride < static_cast<std::int64_t>(access.components * sizeof(T))) return 0;
  if (lanes.stride % sizeof(T) != 0 || lanes.stride > static_cast<std::int64_t>(16 * sizeof(T)))
    return 0;
  return static_cast<std::uint32_t>(lanes.stride) / sizeof(T);
}

/// Calls f.operator()<n>() for the number of components, if there is special code for tuples of
/// that size.
template <class F>
TRANSPIRE_INLINE bool with_tuple(std::uint32_t components, F f) {
  switch (components) {
    case 2:
      return f.template operator()<2>(), true;
    case 3:
      return f.template operator()<3>(), true;
    case 4:
      return f.template operator()<4>(), true;
    case 8:
      return f.template operator()<8>(), true;
    case 16:
      return f.template operator()<16>(), true;
    default:
      return false;
  }
}

template <class T>
__attribute__((noinline)) void load_any_stride(const std::byte* host, const Lanes& lanes,
                                               const Access& access, T* const* out) {
  const std::uint32_t first = lanes.first, count = lanes.last - lanes.first + 1;
  const std::uint32_t n = access.components;
  if (lanes.stride == sizeof(T)) {
    for (std::uint32_t c = 0; c < n; ++c, host += sizeof(T)) {
      if (count == kLanes) {
        copy_row<T>(out[c], host);
      } else {
        copy_part<T>(out[c] + first, host, count);
      }
    }
    return;
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
  const std::uint32_t tuple = tuple_of<T>(lanes, access);
  const bool shuffled = with_tuple(n * kMaxSkipped >= tuple ? tuple : 0,
                                   [&]<std::uint32_t kTuple>() TRANSPIRE_INLINE_LAMBDA {
                                     Tuples<T, kTuple>::load(host, first, count, n, out);
                                   });
  if (shuffled) return;
  constexpr std::int64_t kBackwards = -static_cast<std::int64_t>(sizeof(T));
  for (std::uint32_t c = 0; c < n; ++c, host += sizeof(T)) {
    if (lanes.stride == kBackwards) {
      load_strided(host, kBackwards, count, out[c] + first);
    } else {
      load_strided(host, lanes.stride, count, out[c] + first);
    }
  }
}

template <class T>
TRANSPIRE_INLINE bool is_row(const Lanes& lanes, const Access& access) {
  return lanes.stride == sizeof(T) && access.components == 1 &&
         lanes.last - lanes.first == kLanes - 1;
}

/// `host` is the first running lane's.
template <class T>
TRANSPIRE_INLINE void load_affine(const std::byte* host, const Lanes& lanes, const Access& access,
                                  T* const* out) {
  if (is_row<T>(lanes, access)) return copy_row<T>(out[0], host);
  load_any_stride(host, lanes, access, out);
}

/// All lanes from the first to the last run.
template <class T>
TRANSPIRE_INLINE bool store_tuples(std::byte* host, const Lanes& lanes, const Access& access,
                                   const T* const* in) {
  const std::uint32_t first = lanes.first, count = lanes.last - lanes.first + 1;
  const std::uint32_t tuple = tuple_of<T>(lanes, access);
  if (tuple != access.components) return false;
  if (tuple == 1) {
    copy_part<T>(host, in[0] + first, count);
    return true;
  }
  return with_tuple(tuple, [&]<std::uint32_t kTuple>() TRANSPIRE_INLINE_LAMBDA {
    Tuples<T, kTuple>::store(host, first, count, in);
  });
}

template <class T>
__attribute__((noinline)) void store_any_stride(std::byte* host, const Lanes& lanes,
                                                const Access& access, const Batch* batch,
                                                const T* const* in) {
  const std::uint32_t n = access.components;
  const auto put = [&](std::uint32_t i) TRANSPIRE_INLINE_LAMBDA {
    std::byte* to = host + lanes.stride * (static_cast<std::int64_t>(i) - lanes.first);
    for (std::uint32_t c = 0; c < n; ++c)
      __builtin_memcpy(to + c * sizeof(T), in[c] + i, sizeof(T));
  };
  if (mask_count(batch->mask) != lanes.last - lanes.first + 1)
    return for_each_lane(batch->mask, put);
  if (store_tuples(host, lanes, access, in)) return;
  if (n == 1) {
    const T* source = in[0];
    if (lanes.stride == sizeof(T)) {  // the last batch of a group that does not fill it
      copy_part<T>(host, source + lanes.first, lanes.last - lanes.first + 1);
      return;
    }
    for (std::uint32_t i = lanes.first; i <= lanes.last; ++i)
      __builtin_memcpy(host + lanes.stride * (static_cast<std::int64_t>(i) - lanes.first),
                       source + i, sizeof(T));
    return;
  }
  for (std::uint32_t i = lanes.first; i <= lanes.last; ++i) put(i);
}

template <class T>
TRANSPIRE_INLINE void store_affine(std::byte* host, const Lanes& lanes, const Access& access,
                                   const Batch* batch, const T* const* in) {
  if (is_row<T>(lanes, access) && mask_full(batch->mask)) return copy_row<T>(host, in[0]);
  store_any_stride(host, lanes, access, batch, in);
}

}  // namespace
}  // namespace transpire::vm::TRANSPIRE_ISA
