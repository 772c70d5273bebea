#include "analysis/kernel_use.h"

#include <spirv/unified1/OpenCL.std.h>

#include <optional>
#include <unordered_set>

#include "base/checked.h"
#include "decoder/block_kernels.h"
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
class Walk {
 public:
  explicit Walk(const decoder::Module& module) : module_(module) {}

  KernelUse run(const decoder::Function& entry) {
    reach(entry.id);
    while (!waiting_.empty()) {
      const decoder::Function& function = *waiting_.back();
      waiting_.pop_back();
      if (function.is_import()) use_.needs_group = true;  // who knows
      for (const decoder::Block& block : function.blocks)
        for (const decoder::Instruction& instruction : block.instructions) visit(instruction);
    }
    return use_;
  }

 private:
  void visit(const decoder::Instruction& instruction) {
    use_.needs_group |= meets_or_groups(instruction.op);
    use_.prints |= instruction.set == decoder::ExtendedSet::kOpenCLStd &&
                   instruction.operands[1] == OpenCLLIB::Printf;
    const decoder::Type* type = module_.type(instruction.type_id);
    if (instruction.op == spv::Op::OpVariable && type != nullptr && type->element != nullptr)
      use_.private_bytes = (Checked(use_.private_bytes) + type->element->size_bytes).value();
    // No instruction has ids of variables among those that are left out.
    const std::optional<std::size_t> invoke = decoder::invoke_operand(instruction.op);
    const Id left_out =
        invoke && *invoke < instruction.operands.size() ? instruction.operands[*invoke] : 0;
    decoder::each_id(instruction, [&](Id id) {
      if (id != left_out) use(id, instruction.op);
    });
  }

  /// To hand a parameter on is no use of it: the translator gives every entry point its parameters
  /// and a function that it calls with them.
  void use(Id id, spv::Op op) {
    use_.needs_group |= op != spv::Op::OpFunctionCall && local_parameters_.contains(id);
    reach(id);
  }

  void reach(Id id) {
    const decoder::Function* function = module_.function(id);
    const decoder::Variable* variable = module_.variable(id);
    const decoder::Constant* constant = module_.constant(id);
    const bool counts = function != nullptr || variable != nullptr || constant != nullptr;
    if (!counts || !seen_.insert(id).second) return;
    if (function != nullptr) reach_function(*function);
    use_.names_group |=
        variable != nullptr && variable->is_builtin && tells_of_groups(variable->builtin);
    if (variable != nullptr && variable->storage_class == spv::StorageClass::Workgroup) {
      use_.needs_group = true;
      const Checked begin = Checked(use_.local_bytes).align_up(variable->align_bytes);
      use_.local_bytes = (begin + variable->type->element->size_bytes).value();
    }
    if (constant != nullptr) reach_elements(*constant);
  }

  void reach_function(const decoder::Function& function) {
    waiting_.push_back(&function);
    for (const decoder::Parameter& parameter : function.parameters)
      if (points_to_workgroup(parameter)) local_parameters_.insert(parameter.id);
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
  std::unordered_set<Id> seen_, local_parameters_;
  std::vector<const decoder::Function*> waiting_;
  KernelUse use_;
};

}  // namespace

std::vector<KernelUse> kernel_uses(const decoder::Module& module) {
  std::vector<KernelUse> uses;
  for (const decoder::EntryPoint& entry : module.entry_points) {
    if (entry.model != spv::ExecutionModel::Kernel) continue;
    const decoder::Function* function = module.function(entry.function);
    uses.push_back(function != nullptr ? Walk(module).run(*function) : KernelUse{});
  }
  return uses;
}

std::vector<EnqueuedFunction> enqueued_functions(const decoder::Module& module) {
  std::vector<EnqueuedFunction> functions;
  std::unordered_set<Id> seen;
  decoder::each_invoked(module, [&](spv::Op, Id id) {
    const decoder::Function* const invoked = module.function(id);
    if (invoked != nullptr && seen.insert(id).second)
      functions.push_back({id, Walk(module).run(*invoked)});
  });
  return functions;
}

}  // namespace transpire::analysis
