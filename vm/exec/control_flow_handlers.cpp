// Control flow over pending blocks. A jump to a block above the lowest pending one parks its lanes
// there and goes on with the lowest, so that lanes meet again as early as the block order allows.
#include "base/rule.h"
#include "vm/exec/access.h"
#include "vm/exec/handlers.h"
#include "vm/exec/lanes.h"
#include "vm/exec/leave.h"
#include "vm/exec/thread_fence.h"
#include "vm/simd/lane.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

TRANSPIRE_INLINE void park(Batch* batch, std::uint32_t block, const std::uint64_t* lanes) {
  std::uint64_t* p = batch->pending + std::uint64_t{block} * kMaskWords;
  for (std::uint32_t w = 0; w < kMaskWords; ++w) p[w] |= lanes[w];
  batch->pending_set[block / 64] |= std::uint64_t{1} << (block % 64);
  if (block < batch->lowest_pending) batch->lowest_pending = block;
}

/// Takes the lanes of the lowest pending block as the running ones.
TRANSPIRE_INLINE const Inst* pick(Batch* batch) {
  const std::uint32_t block = batch->lowest_pending;
  std::uint64_t* p = batch->pending + std::uint64_t{block} * kMaskWords;
  for (std::uint32_t w = 0; w < kMaskWords; ++w) {
    batch->mask[w] = p[w];
    p[w] = 0;
  }
  std::uint32_t word = block / 64;
  std::uint64_t set = batch->pending_set[word] &= ~(std::uint64_t{1} << (block % 64));
  const std::uint32_t words = (batch->block_count + 63) / 64;
  while (set == 0 && ++word < words) set = batch->pending_set[word];
  batch->lowest_pending =
      set == 0 ? kNoPending : word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(set));
  return batch->block_entry[block];
}

TRANSPIRE_INLINE const Inst* go(Batch* batch, std::uint32_t block) {
  if (block < batch->lowest_pending) return batch->block_entry[block];
  park(batch, block, batch->mask);
  return pick(batch);
}

/// Counts the block's steps. False when the batch must stop here.
TRANSPIRE_INLINE bool count(const Inst* ip, Batch* batch) {
  // The progress report reads it meanwhile.
  __atomic_store_n(&batch->steps, batch->steps + std::uint64_t{mask_count(batch->mask)} * ip->d,
                   __ATOMIC_RELAXED);
  if (ip->c == 0) return true;
  // A backward edge: the only place where a kernel can run for ever.
  if (batch->steps_left < ip->d) return false;
  batch->steps_left -= ip->d;
  return !cancelled(batch);
}

/// Continues somewhere; in loop-dispatch builds the engine's loop makes the call.
TRANSPIRE_INLINE const Inst* enter(const Inst* target, std::byte* r, Batch* batch) {
#if defined(TRANSPIRE_LOOP_DISPATCH)
  (void)r;
  (void)batch;
  return target;
#else
  TRANSPIRE_TAIL return target->run(target, r, batch);
#endif
}

