#include "vm/exec/launch_notes.h"

#include <algorithm>

#include "memory/image.h"
#include "memory/translate.h"
#include "vm/exec/access.h"
#include "vm/exec/image_access.h"
#include "vm/exec/long_work.h"
#include "vm/exec/related.h"
#include "vm/exec/work_item.h"
#include "vm/program/immediates.h"
#include "vm/program/program.h"

namespace transpire::vm::exec {
namespace {

using memory::Allocation;
using memory::Region;

/// True if the host's bytes of two allocations overlap.
bool overlap(const Allocation& buffer, const memory::Image& image) {
  return buffer.host < image.texels + image.size_bytes &&
         image.texels < buffer.host + buffer.size_bytes;
}

/// Operands a and b of the instruction in each lane.
class Operands {
 public:
  Operands(const Inst* ip, const std::byte* r, bool scalars)
      : a_(reinterpret_cast<const std::uint64_t*>(r + ip->a)),
        b_(reinterpret_cast<const std::uint64_t*>(r + ip->b)),
        stride_a_(scalars ? difference(ip->d) : 0),
        stride_b_(scalars ? difference(ip->c) : 0),
        scalars_(scalars) {}

  std::uint64_t a(std::uint32_t lane) const { return scalars_ ? *a_ + stride_a_ * lane : a_[lane]; }
  std::uint64_t b(std::uint32_t lane) const { return scalars_ ? *b_ + stride_b_ * lane : b_[lane]; }

 private:
  static std::uint64_t difference(std::uint32_t stride) {
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(stride)});
  }

  const std::uint64_t* a_;
  const std::uint64_t* b_;
  const std::uint64_t stride_a_, stride_b_;
  const bool scalars_;
};

/// Calls f(lane) for the lanes that run.
template <class F>
void each_lane(const Batch& batch, F f) {
  for_each(running_lanes(batch), batch.program->lanes, f);
}

/// For local memory its group, counted from 1; 0 for memory that all share.
std::uint64_t owner_of(const Batch& batch, std::uint32_t lane, const Allocation& allocation) {
  return allocation.region == Region::kWorkgroup ? work_item(batch, lane).group_linear + 1 : 0;
}

}  // namespace

LaunchNotes::LaunchNotes(const memory::AddressMap& memory, const Program& program,
                         std::span<const std::uint64_t> arguments, std::uint64_t max_bytes)
    : budget_(std::make_shared<NoteBudget>(max_bytes)) {
  find_views(memory);
  find_aliases(memory, program, arguments);
}

