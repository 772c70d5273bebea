// Values: the engine of all questions about where a module's values come from and where they go: calls and their arguments,
// definitions and users, the objects that pointers point into, and the uses of a pointer.
//
// The engine distinguishes calls of a function by their call stacks, as lowering inlines them. It works while findings and
// launches are described, so launches without findings pay nothing.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/function_index.h"
#include "vm/program/program.h"

namespace transpire::analysis {

/// A value in one call of its function.
struct FlowValue {
  decoder::Id id = 0;
  std::uint32_t call = 0;
  friend auto operator<=>(const FlowValue&, const FlowValue&) = default;
};

/// An instruction in one call of its function.
struct FlowPlace {
  const FunctionIndex* in = nullptr;  ///< null: there is none
  Spot spot;
  std::uint32_t call = 0;

  const decoder::Instruction& instruction() const { return in->at(spot); }
  std::pair<std::uint32_t, std::uint32_t> key() const { return {call, instruction().word_offset}; }
  FlowValue value(decoder::Id id) const { return {id, call}; }
};

class Values {
 public:
  /// Instructions looked at for all findings of a launch together: some 100 ms.
  static constexpr std::uint64_t kMostWork = 2'000'000;

  /// `module` must outlive this object. It answers less when it has looked at `most_work` instructions.
  explicit Values(const decoder::Module& module, std::uint64_t most_work = kMostWork)
      : module_(module), functions_(module), left_(most_work) {}

  const decoder::Module& module() const { return module_; }
  /// Takes `steps` off the work that is left. False if none is left.
  bool work(std::uint64_t steps = 1);

  // ---- Calls

  /// A call of the function from an unknown place: its parameters have no arguments.
  std::uint32_t call_of(decoder::Id function);
  /// The call that an OpFunctionCall makes.
  std::uint32_t call_at(const FlowPlace& site);
  /// The called function; null if the module does not have it.
  const FunctionIndex* callee(std::uint32_t call) const { return calls_[call].callee; }
  /// The OpFunctionCall; none for a call from an unknown place.
  const FlowPlace& caller(std::uint32_t call) const { return calls_[call].site; }
  FlowPlace place_of(const vm::Source& source, const vm::Program& program);

  // ---- Definitions and users

  /// None for parameters and for values of the module's scope.
  FlowPlace definition(FlowValue value);
  /// The argument of a parameter; none if the call is from an unknown place, or the value is no parameter.
  std::optional<FlowValue> argument(FlowValue parameter);
  /// Calls visit(user) for each instruction of the same call that uses the value.
  template <class Visit>
  void each_user(FlowValue value, const Visit& visit) {
    const FunctionIndex* const in = callee(value.call);
    if (in == nullptr) return;
    const auto users = in->users.find(value.id);
    if (users == in->users.end()) return;
    for (const Spot spot : users->second) {
      if (!work()) return;
      visit(FlowPlace{in, spot, value.call});
    }
  }

  // ---- Pointers

  struct Stored {
    std::vector<FlowPlace> stores;
    bool escapes = false;  ///< something else may store to the variable, too
  };
  /// The stores to a private variable in its function.
  const Stored& stored_to(FlowValue variable);
  /// The value of a private variable that is stored to once: clang -O0 keeps parameters so.
  std::optional<FlowValue> only_value(FlowValue variable);
  /// The value that casts and access chains of the same call made the pointer from. Appends the access chains to `chains`.
  FlowValue base_of(FlowValue pointer, std::vector<FlowPlace>* chains = nullptr);
  /// The variable or parameter that the pointer points into, or the value that it is made from.
  FlowValue root_of(FlowValue pointer);
  bool is_private_variable(FlowValue root);

  enum class Callees {
    kByCall,  ///< a called function is followed once per call
    kOnce     ///< all calls of a function are followed together, as a call from an unknown place
  };
  using Visit = std::function<void(const FlowPlace& user, FlowValue pointer)>;
  /// Calls visit(user, pointer) for each instruction that uses the pointer or one that comes of it: by casts, access chains,
  /// phis, selections, calls, and private variables that hold nothing else.
  void follow(FlowValue pointer, Callees callees, const Visit& visit);

 private:
  struct Call {
    FlowPlace site;
    const FunctionIndex* callee = nullptr;
  };

  void forward(const FlowPlace& user, FlowValue pointer, Callees callees,
               std::vector<FlowValue>& open);

  const decoder::Module& module_;
  FunctionIndexes functions_;
  std::uint64_t left_;
  std::deque<Call> calls_;
  std::map<decoder::Id, std::uint32_t> calls_from_nowhere_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> calls_at_;
  std::map<FlowValue, Stored> stored_;
};

}  // namespace transpire::analysis
