#include "decoder/reached.h"

#include <optional>
#include <unordered_set>
#include <utility>

#include "decoder/id_operands.h"
#include "decoder/invoke_operand.h"

namespace transpire::decoder {
namespace {

/// Follows ids from a function to functions, constants and variables, each once.
class Reaching {
 public:
  explicit Reaching(const Module& module) : module_(module) {}

  Reached run(const Function& entry) {
    reach(entry.id);
    while (!waiting_.empty()) {
      const Function& function = *waiting_.back();
      waiting_.pop_back();
      reached_.functions.push_back(&function);
      for (const Block& block : function.blocks)
        for (const Instruction& instruction : block.instructions) visit(instruction);
    }
    return std::move(reached_);
  }

 private:
  void visit(const Instruction& instruction) {
    // No instruction has ids of variables among those that are left out.
    const std::optional<std::size_t> invoke = invoke_operand(instruction.op);
    const Id left_out =
        invoke && *invoke < instruction.operands.size() ? instruction.operands[*invoke] : 0;
    each_id(instruction, [&](Id id) {
      if (id != left_out) reach(id);
    });
  }

  void reach(Id id) {
    const Function* function = module_.function(id);
    const Variable* variable = module_.variable(id);
    const Constant* constant = module_.constant(id);
    const bool counts = function != nullptr || variable != nullptr || constant != nullptr;
    if (!counts || !seen_.insert(id).second) return;
    if (function != nullptr) waiting_.push_back(function);
    if (variable != nullptr) reached_.variables.push_back(variable);
    if (constant != nullptr) reach_elements(*constant);
  }

  /// By a list, not by calls: constants may nest as deep as the module is long.
  void reach_elements(const Constant& constant) {
    std::vector<const Constant*> open{&constant};
    while (!open.empty()) {
      const Constant& at = *open.back();
      open.pop_back();
      for (const Id element : at.elements) {
        const Constant* inner = module_.constant(element);
        if (inner == nullptr)
          reach(element);
        else if (seen_.insert(element).second)
          open.push_back(inner);
      }
    }
  }

  const Module& module_;
  std::unordered_set<Id> seen_;
  std::vector<const Function*> waiting_;
  Reached reached_;
};

}  // namespace

Reached reached_from(const Module& module, const Function& entry) {
  return Reaching(module).run(entry);
}

}  // namespace transpire::decoder
