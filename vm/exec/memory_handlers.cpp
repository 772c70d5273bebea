// Loads, stores and address arithmetic on rows.
//
// A handler first looks at the whole batch: the lowest and highest address of its running lanes
// must lie in one allocation that permits the access. Then the lanes are copied without further
// checks: as one block when consecutive, else gathered in chunks. Whenever anything is out of the
// ordinary, every lane goes through the checked slow path (access.h), which also finds what is
// wrong.
#include "vm/exec/access.h"
#include "vm/exec/index_plan.h"
#include "vm/exec/indexed_rows.h"

namespace transpire::vm::exec::TRANSPIRE_ISA {
namespace {

// ---- One access, whatever its address form ----------------------------------------------------

/// f(instruction, access, bytes from the start of the whole) for each access that became this one,
/// or for this one. No recursion through the slow ways below: g++ would no longer see that they
/// keep no address of a handler's locals, and make calls of tail calls.
template <class F>
TRANSPIRE_INLINE void for_each_part(const Inst* ip, const Access& access, F f) {
  if (access.part_count == 0) return f(ip, access, std::uint64_t{0});
  for (std::uint32_t p = 0; p < access.part_count; ++p) {
    const auto& part = *reinterpret_cast<const Access*>(access.parts[p].imm);
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
    return load_private(batch, lanes, access, a, out);
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
    return store_private(batch, lanes, access, a, in);
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
  // A chunk settles it for most.
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

template <class T, AddressForm kForm>
const Inst* load_rows(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *reinterpret_cast<const Access*>(ip->imm);
  T* out[kMaxComponents];
  for (std::uint32_t c = 0; c < access.components; ++c) out[c] = row<T>(r, access.values[c]);
  with_lanes<kForm>(
      ip, r, batch, access, [&](const Lanes& lanes) { load(batch, ip, access, lanes, out); },
      [&](const List& list) { load_list(batch, ip, access, list, out); });
  return next(ip, r, batch);
}

template <class T, AddressForm kForm>
const Inst* store_rows(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *reinterpret_cast<const Access*>(ip->imm);
  const T* in[kMaxComponents];
  for (std::uint32_t c = 0; c < access.components; ++c) in[c] = row<T>(r, access.values[c]);
  with_lanes<kForm>(
      ip, r, batch, access, [&](const Lanes& lanes) { store(batch, ip, access, lanes, in); },
      [&](const List& list) { store_list(batch, ip, access, list, in); });
  return next(ip, r, batch);
}

// ---- Index rows
// ---------------------------------------------------------------------------------------

/// Whatever the short ways below leave: findings, workgroup memory of several groups, negative
/// scales. The indices have been widened.
template <class T>
__attribute__((noinline)) void load_checked_row(const Inst* ip, Batch* batch, std::uint64_t origin,
                                                const std::uint64_t* index, T* const* out) {
  const auto& access = *reinterpret_cast<const Access*>(ip->imm);
  with_row(
      batch, access, origin + static_cast<std::uint64_t>(access.offset), index,
      [&](const Lanes& lanes) { load(batch, ip, access, lanes, out); },
      [&](const List& list) { load_list(batch, ip, access, list, out); });
}

template <class T>
__attribute__((noinline)) void store_checked_row(const Inst* ip, Batch* batch, std::uint64_t origin,
                                                 const std::uint64_t* index, const T* const* in) {
  const auto& access = *reinterpret_cast<const Access*>(ip->imm);
  with_row(
      batch, access, origin + static_cast<std::uint64_t>(access.offset), index,
      [&](const Lanes& lanes) { store(batch, ip, access, lanes, in); },
      [&](const List& list) { store_list(batch, ip, access, list, in); });
}

template <class T, class I>
__attribute__((noinline)) void load_widened(const Inst* ip, Batch* batch, std::uint64_t origin,
                                            const I* index, T* const* out) {
  const WideRow wide(index, *reinterpret_cast<const Access*>(ip->imm));
  load_checked_row(ip, batch, origin, wide.lanes, out);
}

template <class T, class I>
__attribute__((noinline)) void store_widened(const Inst* ip, Batch* batch, std::uint64_t origin,
                                             const I* index, const T* const* in) {
  const WideRow wide(index, *reinterpret_cast<const Access*>(ip->imm));
  store_checked_row(ip, batch, origin, wide.lanes, in);
}

template <class T, class I>
__attribute__((noinline)) void load_row(const Inst* ip, Batch* batch, std::uint64_t origin,
                                        const I* index, T* const* out) {
  const auto& access = *reinterpret_cast<const Access*>(ip->imm);
  if (load_plain_row(batch, access, origin, index, out)) return;
  load_widened(ip, batch, origin, index, out);
}

template <class T, class I>
__attribute__((noinline)) void store_row(const Inst* ip, Batch* batch, std::uint64_t origin,
                                         const I* index, const T* const* in) {
  const auto& access = *reinterpret_cast<const Access*>(ip->imm);
  if (store_plain_row(batch, access, origin, index, in)) return;
  store_widened(ip, batch, origin, index, in);
}

template <class T, class I, Space kSpace>
const Inst* load_index_rows(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *reinterpret_cast<const Access*>(ip->imm);
  T* out[kMaxComponents];
  for (std::uint32_t c = 0; c < access.components; ++c) out[c] = row<T>(r, access.values[c]);
  const auto origin = scalar<std::uint64_t>(r, ip->a);
  const I* index = row<I>(r, ip->b);
  if (kSpace != Space::kAnySpace || !load_private_array(batch, access, origin, index, out))
    load_row(ip, batch, origin, index, out);
  return next(ip, r, batch);
}

template <class T, class I, Space kSpace>
const Inst* store_index_rows(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *reinterpret_cast<const Access*>(ip->imm);
  const T* in[kMaxComponents];
  for (std::uint32_t c = 0; c < access.components; ++c) in[c] = row<T>(r, access.values[c]);
  const auto origin = scalar<std::uint64_t>(r, ip->a);
  const I* index = row<I>(r, ip->b);
  if (kSpace != Space::kAnySpace || !store_private_array(batch, access, origin, index, in))
    store_row(ip, batch, origin, index, in);
  return next(ip, r, batch);
}

template <class I>
TRANSPIRE_INLINE bool all_good(const PrivateAccess& known, const Batch* batch, const I* index) {
  IndexWindow<I> window;
  window.least = static_cast<I>(known.least);
  window.more = static_cast<I>(known.more);
  return alive(batch, known.variable) && all_inside(window, batch->mask, index);
}

template <class T, class I>
const Inst* load_private_rows(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& known = *reinterpret_cast<const PrivateAccess*>(ip->imm);
  T* out = row<T>(r, known.access.values[0]);
  const I* index = row<I>(r, ip->b);
  const Scaling<I, false> bytes_to{static_cast<std::uint64_t>(known.access.scale)};
  if (all_good(known, batch, index))
    load_private_component(batch, known.start, bytes_to, index, out);
  else
    load_widened(ip, batch, scalar<std::uint64_t>(r, ip->a), index, &out);
  return next(ip, r, batch);
}

template <class T, class I>
const Inst* store_private_rows(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& known = *reinterpret_cast<const PrivateAccess*>(ip->imm);
  const T* in = row<T>(r, known.access.values[0]);
  const I* index = row<I>(r, ip->b);
  const Scaling<I, false> bytes_to{static_cast<std::uint64_t>(known.access.scale)};
  if (all_good(known, batch, index))
    store_private_indexed(batch, 1, known.start, bytes_to, index, &in);
  else
    store_widened(ip, batch, scalar<std::uint64_t>(r, ip->a), index, &in);
  return next(ip, r, batch);
}

/// Booleans are bytes in memory and bit masks in rows.
template <AddressForm kForm>
const Inst* load_bool(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *reinterpret_cast<const Access*>(ip->imm);
  alignas(64) std::uint8_t bytes[kMaxComponents][kLanes] = {};
  std::uint8_t* out[kMaxComponents];
  for (std::uint32_t c = 0; c < access.components; ++c) out[c] = bytes[c];
  const auto listed = [&](const List& list) { load_list(batch, ip, access, list, out); };
  with_lanes<kForm>(
      ip, r, batch, access, [&](const Lanes& lanes) { load(batch, ip, access, lanes, out); },
      listed);
  for (std::uint32_t c = 0; c < access.components; ++c)
    bytes_to_mask(row<std::uint64_t>(r, access.values[c]), bytes[c]);
  return next(ip, r, batch);
}

template <AddressForm kForm>
__attribute__((noinline)) void store_bool(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *reinterpret_cast<const Access*>(ip->imm);
  alignas(64) std::uint8_t bytes[kMaxComponents][kLanes];
  const std::uint8_t* in[kMaxComponents];
  for (std::uint32_t c = 0; c < access.components; ++c) {
    mask_to_bytes(bytes[c], row<std::uint64_t>(r, access.values[c]));
    in[c] = bytes[c];
  }
  const auto listed = [&](const List& list) { store_list(batch, ip, access, list, in); };
  with_lanes<kForm>(
      ip, r, batch, access, [&](const Lanes& lanes) { store(batch, ip, access, lanes, in); },
      listed);
}

// ---- Planned rows: a scalar base, b shared part of the index, c plan
// ---------------------------------

/// The indices as a row of their own, for what a plan does not cover.
template <class I>
TRANSPIRE_INLINE void add_shared(const IndexPlan& plan, std::byte* r, I shared, I* index) {
  const I* part = row<I>(r, plan.row);
  for (std::uint32_t i = 0; i < kLanes; ++i) index[i] = part[i] + shared;
}

template <class T, class I>
__attribute__((noinline)) void load_unplanned(const Inst* ip, std::byte* r, Batch* batch,
                                              T* const* out) {
  alignas(64) I index[kLanes];
  add_shared(*row<IndexPlan>(r, ip->c), r, scalar<I>(r, ip->b), index);
  load_row(ip, batch, scalar<std::uint64_t>(r, ip->a), index, out);
}

template <class T, class I>
__attribute__((noinline)) void store_unplanned(const Inst* ip, std::byte* r, Batch* batch,
                                               const T* const* in) {
  alignas(64) I index[kLanes];
  add_shared(*row<IndexPlan>(r, ip->c), r, scalar<I>(r, ip->b), index);
  store_row(ip, batch, scalar<std::uint64_t>(r, ip->a), index, in);
}

/// Where a plan's offset 0 lies.
struct PlannedPlace {
  std::byte* host = nullptr;  ///< null when the plan does not do for this access
  bool is_workgroup = false;
};

template <bool kWrite, class I>
TRANSPIRE_INLINE PlannedPlace planned_place(const Inst* ip, std::byte* r, const Batch* batch,
                                            const Access& access, const IndexPlan& plan) {
  std::uint64_t start;
  if (!plan_start(plan, access, base_of(ip, r, access), scalar<I>(r, ip->b), &start)) return {};
  const Allocation* a = resolve<kWrite>(batch, access, start, start + plan.span);
  if (a == nullptr || !plain(batch, a) || ((start | plan.bits) & access.align_mask) != 0) return {};
  return {host_of(batch, a) + (start - a->begin), a->region == Region::kWorkgroup};
}

template <class T, class I>
const Inst* load_planned_rows(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *reinterpret_cast<const Access*>(ip->imm);
  const IndexPlan& plan = *row<IndexPlan>(r, ip->c);
  T* out[kMaxComponents];
  for (std::uint32_t c = 0; c < access.components; ++c) out[c] = row<T>(r, access.values[c]);
  const std::byte* host = planned_place<false, I>(ip, r, batch, access, plan).host;
  if (host != nullptr)
    load_planned(plan, host, access, out);
  else
    load_unplanned<T, I>(ip, r, batch, out);
  return next(ip, r, batch);
}

template <class T, class I>
const Inst* store_planned_rows(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *reinterpret_cast<const Access*>(ip->imm);
  const IndexPlan& plan = *row<IndexPlan>(r, ip->c);
  const T* in[kMaxComponents];
  for (std::uint32_t c = 0; c < access.components; ++c) in[c] = row<T>(r, access.values[c]);
  const PlannedPlace place = planned_place<true, I>(ip, r, batch, access, plan);
  if (place.host != nullptr)
    store_planned(plan, place.host, access, batch, !place.is_workgroup, in);
  else
    store_unplanned<T, I>(ip, r, batch, in);
  return next(ip, r, batch);
}

template <class T, bool kBool>
TRANSPIRE_INLINE void set_scalar(std::byte* r, std::uint32_t offset, T value) {
  if constexpr (kBool) {
    scalar<std::uint8_t>(r, offset) = value != 0;
  } else {
    scalar<T>(r, offset) = value;
  }
}

/// Every running lane made this access, and a finding counts them all.
template <class T, bool kBool>
__attribute__((noinline)) void load_uniform_slow(Batch* batch, const Inst* ip, const Access& access,
                                                 std::uint64_t address, std::byte* r) {
  T value[kMaxComponents];
  for_each_part(ip, access, [&](const Inst* inst, const Access& part, std::uint64_t shift) {
    for_each_lane(batch->mask, [&](std::uint32_t i) {
      load_lane(batch, inst, part, i, address + shift, value + part.first_component);
    });
  });
  for (std::uint32_t c = 0; c < access.components; ++c)
    set_scalar<T, kBool>(r, access.values[c], value[c]);
}

/// One load for the whole batch: scalar results.
template <class T, bool kBool>
const Inst* load_uniform(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *reinterpret_cast<const Access*>(ip->imm);
  const std::uint64_t address = base_of(ip, r, access);
  const Allocation* a = resolve<false>(batch, access, address, address);
  if (a != nullptr && plain(batch, a) && (address & access.align_mask) == 0) {
    const std::byte* host = host_of(batch, a) + (address - a->begin);
    const std::uint32_t* to = access.values;
    for (std::uint32_t n = access.components; n != 0; --n, host += sizeof(T)) {
      T value;
      __builtin_memcpy(&value, host, sizeof(T));
      set_scalar<T, kBool>(r, *to++, value);
    }
  } else {
    load_uniform_slow<T, kBool>(batch, ip, access, address, r);
  }
  return next(ip, r, batch);
}

// ---- Address arithmetic -----------------------------------------------------------------------

template <Index kIndex>
const Inst* address_uniform(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *reinterpret_cast<const Access*>(ip->imm);
  scalar<std::uint64_t>(r, ip->d) =
      scalar<std::uint64_t>(r, ip->a) +
      widen<kIndex>(scalar<std::uint64_t>(r, ip->b)) * static_cast<std::uint64_t>(access.scale) +
      static_cast<std::uint64_t>(access.offset);
  return next(ip, r, batch);
}

template <bool kBaseRow, Index kIndex>
const Inst* address_rows(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *reinterpret_cast<const Access*>(ip->imm);
  using I = std::conditional_t<kIndex == Index::kNone, std::uint64_t, std::uint32_t>;
  const I* index = row<I>(r, ip->b);
  std::uint64_t* d = row<std::uint64_t>(r, ip->d);
  const auto scale = static_cast<std::uint64_t>(access.scale);
  const auto offset = static_cast<std::uint64_t>(access.offset);
  if constexpr (kBaseRow) {
    const std::uint64_t* a = row<std::uint64_t>(r, ip->a);
#pragma GCC ivdep
    for (std::uint32_t i = 0; i < kLanes; ++i)
      d[i] = a[i] + widen<kIndex>(index[i]) * scale + offset;
  } else {
    const std::uint64_t a = scalar<std::uint64_t>(r, ip->a) + offset;
#pragma GCC ivdep
    for (std::uint32_t i = 0; i < kLanes; ++i) d[i] = a + widen<kIndex>(index[i]) * scale;
  }
  return next(ip, r, batch);
}

// ---- The table --------------------------------------------------------------------------------

/// A handler with a body of its own, where g++ would not make the call of the next one a tail call:
/// returns from as many handlers as a block has are predicted badly.
template <void (*kBody)(const Inst*, std::byte*, Batch*)>
const Inst* after(const Inst* ip, std::byte* r, Batch* batch) {
  kBody(ip, r, batch);
  return next(ip, r, batch);
}

/// One set serves all spaces.
template <AddressForm kForm>
void fill_form(HandlerTable& t) {
  for (int space = 0; space < HandlerTable::kSpaceClasses; ++space) {
    t.load[0][kForm][space] = load_rows<std::uint8_t, kForm>;
    t.load[1][kForm][space] = load_rows<std::uint16_t, kForm>;
    t.load[2][kForm][space] = load_rows<std::uint32_t, kForm>;
    t.load[3][kForm][space] = load_rows<std::uint64_t, kForm>;
    t.store[0][kForm][space] = store_rows<std::uint8_t, kForm>;
    t.store[1][kForm][space] = store_rows<std::uint16_t, kForm>;
    t.store[2][kForm][space] = store_rows<std::uint32_t, kForm>;
    t.store[3][kForm][space] = store_rows<std::uint64_t, kForm>;
  }
}

template <class I, AddressForm kForm, Space kSpace>
void fill_rows(HandlerTable& t) {
  t.load[0][kForm][kSpace] = load_index_rows<std::uint8_t, I, kSpace>;
  t.load[1][kForm][kSpace] = load_index_rows<std::uint16_t, I, kSpace>;
  t.load[2][kForm][kSpace] = load_index_rows<std::uint32_t, I, kSpace>;
  t.load[3][kForm][kSpace] = load_index_rows<std::uint64_t, I, kSpace>;
  t.store[0][kForm][kSpace] = store_index_rows<std::uint8_t, I, kSpace>;
  t.store[1][kForm][kSpace] = store_index_rows<std::uint16_t, I, kSpace>;
  t.store[2][kForm][kSpace] = store_index_rows<std::uint32_t, I, kSpace>;
  t.store[3][kForm][kSpace] = store_index_rows<std::uint64_t, I, kSpace>;
}

template <class I>
void fill_private(HandlerTable& t) {
  constexpr int kWide = sizeof(I) == 8 ? 1 : 0;
  t.load_private[0][kWide] = load_private_rows<std::uint8_t, I>;
  t.load_private[1][kWide] = load_private_rows<std::uint16_t, I>;
  t.load_private[2][kWide] = load_private_rows<std::uint32_t, I>;
  t.load_private[3][kWide] = load_private_rows<std::uint64_t, I>;
  t.store_private[0][kWide] = store_private_rows<std::uint8_t, I>;
  t.store_private[1][kWide] = store_private_rows<std::uint16_t, I>;
  t.store_private[2][kWide] = store_private_rows<std::uint32_t, I>;
  t.store_private[3][kWide] = store_private_rows<std::uint64_t, I>;
}

template <AddressForm kForm>
void fill_bool(HandlerTable& t) {
  for (int space = 0; space < HandlerTable::kSpaceClasses; ++space) {
    t.load_bool[kForm][space] = load_bool<kForm>;
    t.store_bool[kForm][space] = after<store_bool<kForm>>;
  }
}

/// Booleans have no planned form: emission gives them a row.
template <class I, AddressForm kForm>
void fill_planned(HandlerTable& t) {
  for (int space = 0; space < HandlerTable::kSpaceClasses; ++space) {
    t.load[0][kForm][space] = load_planned_rows<std::uint8_t, I>;
    t.load[1][kForm][space] = load_planned_rows<std::uint16_t, I>;
    t.load[2][kForm][space] = load_planned_rows<std::uint32_t, I>;
    t.load[3][kForm][space] = load_planned_rows<std::uint64_t, I>;
    t.store[0][kForm][space] = store_planned_rows<std::uint8_t, I>;
    t.store[1][kForm][space] = store_planned_rows<std::uint16_t, I>;
    t.store[2][kForm][space] = store_planned_rows<std::uint32_t, I>;
    t.store[3][kForm][space] = store_planned_rows<std::uint64_t, I>;
  }
}

}  // namespace

void fill_memory(HandlerTable& t) {
  fill_form<AddressForm::kUniformAddress>(t);
  fill_form<AddressForm::kAffine32>(t);
  fill_form<AddressForm::kAffine64>(t);
  fill_rows<std::uint32_t, AddressForm::kRow32, Space::kLinear>(t);
  fill_rows<std::uint32_t, AddressForm::kRow32, Space::kAnySpace>(t);
  fill_rows<std::uint64_t, AddressForm::kRow64, Space::kLinear>(t);
  fill_rows<std::uint64_t, AddressForm::kRow64, Space::kAnySpace>(t);
  fill_private<std::uint32_t>(t);
  fill_private<std::uint64_t>(t);
  fill_bool<AddressForm::kUniformAddress>(t);
  fill_bool<AddressForm::kAffine32>(t);
  fill_bool<AddressForm::kAffine64>(t);
  fill_bool<AddressForm::kRow32>(t);
  fill_bool<AddressForm::kRow64>(t);
  fill_planned<std::uint32_t, AddressForm::kPlanned32>(t);
  fill_planned<std::uint64_t, AddressForm::kPlanned64>(t);
  t.make_plan[0] = make_plan<std::uint32_t>;
  t.make_plan[1] = make_plan<std::uint64_t>;
  t.load_uniform[0] = load_uniform<std::uint8_t, false>;
  t.load_uniform[1] = load_uniform<std::uint16_t, false>;
  t.load_uniform[2] = load_uniform<std::uint32_t, false>;
  t.load_uniform[3] = load_uniform<std::uint64_t, false>;
  t.load_uniform_bool = load_uniform<std::uint8_t, true>;
  t.address_uniform[0] = address_uniform<Index::kNone>;
  t.address_uniform[1] = address_uniform<Index::kSigned32>;
  t.address_uniform[2] = address_uniform<Index::kUnsigned32>;
  t.address_rows[0][0] = address_rows<false, Index::kNone>;
  t.address_rows[0][1] = address_rows<false, Index::kSigned32>;
  t.address_rows[0][2] = address_rows<false, Index::kUnsigned32>;
  t.address_rows[1][0] = address_rows<true, Index::kNone>;
  t.address_rows[1][1] = address_rows<true, Index::kSigned32>;
  t.address_rows[1][2] = address_rows<true, Index::kUnsigned32>;
}

}  // namespace transpire::vm::exec::TRANSPIRE_ISA
