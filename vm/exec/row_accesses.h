// Loads and stores of rows through any form of address: looked at as a whole and copied at once, or
// lane by lane where something is out of the ordinary. See memory_handlers.cpp.
#pragma once

#include <type_traits>

#include "vm/exec/access.h"
#include "vm/exec/index_plan.h"
#include "vm/exec/indexed_rows.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

// ---- One access, whatever its address form ----------------------------------------------------

/// f(instruction, access, bytes from the start of the whole) for each access that became this one,
/// or for this one. No recursion through the slow ways below: g++ would no longer see that they
/// keep no address of a handler's locals, and make calls of tail calls.
template <class F>
TRANSPIRE_INLINE void for_each_part(const Inst* ip, const Access& access, F f) {
  if (access.part_count == 0) return f(ip, access, std::uint64_t{0});
  for (std::uint32_t p = 0; p < access.part_count; ++p) {
    const auto& part = *access.parts[p].access;
    f(access.parts + p, part, std::uint64_t{part.first_component * (part.bytes / part.components)});
  }
}

template <class T>
TRANSPIRE_INLINE void load_one(Batch* batch, const Inst* ip, const Access& part, std::uint32_t lane,
                               std::uint64_t address, T* const* out) {
  T value[kMaxComponents];
  load_lane(batch, ip, part, lane, address, value);
  for (std::uint32_t c = 0; c < part.components; ++c)
    out[part.first_component + c][lane] = value[c];
}

template <class T>
TRANSPIRE_INLINE void store_one(Batch* batch, const Inst* ip, const Access& part,
                                std::uint32_t lane, std::uint64_t address, const T* const* in) {
  T value[kMaxComponents];
  for (std::uint32_t c = 0; c < part.components; ++c) value[c] = in[part.first_component + c][lane];
  store_lane(batch, ip, part, lane, address, value);
}

template <class T>
__attribute__((noinline)) void load_slow(Batch* batch, const Inst* ip, const Access& access,
                                         const Lanes& lanes, T* const* out) {
  for_each_part(ip, access, [&](const Inst* inst, const Access& part, std::uint64_t shift) {
    for_each_lane(batch->mask, [&](std::uint32_t i) {
      load_one(batch, inst, part, i, address_of(lanes, i) + shift, out);
    });
  });
}

template <class T>
__attribute__((noinline)) void store_slow(Batch* batch, const Inst* ip, const Access& access,
                                          const Lanes& lanes, const T* const* in) {
  for_each_part(ip, access, [&](const Inst* inst, const Access& part, std::uint64_t shift) {
    for_each_lane(batch->mask, [&](std::uint32_t i) {
      store_one(batch, inst, part, i, address_of(lanes, i) + shift, in);
    });
  });
}

/// The running lanes of an access as a list: when they are few, or far apart. Each is checked by
/// itself.
struct List {
  std::uint32_t count = 0;
  std::uint32_t lane[kLanes];
  std::uint64_t address[kLanes];
};

template <class T>
__attribute__((noinline)) void load_list(Batch* batch, const Inst* ip, const Access& access,
                                         const List& list, T* const* out) {
  for_each_part(ip, access, [&](const Inst* inst, const Access& part, std::uint64_t shift) {
    for (std::uint32_t k = 0; k < list.count; ++k)
      load_one(batch, inst, part, list.lane[k], list.address[k] + shift, out);
  });
}

template <class T>
__attribute__((noinline)) void store_list(Batch* batch, const Inst* ip, const Access& access,
                                          const List& list, const T* const* in) {
  for_each_part(ip, access, [&](const Inst* inst, const Access& part, std::uint64_t shift) {
    for (std::uint32_t k = 0; k < list.count; ++k)
      store_one(batch, inst, part, list.lane[k], list.address[k] + shift, in);
  });
}

using Space = HandlerTable::SpaceClass;
using AddressForm = HandlerTable::AddressForm;

template <class T>
TRANSPIRE_INLINE void load(Batch* batch, const Inst* ip, const Access& access, const Lanes& lanes,
                           T* const* out) {
  const Allocation* a = resolve<false>(batch, access, lanes.low, lanes.high);
  if (a == nullptr) return load_slow(batch, ip, access, lanes, out);
  if (a->region == Region::kPrivate) {
    if (!private_alive(batch, a) || !private_shape<T>(lanes, access, a))
      return load_slow(batch, ip, access, lanes, out);
    return load_private(batch, lanes, access, a->offset - a->begin, out);
  }
  const bool packed = a->region == Region::kWorkgroup && batch->packed_workgroup_base != nullptr;
  if (!aligned(lanes, access)) return load_slow(batch, ip, access, lanes, out);
  if (packed) return load_packed(batch, lanes, access, a, out);
  if (lanes.offset == nullptr) {
    const std::uint64_t start = address_of(lanes, lanes.first) - a->begin;
    return load_affine(host_of(batch, a) + start, lanes, access, out);
  }
  const std::byte* host = host_of(batch, a) + (lanes.base - a->begin);
  for (std::uint32_t c = 0; c < access.components; ++c)
    gather(host + c * sizeof(T), lanes.offset, out[c]);
}

