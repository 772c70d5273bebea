// AnnounceRow: checks the addresses of the next load or store, and passes the observer the correct
// ones. The access itself reports the others.
#include "vm/exec/observed.h"
#include "vm/exec/row_accesses.h"
#include "vm/exec/undefined_notes.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

using Announced = HandlerTable::Announced;

TRANSPIRE_INLINE AccessKind kind_of(Announced what) {
  return what == Announced::kAnnouncedLoad ? AccessKind::kLoad : AccessKind::kStore;
}

/// A row without the members that differ by part. `row` has the addresses.
template <Announced kAnnounced>
TRANSPIRE_INLINE void tell_whole(const Inst* ip, Batch* batch, const Access& access,
                                 ObservedRow& row, std::uint64_t low, std::uint64_t high) {
  row.kind = kind_of(kAnnounced);
  row.lanes = batch->mask;
  row.stores_bools = kAnnounced == Announced::kAnnouncedStoreOfBools;
  const Allocation* a = resolve<kAnnounced != Announced::kAnnouncedLoad>(batch, access, low, high);
  if (a != nullptr && a->region == Region::kPrivate) return;
  if (a != nullptr) {
    row.is_workgroup = a->region == Region::kWorkgroup;
    row.begin = a->begin;
    row.host = host_of(batch, a);
  }
  tell_parts(ip + 1, batch, access, row);
}

template <Announced kAnnounced>
TRANSPIRE_INLINE void announce_lanes(const Inst* ip, Batch* batch, const Access& access,
                                     const Lanes& lanes) {
  ObservedRow row;
  row.base = lanes.base;
  row.stride = lanes.stride;
  if (lanes.offset == nullptr)
    return tell_whole<kAnnounced>(ip, batch, access, row, lanes.low, lanes.high);
  alignas(64) std::uint64_t address[kLanes];
  for (std::uint32_t i = 0; i < kLanes; ++i) address[i] = lanes.base + lanes.offset[i];
  row.addresses = address;
  tell_whole<kAnnounced>(ip, batch, access, row, lanes.low, lanes.high);
}

template <Announced kAnnounced>
TRANSPIRE_INLINE void tell_list(const Inst* ip, Batch* batch, const Access& access,
                                const List& list) {
  alignas(64) std::uint64_t address[kLanes];
  std::uint64_t low = ~std::uint64_t{0}, high = 0;
  for (std::uint32_t k = 0; k < list.count; ++k) {
    const std::uint64_t each = list.address[k];
    address[list.lane[k]] = each;
    low = each < low ? each : low;
    high = each > high ? each : high;
  }
  ObservedRow row;
  row.addresses = address;
  tell_whole<kAnnounced>(ip, batch, access, row, low, high);
}

/// Calls one of the two with the addresses of the access, whatever form they have.
template <AddressForm kForm, class F, class G>
TRANSPIRE_INLINE void with_addresses(const Inst* ip, std::byte* r, Batch* batch, F lanes, G list) {
  const auto& access = *ip->access;
  if constexpr (kForm == AddressForm::kPlanned32 || kForm == AddressForm::kPlanned64) {
    using I = std::conditional_t<kForm == AddressForm::kPlanned32, std::uint32_t, std::uint64_t>;
    alignas(64) I index[kLanes];
    add_shared(*row<IndexPlan>(r, ip->c), r, scalar<I>(r, ip->b), index);
    with_row(batch, access, base_of(ip, r, access), WideRow(index, access).lanes, lanes, list);
  } else {
    with_lanes<kForm>(ip, r, batch, access, lanes, list);
  }
}

template <Announced kAnnounced, AddressForm kForm>
__attribute__((noinline)) void tell_any(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *ip->access;
  with_addresses<kForm>(
      ip, r, batch, [&](const Lanes& all) { announce_lanes<kAnnounced>(ip, batch, access, all); },
      [&](const List& some) { tell_list<kAnnounced>(ip, batch, access, some); });
}

