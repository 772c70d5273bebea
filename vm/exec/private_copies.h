// Copies between rows and memory that differs by lane: private memory, interleaved by 4-byte words, and
// the workgroup memory of batches that hold several groups. All checks have been made.
#pragma once

#include "vm/exec/plain_copies.h"

namespace transpire::vm::exec::TRANSPIRE_ISA {
namespace {

// ---- Private memory: interleaved by 4-byte words ----------------------------------------------

/// Byte offset of lane 0's word in the batch's private memory for an offset into a lane's own.
TRANSPIRE_INLINE std::uint64_t word_at(std::uint64_t offset) { return offset / 4 * (kLanes * 4); }

template <class T>
TRANSPIRE_INLINE T private_read(const std::byte* memory, std::uint64_t offset, std::uint32_t lane) {
  if constexpr (sizeof(T) == 8) {
    std::uint32_t half[2];
    __builtin_memcpy(&half[0], memory + word_at(offset) + lane * 4, 4);
    __builtin_memcpy(&half[1], memory + word_at(offset + 4) + lane * 4, 4);
    return static_cast<T>(std::uint64_t{half[1]} << 32 | half[0]);
  } else {
    T value;
    __builtin_memcpy(&value, memory + word_at(offset) + lane * 4 + offset % 4, sizeof(T));
    return value;
  }
}

template <class T>
TRANSPIRE_INLINE void private_write(std::byte* memory, std::uint64_t offset, std::uint32_t lane,
                                    T value) {
  if constexpr (sizeof(T) == 8) {
    const std::uint32_t half[2] = {static_cast<std::uint32_t>(value),
                                   static_cast<std::uint32_t>(value >> 32)};
    __builtin_memcpy(memory + word_at(offset) + lane * 4, &half[0], 4);
    __builtin_memcpy(memory + word_at(offset + 4) + lane * 4, &half[1], 4);
  } else {
    __builtin_memcpy(memory + word_at(offset) + lane * 4 + offset % 4, &value, sizeof(T));
  }
}

/// Words may only be split as private_read does when every access is aligned to its size (8: to 4).
template <class T>
TRANSPIRE_INLINE bool private_shape(const Lanes& lanes, const Access& access, const Allocation* a) {
  Access own = access;
  own.align_mask |= (sizeof(T) == 8 ? 4 : sizeof(T)) - 1;
  return (a->offset & own.align_mask & 3) == 0 && aligned(lanes, own);
}

template <class T>
void load_private(const Batch* batch, const Lanes& lanes, const Access& access, const Allocation* a,
                  T* const* out) {
  const std::uint64_t start = a->offset - a->begin;
  for (std::uint32_t c = 0; c < access.components; ++c) {
    T* target = out[c];
    const std::uint64_t shift = start + c * sizeof(T);
    if (lanes.offset == nullptr && lanes.stride == 0) {
      const std::uint64_t offset = lanes.base + shift;
      for (std::uint32_t i = 0; i < kLanes; ++i)
        target[i] = private_read<T>(batch->private_memory, offset, i);
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
    if (lanes.offset == nullptr && lanes.stride == 0 && mask_full(batch->mask)) {
      const std::uint64_t offset = lanes.base + shift;
      for (std::uint32_t i = 0; i < kLanes; ++i)
        private_write<T>(batch->private_memory, offset, i, source[i]);
    } else {
      for_each_lane(batch->mask, [&](std::uint32_t i) {
        private_write<T>(batch->private_memory, address_of(lanes, i) + shift, i, source[i]);
      });
    }
  }
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
