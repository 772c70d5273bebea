// Copies between rows and memory that differs by lane: private memory, interleaved by 4-byte words,
// and the workgroup memory of batches that hold several groups. All checks have been made.
#pragma once

#include "vm/exec/plain_copies.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

// ---- Private memory: interleaved by 4-byte words ----------------------------------------------

/// The private memory of a batch's lanes. Few lanes take fewer words of it than a row has (Batch::private_shift).
struct PrivateMemory {
  explicit PrivateMemory(const Batch* batch)
      : bytes(batch->private_memory), shift(batch->private_shift) {}

  /// Bytes from a word to the next one of the same lane.
  TRANSPIRE_INLINE std::uint64_t word_bytes() const { return std::uint64_t{4} << shift; }
  /// Where a lane has what is at `offset` of its own. Accesses of 4 and 8 bytes are aligned to 4 here.
  template <class T>
  TRANSPIRE_INLINE std::byte* at(std::uint64_t offset, std::uint32_t lane) const {
    if constexpr (sizeof(T) >= 4) return bytes + (offset << shift) + std::uint64_t{lane} * 4;
    return bytes + ((offset & ~std::uint64_t{3}) << shift) + std::uint64_t{lane} * 4 + (offset & 3);
  }
  /// The words of all lanes at one offset, a multiple of 4, as a row: where they are as many as a vector has.
  TRANSPIRE_INLINE std::uint32_t* row(std::uint64_t offset) const {
    return reinterpret_cast<std::uint32_t*>(
        __builtin_assume_aligned(bytes + (offset << shift), kRowAlign));
  }
  TRANSPIRE_INLINE bool has_rows() const { return word_bytes() >= kRowAlign; }

  static constexpr std::uint64_t kRowAlign = 64;
  std::byte* bytes;
  std::uint32_t shift;
};

template <class T>
TRANSPIRE_INLINE T private_read(const PrivateMemory& memory, std::uint64_t offset,
                                std::uint32_t lane) {
  const std::byte* from = memory.at<T>(offset, lane);
  if constexpr (sizeof(T) == 8) {
    std::uint32_t half[2];
    __builtin_memcpy(&half[0], from, 4);
    __builtin_memcpy(&half[1], from + memory.word_bytes(), 4);
    return static_cast<T>(std::uint64_t{half[1]} << 32 | half[0]);
  } else {
    T value;
    __builtin_memcpy(&value, from, sizeof(T));
    return value;
  }
}

template <class T>
TRANSPIRE_INLINE void private_write(const PrivateMemory& memory, std::uint64_t offset,
                                    std::uint32_t lane, T value) {
  std::byte* to = memory.at<T>(offset, lane);
  if constexpr (sizeof(T) == 8) {
    const std::uint32_t half[2] = {static_cast<std::uint32_t>(value),
                                   static_cast<std::uint32_t>(value >> 32)};
    __builtin_memcpy(to, &half[0], 4);
    __builtin_memcpy(to + memory.word_bytes(), &half[1], 4);
  } else {
    __builtin_memcpy(to, &value, sizeof(T));
  }
}

/// Bits that must be zero in an address in private memory.
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

/// One offset in all lanes that have private memory, running or not. Other lanes get arbitrary
/// values.
template <class T>
TRANSPIRE_INLINE void load_private_row(const PrivateMemory& memory, std::uint64_t offset,
                                       T* __restrict out) {
  if (!memory.has_rows()) {
    for (std::uint32_t i = 0; i >> memory.shift == 0; ++i)
      out[i] = private_read<T>(memory, offset, i);
    return;
  }
  const std::uint32_t* __restrict words = memory.row(offset & ~std::uint64_t{3});
  if constexpr (sizeof(T) == 8) {
    const std::uint32_t* __restrict high = memory.row((offset & ~std::uint64_t{3}) + 4);
    for (std::uint32_t i = 0; i < kLanes; ++i) out[i] = std::uint64_t{high[i]} << 32 | words[i];
  } else {
    const std::uint32_t shift = (offset & 3) * 8;
    for (std::uint32_t i = 0; i < kLanes; ++i) out[i] = static_cast<T>(words[i] >> shift);
  }
}

