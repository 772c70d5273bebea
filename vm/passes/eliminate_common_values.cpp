// eliminate_common_values: a value that a dominating block computed is not computed again. Loads
// count as computed within their block, until something may have written there; loads from constant
// memory count like any other value.
#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vm/lir/budget.h"
#include "vm/lir/dominators.h"
#include "vm/passes/passes.h"
#include "vm/passes/replacements.h"

namespace transpire::vm::lir {
namespace {

bool same_access(const MemAccess& a, const MemAccess& b) {
  return a.kind == b.kind && a.components == b.components && a.align_bytes == b.align_bytes &&
         a.space == b.space && a.scale == b.scale && a.offset == b.offset;
}

class CommonValues {
 public:
  explicit CommonValues(Function& function) : function_(function), next_(function.values.size()) {}

  void run() {
    const Dominators dominators(function_);
    for (const BlockId block : dominators.preorder()) {
      while (!scopes_.empty() && scopes_.back().block != dominators.idom(block)) leave_scope();
      scopes_.push_back({block, entered_.size()});
      visit(block);
    }
    replaced_.apply(function_);
  }

 private:
  // Values by hash: heads_ gives the newest one, next_ the one before it with the same hash.
  // Leaving a scope takes its values out again, newest first.
  struct Scope {
    BlockId block;
    std::size_t entered;
  };

  void leave_scope() {
    while (entered_.size() > scopes_.back().entered) {
      const auto& [hash, id] = entered_.back();
      heads_[hash] = next_[id];
      entered_.pop_back();
    }
    scopes_.pop_back();
  }

  void visit(BlockId block) {
    loads_.clear();
    visit_all(function_.blocks[block].phis);
    visit_all(function_.blocks[block].instructions);
  }

  void visit_all(std::vector<ValueId>& list) {
    std::erase_if(list, [&](ValueId id) {
      function_.work();
      Value& value = function_.values[id];
      for (ValueId& arg : value.args) arg = replaced_.resolve(arg);
      const ValueId same = find(id);
      if (same == kNoValue) return false;
      replaced_.add(id, same);
      value.args.clear();
      value.block = kNoBlock;
      return true;
    });
  }

  ValueId find(ValueId id) {
    Value& value = function_.values[id];
    const std::uint8_t flags = info(value.op).flags;
    if ((flags & kEffect) != 0) forget_loads(value);
    if ((flags & (kEffect | kConvergent)) != 0) return kNoValue;
    if (value.op == Op::kLoad) {
      const MemAccess& access = function_.mem[value.imm];
      if (access.is_volatile) return kNoValue;
      // Results stand beside their load, so loads of several components do not leave the block
      // either.
      const bool may_change = access.space != Space::kConstant || function_.constants_change;
      if (may_change || access.components > 1) return find_load(id);
    } else if ((flags & kReadsMemory) != 0) {
      return kNoValue;
    }
    // Constants stay on the right, where simplify() puts them. Operands of floats stay where they
    // are: of two NaNs the first one gives the result.
    if ((flags & kCommutative) != 0 && !is_float(value.from) && value.args[1] < value.args[0] &&
        function_.values[value.args[1]].op != Op::kConst) {
      std::swap(value.args[0], value.args[1]);
    }
    const std::uint64_t key = hash(value);
    const auto [head, fresh] = heads_.try_emplace(key, kNoValue);
    for (ValueId other = head->second; other != kNoValue; other = next_[other]) {
      if (equal(function_.values[other], value)) return other;
    }
    next_[id] = std::exchange(head->second, id);
    entered_.emplace_back(key, id);
    return kNoValue;
  }

  std::uint64_t hash(const Value& value) const {
    std::uint64_t h = static_cast<std::uint64_t>(value.op) << 16 |
                      static_cast<std::uint64_t>(value.kind) << 8 |
                      static_cast<std::uint64_t>(value.from);
    const auto mix = [&](std::uint64_t x) { h = (h ^ x) * 0x9e3779b97f4a7c15u ^ h >> 29; };
    if (value.op != Op::kLoad) mix(value.imm);
    mix(static_cast<std::uint64_t>(value.imm2));
    for (const ValueId arg : value.args) mix(arg);
    // Phis are equal in the same block only.
    if (value.op == Op::kPhi) mix(value.block);
    return h;
  }

  bool equal(const Value& a, const Value& b) const {
    if (a.op != b.op || a.kind != b.kind || a.from != b.from || a.imm2 != b.imm2 ||
        a.extend != b.extend || a.function != b.function || a.args != b.args) {
      return false;
    }
    if (a.op == Op::kLoad) return same_access(function_.mem[a.imm], function_.mem[b.imm]);
    return a.imm == b.imm && (a.op != Op::kPhi || a.block == b.block);
  }

  ValueId find_load(ValueId id) {
    for (const ValueId other : loads_) {
      if (equal(function_.values[other], function_.values[id])) return other;
    }
    // A window: long blocks do not compare each load with all before it.
    constexpr std::size_t kMaxLoads = 64;
    if (loads_.size() == kMaxLoads) loads_.erase(loads_.begin());
    loads_.push_back(id);
    return kNoValue;
  }

  // Forgets the loads that an effect may have written to.
  void forget_loads(const Value& value) {
    if (looks_at_operands(value.op)) return;
    switch (value.op) {
      case Op::kCheckDefined:
      case Op::kCheckStored:
      case Op::kPrintf:
        return;
      case Op::kStore:
      case Op::kCopyMemory: {
        const Space space = function_.mem[value.imm].space;
        std::erase_if(loads_, [&](ValueId load) {
          return function_.may_share(function_.mem[function_.values[load].imm].space, space);
        });
        return;
      }
      default:
        break;
    }
    loads_.clear();
  }

  Function& function_;
  std::unordered_map<std::uint64_t, ValueId> heads_;
  std::vector<ValueId> next_;
  std::vector<std::pair<std::uint64_t, ValueId>> entered_;
  std::vector<Scope> scopes_;
  std::vector<ValueId> loads_;  // loads of the block, oldest first
  Replacements replaced_;
};

}  // namespace

void eliminate_common_values(Function& function) { CommonValues(function).run(); }

}  // namespace transpire::vm::lir
