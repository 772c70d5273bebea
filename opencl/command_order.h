// CommandOrder: which commands of a context are before which (OpenCL API 2.2, "Memory Ordering Rules: Host-side and Device-side
// Commands"), and what they do to memory that nothing orders. Kept where TRANSPIRE_CL_CHECK has race; else a context has
// none.
//
// A command has a clock when it begins: for each chain of commands, up to which of them all have ended before it. The
// commands of an in-order queue are one chain, each of another queue is one by itself. The host orders, too: what it has
// waited for is before all that it enqueues then. Counting goes on with each command and each wait, so who came first is
// a comparison of two numbers. Clocks know only the chains of commands of which anything is remembered.
//
// What is compared is collected under the mutex, which commands are enqueued under as well, and compared without it.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "opencl/command_clock.h"
#include "opencl/object.h"
#include "opencl/touched_bytes.h"
#include "transpire/transpire.hpp"

namespace transpire::opencl {

class CommandOrder {
 public:
  /// A command, or a user event.
  struct Node {
    std::uint64_t number = 0;
    std::uint64_t chain = 0;
    std::uint64_t known = 0;  ///< what the host waited for up to here is before it
    const _cl_command_queue* queue = nullptr;
    bool is_barrier = false;
    bool waits_for_all = false;
    CommandClock clock;  ///< from its begin on; from its end on it is in there itself
    std::vector<std::shared_ptr<const Node>> waits;
  };
  using Pointer = std::shared_ptr<Node>;

  // ---- The executor says ----

  /// By the host, or by what a command calls (a native kernel): then all that this command is behind is before.
  void enqueued(_cl_event& command, std::span<const cl_event> wait_list);
  void begins(const Pointer& command);
  void ended(const Pointer& command);
  /// The same as of `enqueued`.
  void user_event_ends(_cl_event& event);
  void host_waited(const _cl_event& event);
  void host_finished(const _cl_command_queue& queue);
  void queue_gone(const _cl_command_queue& queue);

  // ---- Commands say, from within their work ----

  /// A launch has run, with `given` of shared virtual memory. `call`: for messages.
  void touched(const std::vector<MemoryUse>& uses, std::span<const void* const> given,
               const std::string& call);
  /// A transfer reads or writes memory.
  void touched(const TouchedBytes& bytes, bool writes, const char* function);
  void mapped(const TouchedBytes& bytes, bool for_writing);
  void unmapped(const void* pointer);

  // ---- The host says ----

  void allocated(std::span<const std::byte> bytes, bool is_fine_grained);
  /// Other memory may be there from now on.
  void freed(std::span<const std::byte> bytes);

 private:
  /// What a command did. Either a launch, or bytes.
  struct Use {
    Pointer by;
    std::vector<MemoryUse> launch{};
    TouchedBytes bytes{};
    bool writes = false;
    std::string name{};
    std::uint64_t size_bytes = 0;  ///< that remembering it takes
  };
  struct Remembered {
    std::shared_ptr<const Use> use;
    std::uint64_t synced_at = 0;  ///< when the host had waited for it; 0: it has not
  };
  struct Mapped {
    TouchedBytes bytes;
    bool for_writing = false;
    Pointer map, unmap;  ///< unmap: null while it lasts
    std::uint64_t map_synced_at = 0, unmap_synced_at = 0;
  };
  struct Queue {
    std::uint64_t chain = 0;  ///< of one that is in order
    CommandClock ended, barrier;
    std::uint64_t known = 0, barrier_known = 0;
  };
  /// A command of which it is not remembered what it did.
  struct Forgotten {
    Pointer by;
    std::uint64_t synced_at = 0;
  };
  struct Allocation {
    std::size_t size = 0;
    bool is_fine_grained = false;
  };
  /// What is at the same time as a command, as far as it is known.
  struct Beside {
    std::vector<std::shared_ptr<const Use>> uses;
    std::vector<Mapped> maps;
    std::vector<std::span<const std::byte>> not_given;  ///< of shared virtual memory
  };

  static bool is_before(const Node& earlier, std::uint64_t synced_at, const Node& later);
  static Pointer node_of(_cl_event& event);
  void follow_current(Node& node);
  void sync(const CommandClock& clock);
  void forget_chains(CommandClock& clock) const;
  void forget_chains_of_ended();
  void hold(const Pointer& node);
  void let_go(const Pointer& node);
  template <class Past>
  void drop_uses(const Past& is_past);
  template <class Past>
  void drop_maps(const Past& is_past);
  void drop_old();
  void drop_most();
  void forget(const Pointer& node, std::uint64_t synced_at, std::vector<Forgotten>& all);
  static bool misses(const Node& node, const std::vector<Forgotten>& all);
  bool misses(const Node& node, bool beside_maps);
  bool is_fine_grained(const std::byte* at) const;
  Beside beside(const Node& node) const;
  void remember(std::shared_ptr<const Use> use);
  void find_not_given(std::span<const void* const> given, Beside& beside) const;

  // Without the mutex.
  void compare(const Use& now, const Beside& beside, const std::string& call);
  void compare(const Use& now, const Use& earlier, const std::string& call);
  void compare(const Use& now, const Mapped& map, const std::string& call);
  void tell(std::vector<Finding> findings, const std::string& call);
  void tell_missed(const std::string& call);

  std::mutex mutex_;
  std::uint64_t counter_ = 0, chains_ = 0;
  std::unordered_map<const _cl_command_queue*, Queue> queues_;
  std::set<std::uint64_t> pending_;  ///< numbers of commands that have not ended
  std::deque<Remembered> uses_;      ///< the oldest first
  std::uint64_t use_bytes_ = 0;      ///< that these take
  std::deque<Mapped> maps_;          ///< likewise
  /// Of those that were remembered once: the last ones, which need not be behind each other.
  std::vector<Forgotten> forgotten_uses_, forgotten_maps_;
  bool told_missed_ = false;  ///< that something cannot be compared; then these stay empty
  std::unordered_map<std::uint64_t, std::size_t> held_;  ///< chains of all of those, and how often
  std::vector<std::weak_ptr<Node>> ended_;               ///< who may have a clock that knows others
  std::size_t most_ended_ = 0;                           ///< before they are looked through
  std::map<const std::byte*, Allocation> allocations_;

  std::shared_mutex footprints_;  ///< of launches: whoever compares shares it
  std::mutex told_mutex_;
  std::set<std::string> told_;
};

/// The command that the calling thread runs; null: none, or nobody keeps the order.
CommandOrder::Pointer& current_command();

}  // namespace transpire::opencl
