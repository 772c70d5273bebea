#include "analysis/paths.h"

#include <set>
#include <vector>

namespace transpire::analysis {

bool leads_to(const FunctionIndex& in, Spot from, Spot to,
              const std::function<bool(const decoder::Instruction&)>& bars) {
  std::set<std::uint32_t> seen;
  std::vector<Spot> open{to};
  while (!open.empty()) {
    Spot at = open.back();
    open.pop_back();
    bool is_barred = false;
    while (at.index-- > 0 && !is_barred) {
      if (at.block == from.block && at.index == from.index) return true;
      is_barred = bars && bars(in.at(at));
    }
    if (is_barred) continue;
    for (const std::uint32_t before : in.predecessors[at.block]) {
      const auto size = static_cast<std::uint32_t>(in.function.blocks[before].instructions.size());
      if (seen.insert(before).second) open.push_back({before, size});
    }
  }
  return false;
}

bool leads_to(const FunctionIndex& in, Spot from, Spot to, spv::Op barring) {
  return leads_to(in, from, to,
                  [barring](const decoder::Instruction& each) { return each.op == barring; });
}

const vm::Source* beside(const vm::Source& source, const vm::Source& other,
                         const vm::Program& program) {
  for (const vm::Source* at = &source;; at = &program.sources[at->called_from]) {
    if (at->function == other.function && at->called_from == other.called_from) return at;
    if (at->called_from == 0) return nullptr;
  }
}

Pair pair_of(const vm::Source& from, const vm::Source& to, Values& values,
             const vm::Program& program) {
  for (const vm::Source* at = &to;; at = &program.sources[at->called_from]) {
    if (const vm::Source* const other = beside(from, *at, program))
      return {values.place_of(*other, program), values.place_of(*at, program)};
    if (at->called_from == 0) return {};
  }
}

bool is_in_loop(const vm::Source& source, Values& values, const vm::Program& program) {
  for (const vm::Source* at = &source;; at = &program.sources[at->called_from]) {
    const FlowPlace place = values.place_of(*at, program);
    if (place.in != nullptr && leads_to(*place.in, place.spot, place.spot)) return true;
    if (at->called_from == 0) return false;
  }
}

}  // namespace transpire::analysis
