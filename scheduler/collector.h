// Collects what the work-items of a launch report: findings, folded where they are equal, and
// printf text. One Collector per worker, so nothing here locks; `merge` brings them together
// afterwards in an order that depends neither on the threads nor on the width of a batch: by work-group,
// barriers passed and work-item, and of one work-item as it went.
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

/// Some of the lanes of a batch.
using Lanes = std::array<std::uint64_t, vm::exec::kMaxMaskWords>;

/// Where some work-items were when their group could not meet at a barrier, or when the launch was ended.
struct Waiting {
  enum class Where : std::uint8_t {
    kAtBarrier,
    kElsewhere,
    kEnded,
    kStopped,      ///< running
    kOtherBranch,  ///< waiting until those come who went another way
    kNotBegun,
    kSpinning,  ///< in a loop that can never end
    kTakesPart  ///< they execute the instruction of their sub-group, of which others are elsewhere or have ended
  };
  Where where = Where::kAtBarrier;
  const vm::Inst* instruction = nullptr;  ///< the barrier, or what work-items are about to do
  std::uint64_t count = 0;
  WorkItem first;
  // Of kSpinning: what the instruction, a load or an atomic, reads; no bytes where the loop reads nothing.
  const memory::Allocation* allocation = nullptr;
  std::uint64_t address = 0, size_bytes = 0;
  std::uint64_t value = 0;
};

/// Rules of what ends a launch where its work-items stand: once a launch.
bool is_limit(Rule rule);

/// Events with equal keys are one finding. The key is the rule, the place, the allocation, and the place that a data race is
/// with: of two that race, either may be the one that found it. A place is an instruction of the program, or of accesses to
/// memory one of the module, which has a part for each member that it accesses.
using FindingKey = std::tuple<Rule, const void*, const memory::Allocation*, const void*>;

/// How many work-items are counted of an access, each once, whatever parts of it they were found at.
struct PartCount {
  const void* batch = nullptr;  ///< that executed it, when its steps were `time`
  std::uint64_t time = 0;
  const vm::Inst* part = nullptr;  ///< the last one
  std::uint64_t before = 0;        ///< of the access's executions before
  std::uint64_t of_part = 0;
};

/// Equal events, folded.
struct Finding {
  Rule rule{};
  const vm::Inst* instruction = nullptr;           ///< null when a limit concerns none, nor `first`
  const void* place = nullptr;                     ///< of the key, likewise
  const void* other_place = nullptr;               ///< of a data race
  const memory::Allocation* allocation = nullptr;  ///< null when there is none or none is concerned
  std::uint64_t address = 0;                       ///< of the first work-item
  std::uint64_t size_bytes = 0;
  std::int64_t index = 0;  ///< of R0028 and R0030
  /// Of the first work-item: the bits of what the Site tells of.
  std::vector<std::uint64_t> operands;
  std::uint64_t count = 0;        ///< work-items' events
  PartCount counted;              ///< for `count`
  std::uint32_t lanes = 0;        ///< of the first event
  std::uint32_t batch_lanes = 0;  ///< that ran when the first event happened
  WorkItem first;
  std::uint32_t round = 0;  ///< barriers that it had passed
  bool closes_round =
      false;  ///< of a group as a whole: behind all that its work-items did in the round
  std::uint64_t time = 0;  ///< Batch::steps: more of them in a later block
  /// What the first work-item had been found to do before, in this order; at most kMostEarlier. Without what other
  /// rules say of the same execution of the instruction, of which none follows from the other.
  std::vector<FindingKey> earlier;
  std::optional<vm::exec::RacingAccess> other;  ///< of a data race
  std::vector<vm::exec::Related> related;       ///< other places that the first event is about
  std::vector<vm::exec::ToldOrigin> origins;    ///< of an undefined value
  /// Of barrier divergence, and of what ends a launch: by their first work-items.
  std::vector<Waiting> waiting;
};

FindingKey key_of(const Finding& finding);

