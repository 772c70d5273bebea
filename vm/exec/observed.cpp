// Calls of observers: instructions and calls, rows of loads and stores, memory order.
#include "vm/exec/observed.h"

#include <bit>
#include <cstring>
#include <vector>

#include "memory/translate.h"
#include "vm/exec/access.h"
#include "vm/exec/image.h"
#include "vm/observe/observer.h"
#include "vm/program/program.h"

namespace transpire::vm::exec {
namespace {

/// Number of calls around an instruction.
std::uint32_t depth(const Program& program, std::uint32_t call) {
  std::uint32_t calls = 0;
  for (; call != 0; call = program.sources[call].called_from) ++calls;
  return calls;
}

/// Calls the observer for the calls between the frames of two instructions.
void announce_calls(Observer& observer, const Batch& batch, std::uint32_t from, std::uint32_t to) {
  const Program& program = *batch.program;
  std::uint32_t left = depth(program, from), entered = depth(program, to);
  std::vector<std::uint32_t> calls;
  while (from != to) {
    if (left >= entered) {
      observer.returned(batch, from);
      from = program.sources[from].called_from;
      --left;
    } else {
      calls.push_back(to);
      to = program.sources[to].called_from;
      --entered;
    }
  }
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) observer.called(batch, *call);
}

void tell_part(const Inst* ip, Batch* batch, const Access& access, std::uint64_t shift,
               ObservedRow row);

/// A robust access that is made component by component.
void tell_components(const Inst* ip, Batch* batch, const Access& access, std::uint64_t shift,
                     const ObservedRow& row) {
  Access one = component_of(access);
  for (std::uint32_t c = 0; c < access.components; ++c) {
    one.first_component = c & 63;
    tell_part(ip, batch, one, shift + c * one.bytes, row);
  }
}

void tell_part(const Inst* ip, Batch* batch, const Access& access, std::uint64_t shift,
               ObservedRow row) {
  row.instruction = ip;
  row.bytes = access.bytes;
  row.values += access.first_component;
  row.components = access.components;
  if (row.host != nullptr) {
    std::uint64_t shifted[kMaxLanes];
    if (shift != 0 && row.addresses != nullptr) {
      for (std::uint32_t i = 0; i < batch->program->lanes; ++i)
        shifted[i] = row.addresses[i] + shift;
      row.addresses = shifted;
    }
    row.base += shift;
    return batch->observer->row(*batch, row);
  }
  ObservedRow one = row;
  one.addresses = nullptr;
  one.stride = 0;
  const std::uint64_t* const running = row.lanes;
  for (std::uint32_t word = 0; word < batch->program->mask_words; ++word)
    for (std::uint64_t bits = running[word]; bits != 0; bits &= bits - 1) {
      const std::uint32_t lane = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
      std::uint64_t address = row.address(lane) + shift;
      const memory::Allocation* a = lane_allocation(*batch, access, lane, &address, row.kind);
      std::uint64_t lanes[kMaxMaskWords] = {};
      lanes[word] = bits & -bits;
      one.lanes = row.lanes = lanes;
      if (a == nullptr && access.is_robust != 0 && access.components > 1)
        tell_components(ip, batch, access, shift, row);
      if (a == nullptr || a->region == memory::Region::kPrivate) continue;
      one.base = memory::untagged(*batch->memory, address);
      one.is_workgroup = a->region == memory::Region::kWorkgroup;
      one.begin = a->begin;
      one.host = memory::host_of(*a, batch->workgroup_memory);
      batch->observer->row(*batch, one);
    }
}

}  // namespace

void tell_parts(const Inst* access_inst, Batch* batch, const Access& access, ObservedRow& row) {
  if (batch->observer == nullptr) return;
  row.values = access.values;
  if (access.part_count == 0) return tell_part(access_inst, batch, access, 0, row);
  for (std::uint32_t p = 0; p < access.part_count; ++p) {
    const Access& part = *access.parts[p].access;
    const std::uint64_t shift = part.first_component * (part.bytes / part.components);
    tell_part(access.parts + p, batch, part, shift, row);
  }
}

void stored_bytes(const Batch& batch, const ObservedRow& row, std::uint32_t lane, std::byte* out) {
  if (row.is_image) {
    const bool is_block = batch.program->site_of(row.instruction).op == Op::kImageBlockAnnounce;
    return (is_block ? stored_block : stored_texel)(batch, row, lane, out);
  }
  const std::uint64_t size = row.bytes / row.components;
  for (std::uint32_t c = 0; c < row.components; ++c, out += size) {
    const std::byte* values = batch.registers + row.values[c];
    if (row.stores_bools) {
      std::uint64_t word;
      std::memcpy(&word, values + lane / 64 * 8, sizeof word);
      *out = static_cast<std::byte>(word >> lane % 64 & 1);
    } else {
      std::memcpy(out, values + lane * size, size);
    }
  }
}

bool observe_next(const Inst* ip, Batch* batch) {
  if (batch->observer == nullptr) return true;
  const Program& program = *batch->program;
  const Source& source = program.source_of(ip);
  // An instruction of lowering's own belongs to the current call.
  if (&source != program.sources.data() && source.called_from != batch->call) {
    announce_calls(*batch->observer, *batch, batch->call, source.called_from);
    batch->call = source.called_from;
  }
  batch->observer->instruction(*batch, *ip);
  return batch->observer->goes_on();
}

void announce_order(const Inst* ip, Batch* batch) {
  if (batch->observer == nullptr) return;
  const auto row = [batch](std::uint32_t offset) {
    return reinterpret_cast<const std::uint32_t*>(batch->registers + offset);
  };
  batch->observer->orders(*batch,
                          {ip, static_cast<OrderOf>(ip->imm), row(ip->a), row(ip->b), row(ip->c)});
}

}  // namespace transpire::vm::exec
