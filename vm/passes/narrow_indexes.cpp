// narrow_indexes. See narrow_indexes.h.
#include "vm/passes/narrow_indexes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/narrow.h"
#include "vm/passes/replacements.h"
#include "vm/passes/unsigned_bounds.h"

namespace transpire::vm::lir {
namespace {

class IndexNarrowing {
 public:
  IndexNarrowing(Function& function, const LowerOptions& options)
      : function_(function),
        bounds_(function, options),
        narrow_(function.values.size(), kNoValue) {}

  void run() {
    for (const BlockId block : function_.order) {
      for (const ValueId id : function_.blocks[block].instructions) bounds_.update(id);
    }
    // Values are added while this goes on, and need no narrowing themselves.
    const auto known = transpire::narrow<ValueId>(function_.values.size());
    for (ValueId id = 0; id < known; ++id) {
      if (function_.values[id].block != kNoBlock && has_index(id)) narrow(id);
    }
    if (!changed_) return;
    for (Block& block : function_.blocks) place_narrow(block);
    replaced_.apply(function_);
  }

 private:
  bool has_index(ValueId id) const {
    const Value& value = function_.values[id];
    switch (value.op) {
      case Op::kAddress:
      case Op::kLoad:
        return value.args.size() > 1;
      case Op::kStore:
        return value.args.size() > 1 + function_.mem[value.imm].components;
      default:
        return false;
    }
  }

  void narrow(ValueId id) {
    const ValueId index = function_.values[id].args[1];
    const Value& value = function_.values[index];
    if (function_.values[id].extend != Extend::kNone || value.spread != Spread::kVarying ||
        value.block == kNoBlock || bounds_[index] > 0x7fffffff) {
      return;
    }
    if (narrow_[index] == kNoValue) {
      Value truncate;
      truncate.op = Op::kTruncate;
      truncate.kind = Kind::kI32;
      truncate.from = Kind::kI64;
      truncate.source = value.source;
      truncate.block = value.block;
      truncate.args = {index};
      narrow_[index] = function_.add(std::move(truncate));
    }
    function_.values[id].args[1] = narrow_[index];
    function_.values[id].extend = Extend::kSigned32;
    changed_ = true;
  }

  // Right behind the wide value, where it serves instead of those that were there before.
  void place_narrow(Block& block) {
    for (const ValueId id : std::exchange(block.instructions, {})) {
      Value& value = function_.values[id];
      const bool known = value.op == Op::kTruncate && value.kind == Kind::kI32 &&
                         narrow_[value.args[0]] != kNoValue;
      if (known) {
        replaced_.add(id, narrow_[value.args[0]]);
        value.args.clear();
        value.block = kNoBlock;
        continue;
      }
      block.instructions.push_back(id);
      if (id < narrow_.size() && narrow_[id] != kNoValue) block.instructions.push_back(narrow_[id]);
    }
  }

  Function& function_;
  UnsignedBounds bounds_;
  std::vector<ValueId> narrow_;  // by value: its low half
  Replacements replaced_;
  bool changed_ = false;
};

}  // namespace

void narrow_indexes(Function& function, const LowerOptions& options) {
  IndexNarrowing(function, options).run();
}

}  // namespace transpire::vm::lir
