// Instructions that report: checks of --check, printf, recorded results, counts; and the clock and fences.
#include <type_traits>

#include "base/rule.h"
#include "memory/translate.h"
#include "vm/exec/access.h"
#include "vm/exec/handlers.h"
#include "vm/exec/lanes.h"
#include "vm/exec/launch_notes.h"
#include "vm/exec/leave.h"
#include "vm/exec/observed.h"
#include "vm/exec/thread_fence.h"
#include "vm/program/immediates.h"
#include "vm/simd/lane.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

/// imm: how far behind it the instruction stands.
const Inst* observe(const Inst* ip, std::byte* r, Batch* batch) {
  if (!observe_next(ip + ip->imm, batch)) return leave_at(ip, Stop::kCancelled, batch);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

const Inst* printf_lanes(const Inst* ip, std::byte* r, Batch* batch) {
  if (!print_lanes(ip, r, batch) || cancelled(batch)) return stop(ip + 1, batch);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

struct LaneWords {
  std::uint64_t words[kMaskWords];
};

__attribute__((noinline, cold)) void report_words(Batch* batch, const Inst* ip, Rule rule,
                                                  LaneWords lanes) {
  report_lanes(batch, ip, static_cast<std::uint16_t>(rule), lanes.words);
}

/// For lanes in the handler's frame. A handler that passes on a pointer into its frame calls the
/// next one instead of jumping to it: then the stack grows with each instruction.
TRANSPIRE_INLINE void report_own(Batch* batch, const Inst* ip, Rule rule,
                                 const std::uint64_t* lanes) {
  LaneWords copy;
  for (std::uint32_t w = 0; w < kMaskWords; ++w) copy.words[w] = lanes[w];
  report_words(batch, ip, rule, copy);
}

/// imm: 1 when signed. Row operands a (dividend) and b (divisor).
template <class T>
const Inst* check_divide(const Inst* ip, std::byte* r, Batch* batch) {
  const T* a = row<T>(r, ip->a);
  const T* b = row<T>(r, ip->b);
  const T lowest = static_cast<T>(T{1} << (sizeof(T) * 8 - 1));
  std::uint64_t zero[kMaskWords] = {}, overflow[kMaskWords] = {};
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    zero[i / 64] |= std::uint64_t{b[i] == 0} << (i % 64);
    const bool wraps = ip->imm != 0 && a[i] == lowest && b[i] == static_cast<T>(-1);
    overflow[i / 64] |= std::uint64_t{wraps} << (i % 64);
  }
  for (std::uint32_t w = 0; w < kMaskWords; ++w) {
    zero[w] &= batch->mask[w];
    overflow[w] &= batch->mask[w];
  }
  if (any(zero)) report_own(batch, ip, Rule::kR0060, zero);
  if (any(overflow)) report_own(batch, ip, Rule::kR0061, overflow);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <class T>
const Inst* check_shift(const Inst* ip, std::byte* r, Batch* batch) {
  const T* b = row<T>(r, ip->b);
  std::uint64_t over[kMaskWords] = {};
  for (std::uint32_t i = 0; i < kLanes; ++i)
    over[i / 64] |= std::uint64_t{b[i] >= sizeof(T) * 8} << (i % 64);
  for (std::uint32_t w = 0; w < kMaskWords; ++w) over[w] &= batch->mask[w];
  if (any(over)) report_own(batch, ip, Rule::kR0062, over);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// imm: the elements there are. Row operands a (index) and b (address).
template <class T>
const Inst* check_index(const Inst* ip, std::byte* r, Batch* batch) {
  const T* a = row<T>(r, ip->a);
  const std::uint64_t* address = row<std::uint64_t>(r, ip->b);
  const auto index = [a](std::uint32_t i) {
    return std::int64_t{static_cast<std::make_signed_t<T>>(a[i])};
  };
  std::uint64_t over[kMaskWords] = {};
  for (std::uint32_t i = 0; i < kLanes; ++i)
    over[i / 64] |= std::uint64_t{static_cast<std::uint64_t>(index(i)) >= ip->imm} << (i % 64);
  for (std::uint32_t w = 0; w < kMaskWords; ++w) over[w] &= batch->mask[w];
  for_each_lane(over, [&](std::uint32_t i) { report_index(batch, ip, i, index(i), address[i]); });
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// Rows of addresses: a, where the chain begins, and b, where it leads. Most lanes' lie in one object.
const Inst* check_chains(const Inst* ip, std::byte* r, Batch* batch) {
  const std::uint64_t* a = row<std::uint64_t>(r, ip->a);
  const std::uint64_t* b = row<std::uint64_t>(r, ip->b);
  const memory::Allocation& object = memory::in_slot(*batch->memory, a[first_lane(batch->mask)]);
  const auto begin = splat(object.begin), bytes = splat(object.size_bytes);
  std::uint64_t other[kMaskWords];
  for (std::uint32_t w = 0; w < kMaskWords; ++w) {
    const auto outside = [&](const std::uint64_t* row, std::uint32_t lane) TRANSPIRE_INLINE_LAMBDA {
      return compare_vectors<Predicate::kUnsignedLess, std::uint64_t>(
          bytes, load(row + w * 64 + lane) - begin);
    };
    other[w] =
        batch->mask[w] & mask_word<std::uint64_t>([&](std::uint32_t lane) TRANSPIRE_INLINE_LAMBDA {
          return outside(a, lane) | outside(b, lane);
        });
  }
  if (any(other)) check_chain(ip, r, batch);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// The running lanes whose bit in the mask row a is 0.
const Inst* check_true(const Inst* ip, std::byte* r, Batch* batch) {
  const std::uint64_t* a = row<std::uint64_t>(r, ip->a);
  std::uint64_t wrong[kMaskWords] = {};
  for (std::uint32_t w = 0; w < kMaskWords; ++w) wrong[w] = batch->mask[w] & ~a[w];
  if (any(wrong)) report_own(batch, ip, Rule::kR0051, wrong);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// The running lanes whose bit in the mask row a is 1. imm: the rule.
const Inst* check_not(const Inst* ip, std::byte* r, Batch* batch) {
  const std::uint64_t* a = row<std::uint64_t>(r, ip->a);
  std::uint64_t wrong[kMaskWords] = {};
  for (std::uint32_t w = 0; w < kMaskWords; ++w) wrong[w] = batch->mask[w] & a[w];
  if (any(wrong)) report_own(batch, ip, static_cast<Rule>(RuleCheck::decode(ip->imm).rule), wrong);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// The running lanes in which a row of shadows has a bit.
template <class T>
TRANSPIRE_INLINE bool undefined_lanes(const T* shadow, const std::uint64_t* mask,
                                      std::uint64_t* lanes) {
  T all = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) all |= shadow[i];
  if (all == 0) return false;
  for (std::uint32_t w = 0; w < kMaskWords; ++w) lanes[w] = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i)
    lanes[i / 64] |= std::uint64_t{shadow[i] != 0} << (i % 64);
  for (std::uint32_t w = 0; w < kMaskWords; ++w) lanes[w] &= mask[w];
  return any(lanes);
}

template <Kind kKind>
TRANSPIRE_INLINE bool undefined_lanes(std::byte* r, std::uint32_t at, const std::uint64_t* mask,
                                      std::uint64_t* lanes) {
  if constexpr (kKind == Kind::kBool) {
    const std::uint64_t* a = row<std::uint64_t>(r, at);
    for (std::uint32_t w = 0; w < kMaskWords; ++w) lanes[w] = mask[w] & a[w];
    return any(lanes);
  } else {
    return undefined_lanes(row<Lane<kKind>>(r, at), mask, lanes);
  }
}

template <Kind kKind>
const Inst* check_defined(const Inst* ip, std::byte* r, Batch* batch) {
  std::uint64_t lanes[kMaskWords];
  if (undefined_lanes<kKind>(r, ip->a, batch->mask, lanes))
    report_own(batch, ip, Rule::kR0101, lanes);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <Kind kKind>
const Inst* check_stored(const Inst* ip, std::byte* r, Batch* batch) {
  std::uint64_t lanes[kMaskWords];
  if (undefined_lanes<kKind>(r, ip->b, batch->mask, lanes)) {
    const std::uint64_t* address = row<std::uint64_t>(r, ip->a);
    for_each_lane(lanes, [&](std::uint32_t i) { report_stored(batch, ip, i, address[i]); });
  }
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <Kind kKind>
const Inst* record_result(const Inst* ip, std::byte* r, Batch* batch) {
  record_lanes(ip, r, batch, kKind);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

const Inst* count_opcode(const Inst* ip, std::byte* r, Batch* batch) {
  batch->executed[ip->imm] += mask_count(batch->mask);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <int kOrder>
const Inst* fence(const Inst* ip, std::byte* r, Batch* batch) {
  thread_fence<kOrder>();
  TRANSPIRE_TAIL return next(ip, r, batch);
}

const Inst* clock(const Inst* ip, std::byte* r, Batch* batch) {
  const std::uint64_t now = monotonic_nanoseconds();
  std::uint64_t* d = row<std::uint64_t>(r, ip->d);
  for_each_lane(batch->mask, [&](std::uint32_t i) { d[i] = now; });
  TRANSPIRE_TAIL return next(ip, r, batch);
}

const Inst* order_memory(const Inst* ip, std::byte* r, Batch* batch) {
  announce_order(ip, batch);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

struct Printf : AnyKind<printf_lanes> {};
struct CheckDivide {
  template <Kind kKind>
  static constexpr Handler rows = check_divide<Lane<kKind>>;
};
struct CheckShift {
  template <Kind kKind>
  static constexpr Handler rows = check_shift<Lane<kKind>>;
};
struct CheckIndex {
  template <Kind kKind>
  static constexpr Handler rows = check_index<Lane<kKind>>;
};
/// Operands in rows, or both in scalars.
template <Handler kRow, Handler kScalars>
struct RowsOrScalars {
  template <Kind>
  static constexpr Handler rows = kRow;
  template <Kind>
  static constexpr Handler scalar = kScalars;
};
struct CheckChain : RowsOrScalars<check_chains, each<check_chain_scalars>> {};
struct CheckFlag : RowsOrScalars<each<check_flag>, each<check_flag_scalars>> {};
struct CheckView : RowsOrScalars<each<check_view>, each<check_view_scalars>> {};
struct CheckAlias : RowsOrScalars<each<check_alias>, each<check_alias_scalars>> {};
struct CheckNot : AnyKind<check_not> {};
struct CheckTrue : AnyKind<check_true> {};
struct CheckDefined {
  template <Kind kKind>
  static constexpr Handler rows = check_defined<kKind>;
};
struct CheckStored {
  template <Kind kKind>
  static constexpr Handler rows = check_stored<kKind>;
};
struct RecordResult {
  template <Kind kKind>
  static constexpr Handler rows = record_result<kKind>;
};
struct Count : AnyKind<count_opcode> {};
struct Fence : AnyKind<fence<__ATOMIC_SEQ_CST>> {};
struct GroupFence : AnyKind<fence<__ATOMIC_ACQ_REL>> {};
struct Clock : AnyKind<clock> {};
struct AnnounceOrder : AnyKind<order_memory> {};
struct Observe : AnyKind<observe> {};

}  // namespace

void fill_report(HandlerTable& table) {
#define TRANSPIRE_SPECIAL TRANSPIRE_FILL_SPECIAL
#include "vm/ops/report.def"
#undef TRANSPIRE_SPECIAL
}

}  // namespace transpire::vm::TRANSPIRE_ISA
