// DeviceState: an instruction set, threads, and prepared launches for reuse.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "memory/address_book.h"
#include "runtime/clspv_launch.h"
#include "runtime/launch_memory.h"
#include "scheduler/thread_pool.h"
#include "vm/exec/device_queue.h"
#include "vm/simd/rounding.h"

namespace transpire::runtime {

/// [0] for the optimised path, [1] for the reference path.
using AddressHistories = std::array<memory::AddressHistory, 2>;

/// A module in use on a device.
struct ModuleOnDevice {
  ModuleOnDevice(const std::shared_ptr<ModuleState>& state,
                 std::shared_ptr<AddressHistories> histories)
      : module(state), variables(state->module), history(std::move(histories)) {}
  std::weak_ptr<ModuleState> module;  ///< a device keeps no module alive
  ProgramVariables variables;
  std::mutex initializing;      ///< held while initializers run: other launches wait for them
  bool is_initialized = false;  ///< the module's initializers have run
  LaunchResult
      unreported;  ///< initializers' result, if their launch was refused; for the next result
  std::atomic<bool> was_used{false};  ///< a kernel ran
  ClspvBuffers clspv_buffers;
  std::shared_ptr<AddressHistories> history;  ///< the shaders of a module share the module's
};

/// A kernel with certain sizes, ready to be launched with any arguments.
struct PreparedLaunch {
  PreparedLaunch(const Launch& launch, std::uint32_t number,
                 std::shared_ptr<ModuleOnDevice> on_device, ProgramPointer lowered,
                 const vm::exec::LaunchIds& ids, std::uint32_t lanes, scheduler::Filling filling,
                 const vm::LaunchFacts& known);
  /// True if the launch can use this.
  bool serves(const Launch& launch, std::uint32_t number, const vm::LaunchFacts& known) const;
  /// True if the launch could use this with another seed.
  bool serves_another_seed(const Launch& launch, std::uint32_t number,
                           const vm::LaunchFacts& known) const;

  std::uint32_t kernel;  ///< the kernel's number (ModuleState)
  Geometry geometry;     ///< as the caller gave it
  LaunchSettings settings;
  vm::LaunchFacts facts;
  std::shared_ptr<ModuleOnDevice> module;
  ProgramPointer program;
  scheduler::GeometryPlan plan;
  std::vector<std::unique_ptr<LaunchMemory>> idle;  ///< guarded by DeviceState::mutex

 private:
  bool serves_but_for_settings(const Launch& launch, std::uint32_t number,
                               const vm::LaunchFacts& known) const;
};

/// A bound launch whose kernels may enqueue commands: the state that these commands share.
struct EnqueuingLaunch {
  const Launch& launch;
  const LaunchMemory& root;
  vm::exec::DeviceQueue& queue;
  vm::Observer* observer;  ///< null: none
  const WorkLimit& limit;
  bool constants_change;  ///< see vm::LaunchFacts; holds for the launch and its children
};

/// Adds numbers of executed instructions, by name.
void add_counts(std::span<const std::pair<std::string, std::uint64_t>> counts,
                LaunchResult& result);

/// Puts findings, output and counts of launches that came before in front of the launch's.
void prepend(LaunchResult& result, LaunchResult before);

/// The launch's time limit from now on, and its canceller.
WorkLimit limit_of(const Launch& launch);

struct DeviceState {
  DeviceState(const vm::HandlerTable& table, unsigned thread_count);

  const std::string isa;
  const vm::HandlerTable& handlers;
  const unsigned threads;
  scheduler::ThreadPool pool;

