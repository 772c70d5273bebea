// ValueFlow: walks a kernel's def-use chains backwards: through operands, arguments and results of calls, and from loads to
// stores. It is used when findings are described, so launches without findings pay nothing.
//
// The analysis is context-sensitive: it distinguishes calls by their call stacks, as lowering inlines them. It assumes that a
// store reaches a load if both pointers are computed in the same way, and no other such store is between them. A store to an
// unknown element of a private variable reaches its loads, too.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "analysis/function_index.h"
#include "vm/program/program.h"

namespace transpire::analysis {

/// A value in one inlined call of its function.
struct FlowValue {
  decoder::Id id = 0;
  std::uint32_t call = 0;
  friend auto operator<=>(const FlowValue&, const FlowValue&) = default;
};

/// An instruction in one inlined call of its function.
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
  /// Both arguments must outlive this object.
  ValueFlow(const decoder::Module& module, const vm::Program& program);

  FlowPlace place_of(const vm::Source& source);

  /// Index of the first of `causes` on the way back from the values; nothing if no way leads to one. The way passes a cause
  /// if it passes its result, or a load of memory that the cause should have stored.
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
    /// For each call, the stores in it and in calls below it.
    std::map<std::uint32_t, std::vector<const Store*>> within;
  };
  /// A work item of the search: a value, or if `reader` is set, the memory at the pointer `value` when `reader` runs.
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

  // State of one search.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> causes_;
  std::optional<std::size_t> found_;
  std::deque<Step> open_;
  std::set<FlowValue> seen_;
  std::set<std::pair<std::pair<std::uint32_t, std::uint32_t>, FlowValue>> read_;
};

}  // namespace transpire::analysis
