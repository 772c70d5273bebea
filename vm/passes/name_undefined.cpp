// Finds the loads of shadows from which checked and stored values come: see track_undefined.h.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/narrow.h"
#include "vm/lir/budget.h"
#include "vm/lir/dominators.h"
#include "vm/passes/passes.h"
#include "vm/passes/undefined_sources.h"

namespace transpire::vm::lir {
namespace {

/// Maximum for a value.
constexpr std::size_t kMostLoads = 8;

class Naming {
 public:
  explicit Naming(Function& function) : f_(function), dominators_(function) {}

  void run() {
    for (const Block& block : f_.blocks)
      for (const ValueId id : block.instructions) {
        const Value& value = f_.values[id];
        if (value.op == Op::kCheckDefined || value.op == Op::kCheckStored)
          name_use(value.imm, value.args.back(), kMostVisited);
        if (value.op == Op::kStore && !f_.mem[value.imm].noted.empty()) name_store(value);
      }
    for (const auto& [place, number] : numbers_) note(place.first, place.second, number);
  }

 private:
  void name_store(const Value& store) {
    MemAccess& access = f_.mem[store.imm];
    const std::size_t places = store.args.size() - access.components;
    for (std::size_t i = 0; i < access.components; ++i) {
      const ValueId stored = store.args[places + i];
      const Value& value = f_.values[stored];
      if (value.op == Op::kConst && value.imm == 0) access.noted[i] = UndefinedAccess::kNothing;
      if (access.noted[i] == UndefinedAccess::kNothing) continue;
      name_use(access.noted[i], stored, kMostVisitedOfStores);
    }
    const auto is_nothing = [](std::uint32_t use) { return use == UndefinedAccess::kNothing; };
    if (std::all_of(access.noted.begin(), access.noted.end(), is_nothing)) access.noted.clear();
  }

  bool is_of_shadow(ValueId id) const { return memory::is_shadow(f_.mem[f_.values[id].imm].space); }

  void name_use(std::uint64_t use, ValueId shadow, std::size_t most_visited) {
    std::vector<ValueId> handed_on;
    f_.undefined_uses[use].loads = loads_of(shadow, most_visited, &handed_on);
    std::vector<std::uint32_t> carried;
    for (const ValueId phi : handed_on)
      for (const std::uint32_t load : loads_of(phi, most_visited, nullptr))
        if (std::ranges::find(carried, load) == carried.end()) carried.push_back(load);
    f_.undefined_uses[use].carried = std::move(carried);
  }

  /// True if a round of a loop gets its value from the round before.
  bool is_handed_on(const Value& value) const {
    if (value.op != Op::kPhi) return false;
    return std::ranges::any_of(f_.blocks[value.block].preds, [&](BlockId from) {
      return dominators_.dominates(value.block, from);
    });
  }

  /// `handed_on` gets the phis on the way that loops hand on.
  std::vector<std::uint32_t> loads_of(ValueId shadow, std::size_t most_visited,
                                      std::vector<ValueId>* handed_on) {
    std::vector<std::uint32_t> loads;
    const auto add = [&](ValueId load, std::uint32_t component) {
      if (is_of_shadow(load)) loads.push_back(number_of(load, component));
      return loads.size() == kMostLoads ? Walk::kEnd : Walk::kNotThrough;
    };
    walk_sources(f_, shadow, most_visited, [&](ValueId id) {
      const Value& value = f_.values[id];
      if (handed_on != nullptr && handed_on->size() < kMostLoads && is_handed_on(value))
        handed_on->push_back(id);
      if (value.op == Op::kResult)
        return f_.values[value.args[0]].op == Op::kLoad
                   ? add(value.args[0], narrow<std::uint32_t>(value.imm))
                   : Walk::kNotThrough;
      return value.op == Op::kLoad || is_atomic(value.op) ? add(id, 0) : Walk::kOn;
    });
    return loads;
  }

  std::uint32_t number_of(ValueId load, std::uint32_t component) {
    const auto [place, is_new] =
        numbers_.try_emplace({load, component}, narrow<std::uint32_t>(f_.undefined_loads.size()));
    if (is_new) {
      f_.take(sizeof(std::uint32_t));
      f_.undefined_loads.push_back(source_of(load, component));
    }
    return place->second;
  }

  std::uint32_t source_of(ValueId load, std::uint32_t component) const {
    for (const AccessPart& part : f_.mem[f_.values[load].imm].parts)
      if (component - part.first < part.components) return part.source;
    return f_.values[load].source;
  }

  void note(ValueId load, std::uint32_t component, std::uint32_t number) {
    Value& value = f_.values[load];
    if (f_.mem[value.imm].noted.empty()) {  // others may have the same access
      MemAccess own = f_.mem[value.imm];
      own.noted.assign(own.components, UndefinedAccess::kNothing);
      value.imm = f_.mem.size();
      f_.mem.push_back(std::move(own));
    }
    f_.mem[value.imm].noted[component] = number;
  }

  Function& f_;
  const Dominators dominators_;
  std::map<std::pair<ValueId, std::uint32_t>, std::uint32_t> numbers_;  ///< by load and component
};

}  // namespace

void name_undefined(Function& function) { Naming(function).run(); }

}  // namespace transpire::vm::lir
