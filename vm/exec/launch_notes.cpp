#include "vm/exec/launch_notes.h"

#include "memory/image.h"
#include "memory/translate.h"
#include "vm/exec/access.h"
#include "vm/exec/image_access.h"
#include "vm/exec/work_item.h"
#include "vm/program/immediates.h"
#include "vm/program/program.h"

namespace transpire::vm::exec {
namespace {

using memory::Allocation;
using memory::Region;

/// Whether the host's bytes of two allocations overlap.
bool overlap(const Allocation& buffer, const memory::Image& image) {
  return buffer.host < image.texels + image.size_bytes &&
         image.texels < buffer.host + buffer.size_bytes;
}

/// Each allocation once.
std::vector<const Allocation*> allocations_of(const memory::AddressMap& memory) {
  std::set<std::uint32_t> numbers;
  for (std::uint64_t slot = 0; slot < memory.slot_count; ++slot)
    if (memory.slots[slot] != 0) numbers.insert(memory.slots[slot]);
  std::vector<const Allocation*> all;
  for (const std::uint32_t number : numbers) all.push_back(&memory.allocations[number]);
  return all;
}

/// Calls f(lane, value of operand a).
template <class F>
void each_address(const Inst* ip, const std::byte* r, const Batch& batch, F f) {
  const auto* addresses = reinterpret_cast<const std::uint64_t*>(r + ip->a);
  for_each(running_lanes(batch), batch.program->lanes,
           [&](std::uint32_t lane) { f(lane, addresses[lane]); });
}

/// Of local memory its group, counted from 1; 0 of memory that all share.
std::uint64_t owner_of(const Batch& batch, std::uint32_t lane, const Allocation& allocation) {
  return allocation.region == Region::kWorkgroup ? work_item(batch, lane).group_linear + 1 : 0;
}

}  // namespace

LaunchNotes::LaunchNotes(const memory::AddressMap& memory, const Program& program,
                         std::span<const std::uint64_t> arguments) {
  find_views(memory);
  find_aliases(memory, program, arguments);
}

void LaunchNotes::find_views(const memory::AddressMap& memory) {
  const std::vector<const Allocation*> all = allocations_of(memory);
  for (const Allocation* allocation : all) {
    const memory::Image* image = memory::image_of(*allocation);
    if (image == nullptr) continue;
    for (const Allocation* other : all) {
      const bool is_buffer = other->region == Region::kBuffer && !other->is_shadow;
      if (!is_buffer || !overlap(*other, *image)) continue;
      views_.push_back({image->texels, image->texels + image->size_bytes});
      break;
    }
  }
}

void LaunchNotes::find_aliases(const memory::AddressMap& memory, const Program& program,
                               std::span<const std::uint64_t> arguments) {
  const auto memory_of = [&](const Parameter& parameter) -> const Allocation* {
    if (parameter.kind != Parameter::Kind::kPointer || parameter.first_slot >= arguments.size())
      return nullptr;
    const std::uint64_t plain = memory::untagged(memory, arguments[parameter.first_slot]);
    const Allocation* found = memory::allocation_at(memory, plain);
    return found != nullptr && found->host != nullptr ? found : nullptr;
  };
  for (const Parameter& one : program.parameters) {
    const Allocation* a = one.no_alias ? memory_of(one) : nullptr;
    for (const Parameter& other : program.parameters) {
      const Allocation* b = a != nullptr && &one != &other ? memory_of(other) : nullptr;
      if (b == nullptr) continue;
      has_aliases_ =
          has_aliases_ || (a->host < b->host + b->size_bytes && b->host < a->host + a->size_bytes);
    }
  }
}

void LaunchNotes::add_flag(std::uint64_t owner, std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  if (flags_.size() < kMostFlags) flags_.emplace(owner, address);
}

bool LaunchNotes::holds_flag(std::uint64_t owner, std::uint64_t address,
                             std::uint64_t bytes) const {
  constexpr std::uint64_t kFlagBytes = 4;
  const std::lock_guard lock(mutex_);
  const auto next = flags_.lower_bound({owner, address - (kFlagBytes - 1)});
  return next != flags_.end() && next->first == owner && next->second < address + bytes;
}

bool LaunchNotes::agrees(std::uint64_t image, bool normalized) {
  const std::lock_guard lock(mutex_);
  return normalized_.try_emplace(image, normalized).first->second == normalized;
}

bool LaunchNotes::mixes(const std::byte* host, Way way, bool writes) {
  const auto own = static_cast<std::size_t>(way), other = 1 - own;
  const std::lock_guard lock(mutex_);
  for (View& view : views_) {
    if (host < view.begin || host >= view.end) continue;
    view.accessed[own] = true;
    view.written[own] |= writes;
    if (view.accessed[other] && (view.written[own] || view.written[other])) return true;
  }
  return false;
}

bool LaunchNotes::meets(std::uint64_t item, const std::byte* host, std::uint16_t parameter,
                        bool no_alias, bool writes) {
  const std::lock_guard lock(mutex_);
  if (bytes_.size() >= kMostBytes) return false;
  ByteUse& use =
      bytes_.try_emplace({item, host}, ByteUse{parameter, no_alias, false}).first->second;
  const bool meets =
      use.parameter != parameter && (use.no_alias || no_alias) && (use.written || writes);
  use.written |= writes;
  return meets;
}

void check_chain(const Inst* ip, std::byte* r, Batch* batch) {
  const auto* results = reinterpret_cast<const std::uint64_t*>(r + ip->b);
  each_address(ip, r, *batch, [&](std::uint32_t lane, std::uint64_t base) {
    const std::uint64_t from = memory::untagged(*batch->memory, base);
    const Allocation& object = memory::in_slot(*batch->memory, from);
    // What is wrong with the base is another's to tell: an access's, or the chain's that made it.
    if (object.size_bytes == 0 || from - object.begin > object.size_bytes) return;
    const std::uint64_t to = memory::untagged(*batch->memory, results[lane]);
    if (to - object.begin <= object.size_bytes) return;
    Event event;
    event.rule = static_cast<std::uint16_t>(Rule::kR0030);
    event.instruction = ip;
    event.lane = lane;
    event.address = from;
    event.index = static_cast<std::int64_t>(to - object.begin);
    batch->sink->finding(*batch, event);
  });
}

void check_flag(const Inst* ip, std::byte* r, Batch* batch) {
  if (batch->notes == nullptr) return;
  each_address(ip, r, *batch, [&](std::uint32_t lane, std::uint64_t address) {
    const std::uint64_t plain = memory::untagged(*batch->memory, address);
    const Allocation& object = memory::in_slot(*batch->memory, plain);
    if (!memory::holds(object, plain, plain, 1) || object.region == Region::kPrivate) return;
    const std::uint64_t owner = owner_of(*batch, lane, object);
    if (ip->imm == 0) return batch->notes->add_flag(owner, plain);
    if (batch->notes->holds_flag(owner, plain, ip->imm))
      report_access(batch, ip, Rule::kR0034, lane, plain, ip->imm);
  });
}

void check_view(const Inst* ip, std::byte* r, Batch* batch) {
  if (batch->notes == nullptr || !batch->notes->has_views()) return;
  each_address(ip, r, *batch, [&](std::uint32_t lane, std::uint64_t address) {
    const std::uint64_t plain = memory::untagged(*batch->memory, address);
    const Allocation& object = memory::in_slot(*batch->memory, plain);
    if (!memory::holds(object, plain, plain, 1) || object.region != Region::kBuffer) return;
    const std::byte* host = object.host + (plain - object.begin);
    if (batch->notes->mixes(host, LaunchNotes::Way::kBuffer, ip->imm != 0))
      report_access(batch, ip, Rule::kR0035, lane, plain, 0);
  });
}

void check_alias(const Inst* ip, std::byte* r, Batch* batch) {
  const AliasCheck check = AliasCheck::decode(ip->imm);
  LaunchNotes* const notes = batch->notes;
  if (notes == nullptr || !notes->has_aliases() || check.parameter == 0) return;
  const bool no_alias = batch->program->parameters[check.parameter - 1].no_alias;
  each_address(ip, r, *batch, [&](std::uint32_t lane, std::uint64_t address) {
    const std::uint64_t plain = memory::untagged(*batch->memory, address);
    const Allocation& object = memory::in_slot(*batch->memory, plain);
    if (object.host == nullptr || !memory::holds(object, plain, plain, check.bytes)) return;
    const WorkItem item = work_item(*batch, lane);
    const std::uint64_t number = item.group_linear * 0x1'0000'0000u + item.local_linear;
    bool meets = false;
    for (std::uint64_t byte = 0; byte < check.bytes; ++byte)
      meets |= notes->meets(number, object.host + (plain - object.begin) + byte, check.parameter,
                            no_alias, check.writes);
    if (meets) report_access(batch, ip, Rule::kR0036, lane, plain, check.bytes);
  });
}

}  // namespace transpire::vm::exec
