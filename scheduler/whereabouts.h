// Where work-items are when their group has parted, or when the launch is ended: places, and how many stand there.
#pragma once

#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "scheduler/collector.h"

namespace transpire::scheduler {

/// Where those of a sub-group are whose work-item `lane` executes its instruction with only a part of them.
std::vector<Waiting> parts_of_subgroup(const vm::exec::Batch& batch, std::uint32_t lane,
                                       const vm::Inst* instruction);

Lanes lanes_of(const std::uint64_t mask[vm::exec::kMaxMaskWords]);
bool none(const Lanes& lanes);

class Whereabouts {
 public:
  /// These lanes of the batch are there; equal places are one.
  void add(Waiting::Where where, const vm::Inst* instruction, const vm::exec::Batch& batch,
           const Lanes& lanes);
  /// All work-items of a batch that was interrupted: those that ran, and those that waited until these come to
  /// where the branches meet.
  void add_interrupted(const vm::exec::Batch& batch);
  /// The same of another batch of its group, which was not running.
  void add_idle(const vm::exec::Batch& batch);

  /// The same of one that is in a loop that can never end.
  void add_spinning(const vm::exec::Batch& batch);
  /// So many work-items of groups that have not begun.
  void add_not_begun(const WorkItem& first, std::uint64_t count);

  /// What others gathered.
  void add(std::span<const Waiting> places);

  /// By their first work-items.
  std::vector<Waiting> places() &&;

 private:
  /// What is equal of work-items that are at one place: of those that wait for memory, what they wait for as well.
  using Key = std::tuple<Waiting::Where, const vm::Inst*, const memory::Allocation*, std::uint64_t,
                         std::uint64_t>;
  static Key key_of(const Waiting& place);

  void add_pending(const vm::exec::Batch& batch);
  void add(Waiting place);

  std::map<Key, Waiting> places_;
};

}  // namespace transpire::scheduler
