// Finds the possible sources of undefined values: see track_undefined.h.
#include <algorithm>
#include <set>
#include <vector>

#include "base/narrow.h"
#include "vm/lir/budget.h"
#include "vm/passes/bits.h"
#include "vm/passes/replacements.h"
#include "vm/passes/track_undefined.h"
#include "vm/passes/undefined_sources.h"

namespace transpire::vm::lir {
namespace {

/// Maximum for a finding.
constexpr std::size_t kMostOrigins = 4;

class SourceSearch {
 public:
  explicit SourceSearch(Function& function) : f_(function) {}

  void run() {
    for (const Block& block : f_.blocks)
      for (const ValueId id : block.instructions) {
        const Value& value = f_.values[id];
        if (value.op == Op::kCheckDefined || value.op == Op::kCheckStored)
          f_.undefined_uses[value.imm].origins = origins_of(value.args.back(), kMostVisited);
        if (value.op == Op::kStore && memory::is_shadow(f_.mem[value.imm].space)) resolve_store(id);
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
  /// Finds the origins to note when the store writes an undefined value.
  void resolve_store(ValueId id) {
    const Value value = f_.values[id];
    MemAccess access = f_.mem[value.imm];
    if (access.is_checked) return;
    const std::size_t places = value.args.size() - access.components;
    for (std::size_t i = places; i < value.args.size(); ++i) {
      const Value& stored = f_.values[value.args[i]];
      std::uint32_t use = UndefinedAccess::kNothing;
      if (stored.op != Op::kConst || stored.imm != 0) {
        use = narrow<std::uint32_t>(f_.undefined_uses.size());
        f_.undefined_uses.push_back({UndefinedUse::What::kStore});
        f_.undefined_uses.back().origins = origins_of(value.args[i], kMostVisitedOfStores);
      }
      access.noted.push_back(use);
    }
    const auto is_nothing = [](std::uint32_t use) { return use == UndefinedAccess::kNothing; };
    if (std::all_of(access.noted.begin(), access.noted.end(), is_nothing)) return;
    f_.values[id].imm = f_.mem.size();
    f_.mem.push_back(std::move(access));
  }

  std::vector<UndefinedOrigin> origins_of(ValueId shadow, std::size_t most_visited) const {
    std::set<UndefinedOrigin> origins;
    walk_sources(f_, shadow, most_visited, [&](ValueId id) {
      const Value& value = f_.values[id];
      if (value.op == Op::kUndefined) origins.insert(f_.undefined_origins[value.imm]);
      if (origins.size() == kMostOrigins) return Walk::kEnd;
      return value.op == Op::kLoad || is_atomic(value.op) ? Walk::kNotThrough : Walk::kOn;
    });
    return {origins.begin(), origins.end()};
  }

  Function& f_;
};

}  // namespace

void find_undefined_sources(Function& function) { SourceSearch(function).run(); }

}  // namespace transpire::vm::lir
