#include "runtime/kernel_memory.h"

#include <unordered_set>
#include <vector>

#include "decoder/grammar.h"

namespace transpire::runtime {
namespace {

using decoder::Category;
using decoder::Id;

/// Follows ids from a function to functions, constants and variables, each once.
class Walk {
 public:
  explicit Walk(const decoder::Module& module) : module_(module) {}

  KernelMemory run(const decoder::Function& entry) {
    reach(entry.id);
    while (!waiting_.empty()) {
      const decoder::Function& function = *waiting_.back();
      waiting_.pop_back();
      for (const decoder::Block& block : function.blocks)
        for (const decoder::Instruction& instruction : block.instructions) visit(instruction);
    }
    return memory_;
  }

 private:
  void visit(const decoder::Instruction& instruction) {
    const decoder::Type* type = module_.type(instruction.type_id);
    if (instruction.op == spv::Op::OpVariable && type != nullptr && type->element != nullptr)
      memory_.private_bytes += type->element->size_bytes;
    const decoder::OpcodeInfo* info =
        decoder::find_opcode(static_cast<std::uint32_t>(instruction.op));
    if (info == nullptr) return;
    std::size_t at = 0;
    for (const decoder::OperandSpec& operand : info->operands) {
      const Category category = decoder::category_of(operand.kind);
      const bool ids =
          category == Category::kId || operand.kind == decoder::OperandKind::kPairIdRefIdRef;
      // Masks bring operands of their own, and no instruction has ids of variables behind them.
      if (!ids && (category == Category::kBitEnum || category == Category::kComposite ||
                   operand.quantifier == decoder::Quantifier::kAny))
        return;
      const bool all = operand.quantifier == decoder::Quantifier::kAny;
      for (bool more = true; more && at < instruction.operands.size(); more = all) {
        if (ids) reach(instruction.operands[at]);
        ++at;
      }
    }
  }

  void reach(Id id) {
    const decoder::Function* function = module_.function(id);
    const decoder::Variable* variable = module_.variable(id);
    const decoder::Constant* constant = module_.constant(id);
    const bool counts = function != nullptr || variable != nullptr || constant != nullptr;
    if (!counts || !seen_.insert(id).second) return;
    if (function != nullptr) waiting_.push_back(function);
    if (variable != nullptr && variable->storage_class == spv::StorageClass::Workgroup) {
      const std::uint64_t align = variable->align_bytes;
      memory_.local_bytes = (memory_.local_bytes + align - 1) / align * align;
      memory_.local_bytes += variable->type->element->size_bytes;
    }
    if (constant != nullptr) reach_elements(*constant);
  }

  /// By a list, not by calls: constants may nest as deep as the module is long.
  void reach_elements(const decoder::Constant& constant) {
    std::vector<const decoder::Constant*> open{&constant};
    while (!open.empty()) {
      const decoder::Constant& at = *open.back();
      open.pop_back();
      for (const Id element : at.elements) {
        const decoder::Constant* inner = module_.constant(element);
        if (inner == nullptr)
          reach(element);
        else if (seen_.insert(element).second)
          open.push_back(inner);
      }
    }
  }

  const decoder::Module& module_;
  std::unordered_set<Id> seen_;
  std::vector<const decoder::Function*> waiting_;
  KernelMemory memory_;
};

}  // namespace

KernelMemory kernel_memory(const decoder::Module& module, const decoder::Function& entry) {
  return Walk(module).run(entry);
}

}  // namespace transpire::runtime
