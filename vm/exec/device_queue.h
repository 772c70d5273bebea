// DeviceQueue: what the kernels of a launch enqueued, and their events ("OpenCL C 2.0", "Enqueuing Kernels").
//
//     engine  --enqueue()-->  DeviceQueue  --take()-->  who runs the launch (runtime/children.h)
//
// The engine appends and goes on; nothing that is enqueued runs before the kernel ended that enqueued it. One for a launch
// and all that comes of it. Thread-safe.
//
// Queues and events are handles that fit into 32 bits; 0 is none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vm/exec/work_item.h"

namespace transpire::vm::exec {

using EventHandle = std::uint32_t;

/// OpenCL C's error codes of functions that enqueue.
enum class EnqueueError : std::int32_t {
  kNone = 0,
  kFailure = -101,
  kInvalidQueue = -102,
  kInvalidNdRange = -160,
  kQueueFull = -161,
  kInvalidWaitList = -57,
  kInvalidArgumentSize = -51,
  kEventAllocation = -100,
  kOutOfResources = -5,
};

/// Kernel Enqueue Flags of SPIR-V.
enum class EnqueueFlag : std::uint8_t { kNoWait, kWaitKernel, kWaitWorkGroup };

/// What is wrong with an event that an instruction names.
enum class EventFault : std::uint8_t {
  kNone,
  kNull,       ///< 0, or what no instruction gave
  kReleased,   ///< nobody holds it any more
  kNoUser,     ///< its status is not the kernel's to set
  kTwice,      ///< its status was set before
  kCaptured,   ///< its times were asked for before
  kNoCommand,  ///< it has no times: no command ends it
};

struct NdRange {
  std::uint32_t dimensions = 1;
  std::array<std::uint64_t, 3> offset{}, global{1, 1, 1};
  std::array<std::uint64_t, 3> local{};  ///< all 0: chosen
};

/// A queue of the device.
struct QueueShape {
  std::uint64_t handle = 0;
  std::uint64_t size_bytes = 0;  ///< what may wait in it, see Command::bytes()
};

/// What was enqueued, by whom.
struct Command {
  std::uint64_t queue = 0;
  std::uint32_t function = 0;  ///< its <id>; 0: a marker
  EnqueueFlag flag = EnqueueFlag::kNoWait;
  NdRange range;
  std::vector<std::byte> block;            ///< what the function's first parameter leads to
  std::vector<std::byte> shadow;           ///< its undefined bits, if some are
  std::vector<std::uint64_t> local_sizes;  ///< of the others, in bytes
  std::vector<EventHandle> waits;
  EventHandle event = 0;
  const Program* program = nullptr;  ///< of the instruction
  const Inst* instruction = nullptr;
  WorkItem item;
  std::uint32_t order = 0;  ///< so many were enqueued by that kernel before

  bool is_marker() const { return function == 0; }
  /// Of its queue's size: the block and what else it keeps.
  std::uint64_t bytes() const {
    return 64 + block.size() + 8 * (local_sizes.size() + waits.size());
  }
  /// Memory that is given back when the command has run, beside the command itself. The heap takes some for each piece.
  std::uint64_t held_bytes() const {
    constexpr std::uint64_t kPiece = 32;
    return 4 * kPiece + block.size() + shadow.size() + 8 * local_sizes.size() + 4 * waits.size();
  }
};

/// Limits on the memory that commands may take.
struct CommandMemory {
  std::uint64_t max_bytes = ~std::uint64_t{0};
  std::uint64_t bytes_each =
      0;  ///< that whoever runs them keeps of each until the end of the launch
};

/// Why a command was not taken, where its error does not say it.
enum class EnqueueLimit : std::uint8_t { kNone, kCommands, kMemory };

/// What whoever launches commands says of them before they are enqueued. Thread-safe.
class CommandRules {
 public:
  virtual ~CommandRules() = default;
  /// Why a function could not be launched with an ND-range, and local memory for its arguments; kNone: it can.
  virtual EnqueueError judge(std::uint32_t function, const NdRange& range,
                             std::span<const std::uint64_t> local_sizes) const = 0;
  /// Of a work-group that is launched so, the last one of a dimension aside; 0 where it cannot be launched.
  virtual std::uint32_t count_subgroups(std::uint32_t function, const NdRange& range) const = 0;
};

class DeviceQueue {
 public:
  /// The first of `queues` is the default one if `has_default`. At most `max_commands` are enqueued in all.
  /// `rules` outlive it.
  DeviceQueue(std::vector<QueueShape> queues, bool has_default, std::uint64_t max_commands,
              const CommandRules& rules, const CommandMemory& memory = {});

  /// The part of the handles of events that differs from launch to launch. Set it, to repeat a launch, before anything is
  /// enqueued.
  std::uint32_t mark() const { return mark_; }
  void set_mark(std::uint32_t mark) { mark_ = mark; }

  // ---- What instructions do ----

