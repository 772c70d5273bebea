// Copies between rows and memory that differs by lane: private memory, interleaved by 4-byte words, and
// the workgroup memory of batches that hold several groups. All checks have been made.
#pragma once

#include "vm/exec/plain_copies.h"

namespace transpire::vm::exec::TRANSPIRE_ISA {
namespace {

// ---- Private memory: interleaved by 4-byte words ----------------------------------------------

/// Byte offset in the batch's private memory of what a lane has at `offset` in its own. Accesses of 4
/// and 8 bytes are aligned to 4 here.
template <class T>
TRANSPIRE_INLINE std::uint64_t private_at(std::uint64_t offset, std::uint32_t lane) {
  if constexpr (sizeof(T) >= 4) return offset * kLanes + std::uint64_t{lane} * 4;
  return (offset & ~std::uint64_t{3}) * kLanes + std::uint64_t{lane} * 4 + (offset & 3);
}

template <class T>
TRANSPIRE_INLINE T private_read(const std::byte* memory, std::uint64_t offset, std::uint32_t lane) {
  const std::byte* from = memory + private_at<T>(offset, lane);
  if constexpr (sizeof(T) == 8) {
    std::uint32_t half[2];
    __builtin_memcpy(&half[0], from, 4);
    __builtin_memcpy(&half[1], from + kLanes * 4, 4);
    return static_cast<T>(std::uint64_t{half[1]} << 32 | half[0]);
  } else {
    T value;
    __builtin_memcpy(&value, from, sizeof(T));
    return value;
  }
}

template <class T>
TRANSPIRE_INLINE void private_write(std::byte* memory, std::uint64_t offset, std::uint32_t lane,
                                    T value) {
  std::byte* to = memory + private_at<T>(offset, lane);
  if constexpr (sizeof(T) == 8) {
    const std::uint32_t half[2] = {static_cast<std::uint32_t>(value),
                                   static_cast<std::uint32_t>(value >> 32)};
    __builtin_memcpy(to, &half[0], 4);
    __builtin_memcpy(to + kLanes * 4, &half[1], 4);
  } else {
    __builtin_memcpy(to, &value, sizeof(T));
  }
}

/// What must be zero of an address in private memory.
template <class T>
TRANSPIRE_INLINE std::uint64_t private_align_mask(const Access& access) {
  return access.align_mask | ((sizeof(T) == 8 ? 4 : sizeof(T)) - 1);
}

/// Words may only be split as private_read does when every access is aligned to its size (8: to 4).
template <class T>
TRANSPIRE_INLINE bool private_shape(const Lanes& lanes, const Access& access, const Allocation* a) {
  Access own = access;
  own.align_mask = static_cast<std::uint32_t>(private_align_mask<T>(access));
  return (a->offset & own.align_mask & 3) == 0 && aligned(lanes, own);
}

/// The words of all lanes at one offset, which is a multiple of 4, as a row.
TRANSPIRE_INLINE std::uint32_t* private_words(std::byte* memory, std::uint64_t offset) {
  return reinterpret_cast<std::uint32_t*>(__builtin_assume_aligned(memory + offset * kLanes, 64));
}

/// One offset in all lanes. All of them are loaded, running or not.
template <class T>
TRANSPIRE_INLINE void load_private_row(std::byte* memory, std::uint64_t offset, T* __restrict out) {
  const std::uint32_t* __restrict words = private_words(memory, offset & ~std::uint64_t{3});
  if constexpr (sizeof(T) == 8) {
    for (std::uint32_t i = 0; i < kLanes; ++i) out[i] = std::uint64_t{words[kLanes + i]} << 32 | words[i];
  } else {
    const std::uint32_t shift = (offset & 3) * 8;
    for (std::uint32_t i = 0; i < kLanes; ++i) out[i] = static_cast<T>(words[i] >> shift);
  }
}

/// One offset in the running lanes. Words of other lanes are written back as they are: nobody else
/// sees them.
template <class T>
TRANSPIRE_INLINE void store_private_row(std::byte* memory, std::uint64_t offset, const std::uint64_t* mask,
                                        const T* __restrict in) {
  using Word = Vector<std::uint32_t>;
  std::uint32_t* __restrict words = private_words(memory, offset & ~std::uint64_t{3});
  const std::uint32_t shift = (offset & 3) * 8;
  const std::uint32_t keep = sizeof(T) >= 4 ? 0 : ~(((1u << (sizeof(T) * 8 % 32)) - 1) << shift);
  alignas(64) std::uint32_t wide[kLanes];
  const auto put = [&](std::uint32_t* to) TRANSPIRE_INLINE_LAMBDA {
    for (std::uint32_t i = 0; i < kLanes; i += kVectorLanes<std::uint32_t>) {
      const Word old = vector_at(to + i);
      const Word value = (old & splat(keep)) | vector_at(static_cast<const std::uint32_t*>(wide) + i);
      *reinterpret_cast<Word*>(to + i) =
          blend<std::uint32_t>(lane_mask<std::uint32_t>(mask[i / 64], i % 64), value, old);
    }
  };
  for (std::uint32_t i = 0; i < kLanes; ++i) wide[i] = static_cast<std::uint32_t>(in[i]) << shift;
  put(words);
  if constexpr (sizeof(T) == 8) {
    for (std::uint32_t i = 0; i < kLanes; ++i) wide[i] = static_cast<std::uint32_t>(in[i] >> 32);
    put(words + kLanes);
  }
}

template <class T>
void load_private(const Batch* batch, const Lanes& lanes, const Access& access, const Allocation* a,
                  T* const* out) {
  const std::uint64_t start = a->offset - a->begin;
  for (std::uint32_t c = 0; c < access.components; ++c) {
    T* target = out[c];
    const std::uint64_t shift = start + c * sizeof(T);
    if (lanes.offset == nullptr && lanes.stride == 0) {
      load_private_row(batch->private_memory, lanes.base + shift, target);
    } else {
      for (std::uint32_t i = lanes.first; i <= lanes.last; ++i)
        target[i] = private_read<T>(batch->private_memory, address_of(lanes, i) + shift, i);
    }
  }
}

template <class T>
void store_private(const Batch* batch, const Lanes& lanes, const Access& access, const Allocation* a,
                   const T* const* in) {
  const std::uint64_t start = a->offset - a->begin;
  for (std::uint32_t c = 0; c < access.components; ++c) {
    const T* source = in[c];
    const std::uint64_t shift = start + c * sizeof(T);
    if (lanes.offset == nullptr && lanes.stride == 0) {
      store_private_row(batch->private_memory, lanes.base + shift, batch->mask, source);
    } else {
      for_each_lane(batch->mask, [&](std::uint32_t i) {
        private_write<T>(batch->private_memory, address_of(lanes, i) + shift, i, source[i]);
      });
    }
  }
}

// ---- Private arrays: an index row into a variable ----------------------------------------------------

template <class I>
TRANSPIRE_INLINE std::int64_t extend(I index, bool zero) {
  if constexpr (sizeof(I) == 8) return static_cast<std::int64_t>(index);
  return zero ? static_cast<std::int64_t>(index) : std::int64_t{static_cast<std::int32_t>(index)};
}

/// The lowest and highest index of the running lanes.
template <class I>
TRANSPIRE_INLINE void index_range(const std::uint64_t* mask, const I* index, bool zero, std::int64_t* low,
                                  std::int64_t* high) {
  using S = std::conditional_t<sizeof(I) == 4, std::int32_t, std::int64_t>;
  using V = Vector<S>;
  // Signed comparisons of unsigned values, moved down by half their range.
  const I flip = zero ? static_cast<I>(I{1} << (sizeof(I) * 8 - 1)) : 0;
  V least = splat(static_cast<S>(~I{0} >> 1)), most = ~least;
  for (std::uint32_t i = 0; i < kLanes; i += kVectorLanes<I>) {
    const auto running = lane_mask<I>(mask[i / 64], i % 64);
    const V v = reinterpret_cast<V>(vector_at(index + i) ^ splat(flip));
    const V small = blend<S>(running, v, least), large = blend<S>(running, v, most);
    least = small < least ? small : least;
    most = large > most ? large : most;
  }
  S l = least[0], h = most[0];
  for (std::uint32_t i = 1; i < kVectorLanes<I>; ++i) {
    l = least[i] < l ? least[i] : l;
    h = most[i] > h ? most[i] : h;
  }
  *low = extend(static_cast<I>(static_cast<I>(l) ^ flip), zero);
  *high = extend(static_cast<I>(static_cast<I>(h) ^ flip), zero);
}

/// for_each_lane, without looking for lanes when all run.
template <class F>
TRANSPIRE_INLINE void each_running(const std::uint64_t* mask, F f) {
  if (!mask_full(mask)) return for_each_lane(mask, f);
#pragma GCC unroll 8
  for (std::uint32_t i = 0; i < kLanes; ++i) f(i);
}

/// What all running lanes of an access to a private array have in common.
struct PrivateArray {
  std::uint64_t start = 0;  ///< of index 0, in a lane's own memory
  bool good = false;        ///< inside one living variable, words aligned
};

template <bool kWrite, class T, class I>
TRANSPIRE_INLINE PrivateArray private_array(const Batch* batch, const Access& access, std::uint64_t base,
                                            const I* index) {
  constexpr std::int64_t kFar = std::int64_t{1} << 32;
  std::int64_t low, high;
  index_range(batch->mask, index, access.zero_extend, &low, &high);
  if (access.scale < 0 || access.scale >= kFar || low < -kFar || high >= kFar) return {};
  const auto scale = static_cast<std::uint64_t>(access.scale);
  const Allocation* a = resolve<kWrite>(batch, access, base + static_cast<std::uint64_t>(low) * scale,
                                        base + static_cast<std::uint64_t>(high) * scale);
  if (a == nullptr || a->region != Region::kPrivate || !private_alive(batch, a)) return {};
  if (((base | scale) & private_align_mask<T>(access)) != 0) return {};
  const std::uint64_t start = base - a->begin + a->offset;
  return {start, (start & private_align_mask<T>(access) & 3) == 0};
}

template <class T, class I>
TRANSPIRE_INLINE bool load_private_array(const Batch* batch, const Access& access, std::uint64_t base,
                                         const I* index, T* const* out) {
  const PrivateArray array = private_array<false, T>(batch, access, base, index);
  if (!array.good) return false;
  // A result may take the place of the index row.
  alignas(64) I kept[kLanes];
  if (access.components > 1) {
    __builtin_memcpy(kept, index, sizeof(kept));
    index = kept;
  }
  const std::byte* memory = batch->private_memory;
  const bool zero = access.zero_extend;
  const auto scale = static_cast<std::uint64_t>(access.scale);
  for (std::uint32_t c = 0; c < access.components; ++c) {
    T* target = out[c];
    const std::uint64_t start = array.start + c * sizeof(T);
    each_running(batch->mask, [&](std::uint32_t i) TRANSPIRE_INLINE_LAMBDA {
      target[i] = private_read<T>(memory, start + static_cast<std::uint64_t>(extend(index[i], zero)) * scale, i);
    });
  }
  return true;
}

template <class T, class I>
TRANSPIRE_INLINE bool store_private_array(const Batch* batch, const Access& access, std::uint64_t base,
                                          const I* index, const T* const* in) {
  const PrivateArray array = private_array<true, T>(batch, access, base, index);
  if (!array.good) return false;
  std::byte* memory = batch->private_memory;
  const bool zero = access.zero_extend;
  const auto scale = static_cast<std::uint64_t>(access.scale);
  for (std::uint32_t c = 0; c < access.components; ++c) {
    const T* source = in[c];
    const std::uint64_t start = array.start + c * sizeof(T);
    each_running(batch->mask, [&](std::uint32_t i) TRANSPIRE_INLINE_LAMBDA {
      private_write<T>(memory, start + static_cast<std::uint64_t>(extend(index[i], zero)) * scale, i, source[i]);
    });
  }
  return true;
}

// ---- Workgroup memory of packed batches: each lane's group has its own ------------------------------

/// Offsets of all lanes into the batch's workgroup memory. Lanes that do not run keep good ones.
TRANSPIRE_INLINE void packed_offsets(const Batch* batch, const Lanes& lanes, std::uint32_t* offset) {
  const std::uint32_t* group = batch->packed_workgroup_base;
  if (lanes.offset != nullptr) {
    for (std::uint32_t i = 0; i < kLanes; ++i) offset[i] = lanes.offset[i] + group[i];
    return;
  }
  const auto stride = static_cast<std::uint32_t>(lanes.stride);
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const bool near = i >= lanes.first && i <= lanes.last;
    offset[i] = (near ? i : lanes.first) * stride + group[i];
  }
}

template <class T>
void load_packed(const Batch* batch, const Lanes& lanes, const Access& access, const Allocation* a,
                 T* const* out) {
  alignas(64) std::uint32_t offset[kLanes];
  packed_offsets(batch, lanes, offset);
  const std::byte* host = batch->workgroup_memory + a->offset + (lanes.base - a->begin);
  for (std::uint32_t c = 0; c < access.components; ++c) gather(host + c * sizeof(T), offset, out[c]);
}

template <class T>
void store_packed(const Batch* batch, const Lanes& lanes, const Access& access, const Allocation* a,
                  const T* const* in) {
  alignas(64) std::uint32_t offset[kLanes];
  packed_offsets(batch, lanes, offset);
  std::byte* host = batch->workgroup_memory + a->offset + (lanes.base - a->begin);
  for_each_lane(batch->mask, [&](std::uint32_t i) {
    for (std::uint32_t c = 0; c < access.components; ++c)
      __builtin_memcpy(host + offset[i] + c * sizeof(T), in[c] + i, sizeof(T));
  });
}

}  // namespace
}  // namespace transpire::vm::exec::TRANSPIRE_ISA
