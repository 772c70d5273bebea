// ReachingStores: finds the stores that a load may see, in a kernel and its callees.
//
// A store reaches a load if both pointers are computed in the same way, and no other such store is between them. A store to
// an unknown element of a private variable reaches its loads, too.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "analysis/values.h"

namespace transpire::analysis {

/// True for OpCopyMemory and OpCopyMemorySized.
constexpr bool is_copy(spv::Op op) {
  return op == spv::Op::OpCopyMemory || op == spv::Op::OpCopyMemorySized;
}

class ReachingStores {
 public:
  /// `values` must outlive this object, and its work is used up.
  explicit ReachingStores(Values& values) : values_(values) {}

  /// A store, or a copy to the pointer.
  struct Store {
    FlowPlace place;
    FlowValue pointer;
  };
  /// Takes a store. False: no more are wanted.
  using Take = std::function<bool(const Store&)>;
  /// Calls take(store) for each store that `reader` may see through `pointer`.
  void each(const FlowPlace& reader, FlowValue pointer, const Take& take);

 private:
  struct Stores {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Store> by_place;
    /// For each call, the stores in it and in calls below it.
    std::map<std::uint32_t, std::vector<const Store*>> within;
  };
  /// One search.
  struct Read {
    const Stores& stores;
    FlowValue pointer;
    bool is_private = false;
    const Take& take;
    bool goes_on = true;  ///< false once a store was the last one wanted
  };
  enum class Overlap { kNone, kSome, kSame };

  const Stores& stores_to(FlowValue root);
  bool same(FlowValue a, FlowValue b, int depth = 0);
  Overlap overlap(FlowValue a, FlowValue b, bool is_private);
  Overlap deliver(const Store& store, Read& read);
  bool walk_block(FlowPlace& at, Read& read);

  Values& values_;
  std::map<FlowValue, Stores> stores_;
};

}  // namespace transpire::analysis