  const CommandRules& rules() const { return rules_; }
  std::uint64_t default_queue() const { return default_; }
  bool has(std::uint64_t queue) const;
  /// Whether so many bytes could be enqueued now: what is larger need not be read.
  bool has_room(std::uint64_t queue, std::uint64_t bytes) const;
  /// True if the launch's memory has room for so many bytes.
  bool has_memory(std::uint64_t bytes) const;
  /// Why it was not taken. Writes `limit` in any case: the limit of the launch, not of the queue, that is reached.
  EnqueueError enqueue(Command command, bool with_event, EventHandle& event, EnqueueLimit& limit);

  /// By the kernel that runs, so far.
  std::uint32_t enqueued() const;

  // `by`: who does it, and where.
  /// 0: there are too many (kMaxDeviceEvents at once, 2^24 in all).
  EventHandle create_user_event(const Related& by);
  EventFault set_status(EventHandle event, std::int32_t status, const Related& by);
  EventFault retain(EventHandle event);
  EventFault release(EventHandle event, const Related& by);
  EventFault check(EventHandle event) const;
  /// Where an event was made, its status set, and where it was released last, as far as it is remembered: of the latest
  /// kMostRemembered events.
  static constexpr std::size_t kMostRemembered = 1024;
  std::vector<Related> history(EventHandle event) const;
  /// Where a user event, or the command that ends an event, came from; with kWaitsForUser or kWaitsForCommand.
  std::optional<Related> awaited(EventHandle event) const;
  /// Two times in nanoseconds go to `times` when the event's command is complete: from the command's start to its end, and
  /// to when all that it enqueued was complete. `times` has 16 bytes, and outlives the launch. The specification leaves two
  /// captures of an event undefined: kCaptured, but done all the same for up to kMostCaptures places at once.
  static constexpr std::size_t kMostCaptures = 8;
  EventFault capture(EventHandle event, std::byte* times);

  // ---- For who runs what was enqueued ----

  /// Commands enqueued since the last call, by a kernel that has ended.
  struct Taken {
    std::deque<Command> commands;
    std::vector<std::uint32_t> order;  ///< by work-item, of each as it went: indices into these
  };
  /// Empty, and all of it is dropped, as soon as `goes_on` says false: it is asked now and then.
  Taken take(const std::function<bool()>& goes_on = {});
  /// That commands take now, with what is kept of those that have run.
  std::uint64_t used_bytes() const;
  /// A command leaves its queue.
  void started(const Command& command);
  static constexpr std::int32_t kComplete = 0, kSubmitted = 2;
  /// Of an event: above 0 until it has ended, then kComplete or an error. Of a handle that is none: an error.
  std::int32_t status(EventHandle event) const;
  /// The command of an event is complete, or failed.
  struct Times {
    std::uint64_t end_ns = 0, complete_ns = 0;
  };
  void finish(EventHandle event, std::int32_t status, Times times);
  /// Events that have ended since the last call: first those that a kernel set, in the order of its work-items.
  std::vector<EventHandle> take_ended();

 private:
  struct Event {
    std::uint32_t holders = 1;  ///< kernels' references
    std::uint32_t waiters = 0;  ///< in wait lists of commands that have not begun
    bool is_user = false;
    bool captured = false;
    std::int32_t status = kSubmitted;
    Times times;
    std::vector<std::byte*> captures;
  };
  struct Queue {
    QueueShape shape;
    std::uint64_t used_bytes = 0;
  };

  Queue* find(std::uint64_t queue);
  static std::uint64_t room_of(const Queue& queue) {
    return queue.shape.size_bytes - queue.used_bytes;
  }
  using Events = std::unordered_map<EventHandle, Event>;

  EventHandle add_event(bool is_user, const Related& by);
  void remember(EventHandle event, const Related& deed);
  EventFault check_held(EventHandle event) const;
  /// Forgets it where nobody can ask for it any more.
  void drop_if_over(Events::iterator event);
  void end(Event& event, std::int32_t status, Times times);

  /// Deeds done with an event, each kind once.
  struct History {
    EventHandle event = 0;
    std::vector<Related> deeds;
  };

  mutable std::mutex mutex_;
  const CommandRules& rules_;
  std::vector<Queue> queues_;
  std::uint64_t default_ = 0;
  std::uint64_t commands_left_ = 0;
  const CommandMemory memory_;
  std::uint64_t used_bytes_ = 0;  ///< of memory_
  std::uint32_t mark_;            ///< of the launch, in its events' handles
  std::deque<Command> taken_;
  Events events_;
  std::uint32_t last_event_ = 0;                       ///< numbers of events are used once
  std::vector<std::pair<WorkItem, EventHandle>> set_;  ///< by a kernel
  std::vector<EventHandle> ended_;
  std::vector<History> histories_;  ///< by event's number, modulo kMostRemembered
};

}  // namespace transpire::vm::exec
