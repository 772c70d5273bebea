// HandleFlow: the ways that handles (images, pipes) take from kernels' parameters to the instructions that use them: through
// variables, members, copies, calls, and captures of enqueued functions.
//
// Calls of a function are not distinguished, so the graph has the size of the module.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "decoder/module.h"

namespace transpire::analysis {

class HandleFlow {
 public:
  using Id = decoder::Id;
  template <class Fact>
  using Facts = std::vector<std::pair<Id, Fact>>;

  explicit HandleFlow(const decoder::Module& module);

  /// For each kernel parameter, the facts of all uses of its handle. `facts` names handles by any id. A handle that has two
  /// facts has both(one, other): the meet of a lattice of finite height, so each id changes a few times only.
  template <class Fact, class Both>
  std::unordered_map<Id, Fact> at_parameters(const Facts<Fact>& facts, const Both& both) const {
    std::unordered_map<Key, Fact> known;
    std::vector<Key> changed;
    const auto add = [&](Key key, const Fact& fact) {
      const auto [place, is_new] = known.try_emplace(key, fact);
      const Fact together = is_new ? fact : both(place->second, fact);
      if (!is_new && together == place->second) return;
      place->second = together;
      changed.push_back(key);
    };
    for (const auto& [id, fact] : facts) add(id, fact);
    while (!changed.empty()) {
      const Key key = changed.back();
      changed.pop_back();
      const auto from = from_.find(key);
      if (from == from_.end()) continue;
      const Fact fact = known.at(key);
      for (const Key each : from->second) add(each, fact);
    }
    std::unordered_map<Id, Fact> found;
    for (const decoder::EntryPoint& entry : module_.entry_points)
      if (const decoder::Function* const function = module_.function(entry.function))
        for (const decoder::Parameter& parameter : function->parameters)
          if (const auto fact = known.find(parameter.id); fact != known.end())
            found.emplace(parameter.id, fact->second);
    return found;
  }

 private:
  /// An id, or a place in memory. The id of a variable or parameter is the key of its start, larger numbers are keys of
  /// offsets behind it. The key of an unknown pointer is its own id.
  using Key = std::uint64_t;
  struct Place {
    Id root = 0;
    std::uint64_t offset = 0;  ///< in bytes
    auto operator<=>(const Place&) const = default;
  };

  void visit(const decoder::Instruction& instruction);
  void call(Id callee, std::span<const std::uint32_t> arguments);
  void hand_on(Key from, Key to) { from_[to].push_back(from); }
  void hand_on_from_callers();
  Place place_of(Id pointer) const;
  Key key_of(Place place);
  Key key_at(Id pointer) { return key_of(place_of(pointer)); }
  std::optional<std::uint64_t> offset_of(const decoder::Instruction& chain) const;

  const decoder::Module& module_;
  std::unordered_map<Key, std::vector<Key>> from_;      ///< by key, where its handle comes from
  std::unordered_map<Id, Place> places_;                ///< places of pointers derived from others
  std::unordered_map<Id, std::vector<Place>> callers_;  ///< by parameter, the pointers given for it
  std::map<Place, Key> keys_;
  std::vector<Place> behind_;  ///< the places of `keys_`, in the order of their creation
};

}  // namespace transpire::analysis
