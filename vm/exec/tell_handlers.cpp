// TellRow: looks at the addresses of the load or store behind it, and tells the observer of those that are in order. What is
// not is found by the access itself.
#include "vm/exec/observed.h"
#include "vm/exec/row_accesses.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

using Told = HandlerTable::Told;

TRANSPIRE_INLINE AccessKind kind_of(Told told) {
  return told == Told::kToldLoad ? AccessKind::kLoad : AccessKind::kStore;
}

/// A row without what its parts have each for itself. `row` has the addresses.
template <Told kTold>
TRANSPIRE_INLINE void tell_whole(const Inst* ip, Batch* batch, const Access& access,
                                 ObservedRow& row, std::uint64_t low, std::uint64_t high) {
  row.kind = kind_of(kTold);
  row.lanes = batch->mask;
  row.stores_bools = kTold == Told::kToldStoreOfBools;
  const Allocation* a = resolve<kTold != Told::kToldLoad>(batch, access, low, high);
  if (a != nullptr && a->region == Region::kPrivate) return;
  if (a != nullptr) {
    row.is_workgroup = a->region == Region::kWorkgroup;
    row.begin = a->begin;
    row.host = host_of(batch, a);
  }
  tell_parts(ip + 1, batch, access, row);
}

template <Told kTold>
TRANSPIRE_INLINE void tell_lanes(const Inst* ip, Batch* batch, const Access& access,
                                 const Lanes& lanes) {
  ObservedRow row;
  row.base = lanes.base;
  row.stride = lanes.stride;
  if (lanes.offset == nullptr)
    return tell_whole<kTold>(ip, batch, access, row, lanes.low, lanes.high);
  alignas(64) std::uint64_t address[kLanes];
  for (std::uint32_t i = 0; i < kLanes; ++i) address[i] = lanes.base + lanes.offset[i];
  row.addresses = address;
  tell_whole<kTold>(ip, batch, access, row, lanes.low, lanes.high);
}

template <Told kTold>
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
  tell_whole<kTold>(ip, batch, access, row, low, high);
}

template <Told kTold, AddressForm kForm>
__attribute__((noinline)) void tell_any(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *ip->access;
  const auto lanes = [&](const Lanes& all) { tell_lanes<kTold>(ip, batch, access, all); };
  const auto list = [&](const List& some) { tell_list<kTold>(ip, batch, access, some); };
  if constexpr (kForm == AddressForm::kPlanned32 || kForm == AddressForm::kPlanned64) {
    using I = std::conditional_t<kForm == AddressForm::kPlanned32, std::uint32_t, std::uint64_t>;
    alignas(64) I index[kLanes];
    add_shared(*row<IndexPlan>(r, ip->c), r, scalar<I>(r, ip->b), index);
    with_row(batch, access, base_of(ip, r, access), WideRow(index, access).lanes, lanes, list);
  } else {
    with_lanes<kForm>(ip, r, batch, access, lanes, list);
  }
}

template <Told kTold, AddressForm kForm>
const Inst* tell(const Inst* ip, std::byte* r, Batch* batch) {
  if (batch->observer != nullptr) tell_any<kTold, kForm>(ip, r, batch);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <Told kTold>
void fill_told(HandlerTable& t) {
  const auto all = [&]<std::size_t... kForm>(std::index_sequence<kForm...>) {
    ((t.tell_row[kTold][kForm] = tell<kTold, static_cast<AddressForm>(kForm)>), ...);
  };
  all(std::make_index_sequence<AddressForm::kAddressForms>{});
}

struct TellRow {
  static void fill(HandlerTable& t) {
    fill_told<Told::kToldLoad>(t);
    fill_told<Told::kToldStore>(t);
    fill_told<Told::kToldStoreOfBools>(t);
  }
};

}  // namespace

void fill_tell(HandlerTable& table) {
#define TRANSPIRE_SPECIAL TRANSPIRE_FILL_SPECIAL
#include "vm/ops/tell.def"
#undef TRANSPIRE_SPECIAL
}

}  // namespace transpire::vm::TRANSPIRE_ISA
