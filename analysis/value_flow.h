// ValueFlow: follows values backwards: through operands, arguments and results of calls, and from loads to the stores that
// reach them.
#pragma once

#include <optional>
#include <span>

#include "analysis/reaching_stores.h"
#include "analysis/values.h"

namespace transpire::analysis {

class ValueFlow {
 public:
  /// `values` must outlive this object, and its work is used up.
  explicit ValueFlow(Values& values) : values_(values), memory_(values) {}

  /// Index of the first of `causes` on the way back from `starts`; nothing if no way leads to one. The way passes a cause if
  /// it passes its result, or a load of memory that the cause should have stored.
  std::optional<std::size_t> find(std::span<const FlowValue> starts,
                                  std::span<const FlowPlace> causes);

 private:
  Values& values_;
  ReachingStores memory_;
};

}  // namespace transpire::analysis
