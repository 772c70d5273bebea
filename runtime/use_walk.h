// UseWalk: follows handles (images, pipes) from what instructions do with them back to the parameters that they came in
// by, through variables, copies and calls.
#pragma once

#include <algorithm>
#include <span>
#include <unordered_map>
#include <vector>

#include "decoder/module.h"

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

  explicit UseWalk(const decoder::Module& module) : module_(module) {
    for (const decoder::Function& function : module.functions) {
      for (const decoder::Parameter& parameter : function.parameters)
        types_[parameter.id] = parameter.type;
      for (const decoder::Block& block : function.blocks)
        for (const decoder::Instruction& instruction : block.instructions) visit(instruction);
    }
    while (!waiting_.empty()) {
      const Id id = waiting_.back();
      waiting_.pop_back();
      if (const auto from = from_.find(id); from != from_.end())
        for (const Id each : from->second) use(each, known_[id]);
    }
  }

  /// What is known of an id in the end; null: nothing.
  const Fact* of(Id id) const {
    const auto found = known_.find(id);
    return found == known_.end() ? nullptr : &found->second;
  }

  const decoder::Module& module() const { return module_; }
  /// Of a result, parameter or constant; null: it has none that is known so far.
  const decoder::Type* type_of(Id id) const {
    if (const auto found = types_.find(id); found != types_.end()) return found->second;
    const decoder::Constant* const constant = module_.constant(id);
    return constant == nullptr ? nullptr : constant->type;
  }

  void hand_on(Id from, Id to) { from_[to].push_back(from); }

  void use(Id id, Fact fact) {
    const auto [place, is_new] = known_.try_emplace(id, fact);
    const Fact together = is_new ? fact : Uses::both(place->second, fact);
    if (!is_new && together == place->second) return;
    place->second = together;
    waiting_.push_back(id);
  }

 private:
  void visit(const decoder::Instruction& instruction) {
    if (const decoder::Type* type = module_.type(instruction.type_id))
      types_[instruction.result_id] = type;
    const auto operands = instruction.operands;
    switch (instruction.op) {
      case spv::Op::OpCopyObject:
      case spv::Op::OpLoad:
        return hand_on(operands[0], instruction.result_id);
      case spv::Op::OpStore:
        return hand_on(operands[1], operands[0]);
      case spv::Op::OpFunctionCall:
        return call(operands);
      default:
        return uses_.visit(instruction, *this);
    }
  }

  void call(std::span<const std::uint32_t> operands) {
    const decoder::Function* function = module_.function(operands[0]);
    if (function == nullptr) return;
    const std::size_t count = std::min(operands.size() - 1, function->parameters.size());
    for (std::size_t i = 0; i < count; ++i) hand_on(operands[i + 1], function->parameters[i].id);
  }

  const decoder::Module& module_;
  Uses uses_;
  std::unordered_map<Id, const decoder::Type*> types_;
  std::unordered_map<Id, std::vector<Id>>
      from_;  ///< what has the same handle, and is nearer to the parameter
  std::unordered_map<Id, Fact> known_;
  std::vector<Id> waiting_;  ///< ids of which something became known
};

/// Whether a module has values of a kind at all.
inline bool has_type(const decoder::Module& module, decoder::Type::Kind kind) {
  return std::ranges::any_of(module.types, [kind](const auto& type) { return type->kind == kind; });
}

}  // namespace transpire::runtime
