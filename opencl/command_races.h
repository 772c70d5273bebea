// CommandRaces: the order of a context's commands (OpenCL API 2.2, "Memory Ordering Rules:
// Host-side and Device-side Commands"), and the conflicts of unordered commands in memory. A
// context has one only if TRANSPIRE_CL_CHECK includes race.
//
// A command gets a clock when it begins: for each chain of commands, the number up to which all
// have ended before it. The commands of an in-order queue are one chain; a command of another queue
// is a chain by itself. The host orders commands, too: a command that it has waited for is before
// all that it enqueues later. One counter numbers commands and waits, so comparing two numbers
// tells which came first. Clocks keep only chains of which a command is remembered.
//
// The mutex guards the collection of commands to compare, and enqueueing. The comparison itself
// runs without it.
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

#include "opencl/object.h"
#include "opencl/touched_bytes.h"
#include "opencl/vector_clock.h"
#include "transpire/transpire.hpp"

namespace transpire::opencl {

class CommandRaces {
 public:
  /// A command, or a user event.
  struct Node {
    std::uint64_t number = 0;
    std::uint64_t chain = 0;
    std::uint64_t known = 0;  ///< commands that the host had waited for by this number are before
                              ///< it
    const _cl_command_queue* queue = nullptr;
    bool is_barrier = false;
    bool waits_for_all = false;
    VectorClock clock;  ///< from its begin on; includes the command itself once it has ended
    std::vector<std::shared_ptr<const Node>> waits;
  };
  using Pointer = std::shared_ptr<Node>;

  // ---- The executor says ----

  /// The host enqueues a command, or a native kernel does; all that is before the calling command
  /// is before the new one.
  void enqueued(_cl_event& command, std::span<const cl_event> wait_list);
  void begins(const Pointer& command);
  void ended(const Pointer& command);
  /// The caller may be a command, as for enqueued().
  void user_event_ends(_cl_event& event);
  void host_waited(const _cl_event& event);
  void host_finished(const _cl_command_queue& queue);
  void queue_gone(const _cl_command_queue& queue);

  // ---- Commands say, from within their work ----

  /// A launch has run that could reach the allocations `given` of shared virtual memory. `call` is
  /// for messages.
  void touched(const std::vector<MemoryUse>& uses, std::span<const void* const> given,
               const std::string& call);
  /// A transfer reads or writes memory.
  void touched(const TouchedBytes& bytes, bool writes, const char* function);
  void mapped(const TouchedBytes& bytes, bool for_writing);
  void unmapped(const void* pointer);

  // ---- The host says ----

  void allocated(std::span<const std::byte> bytes, bool is_fine_grained);
  /// The bytes may become other memory.
  void freed(std::span<const std::byte> bytes);

 private:
  /// The accesses of a command: either of a launch, or a range of bytes.
  struct Use {
    Pointer by;
    std::vector<MemoryUse> launch{};
    TouchedBytes bytes{};
    bool writes = false;
    std::string name{};
    std::uint64_t size_bytes = 0;  ///< memory that this record takes
  };
  struct Remembered {
    std::shared_ptr<const Use> use;
    std::uint64_t synced_at = 0;  ///< number at which the host had waited for it; 0: not yet
  };
  struct Mapped {
    TouchedBytes bytes;
    bool for_writing = false;
    Pointer map, unmap;  ///< unmap: null while the map lasts
    std::uint64_t map_synced_at = 0, unmap_synced_at = 0;
  };
  struct Queue {
    std::uint64_t chain = 0;  ///< in-order queues only
    VectorClock ended, barrier;
    std::uint64_t known = 0, barrier_known = 0;
  };
  /// A command whose accesses are no longer remembered.
  struct Forgotten {
    Pointer by;
    std::uint64_t synced_at = 0;
  };
  struct Allocation {
    std::size_t size = 0;
    bool is_fine_grained = false;
  };
  /// The remembered accesses and maps that nothing orders before a command.
  struct Beside {
    std::vector<std::shared_ptr<const Use>> uses;
    std::vector<Mapped> maps;
    std::vector<std::span<const std::byte>> not_given;  ///< allocations of shared virtual memory
                                                        ///< that the launch must not use
  };

  static bool is_before(const Node& earlier, std::uint64_t synced_at, const Node& later);
  static Pointer node_of(_cl_event& event);
  void follow_current(Node& node);
  void sync(const VectorClock& clock);
  void forget_chains(VectorClock& clock) const;
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

  // Called without the mutex.
  void compare(const Use& now, const Beside& beside, const std::string& call);
  void compare(const Use& now, const Use& earlier, const std::string& call);
  void compare(const Use& now, const Mapped& map, const std::string& call);
  void tell(std::vector<Finding> findings, const std::string& call);
  void tell_missed(const std::string& call);

  std::mutex mutex_;
  std::uint64_t counter_ = 0, chains_ = 0;
  std::unordered_map<const _cl_command_queue*, Queue> queues_;
  std::set<std::uint64_t> pending_;  ///< numbers of commands that have not ended
  std::deque<Remembered> uses_;      ///< oldest first
  std::uint64_t use_bytes_ = 0;      ///< memory of uses_
  std::deque<Mapped> maps_;          ///< oldest first
  /// The last forgotten commands. No one of them is before another.
  std::vector<Forgotten> forgotten_uses_, forgotten_maps_;
  bool told_missed_ = false;  ///< a missed comparison was reported; the two lists then stay empty
  std::unordered_map<std::uint64_t, std::size_t> held_;  ///< chain -> number of nodes in these
                                                         ///< lists
  std::vector<std::weak_ptr<Node>> ended_;               ///< ended commands whose clocks may have
                                                         ///< other chains
  std::size_t most_ended_ = 0;                           ///< size of ended_ at which it is cleaned
                                                         ///< up
  std::map<const std::byte*, Allocation> allocations_;

  std::shared_mutex footprints_;  ///< guards footprints of launches; held shared while comparing
  std::mutex told_mutex_;
  std::set<std::string> told_;
};

/// The command that the calling thread runs; null: none, or its context has no CommandRaces.
CommandRaces::Pointer& current_command();

}  // namespace transpire::opencl
