// fold_addresses: loads and stores take over the arithmetic of their address,
//
//     t = Address a + b * 4 + 8;  Load t      =>      Load a + b * 4 + 8
//
// where the engine does it for nothing: constant offsets always, an index when the base is uniform
// and the address is not. An address that is uniform is one scalar for all accesses that use it,
// and one with a base that varies would have to be computed for each access anew.
#include "vm/lir/budget.h"
#include "vm/passes/passes.h"

namespace transpire::vm::lir {
namespace {

// The engine's span checks want a scale below this.
constexpr std::uint64_t kMaxScale = std::uint64_t{1} << 31;

class Folding {
 public:
  explicit Folding(Function& function) : function_(function) {}

  void run() {
    for (const Block& block : function_.blocks) {
      for (const ValueId id : block.instructions) {
        const Op op = function_.values[id].op;
        if (op == Op::kLoad || op == Op::kStore) fold(function_.values[id]);
      }
    }
  }

 private:
  bool is_uniform(ValueId id) const {
    const Value& value = function_.values[id];
    return value.op == Op::kConst || value.op == Op::kArgument || value.spread == Spread::kUniform;
  }

  bool takes_index(const Value& address) const {
    return is_uniform(address.args[0]) && !is_uniform(address.args[1]) && address.imm < kMaxScale;
  }

  void fold(Value& value) {
    MemAccess access = function_.mem[value.imm];
    const std::size_t stored = value.op == Op::kStore ? access.components : 0;
    bool changed = false;
    while (function_.values[value.args[0]].op == Op::kAddress) {
      function_.work();
      const Value& address = function_.values[value.args[0]];
      if (address.args.size() > 1) {
        if (value.args.size() > 1 + stored || !takes_index(address)) break;
        value.args.insert(value.args.begin() + 1, address.args[1]);
        value.extend = address.extend;
        access.scale = static_cast<std::int64_t>(address.imm);
      }
      access.offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(access.offset) +
                                                static_cast<std::uint64_t>(address.imm2));
      value.args[0] = address.args[0];
      changed = true;
    }
    if (!changed) return;
    // Others may share the access.
    value.imm = function_.mem.size();
    function_.mem.push_back(access);
  }

  Function& function_;
};

}  // namespace

void fold_addresses(Function& function) { Folding(function).run(); }

}  // namespace transpire::vm::lir