  /// Runs a launch, after the module's initializers if these have not run. The observer watches the kernel of an observed
  /// launch.
  Result<LaunchResult> run(const Launch& launch, vm::Observer* observer = nullptr);
  /// The launches of the shader that a launch of a kernel that clspv compiled becomes; nothing for a launch of any other kernel.
  Result<std::optional<ShaderLaunches>> shaders_of(const Launch& launch, const WorkLimit& limit);
  /// Runs the launches that `launch` became. Their result is that of one launch.
  Result<LaunchResult> run_shaders(const Launch& launch, const ShaderLaunches& shaders,
                                   const WorkLimit& limit, vm::Observer* observer);
  /// Runs the module's initializers if these have not run. Returns their findings, text and counts,
  /// which nobody has reported yet.
  Result<LaunchResult> initialise(const Launch& launch);
  /// Runs a launch whose module's initializers have run; its result begins with theirs.
  Result<LaunchResult> run_initialised(const Launch& launch, vm::Observer* observer,
                                       LaunchResult before);
  /// Facts about a finished launch that its result does not have.
  struct Ran {
    const vm::Program* program = nullptr;  ///< the module owns it
    std::uint64_t printf_bytes = 0;        ///< bytes used of Limits::max_printf_bytes
  };
  /// Runs a kernel, given by its number, that a launch's kernel enqueued.
  Result<LaunchResult> run_enqueued(const Launch& launch, std::uint32_t kernel,
                                    const EnqueuingLaunch& by, Ran& ran);
  /// Runs the module's finalizers if a kernel of it ran, then discards its variables.
  Result<LaunchResult> finish(const Launch& like);
  Result<Buffer> program_variable(const Module& module, std::size_t index);
  /// Number of prepared launches that are kept, for tests.
  std::size_t prepared_launches();

 private:
  using Prepared = std::shared_ptr<PreparedLaunch>;

  /// A launch whose arguments are bound to a LaunchMemory.
  struct Bound {
    const Launch& launch;
    const Prepared& prepared;
    vm::Observer* observer;
    vm::exec::DeviceQueue* queue;                 ///< null: the kernel cannot enqueue
    std::chrono::steady_clock::time_point start;  ///< begin of its preparation
    const std::vector<Finding>& overlaps;         ///< findings from before the run
    std::uint64_t max_printf_bytes = 0;           ///< limit for the launch and its children
    bool notes_use = false;                       ///< fills LaunchResult::memory_uses
    bool is_child = false;                        ///< a kernel enqueued it
    const LaunchPart* part = nullptr;             ///< null: it is no part of another launch
  };

  /// `part`: null if the launch is no part of another one.
  Result<LaunchResult> run_kernel(const Launch& launch, vm::Observer* observer,
                                  const LaunchPart* part = nullptr);
  struct Lowered {
    Prepared prepared;
    std::vector<Finding> overlaps;  ///< see find_constant_overlaps()
  };
  /// Lowers the kernel for the launch. The device keeps the program, so that run_kernel() need not lower it again.
  Result<Lowered> lower(const Launch& launch, const WorkLimit& limit);
  Result<LaunchResult> run_bound(const Bound& bound, LaunchMemory& memory, Ran& ran);
  Result<LaunchResult> run_program_kernels(const Launch& like, bool finalizers);
  void forget(const std::shared_ptr<ModuleState>& state);
  Result<Prepared> prepare(const Launch& launch, std::uint32_t kernel, bool constants_change,
                           const WorkLimit& limit);
  /// `whole`: the module that `state` is a shader of, if it is one.
  std::shared_ptr<ModuleOnDevice> module_on_device(const std::shared_ptr<ModuleState>& state,
                                                   const ModuleOnDevice* whole = nullptr);
  Prepared find_prepared(const Launch& launch, std::uint32_t kernel, const vm::LaunchFacts& facts);
  Result<std::unique_ptr<LaunchMemory>> take_memory(const Prepared& prepared, const Launch& launch);
  void return_memory(const Prepared& prepared, std::unique_ptr<LaunchMemory> memory);

  std::mutex mutex_;
  std::list<std::shared_ptr<ModuleOnDevice>> modules_;
  std::list<Prepared> prepared_;  ///< most recently used first
};

}  // namespace transpire::runtime
