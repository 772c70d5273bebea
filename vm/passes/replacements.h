// Replacements: values that stand for others from now on. Passes note them as they go and rewrite
// all operands at the end.
#pragma once

#include <utility>
#include <vector>

#include "vm/lir/budget.h"
#include "vm/lir/lir.h"

namespace transpire::vm::lir {

class Replacements {
 public:
  /// `from` is gone, `to` takes its place. There may be no cycles.
  void add(ValueId from, ValueId to) {
    if (next_.size() <= from) next_.resize(from + std::size_t{1} + from / 2, kNoValue);
    next_[from] = to;
    any_ = true;
  }

  ValueId resolve(ValueId id) {
    ValueId last = id;
    while (last < next_.size() && next_[last] != kNoValue) last = next_[last];
    while (id < next_.size() && next_[id] != kNoValue) id = std::exchange(next_[id], last);
    return last;
  }

  void apply(Function& function) {
    if (!any_) return;
    for (Value& value : function.values) {
      function.work();
      for (ValueId& arg : value.args) arg = resolve(arg);
    }
  }

 private:
  std::vector<ValueId> next_;
  bool any_ = false;
};

}  // namespace transpire::vm::lir
