// Runs all work-groups of a launch on one or several threads.
//
//   LaunchSpec --(units claimed by workers, each batch run by vm::exec)--> Outcome
//
// A launch gives the same outcome whatever the number of threads, as far as the kernel itself does.
// Findings still name instructions and allocations, not yet lines and messages: that is runtime's.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/checked.h"
#include "memory/address_space.h"
#include "scheduler/collector.h"
#include "scheduler/geometry.h"
#include "scheduler/thread_pool.h"
#include "transpire/transpire.hpp"
#include "vm/observe/observer.h"
#include "vm/program/program.h"

namespace transpire::scheduler {

class StopSwitch;
class Worker;

/// Local memory that a work-group may have, 16 MiB less what alignment takes: the groups that share
/// a batch are told apart by offsets of 32 bits.
inline constexpr std::uint64_t kMaxWorkgroupBytes =
    std::uint32_t{0xffffffff} / vm::exec::kMaxLanes / 128 * 128;

/// Bytes that every lane finds in its private memory when it starts: a struct passed by value.
struct PrivateImage {
  std::uint32_t offset = 0;  ///< in a lane's private memory, a multiple of 4
  std::span<const std::byte> bytes;
};

/// What is run. Everything named here outlives the call.
struct LaunchSpec {
  const memory::AddressSpace* memory = nullptr;
  std::span<const std::uint64_t> arguments;  ///< Program::argument_slots values
  std::span<const PrivateImage> private_images;
  Limits limits;
  std::uint64_t reservation_bytes = 0;  ///< that open reservations may take at each end of a pipe
  const std::function<bool(std::uint64_t, std::uint64_t)>* progress = nullptr;  ///< null: none
  /// Told before `progress` is, with the instructions times lanes so far; null: nobody asks.
  const std::function<void(std::uint64_t)>* executing = nullptr;
  StopSwitch* stop = nullptr;  ///< null: nobody stops it from outside
  /// Null: nobody watches. Of an observed program it is told of everything, from one thread (see Team); of
  /// others of what is stored only, where the program records results, from all threads.
  vm::Observer* observer = nullptr;
  vm::exec::DeviceQueue* queue = nullptr;  ///< of programs that enqueue (Program::uses_queue)
  /// The host, or another launch, may store to its memory meanwhile: what waits may wait for that.
  bool is_shared = false;
  /// Just now, where the caller has looked at the clock anyway.
  std::optional<std::chrono::steady_clock::time_point> begun{};
};

struct Outcome {
  LaunchResult::End end = LaunchResult::End::kCompleted;
  std::vector<Finding> findings;
  std::string printf_output;
  std::uint64_t printf_bytes = 0;    ///< of the limit of text, that were used
  std::uint64_t printf_dropped = 0;  ///< calls that did not fit
  std::uint64_t instructions = 0;
  std::vector<std::uint64_t> executed;  ///< by opcode, times a work-item executed it; may be empty
  double seconds = 0;                   ///< since `begun`
  bool notes_gave_up = false;  ///< what checks keep of the launch took all of max_check_bytes
};

/// The memory of the threads that run one program with one geometry: registers, pending masks,
/// private and workgroup memory. Made once, reused by launch after launch; serves one launch at a
/// time.
class Team {
 public:
  /// `workgroup_bytes`: of one group, a multiple of 128 up to kMaxWorkgroupBytes. `threads`: at most so many
  /// work; on an observed program, and by a schedule, one does: what happens then has an order. Program and
  /// plan outlive the team.
  Team(const vm::Program& program, const GeometryPlan& geometry, std::uint64_t workgroup_bytes,
       unsigned threads);
  ~Team();

  const vm::Program& program() const { return program_; }
  const GeometryPlan& geometry() const { return geometry_; }
  std::uint64_t workgroup_bytes() const { return workgroup_bytes_; }
  unsigned threads() const { return static_cast<unsigned>(workers_.size()); }

  /// Bytes that one worker needs.
  Checked bytes_per_worker() const { return bytes_per_worker_; }

 private:
  friend class Execution;
  const vm::Program& program_;
  const GeometryPlan& geometry_;
  std::uint64_t workgroup_bytes_;
  Checked bytes_per_worker_;
  std::vector<std::unique_ptr<Worker>> workers_;  ///< each made by the thread that first needs it
  std::vector<unsigned char> took_part_;          ///< in the last launch, by worker
  double unit_ns_ = 0;  ///< time of a unit in the last launch; 0 = unknown
};

/// Runs the launch to its end. The calling thread works too, except when the launch has a time
/// limit or reports progress: then it supervises.
Outcome run(const LaunchSpec& spec, Team& team, ThreadPool& pool);

}  // namespace transpire::scheduler
