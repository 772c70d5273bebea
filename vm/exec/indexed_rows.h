// Accesses with a row of indices: base + index * scale. The allocation of the base determines the
// valid indices, and one vector comparison checks those of all running lanes. Then lanes are copied
// straight from their indices. If that is not possible (an index is out of bounds, the base points
// elsewhere, memory differs by lane), the functions for whole accesses, at the end, return false
// without any effect.
#pragma once

#include "vm/exec/private_copies.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

/// Good indices of an access: `least`, and `count` more.
template <class I>
struct IndexWindow {
  const Allocation* allocation = nullptr;  ///< null: none is known to be good
  std::uint64_t within = 0;                ///< bytes from the allocation's begin to index 0
  I least = 0;
  I more = 0;
};

/// Quotients rounded down.
TRANSPIRE_INLINE std::int64_t quotient(std::int64_t value, std::int64_t divisor) {
  if ((divisor & (divisor - 1)) == 0)
    return value >> __builtin_ctzll(static_cast<std::uint64_t>(divisor));
  const std::int64_t q = value / divisor;
  return q * divisor > value ? q - 1 : q;
}

/// `origin` is the base without the access's constant offset, which may lead out of the allocation.
template <bool kWrite, class I>
TRANSPIRE_INLINE IndexWindow<I> index_window(const Batch* batch, const Access& access,
                                             std::uint64_t origin) {
  const Allocation* const a = &memory::in_slot(*batch->memory, origin);
  if (access.scale <= 0 || !permits<kWrite>(*a, access)) return {};
  if (!memory::has_room(*a, access.bytes)) return {};
  // Modulo 2^64, like addresses: the offset may be any number.
  const std::uint64_t within = origin - a->begin + static_cast<std::uint64_t>(access.offset);
  const std::uint64_t last = memory::last_offset(*a, access.bytes);
  std::int64_t low = static_cast<std::int64_t>(
      -static_cast<std::uint64_t>(quotient(static_cast<std::int64_t>(within), access.scale)));
  std::int64_t high = quotient(static_cast<std::int64_t>(last - within), access.scale);
  constexpr std::int64_t kHalf = std::int64_t{1} << 31;
  if constexpr (sizeof(I) == 4) {
    // Without the highest index of all, a run of good ones cannot wrap.
    const std::int64_t lowest = access.zero_extend ? 0 : -kHalf;
    low = low < lowest ? lowest : low;
    high = high > lowest + 0xfffffffell ? lowest + 0xfffffffell : high;
  }
  if (high < low) return {};
  return {a, within, static_cast<I>(low),
          static_cast<I>(static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low))};
}

/// True if the indices of all running lanes are valid.
template <class I>
TRANSPIRE_INLINE bool all_inside(const IndexWindow<I>& window, const std::uint64_t* mask,
                                 const I* index) {
  std::uint64_t outside = 0;
  const Vector<I> least = splat(window.least), more = splat(window.more);
  for (std::uint32_t w = 0; w < kMaskWords; ++w) {
    outside |= mask[w] & mask_word<I>([&](std::uint32_t lane) TRANSPIRE_INLINE_LAMBDA {
                 return compare_vectors<Predicate::kUnsignedLess, I>(
                     more, load(index + w * 64 + lane) - least);
               });
  }
  return outside == 0;
}

/// From an index that is good to its byte offset. A copy for loops, which stores cannot change.
template <class I, bool kSigned>
struct Scaling {
  static constexpr bool kIsSigned = kSigned && sizeof(I) == 4;
  std::uint64_t scale;
  TRANSPIRE_INLINE std::uint64_t operator()(I index) const {
    return static_cast<std::uint64_t>(extend(index, !kSigned)) * scale;
  }
};

/// Calls `f(scaling)`. Valid indices from zero up need no sign.
template <class I, class F>
TRANSPIRE_INLINE void with_scaling(const Access& access, const IndexWindow<I>& window, F f) {
  const auto scale = static_cast<std::uint64_t>(access.scale);
  constexpr bool kWide = sizeof(I) == 8;
  if (kWide || access.zero_extend || static_cast<std::int32_t>(window.least) >= 0)
    return f(Scaling<I, kWide>{scale});
  f(Scaling<I, true>{scale});
}

