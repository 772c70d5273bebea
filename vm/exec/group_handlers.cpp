// Handlers of group instructions: for a sub-group they run at once, for a work-group when all its
// batches are there. vm/exec/group*.cpp implement them.
#include "vm/exec/group.h"
#include "vm/exec/group_rows.h"
#include "vm/exec/handlers.h"
#include "vm/exec/lanes.h"
#include "vm/exec/leave.h"
#include "vm/exec/long_work.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

template <GroupFunction kFunction>
const Inst* work_group(const Inst* ip, std::byte* /*r*/, Batch* batch) {
  return meet(ip, batch, kFunction);
}

/// The batch is one sub-group.
const Inst* named_barrier(const Inst* ip, std::byte* r, Batch* batch) {
  each_subgroup(ip, GroupOperation::decode(ip->imm), batch, group_sync);
  batch->stop = Stop::kNamedBarrier;
  batch->barrier = ip;
  batch->complete = nullptr;
  batch->named_barrier = row<std::uint64_t>(r, ip->a)[first_lane(batch->mask)];
  batch->ip = ip + 1;
  return nullptr;
}

const Inst* product(const Inst* ip, std::byte* r, Batch* batch) {
  const auto operation = ProductOperation::decode(ip->list->imm);
  each_subgroup(ip, {.size = operation.items, .uniform = true}, batch, group_product);
  if (is_cancelled(*batch)) return leave_at(ip, Stop::kCancelled, batch);
  // A step for each multiplication of a work-item.
  const std::uint64_t extra = std::uint64_t{operation.results()} * operation.inner - 1;
  if (!count_extra(batch, extra, extra * mask_count(batch->mask)))
    return leave_at(ip + 1, Stop::kLimit, batch);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

const Inst* check_pending(const Inst* ip, std::byte* r, Batch* batch) {
  check_copies(ip, r, batch);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

struct GroupCombine : AnyKind<group<group_combine>> {};
struct GroupCombineAmong : AnyKind<group<group_combine_among>> {};
struct GroupProduct : AnyKind<product> {};
struct GroupBroadcast : AnyKind<group<group_broadcast>> {};
struct GroupShuffle : AnyKind<group<group_shuffle>> {};
struct GroupFirst : AnyKind<group<group_first>> {};
struct GroupBallot : AnyKind<group<group_ballot>> {};
struct GroupSync : AnyKind<group<group_sync>> {};
struct AsyncCopy : AnyKind<work_group<group_async_copy>> {};
struct WaitEvents : AnyKind<work_group<group_wait_events>> {};
struct CheckCopies : AnyKind<check_pending> {};
struct NamedBarrierInit : AnyKind<work_group<group_named_barrier_init>> {};
struct NamedBarrier : AnyKind<named_barrier> {};

}  // namespace

void fill_group(HandlerTable& table) {
#define TRANSPIRE_SPECIAL TRANSPIRE_FILL_SPECIAL
#include "vm/ops/group.def"
#undef TRANSPIRE_SPECIAL
}

}  // namespace transpire::vm::TRANSPIRE_ISA
