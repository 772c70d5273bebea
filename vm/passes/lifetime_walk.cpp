#include "vm/passes/lifetime_walk.h"

#include <algorithm>
#include <iterator>

#include "base/narrow.h"
#include "vm/lir/budget.h"

namespace transpire::vm::lir {
namespace {

// Blocks visited for all variables together: some milliseconds.
constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 20;

}  // namespace

LifetimeWalk::LifetimeWalk(const Function& function)
    : function_(function), steps_left_(kMostSteps) {
  const auto is_marker = [](const Value& value) {
    return value.block != kNoBlock &&
           (value.op == Op::kLifetimeStart || value.op == Op::kLifetimeStop);
  };
  if (std::none_of(function.values.begin(), function.values.end(), is_marker)) return;
  place_.resize(function.values.size());
  entered_.resize(function.blocks.size());
  for (BlockId block = 0; block < function.blocks.size(); ++block) {
    std::uint32_t at = 0;
    for (const ValueId id : function.blocks[block].instructions) {
      place_[id] = at++;
      const Value& value = function.values[id];
      if (!is_marker(value)) continue;
      events_[narrow<std::uint32_t>(value.imm)].push_back(
          {block, place_[id], value.op == Op::kLifetimeStart ? Kind::kStart : Kind::kStop});
    }
  }
}

void LifetimeWalk::add_access(ValueId id, std::uint32_t variable) {
  const auto events = events_.find(variable);
  if (events == events_.end()) return;
  events->second.push_back({function_.values[id].block, place_[id], Kind::kAccess});
}

std::vector<std::uint32_t> LifetimeWalk::reached_dead() {
  std::vector<std::uint32_t> found;
  for (auto& [variable, events] : events_) {
    std::sort(events.begin(), events.end());
    if (is_reached_dead(variable, events)) found.push_back(variable);
  }
  return found;
}

// Updates `dead` from the block's entry to its end. Returns true if an access found the variable
// dead.
bool LifetimeWalk::walk_block(const Events& events, BlockId block, bool& dead) const {
  auto event = std::lower_bound(events.begin(), events.end(), Event{block, 0, Kind::kAccess});
  for (; event != events.end() && event->block == block; ++event) {
    if (event->kind == Kind::kAccess && dead) return true;
    if (event->kind != Kind::kAccess) dead = event->kind == Kind::kStop;
  }
  return false;
}

bool LifetimeWalk::is_reached_dead(std::uint32_t variable, const Events& events) {
  std::vector<BlockId> entered_dead;
  const auto enter = [&](BlockId block) {
    if (entered_[block] == variable + 1) return;
    entered_[block] = variable + 1;
    entered_dead.push_back(block);
  };
  const auto leave = [&](BlockId block, bool dead) {
    if (dead)
      for (const BlockId target : function_.blocks[block].targets) enter(target);
  };
  if (function_.private_variables[variable].begins_dead) enter(0);
  for (auto event = events.begin(); event != events.end(); ++event) {
    if (event != events.begin() && std::prev(event)->block == event->block) continue;
    bool dead = false;
    if (walk_block(events, event->block, dead)) return true;
    leave(event->block, dead);
  }
  for (std::size_t next = 0; next < entered_dead.size(); ++next) {
    function_.work();
    if (steps_left_-- == 0) {
      steps_left_ = 0;
      return true;
    }
    bool dead = true;
    if (walk_block(events, entered_dead[next], dead)) return true;
    leave(entered_dead[next], dead);
  }
  return false;
}

}  // namespace transpire::vm::lir
