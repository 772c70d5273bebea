// Memory copies, lifetimes, and queries of pointers: lane after lane, in lane order.
#include "memory/translate.h"
#include "vm/exec/access.h"
#include "vm/exec/handlers.h"
#include "vm/exec/lanes.h"
#include "vm/exec/leave.h"
#include "vm/exec/long_work.h"
#include "vm/exec/tags.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

/// a target, b source, c bytes: rows of i64.
const Inst* copy_memory(const Inst* ip, std::byte* r, Batch* batch) {
  const auto& access = *ip->access;
  const std::uint64_t* target = row<std::uint64_t>(r, ip->a);
  const std::uint64_t* source = row<std::uint64_t>(r, ip->b);
  const std::uint64_t* bytes = row<std::uint64_t>(r, ip->c);
  bool too_long = false;
  for_each_lane(batch->mask, [&](std::uint32_t i) {
    too_long |= copy_exceeds_limit(*batch, target[i], source[i], bytes[i]);
  });
  if (too_long) return leave_at(ip, Stop::kLimit, batch);
  std::uint64_t most = 0, sum = 0;
  for_each_lane(batch->mask, [&](std::uint32_t i) {
    if (is_cancelled(*batch) || !copy_lane(batch, ip, access, i, target[i], source[i], bytes[i]))
      return;
    const std::uint64_t extra = extra_steps(bytes[i]);
    most = extra > most ? extra : most;
    sum += extra;
  });
  if (is_cancelled(*batch)) return leave_at(ip, Stop::kCancelled, batch);
  if (!count_extra(batch, most, sum)) return leave_at(ip + 1, Stop::kLimit, batch);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// imm: the private variable.
template <bool kLive>
const Inst* lifetime(const Inst* ip, std::byte* r, Batch* batch) {
  std::uint64_t* live = memory::lifetime_words(batch->private_live, ip->imm, kMaskWords);
  for (std::uint32_t w = 0; w < kMaskWords; ++w)
    live[w] = kLive ? live[w] | batch->mask[w] : live[w] & ~batch->mask[w];
  TRANSPIRE_TAIL return next(ip, r, batch);
}

TRANSPIRE_INLINE const memory::Allocation* allocation_of(const Batch* batch,
                                                         std::uint64_t address) {
  return memory::allocation_at(*batch->memory, memory::untagged(*batch->memory, address));
}

const Inst* tag_pointer(const Inst* ip, std::byte* r, Batch* batch) {
  tag_lanes(ip, r, batch);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

const Inst* tag_life(const Inst* ip, std::byte* r, Batch* batch) {
  tag_lives(ip, r, batch);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// imm: the counter.
const Inst* count_life(const Inst* ip, std::byte* r, Batch* batch) {
  std::uint16_t* lives = batch->lives + (ip->imm << batch->private_shift);
  for_each_lane(batch->mask, [&](std::uint32_t i) { lives[i] = memory::next_life(lives[i]); });
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// imm: a memory::PointerSpace. Pointers keep their value when they lie there, else become null.
const Inst* generic_to_space(const Inst* ip, std::byte* r, Batch* batch) {
  const std::uint64_t* a = row<std::uint64_t>(r, ip->a);
  std::uint64_t* d = row<std::uint64_t>(r, ip->d);
  const auto space = static_cast<memory::PointerSpace>(ip->imm);
  for_each_lane(batch->mask, [&](std::uint32_t i) {
    const memory::Allocation* found = allocation_of(batch, a[i]);
    bool inside = false;
    if (found != nullptr) {
      switch (found->region) {
        case memory::Region::kBuffer:
          inside = space == memory::PointerSpace::kGlobal;
          break;
        case memory::Region::kConstant:
          inside = space == memory::PointerSpace::kConstant;
          break;
        case memory::Region::kWorkgroup:
          inside = space == memory::PointerSpace::kWorkgroup;
          break;
        case memory::Region::kPrivate:
          inside = space == memory::PointerSpace::kPrivate;
          break;
        case memory::Region::kImage:
        case memory::Region::kPipe:
          break;
      }
    }
    d[i] = inside ? a[i] : 0;
  });
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// The Memory Semantics bits of the storage class an address lies in: WorkgroupMemory 0x100,
/// CrossWorkgroupMemory 0x200; none for private memory.
const Inst* mem_semantics(const Inst* ip, std::byte* r, Batch* batch) {
  const std::uint64_t* a = row<std::uint64_t>(r, ip->a);
  std::uint32_t* d = row<std::uint32_t>(r, ip->d);
  for_each_lane(batch->mask, [&](std::uint32_t i) {
    const memory::Allocation* found = allocation_of(batch, a[i]);
    d[i] = 0;
    if (found == nullptr || found->region == memory::Region::kPrivate ||
        found->region == memory::Region::kImage || found->region == memory::Region::kPipe)
      return;
    d[i] = found->region == memory::Region::kWorkgroup ? 0x100 : 0x200;
  });
  TRANSPIRE_TAIL return next(ip, r, batch);
}

struct CopyMemory : AnyKind<copy_memory> {};
const Inst* undefine(const Inst* ip, std::byte* r, Batch* batch) {
  undefine_private(*batch, ip, static_cast<std::uint32_t>(ip->imm));
  TRANSPIRE_TAIL return next(ip, r, batch);
}

struct LifetimeStart : AnyKind<lifetime<true>> {};
struct LifetimeStop : AnyKind<lifetime<false>> {};
struct UndefinePrivate : AnyKind<undefine> {};
struct TagPointer : AnyKind<tag_pointer> {};
struct TagLife : AnyKind<tag_life> {};
struct CountLife : AnyKind<count_life> {};
struct GenericToSpace : AnyKind<generic_to_space> {};
struct MemSemantics : AnyKind<mem_semantics> {};

}  // namespace

void fill_pointer(HandlerTable& table) {
#define TRANSPIRE_SPECIAL TRANSPIRE_FILL_SPECIAL
#include "vm/ops/pointer.def"
#undef TRANSPIRE_SPECIAL
}

}  // namespace transpire::vm::TRANSPIRE_ISA