template <class T>
TRANSPIRE_INLINE void store(Batch* batch, const Inst* ip, const Access& access, const Lanes& lanes,
                            const T* const* in) {
  const Allocation* a = resolve<true>(batch, access, lanes.low, lanes.high);
  if (a == nullptr) return store_slow(batch, ip, access, lanes, in);
  if (a->region == Region::kPrivate) {
    if (!private_alive(batch, a) || !private_shape<T>(lanes, access, a))
      return store_slow(batch, ip, access, lanes, in);
    return store_private(batch, lanes, access, a->offset - a->begin, in);
  }
  const bool packed = a->region == Region::kWorkgroup && batch->packed_workgroup_base != nullptr;
  if (!aligned(lanes, access)) return store_slow(batch, ip, access, lanes, in);
  if (packed) return store_packed(batch, lanes, access, a, in);
  if (lanes.offset == nullptr) {
    const std::uint64_t start = address_of(lanes, lanes.first) - a->begin;
    return store_affine(host_of(batch, a) + start, lanes, access, batch, in);
  }
  std::byte* host = host_of(batch, a) + (lanes.base - a->begin);
  if (access.components == 1 && mask_full(batch->mask)) return scatter(host, lanes.offset, in[0]);
  for_each_lane(batch->mask, [&](std::uint32_t i) {
    std::byte* to = host + lanes.offset[i];
    for (std::uint32_t c = 0; c < access.components; ++c)
      __builtin_memcpy(to + c * sizeof(T), in[c] + i, sizeof(T));
  });
}

// ---- Address forms ----------------------------------------------------------------------------

TRANSPIRE_INLINE void set_affine(Lanes* lanes, const Batch* batch, std::uint64_t base,
                                 std::int64_t stride) {
  lanes->base = base;
  lanes->stride = stride;
  lanes->first = first_lane(batch->mask);
  lanes->last = last_lane(batch->mask);
  const std::uint64_t a = address_of(*lanes, lanes->first), b = address_of(*lanes, lanes->last);
  lanes->low = stride >= 0 ? a : b;
  lanes->high = stride >= 0 ? b : a;
}

/// Indices as 64-bit numbers.
struct WideRow {
  template <class I>
  TRANSPIRE_INLINE WideRow(const I* index, const Access& access) {
    for (std::uint32_t i = 0; i < kLanes; ++i)
      lanes[i] = static_cast<std::uint64_t>(extend(index[i], access.zero_extend));
  }
  alignas(64) std::uint64_t lanes[kLanes];
};

/// Addresses base + index * scale of a row of indices. `offset` receives byte offsets from the
/// lowest address; lanes that do not run get the first running lane's, so that whole chunks can be
/// gathered. False when the addresses span 2^31 bytes or more.
TRANSPIRE_INLINE bool set_rows(Lanes* lanes, const Batch* batch, std::uint64_t base,
                               std::int64_t scale, const std::uint64_t* index,
                               std::uint32_t* offset) {
  lanes->first = first_lane(batch->mask);
  lanes->last = last_lane(batch->mask);
  alignas(64) std::uint64_t clean[kLanes];
  keep_active(clean, index, batch->mask, index[lanes->first]);
  auto low = static_cast<std::int64_t>(clean[0]), high = low;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const auto v = static_cast<std::int64_t>(clean[i]);
    low = v < low ? v : low;
    high = v > high ? v : high;
  }
  const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const auto width = static_cast<std::uint64_t>(scale < 0 ? -scale : scale);
  if (span > 0x7fffffffu || span * width > 0x7fffffffu) return false;
  // The lowest address belongs to the smallest index, or to the largest when the scale is negative.
  const auto start = static_cast<std::uint64_t>(scale < 0 ? high : low);
  const auto step = static_cast<std::uint32_t>(scale);
  for (std::uint32_t i = 0; i < kLanes; ++i)
    offset[i] = static_cast<std::uint32_t>(clean[i] - start) * step;
  lanes->offset = offset;
  lanes->base = base + start * static_cast<std::uint64_t>(scale);
  lanes->low = lanes->base;
  lanes->high = lanes->base + span * width;
  return true;
}

/// When every lane, running or not, is as far from the previous one: as cheap as an affine address.
TRANSPIRE_INLINE void recognise_affine(Lanes* lanes) {
  const std::uint32_t start = lanes->offset[0];
  const std::uint32_t step = lanes->offset[1] - start;
  if (lanes->offset[2] - lanes->offset[1] != step) return;
  // A chunk is enough to decide for most.
  std::uint32_t other = 0;
  for (std::uint32_t i = 0; i < kChunk; ++i) other |= lanes->offset[i] - start - step * i;
  if (other != 0) return;
  for (std::uint32_t i = 0; i < kLanes; ++i) other |= lanes->offset[i] - start - step * i;
  if (other != 0) return;
  lanes->base += start;
  lanes->stride = static_cast<std::int32_t>(step);
  lanes->offset = nullptr;
}

