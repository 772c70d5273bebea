#include "opencl/command_order.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "opencl/event.h"
#include "opencl/platform.h"
#include "opencl/queue.h"
#include "opencl/report.h"

namespace transpire::opencl {
namespace {

/// Launches and transfers that are remembered, the newest ones.
constexpr std::size_t kMostUses = 512;
/// Findings that are told once: of more than so many it is forgotten which.
constexpr std::size_t kMostTold = 4096;

void raise(std::uint64_t& number, std::uint64_t to) { number = std::max(number, to); }

void merge(CommandOrder::Clock& clock, const CommandOrder::Clock& other) {
  for (const auto& [chain, number] : other) raise(clock[chain], number);
}

bool holds(const CommandOrder::Clock& clock, const CommandOrder::Node& node) {
  const auto at = clock.find(node.chain);
  return at != clock.end() && at->second >= node.number;
}

}  // namespace

CommandOrder::Pointer& current_command() {
  static thread_local CommandOrder::Pointer current;
  return current;
}

bool CommandOrder::is_before(const Node& earlier, std::uint64_t synced_at, const Node& later) {
  return (synced_at != 0 && synced_at <= later.known) || holds(later.clock, earlier);
}

CommandOrder::Pointer CommandOrder::node_of(_cl_event& event) {
  if (event.order == nullptr) event.order = std::make_shared<Node>();
  return event.order;
}

// ---- The order -----------------------------------------------------------------------------------

void CommandOrder::enqueued(_cl_event& command, std::span<const cl_event> wait_list) {
  const std::lock_guard lock(mutex_);
  const Pointer node = node_of(command);
  node->number = node->known = ++counter_;
  node->queue = command.queue.get();
  // Numbers of queues are even: addresses; those of commands are odd.
  node->chain = command.queue->in_order() ? reinterpret_cast<std::uintptr_t>(node->queue)
                                          : node->number * 2 + 1;
  node->is_barrier = command.type == CL_COMMAND_BARRIER;
  node->waits_for_all = command.queue->in_order() || command.waits_for_all;
  for (const cl_event event : wait_list) node->waits.push_back(node_of(*event));
  pending_.insert(node->number);
}

void CommandOrder::begins(const Pointer& command) {
  const std::lock_guard lock(mutex_);
  const Queue& queue = queues_[command->queue];
  for (const auto& before : command->waits) {
    merge(command->clock, before->clock);
    raise(command->known, before->known);
  }
  command->waits.clear();
  merge(command->clock, command->waits_for_all ? queue.ended : queue.barrier);
  if (command->waits_for_all) raise(command->known, queue.known);
}

void CommandOrder::ended(const Pointer& command) {
  const std::lock_guard lock(mutex_);
  raise(command->clock[command->chain], command->number);
  Queue& queue = queues_[command->queue];
  merge(queue.ended, command->clock);
  raise(queue.known, command->known);
  if (queue.ended.size() > 2 * kMostUses) forget_chains(queue.ended);
  if (command->is_barrier) queue.barrier = command->clock;
  pending_.erase(command->number);
  drop_old();
}

void CommandOrder::user_event_ends(_cl_event& event) {
  const std::lock_guard lock(mutex_);
  node_of(event)->known = ++counter_;
}

void CommandOrder::host_waited(const _cl_event& event) {
  const std::lock_guard lock(mutex_);
  if (event.order != nullptr) sync(event.order->clock);
}

void CommandOrder::host_finished(const _cl_command_queue& queue) {
  const std::lock_guard lock(mutex_);
  const auto at = queues_.find(&queue);
  if (at != queues_.end()) sync(at->second.ended);
}

void CommandOrder::queue_gone(const _cl_command_queue& queue) {
  const std::lock_guard lock(mutex_);
  queues_.erase(&queue);
}

/// The host knows that all of the clock has ended.
void CommandOrder::sync(const Clock& clock) {
  const std::uint64_t now = ++counter_;
  const auto note = [&](const Pointer& node, std::uint64_t& synced_at) {
    if (node != nullptr && synced_at == 0 && holds(clock, *node)) synced_at = now;
  };
  for (Use& use : uses_) note(use.by, use.synced_at);
  for (Mapped& each : maps_) {
    note(each.map, each.map_synced_at);
    note(each.unmap, each.unmap_synced_at);
  }
  drop_old();
}

/// What is before all that comes need not be remembered, and clocks need not tell of it.
void CommandOrder::drop_old() {
  const std::uint64_t oldest = pending_.empty() ? counter_ + 1 : *pending_.begin();
  const auto is_past = [&](std::uint64_t synced_at) {
    return synced_at != 0 && synced_at <= oldest;
  };
  std::erase_if(uses_, [&](const Use& use) { return is_past(use.synced_at); });
  std::erase_if(maps_, [&](const Mapped& each) { return is_past(each.unmap_synced_at); });
  std::uint64_t bytes = 0;
  for (const Use& use : uses_)
    for (const MemoryUse& each : use.launch) bytes += each.size_bytes();
  const Limits limits;
  const std::uint64_t most = environment().max_check_bytes.value_or(limits.max_check_bytes);
  while (uses_.size() > kMostUses || (bytes > most && !uses_.empty())) {
    for (const MemoryUse& each : uses_.front().launch) bytes -= each.size_bytes();
    uses_.erase(uses_.begin());
  }
  if (!uses_.empty() || !maps_.empty() || !pending_.empty()) return;
  for (auto& [_, queue] : queues_) queue = {{}, {}, queue.known};
}

/// Chains of which nothing is remembered.
void CommandOrder::forget_chains(Clock& clock) const {
  std::set<std::uint64_t> chains;
  const auto keep = [&](const Pointer& node) {
    if (node != nullptr) chains.insert(node->chain);
  };
  for (const Use& use : uses_) keep(use.by);
  for (const Mapped& each : maps_) {
    keep(each.map);
    keep(each.unmap);
  }
  std::erase_if(clock, [&](const auto& entry) { return !chains.contains(entry.first); });
}

// ---- What commands do ----------------------------------------------------------------------------

void CommandOrder::touched(const std::vector<MemoryUse>& uses, std::span<const void* const> given,
                           const std::string& call) {
  const Pointer node = current_command();
  if (node == nullptr || uses.empty()) return;
  const std::lock_guard lock(mutex_);
  Use now{.by = node, .launch = uses};
  check_given(now, given, call);
  compare_with_maps(now, call);
  compare(now, call);
  keep(std::move(now));
}

void CommandOrder::touched(std::span<const std::byte> bytes, bool writes, const char* function) {
  const Pointer node = current_command();
  if (node == nullptr || bytes.empty()) return;
  const std::lock_guard lock(mutex_);
  Use now{.by = node, .bytes = bytes, .writes = writes, .name = function};
  compare(now, function);
  keep(std::move(now));
}

void CommandOrder::keep(Use use) {
  uses_.push_back(std::move(use));
  drop_old();
}

void CommandOrder::compare(const Use& now, const std::string& call) {
  for (const Use& earlier : uses_) {
    if (earlier.by == now.by || is_before(*earlier.by, earlier.synced_at, *now.by)) continue;
    for (const MemoryUse& own : now.launch) {
      for (const MemoryUse& other : earlier.launch) tell(own.races_with(other), call);
      if (earlier.launch.empty())
        tell(own.races_with(earlier.bytes, earlier.writes, earlier.name), call);
    }
    if (now.launch.empty())
      for (const MemoryUse& other : earlier.launch)
        tell(other.races_with(now.bytes, now.writes, now.name), call);
  }
}

void CommandOrder::compare_with_maps(const Use& now, const std::string& call) {
  for (const Mapped& each : maps_) {
    if (each.unmap != nullptr && is_before(*each.unmap, each.unmap_synced_at, *now.by)) continue;
    for (const MemoryUse& use : now.launch) tell(use.in_mapped(each.bytes, each.for_writing), call);
  }
}

void CommandOrder::mapped(std::span<const std::byte> bytes, bool for_writing) {
  const Pointer node = current_command();
  if (node == nullptr) return;
  const std::lock_guard lock(mutex_);
  if (is_fine_grained(bytes.data())) return;  // host and kernels use it at once
  for (const Use& earlier : uses_) {
    if (is_before(*earlier.by, earlier.synced_at, *node)) continue;
    for (const MemoryUse& use : earlier.launch)
      tell(use.in_mapped(bytes, for_writing), "a launch beside the map");
  }
  maps_.push_back({bytes, for_writing, node, nullptr});
}

void CommandOrder::unmapped(const void* pointer) {
  const Pointer node = current_command();
  if (node == nullptr) return;
  const std::lock_guard lock(mutex_);
  for (auto each = maps_.rbegin(); each != maps_.rend(); ++each)
    if (each->bytes.data() == pointer && each->unmap == nullptr) return void(each->unmap = node);
}

// ---- Memory --------------------------------------------------------------------------------------

void CommandOrder::allocated(std::span<const std::byte> bytes, bool is_fine_grained) {
  const std::lock_guard lock(mutex_);
  allocations_[bytes.data()] = {bytes.size(), is_fine_grained};
}

bool CommandOrder::is_fine_grained(const std::byte* at) const {
  const auto behind = allocations_.upper_bound(at);
  if (behind == allocations_.begin()) return false;
  const auto& [begin, allocation] = *std::prev(behind);
  return allocation.is_fine_grained && at < begin + allocation.size;
}

void CommandOrder::freed(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  const std::lock_guard lock(mutex_);
  allocations_.erase(bytes.data());
  const auto overlaps = [&](std::span<const std::byte> other) {
    return other.data() < bytes.data() + bytes.size() && bytes.data() < other.data() + other.size();
  };
  for (const Use& use : uses_)
    for (const MemoryUse& each : use.launch) each.forget(bytes);
  std::erase_if(uses_, [&](const Use& use) { return use.launch.empty() && overlaps(use.bytes); });
  std::erase_if(maps_, [&](const Mapped& each) { return overlaps(each.bytes); });
}

void CommandOrder::check_given(const Use& now, std::span<const void* const> given,
                               const std::string& call) {
  for (const auto& [begin, allocation] : allocations_) {
    const std::span<const std::byte> bytes(begin, allocation.size);
    const auto is_in = [bytes](const void* pointer) {
      return pointer >= bytes.data() && pointer < bytes.data() + bytes.size();
    };
    if (std::ranges::any_of(given, is_in)) continue;
    for (const MemoryUse& use : now.launch) tell(use.in_unlisted(bytes), call);
  }
}

/// Each once, however often the program does it.
void CommandOrder::tell(std::vector<Finding> findings, const std::string& call) {
  std::erase_if(findings, [this](const Finding& finding) {
    const Diagnostic& diagnostic = finding.diagnostic;
    std::string what = diagnostic.rule + diagnostic.message;
    if (diagnostic.word_offset) what += std::to_string(*diagnostic.word_offset);
    return !told_.insert(std::move(what)).second;
  });
  if (told_.size() > kMostTold) told_.clear();
  if (findings.empty()) return;
  LaunchResult result;
  result.findings = std::move(findings);
  report(result, call);
}

}  // namespace transpire::opencl
