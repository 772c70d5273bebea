// DeviceState: an instruction set, threads, and what launches left for the next ones to reuse.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/address_book.h"
#include "runtime/session.h"
#include "scheduler/thread_pool.h"
#include "vm/exec/device_queue.h"
#include "vm/simd/rounding.h"

namespace transpire::runtime {

/// A module in use on a device.
struct ModuleOnDevice {
  explicit ModuleOnDevice(const std::shared_ptr<ModuleState>& state)
      : module(state), variables(state->module) {}
  std::weak_ptr<ModuleState> module;  ///< a device keeps no module alive
  ProgramVariables variables;
  std::mutex initializing;      ///< held while initializers run: other launches wait for them
  bool is_initialized = false;  ///< the module's initializers have run
  LaunchResult untold;  ///< of them, where their launch was refused: the next one's tells it
  std::atomic<bool> was_used{false};  ///< a kernel ran
  AddressHistory history[2];          ///< of launches; [1] on the reference path
};

/// A kernel with certain sizes, ready to be launched with any arguments.
struct PreparedLaunch {
  PreparedLaunch(const Launch& launch, std::uint32_t number,
                 std::shared_ptr<ModuleOnDevice> on_device, ProgramPointer lowered,
                 const vm::exec::LaunchIds& ids, std::uint32_t lanes, scheduler::Filling filling,
                 bool changing);
  bool serves(const Launch& launch, std::uint32_t number, bool with_changing_constants) const;
  /// Whether it would if the launch had another seed.
  bool serves_another_seed(const Launch& launch, std::uint32_t number,
                           bool with_changing_constants) const;

  std::uint32_t kernel;  ///< its number
  Geometry geometry;     ///< as the caller gave it
  LaunchSettings settings;
  bool record_results;
  bool constants_change;  ///< see vm::LowerOptions
  bool tells_all_images;  ///< see ProgramKey
  std::shared_ptr<ModuleOnDevice> module;
  ProgramPointer program;
  scheduler::GeometryPlan plan;
  std::vector<std::unique_ptr<Session>> idle;  ///< guarded by DeviceState::mutex

 private:
  bool serves_but_for_settings(const Launch& launch, std::uint32_t number,
                               bool with_changing_constants) const;
};

/// A launch whose kernels may enqueue, bound and perhaps ended: what all that they enqueue has in common.
struct EnqueuingLaunch {
  const Launch& launch;
  const Session& root;
  vm::exec::DeviceQueue& queue;
  vm::Observer* observer;  ///< null: nobody watches
  const WorkLimit& limit;
  bool constants_change;  ///< see vm::LowerOptions: for the launch, and so for all of it
};

struct DeviceState {
  DeviceState(const vm::HandlerTable& table, unsigned thread_count);

  const std::string isa;
  const vm::HandlerTable& handlers;
  const unsigned threads;
  scheduler::ThreadPool pool;

  /// Initializers first, where the module has some that have not run. The observer watches the kernel of a
  /// launch that is observed.
  Result<LaunchResult> run(const Launch& launch, vm::Observer* observer = nullptr);
  /// What of a launch is not in its result.
  struct Ran {
    const vm::Program* program = nullptr;  ///< the module keeps it
    std::uint64_t printf_bytes = 0;        ///< used of Limits::max_printf_bytes
  };
  /// Runs a kernel, by its number, that was enqueued in the course of a launch.
  Result<LaunchResult> run_enqueued(const Launch& launch, std::uint32_t kernel,
                                    const EnqueuingLaunch& by, Ran& ran);
  /// Finalizers, when a kernel of the module ran; then its variables are forgotten.
  Result<LaunchResult> finish(const Launch& like);
  Result<Buffer> program_variable(const Module& module, std::size_t index);
  /// How many launches are kept ready, for tests.
  std::size_t prepared_launches();

 private:
  using Prepared = std::shared_ptr<PreparedLaunch>;

  /// A launch whose session has its arguments.
  struct Bound {
    const Launch& launch;
    const Prepared& prepared;
    vm::Observer* observer;
    vm::exec::DeviceQueue* queue;                 ///< null: nothing can be enqueued
    std::chrono::steady_clock::time_point start;  ///< of preparing it
    const std::vector<Finding>& overlaps;         ///< found before it runs
    std::uint64_t max_printf_bytes = 0;           ///< of the launch with all that it enqueues
    bool notes_use = false;                       ///< into LaunchResult::memory_uses
  };

  Result<LaunchResult> run_kernel(const Launch& launch, vm::Observer* observer);
  Result<LaunchResult> run_bound(const Bound& bound, Session& session, Ran& ran);
  static MemoryUse finished_use(std::shared_ptr<MemoryUseState> use, const Bound& bound,
                                const Session& session);
  Result<LaunchResult> run_program_kernels(const Launch& like, bool finalizers);
  void forget(const std::shared_ptr<ModuleState>& state);
  Result<Prepared> prepare(const Launch& launch, std::uint32_t kernel, bool constants_change,
                           const WorkLimit& limit);
  std::shared_ptr<ModuleOnDevice> module_on_device(const std::shared_ptr<ModuleState>& state);
  Prepared find_prepared(const Launch& launch, std::uint32_t kernel, bool constants_change);
  Result<std::unique_ptr<Session>> take_session(const Prepared& prepared, const Launch& launch);
  void return_session(const Prepared& prepared, std::unique_ptr<Session> session);

  std::mutex mutex_;
  std::list<std::shared_ptr<ModuleOnDevice>> modules_;
  std::list<Prepared> prepared_;  ///< most recently used first
};

}  // namespace transpire::runtime
