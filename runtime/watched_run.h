// The parts of a WatchedRun (transpire/watch.hpp): the gate that its launch passes at each event, and the memory that the
// launch began with.
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

#include "memory/address_space.h"
#include "memory/pipe.h"
#include "runtime/undefined_bits.h"
#include "transpire/transpire.hpp"
#include "vm/exec/device_queue.h"

namespace transpire::runtime {

/// A copy of all memory that a launch may write and that outlives it: buffers, images, pipes, program-scope variables,
/// shared memory, and the bits that the host has declared undefined.
class MemoryCopy {
 public:
  /// `owner` keeps the program-scope variables; the launch's arguments keep the rest.
  MemoryCopy(const memory::AddressSpace& space, const Launch& launch,
             std::shared_ptr<const void> owner);
  void restore() const;

 private:
  void add(std::byte* begin, std::uint64_t size_bytes);

  std::shared_ptr<const void> owner_;
  std::vector<std::shared_ptr<UndefinedBits>> undefined_;
  std::vector<std::pair<std::byte*, std::vector<std::byte>>> ranges_;
  std::vector<std::pair<memory::Pipe*, std::shared_ptr<const memory::Pipe::State>>> pipes_;
};

/// Counts the events of a launch, and holds the launch up where its watch answers kStop.
class WatchGate final : public Watch {
 public:
  explicit WatchGate(Watch& watch) : watch_(watch) {}

  // Called by the launch.
  /// The root launch is bound, and nothing of it has run.
  void enter(const memory::AddressSpace& space, const Launch& launch,
             std::shared_ptr<const void> owner, vm::exec::DeviceQueue* queue);
  /// The number of a kernel's launch, from which tags of pointers derive. When the launch runs again, it and its children
  /// get the same ones. `launches` gives new ones.
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
  void leave(Result<LaunchResult> result);
  void leave(std::exception_ptr thrown);

  // The thread that drives the run calls these, while the launch is held up or does not run.
  /// The launch is about to begin. Events before number `quiet_until` pass in silence, and the launch is held up before this one
  /// if `stops`.
  void start(std::uint64_t quiet_until, bool stops);
  /// Lets the launch go on until it is held up again (true) or has ended.
  bool go_on();
  /// Waits for the same. Throws what the launch threw.
  bool wait();
  /// Ends the launch, which is held up.
  void abandon();
  bool is_held_up() const { return state_ == State::kHeldUp; }
  std::uint64_t position() const { return position_; }
  const std::optional<Result<LaunchResult>>& result() const { return result_; }
  /// Puts memory back as it was when the launch began.
  void restore() const;

 private:
  enum class State { kRunning, kHeldUp, kEnded };
  template <class Tell>
  Answer pass(const Tell& tell);
  /// Holds the launch up. False: it is to end.
  bool hold_up();

  Watch& watch_;
  std::optional<MemoryCopy> memory_;
  std::optional<std::uint64_t> first_number_;  ///< see next_number()
  std::uint64_t next_number_ = 0;
  std::uint32_t mark_ =
      0;  ///< the mark of the launch's device queue: handles of events derive from it
  std::uint64_t position_ = 0, quiet_until_ = 0;
  std::optional<std::uint64_t> end_;  ///< the event at which the watch ended the launch last
  bool stops_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::kEnded;  ///< guarded by mutex_
  bool abandoned_ = false;       ///< guarded by mutex_
  std::optional<Result<LaunchResult>> result_;
  std::exception_ptr thrown_;  ///< guarded by mutex_
};

class WatchedRunState {
 public:
  WatchedRunState(Device device, const Launch& launch);
  ~WatchedRunState();
  WatchedRunState(const WatchedRunState&) = delete;
  WatchedRunState& operator=(const WatchedRunState&) = delete;

  bool go_on();
  bool go_to(std::uint64_t position);
  const WatchGate& gate() const { return gate_; }

 private:
  /// Runs the launch on a thread of its own, up to where it is held up (true) or ends.
  bool run(std::uint64_t quiet_until, bool stops);
  Result<LaunchResult> run_once();
  void abandon();

  Device device_;
  Launch launch_;
  double timeout_seconds_;  ///< time limit of the launch as given; applies to initializers only
  WatchGate gate_;
  std::thread thread_;
  std::optional<Result<LaunchResult>> initialised_;  ///< set once the run has begun
};

}  // namespace transpire::runtime
