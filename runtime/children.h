// Children: runs what the kernels of a launch enqueued, when the launch itself has ended.
//
// A command is ready when all events of its wait list have ended; those that are ready run one after the other: in the order
// in which they became so, or another one that the schedule says. It is complete, and its event has ended, when it has run and
// all that it enqueued is complete. No command begins before the kernel that enqueued it has ended, which does for each of the
// three flags.
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
#include "inspect/footprint.h"
#include "runtime/device.h"
#include "scheduler/schedule.h"

namespace transpire::runtime {

class Children {
 public:
  /// Of a launch that has ended. All outlive it.
  Children(DeviceState& device, const EnqueuingLaunch& by);

  /// Bytes kept of each command until the end, beside what it holds.
  static std::uint64_t bytes_of_each() { return sizeof(Node); }

  /// Runs all that can run. `result` is the launch's own, which used so much of its limit of text, and becomes that of
  /// everything.
  void run(LaunchResult& result, std::uint64_t printf_bytes);

 private:
  using Clock = std::chrono::steady_clock;
  /// A command's number; the launch itself is 0.
  using Number = std::uint32_t;
  static constexpr Number kLaunch = 0;
  /// So many are looked at for races with each other, the launch among them.
  static constexpr std::size_t kMostCompared = 1024;

  struct Node {
    vm::exec::Command command;
    Number parent = kLaunch;
    std::uint32_t kernel = 0;              ///< its number (ModuleState)
    const vm::Program* program = nullptr;  ///< that enqueued it
    std::uint32_t waits = 0;               ///< for so many events, and commands before a marker
    std::uint32_t children = 0;            ///< that are not complete
    Number first_child = 0, behind_children = 0;  ///< all of them have the numbers between
    Number above_on_other = kLaunch;  ///< what it comes of: the nearest that is on another queue
    bool has_run = false;
    bool is_complete = false;
    std::int32_t status = 0;
    std::vector<Number> markers;    ///< that wait for it
    std::vector<Number> elsewhere;  ///< of a marker: commands of other queues that it waits for
    Clock::time_point start{};
    std::uint64_t end_ns = 0;
    ChildLaunch told;
    std::optional<MemoryUse> use;       ///< with a check for races
    std::bitset<kMostCompared> before;  ///< those that have ended before it can begin
    bool after_group = false;           ///< and so has the work-group that enqueued it
  };
  /// What is equal of findings of children: rule, word and allocation. They are one, however many children have them.
  using Alike = std::tuple<std::string, std::optional<std::uint32_t>, std::string>;
  struct Folded {
    std::size_t finding;     ///< index into the result's
    Number last;             ///< child that had it
    std::uint64_t more = 0;  ///< children that had it before
  };
  /// What the next marker of a queue, without a wait list, waits for at least.
  struct Unmarked {
    Number marker = kLaunch;       ///< the one before it; kLaunch: there is none
    std::vector<Number> commands;  ///< since then
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
  static bool may_run_beside(const inspect::Toucher& by, const Node& node,
                             const inspect::Footprint& parent);
  std::vector<inspect::Footprint::Conflict> conflicts_between(Number number, Number child,
                                                              Number earlier) const;
  void tell_races(Number number, Number earlier);
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
  void tell();

  DeviceState& device_;
  const EnqueuingLaunch by_;
  const Launch& launch_;
  const ModuleState& module_;
  vm::exec::DeviceQueue& queue_;
  LaunchResult* result_ = nullptr;
  bool may_go_on_ = true;               ///< what Launch::progress said last
  std::uint64_t done_ = 0, total_ = 0;  ///< what it was told last
  std::uint64_t printf_bytes_ = 0;      ///< used of the launch's limit
  std::deque<Node> nodes_;
  const scheduler::ItemOrder order_;
  std::uint64_t begun_ = 0;   ///< commands that have been ready, and run
  std::deque<Number> ready_;  ///< in any order: queues on the device have none
  std::unordered_map<vm::exec::EventHandle, std::vector<Number>> waiting_;
  std::map<std::uint64_t, Unmarked> unmarked_;  ///< by queue
  std::unordered_map<vm::exec::EventHandle, Number>
      made_by_;                        ///< who ends an event, but for user events
  inspect::TouchedTogether together_;  ///< all Node::use
  std::uint64_t use_bytes_ = 0;        ///< that these take
  bool no_memory_ = false;             ///< to compare them all
  bool are_too_many_ = false;          ///< to compare them all
  /// Findings about commands, by rule and instruction: they are told once.
  std::map<std::pair<Rule, const vm::Inst*>, std::size_t> reported_;
  std::map<Alike, Folded> alike_;
  /// What races were told as, by the two instructions, each with its program: from then on only how many is counted.
  using Pair = std::tuple<const vm::Program*, std::uint32_t, const vm::Program*, std::uint32_t>;
  std::map<Pair, Folded*> told_races_;
};

}  // namespace transpire::runtime
