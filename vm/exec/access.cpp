// The slow path of memory handlers: one lane at a time, every check by itself.
#include "vm/exec/access.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>

#include "vm/exec/lane_ids.h"
#include "vm/exec/long_work.h"
#include "vm/exec/tags.h"
#include "vm/exec/undefined_notes.h"
#include "vm/program/program.h"

namespace transpire::vm::exec {
namespace {

using memory::AddressMap;
using memory::Allocation;
using memory::Region;

/// A robust copy that is partly out of bounds is made by pieces of so many bytes.
constexpr std::uint64_t kWord = 4;

std::mutex misaligned_atomics;

void order_all() {
#if !defined(__SANITIZE_THREAD__)  // which knows no fences
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

Rule out_of_bounds(AccessKind kind) {
  switch (kind) {
    case AccessKind::kLoad:
      return Rule::kR0020;
    case AccessKind::kStore:
      return Rule::kR0021;
    default:
      return Rule::kR0022;
  }
}

/// An address in no allocation: null, run off a neighbouring allocation, or made from nothing.
Rule stray(const AddressMap& map, std::uint64_t address, AccessKind kind) {
  const std::uint64_t slot_bytes = memory::slot_bytes(map);
  if (address < slot_bytes) return Rule::kR0001;
  const bool tagged = memory::untagged(map, address) != address;
  for (const std::uint64_t near : {slot_bytes, -slot_bytes}) {
    const Allocation* found = memory::allocation_at(map, memory::untagged(map, address) + near);
    if (found == nullptr) continue;
    if (!tagged || found->region == Region::kPrivate || found->region == Region::kWorkgroup)
      return out_of_bounds(kind);
  }
  return Rule::kR0002;
}

bool in_lifetime(const Batch& batch, const Allocation& allocation, std::uint32_t lane) {
  if (allocation.region != Region::kPrivate) return allocation.live;
  return memory::lives_in_lane(batch.private_live, allocation.index, batch.program->mask_words,
                               lane);
}

/// The rule that forbids an access to live memory within bounds; Rule{}: none.
Rule find_breach(const Allocation& allocation, const Through& pointer, AccessKind kind) {
  if (allocation.region == Region::kImage || allocation.region == Region::kPipe)
    return pointer.is_texel ? Rule{} : Rule::kR0003;
  const bool reads = kind != AccessKind::kStore && kind != AccessKind::kAtomicStore;
  const bool writes = kind != AccessKind::kLoad && kind != AccessKind::kAtomicLoad;
  if (writes && !memory::permits_store(allocation, memory::kAllSpaces)) return Rule::kR0024;
  if (reads && !memory::permits_load(allocation, memory::kAllSpaces)) return Rule::kR0027;
  if (writes && pointer.no_write) return Rule::kR0025;
  const memory::PointerSpaces space = memory::spaces_of(pointer.space);
  if (writes && !memory::permits_store(allocation, space)) return Rule::kR0003;
  if (reads && !memory::permits_load(allocation, space)) return Rule::kR0003;
  return Rule{};
}

/// The rule broken if a tag says that the memory has another owner; Rule{}: none.
Rule find_owner(const Batch& batch, std::uint32_t lane, std::uint64_t address,
                const Allocation& allocation) {
  const std::uint64_t tag = batch.memory->has_tags ? address >> memory::kTagShift : 0;
  if (tag == 0) return Rule{};
  const Holder holder = holder_of(batch, lane, allocation, tag);
  if (holder == Holder::kOwn) return Rule{};
  if (holder == Holder::kEarlierLife) return Rule::kR0026;
  if (allocation.region == Region::kPrivate) return Rule::kR0005;
  return allocation.region == Region::kWorkgroup ? Rule::kR0006 : Rule::kR0002;
}

/// The result of checking an access.
struct Verdict {
  const Allocation* allocation = nullptr;
  Rule refusal{};           ///< Rule{}: the access is made
  bool misaligned = false;  ///< a misaligned load or store may still be made
};

Verdict judge(const Batch& batch, std::uint32_t lane, std::uint64_t address, std::uint64_t bytes,
              const Through& pointer, AccessKind kind) {
  const AddressMap& map = *batch.memory;
  const std::uint64_t plain = memory::untagged(map, address);
  const Allocation* allocation = memory::allocation_at(map, plain);
  if (allocation == nullptr || allocation->is_shadow) return {nullptr, stray(map, address, kind)};
  // The owner is checked first: facts about another owner's memory may by now be about other
  // memory.
  if (const Rule foreign = find_owner(batch, lane, address, *allocation); foreign != Rule{})
    return {allocation, foreign};
  if (!memory::holds(*allocation, plain, plain, bytes)) return {allocation, out_of_bounds(kind)};
  if (!in_lifetime(batch, *allocation, lane)) return {allocation, Rule::kR0026};
  const bool misaligned = (plain & pointer.align_mask) != 0;
  if (misaligned && kind != AccessKind::kLoad && kind != AccessKind::kStore)
    return {allocation, Rule::kR0023, misaligned};
  return {allocation, find_breach(*allocation, pointer, kind), misaligned};
}

/// The buffer that a robust access is meant for: that of its address, else one less than half a slot away. Null: there is none.
const Allocation* meant_buffer(const AddressMap& map, std::uint64_t plain) {
  const std::uint64_t half = memory::slot_bytes(map) / 2;
  for (const std::uint64_t at : {plain, plain - half, plain + half}) {
    const Allocation* const found = memory::allocation_at(map, at);
    if (found != nullptr && found->region == Region::kBuffer && !found->is_shadow) return found;
  }
  return nullptr;
}

/// True if a robust access is made, after moving its address into the buffer if Program::clamps_accesses says so.
bool move_into_buffer(const Batch& batch, std::uint64_t* address, std::uint64_t bytes,
                      const Through& pointer) {
  const std::uint64_t distance =
      memory::is_shadow(pointer.space) ? batch.program->shadow_distance : 0;
  const std::uint64_t plain = memory::untagged(*batch.memory, *address - distance);
  const Allocation* const buffer = meant_buffer(*batch.memory, plain);
  if (buffer == nullptr || !memory::has_room(*buffer, bytes)) return false;
  if (memory::holds(*buffer, plain, plain, bytes)) return true;
  if (!batch.program->clamps_accesses) return false;
  *address = buffer->begin + (memory::last_offset(*buffer, bytes) & ~pointer.align_mask) + distance;
  return true;
}

/// Finds the bytes of a shadow. Returns false if there is none, or if the access that it belongs to
/// is wrong: that access is reported instead.
bool find_shadow(const Batch& batch, std::uint32_t lane, std::uint64_t address,
                 const Allocation* allocation, std::uint64_t bytes, HostPlace* place) {
  if (allocation == nullptr || !allocation->is_shadow) return false;
  const std::uint64_t plain = memory::untagged(*batch.memory, address);
  if (find_owner(batch, lane, address, *allocation) != Rule{}) return false;
  if (!memory::holds(*allocation, plain, plain, bytes)) return false;
  *place = place_in(batch, *allocation, lane, plain - allocation->begin);
  return true;
}

/// Passes the access to an observer of all of the launch.
void announce_access(const Batch* batch, const Inst* ip, std::uint32_t lane, std::uint64_t address,
                     std::uint64_t bytes, AccessKind kind, const HostPlace& place) {
  if (!batch->program->watched || batch->observer == nullptr) return;
  const std::uint64_t plain = memory::untagged(*batch->memory, address);
  batch->observer->access(*batch, {ip, lane, plain, bytes, kind, place});
}

}  // namespace

void report_access(Batch* batch, const Inst* ip, Rule rule, std::uint32_t lane,
                   std::uint64_t address, std::uint64_t bytes) {
  Event event;
  event.rule = static_cast<std::uint16_t>(rule);
  event.instruction = ip;
  event.lane = lane;
  event.address = address;
  event.size_bytes = bytes;
  batch->sink->finding(*batch, event);
}

HostPlace place_in(const Batch& batch, const Allocation& allocation, std::uint32_t lane,
                   std::uint64_t offset) {
  if (allocation.region == Region::kPrivate)
    return {.base = batch.private_memory,
            .offset = allocation.offset + offset,
            .lane = lane,
            .lanes = 1u << batch.private_shift,
            .is_private = true};
  const std::uint64_t group = batch.packed_workgroup_base ? batch.packed_workgroup_base[lane] : 0;
  return {.base = memory::host_of(allocation, batch.workgroup_memory + group) + offset,
          .is_workgroup = allocation.region == Region::kWorkgroup,
          .is_image = allocation.region == Region::kImage};
}

std::byte* byte_at(const HostPlace& place, std::uint64_t i) {
  if (!place.is_private) return place.base + i;
  return place.base + memory::private_place(place.offset + i, place.lane, place.lanes);
}

bool find_place(Batch* batch, const Inst* ip, std::uint32_t lane, std::uint64_t address,
                std::uint64_t bytes, const Through& pointer, AccessKind kind, HostPlace* place) {
  if (pointer.is_robust && !move_into_buffer(*batch, &address, bytes, pointer)) return false;
  const std::uint64_t plain = memory::untagged(*batch->memory, address);
  if (memory::is_shadow(pointer.space))
    return find_shadow(*batch, lane, address, memory::allocation_at(*batch->memory, plain), bytes,
                       place);
  if (pointer.is_texel && address == 0) return false;
  const Verdict verdict = judge(*batch, lane, address, bytes, pointer, kind);
  // Reported, but made where the host can: the bytes exist, and most devices access them.
  const Rule rule = verdict.misaligned ? Rule::kR0023 : verdict.refusal;
  if (rule != Rule{})
    report_access(batch, ip, rule, lane, rule == Rule::kR0002 ? address : plain, bytes);
  if (verdict.refusal != Rule{}) return false;
  *place = place_in(*batch, *verdict.allocation, lane, plain - verdict.allocation->begin);
  return true;
}

bool find_shadow(const Batch& batch, std::uint32_t lane, std::uint64_t address, std::uint64_t bytes,
                 HostPlace* place) {
  const std::uint64_t at = address + batch.program->shadow_distance;
  const std::uint64_t plain = memory::untagged(*batch.memory, at);
  return find_shadow(batch, lane, at, memory::allocation_at(*batch.memory, plain), bytes, place);
}

bool locate(Batch* batch, const Inst* ip, std::uint32_t lane, std::uint64_t address,
            std::uint64_t bytes, const Through& pointer, AccessKind kind, HostPlace* place) {
  if (pointer.is_robust && !move_into_buffer(*batch, &address, bytes, pointer)) return false;
  if (!find_place(batch, ip, lane, address, bytes, pointer, kind, place)) return false;
  if (!memory::is_shadow(pointer.space))
    announce_access(batch, ip, lane, address, bytes, kind, *place);
  return true;
}

bool locate(Batch* batch, const Inst* ip, std::uint32_t lane, std::uint64_t address,
            const Access& access, AccessKind kind, HostPlace* place) {
  return locate(batch, ip, lane, address, access.bytes, through(access), kind, place);
}

void read_place(const HostPlace& place, void* out, std::uint64_t bytes) {
  if (!place.is_private) {
    std::memcpy(out, place.base, bytes);
    return;
  }
  auto* target = static_cast<std::byte*>(out);
  for (std::uint64_t i = 0; i < bytes; ++i) target[i] = *byte_at(place, i);
}

void write_place(const HostPlace& place, const void* in, std::uint64_t bytes) {
  if (!place.is_private) {
    std::memcpy(place.base, in, bytes);
    return;
  }
  const auto* source = static_cast<const std::byte*>(in);
  for (std::uint64_t i = 0; i < bytes; ++i) *byte_at(place, i) = source[i];
}

MisalignedAtomic::MisalignedAtomic() {
  misaligned_atomics.lock();
  order_all();
}
MisalignedAtomic::~MisalignedAtomic() {
  order_all();
  misaligned_atomics.unlock();
}

const Allocation* lane_allocation(const Batch& batch, const Access& access, std::uint32_t lane,
                                  std::uint64_t* address, AccessKind kind) {
  const Through pointer = through(access);
  if (pointer.is_robust && !move_into_buffer(batch, address, access.bytes, pointer)) return nullptr;
  const Verdict verdict = judge(batch, lane, *address, access.bytes, pointer, kind);
  return verdict.refusal == Rule{} ? verdict.allocation : nullptr;
}

namespace {

/// For a load or a store. With rows, the observer got the access already.
bool locate_row_access(Batch* batch, const Inst* ip, std::uint32_t lane, std::uint64_t address,
                       const Access& access, AccessKind kind, HostPlace* place) {
  if (!batch->program->announces_rows) return locate(batch, ip, lane, address, access, kind, place);
  return find_place(batch, ip, lane, address, access.bytes, through(access), kind, place);
}

/// A robust access that is not made as a whole is made component by component.
bool has_own_components(const Batch& batch, const Access& access, std::uint64_t address) {
  return access.is_robust != 0 && access.components > 1 &&
         !move_into_buffer(batch, &address, access.bytes, through(access));
}

}  // namespace

Access component_of(const Access& access) {
  Access one = access;
  one.components = 1;
  one.bytes = access.bytes / access.components;
  one.align_mask = std::min(access.align_mask, one.bytes - 1);
  return one;
}

void load_lane(Batch* batch, const Inst* ip, const Access& access, std::uint32_t lane,
               std::uint64_t address, void* out) {
  HostPlace place;
  if (locate_row_access(batch, ip, lane, address, access, AccessKind::kLoad, &place)) {
    read_place(place, out, access.bytes);
  } else if (has_own_components(*batch, access, address)) {
    const Access one = component_of(access);
    for (std::uint32_t at = 0; at < access.bytes; at += one.bytes)
      load_lane(batch, ip, one, lane, address + at, static_cast<std::byte*>(out) + at);
  } else {
    std::memset(out, 0, access.bytes);
  }
}

void store_lane(Batch* batch, const Inst* ip, const Access& access, std::uint32_t lane,
                std::uint64_t address, const void* in) {
  HostPlace place;
  if (locate_row_access(batch, ip, lane, address, access, AccessKind::kStore, &place)) {
    write_place(place, in, access.bytes);
  } else if (has_own_components(*batch, access, address)) {
    const Access one = component_of(access);
    for (std::uint32_t at = 0; at < access.bytes; at += one.bytes)
      store_lane(batch, ip, one, lane, address + at, static_cast<const std::byte*>(in) + at);
  }
}

namespace {

/// Between places where the lane finds them.
bool copy_places(const Batch& batch, const HostPlace& to, const HostPlace& from, bool readable,
                 std::uint64_t bytes) {
  if (readable && !from.is_private && !to.is_private)
    return move_bytes(batch, to.base, from.base, bytes);
  for (std::uint64_t i = 0; i < bytes; ++i) {
    if ((i & 0xffff) == 0xffff && is_cancelled(batch)) return false;
    *byte_at(to, i) = readable ? *byte_at(from, i) : std::byte{0};
  }
  return readable;
}

}  // namespace

namespace {

/// True for a copy with a robust side out of bounds: it is made word by word.
bool has_own_words(const Batch& batch, const Access& access, std::uint64_t target,
                   std::uint64_t source, std::uint64_t bytes) {
  const Through to = through(access), from = copy_source(access);
  const std::uint64_t begin[] = {target, source};
  const bool moved = (to.is_robust && !move_into_buffer(batch, &target, bytes, to)) ||
                     (from.is_robust && !move_into_buffer(batch, &source, bytes, from));
  return bytes > kWord && (moved || target != begin[0] || source != begin[1]);
}

}  // namespace

bool copy_lane(Batch* batch, const Inst* ip, const Access& access, std::uint32_t lane,
               std::uint64_t target, std::uint64_t source, std::uint64_t bytes) {
  if (bytes == 0) return true;
  if ((access.is_robust | access.is_source_robust) != 0 &&
      has_own_words(*batch, access, target, source, bytes)) {
    Access word = access;  // only the copy's begin has its alignment
    word.align_mask = std::min(access.align_mask, std::uint32_t{kWord - 1});
    for (std::uint64_t at = 0; at < bytes && !is_cancelled(*batch); at += kWord)
      copy_lane(batch, ip, word, lane, target + at, source + at, std::min(kWord, bytes - at));
    return !is_cancelled(*batch);
  }
  HostPlace from, to;
  // Both ends are checked before a byte moves; a faulting source counts as zeros.
  const bool readable =
      find_place(batch, ip, lane, source, bytes, copy_source(access), AccessKind::kLoad, &from);
  if (!find_place(batch, ip, lane, target, bytes, through(access), AccessKind::kStore, &to))
    return false;
  const bool is_announced = !memory::is_shadow(through(access).space);
  if (readable && is_announced)
    announce_access(batch, ip, lane, source, bytes, AccessKind::kLoad, from);
  if (is_announced) announce_access(batch, ip, lane, target, bytes, AccessKind::kStore, to);
  const bool copied = copy_places(*batch, to, from, readable, bytes);
  if (copied && !is_announced && batch->undefined != nullptr)
    batch->undefined->copied(*batch, ip, lane, target, source, bytes);
  return copied;
}

void report_index(Batch* batch, const Inst* ip, std::uint32_t lane, std::int64_t index,
                  std::uint64_t address) {
  Event event;
  event.rule = static_cast<std::uint16_t>(Rule::kR0028);
  event.instruction = ip;
  event.lane = lane;
  event.address = memory::untagged(*batch->memory, address);
  event.index = index;
  batch->sink->finding(*batch, event);
}

void undefine_private(Batch& batch, const Inst* ip, std::uint32_t variable) {
  const Program& program = *batch.program;
  if (batch.undefined != nullptr)
    batch.undefined->begin_life(batch, variable, program.site_of(ip).source);
  const std::uint64_t size = program.private_variables[variable].size_bytes;
  const std::uint64_t offset = program.private_offsets[variable];
  const std::uint32_t lanes = 1u << batch.private_shift;
  for (std::uint64_t at = 0; at < size; at += 4)
    for (std::uint32_t lane = 0; lane < lanes; ++lane)
      if (has_lane(batch.mask, lane))
        std::memset(batch.private_memory + memory::private_place(offset + at, lane, lanes), 0xff,
                    4);
}

void report_stored(Batch* batch, const Inst* ip, std::uint32_t lane, std::uint64_t address) {
  const Program& program = *batch->program;
  const UndefinedUse& use = program.undefined_uses[program.site_of(ip).number];
  address += static_cast<std::uint64_t>(use.offset);
  if (batch->undefined != nullptr)
    batch->undefined->stored(*batch, ip, use, lane, address + program.shadow_distance, use.bytes);
  const std::uint64_t plain = memory::untagged(*batch->memory, address);
  const Allocation* found = memory::allocation_at(*batch->memory, plain);
  if (found == nullptr || found->is_shadow || found->region != Region::kBuffer) return;
  report_access(batch, ip, Rule::kR0101, lane, plain, 0);
}

bool report_copied(Batch* batch, const Inst* ip, std::uint32_t lane, std::uint64_t target,
                   std::uint64_t source) {
  const Program& program = *batch->program;
  const std::uint32_t bytes = program.undefined_uses[program.site_of(ip).number].bytes;
  if (bytes == 0) return false;
  const std::uint64_t plain = memory::untagged(*batch->memory, target) - program.shadow_distance;
  const Allocation* const seen = memory::allocation_at(*batch->memory, plain);
  if (seen == nullptr || seen->region != Region::kBuffer) return false;
  HostPlace place;
  const Access& access = *ip->list->access;
  if (!find_place(batch, ip, lane, source, bytes, copy_source(access), AccessKind::kLoad, &place))
    return false;
  std::uint32_t at = 0;
  while (at < bytes && *byte_at(place, at) == std::byte{0}) ++at;
  if (at == bytes) return false;
  Event event;
  ReportedOrigin origin;
  if (batch->undefined != nullptr) {
    origin = batch->undefined->origin_of(*batch, lane, source + at);
    event.origin = &origin;
  }
  event.rule = static_cast<std::uint16_t>(Rule::kR0101);
  event.instruction = ip;
  event.lane = lane;
  event.address = plain;
  batch->sink->finding(*batch, event);
  return true;
}

std::uint64_t monotonic_nanoseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

void report_lanes(Batch* batch, const Inst* ip, std::uint16_t rule, const std::uint64_t* lanes) {
  for (std::uint32_t lane = 0; lane < batch->program->lanes; ++lane) {
    if (!has_lane(lanes, lane)) continue;
    report_access(batch, ip, static_cast<Rule>(rule), lane, 0, 0);
  }
}

}  // namespace transpire::vm::exec
