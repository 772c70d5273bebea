// Collector: collects the findings and the printf text of a launch. Equal findings become one. Each worker has a Collector, so
// nothing here locks. merge_findings() and merge_prints() bring the collectors of a launch together in an order that depends
// neither on threads nor on the width of a batch: by work-group, barriers passed and work-item, then in the work-item's order.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/rule.h"
#include "memory/address_space.h"
#include "memory/pipe.h"
#include "vm/exec/engine.h"
#include "vm/exec/undefined_notes.h"
#include "vm/exec/work_item.h"
#include "vm/program/program.h"

namespace transpire::scheduler {

using vm::exec::work_item;
using vm::exec::WorkItem;

/// A set of lanes of a batch, a bit each.
using Lanes = std::array<std::uint64_t, vm::exec::kMaxMaskWords>;

/// The common location of some work-items when their group diverged at a barrier, or when the launch was ended.
struct Waiting {
  enum class Where : std::uint8_t {
    kAtBarrier,
    kElsewhere,
    kEnded,
    kStopped,      ///< running
    kOtherBranch,  ///< waiting for reconvergence with work-items that took another branch
    kNotBegun,
    kBusyWait,  ///< in a loop that can never end
    kTakesPart  ///< executing an instruction of their sub-group without all of its work-items
  };
  Where where = Where::kAtBarrier;
  const vm::Inst* instruction = nullptr;  ///< the barrier, or the instruction that follows next
  std::uint64_t count = 0;
  WorkItem first;
  // kBusyWait: the memory that the instruction, a load or an atomic, reads. No bytes if the loop reads nothing.
  const memory::Allocation* allocation = nullptr;
  std::uint64_t address = 0, size_bytes = 0;
  std::uint64_t value = 0;
};

/// Key of a finding: rule, place, allocation, and the other place of a data race, in either order. Events with equal keys are one
/// finding. A place is an instruction of the program; for accesses to memory an instruction of the module, which may be several
/// instructions of the program, one for each member that it accesses.
using FindingKey = std::tuple<Rule, const void*, const memory::Allocation*, const void*>;

/// Counts the work-items of a finding about an access. Each counts once for an execution, even if several parts of the access are
/// at fault.
struct PartCount {
  const void* batch = nullptr;     ///< the batch that executed the access last
  std::uint64_t time = 0;          ///< Batch::steps at that time
  const vm::Inst* part = nullptr;  ///< the last part at fault
  std::uint64_t before = 0;        ///< count of earlier executions
  std::uint64_t of_part = 0;       ///< count of `part` in the last execution
};

/// Equal events, folded.
struct Finding {
  Rule rule{};
  const vm::Inst* instruction =
      nullptr;                  ///< null for a limit that no instruction met; `first` is then unset
  const void* place = nullptr;  ///< the key's place; null: the instruction
  const void* other_place = nullptr;               ///< the other place of a data race
  const memory::Allocation* allocation = nullptr;  ///< null if none is concerned
  std::uint64_t address = 0;                       ///< address that the first work-item accessed
  std::uint64_t size_bytes = 0;
  std::int64_t index = 0;  ///< the index that R0028 and R0030 report
  /// Bits of the operands that the Site names, in the first work-item.
  std::vector<std::uint64_t> operands;
  std::uint64_t count = 0;        ///< work-items' events
  PartCount counted;              ///< for `count`
  std::uint32_t lanes = 0;        ///< lanes of the first event
  std::uint32_t batch_lanes = 0;  ///< running lanes of the batch at the first event
  WorkItem first;
  std::uint32_t round = 0;  ///< barriers that `first` had passed
  bool closes_round =
      false;  ///< a finding about a whole group, ordered behind all others of its round
  std::uint64_t time = 0;  ///< Batch::steps, which grow from block to block
  /// Earlier findings of the first work-item in their order, at most kMostEarlier. Findings about the same execution of the
  /// instruction are left out, since none of them follows from another.
  std::vector<FindingKey> earlier;
  std::optional<vm::exec::RacingAccess> other;    ///< the other access of a data race
  std::vector<vm::exec::Related> related;         ///< other places that the first event is about
  std::vector<vm::exec::ReportedOrigin> origins;  ///< origins of an undefined value
  /// Locations of work-items, for barrier divergence and limits, ordered by their first work-items.
  std::vector<Waiting> waiting;
};

FindingKey key_of(const Finding& finding);

/// Counts the distinct findings of a whole launch across workers. At the limit, workers finish the units that
/// they have claimed and claim no more. The units that ran are then a prefix of the launch, so the first findings
/// in the launch's order do not depend on the schedule. Thread-safe.
class FindingLimit {
 public:
  /// `limit` 0: no limit.
  explicit FindingLimit(std::uint64_t limit) : limit_(limit) {}
  void seen(const FindingKey& key);
  bool reached() const { return reached_.load(std::memory_order_relaxed); }
  std::uint64_t limit() const { return limit_; }

