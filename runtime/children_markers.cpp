// A marker without a wait list waits for all earlier commands of its queue and all their
// descendants (OpenCL C 2.0, "Enqueuing Markers").
//
// The marker's own ancestors are an exception: they are complete only when the marker is. The
// marker waits for all their other descendants, on any queue. It also waits for the marker before
// it, and so for all that one waits for.
#include <algorithm>
#include <utility>

#include "runtime/children.h"

namespace transpire::runtime {

void Children::wait_for_all_before(Number number) {
  Node& node = nodes_[number];
  const Unmarked before =
      std::exchange(unmarked_[node.command.queue], Unmarked{.marker = number, .commands = {}});
  // No other ancestor can have enqueued a command since the marker before, or be such a command.
  std::vector<Number> ancestors;
  for (Number at = node.parent; at != kLaunch && nodes_[at].behind_children > before.marker;
       at = nodes_[at].parent)
    ancestors.push_back(at);
  if (before.marker != kLaunch) {
    wait_for(number, before.marker);
    wait_beside(number, before.marker);
  }
  for (const Number each : before.commands)
    if (!std::ranges::binary_search(ancestors, each, std::ranges::greater()))
      wait_for(number, each);
  wait_for_other_queues(number, before.marker, ancestors);
}

void Children::wait_for(Number marker, Number earlier) {
  Node& node = nodes_[earlier];
  if (node.command.queue != nodes_[marker].command.queue)
    nodes_[marker].elsewhere.push_back(earlier);
  if (node.is_complete) return;
  node.markers.push_back(marker);
  ++nodes_[marker].waits;
}

/// True if the command or one of its ancestors is on the queue.
bool Children::comes_of_queue(Number number, std::uint64_t queue) const {
  for (Number at = number; at != kLaunch; at = nodes_[at].above_on_other)
    if (nodes_[at].command.queue == queue) return true;
  return false;
}

/// The marker before does not wait for its own ancestors. This marker waits for those that are not
/// its ancestors, too.
void Children::wait_beside(Number marker, Number before) {
  const std::uint64_t queue = nodes_[marker].command.queue;
  Number theirs = nodes_[before].parent, own = nodes_[marker].parent;
  Number highest = kLaunch, on_queue = kLaunch;  // among the ancestors of the marker before alone
  while (theirs != own) {
    if (theirs < own) {
      own = nodes_[own].parent;
      continue;
    }
    highest = theirs;
    if (nodes_[theirs].command.queue == queue) on_queue = theirs;
    theirs = nodes_[theirs].parent;
  }
  const Number left = comes_of_queue(own, queue) ? highest : on_queue;
  if (left != kLaunch) wait_for(marker, left);
}

/// Waits for the commands that the marker's ancestors enqueued on other queues, if an ancestor or
/// one of its own is on the marker's queue.
void Children::wait_for_other_queues(Number marker, Number before,
                                     const std::vector<Number>& ancestors) {
  const std::uint64_t queue = nodes_[marker].command.queue;
  Number on_path = marker;
  for (const Number ancestor : ancestors) {
    if (!comes_of_queue(ancestor, queue)) return;
    const Node& node = nodes_[ancestor];
    const Number behind = std::min(node.behind_children, marker);
    for (Number each = std::max(node.first_child, before + 1); each < behind; ++each)
      if (each != on_path && nodes_[each].command.queue != queue) wait_for(marker, each);
    on_path = ancestor;
  }
}

}  // namespace transpire::runtime
