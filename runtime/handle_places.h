// HandlePlaces: which pointers lead to the same memory, for what follows handles (use_walk.h) through members of
// structures, those that a block captures among them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "decoder/module.h"

namespace transpire::runtime {

/// Places are keys: a variable's or a parameter's id for what lies there, larger numbers for what lies so many bytes
/// behind it. Of a pointer of which nothing is known its own id is the place.
class HandlePlaces {
 public:
  using Id = decoder::Id;
  using Key = std::uint64_t;
  using Types = std::unordered_map<Id, const decoder::Type*>;

  /// `types` are those of the ids that were visited before.
  HandlePlaces(const decoder::Module& module, const Types& types)
      : module_(module), types_(types) {}

  /// Instructions that make a pointer of another one; a definition comes before its uses.
  void visit(const decoder::Instruction& instruction);
  /// What the pointer leads to. Of an id that is no pointer, itself.
  Key at(Id pointer);
  /// A function's parameter is this pointer, in one of its calls.
  void call_with(Id pointer, Id parameter);
  /// Tells of each place behind a parameter what it is to a caller: hand_on(caller's place, place). When all is visited.
  template <class HandOn>
  void each_of_caller(HandOn hand_on) {
    // One that is made on the way comes behind.
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
  /// Functions that are called with their own parameters could go on for ever.
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
  std::unordered_map<Id, Place> places_;  ///< of pointers that are made of others
  std::unordered_map<Id, std::vector<Place>> callers_;
  std::map<Place, Key> keys_;
  std::vector<Place> behind_;  ///< those in `keys_`, in the order in which they were made
  std::size_t told_ = 0;
};

}  // namespace transpire::runtime
