// The users of each value, terminators included, once per operand. A snapshot: it does not follow
// changes of the function.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vm/lir/budget.h"
#include "vm/lir/lir.h"

namespace transpire::vm::lir {

class UseLists {
 public:
  explicit UseLists(const Function& function) : start_(function.values.size() + 1, 0) {
    // Values that stand in no block have no operands, so the whole table can be read.
    for (const Value& value : function.values) {
      function.work();
      for (const ValueId arg : value.args) ++start_[arg + 1];
    }
    for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
    users_.resize(start_.back());
    std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
    for (ValueId id = 0; id < function.values.size(); ++id) {
      function.work();
      for (const ValueId arg : function.values[id].args) users_[next[arg]++] = id;
    }
  }

  std::span<const ValueId> users(ValueId value) const {
    return std::span(users_).subspan(start_[value], start_[value + 1] - start_[value]);
  }

 private:
  std::vector<std::uint32_t> start_;
  std::vector<ValueId> users_;
};

}  // namespace transpire::vm::lir
