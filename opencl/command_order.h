// CommandOrder: which commands of a context are before which (OpenCL API 2.2, "Memory Ordering Rules: Host-side and Device-side
// Commands"), and what they do to memory that nothing orders. Kept where TRANSPIRE_CL_CHECK has race; else a context has
// none.
//
// A command has a clock when it begins: for each chain of commands, up to which of them all have ended before it. The
// commands of an in-order queue are one chain, each of another queue is one by itself. The host orders, too: what it has
// waited for is before all that it enqueues then. Counting goes on with each command and each wait, so who came first is
// a comparison of two numbers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "opencl/object.h"
#include "transpire/transpire.hpp"

namespace transpire::opencl {

class CommandOrder {
 public:
  using Clock = std::map<std::uint64_t, std::uint64_t>;  ///< by chain

  /// A command, or a user event.
  struct Node {
    std::uint64_t number = 0;
    std::uint64_t chain = 0;
    std::uint64_t known = 0;  ///< what the host waited for up to here is before it
    const _cl_command_queue* queue = nullptr;
    bool is_barrier = false;
    bool waits_for_all = false;
    Clock clock;  ///< from its begin on; from its end on it is in there itself
    std::vector<std::shared_ptr<const Node>> waits;
  };
  using Pointer = std::shared_ptr<Node>;

  // ---- The executor says ----

  void enqueued(_cl_event& command, std::span<const cl_event> wait_list);
  void begins(const Pointer& command);
  void ended(const Pointer& command);
  void user_event_ends(_cl_event& event);
  void host_waited(const _cl_event& event);
  void host_finished(const _cl_command_queue& queue);
  void queue_gone(const _cl_command_queue& queue);

  // ---- Commands say, from within their work ----

  /// A launch has run, with `given` of shared virtual memory. `call`: for messages.
  void touched(const std::vector<MemoryUse>& uses, std::span<const void* const> given,
               const std::string& call);
  /// A transfer reads or writes bytes of a memory object.
  void touched(std::span<const std::byte> bytes, bool writes, const char* function);
  void mapped(std::span<const std::byte> bytes, bool for_writing);
  void unmapped(const void* pointer);

  // ---- The host says ----

  void allocated(std::span<const std::byte> bytes, bool is_fine_grained);
  /// Other memory may be there from now on.
  void freed(std::span<const std::byte> bytes);

 private:
  /// What a command did. Either a launch, or bytes.
  struct Use {
    Pointer by;
    std::uint64_t synced_at = 0;  ///< when the host had waited for it; 0: it has not
    std::vector<MemoryUse> launch{};
    std::span<const std::byte> bytes{};
    bool writes = false;
    std::string name{};
  };
  struct Mapped {
    std::span<const std::byte> bytes;
    bool for_writing = false;
    Pointer map, unmap;  ///< unmap: null while it lasts
    std::uint64_t map_synced_at = 0, unmap_synced_at = 0;
  };
  struct Queue {
    Clock ended, barrier;
    std::uint64_t known = 0;
  };
  struct Allocation {
    std::size_t size = 0;
    bool is_fine_grained = false;
  };

  static bool is_before(const Node& earlier, std::uint64_t synced_at, const Node& later);
  static Pointer node_of(_cl_event& event);
  void sync(const Clock& clock);
  void forget_chains(Clock& clock) const;
  bool is_fine_grained(const std::byte* at) const;
  void keep(Use use);
  void drop_old();
  void compare(const Use& now, const std::string& call);
  void compare_with_maps(const Use& now, const std::string& call);
  void check_given(const Use& now, std::span<const void* const> given, const std::string& call);
  void tell(std::vector<Finding> findings, const std::string& call);

  std::mutex mutex_;
  std::uint64_t counter_ = 0;
  std::unordered_map<const _cl_command_queue*, Queue> queues_;
  std::set<std::uint64_t> pending_;  ///< numbers of commands that have not ended
  std::vector<Use> uses_;            ///< the oldest first
  std::vector<Mapped> maps_;
  std::map<const std::byte*, Allocation> allocations_;
  std::set<std::string> told_;
};

/// The command that the calling thread runs; null: none, or nobody keeps the order.
CommandOrder::Pointer& current_command();

}  // namespace transpire::opencl