/// Up to this number of running lanes, a walk over them is faster than work on whole rows.
constexpr std::uint32_t kFewLanes = kLanes / 3;

// ---- Memory that all lanes see alike ------------------------------------------------------------

/// True if the chunk's indices are kStep apart.
template <std::uint32_t kStep, class I>
TRANSPIRE_INLINE bool is_index_ramp(const I* index) {
  if constexpr (sizeof(I) == 4) {
    return is_ramp<kStep>(index);
  } else {
    std::uint64_t other = 0;
    for (std::uint32_t i = 0; i < kChunk; ++i) other |= index[i] ^ (index[0] + i * kStep);
    return other == 0;
  }
}

/// One component of all lanes; the indices of lanes that do not run are good as well.
template <class T, class I, class S>
TRANSPIRE_INLINE void gather_indexed(const std::byte* host, S bytes_to, const I* index, T* out) {
  const bool dense = bytes_to.scale == sizeof(T);
  const Scaling<I, false> elements{sizeof(T)};
  for (std::uint32_t c = 0; c < kLanes; c += kChunk) {
    const I* from = index + c;
    T* to = out + c;
    const I step = from[1] - from[0];
    if (step == 1 && dense && is_index_ramp<1>(from)) {
      copy_elements<T, kChunk>(to, host + bytes_to(from[0]));
    } else if (step == 0 && is_index_ramp<0>(from)) {
      T value;
      __builtin_memcpy(&value, host + bytes_to(from[0]), sizeof(T));
      for (std::uint32_t i = 0; i < kChunk; ++i) to[i] = value;
    } else if (dense && !S::kIsSigned) {
#pragma GCC unroll 16
      for (std::uint32_t i = 0; i < kChunk; ++i)
        __builtin_memcpy(to + i, host + elements(from[i]), sizeof(T));
    } else {
#pragma GCC unroll 16
      for (std::uint32_t i = 0; i < kChunk; ++i)
        __builtin_memcpy(to + i, host + bytes_to(from[i]), sizeof(T));
    }
  }
}

/// One component in few lanes.
template <class T, class I, class S>
TRANSPIRE_INLINE void gather_few(Batch* batch, const std::byte* host, S bytes_to, const I* index,
                                 T* out) {
  each_listed(
      batch,
      [&](std::uint32_t i) TRANSPIRE_INLINE_LAMBDA {
        T value;
        __builtin_memcpy(&value, host + bytes_to(index[i]), sizeof(T));
        return value;
      },
      [&](std::uint32_t i, T value) TRANSPIRE_INLINE_LAMBDA { out[i] = value; });
}

/// Loads that need a row of indices of their own: with idle lanes in between, or several
/// components, of which one may take the place of the index row.
template <class T, class I, class S>
__attribute__((noinline)) void load_plain_aside(Batch* batch, std::uint32_t components,
                                                const std::byte* host, I least, S bytes_to,
                                                const I* index, T* const* out) {
  alignas(64) I own[kLanes];
  const bool few = mask_count(batch->mask) <= kFewLanes;
  if (few || mask_full(batch->mask))
    __builtin_memcpy(own, index, sizeof(own));
  else
    keep_active(own, index, batch->mask, least);
  for (std::uint32_t c = 0; c < components; ++c, host += sizeof(T)) {
    if (few)
      gather_few(batch, host, bytes_to, static_cast<const I*>(own), out[c]);
    else
      gather_indexed(host, bytes_to, static_cast<const I*>(own), out[c]);
  }
}

template <class T, class I, class S>
TRANSPIRE_INLINE void load_plain_indexed(Batch* batch, std::uint32_t components,
                                         const std::byte* host, I least, S bytes_to, const I* index,
                                         T* const* out) {
  if (components == 1) {
    if (mask_full(batch->mask)) return gather_indexed(host, bytes_to, index, out[0]);
    if (mask_count(batch->mask) <= kFewLanes)
      return gather_few(batch, host, bytes_to, index, out[0]);
  }
  load_plain_aside(batch, components, host, least, bytes_to, index, out);
}