TRANSPIRE_INLINE void set_list(List* list, const Batch* batch, std::uint64_t base,
                               std::int64_t scale, const std::uint64_t* index) {
  std::uint32_t count = 0;
  for_each_lane(batch->mask, [&](std::uint32_t i) TRANSPIRE_INLINE_LAMBDA {
    list->lane[count] = i;
    list->address[count++] = base + index[i] * static_cast<std::uint64_t>(scale);
  });
  list->count = count;
}

/// Calls `f(lanes)` with the addresses base + index * scale, or `g(list)` with a list of them.
template <class F, class G>
TRANSPIRE_INLINE void with_row(Batch* batch, const Access& access, std::uint64_t base,
                               const std::uint64_t* index, F f, G g) {
  Lanes lanes;
  alignas(64) std::uint32_t offset[kLanes];
  if (mask_count(batch->mask) > kFewLanes &&
      set_rows(&lanes, batch, base, access.scale, index, offset)) {
    recognise_affine(&lanes);
    f(lanes);
  } else {
    List list;
    set_list(&list, batch, base, access.scale, index);
    g(list);
  }
}

template <AddressForm kForm>
using IndexOf = std::conditional_t<kForm == AddressForm::kRow32, std::uint32_t, std::uint64_t>;

TRANSPIRE_INLINE std::uint64_t base_of(const Inst* ip, std::byte* r, const Access& access) {
  return scalar<std::uint64_t>(r, ip->a) + static_cast<std::uint64_t>(access.offset);
}

/// If all lanes access consecutive elements or tuples: the place of the first one, in memory that
/// all lanes see alike; else null. Nearly all accesses are of this kind. Nothing of this is kept on
/// the stack.
template <AddressForm kForm, bool kWrite>
TRANSPIRE_INLINE std::byte* whole_row(const Inst* ip, std::byte* r, const Batch* batch,
                                      const Access& access) {
  if (access.byte_stride != access.bytes || !mask_full(batch->mask)) return nullptr;
  std::uint64_t index;
  if constexpr (kForm == AddressForm::kAffine64) {
    index = scalar<std::uint64_t>(r, ip->b);
  } else {
    const std::int64_t wide = extend(scalar<std::uint32_t>(r, ip->b), access.zero_extend);
    const std::int64_t end = wide + access.index_stride * std::int64_t{kLanes - 1};
    if (extend(static_cast<std::uint32_t>(end), access.zero_extend) != end) return nullptr;
    index = static_cast<std::uint64_t>(wide);
  }
  const std::uint64_t start =
      base_of(ip, r, access) + index * static_cast<std::uint64_t>(access.scale);
  const Allocation* a =
      resolve<kWrite>(batch, access, start, start + std::uint64_t{kLanes - 1} * access.bytes);
  if (a == nullptr || !is_plain(batch, a)) return nullptr;
  if (((start | access.bytes) & access.align_mask) != 0) return nullptr;
  return host_of(batch, a) + (start - a->begin);
}

/// Calls `f(lanes)` with the addresses of the instruction, or `g(list)` with a list of them.
template <AddressForm kForm, class F, class G>
TRANSPIRE_INLINE void with_lanes(const Inst* ip, std::byte* r, Batch* batch, const Access& access,
                                 F f, G g) {
  Lanes lanes;
  const std::uint64_t base = base_of(ip, r, access);
  if constexpr (kForm == AddressForm::kUniformAddress) {
    set_affine(&lanes, batch, base, 0);
    f(lanes);
  } else if constexpr (kForm == AddressForm::kAffine64) {
    const std::uint64_t index = scalar<std::uint64_t>(r, ip->b);
    set_affine(&lanes, batch, base + index * static_cast<std::uint64_t>(access.scale),
               access.byte_stride);
    f(lanes);
  } else if constexpr (kForm == AddressForm::kAffine32) {
    const std::uint32_t start = scalar<std::uint32_t>(r, ip->b);
    const std::uint32_t first = first_lane(batch->mask), last = last_lane(batch->mask);
    const auto step = static_cast<std::uint32_t>(access.index_stride);
    const std::int64_t wide = extend(start + step * first, access.zero_extend);
    const std::int64_t end = wide + access.index_stride * (std::int64_t{last} - first);
    const bool fits = access.zero_extend ? end >= 0 && end <= 0xffffffffll
                                         : end >= -0x80000000ll && end <= 0x7fffffffll;
    if (fits) {
      const std::int64_t lane_zero = wide - access.index_stride * std::int64_t{first};
      set_affine(
          &lanes, batch,
          base + static_cast<std::uint64_t>(lane_zero) * static_cast<std::uint64_t>(access.scale),
          access.byte_stride);
      return f(lanes);
    }
    // The 32-bit index wraps between running lanes.
    alignas(64) std::uint32_t index[kLanes];
    for (std::uint32_t i = 0; i < kLanes; ++i) index[i] = start + step * i;
    List list;
    set_list(&list, batch, base, access.scale, WideRow(index, access).lanes);
    g(list);
  } else {
    const IndexOf<kForm>* index = row<IndexOf<kForm>>(r, ip->b);
    with_row(batch, access, base, WideRow(index, access).lanes, f, g);
  }
}

}  // namespace
}  // namespace transpire::vm::TRANSPIRE_ISA
