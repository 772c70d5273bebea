// Runs all work-groups of a launch on one or several threads.
//
//   LaunchSpec --(units claimed by workers, each batch run by vm::exec)--> Outcome
//
// The outcome does not depend on the number of threads, unless the kernel's own results do. A finding names an instruction and an
// allocation; the rooms above turn these into source lines and messages.
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

/// The most bytes of local memory that a work-group may have: 16 MiB, less the alignment.
inline constexpr std::uint64_t kMaxWorkgroupBytes = (std::uint64_t{16} << 20) - 128;
// Groups that share a batch, at most one in each lane, have their local memories at offsets of 32 bits.
static_assert(kMaxWorkgroupBytes * vm::exec::kMaxLanes <= 0xffffffff);

/// Initial bytes of every work-item's private memory: the value of an argument that is a struct.
struct PrivateImage {
  std::uint32_t offset = 0;  ///< in a lane's private memory, a multiple of 4
  std::span<const std::byte> bytes;
};

/// Bytes of a group's local memory.
struct LocalRange {
  std::uint64_t offset = 0, size_bytes = 0;
};

/// The input of a launch. Everything that it refers to must outlive the call.
struct LaunchSpec {
  const memory::AddressSpace* memory = nullptr;
  std::span<const std::uint64_t> arguments;  ///< Program::argument_slots values
  std::span<const PrivateImage> private_images;
  std::span<const LocalRange> zeroed_local;  ///< zero, and defined, when a group begins
  Limits limits;
  std::uint64_t reservation_bytes = 0;  ///< limit for open reservations at each end of a pipe
  /// Called with the groups done and all groups, every millisecond; false cancels the launch. May be null.
  const std::function<bool(std::uint64_t, std::uint64_t)>* progress = nullptr;
  /// Called before `progress`, with the number of instructions times lanes so far. May be null.
  const std::function<void(std::uint64_t)>* executing = nullptr;
  StopSwitch* stop = nullptr;  ///< lets other threads end the launch; may be null
  /// Not owned; may be null. For an observed program its functions are called from one thread (see Team). For any other
  /// program only Observer::stored() is called, from all threads, and only if the program records results.
  vm::Observer* observer = nullptr;
  vm::exec::DeviceQueue* queue = nullptr;  ///< for programs that enqueue (Program::uses_queue)
  /// True if the host or another launch may store to the launch's memory. A waiting loop may then wait for such a store.
  bool is_shared = false;
  /// The time of the call, if the caller already read the clock.
  std::optional<std::chrono::steady_clock::time_point> begun{};
};

struct Outcome {
  LaunchResult::End end = LaunchResult::End::kCompleted;
  std::vector<Finding> findings;
  std::string printf_output;
  std::uint64_t printf_bytes = 0;    ///< bytes that count towards Limits::max_printf_bytes
  std::uint64_t printf_dropped = 0;  ///< calls that did not fit
  std::uint64_t instructions = 0;
  std::vector<std::uint64_t>
      executed;        ///< [opcode]: executions by work-items; empty unless the program counts
  double seconds = 0;  ///< since `begun`
  bool notes_gave_up = false;  ///< the checks' notes reached Limits::max_check_bytes
};

/// The memory of the threads that run one program with one geometry: registers, pending masks,
/// private and workgroup memory. Launches reuse it, one at a time.
class Team {
 public:
  /// `workgroup_bytes`: local memory of one group, a multiple of 128 up to kMaxWorkgroupBytes. `threads`: the most
  /// threads that work. One thread runs observed programs, programs with pipes, and schedules other than lockstep,
  /// so that their work-items run in one order. Program and plan must outlive the team.
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
  std::vector<unsigned char> took_part_;          ///< [worker]: it took part in the last launch
  double unit_ns_ = 0;                            ///< time of a unit in the last launch; 0: unknown
};

/// Runs the launch to its end. The calling thread works too, unless the launch has a time limit or reports
/// progress: then it supervises. Throws std::bad_alloc if memory runs out.
Outcome run(const LaunchSpec& spec, Team& team, ThreadPool& pool);

}  // namespace transpire::scheduler