void LaunchNotes::find_views(const memory::AddressMap& memory) {
  // The first one is a sentinel.
  const std::span all(memory.allocations + 1, memory.allocation_count - 1);
  for (const Allocation& allocation : all) {
    const memory::Image* image = memory::image_of(allocation);
    if (image == nullptr) continue;
    for (const Allocation& other : all) {
      const bool is_buffer = other.region == Region::kBuffer && !other.is_shadow;
      if (!is_buffer || !overlap(other, *image)) continue;
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
  const std::size_t count = program.parameters.size();
  for (std::size_t one = 0; one < count; ++one) {
    const Parameter& parameter = program.parameters[one];
    const Allocation* a = parameter.no_alias ? memory_of(parameter) : nullptr;
    for (std::size_t other = 0; a != nullptr && other < count; ++other) {
      const Allocation* b = one != other ? memory_of(program.parameters[other]) : nullptr;
      if (b == nullptr || a->host >= b->host + b->size_bytes || b->host >= a->host + a->size_bytes)
        continue;
      has_alias_.resize(count);
      has_alias_[one] = has_alias_[other] = true;
    }
  }
}

void LaunchNotes::add_flag(std::uint64_t owner, std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  if (!flags_.contains({owner, address}) && budget_->draw(kFlagNoteBytes))
    flags_.emplace(owner, address);
}

bool LaunchNotes::holds_flag(std::uint64_t owner, std::uint64_t address,
                             std::uint64_t bytes) const {
  constexpr std::uint64_t kFlagBytes = 4;
  const std::lock_guard lock(mutex_);
  const auto next = flags_.lower_bound({owner, address - (kFlagBytes - 1)});
  return next != flags_.end() && next->first == owner &&
         (next->second <= address || next->second - address < bytes);
}

bool LaunchNotes::agrees(std::uint64_t image, bool normalized) {
  const std::lock_guard lock(mutex_);
  return normalized_.try_emplace(image, normalized).first->second == normalized;
}

bool LaunchNotes::mixes(const std::byte* host, std::uint64_t bytes, Way way, bool writes) {
  const auto own = static_cast<std::size_t>(way), other = 1 - own;
  const std::lock_guard lock(mutex_);
  for (View& view : views_) {
    if (host + bytes <= view.begin || host >= view.end) continue;
    view.accessed[own] = true;
    view.written[own] |= writes;
    if (view.accessed[other] && (view.written[own] || view.written[other])) return true;
  }
  return false;
}

namespace {

/// The object that a pointer leads to, or just behind; the sentinel if there is none.
const Allocation& object_of(const Batch& batch, std::uint64_t base) {
  const memory::AddressMap& memory = *batch.memory;
  const Allocation& found = memory::in_slot(memory, base);
  return base - found.begin > found.size_bytes ? memory.allocations[0] : found;
}

void check_chain_of(const Inst* ip, Batch* batch, std::uint32_t lane, std::uint64_t base,
                    std::uint64_t result) {
  const std::uint64_t from = memory::untagged(*batch->memory, base);
  const Allocation& object = object_of(*batch, from);
  // A wrong base is reported by its access, or by the chain that made it.
  if (object.size_bytes == 0) return;
  const std::uint64_t to = memory::untagged(*batch->memory, result);
  if (to - object.begin <= object.size_bytes) return;
  Event event;
  event.rule = static_cast<std::uint16_t>(Rule::kR0030);
  event.instruction = ip;
  event.lane = lane;
  event.address = from;
  event.index = static_cast<std::int64_t>(to - object.begin);
  batch->sink->finding(*batch, event);
}

void check_chains(const Inst* ip, Batch* batch, const Operands& operands) {
  each_lane(*batch, [&](std::uint32_t lane) {
    check_chain_of(ip, batch, lane, operands.a(lane), operands.b(lane));
  });
}

/// The bytes of an access that a check looks at: in one object, of memory that work-items share.
struct Looked {
  const Allocation* object = nullptr;  ///< null: another check reports the mistake
  std::uint64_t address = 0, bytes = 0;
  const std::byte* host() const { return object->host + (address - object->begin); }
};

Looked look_at(const Batch& batch, const Operands& operands, std::uint32_t lane) {
  const std::uint64_t plain = memory::untagged(*batch.memory, operands.a(lane));
  const std::uint64_t bytes = operands.b(lane);
  const Allocation& object = memory::in_slot(*batch.memory, plain);
  const bool is_shared = object.region != Region::kPrivate;
  return {is_shared && bytes != 0 && memory::holds(object, plain, plain, bytes) ? &object : nullptr,
          plain, bytes};
}

void check_flags(const Inst* ip, Batch* batch, const Operands& operands) {
  if (batch->notes == nullptr) return;
  each_lane(*batch, [&](std::uint32_t lane) {
    const Looked looked = look_at(*batch, operands, lane);
    if (looked.object == nullptr) return;
    const std::uint64_t owner = owner_of(*batch, lane, *looked.object);
    if (ip->imm == 0) return batch->notes->add_flag(owner, looked.address);
    if (batch->notes->holds_flag(owner, looked.address, looked.bytes))
      report_access(batch, ip, Rule::kR0034, lane, looked.address, looked.bytes);
  });
}

void check_views(const Inst* ip, Batch* batch, const Operands& operands) {
  if (batch->notes == nullptr || !batch->notes->has_views()) return;
  each_lane(*batch, [&](std::uint32_t lane) {
    const Looked looked = look_at(*batch, operands, lane);
    if (looked.object == nullptr || looked.object->region != Region::kBuffer) return;
    if (batch->notes->mixes(looked.host(), looked.bytes, LaunchNotes::Way::kBuffer, ip->imm != 0))
      report_access(batch, ip, Rule::kR0035, lane, looked.address, 0);
  });
}

/// The two ways by which a work-item reached the memory: now and before.
OtherHalf reached_by(const Program& program, const ItemNotes::Way& now,
                     const ItemNotes::Way& before) {
  const auto part = [&](Relation relation, const ItemNotes::Way& way) {
    Related related = by_same_item(relation, program.code.data() + way.place);
    related.name = program.parameters[way.parameter - 1].name;
    return related;
  };
  return {{},
          {part(now.no_alias ? Relation::kThroughRestrict : Relation::kThrough, now),
           part(before.writes ? Relation::kStoredThrough : Relation::kLoadedThrough, before)}};
}

/// Notes an access in pieces. Returns false if it was cancelled on the way.
bool note_access(const Batch& batch, std::uint32_t lane, const Looked& looked, ItemNotes::Way way,
                 std::optional<ItemNotes::Way>* met) {
  for (std::uint64_t done = 0; done < looked.bytes; done += kPieceBytes) {
    if (done != 0 && is_cancelled(batch)) return false;
    const std::uint64_t bytes = std::min(kPieceBytes, looked.bytes - done);
    const std::optional<ItemNotes::Way> other =
        batch.items->meets(lane, looked.host() + done, bytes, way);
    if (!*met) *met = other;
  }
  return true;
}

void check_aliases(const Inst* ip, Batch* batch, const Operands& operands) {
  const AliasCheck check = AliasCheck::decode(ip->imm);
  if (batch->items == nullptr || check.parameter == 0 ||
      !batch->notes->has_alias(check.parameter - 1))
    return;
  const ItemNotes::Way way{check.parameter,
                           batch->program->parameters[check.parameter - 1].no_alias, check.writes,
                           static_cast<std::uint32_t>(ip - batch->program->code.data())};
  std::uint64_t looked_at = 0;
  each_lane(*batch, [&](std::uint32_t lane) {
    const Looked looked = look_at(*batch, operands, lane);
    if (looked.object == nullptr || looked.object->host == nullptr) return;
    // The next instruction checks for cancellation and ends the batch.
    looked_at += std::min(looked.bytes, kPieceBytes);
    if (looked_at > kPieceBytes && is_cancelled(*batch)) return;
    std::optional<ItemNotes::Way> met;
    if (note_access(*batch, lane, looked, way, &met) && met)
      report_with(batch, ip, Rule::kR0036, lane, reached_by(*batch->program, way, *met),
                  looked.address, looked.bytes);
  });
}

}  // namespace

void check_chain(const Inst* ip, std::byte* r, Batch* batch) {
  check_chains(ip, batch, {ip, r, false});
}

/// Nearly all lanes' addresses lie between the first one's and the last one's, in one object.
void check_chain_scalars(const Inst* ip, std::byte* r, Batch* batch) {
  const Operands operands(ip, r, true);
  const std::uint32_t last = batch->program->lanes - 1;
  const std::uint64_t base = operands.a(0);
  const Allocation& object = object_of(*batch, base);
  const auto inside = [&](std::uint64_t address) {
    return address - object.begin <= object.size_bytes;
  };
  if (object.size_bytes != 0 && inside(operands.a(last)) && inside(operands.b(0)) &&
      inside(operands.b(last)))
    return;
  check_chains(ip, batch, operands);
}

void check_flag(const Inst* ip, std::byte* r, Batch* batch) {
  check_flags(ip, batch, {ip, r, false});
}
void check_flag_scalars(const Inst* ip, std::byte* r, Batch* batch) {
  check_flags(ip, batch, {ip, r, true});
}
void check_view(const Inst* ip, std::byte* r, Batch* batch) {
  check_views(ip, batch, {ip, r, false});
}
void check_view_scalars(const Inst* ip, std::byte* r, Batch* batch) {
  check_views(ip, batch, {ip, r, true});
}
void check_alias(const Inst* ip, std::byte* r, Batch* batch) {
  check_aliases(ip, batch, {ip, r, false});
}
void check_alias_scalars(const Inst* ip, std::byte* r, Batch* batch) {
  check_aliases(ip, batch, {ip, r, true});
}

}  // namespace transpire::vm::exec