/// One component of all lanes, in lane order.
template <class T, class I, class S>
TRANSPIRE_INLINE void scatter_indexed(std::byte* host, S bytes_to, const I* index, const T* in) {
  const bool dense = bytes_to.scale == sizeof(T);
  const Scaling<I, false> elements{sizeof(T)};
  for (std::uint32_t c = 0; c < kLanes; c += kChunk) {
    const I* to = index + c;
    const T* from = in + c;
    if (dense && to[1] - to[0] == 1 && is_index_ramp<1>(to)) {
      copy_elements<T, kChunk>(host + bytes_to(to[0]), from);
    } else if (dense && !S::kIsSigned) {
#pragma GCC unroll 16
      for (std::uint32_t i = 0; i < kChunk; ++i)
        __builtin_memcpy(host + elements(to[i]), from + i, sizeof(T));
    } else {
#pragma GCC unroll 4
      for (std::uint32_t i = 0; i < kChunk; ++i)
        __builtin_memcpy(host + bytes_to(to[i]), from + i, sizeof(T));
    }
  }
}

/// In lane order: of lanes with one address, the last one's value stays.
template <class T, class I, class S>
TRANSPIRE_INLINE void store_plain_indexed(const Batch* batch, std::uint32_t components,
                                          std::byte* host, S bytes_to, const I* index,
                                          const T* const* in) {
  if (mask_full(batch->mask) && components == 1)
    return scatter_indexed(host, bytes_to, index, in[0]);
  if constexpr (sizeof(T) <= 4) {
    if (components == 2) {
      using Pair = Twice<T>;
      const T *low = in[0], *high = in[1];
      each_running(batch->mask, [&](std::uint32_t i) TRANSPIRE_INLINE_LAMBDA {
        const auto pair = static_cast<Pair>(static_cast<Pair>(high[i]) << (8 * sizeof(T)) | low[i]);
        __builtin_memcpy(host + bytes_to(index[i]), &pair, sizeof(pair));
      });
      return;
    }
  }
  each_running(batch->mask, [&](std::uint32_t i) TRANSPIRE_INLINE_LAMBDA {
    std::byte* to = host + bytes_to(index[i]);
    for (std::uint32_t c = 0; c < components; ++c, to += sizeof(T))
      __builtin_memcpy(to, in[c] + i, sizeof(T));
  });
}

// ---- Private arrays -----------------------------------------------------------------------------

/// True if words can be split: see private_shape.
template <class T, class I>
TRANSPIRE_INLINE bool private_window(const Batch* batch, const Access& access,
                                     const IndexWindow<I>& window) {
  const Allocation* a = window.allocation;
  const std::uint64_t bits =
      (a->offset & 3) | window.within | static_cast<std::uint64_t>(access.scale);
  return private_alive(batch, a) && (bits & private_align_mask<T>(access)) == 0;
}

template <class T, class I, class S>
TRANSPIRE_INLINE void load_private_component(Batch* batch, std::uint64_t start, S bytes_to,
                                             const I* index, T* out) {
  const PrivateMemory memory(batch);
  each_listed(
      batch,
      [&](std::uint32_t i) TRANSPIRE_INLINE_LAMBDA {
        return private_read<T>(memory, start + bytes_to(index[i]), i);
      },
      [&](std::uint32_t i, T value) TRANSPIRE_INLINE_LAMBDA { out[i] = value; });
}

/// Several components, of which one may take the place of the index row.
template <class T, class I, class S>
__attribute__((noinline)) void load_private_aside(Batch* batch, std::uint32_t components,
                                                  std::uint64_t start, S bytes_to, const I* index,
                                                  T* const* out) {
  alignas(64) I own[kLanes];
  __builtin_memcpy(own, index, sizeof(own));
  for (std::uint32_t c = 0; c < components; ++c, start += sizeof(T))
    load_private_component(batch, start, bytes_to, static_cast<const I*>(own), out[c]);
}

