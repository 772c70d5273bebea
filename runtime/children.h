// Children: runs the commands that a launch's kernels enqueued, after the launched kernel has ended.
//
// A command is ready when all events of its wait list have ended. Ready commands run one after the other, in the order in
// which they became ready, or in an order that the schedule chooses. A command is complete, and its event has ended, when it
// has run and all its children are complete. No command begins before the kernel that enqueued it has ended; this satisfies
// each of the three flags of enqueue_kernel.
#pragma once

#include <bitset>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/work_limit.h"
#include "races/footprint.h"
#include "runtime/device.h"
#include "scheduler/schedule.h"

namespace transpire::runtime {

class Children {
 public:
  /// `by` is a launch whose kernel has ended. Both must outlive this object.
  Children(DeviceState& device, const EnqueuingLaunch& by);

  /// Bytes of bookkeeping per command, without its captured data; they are kept until the end.
  static std::uint64_t bytes_of_each() { return sizeof(Node); }

  /// Runs all commands that can run, and adds their results to `result`, the launch's own. The launch has used
  /// `printf_bytes` of its limit for text.
  void run(LaunchResult& result, std::uint64_t printf_bytes);

 private:
  using Clock = std::chrono::steady_clock;
  /// A command's number; the launch itself is 0.
  using Number = std::uint32_t;
  static constexpr Number kLaunch = 0;
  /// Maximum number of commands that are compared for races, the launch included.
  static constexpr std::size_t kMostCompared = 1024;

  struct Node {
    vm::exec::Command command;
    Number parent = kLaunch;
    std::uint32_t kernel = 0;              ///< the kernel's number (ModuleState)
    const vm::Program* program = nullptr;  ///< program that enqueued it
    std::uint32_t waits = 0;               ///< events and, for a marker, commands it waits for
    std::uint32_t children = 0;            ///< number of incomplete children
    Number first_child = 0, behind_children = 0;  ///< range [first, behind) of its children
    Number above_on_other = kLaunch;              ///< nearest ancestor on another queue
    bool has_run = false;
    bool is_complete = false;
    std::int32_t status = 0;
    std::vector<Number> markers;    ///< markers that wait for it
    std::vector<Number> elsewhere;  ///< markers: commands of other queues that it waits for
    Clock::time_point start{};
    std::uint64_t end_ns = 0;
    ChildLaunch outcome;
    std::optional<MemoryUse> use;       ///< with the race check: its accesses
    std::bitset<kMostCompared> before;  ///< commands that end before it can begin
    bool after_group = false;           ///< the work-group that enqueued it ends before, too
  };
  /// Key under which findings of different children are folded into one: rule, word offset and allocation.
  using Alike = std::tuple<std::string, std::optional<std::uint32_t>, std::string>;
  struct Folded {
    std::size_t finding;     ///< index into the result's findings
    Number last;             ///< last child with the finding
    std::uint64_t more = 0;  ///< number of children with it before `last`
  };
  /// The commands that the next marker of a queue waits for if it has no wait list.
  struct Unmarked {
    Number marker = kLaunch;       ///< the marker before it; kLaunch: there is none
    std::vector<Number> commands;  ///< commands after that marker
  };

  void take_commands(Number parent, const vm::Program& program);
  void wait_for_events(Number number);
  // children_markers.cpp
  void wait_for_all_before(Number number);
  void wait_for(Number marker, Number earlier);
  bool comes_of_queue(Number number, std::uint64_t queue) const;
  void wait_beside(Number marker, Number before);
  void wait_for_other_queues(Number marker, Number before, const std::vector<Number>& ancestors);
  // children.cpp
  void become_ready();
  void release(Number number);
  void run_next();
  void run_kernel(Number number);
  void finish(Number number, std::int32_t status, ChildLaunch::End end);
  void complete_upwards(Number number);
  Launch launch_of(Number number);
  void merge(Number number, LaunchResult part);
  // children_races.cpp
  bool compares(Number number);
  void find_before(Number number);
  void find_races(Number number);
  void note_use(Number number);
  static bool may_run_beside(const races::Toucher& by, const Node& node,
                             const races::Footprint& parent);
  std::vector<races::Footprint::Conflict> conflicts_between(Number number, Number child,
                                                            Number earlier) const;
  void report_races(Number number, Number earlier);
  void merge_findings(Number number, std::vector<Finding> findings);
  Folded* merge_finding(Number number, Finding finding);
  static void count_again(Number number, Folded& folded);
  void report(Number number, Rule rule, const Diagnostics& why);
  void report_stuck();
  std::string enqueued_by(const Node& node) const;
  bool stopped();
  bool goes_on();
  std::function<bool(std::uint64_t, std::uint64_t)> watched_progress();
  void append(const scheduler::Finding& found, const vm::Program& program);
  void report();

  DeviceState& device_;
  const EnqueuingLaunch by_;
  const Launch& launch_;
  const ModuleState& module_;
  vm::exec::DeviceQueue& queue_;
  LaunchResult* result_ = nullptr;
  bool may_go_on_ = true;               ///< last result of Launch::progress
  std::uint64_t done_ = 0, total_ = 0;  ///< last arguments of Launch::progress
  std::uint64_t printf_bytes_ = 0;      ///< bytes used of the launch's limit
  std::deque<Node> nodes_;
  const scheduler::ItemOrder order_;
  std::uint64_t begun_ = 0;   ///< number of commands taken from `ready_`
  std::deque<Number> ready_;  ///< in any order: queues on the device are out of order
  std::unordered_map<vm::exec::EventHandle, std::vector<Number>> waiting_;
  std::map<std::uint64_t, Unmarked> unmarked_;  ///< by queue
  std::unordered_map<vm::exec::EventHandle, Number>
      made_by_;                      ///< the command whose end ends an event; no user events
  races::TouchedTogether together_;  ///< all Node::use
  std::uint64_t use_bytes_ = 0;      ///< memory that these take
  bool no_memory_ = false;           ///< not all were compared, for lack of memory
  bool are_too_many_ = false;        ///< not all were compared: more than kMostCompared
  /// Findings about commands, by rule and instruction. Each is reported once.
  std::map<std::pair<Rule, const vm::Inst*>, std::size_t> reported_;
  std::map<Alike, Folded> alike_;
  /// Reported races, by the two instructions with their programs. Further races of a pair are only counted.
  using Pair = std::tuple<const vm::Program*, std::uint32_t, const vm::Program*, std::uint32_t>;
  std::map<Pair, Folded*> reported_races_;
};

}  // namespace transpire::runtime