template <Announced kAnnounced, AddressForm kForm>
const Inst* announce(const Inst* ip, std::byte* r, Batch* batch) {
  if (batch->observer != nullptr) tell_any<kAnnounced, kForm>(ip, r, batch);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <Announced kAnnounced>
void fill_announced(HandlerTable& t) {
  const auto all = [&]<std::size_t... kForm>(std::index_sequence<kForm...>) {
    ((t.announce_row[kAnnounced][kForm] = announce<kAnnounced, static_cast<AddressForm>(kForm)>),
     ...);
  };
  all(std::make_index_sequence<AddressForm::kAddressForms>{});
}

struct AnnounceRow {
  static void fill(HandlerTable& t) {
    fill_announced<Announced::kAnnouncedLoad>(t);
    fill_announced<Announced::kAnnouncedStore>(t);
    fill_announced<Announced::kAnnouncedStoreOfBools>(t);
  }
};

// ---- NoteUndefined ----------------------------------------------------------------------------

/// True if some component has a bit in any lane.
TRANSPIRE_INLINE bool any_bit(const Access& access, std::byte* r) {
  const std::uint32_t words = access.bytes / access.components * kLanes / 8;
  std::uint64_t all = 0;
  for (std::uint32_t c = 0; c < access.components; ++c) {
    const std::uint64_t* component = row<std::uint64_t>(r, access.values[c]);
    for (std::uint32_t i = 0; i < words; ++i) all |= component[i];
  }
  return all != 0;
}

/// Looks at running lanes only: others keep old values.
template <class T>
TRANSPIRE_INLINE bool any_running(const Access& access, std::byte* r, const Batch* batch) {
  std::uint64_t all = 0;
  for (std::uint32_t c = 0; c < access.components; ++c) {
    const T* component = row<T>(r, access.values[c]);
    for (std::uint32_t w = 0; w < kMaskWords; ++w) {
      std::uint64_t lanes = 0;
      for (std::uint32_t i = 0; i < 64; ++i)
        lanes |= std::uint64_t{component[w * 64 + i] != 0} << i;
      all |= lanes & batch->mask[w];
    }
  }
  return all != 0;
}

__attribute__((noinline)) bool is_undefined(const Access& access, std::byte* r,
                                            const Batch* batch) {
  switch (access.bytes / access.components) {
    case 1:
      return any_running<std::uint8_t>(access, r, batch);
    case 2:
      return any_running<std::uint16_t>(access, r, batch);
    case 4:
      return any_running<std::uint32_t>(access, r, batch);
    default:
      return any_running<std::uint64_t>(access, r, batch);
  }
}

template <AddressForm kForm>
__attribute__((noinline)) void note_rows(const Inst* ip, std::byte* r, Batch* batch) {
  if (!is_undefined(*ip->access, r, batch)) {
    if (batch->loaded_undefined) note_defined(batch, ip);
    return;
  }
  alignas(64) std::uint64_t address[kLanes];
  with_addresses<kForm>(
      ip, r, batch,
      [&](const Lanes& lanes) {
        for (std::uint32_t i = 0; i < kLanes; ++i) address[i] = address_of(lanes, i);
      },
      [&](const List& list) {
        for (std::uint32_t k = 0; k < list.count; ++k) address[list.lane[k]] = list.address[k];
      });
  note_undefined(batch, ip, address);
}

template <AddressForm kForm>
const Inst* note(const Inst* ip, std::byte* r, Batch* batch) {
  if (any_bit(*ip->access, r))
    note_rows<kForm>(ip, r, batch);
  else if (batch->loaded_undefined)
    note_defined(batch, ip);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

const Inst* note_uniform(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *ip->access;
  const std::uint32_t size = access.bytes / access.components;
  std::uint64_t all = 0;
  for (std::uint32_t c = 0; c < access.components; ++c)
    all |= scalar<std::uint64_t>(r, access.values[c]) << (64 - 8 * size);
  if (all != 0)
    note_uniform_undefined(batch, ip, base_of(ip, r, access));
  else if (batch->loaded_undefined)
    note_defined(batch, ip);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

struct NoteUndefined {
  static void fill(HandlerTable& t) {
    const auto all = [&]<std::size_t... kForm>(std::index_sequence<kForm...>) {
      ((t.note_undefined[kForm] = note<static_cast<AddressForm>(kForm)>), ...);
    };
    all(std::make_index_sequence<AddressForm::kAddressForms>{});
    t.note_uniform_undefined = note_uniform;
  }
};

}  // namespace

void fill_announce(HandlerTable& table) {
#define TRANSPIRE_SPECIAL TRANSPIRE_FILL_SPECIAL
#include "vm/ops/announce.def"
#undef TRANSPIRE_SPECIAL
}

}  // namespace transpire::vm::TRANSPIRE_ISA
