// Copies of phis on an edge. They happen at once; this puts them one behind the other.
#include <algorithm>
#include <queue>

#include "vm/emit/emitter.h"
#include "vm/lir/budget.h"

namespace transpire::vm::emission {

Handler Emitter::copy_handler(const EdgeCopy& copy, std::uint64_t* imm) const {
  const lir::Value& phi = value(copy.phi);
  const lir::Value& from = value(copy.value);
  const auto kind = static_cast<std::size_t>(phi.kind);
  *imm = 0;
  if (is_scalar(phi)) return t_.scalar_copy;
  if (!is_scalar(from)) return t_.masked_copy[kind];
  if (from.spread == lir::Spread::kUniform) return t_.masked_spread[kind];
  *imm = static_cast<std::uint64_t>(from.stride);
  return t_.masked_affine[kind];
}

void Emitter::emit_copy(const EdgeCopy& copy, VReg target, VReg source) {
  std::uint64_t imm = 0;
  Inst inst{};
  inst.run = copy_handler(copy, &imm);
  inst.d = registers_[find(target)].offset;
  inst.a = registers_[find(source)].offset;
  inst.imm = imm;
  note_row(target);
  append(inst, {.op = Op::kCopy, .source = value(copy.phi).source});
}

/// The copies of an edge that are left to be made. One may be made when no other still reads its
/// target; each step takes the first such one.
struct Emitter::ParallelCopies {
  struct Place {
    std::vector<std::uint32_t> readers, writers;  ///< copies, by number
    std::uint32_t reads_left = 0;
  };
  std::vector<EdgeCopy> copies;
  std::vector<bool> made;
  std::unordered_map<VReg, Place> places;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free;
  std::uint32_t first_left = 0;

  /// One reader fewer of a place; the last one frees those that write there.
  void read(Place& place, std::uint32_t readers) {
    place.reads_left -= readers;
    if (place.reads_left != 0) return;
    for (const std::uint32_t writer : place.writers)
      if (!made[writer]) free.push(writer);
  }
};

void Emitter::emit_copies(const LinearBlock& block) {
  ParallelCopies p;
  for (const EdgeCopy& copy : block.copies)
    if (!copy.merged) p.copies.push_back(copy);
  if (p.copies.size() == 1) return emit_copy(p.copies[0], p.copies[0].target, p.copies[0].source);
  p.made.assign(p.copies.size(), false);
  f_.work(p.copies.size());
  for (std::uint32_t i = 0; i < p.copies.size(); ++i) {
    ParallelCopies::Place& source = p.places[find(p.copies[i].source)];
    source.readers.push_back(i);
    ++source.reads_left;
    p.places[find(p.copies[i].target)].writers.push_back(i);
  }
  for (auto& [place, state] : p.places) p.read(state, 0);
  for (std::size_t left = p.copies.size(); left > 0;) {
    f_.work();
    if (p.free.empty()) {
      break_cycle(p);
      continue;
    }
    const std::uint32_t i = p.free.top();
    p.free.pop();
    p.made[i] = true;
    --left;
    EdgeCopy& copy = p.copies[i];
    emit_copy(copy, copy.target, copy.source);
    if (!is_temporary(copy.source)) p.read(p.places[find(copy.source)], 1);
  }
}

bool Emitter::is_temporary(VReg reg) const {
  return std::find(std::begin(temporary_), std::end(temporary_), reg) != std::end(temporary_);
}

/// Only cycles are left: one target's old value moves to a temporary, from where it is read.
void Emitter::break_cycle(ParallelCopies& p) {
  while (p.made[p.first_left]) ++p.first_left;
  const EdgeCopy& broken = p.copies[p.first_left];
  const Register target = registers_[find(broken.target)];
  const VReg temporary =
      temporary_[target.is_scalar ? kKindCount : static_cast<std::size_t>(target.kind)];
  Inst inst{};
  inst.run = target.is_scalar ? t_.scalar_copy : t_.copy[static_cast<std::size_t>(target.kind)];
  inst.d = registers_[temporary].offset;
  inst.a = target.offset;
  note_row(temporary);
  append(inst, {.op = Op::kCopy, .source = value(broken.phi).source});
  ParallelCopies::Place& place = p.places[find(broken.target)];
  for (const std::uint32_t reader : place.readers)
    if (!p.made[reader]) p.copies[reader].source = temporary;
  p.read(place, place.reads_left);
}

}  // namespace transpire::vm::emission