/// One offset in the running lanes. Other words are written back as they are: nobody else sees them.
template <class T>
TRANSPIRE_INLINE void store_private_row(const PrivateMemory& memory, std::uint64_t offset,
                                        const std::uint64_t* mask, const T* __restrict in) {
  if (!memory.has_rows()) {
    for_each_lane(mask, [&](std::uint32_t i) { private_write<T>(memory, offset, i, in[i]); });
    return;
  }
  using Word = Vector<std::uint32_t>;
  const std::uint64_t place = offset & ~std::uint64_t{3};
  const std::uint32_t shift = (offset & 3) * 8;
  const std::uint32_t keep = sizeof(T) >= 4 ? 0 : ~(((1u << (sizeof(T) * 8 % 32)) - 1) << shift);
  const auto put = [&](std::uint32_t* to, const std::uint32_t* from) TRANSPIRE_INLINE_LAMBDA {
    for (std::uint32_t i = 0; i < kLanes; i += kVectorLanes<std::uint32_t>) {
      const Word old = load(to + i);
      const Word value = (old & splat(keep)) | load(from + i);
      store(to + i, blend(lane_mask<std::uint32_t>(mask[i / 64], i % 64), value, old));
    }
  };
  if constexpr (sizeof(T) == 4) {
    put(memory.row(place), reinterpret_cast<const std::uint32_t*>(in));
  } else {
    alignas(64) std::uint32_t wide[kLanes];
    for (std::uint32_t i = 0; i < kLanes; ++i) wide[i] = static_cast<std::uint32_t>(in[i]) << shift;
    put(memory.row(place), wide);
    if constexpr (sizeof(T) == 8) {
      for (std::uint32_t i = 0; i < kLanes; ++i) wide[i] = static_cast<std::uint32_t>(in[i] >> 32);
      put(memory.row(place + 4), wide);
    }
  }
}

// Both functions below add `start` to an address to get the offset in a lane's memory. They have few parameters on purpose: g++
// splits `batch` into two, and with a seventh, on the stack, every caller realigns its stack at a cost of five instructions.

template <class T>
void load_private(const Batch* batch, const Lanes& lanes, const Access& access, std::uint64_t start,
                  T* const* out) {
  const PrivateMemory memory(batch);
  for (std::uint32_t c = 0; c < access.components; ++c) {
    T* target = out[c];
    const std::uint64_t shift = start + c * sizeof(T);
    if (lanes.offset == nullptr && lanes.stride == 0) {
      load_private_row(memory, lanes.base + shift, target);
    } else {
      for (std::uint32_t i = lanes.first; i <= lanes.last; ++i)
        target[i] = private_read<T>(memory, address_of(lanes, i) + shift, i);
    }
  }
}

template <class T>
void store_private(const Batch* batch, const Lanes& lanes, const Access& access,
                   std::uint64_t start, const T* const* in) {
  const PrivateMemory memory(batch);
  for (std::uint32_t c = 0; c < access.components; ++c) {
    const T* source = in[c];
    const std::uint64_t shift = start + c * sizeof(T);
    if (lanes.offset == nullptr && lanes.stride == 0) {
      store_private_row(memory, lanes.base + shift, batch->mask, source);
    } else {
      for_each_lane(batch->mask, [&](std::uint32_t i) {
        private_write<T>(memory, address_of(lanes, i) + shift, i, source[i]);
      });
    }
  }
}

template <class I>
TRANSPIRE_INLINE std::int64_t extend(I index, bool zero) {
  if constexpr (sizeof(I) == 8) return static_cast<std::int64_t>(index);
  return zero ? static_cast<std::int64_t>(index) : std::int64_t{static_cast<std::int32_t>(index)};
}

// ---- Workgroup memory of packed batches: each lane's group has its own --------------------------

/// By lane, how far behind the lowest address of the batch's first group it is. Lanes that do not
/// run keep good places.
TRANSPIRE_INLINE void packed_offsets(const Batch* batch, const Lanes& lanes,
                                     std::uint32_t* offset) {
  const std::uint32_t* group = batch->packed_workgroup_base;
  if (lanes.offset != nullptr) {
    for (std::uint32_t i = 0; i < kLanes; ++i) offset[i] = lanes.offset[i] + group[i];
    return;
  }
  // Modulo 2^32: strides may be negative, or longer than the distance that they make.
  const auto start = static_cast<std::uint32_t>(lanes.base - lanes.low);
  const auto stride = static_cast<std::uint32_t>(lanes.stride);
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const bool near = i >= lanes.first && i <= lanes.last;
    offset[i] = start + (near ? i : lanes.first) * stride + group[i];
  }
}

template <class T>
void load_packed(const Batch* batch, const Lanes& lanes, const Access& access, const Allocation* a,
                 T* const* out) {
  alignas(64) std::uint32_t offset[kLanes];
  packed_offsets(batch, lanes, offset);
  const std::byte* host = batch->workgroup_memory + a->offset + (lanes.low - a->begin);
  for (std::uint32_t c = 0; c < access.components; ++c)
    gather(host + c * sizeof(T), offset, out[c]);
}

template <class T>
void store_packed(const Batch* batch, const Lanes& lanes, const Access& access, const Allocation* a,
                  const T* const* in) {
  alignas(64) std::uint32_t offset[kLanes];
  packed_offsets(batch, lanes, offset);
  std::byte* host = batch->workgroup_memory + a->offset + (lanes.low - a->begin);
  for_each_lane(batch->mask, [&](std::uint32_t i) {
    for (std::uint32_t c = 0; c < access.components; ++c)
      __builtin_memcpy(host + offset[i] + c * sizeof(T), in[c] + i, sizeof(T));
  });
}

}  // namespace
}  // namespace transpire::vm::TRANSPIRE_ISA