template <class T, class I, class S>
TRANSPIRE_INLINE void load_private_indexed(Batch* batch, std::uint32_t components,
                                           std::uint64_t start, S bytes_to, const I* index,
                                           T* const* out) {
  if (components == 1) return load_private_component(batch, start, bytes_to, index, out[0]);
  load_private_aside(batch, components, start, bytes_to, index, out);
}

template <class T, class I, class S>
TRANSPIRE_INLINE void store_private_indexed(Batch* batch, std::uint32_t components,
                                            std::uint64_t start, S bytes_to, const I* index,
                                            const T* const* in) {
  const PrivateMemory memory(batch);
  for (std::uint32_t c = 0; c < components; ++c, start += sizeof(T)) {
    const T* source = in[c];
    each_listed(
        batch, [&](std::uint32_t i) TRANSPIRE_INLINE_LAMBDA { return bytes_to(index[i]); },
        [&](std::uint32_t i, std::uint64_t offset)
            TRANSPIRE_INLINE_LAMBDA { private_write<T>(memory, start + offset, i, source[i]); });
  }
}

// ---- The whole access ---------------------------------------------------------------------------

template <class T, class I>
TRANSPIRE_INLINE bool load_plain_row(Batch* batch, const Access& access, std::uint64_t origin,
                                     const I* index, T* const* out) {
  const IndexWindow<I> window = index_window<false, I>(batch, access, origin);
  const Allocation* a = window.allocation;
  if (a == nullptr || !is_plain(batch, a) || !all_inside(window, batch->mask, index)) return false;
  const std::uint64_t bits = a->begin | window.within | static_cast<std::uint64_t>(access.scale);
  if ((bits & access.align_mask) != 0) return false;
  const std::byte* host = host_of(batch, a) + window.within;
  with_scaling(access, window, [&](auto bytes_to) TRANSPIRE_INLINE_LAMBDA {
    load_plain_indexed(batch, access.components, host, window.least, bytes_to, index, out);
  });
  return true;
}

template <class T, class I>
TRANSPIRE_INLINE bool store_plain_row(const Batch* batch, const Access& access,
                                      std::uint64_t origin, const I* index, const T* const* in) {
  const IndexWindow<I> window = index_window<true, I>(batch, access, origin);
  const Allocation* a = window.allocation;
  if (a == nullptr || !is_plain(batch, a) || !all_inside(window, batch->mask, index)) return false;
  const std::uint64_t bits = a->begin | window.within | static_cast<std::uint64_t>(access.scale);
  if ((bits & access.align_mask) != 0) return false;
  std::byte* host = host_of(batch, a) + window.within;
  with_scaling(access, window, [&](auto bytes_to) TRANSPIRE_INLINE_LAMBDA {
    store_plain_indexed(batch, access.components, host, bytes_to, index, in);
  });
  return true;
}

template <class T, class I>
TRANSPIRE_INLINE bool load_private_array(Batch* batch, const Access& access, std::uint64_t origin,
                                         const I* index, T* const* out) {
  const IndexWindow<I> window = index_window<false, I>(batch, access, origin);
  const Allocation* a = window.allocation;
  if (a == nullptr || a->region != Region::kPrivate || !all_inside(window, batch->mask, index))
    return false;
  if (!private_window<T>(batch, access, window)) return false;
  with_scaling(access, window, [&](auto bytes_to) TRANSPIRE_INLINE_LAMBDA {
    load_private_indexed(batch, access.components, window.within + a->offset, bytes_to, index, out);
  });
  return true;
}

template <class T, class I>
TRANSPIRE_INLINE bool store_private_array(Batch* batch, const Access& access, std::uint64_t origin,
                                          const I* index, const T* const* in) {
  const IndexWindow<I> window = index_window<true, I>(batch, access, origin);
  const Allocation* a = window.allocation;
  if (a == nullptr || a->region != Region::kPrivate || !all_inside(window, batch->mask, index))
    return false;
  if (!private_window<T>(batch, access, window)) return false;
  with_scaling(access, window, [&](auto bytes_to) TRANSPIRE_INLINE_LAMBDA {
    store_private_indexed(batch, access.components, window.within + a->offset, bytes_to, index, in);
  });
  return true;
}

}  // namespace
}  // namespace transpire::vm::TRANSPIRE_ISA
