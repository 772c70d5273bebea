#include "analysis/kernel_use.h"

#include <spirv/unified1/OpenCL.std.h>

#include <optional>
#include <unordered_set>
#include <utility>

#include "base/checked.h"
#include "decoder/block_kernels.h"
#include "decoder/entry_inputs.h"
#include "decoder/execution_models.h"
#include "decoder/id_operands.h"
#include "decoder/invoke_operand.h"
#include "decoder/newer_opcodes.h"
#include "decoder/reached.h"
#include "decoder/untyped.h"

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

/// Blocks in Workgroup memory share their bytes: `block_bytes` is the size of the largest one before.
void add_variable(const decoder::Module& module, const decoder::Variable& variable, KernelUse& use,
                  std::uint64_t& block_bytes) {
  use.names_group |= variable.is_builtin && tells_of_groups(variable.builtin);
  if (variable.storage_class != spv::StorageClass::Workgroup) return;
  use.needs_group = true;
  const decoder::Type& type = *variable.type->element;
  const Checked begin = Checked(use.local_bytes).align_up(variable.align_bytes);
  if (!decoder::is_shared_block(module, variable)) {
    use.local_bytes = (begin + type.size_bytes).value();
  } else if (type.size_bytes > block_bytes) {
    use.local_bytes = (begin + (type.size_bytes - block_bytes)).value();
    block_bytes = type.size_bytes;
  }
}

void add_instruction(const decoder::Instruction& instruction, const decoder::Module& module,
                     KernelUse& use) {
  const decoder::Type* const type = module.type(instruction.type_id);
  const bool has_matrix = (type != nullptr && type->holds_cooperative_matrix) ||
                          instruction.op == decoder::kOpCooperativeMatrixStoreKHR ||
                          instruction.op == decoder::kOpCooperativeMatrixLengthKHR;
  use.has_matrices |= has_matrix;
  use.needs_group |= has_matrix || meets_or_groups(instruction.op);
  use.prints |= instruction.set == decoder::ExtendedSet::kDebugPrintf ||
                (instruction.set == decoder::ExtendedSet::kOpenCLStd &&
                 instruction.operands[1] == OpenCLLIB::Printf);
  if (instruction.op != spv::Op::OpVariable) return;
  if (type == nullptr || type->element == nullptr) return;
  const decoder::Type* const seen = decoder::seen_type(module, instruction.word_offset);
  const decoder::Type& held = seen != nullptr ? *seen : *type->element;
  use.private_bytes = (Checked(use.private_bytes) + held.size_bytes).value();
}

KernelUse use_of(const decoder::Module& module, const decoder::Function& entry) {
  KernelUse use;
  const decoder::Reached reached = decoder::reached_from(module, entry);
  std::uint64_t block_bytes = 0;
  for (const decoder::Variable* variable : reached.variables)
    add_variable(module, *variable, use, block_bytes);
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
