// Virtual registers: where each value is live in the linear order, which phis share a register with
// their sources, and the offsets of all registers in the register block.
//
// Lanes wait at later blocks while earlier ones run for other lanes, and arithmetic writes whole rows.
// A register is therefore taken from its first definition to its last use in the *linear* order, over
// whole loops that it is live into. Only a loop header's phi may have a hole: between its last use in
// the loop and the copy at the latch.
#include <algorithm>
#include <map>
#include <queue>

#include "vm/lower/emit_internal.h"

namespace transpire::vm::emission {

bool Emitter::is_scalar(const lir::Value& value) {
  return value.spread != lir::Spread::kVarying;
}

VReg Emitter::new_register(Kind kind, bool is_scalar, bool persistent) {
  registers_.push_back({kind, is_scalar, persistent, 0});
  events_.emplace_back();
  parent_.push_back(static_cast<VReg>(registers_.size() - 1));
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
    // Rows beside scalars: dropped where nobody asked for them.
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

/// What is live into a loop is needed until the loop's end: the next iteration reads it again. What
/// leaves a loop is needed from the loop's start: lanes that left early hold it while others go round.
Segment Emitter::extended(Segment segment, const Cycle* except) const {
  for (const Cycle& cycle : cycles_) {
    if (&cycle == except) continue;
    if (segment.from < cycle.from && segment.to >= cycle.from && segment.to < cycle.to)
      segment.to = cycle.to;
    if (segment.from > cycle.from && segment.from <= cycle.to && segment.to > cycle.to)
      segment.from = cycle.from;
  }
  return segment;
}

void Emitter::collect_events(const std::vector<Proto>& body) {
  for (const Proto& proto : body) {
    add_use(proto.a, proto.position);
    add_use(proto.b, proto.position);
    add_use(proto.c, proto.position);
    add_def(proto.d, proto.position);
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
  // The loop whose header holds a phi, for the hole in its segment.
  std::vector<const Cycle*> header_cycle(registers_.size(), nullptr);
  for (const Cycle& cycle : cycles_) {
    const LinearBlock& header = blocks_[cycle.first_block];
    for (const ValueId phi : f_.blocks[header.block].phis)
      header_cycle[result_register(phi)] = &cycle;
  }
  own_segments_.assign(registers_.size(), {});
  members_.assign(registers_.size(), {});
  for (VReg reg = 0; reg < registers_.size(); ++reg) {
    Events& e = events_[reg];
    members_[reg] = {reg};
    // What the prologue leaves for the kernel keeps its place from group to group.
    if (!e.definitions.empty() && e.definitions.front() < prologue_end_ && !e.uses.empty() &&
        *std::max_element(e.uses.begin(), e.uses.end()) > prologue_end_)
      registers_[reg].persistent = true;
    if (registers_[reg].persistent || e.definitions.empty()) continue;
    std::sort(e.definitions.begin(), e.definitions.end());
    std::sort(e.uses.begin(), e.uses.end());
    const Cycle* cycle = header_cycle[reg];
    Segment whole{e.definitions.front(), std::max(e.definitions.back(), e.uses.empty() ? 0 : e.uses.back())};
    if (cycle == nullptr) {
      own_segments_[reg] = {extended(whole, nullptr)};
      continue;
    }
    // Header phi: defined before the loop, read in it, defined again at its latch.
    Segment body{e.definitions.front(), std::max(cycle->from, e.uses.empty() ? 0 : e.uses.back())};
    body = extended(body, cycle);
    const Position latch = e.definitions.back();
    if (body.to >= latch || latch > cycle->to) {
      own_segments_[reg] = {extended({whole.from, std::max(whole.to, cycle->to)}, nullptr)};
    } else {
      own_segments_[reg] = {body, {latch, cycle->to}};
    }
  }
}

/// The segments of a phi as they would be if one of its copies were not made.
std::vector<Segment> Emitter::without_copy(VReg phi, Position copy) const {
  const std::vector<Position>& definitions = events_[phi].definitions;
  const bool single = own_segments_[phi].size() == 1;
  if (!single || definitions.front() != copy + 1) return own_segments_[phi];
  Segment whole{copy + 1, own_segments_[phi][0].to};
  if (definitions.size() > 1) whole.from = definitions[1];
  return {extended(whole, nullptr)};
}

/// Whether the copy's source may live in the phi's register, so that the copy need not be made: nobody
/// else needs the register while the source does. `phi` and `source` are registers, not representatives.
bool Emitter::mergeable(VReg phi, VReg source, Position copy) const {
  const Register &to = registers_[phi], &from = registers_[source];
  if (to.persistent || from.persistent || to.is_scalar != from.is_scalar || to.kind != from.kind)
    return false;
  const std::vector<VReg>& targets = members_[find(phi)];
  const std::vector<VReg>& sources = members_[find(source)];
  if (targets.size() + sources.size() > 64) return false;
  for (const VReg t : targets) {
    const std::vector<Segment> a = t == phi ? without_copy(phi, copy) : own_segments_[t];
    for (const VReg u : sources) {
      for (const Segment& x : a) {
        for (const Segment& y : own_segments_[u]) {
          const Position begin = std::max(x.from, y.from), end = std::min(x.to, y.to);
          // Meeting at the copy itself is what the merge makes unnecessary.
          if (begin < end || (begin == end && begin != copy + 1)) return false;
        }
      }
    }
  }
  return true;
}

void Emitter::merge(VReg target, VReg source) {
  target = find(target);
  source = find(source);
  parent_[source] = target;
  members_[target].insert(members_[target].end(), members_[source].begin(), members_[source].end());
  members_[source].clear();
}

void Emitter::coalesce() {
  // Inner loops' copies are the ones that cost: later blocks of deeper loops come first by length of
  // the smallest loop around them.
  std::vector<std::pair<std::uint32_t, LinearBlock*>> work;
  for (std::uint32_t n = 0; n < blocks_.size(); ++n) {
    if (blocks_[n].copies.empty()) continue;
    std::uint32_t span = 0xffffffffu;
    for (const Cycle& cycle : cycles_)
      if (cycle.first_block <= n && n <= cycle.last_block)
        span = std::min(span, cycle.last_block - cycle.first_block);
    work.push_back({span, &blocks_[n]});
  }
  std::stable_sort(work.begin(), work.end(),
                   [](const auto& x, const auto& y) { return x.first < y.first; });
  for (auto& [span, block] : work) {
    for (EdgeCopy& copy : block->copies) {
      const lir::Value& from = value(copy.value);
      const lir::Value& phi = value(copy.phi);
      if (find(copy.target) == find(copy.source) || is_scalar(from) != is_scalar(phi)) continue;
      if (mergeable(copy.target, copy.source, block->copy)) merge(copy.target, copy.source);
    }
  }
  for (LinearBlock& block : blocks_)
    for (EdgeCopy& copy : block.copies)
      if (find(copy.target) == find(copy.source)) copy.merged = true;
}

void Emitter::place(VReg reg, std::uint32_t offset) { registers_[reg].offset = offset; }

void Emitter::allocate() {
  Program& p = *program_;
  std::uint32_t next = 0;
  const auto take = [&](std::uint32_t bytes, std::uint32_t align) {
    next = (next + align - 1) / align * align;
    const std::uint32_t offset = next;
    next += bytes;
    return offset;
  };
  // Temporaries of copy cycles: one a kind, wherever a block could need one.
  for (const LinearBlock& block : blocks_) {
    if (block.copies.size() < 2) continue;
    for (const EdgeCopy& copy : block.copies) {
      const Register& r = registers_[find(copy.target)];
      VReg& t = temporary_[r.is_scalar ? kKindCount : static_cast<std::size_t>(r.kind)];
      if (t == kNoReg) t = new_register(r.kind, r.is_scalar, true);
    }
  }
  // Scalars, and what keeps its value, first.
  for (VReg reg = 0; reg < registers_.size(); ++reg) {
    const Register& r = registers_[reg];
    if (find(reg) == reg && r.is_scalar) place(reg, take(8, 8));
  }
  for (VReg reg = 0; reg < registers_.size(); ++reg) {
    const Register& r = registers_[reg];
    if (find(reg) == reg && !r.is_scalar && r.persistent)
      place(reg, take(row_bytes(r.kind, t_.lanes), 64));
  }
  for (ValueId id = 0; id < f_.values.size(); ++id) {
    const lir::Value& v = value(id);
    if (v.op == Op::kConst) {
      if (scalar_of_value_[id] != kNoReg)
        p.initial_scalars.push_back({registers_[scalar_of_value_[id]].offset, v.imm});
      if (row_of_value_[id] != kNoReg)
        p.initial_rows.push_back({registers_[row_of_value_[id]].offset, v.kind, v.imm});
    } else if (v.op == Op::kArgument && scalar_of_value_[id] != kNoReg) {
      p.argument_scalars.push_back({registers_[scalar_of_value_[id]].offset,
                                    static_cast<std::uint32_t>(v.imm)});
    }
  }
  if (zero_ != kNoReg) p.initial_scalars.push_back({registers_[zero_].offset, 0});

  struct Interval {
    Position from, to;
    VReg reg;
  };
  std::vector<Interval> intervals;
  for (VReg reg = 0; reg < own_segments_.size(); ++reg) {
    if (find(reg) != reg || registers_[reg].is_scalar || registers_[reg].persistent) continue;
    Interval interval{~Position{0}, 0, reg};
    for (const VReg member : members_[reg]) {
      for (const Segment& s : own_segments_[member]) {
        interval.from = std::min(interval.from, s.from);
        interval.to = std::max(interval.to, s.to);
      }
    }
    if (interval.to != 0) intervals.push_back(interval);
  }
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.from < b.from; });
  const auto later = [](const Interval& a, const Interval& b) { return a.to > b.to; };
  std::priority_queue<Interval, std::vector<Interval>, decltype(later)> active(later);
  // Rows of one size share places; the most recently freed one is the likeliest to be in the cache.
  std::map<std::uint32_t, std::vector<std::uint32_t>> free_rows;
  for (const Interval& interval : intervals) {
    while (!active.empty() && active.top().to < interval.from) {
      const Register& r = registers_[active.top().reg];
      free_rows[row_bytes(r.kind, t_.lanes)].push_back(r.offset);
      active.pop();
    }
    const std::uint32_t bytes = row_bytes(registers_[interval.reg].kind, t_.lanes);
    auto& free = free_rows[bytes];
    if (free.empty()) {
      place(interval.reg, take(bytes, 64));
    } else {
      place(interval.reg, free.back());
      free.pop_back();
    }
    active.push(interval);
  }
  p.register_bytes = (next + 63) / 64 * 64;
}

}  // namespace transpire::vm::emission
