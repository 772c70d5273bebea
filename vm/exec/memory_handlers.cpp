// Loads, stores and address arithmetic on rows.
//
// A handler first looks at the whole batch: the lowest and highest address of its running lanes
// must lie in one allocation that permits the access. Then the lanes are copied without further
// checks: as one block when consecutive, else gathered in chunks. Otherwise every lane goes through
// the checked slow path (access.h), which also reports mistakes.
#include "vm/exec/row_accesses.h"
#include "vm/simd/lane.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

/// A handler with a body of its own, where g++ would not make the call of the next one a tail call:
/// returns from as many handlers as a block has are predicted badly. Handlers leave by it for what is
/// seldom met: with a call of their own they would save registers on the way that is not.
template <void (*kBody)(const Inst*, std::byte*, Batch*)>
__attribute__((noinline)) const Inst* after(const Inst* ip, std::byte* r, Batch* batch) {
  kBody(ip, r, batch);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <class T, AddressForm kForm>
void load_any(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *ip->access;
  T* out[kMaxComponents];
  for (std::uint32_t c = 0; c < access.components; ++c) out[c] = row<T>(r, access.values[c]);
  with_lanes<kForm>(
      ip, r, batch, access, [&](const Lanes& lanes) { load(batch, ip, access, lanes, out); },
      [&](const List& list) { load_list(batch, ip, access, list, out); });
}

template <class T, AddressForm kForm>
void store_any(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *ip->access;
  const T* in[kMaxComponents];
  for (std::uint32_t c = 0; c < access.components; ++c) in[c] = row<T>(r, access.values[c]);
  with_lanes<kForm>(
      ip, r, batch, access, [&](const Lanes& lanes) { store(batch, ip, access, lanes, in); },
      [&](const List& list) { store_list(batch, ip, access, list, in); });
}

template <class T>
__attribute__((noinline)) bool load_whole_tuples(const Access& access, std::byte* r,
                                                 const std::byte* host) {
  T* out[kMaxComponents];
  for (std::uint32_t c = 0; c < access.components; ++c) out[c] = row<T>(r, access.values[c]);
  return with_tuple(access.components, [&]<std::uint32_t n>() TRANSPIRE_INLINE_LAMBDA {
    Tuples<T, n>::load_whole(host, out);
  });
}

template <class T>
__attribute__((noinline)) bool store_whole_tuples(const Access& access, std::byte* r,
                                                  std::byte* host) {
  const T* in[kMaxComponents];
  for (std::uint32_t c = 0; c < access.components; ++c) in[c] = row<T>(r, access.values[c]);
  return with_tuple(access.components, [&]<std::uint32_t n>() TRANSPIRE_INLINE_LAMBDA {
    Tuples<T, n>::store_whole(host, in);
  });
}

template <class T, AddressForm kForm>
__attribute__((noinline)) const Inst* load_tuple_row(const Inst* ip, std::byte* r, Batch* batch,
                                                     const std::byte* host) {
  if (!load_whole_tuples<T>(*ip->access, r, host)) return after<load_any<T, kForm>>(ip, r, batch);
  return next(ip, r, batch);
}

template <class T, AddressForm kForm>
__attribute__((noinline)) const Inst* store_tuple_row(const Inst* ip, std::byte* r, Batch* batch,
                                                      std::byte* host) {
  if (!store_whole_tuples<T>(*ip->access, r, host)) return after<store_any<T, kForm>>(ip, r, batch);
  return next(ip, r, batch);
}

/// For the affine forms.
template <class T, AddressForm kForm>
const Inst* load_rows(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *ip->access;
  const std::byte* host = whole_row<kForm, false>(ip, r, batch, access);
  if (host == nullptr) TRANSPIRE_TAIL return after<load_any<T, kForm>>(ip, r, batch);
  if (access.components != 1) return load_tuple_row<T, kForm>(ip, r, batch, host);
  copy_row<T>(row<T>(r, access.values[0]), host);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <class T, AddressForm kForm>
const Inst* store_rows(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *ip->access;
  std::byte* host = whole_row<kForm, true>(ip, r, batch, access);
  if (host == nullptr) TRANSPIRE_TAIL return after<store_any<T, kForm>>(ip, r, batch);
  if (access.components != 1) return store_tuple_row<T, kForm>(ip, r, batch, host);
  copy_row<T>(host, row<T>(r, access.values[0]));
  TRANSPIRE_TAIL return next(ip, r, batch);
}

// ---- Index rows -------------------------------------------------------------------------------

/// Handles the cases that the fast paths below leave: findings, workgroup memory of several groups,
/// negative scales. The indices have been widened.
template <class T>
__attribute__((noinline)) void load_checked_row(const Inst* ip, Batch* batch, std::uint64_t origin,
                                                const std::uint64_t* index, T* const* out) {
  const auto& access = *ip->access;
  with_row(
      batch, access, origin + static_cast<std::uint64_t>(access.offset), index,
      [&](const Lanes& lanes) { load(batch, ip, access, lanes, out); },
      [&](const List& list) { load_list(batch, ip, access, list, out); });
}

template <class T>
__attribute__((noinline)) void store_checked_row(const Inst* ip, Batch* batch, std::uint64_t origin,
                                                 const std::uint64_t* index, const T* const* in) {
  const auto& access = *ip->access;
  with_row(
      batch, access, origin + static_cast<std::uint64_t>(access.offset), index,
      [&](const Lanes& lanes) { store(batch, ip, access, lanes, in); },
      [&](const List& list) { store_list(batch, ip, access, list, in); });
}

template <class T, class I>
__attribute__((noinline)) void load_widened(const Inst* ip, Batch* batch, std::uint64_t origin,
                                            const I* index, T* const* out) {
  const WideRow wide(index, *ip->access);
  load_checked_row(ip, batch, origin, wide.lanes, out);
}

template <class T, class I>
__attribute__((noinline)) void store_widened(const Inst* ip, Batch* batch, std::uint64_t origin,
                                             const I* index, const T* const* in) {
  const WideRow wide(index, *ip->access);
  store_checked_row(ip, batch, origin, wide.lanes, in);
}

template <class T, class I>
__attribute__((noinline)) void load_row(const Inst* ip, Batch* batch, std::uint64_t origin,
                                        const I* index, T* const* out) {
  const auto& access = *ip->access;
  if (load_plain_row(batch, access, origin, index, out)) return;
  load_widened(ip, batch, origin, index, out);
}

template <class T, class I>
__attribute__((noinline)) void store_row(const Inst* ip, Batch* batch, std::uint64_t origin,
                                         const I* index, const T* const* in) {
  const auto& access = *ip->access;
  if (store_plain_row(batch, access, origin, index, in)) return;
  store_widened(ip, batch, origin, index, in);
}

template <class T, class I, Space kSpace>
const Inst* load_index_rows(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *ip->access;
  T* out[kMaxComponents];
  for (std::uint32_t c = 0; c < access.components; ++c) out[c] = row<T>(r, access.values[c]);
  const auto origin = scalar<std::uint64_t>(r, ip->a);
  const I* index = row<I>(r, ip->b);
  if (kSpace != Space::kAnySpace || !load_private_array(batch, access, origin, index, out))
    load_row(ip, batch, origin, index, out);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <class T, class I, Space kSpace>
const Inst* store_index_rows(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *ip->access;
  const T* in[kMaxComponents];
  for (std::uint32_t c = 0; c < access.components; ++c) in[c] = row<T>(r, access.values[c]);
  const auto origin = scalar<std::uint64_t>(r, ip->a);
  const I* index = row<I>(r, ip->b);
  if (kSpace != Space::kAnySpace || !store_private_array(batch, access, origin, index, in))
    store_row(ip, batch, origin, index, in);
  TRANSPIRE_TAIL return next(ip, r, batch);
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
  const auto& known = static_cast<const PrivateAccess&>(*ip->access);
  T* out = row<T>(r, known.values[0]);
  const I* index = row<I>(r, ip->b);
  const Scaling<I, false> bytes_to{static_cast<std::uint64_t>(known.scale)};
  if (all_good(known, batch, index))
    load_private_component(batch, known.start, bytes_to, index, out);
  else
    load_widened(ip, batch, scalar<std::uint64_t>(r, ip->a), index, &out);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <class T, class I>
const Inst* store_private_rows(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& known = static_cast<const PrivateAccess&>(*ip->access);
  const T* in = row<T>(r, known.values[0]);
  const I* index = row<I>(r, ip->b);
  const Scaling<I, false> bytes_to{static_cast<std::uint64_t>(known.scale)};
  if (all_good(known, batch, index))
    store_private_indexed(batch, 1, known.start, bytes_to, index, &in);
  else
    store_widened(ip, batch, scalar<std::uint64_t>(r, ip->a), index, &in);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// Booleans are bytes in memory and bit masks in rows.
template <AddressForm kForm>
const Inst* load_bool(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *ip->access;
  alignas(64) std::uint8_t bytes[kMaxComponents][kLanes] = {};
  std::uint8_t* out[kMaxComponents];
  for (std::uint32_t c = 0; c < access.components; ++c) out[c] = bytes[c];
  const auto listed = [&](const List& list) { load_list(batch, ip, access, list, out); };
  with_lanes<kForm>(
      ip, r, batch, access, [&](const Lanes& lanes) { load(batch, ip, access, lanes, out); },
      listed);
  for (std::uint32_t c = 0; c < access.components; ++c)
    bytes_to_mask(row<std::uint64_t>(r, access.values[c]), bytes[c]);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <AddressForm kForm>
__attribute__((noinline)) void store_bool(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *ip->access;
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

// ---- Planned rows: a scalar base, b shared part of the index, c plan ---------------------------

template <class T, class I>
void load_unplanned(const Inst* ip, std::byte* r, Batch* batch) {
  T* out[kMaxComponents];
  for (std::uint32_t c = 0; c < ip->access->components; ++c)
    out[c] = row<T>(r, ip->access->values[c]);
  alignas(64) I index[kLanes];
  add_shared(*row<IndexPlan>(r, ip->c), r, scalar<I>(r, ip->b), index);
  load_row(ip, batch, scalar<std::uint64_t>(r, ip->a), index, out);
}

template <class T, class I>
void store_unplanned(const Inst* ip, std::byte* r, Batch* batch) {
  const T* in[kMaxComponents];
  for (std::uint32_t c = 0; c < ip->access->components; ++c)
    in[c] = row<T>(r, ip->access->values[c]);
  alignas(64) I index[kLanes];
  add_shared(*row<IndexPlan>(r, ip->c), r, scalar<I>(r, ip->b), index);
  store_row(ip, batch, scalar<std::uint64_t>(r, ip->a), index, in);
}

/// The place of a plan's offset 0.
struct PlannedPlace {
  std::byte* host = nullptr;  ///< null if the plan does not fit this access
  bool is_workgroup = false;
};

template <bool kWrite, class I>
TRANSPIRE_INLINE PlannedPlace planned_place(const Inst* ip, std::byte* r, const Batch* batch,
                                            const Access& access, const IndexPlan& plan) {
  std::uint64_t start;
  if (!plan_start(plan, access, base_of(ip, r, access), scalar<I>(r, ip->b), &start)) return {};
  const Allocation* a = resolve<kWrite>(batch, access, start, start + plan.span);
  if (a == nullptr || !is_plain(batch, a) || ((start | plan.bits) & access.align_mask) != 0)
    return {};
  return {host_of(batch, a) + (start - a->begin), a->region == Region::kWorkgroup};
}

/// Several components.
template <class T, class I>
__attribute__((noinline)) const Inst* load_planned_tuples(const Inst* ip, std::byte* r,
                                                          Batch* batch) {
  const auto& access = *ip->access;
  const IndexPlan& plan = *row<IndexPlan>(r, ip->c);
  const std::byte* host = planned_place<false, I>(ip, r, batch, access, plan).host;
  if (host == nullptr) TRANSPIRE_TAIL return after<load_unplanned<T, I>>(ip, r, batch);
  T* out[kMaxComponents];
  for (std::uint32_t c = 0; c < access.components; ++c) out[c] = row<T>(r, access.values[c]);
  load_planned(plan, host, access.components, out);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <class T, class I>
__attribute__((noinline)) const Inst* store_planned_tuples(const Inst* ip, std::byte* r,
                                                           Batch* batch) {
  const auto& access = *ip->access;
  const IndexPlan& plan = *row<IndexPlan>(r, ip->c);
  std::byte* host = planned_place<true, I>(ip, r, batch, access, plan).host;
  if (host == nullptr) TRANSPIRE_TAIL return after<store_unplanned<T, I>>(ip, r, batch);
  const T* in[kMaxComponents];
  for (std::uint32_t c = 0; c < access.components; ++c) in[c] = row<T>(r, access.values[c]);
  store_planned(plan, host, access.components, batch, in);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

// Rows far apart miss the caches, and as many are fetched at a time as the processor's buffers hold: what these two
// keep on the stack takes the place of that.

template <class T, class I>
const Inst* load_planned_rows(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *ip->access;
  if (access.components != 1) TRANSPIRE_TAIL return load_planned_tuples<T, I>(ip, r, batch);
  const IndexPlan& plan = *row<IndexPlan>(r, ip->c);
  const std::byte* host = planned_place<false, I>(ip, r, batch, access, plan).host;
  if (host == nullptr) TRANSPIRE_TAIL return after<load_unplanned<T, I>>(ip, r, batch);
  load_planned(plan, host, row<T>(r, access.values[0]));
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <class T, class I>
const Inst* store_planned_rows(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *ip->access;
  if (access.components != 1) TRANSPIRE_TAIL return store_planned_tuples<T, I>(ip, r, batch);
  const IndexPlan& plan = *row<IndexPlan>(r, ip->c);
  const PlannedPlace place = planned_place<true, I>(ip, r, batch, access, plan);
  if (place.host == nullptr) TRANSPIRE_TAIL return after<store_unplanned<T, I>>(ip, r, batch);
  store_planned(plan, place.host, row<T>(r, access.values[0]), batch, !place.is_workgroup);
  TRANSPIRE_TAIL return next(ip, r, batch);
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
void load_uniform_slow(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *ip->access;
  const std::uint64_t address = base_of(ip, r, access);
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
  const auto& access = *ip->access;
  const std::uint64_t address = base_of(ip, r, access);
  const Allocation* a = resolve<false>(batch, access, address, address);
  if (a == nullptr || !is_plain(batch, a) || (address & access.align_mask) != 0)
    TRANSPIRE_TAIL return after<load_uniform_slow<T, kBool>>(ip, r, batch);
  const std::byte* host = host_of(batch, a) + (address - a->begin);
  const std::uint32_t* to = access.values;
  for (std::uint32_t n = access.components; n != 0; --n, host += sizeof(T)) {
    T value;
    __builtin_memcpy(&value, host, sizeof(T));
    set_scalar<T, kBool>(r, *to++, value);
  }
  TRANSPIRE_TAIL return next(ip, r, batch);
}

// ---- Address arithmetic -----------------------------------------------------------------------

template <Index kIndex>
const Inst* address_uniform(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *ip->access;
  scalar<std::uint64_t>(r, ip->d) =
      scalar<std::uint64_t>(r, ip->a) +
      widen<kIndex>(scalar<std::uint64_t>(r, ip->b)) * static_cast<std::uint64_t>(access.scale) +
      static_cast<std::uint64_t>(access.offset);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <bool kBaseRow, Index kIndex>
const Inst* address_rows(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *ip->access;
  using I = std::conditional_t<kIndex == Index::kNone, std::uint64_t, std::uint32_t>;
  const I* index = row<I>(r, ip->b);
  std::uint64_t* d = row<std::uint64_t>(r, ip->d);
  const auto scale = static_cast<std::uint64_t>(access.scale);
  const auto offset = static_cast<std::uint64_t>(access.offset);
  if constexpr (kBaseRow) {
    const std::uint64_t* a = row<std::uint64_t>(r, ip->a);
    TRANSPIRE_IVDEP
    for (std::uint32_t i = 0; i < kLanes; ++i)
      d[i] = a[i] + widen<kIndex>(index[i]) * scale + offset;
  } else {
    const std::uint64_t a = scalar<std::uint64_t>(r, ip->a) + offset;
    TRANSPIRE_IVDEP
    for (std::uint32_t i = 0; i < kLanes; ++i) d[i] = a + widen<kIndex>(index[i]) * scale;
  }
  TRANSPIRE_TAIL return next(ip, r, batch);
}

// ---- The table --------------------------------------------------------------------------------

/// fill.operator()<T>(size class) for the unsigned integers of 1, 2, 4 and 8 bytes.
template <class Fill>
void for_sizes(Fill fill) {
  fill.template operator()<std::uint8_t>(0);
  fill.template operator()<std::uint16_t>(1);
  fill.template operator()<std::uint32_t>(2);
  fill.template operator()<std::uint64_t>(3);
}

enum class Way : bool { kLoad, kStore };

template <Way kWay, class T, AddressForm kForm>
constexpr Handler handler_of() {
  if constexpr (kForm == AddressForm::kUniformAddress)
    return kWay == Way::kLoad ? after<load_any<T, kForm>> : after<store_any<T, kForm>>;
  else
    return kWay == Way::kLoad ? load_rows<T, kForm> : store_rows<T, kForm>;
}

/// One set serves all spaces.
template <Way kWay, AddressForm kForm>
void fill_form(HandlerTable& t) {
  for (int space = 0; space < HandlerTable::kSpaceClasses; ++space) {
    for_sizes([&]<class T>(int size) {
      auto& table = kWay == Way::kLoad ? t.load : t.store;
      table[size][kForm][space] = handler_of<kWay, T, kForm>();
    });
  }
}

template <Way kWay, class I, AddressForm kForm, Space kSpace>
void fill_rows(HandlerTable& t) {
  for_sizes([&]<class T>(int size) {
    if constexpr (kWay == Way::kLoad)
      t.load[size][kForm][kSpace] = load_index_rows<T, I, kSpace>;
    else
      t.store[size][kForm][kSpace] = store_index_rows<T, I, kSpace>;
  });
}

template <Way kWay, class I>
void fill_private(HandlerTable& t) {
  constexpr int kWide = sizeof(I) == 8 ? 1 : 0;
  for_sizes([&]<class T>(int size) {
    if constexpr (kWay == Way::kLoad)
      t.load_private[size][kWide] = load_private_rows<T, I>;
    else
      t.store_private[size][kWide] = store_private_rows<T, I>;
  });
}

template <Way kWay, AddressForm kForm>
void fill_bool(HandlerTable& t) {
  for (int space = 0; space < HandlerTable::kSpaceClasses; ++space) {
    if constexpr (kWay == Way::kLoad)
      t.load_bool[kForm][space] = load_bool<kForm>;
    else
      t.store_bool[kForm][space] = after<store_bool<kForm>>;
  }
}

/// Booleans have no planned form: emission gives them a row.
template <Way kWay, class I, AddressForm kForm>
void fill_planned(HandlerTable& t) {
  for (int space = 0; space < HandlerTable::kSpaceClasses; ++space) {
    for_sizes([&]<class T>(int size) {
      if constexpr (kWay == Way::kLoad)
        t.load[size][kForm][space] = load_planned_rows<T, I>;
      else
        t.store[size][kForm][space] = store_planned_rows<T, I>;
    });
  }
}

template <Way kWay>
void fill_accesses(HandlerTable& t) {
  fill_form<kWay, AddressForm::kUniformAddress>(t);
  fill_form<kWay, AddressForm::kAffine32>(t);
  fill_form<kWay, AddressForm::kAffine64>(t);
  fill_rows<kWay, std::uint32_t, AddressForm::kRow32, Space::kLinear>(t);
  fill_rows<kWay, std::uint32_t, AddressForm::kRow32, Space::kAnySpace>(t);
  fill_rows<kWay, std::uint64_t, AddressForm::kRow64, Space::kLinear>(t);
  fill_rows<kWay, std::uint64_t, AddressForm::kRow64, Space::kAnySpace>(t);
  fill_private<kWay, std::uint32_t>(t);
  fill_private<kWay, std::uint64_t>(t);
  fill_bool<kWay, AddressForm::kUniformAddress>(t);
  fill_bool<kWay, AddressForm::kAffine32>(t);
  fill_bool<kWay, AddressForm::kAffine64>(t);
  fill_bool<kWay, AddressForm::kRow32>(t);
  fill_bool<kWay, AddressForm::kRow64>(t);
  fill_planned<kWay, std::uint32_t, AddressForm::kPlanned32>(t);
  fill_planned<kWay, std::uint64_t, AddressForm::kPlanned64>(t);
}

struct Load {
  static void fill(HandlerTable& t) {
    fill_accesses<Way::kLoad>(t);
    for_sizes([&]<class T>(int size) { t.load_uniform[size] = load_uniform<T, false>; });
    t.load_uniform_bool = load_uniform<std::uint8_t, true>;
  }
};

struct Store {
  static void fill(HandlerTable& t) { fill_accesses<Way::kStore>(t); }
};

struct Address {
  static void fill(HandlerTable& t) {
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
};

struct MakePlan {
  template <Kind kKind>
  static constexpr Handler rows = make_plan<Lane<kKind>>;
};

}  // namespace

void fill_memory(HandlerTable& table) {
#define TRANSPIRE_SPECIAL TRANSPIRE_FILL_SPECIAL
#include "vm/ops/memory.def"
#undef TRANSPIRE_SPECIAL
}

}  // namespace transpire::vm::TRANSPIRE_ISA
