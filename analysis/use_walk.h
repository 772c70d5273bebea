// UseWalk: a data-flow analysis of handles (images, pipes). It propagates facts from the instructions that use a handle back
// to the kernel parameter that it came from: through variables, members, copies, calls, and captures of enqueued functions.
#pragma once

#include <algorithm>
#include <span>
#include <unordered_map>
#include <vector>

#include "analysis/handle_places.h"
#include "decoder/module.h"

namespace transpire::analysis {

/// `Uses` gives the facts that an instruction implies. It is a struct with
///
///     using Fact = ...;                          // element of a lattice of finite height
///     static Fact both(Fact a, Fact b);          // meet: the fact for a handle that has both facts
///     template <class Walk>
///     void visit(const decoder::Instruction& instruction, Walk& walk);   // calls walk.use(id, fact), walk.hand_on(from, to)
///
/// The fact of an id changes only a few times, so the analysis takes time linear in the module's size.
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

  /// The final fact of an id or place; null if there is none.
  const Fact* of(Key key) const {
    const auto found = known_.find(key);
    return found == known_.end() ? nullptr : &found->second;
  }

  const decoder::Module& module() const { return module_; }
  /// Type of a result, parameter or constant; null if it is not known yet.
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
      from_;  ///< keys with the same handle that are nearer to the parameter
  std::unordered_map<Key, Fact> known_;
  std::vector<Key> waiting_;  ///< keys whose fact changed
};

/// True if a module has a type of this kind.
inline bool has_type(const decoder::Module& module, decoder::Type::Kind kind) {
  return std::ranges::any_of(module.types, [kind](const auto& type) { return type->kind == kind; });
}

}  // namespace transpire::analysis
