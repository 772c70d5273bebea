// Fuzzing of schedules: runs a plan in many orders of work-items (docs/schedules.md), and compares what its buffers,
// images and pipes hold at the end. What differs is a finding, TSP-R0106, with both stores that made it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "launch/run_plan.h"

namespace transpire::launch {

/// The order of a run.
struct Order {
  Schedule schedule = Schedule::kSerial;
  std::uint32_t seed = 0;  ///< of kRandom
  /// Memory that nothing has written: zeros (LaunchSettings::poison is off), where the other orders have poison.
  bool has_zeros = false;

  /// "--schedule=serial", "--schedule=random --seed=7"
  std::string words() const;
  friend bool operator==(const Order&, const Order&) = default;
};

struct FuzzOptions {
  /// Of each run. What is compared and in which order it runs is decided here; the module is loaded where none is given.
  /// Where neither these nor the plan speak of poison, it is on, but for the reverse order: what depends on memory that
  /// nothing has written differs.
  RunOverrides overrides;
  /// Random orders beside serial and reverse ones; 0: until the time is over.
  std::uint64_t runs = 100;
  std::uint32_t first_seed = 1;
  /// From the serial run on; once more for looking at what differs. 0: no limit.
  double seconds = 0;
  unsigned jobs = 1;                   ///< runs at a time
  std::vector<std::string> ignored{};  ///< buffers that are not compared
  bool wants_replay = false;           ///< fills FuzzReport::replay
  /// Asked some times a second with the number of runs that are done; false ends what runs, the serial order too.
  std::function<bool(std::uint64_t done)> waiting{};
};

/// A number that is not the same in two orders, and the stores that made it; nothing: none of a kernel.
struct OrderDifference {
  std::string buffer;
  Mismatch first;           ///< `expected` is that of the serial order
  std::uint64_t count = 0;  ///< numbers of the buffer that differ
  std::uint64_t offset_bytes = 0;
  bool is_of_packets = false;  ///< it is how many are left in a pipe
  Order order;
  std::optional<LastStore> serial_store{}, store{};
  bool knows_stores =
      false;  ///< else a store may be missing because the runs that look for it were ended
  /// Whether it is gone where the sub-groups of `order` are as large as in the serial order.
  bool is_of_subgroups = false;
  /// Likewise, where memory that nothing has written holds in `order` what it holds in the serial order.
  bool is_of_poison = false;
};

struct FuzzReport {
  int exit_code = 0;
  std::uint64_t runs = 0;  ///< that came to their end, the serial one among them
  /// Of the orders before the one that differs, those that the end of the time, a signal or want of memory ended.
  std::uint64_t unfinished = 0;
  std::uint64_t compared = 0;  ///< buffers, images and pipes
  bool interrupted = false;
  /// Of the serial run, or of the first one that was not in order where that was: refusals, findings and unmet expectations.
  RunReport run;
  Order order;  ///< of `run`
  std::optional<OrderDifference> difference{};
  std::optional<Finding> finding{};  ///< that `difference` is
  /// A launch file that runs the plan in the order that differs; of another run that is not in order as well.
  std::optional<Result<std::string>> replay{};
};

FuzzReport fuzz(const LaunchPlan& plan, const FuzzOptions& options);

/// What of a buffer differs, where anything does: bit by bit, or within the tolerance that an expectation of the plan has
/// for it. `a` and `b` are of the same buffer.
struct BufferDifference {
  Mismatch first;
  std::uint64_t count = 0;
  std::uint64_t offset_bytes = 0;  ///< of the first byte
  bool is_of_packets = false;      ///< it is how many are left in a pipe
};
/// Padding is compared where no parameter has any that names the buffer: kernels of `module` may then write it.
std::optional<BufferDifference> difference_of(const BufferReport& a, const BufferReport& b,
                                              const LaunchPlan& plan, const ModuleInfo& module);

/// What a replay shows.
struct Replay {
  Order order;
  PlanSettings settings;                        ///< that the plan is run with
  std::vector<Suppression> suppressions{};      ///< beside those of the plan
  const OrderDifference* difference = nullptr;  ///< null: what differs is no buffer
  const BufferReport* expected = nullptr;       ///< of the serial order
};

/// A launch file that runs the plan in that order, and expects what the serial order leaves where they differ. Files are named by
/// their whole paths. Fails with C0022 where the language has no words for it: an argument of an Oclgrind .sim file, a
/// module of standard input.
Result<std::string> replay_of(const LaunchPlan& plan, const Module& module, const Replay& replay);

}  // namespace transpire::launch
