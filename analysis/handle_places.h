// HandlePlaces: finds pointers to the same memory. UseWalk (use_walk.h) needs it to follow handles through members of
// structures, including the captures of blocks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "decoder/module.h"

namespace transpire::analysis {

/// Keys name places in memory. The id of a variable or parameter is the key of its start; larger numbers are keys of offsets
/// behind it. The key of an unknown pointer is its own id.
class HandlePlaces {
 public:
  using Id = decoder::Id;
  using Key = std::uint64_t;
  using Types = std::unordered_map<Id, const decoder::Type*>;

  /// `types` has the types of all ids visited before.
  HandlePlaces(const decoder::Module& module, const Types& types)
      : module_(module), types_(types) {}

  /// Records an instruction that derives a pointer from another one. Visit definitions before uses.
  void visit(const decoder::Instruction& instruction);
  /// Key of the place that the pointer leads to. An id that is no pointer is its own key.
  Key at(Id pointer);
  /// Records that a call passes `pointer` for a function's parameter.
  void call_with(Id pointer, Id parameter);
  /// Calls hand_on(caller's place, place) for each place behind a parameter and each caller. Call it after all visits.
  template <class HandOn>
  void each_of_caller(HandOn hand_on) {
    // Places made in this loop are appended, and visited later.
    for (std::size_t i = 0; i < behind_.size(); ++i) {
      const Place place = behind_[i];
      const auto callers = callers_.find(place.root);
      if (callers == callers_.end()) continue;
      for (const Place caller : callers->second) {
        if (told_++ == kMostTold) return;
        hand_on(key_of({caller.root, caller.offset + place.offset}), key_of(place));
      }
    }
  }

 private:
  /// Limit on the number of calls: functions that are called with their own parameters could make endless places.
  static constexpr std::size_t kMostTold = 1 << 20;

  struct Place {
    Id root = 0;
    std::uint64_t offset = 0;  ///< in bytes
    auto operator<=>(const Place&) const = default;
  };

  Place place_of(Id pointer) const;
  Key key_of(Place place);
  std::optional<std::uint64_t> offset_of(const decoder::Instruction& chain, bool has_element) const;

  const decoder::Module& module_;
  const Types& types_;
  std::unordered_map<Id, Place> places_;  ///< places of pointers derived from others
  std::unordered_map<Id, std::vector<Place>> callers_;
  std::map<Place, Key> keys_;
  std::vector<Place> behind_;  ///< the places of `keys_`, in the order of their creation
  std::size_t told_ = 0;
};

}  // namespace transpire::analysis
