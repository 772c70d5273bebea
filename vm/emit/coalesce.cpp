// The rule: two registers may share a place if no write of one destroys a value of the other that a
// lane still reads.
//
//   - A write of the running lanes (an edge's copy into a row) destroys what these lanes read after
//     it, in their own control flow. Lanes that wait keep theirs.
//   - A write of every lane also destroys what the waiting lanes read when their block comes.
//   - An edge's copy from a register that shares the place is no write: it is not made, and
//     whatever else of the place is live there has the value that the copy's source has.
//
// This is enough: a lane at a position needs at most one value of each place, that of the place's
// registers that are live there for the lane; by the rule every write of the place keeps it until
// it is read. Where two registers of a place are live at once, one of them was last copied from the
// other and neither written since, as that write would have been refused.
//
// An example is the accumulator of an interpreter's loop: a switch whose cases either leave it
// alone or compute a new one, and a phi behind the switch. Old value, phi and the phi at the loop's
// header share a place. The cases that compute write their result elsewhere, in every lane, then
// copy it into the place in their own lanes only: other cases' lanes still find the old value. The
// results of the cases cannot be in the place themselves, because lanes of other cases wait behind
// the switch or in other cases while it is written.
//
// The linear order's segments would refuse this, as the place is needed everywhere in the loop;
// they only say where another register may take the place over altogether (see live_ranges.h).
#include "vm/emit/coalesce.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "vm/lir/budget.h"

