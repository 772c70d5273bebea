// Finds races between commands that the kernels of a launch enqueued, and with the kernels that
// enqueued them. The order is that of OpenCL API 2.2, "Memory Ordering Rules: Host-side and
// Device-side Commands".
#include <algorithm>

#include "runtime/children.h"
#include "runtime/memory_use.h"

namespace transpire::runtime {

/// True if the command's accesses are noted for comparison.
bool Children::compares(Number number) {
  if (!launch_.looks_for_races() || !nodes_[kLaunch].use) return false;
  const bool is_one_of_many = number >= kMostCompared;
  const bool has_memory = use_bytes_ < launch_.limits.max_check_bytes;
  are_too_many_ |= is_one_of_many;
  no_memory_ |= !is_one_of_many && !has_memory;
  return !is_one_of_many && has_memory;
}

/// Finds the commands that end before this one begins: all that it waits for, with their
/// descendants.
void Children::find_before(Number number) {
  Node& node = nodes_[number];
  node.before |= nodes_[node.parent].before;
  if (node.command.flag == vm::exec::EnqueueFlag::kWaitKernel) node.before.set(node.parent);
  node.after_group = node.command.flag == vm::exec::EnqueueFlag::kWaitWorkGroup;
  const auto take = [&](Number earlier) {
    if (earlier >= kMostCompared) return;
    const Node& other = nodes_[earlier];
    node.before |= other.before;
    node.after_group =
        node.after_group || (other.after_group && other.parent == node.parent &&
                             other.command.item.group_linear == node.command.item.group_linear);
    std::bitset<kMostCompared> of_it;
    of_it.set(earlier);
    for (Number each = earlier + 1; each < nodes_.size() && each < kMostCompared; ++each) {
      if (nodes_[each].parent >= kMostCompared || !of_it[nodes_[each].parent]) continue;
      of_it.set(each);
      node.before |= nodes_[each].before;  // each descendant's own waits
    }
    node.before |= of_it;
  };
  for (const vm::exec::EventHandle event : node.command.waits) {
    const auto by = made_by_.find(event);
    // A kernel sets the status of a user event at any time. Nothing is known to run beside this
    // command, so all count as before.
    if (by == made_by_.end()) return void(node.before.set());
    take(by->second);
  }
  for (const Number each : node.elsewhere) take(each);
  if (!node.command.is_marker() || !node.command.waits.empty()) return;
  for (Number each = 1; each < number; ++each)
    if (nodes_[each].command.queue == node.command.queue && nodes_[each].is_complete) take(each);
}

/// Compares a finished command with every earlier one that no event orders before it.
void Children::find_races(Number number) {
  Node& node = nodes_[number];
  const races::Footprint& own = node.use->state()->footprint;
  const std::size_t known = std::min(nodes_.size(), kMostCompared);
  if (together_.meets(own))
    for (Number earlier = 0; earlier < known; ++earlier) {
      if (earlier == number || !nodes_[earlier].use || node.before[earlier]) continue;
      if (by_.limit.end() != WorkLimit::End::kNone) return;
      report_races(number, earlier);
    }
  note_use(number);
}

/// Notes the accesses for the comparison with later commands.
void Children::note_use(Number number) {
  const MemoryUse& use = *nodes_[number].use;
  const std::uint64_t before = together_.size_bytes();
  together_.add(use.state()->footprint);
  use_bytes_ += use.size_bytes() + together_.size_bytes() - before;
}

void Children::report_races(Number number, Number earlier) {
  const MemoryUseState& own = *nodes_[number].use->state();
  const MemoryUseState& other = *nodes_[earlier].use->state();
  Number child = number;  // the earlier command's child that is this command or its ancestor;
                          // kLaunch: none
  while (child != kLaunch && nodes_[child].parent != earlier) child = nodes_[child].parent;
  const Enqueued enqueued = child == kLaunch ? Enqueued::kByKernel : Enqueued::kByOther;
  for (const races::Footprint::Conflict& each : conflicts_between(number, child, earlier)) {
    const auto known =
        reported_races_
            .try_emplace({own.program.get(), each.place, other.program.get(), each.other_place},
                         nullptr)
            .first;
    if (known->second != nullptr) {
      ++nodes_[number].outcome.findings;
      ++result_->findings[known->second->finding].count;
      count_again(number, *known->second);
      continue;
    }
    std::vector<Finding> findings = describe_conflicts({each}, own, other, enqueued);
    if (findings.empty()) continue;
    ++nodes_[number].outcome.findings;
    known->second = merge_finding(number, std::move(findings.front()));
    if (known->second == nullptr) return;
  }
}

/// True if the parent's last access to a word (`by`) is not ordered before the command `node` and
/// its descendants.
bool Children::may_run_beside(const races::Toucher& by, const Node& node,
                              const races::Footprint& parent) {
  const vm::exec::Command& command = node.command;
  // Work-items that use atomics may order themselves by them.
  if (by.group != command.item.group_linear) return !parent.uses_atomics();
  if (node.after_group) return false;
  if (by.commands > command.order) return true;
  return by.item != command.item.local_linear && !parent.uses_atomics() &&
         by.segment == parent.segment_of(command.order);
}

/// Conflicts of two commands. `child` is the earlier command's child that is the other command or
/// its ancestor, or kLaunch.
std::vector<races::Footprint::Conflict> Children::conflicts_between(Number number, Number child,
                                                                    Number earlier) const {
  const MemoryUseState& own = *nodes_[number].use->state();
  const MemoryUseState& other = *nodes_[earlier].use->state();
  if (child == kLaunch) return own.footprint.conflicts(other.footprint);
  const Node& first = nodes_[child];
  std::vector<races::Footprint::Conflict> conflicts = other.footprint.conflicts(
      own.footprint,
      [&](const races::Toucher& by) { return may_run_beside(by, first, other.footprint); });
  for (races::Footprint::Conflict& each : conflicts) {
    std::swap(each.place, each.other_place);
    std::swap(each.kind, each.other_kind);
    std::swap(each.by, each.other_by);
  }
  return conflicts;
}

}  // namespace transpire::runtime
