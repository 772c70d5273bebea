// DeviceQueue: the commands that kernels of a launch enqueued, and their events ("OpenCL C 2.0",
// "Enqueuing Kernels").
//
//     engine  --enqueue()-->  DeviceQueue  --take()-->  who runs the launch (runtime/children.h)
//
// The engine appends and goes on; an enqueued command runs only after the kernel that enqueued it
// has ended. One object serves a launch and all its children. Thread-safe.
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

/// A mistake in an event that an instruction names.
enum class EventFault : std::uint8_t {
  kNone,
  kNull,       ///< 0, or a value that no instruction gave
  kReleased,   ///< all references were released
  kNoUser,     ///< no user event: the kernel may not set its status
  kTwice,      ///< its status was already set
  kCaptured,   ///< its times were already captured
  kNoCommand,  ///< it has no times, because no command ends it
};

struct NdRange {
  std::uint32_t dimensions = 1;
  std::array<std::uint64_t, 3> offset{}, global{1, 1, 1};
  std::array<std::uint64_t, 3> local{};  ///< all 0: the VM chooses
};

/// A queue of the device.
struct QueueShape {
  std::uint64_t handle = 0;
  std::uint64_t size_bytes = 0;  ///< maximum memory of waiting commands, see Command::bytes()
};

/// An enqueued command, and the work-item that enqueued it.
struct Command {
  std::uint64_t queue = 0;
  std::uint32_t function = 0;  ///< its <id>; 0: a marker
  EnqueueFlag flag = EnqueueFlag::kNoWait;
  NdRange range;
  std::vector<std::byte> block;            ///< target of the function's first parameter
  std::vector<std::byte> shadow;           ///< its undefined bits, if it has some
  std::vector<std::uint64_t> local_sizes;  ///< sizes of further arguments, in bytes
  std::vector<EventHandle> waits;
  EventHandle event = 0;
  const Program* program = nullptr;  ///< program with the instruction
  const Inst* instruction = nullptr;
  WorkItem item;
  std::uint32_t order = 0;  ///< number of commands that this kernel enqueued before

  bool is_marker() const { return function == 0; }
  /// Bytes that count towards the queue's size: the block and further data.
  std::uint64_t bytes() const {
    return 64 + block.size() + 8 * (local_sizes.size() + waits.size());
  }
  /// Bytes that are freed after the command has run, without the command itself. The heap adds
  /// overhead for each piece.
  std::uint64_t held_bytes() const {
    constexpr std::uint64_t kPiece = 32;
    return 4 * kPiece + block.size() + shadow.size() + 8 * local_sizes.size() + 4 * waits.size();
  }
};

/// Limits on the memory that commands may take.
struct CommandMemory {
  std::uint64_t max_bytes = ~std::uint64_t{0};
  std::uint64_t bytes_each = 0;  ///< bookkeeping per command, kept until the end of the launch
};

/// The limit that refused a command, if its error does not tell.
enum class EnqueueLimit : std::uint8_t { kNone, kCommands, kMemory };

/// Rules about commands, checked before they are enqueued. The launching code implements them.
/// Thread-safe.
class CommandRules {
 public:
  virtual ~CommandRules() = default;
  /// The reason why a function cannot be launched with an ND-range and local memory for its
  /// arguments; kNone: it can.
  virtual EnqueueError judge(std::uint32_t function, const NdRange& range,
                             std::span<const std::uint64_t> local_sizes) const = 0;
  /// Number of sub-groups in a work-group of this ND-range, except the last one of a dimension; 0
  /// if it cannot be launched.
  virtual std::uint32_t count_subgroups(std::uint32_t function, const NdRange& range) const = 0;
};

class DeviceQueue {
 public:
  /// The first of `queues` is the default one if `has_default`. At most `max_commands` can be
  /// enqueued in all. `rules` must outlive this.
  DeviceQueue(std::vector<QueueShape> queues, bool has_default, std::uint64_t max_commands,
              const CommandRules& rules, const CommandMemory& memory = {});

  /// A part of the events' handles that differs from launch to launch. To repeat a launch, set it
  /// before anything is enqueued.
  std::uint32_t mark() const { return mark_; }
  void set_mark(std::uint32_t mark) { mark_ = mark; }

  // ---- What instructions do ----

