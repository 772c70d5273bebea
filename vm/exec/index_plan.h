// Index plans: facts about an index row that is the same for every group, which the prologue
// computes once. Included by the memory handlers of each instruction set.
#pragma once

#include "vm/exec/plain_copies.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

/// How the elements of a chunk of lanes lie in memory.
enum class ChunkKind : std::uint8_t {
  kConsecutive,  ///< one behind the other
  kSame,         ///< all lanes have one
  kMixed,
};

/// In a register as wide as a row of 64-bit values.
struct IndexPlan {
  std::int64_t low = 0, high = 0;  ///< lowest and highest index of a lane that exists
  std::uint64_t start = 0;         ///< the lowest address less base and shared part
  std::uint64_t span = 0;          ///< from the lowest address to the highest; below 2^31
  std::uint32_t row = 0;           ///< register offset of the indices
  std::uint32_t bits = 0;          ///< all offsets joined by or: their alignment
  bool good = false;               ///< false: the addresses are too far apart for offsets
  bool consecutive = false;        ///< all chunks are
  ChunkKind chunk[kLanes / kChunk] = {};
  alignas(64) std::uint32_t offset[kLanes];  ///< bytes from the lowest address
};
static_assert(sizeof(IndexPlan) <= kLanes * 8);

enum class Index : std::uint8_t { kNone, kSigned32, kUnsigned32 };

template <Index kIndex>
TRANSPIRE_INLINE std::uint64_t widen(std::uint64_t v) {
  if constexpr (kIndex == Index::kSigned32)
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(v)});
  if constexpr (kIndex == Index::kUnsigned32) return static_cast<std::uint32_t>(v);
  return v;
}

TRANSPIRE_INLINE ChunkKind chunk_kind(const std::uint32_t* offset, std::uint32_t element_bytes) {
  std::uint32_t other = 0, apart = 0;
  for (std::uint32_t i = 0; i < kChunk; ++i) {
    other |= offset[i] ^ (offset[0] + i * element_bytes);
    apart |= offset[i] ^ offset[0];
  }
  return other == 0 ? ChunkKind::kConsecutive : apart == 0 ? ChunkKind::kSame : ChunkKind::kMixed;
}

/// The plan of a row. A 32-bit row counts as signed: the shared part may bring its indices back into
/// the range of unsigned ones. Lanes that do not run get the first running lane's index: those past
/// the end of a group would otherwise take the whole batch out of the allocation.
template <class I>
__attribute__((noinline)) void fill_plan(const Access& access, const I* row,
                                         const std::uint64_t* mask, IndexPlan* plan) {
  using S = std::conditional_t<sizeof(I) == 4, std::int32_t, std::int64_t>;
  alignas(64) I index[kLanes];
  keep_active(index, row, mask, row[first_lane(mask)]);
  S low = static_cast<S>(index[0]), high = low;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const S v = static_cast<S>(index[i]);
    low = v < low ? v : low;
    high = v > high ? v : high;
  }
  plan->low = low;
  plan->high = high;
  const std::uint64_t width =
      static_cast<std::uint64_t>(access.scale < 0 ? -access.scale : access.scale);
  const std::uint64_t span =
      static_cast<std::uint64_t>(plan->high) - static_cast<std::uint64_t>(plan->low);
  plan->good = span <= 0x7fffffffu && span * width <= 0x7fffffffu;
  plan->span = span * width;
  const S first = access.scale < 0 ? high : low;
  plan->start =
      static_cast<std::uint64_t>(std::int64_t{first}) * static_cast<std::uint64_t>(access.scale);
  const auto step = static_cast<std::uint32_t>(access.scale);
  std::uint32_t bits = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    plan->offset[i] = static_cast<std::uint32_t>(index[i] - static_cast<I>(first)) * step;
    bits |= plan->offset[i];
  }
  plan->bits = bits;
  plan->consecutive = true;
  for (std::uint32_t c = 0; c < kLanes / kChunk; ++c) {
    plan->chunk[c] = chunk_kind(plan->offset + c * kChunk, access.bytes);
    plan->consecutive &= plan->chunk[c] == ChunkKind::kConsecutive;
  }
}