namespace transpire::vm::emission {

namespace {

bool is_before(const Write& write, Position position) { return write.at < position; }

/// Longer joint lifetimes are not tried: bounds the time for huge kernels.
constexpr std::size_t kMaxWrites = 4096;

/// Instructions, which define all values but phis, write every lane.
void add_instruction_writes(const Events& events, Lifetime* lifetime) {
  if (!lifetime->writes.empty()) return;
  for (const Position at : events.definitions) lifetime->writes.push_back({at, true, kNoReg});
}

}  // namespace

Coalescer::Coalescer(const lir::Function& function, const LinearOrder& order,
                     const Registers& registers, LiveRanges* ranges)
    : f_(function),
      order_(order),
      registers_(registers),
      ranges_(*ranges),
      lifetimes_(registers.size()),
      parent_(registers.size()) {
  std::iota(parent_.begin(), parent_.end(), 0);
}

VReg Coalescer::find(VReg reg) const {
  while (parent_[reg] != reg) {
    parent_[reg] = parent_[parent_[reg]];
    reg = parent_[reg];
  }
  return reg;
}

/// A phi and a source of it that could share a place.
struct Coalescer::Candidate {
  VReg phi = kNoReg, source = kNoReg;
  std::uint64_t weight = 0;  ///< estimate of how often the copies between the two run
};

/// The costliest copies first. Under a switch or branch every edge counts in full: some lanes
/// usually take it.
std::vector<Coalescer::Candidate> Coalescer::candidates() const {
  constexpr std::uint32_t kMaxDepth = 10, kRoundsLog2 = 3;
  std::map<std::pair<VReg, VReg>, std::uint64_t> weights;
  for (std::uint32_t n = 0; n < order_.blocks.size(); ++n) {
    const std::vector<EdgeCopy>& copies = order_.blocks[n].copies;
    f_.work(copies.size() + 1);
    if (copies.empty()) continue;
    const std::uint64_t weight = std::uint64_t{1} << kRoundsLog2 * order_.depth(n, kMaxDepth);
    for (const EdgeCopy& copy : copies) {
      const VReg target = registers_.known(copy.phi), source = registers_.known(copy.value);
      const Register &to = registers_[target], &from = registers_[source];
      if (ranges_.persistent[target] || ranges_.persistent[source] || to.is_kept || from.is_kept ||
          target == source || to.is_scalar != from.is_scalar || to.kind != from.kind)
        continue;
      weights[{target, source}] += weight;
    }
  }
  std::vector<Candidate> result;
  result.reserve(weights.size());
  for (const auto& [registers, weight] : weights)
    result.push_back({registers.first, registers.second, weight});
  std::stable_sort(result.begin(), result.end(),
                   [](const Candidate& a, const Candidate& b) { return a.weight > b.weight; });
  return result;
}

void Coalescer::find_lifetimes(const std::vector<Candidate>& candidates) {
  for (std::size_t n = 0; n < order_.blocks.size(); ++n) {
    for (const EdgeCopy& copy : order_.blocks[n].copies) {
      const VReg target = registers_.known(copy.phi);
      lifetimes_[target].writes.push_back(
          {ranges_.blocks[n].copy + 1, registers_[target].is_scalar, registers_.known(copy.value)});
    }
  }
  LifetimeAnalysis analysis(order_, ranges_.blocks);
  for (const Candidate& candidate : candidates) {
    find_lifetime(analysis, candidate.phi);
    find_lifetime(analysis, candidate.source);
  }
}

void Coalescer::find_lifetime(LifetimeAnalysis& analysis, VReg reg) {
  Lifetime& lifetime = lifetimes_[reg];
  if (!lifetime.live.empty()) return;
  const Events& events = ranges_.events[reg];
  f_.work(events.definitions.size() + events.uses.size());
  add_instruction_writes(events, &lifetime);
  // The analysis gave up: a lifetime by the linear order is always safe.
  if (!analysis.find(events, &lifetime)) lifetime.live = lifetime.held = {ranges_.segments[reg]};
}

/// True if a write of one place destroys a needed value of another when both become one place.
/// `owner` represents the other place; with kNoReg, copies between the two count as well.
bool Coalescer::destroys(const Lifetime& writer, const Lifetime& needed, VReg owner) const {
  // Only writes between the first and the last need can destroy a value.
  Position from = ~Position{0}, to = 0;
  for (const auto* segments : {&needed.live, &needed.held}) {
    if (segments->empty()) continue;
    from = std::min(from, segments->front().from);
    to = std::max(to, segments->back().to);
  }
  auto write = std::lower_bound(writer.writes.begin(), writer.writes.end(), from, is_before);
  for (; write != writer.writes.end() && write->at < to; ++write) {
    f_.work();
    if (write->source != kNoReg && owner != kNoReg && find(write->source) == owner) {
      // The copy is not made, unless the same edge gives the owner's place another value.
      const auto same =
          std::lower_bound(needed.writes.begin(), needed.writes.end(), write->at, is_before);
      if (same == needed.writes.end() || same->at != write->at) continue;
    }
    if (needed_across(needed.live, write->at)) return true;
    if (write->every_lane && needed_across(needed.held, write->at)) return true;
  }
  return false;
}

bool Coalescer::may_share(VReg a, VReg b) const {
  const Lifetime &of_a = lifetimes_[a], &of_b = lifetimes_[b];
  if (of_a.writes.size() + of_b.writes.size() > kMaxWrites) return false;
  return !destroys(of_a, of_b, b) && !destroys(of_b, of_a, a);
}

void Coalescer::merge(VReg target, VReg source) {
  Lifetime &to = lifetimes_[target], &from = lifetimes_[source];
  f_.work((to.live.size() + to.held.size() + to.writes.size()) / 8 + 1);
  unite(&to.live, from.live);
  unite(&to.held, from.held);
  const auto middle = to.writes.insert(to.writes.end(), from.writes.begin(), from.writes.end());
  std::inplace_merge(to.writes.begin(), middle, to.writes.end(),
                     [](const Write& a, const Write& b) { return a.at < b.at; });
  from = {};
  Segment& all = ranges_.segments[target];
  all.from = std::min(all.from, ranges_.segments[source].from);
  all.to = std::max(all.to, ranges_.segments[source].to);
  parent_[source] = target;
}

std::vector<VReg> Coalescer::run() {
  const std::vector<Candidate> pairs = candidates();
  find_lifetimes(pairs);
  for (const Candidate& pair : pairs) {
    const VReg phi = find(pair.phi), source = find(pair.source);
    if (phi != source && may_share(phi, source)) merge(phi, source);
  }
  for (VReg& parent : parent_) parent = find(parent);
  return parent_;
}

bool Coalescer::is_sound(const std::vector<std::uint32_t>& offsets) const {
  constexpr std::size_t kMaxRegisters = 2000;
  if (registers_.size() > kMaxRegisters) return true;
  LifetimeAnalysis analysis(order_, ranges_.blocks);
  std::vector<Lifetime> lifetimes = lifetimes_;
  std::map<std::uint32_t, std::vector<const Lifetime*>> places;
  for (VReg reg = 0; reg < registers_.size(); ++reg) {
    if (find(reg) != reg || registers_[reg].is_scalar || ranges_.persistent[reg] ||
        ranges_.segments[reg].from < ranges_.prologue_end)
      continue;
    Lifetime& lifetime = lifetimes[reg];
    add_instruction_writes(ranges_.events[reg], &lifetime);
    if (lifetime.live.empty()) analysis.find(ranges_.events[reg], &lifetime);
    for (const Lifetime* other : places[offsets[reg]])
      if (destroys(lifetime, *other, kNoReg) || destroys(*other, lifetime, kNoReg)) return false;
    places[offsets[reg]].push_back(&lifetime);
  }
  return true;
}

}  // namespace transpire::vm::emission
