#include "analysis/kernel_use.h"

#include <spirv/unified1/OpenCL.std.h>

#include <optional>
#include <unordered_set>
#include <utility>

#include "base/checked.h"
#include "decoder/block_kernels.h"
#include "decoder/execution_models.h"
#include "decoder/id_operands.h"
#include "decoder/invoke_operand.h"

namespace transpire::analysis {
namespace {

using decoder::Id;

bool tells_of_groups(spv::BuiltIn builtin) {
  switch (builtin) {
    case spv::BuiltIn::GlobalInvocationId:
    case spv::BuiltIn::GlobalSize:
    case spv::BuiltIn::GlobalOffset:
    case spv::BuiltIn::GlobalLinearId:
    case spv::BuiltIn::WorkDim:
      return false;
    default:
      return true;
  }
}

bool meets_or_groups(spv::Op op) {
  const std::string_view family = decoder::opcode_class(op);
  return (family == "Barrier" && op != spv::Op::OpMemoryBarrier) || family == "Group" ||
         family == "Non-Uniform";
}

bool points_to_workgroup(const decoder::Parameter& parameter) {
  return parameter.type->kind == decoder::Type::Kind::kPointer &&
         parameter.type->storage_class == spv::StorageClass::Workgroup;
}

/// Follows ids from a function to functions, constants and variables, each once.
class Reaching {
 public:
  explicit Reaching(const decoder::Module& module) : module_(module) {}

  Reached run(const decoder::Function& entry) {
    reach(entry.id);
    while (!waiting_.empty()) {
      const decoder::Function& function = *waiting_.back();
      waiting_.pop_back();
      reached_.functions.push_back(&function);
      for (const decoder::Block& block : function.blocks)
        for (const decoder::Instruction& instruction : block.instructions) visit(instruction);
    }
    return std::move(reached_);
  }

 private:
  void visit(const decoder::Instruction& instruction) {
    // No instruction has ids of variables among those that are left out.
    const std::optional<std::size_t> invoke = decoder::invoke_operand(instruction.op);
    const Id left_out =
        invoke && *invoke < instruction.operands.size() ? instruction.operands[*invoke] : 0;
    decoder::each_id(instruction, [&](Id id) {
      if (id != left_out) reach(id);
    });
  }

  void reach(Id id) {
    const decoder::Function* function = module_.function(id);
    const decoder::Variable* variable = module_.variable(id);
    const decoder::Constant* constant = module_.constant(id);
    const bool counts = function != nullptr || variable != nullptr || constant != nullptr;
    if (!counts || !seen_.insert(id).second) return;
    if (function != nullptr) waiting_.push_back(function);
    if (variable != nullptr) reached_.variables.push_back(variable);
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
  Reached reached_;
};

/// True if the function does more with pointers to local memory that it is given than hand them on: the translator gives
/// every entry point its parameters and a function that it calls with them.
bool uses_local_parameters(const decoder::Function& function) {
  std::unordered_set<Id> local;
  for (const decoder::Parameter& parameter : function.parameters)
    if (points_to_workgroup(parameter)) local.insert(parameter.id);
  if (local.empty()) return false;
  bool uses = false;
  for (const decoder::Block& block : function.blocks)
    for (const decoder::Instruction& instruction : block.instructions)
      if (instruction.op != spv::Op::OpFunctionCall)
        decoder::each_id(instruction, [&](Id id) { uses |= local.contains(id); });
  return uses;
}

void add_variable(const decoder::Variable& variable, KernelUse& use) {
  use.names_group |= variable.is_builtin && tells_of_groups(variable.builtin);
  if (variable.storage_class != spv::StorageClass::Workgroup) return;
  use.needs_group = true;
  const Checked begin = Checked(use.local_bytes).align_up(variable.align_bytes);
  use.local_bytes = (begin + variable.type->element->size_bytes).value();
}

void add_instruction(const decoder::Instruction& instruction, const decoder::Module& module,
                     KernelUse& use) {
  use.needs_group |= meets_or_groups(instruction.op);
  use.prints |= instruction.set == decoder::ExtendedSet::kOpenCLStd &&
                instruction.operands[1] == OpenCLLIB::Printf;
  if (instruction.op != spv::Op::OpVariable) return;
  const decoder::Type* const type = module.type(instruction.type_id);
  if (type != nullptr && type->element != nullptr)
    use.private_bytes = (Checked(use.private_bytes) + type->element->size_bytes).value();
}

KernelUse use_of(const decoder::Module& module, const decoder::Function& entry) {
  KernelUse use;
  const Reached reached = reached_from(module, entry);
  for (const decoder::Variable* variable : reached.variables) add_variable(*variable, use);
  for (const decoder::Function* function : reached.functions) {
    // Nobody knows what an imported function does.
    use.needs_group |= function->is_import() || uses_local_parameters(*function);
    for (const decoder::Block& block : function->blocks)
      for (const decoder::Instruction& instruction : block.instructions)
        add_instruction(instruction, module, use);
  }
  return use;
}

}  // namespace

Reached reached_from(const decoder::Module& module, const decoder::Function& entry) {
  return Reaching(module).run(entry);
}

std::vector<KernelUse> kernel_uses(const decoder::Module& module) {
  std::vector<KernelUse> uses;
  for (const decoder::EntryPoint* entry : decoder::launched_entry_points(module)) {
    const decoder::Function* function = module.function(entry->function);
    uses.push_back(function != nullptr ? use_of(module, *function) : KernelUse{});
  }
  return uses;
}

std::vector<EnqueuedFunction> enqueued_functions(const decoder::Module& module) {
  std::vector<EnqueuedFunction> functions;
  std::unordered_set<Id> seen;
  decoder::each_invoked(module, [&](spv::Op, Id id) {
    const decoder::Function* const invoked = module.function(id);
    if (invoked != nullptr && seen.insert(id).second)
      functions.push_back({id, use_of(module, *invoked)});
  });
  return functions;
}

}  // namespace transpire::analysis