/// d = the plan of row a, for the elements and scale of an Access. All lanes that will ever use it
/// are running.
template <class I>
const Inst* make_plan(const Inst* ip, std::byte* r, Batch* batch) {
  IndexPlan* plan = row<IndexPlan>(r, ip->d);
  plan->row = ip->a;
  fill_plan(*ip->access, row<I>(r, ip->a), batch->mask, plan);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// The indices as a row of their own, for what a plan does not cover.
template <class I>
TRANSPIRE_INLINE void add_shared(const IndexPlan& plan, std::byte* r, I shared, I* index) {
  const I* part = row<I>(r, plan.row);
  for (std::uint32_t i = 0; i < kLanes; ++i) index[i] = part[i] + shared;
}

/// The lowest address of base + (row + shared) * scale. False when 32-bit indices wrap in some
/// lane, and the plan does not hold.
template <class I>
TRANSPIRE_INLINE bool plan_start(const IndexPlan& plan, const Access& access, std::uint64_t base,
                                 I shared, std::uint64_t* start) {
  if (!plan.good) return false;
  std::uint64_t sum = shared;
  if constexpr (sizeof(I) == 4) {
    std::int64_t wide = static_cast<std::int32_t>(shared);
    if (access.zero_extend) {
      if (plan.low + wide < 0) wide += std::int64_t{1} << 32;
      if (plan.low + wide < 0 || plan.high + wide > 0xffffffffll) return false;
    } else if (plan.low + wide < -0x80000000ll || plan.high + wide > 0x7fffffffll) {
      return false;
    }
    sum = static_cast<std::uint64_t>(wide);
  }
  *start = base + sum * static_cast<std::uint64_t>(access.scale) + plan.start;
  return true;
}

/// `in_pieces`: small stores. They are faster for data that is not loaded soon (rows of a matrix
/// far apart); data that is loaded soon (tiles) is only forwarded from stores as wide as the load.
template <class T>
TRANSPIRE_INLINE void store_chunk(std::byte* to, const T* from, bool in_pieces) {
  if (!in_pieces) return copy_elements<T, kChunk>(to, from);
  typedef T Piece __attribute__((vector_size(16), may_alias, aligned(1)));
  for (std::size_t i = 0; i < kChunk * sizeof(T) / sizeof(Piece); ++i)
    reinterpret_cast<Piece*>(to)[i] = reinterpret_cast<const Piece*>(from)[i];
}

/// One element of a chunk of lanes: `host` is where offset 0 lies. All lanes are loaded, running or not: each has a
/// running lane's offset or its own.
template <class T>
TRANSPIRE_INLINE void load_chunk(ChunkKind kind, const std::byte* host, const std::uint32_t* offset,
                                 T* to) {
  if (kind == ChunkKind::kSame) {
    T value;
    __builtin_memcpy(&value, host + offset[0], sizeof(T));
    for (std::uint32_t i = 0; i < kChunk; ++i) to[i] = value;
  } else {
    for (std::uint32_t i = 0; i < kChunk; ++i)
      __builtin_memcpy(to + i, host + offset[i], sizeof(T));
  }
}

/// One component.
template <class T>
TRANSPIRE_INLINE void load_planned(const IndexPlan& plan, const std::byte* host, T* out) {
  if (plan.consecutive) {
#pragma GCC unroll 4
    for (std::uint32_t k = 0; k < kLanes; k += kChunk)
      copy_elements<T, kChunk>(out + k, host + plan.offset[k]);
    return;
  }
  for (std::uint32_t k = 0; k < kLanes / kChunk; ++k) {
    const std::uint32_t* offset = plan.offset + k * kChunk;
    if (plan.chunk[k] == ChunkKind::kConsecutive)
      copy_elements<T, kChunk>(out + k * kChunk, host + offset[0]);
    else
      load_chunk(plan.chunk[k], host, offset, out + k * kChunk);
  }
}

/// Several components.
template <class T>
TRANSPIRE_INLINE void load_planned(const IndexPlan& plan, const std::byte* host,
                                   std::uint32_t components, T* const* out) {
  for (std::uint32_t k = 0; k < kLanes / kChunk; ++k)
    for (std::uint32_t c = 0; c < components; ++c)
      load_chunk(plan.chunk[k], host + c * sizeof(T), plan.offset + k * kChunk,
                 out[c] + k * kChunk);
}

TRANSPIRE_INLINE std::uint32_t running_in_chunk(const Batch* batch, std::uint32_t k) {
  return static_cast<std::uint16_t>(batch->mask[k * kChunk / 64] >> (k * kChunk % 64));
}

/// Running lanes only, in lane order. One component.
template <class T>
TRANSPIRE_INLINE void store_planned(const IndexPlan& plan, std::byte* host, const T* in,
                                    const Batch* batch, bool in_pieces) {
  for (std::uint32_t k = 0; k < kLanes / kChunk; ++k) {
    const std::uint32_t* offset = plan.offset + k * kChunk;
    const T* from = in + k * kChunk;
    const std::uint32_t running = running_in_chunk(batch, k);
    if (running != 0xffff) {
      for (std::uint32_t left = running; left != 0; left &= left - 1) {
        const auto i = static_cast<std::uint32_t>(__builtin_ctz(left));
        __builtin_memcpy(host + offset[i], from + i, sizeof(T));
      }
    } else if (plan.chunk[k] == ChunkKind::kConsecutive) {
      store_chunk(host + offset[0], from, in_pieces);
    } else {
      for (std::uint32_t i = 0; i < kChunk; ++i)
        __builtin_memcpy(host + offset[i], from + i, sizeof(T));
    }
  }
}

/// Several components.
template <class T>
TRANSPIRE_INLINE void store_planned(const IndexPlan& plan, std::byte* host,
                                    std::uint32_t components, const Batch* batch,
                                    const T* const* in) {
  for (std::uint32_t k = 0; k < kLanes / kChunk; ++k) {
    const std::uint32_t* offset = plan.offset + k * kChunk;
    for (std::uint32_t left = running_in_chunk(batch, k); left != 0; left &= left - 1) {
      const auto i = static_cast<std::uint32_t>(__builtin_ctz(left));
      for (std::uint32_t c = 0; c < components; ++c)
        __builtin_memcpy(host + offset[i] + c * sizeof(T), in[c] + k * kChunk + i, sizeof(T));
    }
  }
}

}  // namespace
}  // namespace transpire::vm::TRANSPIRE_ISA
