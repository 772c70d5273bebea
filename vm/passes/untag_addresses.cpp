// untag_addresses: accesses go through the addresses that tags were put on. The work-item that
// makes an access also made the tag (TagPointer) wherever it is among the instructions behind the
// address, so it says nothing there; what a pointer that was loaded says stays in it. Without tags
// accesses are found to lie in one allocation, lane beside lane.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/narrow.h"
#include "vm/lir/budget.h"
#include "vm/lir/pointer_flow.h"
#include "vm/lir/use_lists.h"
#include "vm/passes/passes.h"

namespace transpire::vm::lir {
namespace {

bool has_tags(const Function& function) {
  return std::any_of(function.values.begin(), function.values.end(), [](const Value& value) {
    return value.op == Op::kTagPointer && value.block != kNoBlock;
  });
}

// Number of leading operands of an access that are addresses.
std::size_t address_operands(const Value& value) {
  switch (value.op) {
    case Op::kLoad:
    case Op::kStore:
      return 1;
    case Op::kCopyMemory:
      return 2;
    default:
      return is_atomic(value.op) ? 1 : 0;
  }
}

class Untagging {
 public:
  explicit Untagging(Function& function)
      : function_(function), without_(function.values.size(), kNoValue) {}

  void run() {
    find_tagged();
    for (const ValueId id : tagged_) copy(id);
    place_copies();
    for (const ValueId id : tagged_) connect(without_[id]);
    const auto count = narrow<ValueId>(without_.size());
    for (ValueId id = 0; id < count; ++id) {
      Value& value = function_.values[id];
      if (value.block == kNoBlock) continue;
      for (std::size_t i = 0; i < address_operands(value); ++i)
        value.args[i] = resolve(value.args[i]);
    }
  }

 private:
  void find_tagged() {
    const UseLists uses(function_);
    std::vector<bool> seen(function_.values.size());
    for (ValueId id = 0; id < function_.values.size(); ++id) {
      if (function_.values[id].op != Op::kTagPointer || function_.values[id].block == kNoBlock)
        continue;
      seen[id] = true;
      tagged_.push_back(id);
    }
    for (std::size_t next = 0; next < tagged_.size(); ++next) {
      const ValueId id = tagged_[next];
      function_.work(uses.users(id).size() + 1);
      for (const ValueId user : uses.users(id)) {
        if (seen[user] || !leads_on(function_.values[user], id)) continue;
        seen[user] = true;
        tagged_.push_back(user);
      }
    }
  }

  void copy(ValueId id) {
    if (function_.values[id].op == Op::kTagPointer) return;
    function_.take(cost::kValue);
    without_[id] = function_.add(Value(function_.values[id]));
  }

  // Places each copy beside its original.
  void place_copies() {
    for (Block& block : function_.blocks) {
      for (auto* list : {&block.phis, &block.instructions}) {
        std::vector<ValueId> with;
        with.reserve(list->size());
        for (const ValueId id : *list) {
          with.push_back(id);
          if (id < without_.size() && without_[id] != kNoValue) with.push_back(without_[id]);
        }
        *list = std::move(with);
      }
    }
  }

  void connect(ValueId made) {
    if (made == kNoValue) return;
    for (ValueId& arg : function_.values[made].args) arg = resolve(arg);
  }

  // The value without tags.
  ValueId resolve(ValueId id) const {
    while (id < without_.size() && function_.values[id].op == Op::kTagPointer)
      id = function_.values[id].args[0];
    return id < without_.size() && without_[id] != kNoValue ? without_[id] : id;
  }

  Function& function_;
  std::vector<ValueId> without_;  // by value: its copy
  std::vector<ValueId> tagged_;
};

}  // namespace

void untag_addresses(Function& function) {
  if (has_tags(function)) Untagging(function).run();
}

}  // namespace transpire::vm::lir
