// Virtual registers: the segment of the linear order that needs each, and the offsets of all
// registers in the register block.
//
// Lanes wait at later blocks while earlier ones run for other lanes, and arithmetic writes whole
// rows. A place is therefore taken from its register's first definition to the last use in the
// *linear* order, over whole loops that the register is live into or out of.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <queue>

#include "base/narrow.h"
#include "base/rule.h"
#include "vm/emit/emitter.h"

namespace transpire::vm::emission {

bool Emitter::is_scalar(const lir::Value& value) { return value.spread != lir::Spread::kVarying; }

VReg Emitter::new_register(Kind kind, bool is_scalar, bool persistent) {
  registers_.push_back({.kind = kind, .is_scalar = is_scalar, .persistent = persistent});
  f_.work();
  events_.emplace_back();
  parent_.push_back(narrow<VReg>(registers_.size() - 1));
  return parent_.back();
}

VReg Emitter::find(VReg reg) const {
  while (parent_[reg] != reg) {
    parent_[reg] = parent_[parent_[reg]];
    reg = parent_[reg];
  }
  return reg;
}

VReg Emitter::zero_scalar() {
  if (zero_ == kNoReg) zero_ = new_register(Kind::kI64, true, true);
  return zero_;
}

VReg Emitter::result_register(ValueId id) {
  return is_scalar(value(id)) ? scalar_of(id) : row_of(id);
}

VReg Emitter::scalar_of(ValueId id) {
  VReg& reg = scalar_of_value_[id];
  const bool persistent = value(id).op == Op::kConst || value(id).op == Op::kArgument;
  if (reg == kNoReg) reg = new_register(value(id).kind, true, persistent);
  return scalar_of_value_[id];
}

VReg Emitter::row_of(ValueId id) {
  if (is_scalar(value(id))) wants_row_[id] = true;
  if (row_of_value_[id] == kNoReg) {
    const bool persistent = value(id).op == Op::kConst;
    row_of_value_[id] = new_register(value(id).kind, false, persistent);
  }
  return row_of_value_[id];
}

void Emitter::number_positions() {
  Position p = 1;
  const auto number_body = [&](std::vector<Proto>& body) {
    // Removes rows beside scalars that nobody requested.
    std::erase_if(body, [&](const Proto& proto) {
      return proto.spread_of != lir::kNoValue && !wants_row_[proto.spread_of];
    });
    for (Proto& proto : body) {
      proto.position = 2 * p++;
      if (proto.spread_of == lir::kNoValue) continue;
      proto.d = row_of(proto.spread_of);
      proto.a = scalar_of(proto.spread_of);
    }
  };
  number_body(prologue_.body);
  prologue_end_ = 2 * p++;
  for (LinearBlock& block : blocks_) {
    block.first = 2 * p++;
    number_body(block.body);
    block.copy = 2 * p++;
    block.last = 2 * p++;
  }
}

void Emitter::add_use(VReg reg, Position position) {
  if (reg != kNoReg) events_[reg].uses.push_back(position);
}

void Emitter::add_def(VReg reg, Position position) {
  if (reg != kNoReg) events_[reg].definitions.push_back(position + 1);
}

/// A value that is live into a loop is needed until the loop's end, because the next round reads it
/// again. A value that leaves a loop is needed from the loop's start: lanes that left early hold it
/// while others go round.
Segment Emitter::extended(Segment segment) const {
  // Outwards: only cycles around an end of the segment can move it, and the smallest comes first.
  for (std::uint32_t c = cycle_at(segment.to); c != kNoCycle; c = cycles_[c].parent) {
    f_.work();
    const Cycle& cycle = cycles_[c];
    if (segment.from < cycle.from && segment.to >= cycle.from && segment.to < cycle.to)
      segment.to = cycle.to;
  }
  for (std::uint32_t c = cycle_at(segment.from); c != kNoCycle; c = cycles_[c].parent) {
    f_.work();
    const Cycle& cycle = cycles_[c];
    if (segment.from > cycle.from && segment.from <= cycle.to && segment.to > cycle.to)
      segment.from = cycle.from;
  }
  return segment;
}

/// The innermost cycle around a position; none for those of the prologue.
std::uint32_t Emitter::cycle_at(Position position) const {
  const auto after =
      std::upper_bound(blocks_.begin(), blocks_.end(), position,
                       [](Position p, const LinearBlock& block) { return p < block.first; });
  return after == blocks_.begin()
             ? kNoCycle
             : cycle_of_block_[static_cast<std::size_t>(after - blocks_.begin()) - 1];
}

void Emitter::collect_events(const std::vector<Proto>& body) {
  for (const Proto& proto : body) {
    f_.work();
    add_use(proto.a, proto.position);
    add_use(proto.b, proto.position);
    add_use(proto.c, proto.position);
    add_def(proto.d, proto.position);
    for (const VReg reg : proto.results) add_def(reg, proto.position);
    for (const ValueId id : proto.told)
      if (value(id).op != Op::kConst) add_use(result_register(id), proto.position);
    for (const VReg reg : proto.values) {
      if (proto.defines_values) {
        add_def(reg, proto.position);
      } else {
        add_use(reg, proto.position);
      }
    }
  }
}

void Emitter::collect_segments() {
  collect_events(prologue_.body);
  for (LinearBlock& block : blocks_) {
    collect_events(block.body);
    for (EdgeCopy& copy : block.copies) {
      copy.target = result_register(copy.phi);
      copy.source = is_scalar(value(copy.value)) ? scalar_of(copy.value) : row_of(copy.value);
      // Sources stay until all copies of the edge are made.
      add_use(copy.source, block.copy + 1);
      add_def(copy.target, block.copy);
    }
    if (block.condition != kNoReg) add_use(block.condition, block.last);
  }
  make_segments();
}

void Emitter::make_segments() {
  segments_.assign(registers_.size(), {});
  for (VReg reg = 0; reg < registers_.size(); ++reg) {
    Events& e = events_[reg];
    f_.work(e.definitions.size() + e.uses.size() + 1);
    // A value that the prologue leaves for the kernel keeps its place from group to group.
    if (!e.definitions.empty() && e.definitions.front() < prologue_end_ && !e.uses.empty() &&
        *std::max_element(e.uses.begin(), e.uses.end()) > prologue_end_)
      registers_[reg].persistent = true;
    if (registers_[reg].persistent || e.definitions.empty()) continue;
    std::sort(e.definitions.begin(), e.definitions.end());
    std::sort(e.uses.begin(), e.uses.end());
    const Position last_use = e.uses.empty() ? 0 : e.uses.back();
    segments_[reg] = extended({e.definitions.front(), std::max(e.definitions.back(), last_use)});
  }
}

std::uint32_t Emitter::take(std::uint32_t bytes, std::uint32_t align) {
  const Checked offset = register_bytes_.align_up(align);
  register_bytes_ = offset + bytes;
  // Offsets are 32 bits wide in instructions, and the block is allocated for each batch.
  if (!register_bytes_.fits(most_register_bytes_)) refuse_registers();
  return narrow<std::uint32_t>(offset.value());
}

void Emitter::refuse_registers() {
  throw BudgetSpent{make_diagnostic(
      Rule::kL0007, fmt::format("the kernel's registers take more than {} bytes on {}",
                                most_register_bytes_, isa_name(t_.isa)))};
}

/// Adds temporaries for cycles of copies: one for each kind, in every block that may need it.
void Emitter::add_temporaries() {
  for (const LinearBlock& block : blocks_) {
    if (block.copies.size() < 2) continue;
    for (const EdgeCopy& copy : block.copies) {
      const Register& r = registers_[find(copy.target)];
      VReg& t = temporary_[r.is_scalar ? kKindCount : static_cast<std::size_t>(r.kind)];
      if (t == kNoReg) t = new_register(r.kind, r.is_scalar, true);
    }
  }
}

void Emitter::place_scalars(bool idle) {
  for (VReg reg = 0; reg < registers_.size(); ++reg) {
    Register& r = registers_[reg];
    if (find(reg) == reg && r.is_scalar && r.is_idle == idle) r.offset = take(8, 8);
  }
}

/// Rows that keep their value for the whole launch.
void Emitter::place_kept() {
  for (VReg reg = 0; reg < registers_.size(); ++reg) {
    Register& r = registers_[reg];
    if (find(reg) == reg && !r.is_scalar && r.persistent)
      r.offset = take(row_bytes(r.kind, t_.lanes), 64);
  }
}

void Emitter::write_initial_values() {
  Program& p = *program_;
  for (ValueId id = 0; id < f_.values.size(); ++id) {
    const lir::Value& v = value(id);
    const VReg scalar = scalar_of_value_[id], row = row_of_value_[id];
    if (v.op == Op::kConst) {
      if (scalar != kNoReg) p.initial_scalars.push_back({registers_[scalar].offset, v.imm});
      if (row != kNoReg) p.initial_rows.push_back({registers_[row].offset, v.kind, v.imm});
    } else if (v.op == Op::kArgument && scalar != kNoReg) {
      p.argument_scalars.push_back({registers_[scalar].offset, narrow<std::uint32_t>(v.imm)});
    }
  }
  if (zero_ != kNoReg) p.initial_scalars.push_back({registers_[zero_].offset, 0});
}

/// Rows whose segments do not overlap share places.
void Emitter::place_rows(bool idle) {
  std::vector<VReg> rows;
  for (VReg reg = 0; reg < segments_.size(); ++reg) {
    const Register& r = registers_[reg];
    if (find(reg) == reg && !r.is_scalar && !r.persistent && r.is_idle == idle &&
        segments_[reg].to != 0)
      rows.push_back(reg);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [&](VReg a, VReg b) { return segments_[a].from < segments_[b].from; });
  const auto ends_later = [&](VReg a, VReg b) { return segments_[a].to > segments_[b].to; };
  std::priority_queue<VReg, std::vector<VReg>, decltype(ends_later)> active(ends_later);
  // By size; the most recently freed place is the likeliest to be in the cache.
  std::map<std::uint32_t, std::vector<std::uint32_t>> free_places;
  for (const VReg reg : rows) {
    f_.work();
    while (!active.empty() && segments_[active.top()].to < segments_[reg].from) {
      const Register& r = registers_[active.top()];
      free_places[row_bytes(r.kind, t_.lanes)].push_back(r.offset);
      active.pop();
    }
    const std::uint32_t bytes = row_bytes(registers_[reg].kind, t_.lanes);
    if (registers_[reg].is_kept) {
      registers_[reg].offset = take(bytes, 64);
      continue;
    }
    auto& free = free_places[bytes];
    if (free.empty()) {
      registers_[reg].offset = take(bytes, 64);
    } else {
      registers_[reg].offset = free.back();
      free.pop_back();
    }
    active.push(reg);
  }
}

void Emitter::allocate() {
  add_temporaries();
  place_scalars(false);
  place_kept();
  write_initial_values();
  place_rows(false);
  register_bytes_ = register_bytes_.align_up(64);
  const std::uint64_t idle = register_bytes_.value();
  place_scalars(true);
  place_rows(true);
  program_->register_bytes = narrow<std::uint32_t>(register_bytes_.align_up(64).value());
  program_->idle_bytes = narrow<std::uint32_t>(program_->register_bytes - idle);
}

}  // namespace transpire::vm::emission
