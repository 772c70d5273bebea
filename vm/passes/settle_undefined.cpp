// Where undefined values may come from: see track_undefined.h.
#include <algorithm>
#include <set>
#include <unordered_set>
#include <vector>

#include "vm/lir/budget.h"
#include "vm/passes/bits.h"
#include "vm/passes/replacements.h"
#include "vm/passes/track_undefined.h"

namespace transpire::vm::lir {
namespace {

/// Of a finding, and values that are looked at for it.
constexpr std::size_t kMostOrigins = 4, kMostVisited = 1000;

class Settling {
 public:
  explicit Settling(Function& function) : f_(function) {}

  void run() {
    for (const Block& block : f_.blocks)
      for (const ValueId id : block.instructions) {
        const Value& value = f_.values[id];
        if (value.op != Op::kCheckDefined && value.op != Op::kCheckStored) continue;
        f_.undefined_uses[value.imm].origins = origins_of(value.args.back());
      }
    Replacements replaced;
    for (Block& block : f_.blocks)
      std::erase_if(block.instructions, [&](ValueId id) {
        if (f_.values[id].op != Op::kUndefined) return false;
        const Kind kind = f_.values[id].kind;
        replaced.add(id, f_.constant(kind, is_float(kind) ? 0 : kind_mask(kind)));
        f_.values[id].block = kNoBlock;
        return true;
      });
    replaced.apply(f_);
  }

 private:
  std::vector<UndefinedOrigin> origins_of(ValueId shadow) const {
    std::set<UndefinedOrigin> origins;
    std::unordered_set<ValueId> seen{shadow};
    std::vector<ValueId> open{shadow};
    while (!open.empty() && seen.size() < kMostVisited && origins.size() < kMostOrigins) {
      f_.work();
      const ValueId id = open.back();
      open.pop_back();
      const Value& value = f_.values[id];
      if (value.op == Op::kUndefined) origins.insert(f_.undefined_origins[value.imm]);
      if (value.op == Op::kLoad || is_atomic(value.op)) {
        if (memory::is_shadow(f_.mem[value.imm].space)) origins.insert(of_memory(value));
        continue;
      }
      for (const ValueId arg : value.args)
        if (seen.insert(arg).second) open.push_back(arg);
    }
    return {origins.begin(), origins.end()};
  }

  /// A private variable that is named, else what was loaded.
  UndefinedOrigin of_memory(const Value& load) const {
    ValueId base = load.args[0];
    while (f_.values[base].op == Op::kAddress) base = f_.values[base].args[0];
    const Value& root = f_.values[base];
    const std::uint64_t first = f_.private_slot(0);
    if (root.op == Op::kArgument && root.imm >= first && !f_.private_variables.empty()) {
      const auto number = static_cast<std::uint32_t>(root.imm - first);
      const std::uint32_t of = f_.private_variables[number].shadow_of;
      if (of != 0)
        return {UndefinedOrigin::What::kVariable, f_.private_variables[of - 1].source, of - 1};
    }
    return {UndefinedOrigin::What::kMemory, load.source, 0};
  }

  Function& f_;
};

}  // namespace

void settle_undefined(Function& function) { Settling(function).run(); }

}  // namespace transpire::vm::lir