  const CommandRules& rules() const { return rules_; }
  std::uint64_t default_queue() const { return default_; }
  bool has(std::uint64_t queue) const;
  /// True if a command of this size could be enqueued now; the data of a larger one need not be
  /// read.
  bool has_room(std::uint64_t queue, std::uint64_t bytes) const;
  /// True if the launch's memory has room for the bytes.
  bool has_memory(std::uint64_t bytes) const;
  /// Returns the reason if the command is refused. Always writes `limit`: the limit of the launch,
  /// not of the queue, that is reached.
  EnqueueError enqueue(Command command, bool with_event, EventHandle& event, EnqueueLimit& limit);

  /// Number of commands that the running kernel has enqueued.
  std::uint32_t enqueued() const;

  // `by`: the work-item and its instruction.
  /// 0: there are too many (kMaxDeviceEvents at once, 2^24 in all).
  EventHandle create_user_event(const Related& by);
  EventFault set_status(EventHandle event, std::int32_t status, const Related& by);
  EventFault retain(EventHandle event);
  EventFault release(EventHandle event, const Related& by);
  EventFault check(EventHandle event) const;
  /// The places where an event was made, its status set, and where it was last released. Remembered
  /// for the latest kMostRemembered events.
  static constexpr std::size_t kMostRemembered = 1024;
  std::vector<Related> history(EventHandle event) const;
  /// The origin of a user event, or of the command that ends an event; with kWaitsForUser or
  /// kWaitsForCommand.
  std::optional<Related> awaited(EventHandle event) const;
  /// When the event's command is complete, writes two times in nanoseconds to `times`: from the
  /// command's start to its end, and to when all its children were complete. `times` has 16 bytes,
  /// and outlives the launch. The specification leaves two captures of an event undefined:
  /// kCaptured is reported, but up to kMostCaptures places get the times.
  static constexpr std::size_t kMostCaptures = 8;
  EventFault capture(EventHandle event, std::byte* times);

  // ---- For who runs what was enqueued ----

  /// Commands enqueued since the last call, by a kernel that has ended.
  struct Taken {
    std::deque<Command> commands;
    std::vector<std::uint32_t> order;  ///< indexes, by work-item, in each one's order
  };
  /// `goes_on` is called now and then. When it returns false, all commands are dropped and the
  /// result is empty.
  Taken take(const std::function<bool()>& goes_on = {});
  /// Memory of waiting commands, and bookkeeping of those that have run.
  std::uint64_t used_bytes() const;
  /// A command leaves its queue.
  void started(const Command& command);
  static constexpr std::int32_t kComplete = 0, kSubmitted = 2;
  /// Status of an event: above 0 until it has ended, then kComplete or an error. An error for a
  /// handle that is no event.
  std::int32_t status(EventHandle event) const;
  /// Ends the event of a command that is complete or has failed.
  struct Times {
    std::uint64_t end_ns = 0, complete_ns = 0;
  };
  void finish(EventHandle event, std::int32_t status, Times times);
  /// Events that have ended since the last call: first those set by a kernel, in the order of its
  /// work-items.
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
  void remember(EventHandle event, const Related& step);
  EventFault check_held(EventHandle event) const;
  /// Forgets the event if no handle or wait list refers to it.
  void drop_if_over(Events::iterator event);
  void end(Event& event, std::int32_t status, Times times);

  /// Actions on an event, one of each kind.
  struct History {
    EventHandle event = 0;
    std::vector<Related> steps;
  };

  mutable std::mutex mutex_;
  const CommandRules& rules_;
  std::vector<Queue> queues_;
  std::uint64_t default_ = 0;
  std::uint64_t commands_left_ = 0;
  const CommandMemory memory_;
  std::uint64_t used_bytes_ = 0;  ///< part of memory_
  std::uint32_t mark_;            ///< mark of the launch in its events' handles
  std::deque<Command> taken_;
  Events events_;
  std::uint32_t last_event_ = 0;                       ///< numbers of events are used once
  std::vector<std::pair<WorkItem, EventHandle>> set_;  ///< set by a kernel
  std::vector<EventHandle> ended_;
  std::vector<History> histories_;  ///< index: event's number modulo kMostRemembered
};

}  // namespace transpire::vm::exec
