// What the values of a kernel are made from, as its module says: operands, arguments and results of calls, and what
// was stored where they are loaded from. Asked when findings are described; runs without any pay nothing.
//
// Calls are told apart by the calls that led to them, as lowering expands them. A store is taken to reach a load when
// both pointers are made in the same way, and no other such store stands between; of private variables also when the
// element is not known.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "runtime/function_index.h"
#include "vm/program/program.h"

namespace transpire::runtime {

/// A value within one expansion of its function.
struct FlowValue {
  decoder::Id id = 0;
  std::uint32_t call = 0;
  friend auto operator<=>(const FlowValue&, const FlowValue&) = default;
};

/// An instruction within one expansion of its function.
struct FlowPlace {
  const FunctionIndex* in = nullptr;  ///< null: there is none
  Spot spot;
  std::uint32_t call = 0;

  const decoder::Instruction& instruction() const { return in->at(spot); }
  std::pair<std::uint32_t, std::uint32_t> key() const { return {call, instruction().word_offset}; }
  FlowValue value(decoder::Id id) const { return {id, call}; }
};

class ValueFlow {
 public:
  /// Both outlive it.
  ValueFlow(const decoder::Module& module, const vm::Program& program);

  FlowPlace place_of(const vm::Source& source);

  /// Which of `causes` comes first on the way back from the values; none: no way was found. A cause is on the way where
  /// its result is, or, as it was not done, what it should have stored.
  std::optional<std::size_t> find(std::span<const FlowValue> values,
                                  std::span<const FlowPlace> causes);

 private:
  struct Call {
    FlowPlace site;
    const FunctionIndex* callee = nullptr;
  };
  struct Store {
    FlowPlace place;
    FlowValue pointer;
  };
  struct Stores {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Store> by_place;
    /// By call, those that stand in it or in calls that it leads to.
    std::map<std::uint32_t, std::vector<const Store*>> within;
  };
  /// What is looked at next: a value, or what stands in memory at `pointer` when `reader` is executed.
  struct Step {
    FlowValue value;
    FlowPlace reader;
  };
  enum class Overlap { kNone, kSome, kSame };

  bool work(std::uint64_t steps = 1);
  std::uint32_t call_number(const FlowPlace& site);
  std::uint32_t call_of(const vm::Source& source);
  FlowPlace definition(FlowValue value);
  std::optional<FlowValue> argument(FlowValue parameter);
  FlowValue root_of(FlowValue pointer);
  std::optional<FlowValue> only_value(FlowValue variable);
  bool is_private(FlowValue root);

  const Stores& stores_to(FlowValue root);
  void find_stores(FlowValue root, Stores& stores);
  void sort_by_call(Stores& stores);
  bool walk_call(std::uint32_t call, const Stores& stores, FlowValue pointer, bool is_private);
  void follow_pointer(const FlowPlace& user, FlowValue pointer, Stores& stores,
                      std::vector<FlowValue>& open);

  bool same(FlowValue a, FlowValue b, int depth = 0);
  Overlap overlap(FlowValue a, FlowValue b, bool is_private);

  void visit(FlowValue value);
  void visit_memory(const FlowPlace& reader, FlowValue pointer);
  bool walk_block(FlowPlace& at, const Stores& stores, FlowValue pointer, bool is_private);
  void deliver(const Store& store);
  void push(FlowValue value);
  void push_memory(const FlowPlace& reader, FlowValue pointer);
  bool reaches(const FlowPlace& place);

  const decoder::Module& module_;
  const vm::Program& program_;
  FunctionIndexes functions_;
  std::uint64_t left_;
  std::deque<Call> calls_;  ///< 0: the kernel itself
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> call_numbers_;
  std::map<FlowValue, Stores> stores_;

  // Of one search.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> causes_;
  std::optional<std::size_t> found_;
  std::deque<Step> open_;
  std::set<FlowValue> seen_;
  std::set<std::pair<std::pair<std::uint32_t, std::uint32_t>, FlowValue>> read_;
};

}  // namespace transpire::runtime