const Inst* poll(const Inst* ip, std::byte* r, Batch* batch) {
  if (cancelled(batch)) return stop(ip, batch);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// The running lanes wait at a block, and the lowest go on. By itself, so that handlers save no registers where
/// none waits. It and go_on() are called without TRANSPIRE_TAIL, which wants a handler's operands; they show nothing of a
/// frame to others, so the calls are jumps all the same.
__attribute__((noinline)) const Inst* wait_at(std::uint32_t block, std::byte* r, Batch* batch) {
  park(batch, block, batch->mask);
  return enter(pick(batch), r, batch);
}

TRANSPIRE_INLINE const Inst* go_on(std::byte* r, Batch* batch, std::uint32_t block) {
  if (block < batch->lowest_pending) return enter(batch->block_entry[block], r, batch);
  return wait_at(block, r, batch);
}

const Inst* jump(const Inst* ip, std::byte* r, Batch* batch) {
  if (!count(ip, batch)) return pause(ip, batch);
  return go_on(r, batch, static_cast<std::uint32_t>(ip->imm));
}

/// Keeps the compiler from making a conditional move of the jump that it stands behind.
TRANSPIRE_INLINE void keep_jump() { asm volatile(""); }

/// The condition is jumped on, not selected by: the outcomes of this jump are what predicts the
/// indirect one that follows. With a conditional move kernels of uniform loops took 1.1 times as long.
const Inst* branch_uniform(const Inst* ip, std::byte* r, Batch* batch) {
  if (!count(ip, batch)) return pause(ip, batch);
  if (scalar<std::uint8_t>(r, ip->a) != 0) {
    keep_jump();
    return go_on(r, batch, ip->targets.on_true);
  }
  return go_on(r, batch, ip->targets.on_false);
}

const Inst* branch(const Inst* ip, std::byte* r, Batch* batch) {
  if (!count(ip, batch)) return pause(ip, batch);
  const auto* c = row<std::uint64_t>(r, ip->a);
  const auto [on_true, on_false] = ip->targets;
  std::uint64_t t[kMaskWords], f[kMaskWords];
  for (std::uint32_t w = 0; w < kMaskWords; ++w) {
    t[w] = batch->mask[w] & c[w];
    f[w] = batch->mask[w] & ~c[w];
  }
  if (!any(f)) TRANSPIRE_TAIL return enter(go(batch, on_true), r, batch);
  if (!any(t)) TRANSPIRE_TAIL return enter(go(batch, on_false), r, batch);
  const bool true_first = on_true < on_false;
  const std::uint32_t first = true_first ? on_true : on_false;
  if (first >= batch->lowest_pending || on_true == on_false) {
    park(batch, on_true, t);
    park(batch, on_false, f);
    TRANSPIRE_TAIL return enter(pick(batch), r, batch);
  }
  // Lanes that go to a block below all waiting ones continue at once.
  for (std::uint32_t w = 0; w < kMaskWords; ++w) batch->mask[w] = true_first ? t[w] : f[w];
  park(batch, true_first ? on_false : on_true, true_first ? f : t);
  TRANSPIRE_TAIL return enter(batch->block_entry[first], r, batch);
}

TRANSPIRE_INLINE std::uint32_t find_case(const SwitchTable& table, std::uint64_t value) {
  if (table.dense != nullptr) {
    const std::uint64_t at = value - table.values[0];
    return at < table.span ? table.dense[at] : table.default_target;
  }
  std::uint32_t low = 0, high = table.count;
  while (low < high) {
    const std::uint32_t middle = (low + high) / 2;
    if (table.values[middle] < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < table.count && table.values[low] == value ? table.targets[low]
                                                         : table.default_target;
}

template <class T>
const Inst* switch_uniform(const Inst* ip, std::byte* r, Batch* batch) {
  if (!count(ip, batch)) return pause(ip, batch);
  const auto& table = *ip->cases;
  TRANSPIRE_TAIL return enter(go(batch, find_case(table, scalar<T>(r, ip->a))), r, batch);
}

/// Parks the running lanes of each selector of `row` at `target(selector)`: lanes with equal
/// selectors leave together.
template <class S, class F>
TRANSPIRE_INLINE void park_by(const S* row, Batch* batch, F target) {
  std::uint64_t left[kMaskWords];
  for (std::uint32_t w = 0; w < kMaskWords; ++w) left[w] = batch->mask[w];
  while (any(left)) {
    const S value = row[first_lane(left)];
    std::uint64_t same[kMaskWords];
    for (std::uint32_t w = 0; w < kMaskWords; ++w) {
      same[w] = left[w] & equal_lanes(row + w * 64, value);
      left[w] &= ~same[w];
    }
    park(batch, target(value), same);
  }
}

/// Case numbers of a dense table fit a byte, and rows of bytes compare fastest.
constexpr std::uint64_t kMostByteCases = 255;
/// Up to this number, all cases are compared, whether lanes have them or not: no comparison waits for another one's lanes.
constexpr std::uint64_t kFewCases = 24;

TRANSPIRE_INLINE void park_by_all(const std::uint8_t* number, Batch* batch,
                                  const SwitchTable& table) {
  std::uint32_t lowest = batch->lowest_pending;
  for (std::uint64_t n = 0; n <= table.span; ++n) {
    const std::uint32_t block = n < table.span ? table.dense[n] : table.default_target;
    std::uint64_t* p = batch->pending + std::uint64_t{block} * kMaskWords;
    std::uint64_t lanes = 0;
    for (std::uint32_t w = 0; w < kMaskWords; ++w) {
      const std::uint64_t same =
          batch->mask[w] & equal_lanes(number + w * 64, static_cast<std::uint8_t>(n));
      p[w] |= same;
      lanes |= same;
    }
    const bool some = lanes != 0;
    batch->pending_set[block / 64] |= std::uint64_t{some} << (block % 64);
    lowest = some & (block < lowest) ? block : lowest;
  }
  batch->lowest_pending = lowest;
}

template <class T>
const Inst* switch_rows(const Inst* ip, std::byte* r, Batch* batch) {
  if (!count(ip, batch)) return pause(ip, batch);
  const auto& table = *ip->cases;
  const T* selector = row<T>(r, ip->a);
  if (table.dense == nullptr || table.span > kMostByteCases) {
    park_by(selector, batch,
            [&](T value) TRANSPIRE_INLINE_LAMBDA { return find_case(table, value); });
    TRANSPIRE_TAIL return enter(pick(batch), r, batch);
  }
  // Numbers from the first case on. All values beyond the last case share a number, which is no
  // case's.
  alignas(64) std::uint8_t number[kLanes];
  const T first = static_cast<T>(table.values[0]);
  const T none = static_cast<T>(table.span);
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const T n = static_cast<T>(selector[i] - first);
    number[i] = static_cast<std::uint8_t>(n < none ? n : none);
  }
  if (table.span <= kFewCases) {
    park_by_all(number, batch, table);
    TRANSPIRE_TAIL return enter(pick(batch), r, batch);
  }
  park_by(number, batch, [&](std::uint8_t n) TRANSPIRE_INLINE_LAMBDA {
    return n < table.span ? table.dense[n] : table.default_target;
  });
  TRANSPIRE_TAIL return enter(pick(batch), r, batch);
}

/// The running lanes end; the others go on.
TRANSPIRE_INLINE const Inst* finish(const Inst* /*ip*/, std::byte* r, Batch* batch) {
  for (std::uint32_t w = 0; w < kMaskWords; ++w) batch->live[w] &= ~batch->mask[w];
  if (batch->lowest_pending != kNoPending) TRANSPIRE_TAIL return enter(pick(batch), r, batch);
  batch->stop = Stop::kDone;
  batch->ip = nullptr;
  return nullptr;
}

const Inst* return_lanes(const Inst* ip, std::byte* r, Batch* batch) {
  count(ip, batch);
  TRANSPIRE_TAIL return finish(ip, r, batch);
}

const Inst* leave(const Inst*, std::byte*, Batch*) { return nullptr; }

const Inst* unreachable(const Inst* ip, std::byte* r, Batch* batch) {
  report_lanes(batch, ip, static_cast<std::uint16_t>(Rule::kR0050), batch->mask);
  TRANSPIRE_TAIL return finish(ip, r, batch);
}

/// Makes earlier accesses of these work-items visible to other groups before later ones.
const Inst* barrier(const Inst* ip, std::byte* /*r*/, Batch* batch) {
  thread_fence<__ATOMIC_ACQ_REL>();
  batch->stop = Stop::kBarrier;
  batch->barrier = ip;
  batch->complete = nullptr;
  batch->ip = ip + 1;
  return nullptr;
}

struct Branch : AnyKind<jump> {};
struct BranchConditional : AnyKind<branch> {
  template <Kind>
  static constexpr Handler scalar = branch_uniform;
};
struct Switch {
  template <Kind kKind>
  static constexpr Handler rows = switch_rows<Lane<kKind>>;
  template <Kind kKind>
  static constexpr Handler scalar = switch_uniform<Lane<kKind>>;
};
struct Return : AnyKind<return_lanes> {};
struct Unreachable : AnyKind<unreachable> {};
struct ControlBarrier : AnyKind<barrier> {};
struct Poll : AnyKind<poll> {};
struct Leave : AnyKind<leave> {};

}  // namespace

void fill_control_flow(HandlerTable& table) {
#define TRANSPIRE_SPECIAL TRANSPIRE_FILL_SPECIAL
#include "vm/ops/control_flow.def"
#undef TRANSPIRE_SPECIAL
}

}  // namespace transpire::vm::TRANSPIRE_ISA
