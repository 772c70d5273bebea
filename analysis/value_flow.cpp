// See value_flow.h.
#include "analysis/value_flow.h"

#include <deque>
#include <map>
#include <set>
#include <utility>

namespace transpire::analysis {
namespace {

using decoder::Id;
using decoder::Instruction;

/// A breadth-first search for causes.
class WayBack {
 public:
  WayBack(Values& values, ReachingStores& memory, std::span<const FlowPlace> causes)
      : values_(values), memory_(memory) {
    for (std::size_t i = 0; i < causes.size(); ++i) causes_.emplace(causes[i].key(), i);
  }

  std::optional<std::size_t> from(std::span<const FlowValue> starts) {
    for (const FlowValue start : starts) push(start);
    while (!open_.empty() && !found_ && values_.work()) {
      const Step step = open_.front();
      open_.pop_front();
      if (step.reader.in == nullptr)
        visit(step.value);
      else
        memory_.each(step.reader, step.value, [this](const ReachingStores::Store& store) {
          visit_store(store);
          return !found_;
        });
    }
    return found_;
  }

 private:
  /// A value, or if `reader` is set, the memory at the pointer `value` when `reader` runs.
  struct Step {
    FlowValue value;
    FlowPlace reader;
  };
  using Key = std::pair<std::uint32_t, std::uint32_t>;  ///< FlowPlace::key

  void push(FlowValue value) {
    if (seen_.insert(value).second) open_.push_back({value, {}});
  }

  void push_memory(const FlowPlace& reader, FlowValue pointer) {
    if (read_.insert({reader.key(), pointer}).second) open_.push_back({pointer, reader});
  }

  /// True if the place is a cause.
  bool reaches(const FlowPlace& place) {
    const auto cause = causes_.find(place.key());
    if (cause == causes_.end()) return false;
    found_ = cause->second;
    return true;
  }

  void visit(FlowValue value) {
    if (const auto given = values_.argument(value)) return push(*given);
    const FlowPlace place = values_.definition(value);
    if (place.in == nullptr || reaches(place)) return;
    const Instruction& instruction = place.instruction();
    if (instruction.op == spv::Op::OpVariable) return;
    if (instruction.op == spv::Op::OpFunctionCall) {
      const std::uint32_t call = values_.call_at(place);
      if (const FunctionIndex* const callee = values_.callee(call))
        push_all(callee->returned, call);
      return;
    }
    push_all(value_operands(instruction), place.call);
    if (instruction.op == spv::Op::OpLoad) push_memory(place, place.value(instruction.operands[0]));
  }

  void push_all(std::span<const Id> ids, std::uint32_t call) {
    if (!values_.work(ids.size())) return;
    for (const Id id : ids) push({id, call});
  }

  void visit_store(const ReachingStores::Store& store) {
    if (reaches(store.place)) return;
    const Instruction& instruction = store.place.instruction();
    const FlowValue stored = store.place.value(instruction.operands[1]);
    push(stored);
    if (is_copy(instruction.op)) push_memory(store.place, stored);
  }

  Values& values_;
  ReachingStores& memory_;
  std::map<Key, std::size_t> causes_;
  std::optional<std::size_t> found_;
  std::deque<Step> open_;
  std::set<FlowValue> seen_;
  std::set<std::pair<Key, FlowValue>> read_;
};

}  // namespace

std::optional<std::size_t> ValueFlow::find(std::span<const FlowValue> starts,
                                           std::span<const FlowPlace> causes) {
  return WayBack(values_, memory_, causes).from(starts);
}

}  // namespace transpire::analysis