 private:
  std::uint64_t limit_;
  std::atomic<bool> reached_{false};
  std::mutex mutex_;
  std::set<FindingKey> keys_;
};

/// The most findings of one work-item whose order is kept.
inline constexpr std::size_t kMostEarlier = 64;

/// Bytes that a call of printf counts towards the limit, in addition to its text.
inline constexpr std::uint64_t kPrintBytes = 32;

/// The printf text of a launch.
struct Printed {
  std::string text;
  std::uint64_t bytes = 0;    ///< bytes counted towards the limit: the text, and kPrintBytes a call
  std::uint64_t dropped = 0;  ///< calls that did not fit
};

class Collector final : public vm::exec::EventSink {
 public:
  /// Forgets what was collected. `memory` and `limit` outlive the launch.
  void begin(const memory::AddressSpace* memory, FindingLimit* limit, std::uint64_t print_limit);
  /// Begins a unit of work. Text is kept or dropped by unit, see print().
  void begin_unit() { bytes_at_unit_ = print_bytes_; }
  /// Sets where to read the number of barriers that a group has passed. It orders findings and text. Packed batches have
  /// a number for every `items` lanes; otherwise `items` is 0 and there is one number. Not owned.
  void set_rounds(const std::uint32_t* rounds, std::uint32_t items) {
    rounds_ = rounds;
    items_per_round_ = items;
  }

  /// Sets the lanes of the running batch whose group has diverged, and that have left the place where they were then. Their
  /// events count as one round later than their group's last barrier.
  void set_past_divergence(const Lanes& lanes) { past_divergence_ = lanes; }

  void finding(const vm::exec::Batch& batch, const vm::exec::Event& event) override;
  /// Keeps the text of one call, or drops it (false). A worker runs its units in the order of the launch and keeps all text
  /// of a unit that begins before the limit. Dropped text therefore lies behind the first `print_limit` bytes of the whole
  /// launch, or in a unit that exceeds the limit alone, which ends the text. Both are the same in every schedule. Only the
  /// text kept of such a unit depends on how many groups share it.
  bool print(const vm::exec::Batch& batch, std::uint32_t lane, const char* text,
             std::size_t size) override;
  std::uint64_t print_room() const override { return print_limit_; }
  /// Adds a finding: a group diverged after `round` barriers.
  void barrier_divergence(std::vector<Waiting> waiting, std::uint32_t round);
  /// Adds a finding: a limit ended the launch while work-items were at these locations. At least one of them was running.
  void stopped(std::vector<Waiting> places, Rule limit);
  /// Adds a finding: a reservation of a pipe was open at the launch's end.
  void left_open(const memory::Allocation& pipe, const memory::PipeUser& user,
                 const vm::exec::LaunchIds& launch);
  bool empty() const { return findings_.empty() && prints_.empty() && dropped_ == 0; }

  friend std::vector<Finding> merge_findings(const std::vector<Collector*>& collectors,
                                             const vm::Program& program);
  friend Printed merge_prints(const std::vector<Collector*>& collectors, std::uint64_t limit);

 private:
  struct Print {
    std::uint64_t group_linear;
    std::uint32_t round;
    std::uint32_t local_linear;
    std::size_t begin;
    std::size_t size;
  };

  /// Findings of one work-item, the last one that ran in a lane or place of a group.
  struct History {
    std::uint64_t group_linear = ~std::uint64_t{0};
    std::uint64_t local_linear = 0;
    struct Entry {
      const FindingKey* key;
      const vm::Inst* instruction;
      std::uint64_t steps;  ///< Batch::steps at this work-item's event
    };
    std::vector<Entry> entries;
  };

  struct Added {
    const FindingKey* key;
    Finding* first;  ///< the kept finding, if the event was the first with its key; else null
  };

  Added add(Finding finding);
  /// The history of the work-item in a lane.
  History& history_of(const vm::exec::Batch& batch, const WorkItem& item, std::uint32_t lane);
  std::uint32_t round_of(std::uint32_t lane) const {
    return rounds_[items_per_round_ == 0 ? 0 : lane / items_per_round_];
  }

  const memory::AddressSpace* memory_ = nullptr;
  FindingLimit* limit_ = nullptr;
  const std::uint32_t* rounds_ = nullptr;
  std::uint32_t items_per_round_ = 0;
  Lanes past_divergence_{};
  std::map<FindingKey, Finding> findings_;
  std::vector<History>
      histories_;  ///< by lane; if a group's batches alternate, by work-item of the group
  std::vector<Print> prints_;
  std::string text_;
  std::uint64_t print_limit_ = 0;
  std::uint64_t print_bytes_ = 0;    ///< bytes kept so far: text, and kPrintBytes a call
  std::uint64_t bytes_at_unit_ = 0;  ///< value of print_bytes_ when the unit began
  std::uint64_t dropped_ = 0;        ///< dropped calls
  std::uint64_t last_group_ =
      0;  ///< the group in which text was dropped first; valid if `dropped_`
};

/// All findings, ordered by work-group, barriers passed and work-item of the first event, then in the order of that work-item's
/// blocks. Findings of one block are ordered by place in the module, since lowering moves accesses. Findings of limits come last.
/// `count` and `first` are those of the whole launch.
std::vector<Finding> merge_findings(const std::vector<Collector*>& collectors,
                                    const vm::Program& program);

/// The text, ordered by work-group, barriers passed, work-item, and then as it was printed, up to
/// the first call that does not fit.
Printed merge_prints(const std::vector<Collector*>& collectors, std::uint64_t limit);

}  // namespace transpire::scheduler
