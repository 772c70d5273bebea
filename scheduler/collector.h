// Collects what the work-items of a launch report: findings, folded where they are equal, and
// printf text. One Collector per worker, so nothing here locks; `merge` brings them together
// afterwards in an order that depends neither on the threads nor on the width of a batch.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/rule.h"
#include "memory/address_space.h"
#include "vm/exec/engine.h"
#include "vm/exec/work_item.h"
#include "vm/program/program.h"

namespace transpire::scheduler {

using vm::exec::work_item;
using vm::exec::WorkItem;

/// Where some work-items were when their group could not meet at a barrier, or when the launch was ended.
struct Waiting {
  enum class Where : std::uint8_t { kAtBarrier, kElsewhere, kEnded, kStopped };
  Where where = Where::kAtBarrier;
  const vm::Inst* instruction =
      nullptr;  ///< the barrier, or what a work-item that was stopped is about to do
  std::uint64_t count = 0;
  WorkItem first;
};

/// Equal events (same rule, instruction and allocation), folded.
struct Finding {
  Rule rule{};
  const vm::Inst* instruction = nullptr;           ///< null when a limit concerns none, nor `first`
  const memory::Allocation* allocation = nullptr;  ///< null when there is none or none is concerned
  std::uint64_t address = 0;                       ///< of the first work-item
  std::uint64_t size_bytes = 0;
  std::int64_t index = 0;         ///< of R0028
  std::uint64_t count = 0;        ///< work-items' events
  std::uint32_t lanes = 0;        ///< of the first event
  std::uint32_t batch_lanes = 0;  ///< that ran when the first event happened
  WorkItem first;
  std::vector<Waiting> waiting;  ///< of barrier divergence, and of what ends a launch
};

/// Distinct findings of a whole launch, counted across workers. At the limit the workers finish
/// what they have claimed and claim no more. What was run is then a prefix of the launch, and the
/// first findings in its order are the same ones in every schedule.
class FindingLimit {
 public:
  /// `limit` 0: none.
  explicit FindingLimit(std::uint64_t limit) : limit_(limit) {}
  using Key = std::tuple<Rule, const vm::Inst*, const memory::Allocation*>;
  void seen(const Key& key);
  bool reached() const { return reached_.load(std::memory_order_relaxed); }
  std::uint64_t limit() const { return limit_; }

 private:
  std::uint64_t limit_;
  std::atomic<bool> reached_{false};
  std::mutex mutex_;
  std::set<Key> keys_;
};

/// What a call of printf takes beside its text.
inline constexpr std::uint64_t kPrintBytes = 32;

/// The printf text of a launch.
struct Printed {
  std::string text;
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

  void finding(const vm::exec::Batch& batch, const vm::exec::Event& event) override;
  /// A worker runs its units in the order of the launch and keeps all of a unit that begins before
  /// its limit. So what it leaves out lies behind the first `print_limit` bytes of the whole
  /// launch, or in a unit that exceeds the limit alone, which ends the text. No schedule changes
  /// either; only what is kept of such a unit depends on how many groups share it.
  bool print(const vm::exec::Batch& batch, std::uint32_t lane, const char* text,
             std::size_t size) override;
  std::uint64_t print_room() const override { return print_limit_; }
  void barrier_divergence(std::vector<Waiting> waiting);
  /// The launch was ended at a limit while these lanes ran.
  void stopped(const vm::exec::Batch& batch, Rule limit);
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

  void add(Finding finding);

  const memory::AddressSpace* memory_ = nullptr;
  FindingLimit* limit_ = nullptr;
  const std::uint32_t* rounds_ = nullptr;
  std::uint32_t items_per_round_ = 0;
  std::map<FindingLimit::Key, Finding> findings_;
  std::vector<Print> prints_;
  std::string text_;
  std::uint64_t print_limit_ = 0;
  std::uint64_t print_bytes_ = 0;    ///< kept so far: text and kPrintBytes a call
  std::uint64_t bytes_at_unit_ = 0;  ///< when the unit began
  std::uint64_t dropped_ = 0;        ///< calls
  std::uint64_t last_group_ = 0;     ///< whose text was not dropped altogether; when `dropped_`
};

/// All findings, ordered by their first work-item, then place in the module, what limits have to say
/// last; count and first are those of the whole launch.
std::vector<Finding> merge_findings(const std::vector<Collector*>& collectors,
                                    const vm::Program& program);

/// The text, ordered by work-group, barriers passed, work-item, and then as it was printed, up to
/// the first call that does not fit.
Printed merge_prints(const std::vector<Collector*>& collectors, std::uint64_t limit);

}  // namespace transpire::scheduler
