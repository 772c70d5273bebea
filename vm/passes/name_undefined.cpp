// Which loads of shadows checked and stored values come from: see track_undefined.h.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "vm/lir/budget.h"
#include "vm/passes/passes.h"
#include "vm/passes/undefined_sources.h"

namespace transpire::vm::lir {
namespace {

/// Of a value.
constexpr std::size_t kMostLoads = 8;

class Naming {
 public:
  explicit Naming(Function& function) : f_(function) {}

  void run() {
    for (const Block& block : f_.blocks)
      for (const ValueId id : block.instructions) {
        const Value& value = f_.values[id];
        if (value.op == Op::kCheckDefined || value.op == Op::kCheckStored)
          f_.undefined_uses[value.imm].loads = loads_of(value.args.back(), kMostVisited);
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
      f_.undefined_uses[access.noted[i]].loads = loads_of(stored, kMostVisitedOfStores);
    }
    const auto is_nothing = [](std::uint32_t use) { return use == UndefinedAccess::kNothing; };
    if (std::all_of(access.noted.begin(), access.noted.end(), is_nothing)) access.noted.clear();
  }

  bool is_of_shadow(ValueId id) const { return memory::is_shadow(f_.mem[f_.values[id].imm].space); }

  std::vector<std::uint32_t> loads_of(ValueId shadow, std::size_t most_visited) {
    std::vector<std::uint32_t> loads;
    const auto add = [&](ValueId load, std::uint32_t component) {
      if (is_of_shadow(load)) loads.push_back(number_of(load, component));
      return loads.size() == kMostLoads ? Walk::kEnd : Walk::kNotThrough;
    };
    walk_sources(f_, shadow, most_visited, [&](ValueId id) {
      const Value& value = f_.values[id];
      if (value.op == Op::kResult)
        return f_.values[value.args[0]].op == Op::kLoad
                   ? add(value.args[0], static_cast<std::uint32_t>(value.imm))
                   : Walk::kNotThrough;
      return value.op == Op::kLoad || is_atomic(value.op) ? add(id, 0) : Walk::kOn;
    });
    return loads;
  }

  std::uint32_t number_of(ValueId load, std::uint32_t component) {
    const auto [place, is_new] = numbers_.try_emplace(
        {load, component}, static_cast<std::uint32_t>(f_.undefined_loads.size()));
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
  std::map<std::pair<ValueId, std::uint32_t>, std::uint32_t> numbers_;  ///< by load and component
};

}  // namespace

void name_undefined(Function& function) { Naming(function).run(); }

}  // namespace transpire::vm::lir
