// The state of a WatchedRun (transpire/watch.hpp). Two threads share it: one runs the launch, the other one drives the run. A gate, which the
// launch passes at each event, holds the launch up and lets it go on. Nothing of a running launch can be copied but its memory, so
// there is one moment to go back to, the launch's beginning: the run ends the launch, puts its memory back, and launches again.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "memory/pipe.h"
#include "runtime/clspv_launch.h"
#include "runtime/kept_pages.h"
#include "transpire/transpire.hpp"

namespace transpire::runtime {

struct Instrumented;

/// All memory that a launch may change and that outlives it, as it was when the launch began: buffers, images, pipes, program-scope
/// variables, shared memory, and the bits that the host has declared undefined.
class MemoryAtBeginning {
 public:
  explicit MemoryAtBeginning(const Instrumented& root);
  /// The launch is about to change these bytes. Ignores memory that ends with the launch.
  void before_change(const std::byte* first, std::uint64_t size_bytes) {
    pages_.before_change(first, size_bytes);
  }
  void restore() const;
  /// Size of the copies that restore() needs, without those of pipes.
  std::uint64_t kept_bytes() const { return pages_.kept_bytes(); }

 private:
  std::vector<std::shared_ptr<const void>>
      owners_;  ///< owners of memory that the launch does not own
  KeptPages pages_;
  std::vector<std::pair<memory::Pipe*, std::shared_ptr<const memory::Pipe::State>>> pipes_;
};

/// Counts the events of a launch, and holds the launch up where its watch answers kStop.
class WatchGate final : public Watch {
 public:
  explicit WatchGate(Watch& watch) : watch_(watch) {}
  /// The gate of the run that a launch, or the launch that enqueued it, belongs to. Null: it belongs to no run.
  static WatchGate* of(const Launch& launch) { return dynamic_cast<WatchGate*>(launch.watch); }

  // The launch calls these.
  /// The root launch is bound, and none of its work-items has executed anything.
  void enter(const Instrumented& root);
  /// A store or an atomic of the launch is about to change these bytes.
  void before_change(const std::byte* first, std::uint64_t size_bytes) {
    memory_->before_change(first, size_bytes);
  }
  /// The number of a kernel's launch, from which the tags of its pointers derive. The launch and its children get the same numbers each
  /// time that the run launches. `launches` gives new ones.
  std::uint64_t next_number(std::atomic<std::uint64_t>& launches);
  Answer launch_begins(const WatchLaunch& launch) override;
  Answer launch_ends(const WatchLaunch& launch) override;
  Answer group_begins(const WatchGroup& group) override;
  Answer group_ends(const WatchGroup& group) override;
  Answer step(const WatchStep& step) override;
  Answer access(const WatchAccess& access) override;
  Answer waits(const WatchStep& step) override;
  Answer meets(const WatchStep& step) override;
  Answer prints(const WatchPrint& print) override;
  Answer found(const WatchFinding& finding) override;
  Answer enqueued(const WatchEvent& event) override;
  Answer packet(const WatchPacket& packet) override;
  /// The launch has ended, with a result or by an exception.
  void leave(Result<LaunchResult> result);
  void leave(std::exception_ptr thrown);

  // The driving thread calls these, while the launch is held up or does not run.
  /// The launch is about to begin. The watch is not called for events before number `quiet_until`. If `stops`, the launch is held up
  /// before that event.
  void start(std::uint64_t quiet_until, bool stops);
  /// Lets the launch go on, then waits as wait() does.
  bool go_on();
  /// Waits until the launch is held up (true) or has ended (false). Throws what the launch threw.
  bool wait();
  /// Ends the launch, which is held up.
  void abandon();
  bool is_held_up() const { return state_ == State::kHeldUp; }
  /// Number of events so far, which is the number of the next one.
  std::uint64_t position() const { return position_; }
  const std::optional<Result<LaunchResult>>& result() const { return result_; }
  /// Puts memory back as it was when the launch began.
  void restore() const;
  /// See MemoryAtBeginning; 0 before the launch has begun.
  std::uint64_t kept_bytes() const { return memory_ ? memory_->kept_bytes() : 0; }

 private:
  enum class State { kRunning, kHeldUp, kEnded };
  /// An event. `tell` calls the watch, which happens only from `quiet_until_` on. Returns what the launch is to do: never kStop.
  template <class Tell>
  Answer pass(const Tell& tell);
  /// Holds the launch up. True: it goes on. False: it ends, because it was abandoned.
  bool hold_up();

  Watch& watch_;
  std::optional<MemoryAtBeginning> memory_;    ///< set once the launch has begun
  std::optional<std::uint64_t> first_number_;  ///< result of the first next_number()
  std::uint64_t next_number_ = 0;
  std::uint32_t mark_ = 0;  ///< the device queue's mark, from which handles of events derive
  std::uint64_t position_ = 0, quiet_until_ = 0;
  /// The event for which the watch last answered kEnd. A repeated launch ends there without calling the watch.
  std::optional<std::uint64_t> end_;
  bool stops_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;  ///< signals changes of state_
  State state_ = State::kEnded;      ///< guarded by mutex_
  bool abandoned_ = false;           ///< guarded by mutex_
  std::optional<Result<LaunchResult>> result_;
  std::exception_ptr thrown_;  ///< guarded by mutex_
};

class WatchedRunState {
 public:
  WatchedRunState(Device device, const Launch& launch);
  ~WatchedRunState();
  WatchedRunState(const WatchedRunState&) = delete;
  WatchedRunState& operator=(const WatchedRunState&) = delete;

  // As the functions of WatchedRun.
  bool go_on();
  bool go_to(std::uint64_t position);
  const WatchGate& gate() const { return gate_; }

 private:
  /// Launches on a thread of its own, from the launch's beginning. Waits until the launch is held up (true) or has ended (false).
  bool run(std::uint64_t quiet_until, bool stops);
  /// Runs the launch on the calling thread.
  Result<LaunchResult> run_once();
  /// Ends the launch, if it is held up, and its thread.
  void abandon();

  Device device_;
  Launch launch_;
  double timeout_seconds_;  ///< time limit of the launch as given; holds for initializers alone
  WatchGate gate_;
  std::thread thread_;
  /// Result of the module's initializers, which run once. Set once the run has begun.
  std::optional<Result<LaunchResult>> initialised_;
  /// Set once the run has begun: see DeviceState::shaders_of(). Each time that the run launches, they have the buffers of the first.
  std::optional<std::optional<ShaderLaunches>> shaders_;
};

}  // namespace transpire::runtime
