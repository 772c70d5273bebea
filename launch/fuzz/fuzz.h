// Fuzzes schedules: runs a plan in many orders of work-items (docs/schedules.md), and compares the final contents of its
// buffers, images and pipes. A difference is a finding, TSP-R0106, with the two stores that made it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "launch/runner/run_plan.h"

namespace transpire::launch {

/// The order of work-items in a run.
struct Order {
  Schedule schedule = Schedule::kSerial;
  std::uint32_t seed = 0;  ///< kRandom: its seed
  /// LaunchSettings::poison of the run, where fuzz() chooses it; else that of the launch.
  std::optional<bool> poison{};

  /// Options with which `transpire run` repeats it: "--schedule=reverse", "--schedule=random --seed=7 --poison"
  std::string words() const;
  friend bool operator==(const Order&, const Order&) = default;
};

struct FuzzOptions {
  /// Overrides of each run. fuzz() sets the order and the comparison itself, and loads the module if there is none. If
  /// neither the overrides nor the plan set poison, it is on in all orders but the reverse one. Results that depend on
  /// unwritten memory then differ.
  RunOverrides overrides;
  /// Number of random orders, in addition to the serial and the reverse one; 0: as many as the time allows.
  std::uint64_t runs = 100;
  std::uint32_t first_seed = 1;
  /// Time for all runs, from the serial one on. Finding the stores of a difference may take as long again. 0: no limit.
  double seconds = 0;
  unsigned jobs = 1;                   ///< number of concurrent runs
  std::vector<std::string> ignored{};  ///< buffers that are not compared
  bool wants_replay = false;           ///< fills FuzzReport::replay
  /// Called a few times a second with the number of finished runs. Returning false ends all runs, the serial one as well.
  std::function<bool(std::uint64_t done)> waiting{};
};

/// A number that differs between the serial and another order, and the last store to it in each of them. A missing store
/// means that no kernel stored it.
struct OrderDifference {
  std::string buffer;
  Mismatch first;           ///< `expected` is the number in the serial order
  std::uint64_t count = 0;  ///< numbers of the buffer that differ
  std::uint64_t offset_bytes = 0;
  bool is_of_packets = false;  ///< the number counts the packets left in a pipe
  Order order;
  std::optional<LastStore> serial_store{}, store{};
  bool knows_stores = false;  ///< false: the runs that look for the stores were ended early
  /// True if the difference vanishes when `order` has the sub-group size of the serial order.
  bool is_of_subgroups = false;
  /// True if the difference vanishes when unwritten memory holds the same in `order` as in the serial order.
  bool is_of_poison = false;
};

struct FuzzReport {
  int exit_code = 0;
  std::uint64_t runs = 0;  ///< completed runs, the serial one included
  /// Orders before the differing one whose run was ended by time, a signal or lack of memory.
  std::uint64_t unfinished = 0;
  std::uint64_t compared = 0;  ///< number of buffers, images and pipes
  bool interrupted = false;
  /// The serial run. If that was without refusals, findings and unmet expectations, the first run that had some.
  RunReport run;
  Order order;  ///< the order of `run`
  std::optional<OrderDifference> difference{};
  std::optional<Finding> finding{};  ///< the finding for `difference`
  /// A launch file that repeats the differing run, or the run that had refusals, findings or unmet expectations.
  std::optional<Result<std::string>> replay{};
};

FuzzReport fuzz(const LaunchPlan& plan, const FuzzOptions& options);

/// The differences between two states of a buffer.
struct BufferDifference {
  Mismatch first;
  std::uint64_t count = 0;
  std::uint64_t offset_bytes = 0;  ///< offset of the first differing byte
  bool is_of_packets = false;      ///< the difference is in the number of packets left in a pipe
};
/// Compares two reports of a buffer: with the tolerance that an expectation of the plan has for it, else bit by bit. Padding
/// is compared, too, unless a kernel of `module` has a parameter of the buffer's name whose type has padding.
std::optional<BufferDifference> difference_of(const BufferReport& a, const BufferReport& b,
                                              const LaunchPlan& plan, const ModuleInfo& module);

/// The run that a replay repeats.
struct Replay {
  Order order;
  AskedSettings settings;                       ///< settings of the run
  std::vector<Suppression> suppressions{};      ///< in addition to those of the plan
  const OrderDifference* difference = nullptr;  ///< null: the run differs in no buffer
  const BufferReport* expected = nullptr;       ///< the buffer after the serial order
};

/// Writes a launch file that runs the plan in that order and expects the numbers of the serial order where they differ. It
/// names files by absolute paths. Fails with C0022 if the language cannot express the plan: an argument of an Oclgrind .sim
/// file, a module of standard input.
Result<std::string> replay_of(const LaunchPlan& plan, const Module& module, const Replay& replay);

}  // namespace transpire::launch
