// UseWalk: follows handles (images, pipes) from what instructions do with them back to the parameters that they came in
// by, through variables, members, copies and calls, and into enqueued functions by what they capture.
#pragma once

#include <algorithm>
#include <span>
#include <unordered_map>
#include <vector>

#include "decoder/module.h"
#include "runtime/handle_places.h"

namespace transpire::runtime {

/// `Uses` says what an instruction tells of a handle: a struct with
///
///     using Fact = ...;                          // what is known of a handle
///     static Fact both(Fact a, Fact b);          // of one of which both are known; becomes less a few times at most
///     template <class Walk>
///     void visit(const decoder::Instruction& instruction, Walk& walk);   // calls walk.use(id, fact), walk.hand_on(from, to)
///
/// What is known of an id becomes less a few times at most, so this takes as long as the module is.
template <class Uses>
class UseWalk {
 public:
  using Fact = typename Uses::Fact;
  using Id = decoder::Id;
  using Key = HandlePlaces::Key;  ///< an id, or a place in memory

  explicit UseWalk(const decoder::Module& module) : module_(module), places_(module, types_) {
    for (const decoder::Function& function : module.functions) {
      for (const decoder::Parameter& parameter : function.parameters)
        types_[parameter.id] = parameter.type;
      for (const decoder::Block& block : function.blocks)
        for (const decoder::Instruction& instruction : block.instructions) visit(instruction);
    }
    places_.each_of_caller([this](Key from, Key to) { hand_on(from, to); });
    while (!waiting_.empty()) {
      const Key key = waiting_.back();
      waiting_.pop_back();
      if (const auto from = from_.find(key); from != from_.end())
        for (const Key each : from->second) use(each, known_[key]);
    }
  }

  /// What is known of an id in the end; null: nothing.
  const Fact* of(Key key) const {
    const auto found = known_.find(key);
    return found == known_.end() ? nullptr : &found->second;
  }

  const decoder::Module& module() const { return module_; }
  /// Of a result, parameter or constant; null: it has none that is known so far.
  const decoder::Type* type_of(Id id) const {
    if (const auto found = types_.find(id); found != types_.end()) return found->second;
    const decoder::Constant* const constant = module_.constant(id);
    return constant == nullptr ? nullptr : constant->type;
  }

  void hand_on(Key from, Key to) { from_[to].push_back(from); }

  void use(Key key, Fact fact) {
    const auto [place, is_new] = known_.try_emplace(key, fact);
    const Fact together = is_new ? fact : Uses::both(place->second, fact);
    if (!is_new && together == place->second) return;
    place->second = together;
    waiting_.push_back(key);
  }

 private:
  void visit(const decoder::Instruction& instruction) {
    if (const decoder::Type* type = module_.type(instruction.type_id))
      types_[instruction.result_id] = type;
    const auto operands = instruction.operands;
    places_.visit(instruction);
    switch (instruction.op) {
      case spv::Op::OpCopyObject:
        return hand_on(operands[0], instruction.result_id);
      case spv::Op::OpLoad:
        return hand_on(places_.at(operands[0]), instruction.result_id);
      case spv::Op::OpStore:
        return hand_on(operands[1], places_.at(operands[0]));
      case spv::Op::OpFunctionCall:
        return call(operands[0], operands.subspan(1));
      case spv::Op::OpEnqueueKernel:  // the invoked function, and its first argument
        return call(operands[6], operands.subspan(7, 1));
      default:
        return uses_.visit(instruction, *this);
    }
  }

  void call(Id callee, std::span<const std::uint32_t> arguments) {
    const decoder::Function* function = module_.function(callee);
    if (function == nullptr) return;
    const std::size_t count = std::min(arguments.size(), function->parameters.size());
    for (std::size_t i = 0; i < count; ++i) {
      const decoder::Parameter& parameter = function->parameters[i];
      hand_on(places_.at(arguments[i]), parameter.id);
      if (parameter.type != nullptr && parameter.type->kind == decoder::Type::Kind::kPointer)
        places_.call_with(arguments[i], parameter.id);
    }
  }

  const decoder::Module& module_;
  Uses uses_;
  HandlePlaces::Types types_;
  HandlePlaces places_;
  std::unordered_map<Key, std::vector<Key>>
      from_;  ///< what has the same handle, and is nearer to the parameter
  std::unordered_map<Key, Fact> known_;
  std::vector<Key> waiting_;  ///< of which something became known
};

/// Whether a module has values of a kind at all.
inline bool has_type(const decoder::Module& module, decoder::Type::Kind kind) {
  return std::ranges::any_of(module.types, [kind](const auto& type) { return type->kind == kind; });
}

}  // namespace transpire::runtime
