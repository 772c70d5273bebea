// The possible sources of a shadow: the walk back over operands that find_undefined_sources() and
// name_undefined() share.
#pragma once

#include <unordered_set>
#include <vector>

#include "vm/lir/lir.h"

namespace transpire::vm::lir {

/// Maximum number of values visited for a finding, and for the note of a store.
inline constexpr std::size_t kMostVisited = 1000, kMostVisitedOfStores = 200;

enum class Walk : std::uint8_t { kOn, kNotThrough, kEnd };

/// Calls `visit` with the value and all that it is made of, each once, up to `most_visited`. Its
/// result says whether to continue through the operands of that value.
template <class Visit>
void walk_sources(Function& function, ValueId from, std::size_t most_visited, Visit visit) {
  std::unordered_set<ValueId> seen{from};
  std::vector<ValueId> open{from};
  while (!open.empty() && seen.size() < most_visited) {
    function.work();
    const ValueId id = open.back();
    open.pop_back();
    const Walk walk = visit(id);
    if (walk == Walk::kEnd) return;
    if (walk == Walk::kNotThrough) continue;
    for (const ValueId arg : function.values[id].args)
      if (seen.insert(arg).second) open.push_back(arg);
  }
}

}  // namespace transpire::vm::lir
