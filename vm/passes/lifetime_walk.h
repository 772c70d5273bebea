// LifetimeWalk: which private variables an access may reach while they are dead. For each variable
// with markers it follows control from every LifetimeStop, and from the entry where the variable
// begins dead, up to a LifetimeStart.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "vm/lir/lir.h"

namespace transpire::vm::lir {

class LifetimeWalk {
 public:
  explicit LifetimeWalk(const Function& function);

  bool has_markers() const { return !events_.empty(); }
  /// The instruction accesses the variable.
  void add_access(ValueId id, std::uint32_t variable);
  /// The variables that some access may find dead; also those for which this would take too long to
  /// tell.
  std::vector<std::uint32_t> reached_dead();

 private:
  enum class Kind : std::uint8_t { kStart, kStop, kAccess };
  struct Event {
    BlockId block = kNoBlock;
    std::uint32_t at = 0;  // in the block
    Kind kind = Kind::kAccess;
    bool operator<(const Event& other) const {
      return block != other.block ? block < other.block : at < other.at;
    }
  };
  using Events = std::vector<Event>;

  bool is_reached_dead(std::uint32_t variable, const Events& events);
  bool walk_block(const Events& events, BlockId block, bool& dead) const;

  const Function& function_;
  std::map<std::uint32_t, Events> events_;  // by variable that has markers
  std::vector<std::uint32_t> place_;        // by value: where in its block it stands
  std::vector<std::uint32_t> entered_;  // by block: the last variable that was dead there, plus 1
  std::uint64_t steps_left_;
};

}  // namespace transpire::vm::lir