/// Distinct findings of a whole launch, counted across workers. At the limit the workers finish
/// what they have claimed and claim no more. What was run is then a prefix of the launch, and the
/// first findings in its order are the same ones in every schedule.
class FindingLimit {
 public:
  /// `limit` 0: none.
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

/// Of how many findings of one work-item it is kept in which order they came.
inline constexpr std::size_t kMostEarlier = 64;

/// What a call of printf takes beside its text.
inline constexpr std::uint64_t kPrintBytes = 32;

/// The printf text of a launch.
struct Printed {
  std::string text;
  std::uint64_t bytes = 0;    ///< of the limit: the text's, and some for each call
  std::uint64_t dropped = 0;  ///< calls that did not fit
};

class Collector final : public vm::exec::EventSink {
 public:
  /// Forgets what was collected. `memory` and `limit` outlive the launch.
  void begin(const memory::AddressSpace* memory, FindingLimit* limit, std::uint64_t print_limit);
  /// A unit of work begins. Text is kept or dropped by unit, see print().
  void begin_unit() { bytes_at_unit_ = print_bytes_; }
  /// Where to read how many barriers a group has passed: what is printed after one follows what was
  /// printed before. Packed batches: one number for every `items` lanes; else `items` is 0.
  void set_rounds(const std::uint32_t* rounds, std::uint32_t items) {
    rounds_ = rounds;
    items_per_round_ = items;
  }

  /// The group of these lanes of the batch that runs has parted at a barrier, and they have gone on from where
  /// they were then: what they do comes a round later.
  void set_gone_on(const Lanes& lanes) { gone_on_ = lanes; }

  void finding(const vm::exec::Batch& batch, const vm::exec::Event& event) override;
  /// A worker runs its units in the order of the launch and keeps all of a unit that begins before
  /// its limit. So what it leaves out lies behind the first `print_limit` bytes of the whole
  /// launch, or in a unit that exceeds the limit alone, which ends the text. No schedule changes
  /// either; only what is kept of such a unit depends on how many groups share it.
  bool print(const vm::exec::Batch& batch, std::uint32_t lane, const char* text,
             std::size_t size) override;
  std::uint64_t print_room() const override { return print_limit_; }
  /// After `round` barriers.
  void barrier_divergence(std::vector<Waiting> waiting, std::uint32_t round);
  /// The launch was ended at a limit while work-items ran, or had to wait, at these places; some were running.
  void stopped(std::vector<Waiting> places, Rule limit);
  /// A reservation of a pipe was open at the launch's end.
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

  /// What one work-item was found to do: the last one that stood there.
  struct History {
    std::uint64_t group_linear = ~std::uint64_t{0};
    std::uint64_t local_linear = 0;
    struct Entry {
      const FindingKey* key;
      const vm::Inst* instruction;
      std::uint64_t steps;  ///< Batch::steps then: the work-item's own, whoever else was first
    };
    std::vector<Entry> entries;
  };

  struct Added {
    const FindingKey* key;
    Finding* first;  ///< what is kept, where the event was the first of its kind; else null
  };

  Added add(Finding finding);
  /// Of the work-item of that lane.
  History& history_of(const vm::exec::Batch& batch, const WorkItem& item, std::uint32_t lane);
  std::uint32_t round_of(std::uint32_t lane) const {
    return rounds_[items_per_round_ == 0 ? 0 : lane / items_per_round_];
  }

  const memory::AddressSpace* memory_ = nullptr;
  FindingLimit* limit_ = nullptr;
  const std::uint32_t* rounds_ = nullptr;
  std::uint32_t items_per_round_ = 0;
  Lanes gone_on_{};
  std::map<FindingKey, Finding> findings_;
  std::vector<History>
      histories_;  ///< by lane, or by work-item of a group whose batches run by turns
  std::vector<Print> prints_;
  std::string text_;
  std::uint64_t print_limit_ = 0;
  std::uint64_t print_bytes_ = 0;    ///< kept so far: text and kPrintBytes a call
  std::uint64_t bytes_at_unit_ = 0;  ///< when the unit began
  std::uint64_t dropped_ = 0;        ///< calls
  std::uint64_t last_group_ = 0;     ///< whose text was not dropped altogether; when `dropped_`
};

/// All findings, ordered by work-group, barriers passed and work-item of the first event, then as that
/// work-item went: block after block, within one by places in the module, for lowering moves accesses. What
/// limits have to say comes last. Count and first are those of the whole launch.
std::vector<Finding> merge_findings(const std::vector<Collector*>& collectors,
                                    const vm::Program& program);

/// The text, ordered by work-group, barriers passed, work-item, and then as it was printed, up to
/// the first call that does not fit.
Printed merge_prints(const std::vector<Collector*>& collectors, std::uint64_t limit);

}  // namespace transpire::scheduler
