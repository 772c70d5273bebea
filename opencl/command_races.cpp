#include "opencl/command_races.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "opencl/event.h"
#include "opencl/platform.h"
#include "opencl/queue.h"

namespace transpire::opencl {
namespace {

/// Maximum number of remembered launches and transfers, and of remembered maps that have ended. The
/// newest are kept.
constexpr std::size_t kMostUses = 512;
/// Maximum number of remembered maps, including those that have not ended.
constexpr std::size_t kMostMaps = 4096;

void raise(std::uint64_t& number, std::uint64_t to) { number = std::max(number, to); }

bool holds(const VectorClock& clock, const CommandRaces::Node& node) {
  return clock.holds(node.chain, node.number);
}

/// A node that is before no other.
const CommandRaces::Pointer& never_ends() {
  static const auto& node = *new CommandRaces::Pointer([] {
    auto made = std::make_shared<CommandRaces::Node>();
    made->number = ~std::uint64_t{0};
    return made;
  }());
  return node;
}

}  // namespace

CommandRaces::Pointer& current_command() {
  static thread_local CommandRaces::Pointer current;
  return current;
}

bool CommandRaces::is_before(const Node& earlier, std::uint64_t synced_at, const Node& later) {
  return (synced_at != 0 && synced_at <= later.known) || holds(later.clock, earlier);
}

CommandRaces::Pointer CommandRaces::node_of(_cl_event& event) {
  if (event.order == nullptr) event.order = std::make_shared<Node>();
  return event.order;
}

// ---- The order -----------------------------------------------------------------------------------

void CommandRaces::enqueued(_cl_event& command, std::span<const cl_event> wait_list) {
  const std::lock_guard lock(mutex_);
  const Pointer node = node_of(command);
  node->number = node->known = ++counter_;
  node->queue = command.queue.get();
  const bool in_order = command.queue->in_order();
  Queue& queue = queues_[node->queue];
  if (in_order && queue.chain == 0) queue.chain = ++chains_;
  node->chain = in_order ? queue.chain : ++chains_;
  node->is_barrier = command.type == CL_COMMAND_BARRIER;
  node->waits_for_all = in_order || command.waits_for_all;
  for (const cl_event event : wait_list) node->waits.push_back(node_of(*event));
  follow_current(*node);
  pending_.insert(node->number);
}

/// The command that the calling thread runs, and all that is before it, are before the node.
void CommandRaces::follow_current(Node& node) {
  const Pointer current = current_command();
  if (current == nullptr) return;
  node.clock.merge(current->clock);
  node.clock.raise(current->chain, current->number);
  raise(node.known, current->known);
}

void CommandRaces::begins(const Pointer& command) {
  const std::lock_guard lock(mutex_);
  const Queue& queue = queues_[command->queue];
  for (const auto& before : command->waits) {
    command->clock.merge(before->clock);
    raise(command->known, before->known);
  }
  command->waits.clear();
  command->clock.merge(command->waits_for_all ? queue.ended : queue.barrier);
  raise(command->known, command->waits_for_all ? queue.known : queue.barrier_known);
  forget_chains(command->clock);
}

void CommandRaces::ended(const Pointer& command) {
  const std::lock_guard lock(mutex_);
  command->clock.raise(command->chain, command->number);
  forget_chains(command->clock);
  Queue& queue = queues_[command->queue];
  queue.ended.merge(command->clock);
  forget_chains(queue.ended);
  raise(queue.known, command->known);
  if (command->is_barrier) {
    queue.barrier = command->clock;
    queue.barrier_known = command->known;
  }
  pending_.erase(command->number);
  drop_old();
  ended_.push_back(command);
  if (ended_.size() > most_ended_) forget_chains_of_ended();
}

void CommandRaces::user_event_ends(_cl_event& event) {
  const std::lock_guard lock(mutex_);
  Node& node = *node_of(event);
  node.known = ++counter_;
  follow_current(node);
}

void CommandRaces::host_waited(const _cl_event& event) {
  const std::lock_guard lock(mutex_);
  if (event.order != nullptr) sync(event.order->clock);
}

void CommandRaces::host_finished(const _cl_command_queue& queue) {
  const std::lock_guard lock(mutex_);
  const auto at = queues_.find(&queue);
  if (at != queues_.end()) sync(at->second.ended);
}

void CommandRaces::queue_gone(const _cl_command_queue& queue) {
  const std::lock_guard lock(mutex_);
  queues_.erase(&queue);
}

/// Notes that the host knows that all commands of the clock have ended.
void CommandRaces::sync(const VectorClock& clock) {
  const std::uint64_t now = ++counter_;
  const auto note = [&](const Pointer& node, std::uint64_t& synced_at) {
    if (node != nullptr && synced_at == 0 && holds(clock, *node)) synced_at = now;
  };
  for (Remembered& each : uses_) note(each.use->by, each.synced_at);
  for (Mapped& each : maps_) {
    note(each.map, each.map_synced_at);
    note(each.unmap, each.unmap_synced_at);
  }
  for (Forgotten& each : forgotten_uses_) note(each.by, each.synced_at);
  for (Forgotten& each : forgotten_maps_) note(each.by, each.synced_at);
  drop_old();
}

// ---- What is remembered --------------------------------------------------------------------------

void CommandRaces::hold(const Pointer& node) {
  if (node != nullptr) ++held_[node->chain];
}

void CommandRaces::let_go(const Pointer& node) {
  if (node == nullptr) return;
  const auto at = held_.find(node->chain);
  if (--at->second == 0) held_.erase(at);
}

template <class Past>
void CommandRaces::drop_uses(const Past& is_past) {
  std::erase_if(uses_, [&](const Remembered& each) {
    if (!is_past(each)) return false;
    use_bytes_ -= each.use->size_bytes;
    let_go(each.use->by);
    return true;
  });
}

template <class Past>
void CommandRaces::drop_maps(const Past& is_past) {
  std::erase_if(maps_, [&](const Mapped& each) {
    if (!is_past(each)) return false;
    let_go(each.map);
    let_go(each.unmap);
    return true;
  });
}

/// Drops uses and maps that are before every command to come.
void CommandRaces::drop_old() {
  const std::uint64_t oldest = pending_.empty() ? counter_ + 1 : *pending_.begin();
  const auto is_past = [&](std::uint64_t synced_at) {
    return synced_at != 0 && synced_at <= oldest;
  };
  drop_uses([&](const Remembered& each) { return is_past(each.synced_at); });
  drop_maps([&](const Mapped& each) { return is_past(each.unmap_synced_at); });
  for (auto* const all : {&forgotten_uses_, &forgotten_maps_})
    std::erase_if(*all, [&](const Forgotten& each) {
      if (!is_past(each.synced_at)) return false;
      let_go(each.by);
      return true;
    });
  drop_most();
}

/// Adds a node to `all`, without nodes that another one covers: a command behind the later of two
/// ordered nodes is behind both.
void CommandRaces::forget(const Pointer& node, std::uint64_t synced_at,
                          std::vector<Forgotten>& all) {
  if (told_missed_ || node == nullptr) return;
  std::erase_if(all, [&](const Forgotten& each) {
    const bool is_behind = each.by == node || is_before(*each.by, each.synced_at, *node);
    if (is_behind) let_go(each.by);
    return is_behind;
  });
  if (std::ranges::any_of(
          all, [&](const Forgotten& each) { return is_before(*node, synced_at, *each.by); }))
    return;
  if (all.size() < kMostUses) {
    hold(node);
    all.push_back({node, synced_at});
    return;
  }
  for (const Forgotten& each : all) let_go(each.by);
  hold(never_ends());
  all.assign(1, {never_ends(), 0});
}

bool CommandRaces::misses(const Node& node, const std::vector<Forgotten>& all) {
  return std::ranges::any_of(all, [&](const Forgotten& each) {
    return each.by.get() != &node && !is_before(*each.by, each.synced_at, node);
  });
}

/// True if the command should have been compared with a forgotten one that nothing orders before
/// it. That is reported once.
bool CommandRaces::misses(const Node& node, bool beside_maps) {
  if (told_missed_ ||
      (!misses(node, forgotten_uses_) && !(beside_maps && misses(node, forgotten_maps_))))
    return false;
  for (auto* const all : {&forgotten_uses_, &forgotten_maps_}) {
    for (const Forgotten& each : *all) let_go(each.by);
    all->clear();
  }
  return told_missed_ = true;
}

/// Drops the oldest uses and maps beyond the limits.
void CommandRaces::drop_most() {
  const std::uint64_t most = environment().limits.max_check_bytes;
  while (uses_.size() > kMostUses || (use_bytes_ > most && !uses_.empty())) {
    const Remembered& oldest = uses_.front();
    use_bytes_ -= oldest.use->size_bytes;
    forget(oldest.use->by, oldest.synced_at, forgotten_uses_);
    let_go(oldest.use->by);
    uses_.pop_front();
  }
  if (maps_.size() <= kMostUses) return;
  auto ended = static_cast<std::size_t>(
      std::ranges::count_if(maps_, [](const Mapped& each) { return each.unmap != nullptr; }));
  std::size_t all = maps_.size();
  drop_maps([&](const Mapped& each) {
    const bool has_ended = each.unmap != nullptr;
    if (all <= kMostMaps && (!has_ended || ended <= kMostUses)) return false;
    --all;
    if (has_ended) --ended;
    forget(has_ended ? each.unmap : never_ends(), each.unmap_synced_at, forgotten_maps_);
    return true;
  });
}

/// Drops chains of which nothing is remembered, once they are the larger part of the clock.
void CommandRaces::forget_chains(VectorClock& clock) const {
  constexpr std::size_t kFew = 8;
  if (clock.size() > 2 * held_.size() + kFew)
    clock.keep([this](std::uint64_t chain) { return held_.contains(chain); });
}

/// Programs may keep the events of many commands, and with the events their clocks.
void CommandRaces::forget_chains_of_ended() {
  std::erase_if(ended_, [this](const std::weak_ptr<Node>& each) {
    const Pointer node = each.lock();
    if (node == nullptr) return true;
    node->clock.keep([this](std::uint64_t chain) { return held_.contains(chain); });
    return node->clock.size() == 0;
  });
  most_ended_ = 2 * ended_.size() + kMostUses;
}

// ---- What commands do ----------------------------------------------------------------------------

CommandRaces::Beside CommandRaces::beside(const Node& node) const {
  Beside found;
  for (const Remembered& each : uses_)
    if (each.use->by.get() != &node && !is_before(*each.use->by, each.synced_at, node))
      found.uses.push_back(each.use);
  for (const Mapped& each : maps_)
    if (each.unmap == nullptr || !is_before(*each.unmap, each.unmap_synced_at, node))
      found.maps.push_back(each);
  return found;
}

void CommandRaces::remember(std::shared_ptr<const Use> use) {
  hold(use->by);
  use_bytes_ += use->size_bytes;
  uses_.push_back({std::move(use)});
  drop_old();
}

void CommandRaces::touched(const std::vector<MemoryUse>& uses, std::span<const void* const> given,
                           const std::string& call) {
  const Pointer node = current_command();
  if (node == nullptr || uses.empty()) return;
  const auto now = std::make_shared<Use>(Use{.by = node, .launch = uses});
  for (const MemoryUse& each : uses) now->size_bytes += each.size_bytes();
  std::unique_lock lock(mutex_);
  Beside found = beside(*node);
  find_not_given(given, found);
  const bool is_missed = misses(*node, true);
  remember(now);
  lock.unlock();
  if (is_missed) tell_missed(call);
  compare(*now, found, call);
}

void CommandRaces::touched(const TouchedBytes& bytes, bool writes, const char* function) {
  const Pointer node = current_command();
  if (node == nullptr || bytes.empty()) return;
  const auto now =
      std::make_shared<Use>(Use{.by = node, .bytes = bytes, .writes = writes, .name = function});
  std::unique_lock lock(mutex_);
  if (is_fine_grained(bytes.hull().data())) return;  // atomics may order it with kernels
  const Beside found = beside(*node);
  const bool is_missed = misses(*node, true);
  remember(now);
  lock.unlock();
  if (is_missed) tell_missed(function);
  compare(*now, found, function);
}

void CommandRaces::mapped(const TouchedBytes& bytes, bool for_writing) {
  const Pointer node = current_command();
  if (node == nullptr || bytes.empty()) return;
  const Mapped now{bytes, for_writing, node, nullptr};
  std::unique_lock lock(mutex_);
  if (is_fine_grained(bytes.hull().data())) return;  // host and kernels use it at once
  const Beside found = beside(*node);
  hold(node);
  maps_.push_back(now);
  const bool is_missed = misses(*node, false);
  drop_most();
  lock.unlock();
  if (is_missed) tell_missed("a map");
  const std::shared_lock compared(footprints_);
  for (const auto& earlier : found.uses) compare(*earlier, now, "a command beside the map");
}

void CommandRaces::unmapped(const void* pointer) {
  const Pointer node = current_command();
  if (node == nullptr) return;
  const std::lock_guard lock(mutex_);
  for (auto each = maps_.rbegin(); each != maps_.rend(); ++each)
    if (each->bytes.hull().data() == pointer && each->unmap == nullptr) {
      hold(node);
      each->unmap = node;
      return;
    }
}

// ---- Memory --------------------------------------------------------------------------------------

void CommandRaces::allocated(std::span<const std::byte> bytes, bool is_fine_grained) {
  const std::lock_guard lock(mutex_);
  allocations_[bytes.data()] = {bytes.size(), is_fine_grained};
}

bool CommandRaces::is_fine_grained(const std::byte* at) const {
  const auto behind = allocations_.upper_bound(at);
  if (behind == allocations_.begin()) return false;
  const auto& [begin, allocation] = *std::prev(behind);
  return allocation.is_fine_grained && at < begin + allocation.size;
}

void CommandRaces::freed(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  std::vector<std::shared_ptr<const Use>> launches;
  {
    const std::lock_guard lock(mutex_);
    allocations_.erase(bytes.data());
    drop_uses([&](const Remembered& each) {
      if (!each.use->launch.empty()) launches.push_back(each.use);
      return each.use->launch.empty() && overlap(each.use->bytes.hull(), bytes);
    });
    drop_maps([&](const Mapped& each) { return overlap(each.bytes.hull(), bytes); });
  }
  const std::unique_lock lock(footprints_);
  for (const auto& use : launches)
    for (const MemoryUse& each : use->launch) each.forget(bytes);
}

void CommandRaces::find_not_given(std::span<const void* const> given, Beside& beside) const {
  for (const auto& [begin, allocation] : allocations_) {
    const std::span<const std::byte> bytes(begin, allocation.size);
    const auto is_in = [bytes](const void* pointer) {
      return pointer >= bytes.data() && pointer < bytes.data() + bytes.size();
    };
    if (std::ranges::none_of(given, is_in)) beside.not_given.push_back(bytes);
  }
}

}  // namespace transpire::opencl
