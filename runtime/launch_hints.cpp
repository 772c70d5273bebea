// Hints for launches, read off a kernel's instructions: see transpire/launch_hints.hpp.
#include "transpire/launch_hints.hpp"

#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>
#include <unordered_set>

#include "decoder/module.h"
#include "decoder/reached.h"
#include "runtime/state.h"

namespace transpire {
namespace {

using decoder::Id;

class HintReader {
 public:
  explicit HintReader(const decoder::Module& module) : module_(module) {}

  LaunchHints run(const decoder::Function* entry) {
    if (entry == nullptr) return hints_;
    for (const decoder::Function* function : decoder::reached_from(module_, *entry).functions)
      for (const decoder::Block& block : function->blocks)
        for (const decoder::Instruction& instruction : block.instructions) visit(instruction);
    return hints_;
  }

 private:
  void visit(const decoder::Instruction& instruction) {
    const auto operands = instruction.operands;
    switch (instruction.op) {
      case spv::Op::OpLoad:
        if (is_id_variable(operands[0])) ids_.insert(instruction.result_id);
        return;
      case spv::Op::OpCompositeExtract:
        if (ids_.contains(operands[0]) && operands.size() == 2) look_at(operands[1]);
        return;
      case spv::Op::OpVectorExtractDynamic:
        if (ids_.contains(operands[0])) look_at_constant(operands[1]);
        return;
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain:
        if (is_id_variable(operands[0]) && operands.size() == 2) look_at_constant(operands[1]);
        return;
      case spv::Op::OpVectorShuffle:
        // A component of the second vector counts behind those of the first.
        for (std::size_t i = 2; i < operands.size(); ++i)
          if (ids_.contains(operands[0])) look_at(operands[i]);
        return;
      case spv::Op::OpExtInst:
        return visit_extended(instruction);
      default:
        return;
    }
  }

  void visit_extended(const decoder::Instruction& instruction) {
    const auto operands = instruction.operands;
    if (instruction.set != decoder::ExtendedSet::kOpenCLStd) return;
    switch (operands[1]) {
      case OpenCLLIB::Vloadn:
      case OpenCLLIB::Vload_halfn:
      case OpenCLLIB::Vloada_halfn:
        return look_at_vector(module_.type(instruction.type_id));
      case OpenCLLIB::Vstoren:
      case OpenCLLIB::Vstore_halfn:
      case OpenCLLIB::Vstore_halfn_r:
      case OpenCLLIB::Vstorea_halfn:
      case OpenCLLIB::Vstorea_halfn_r:
        return look_at_vector(operands.size() > 2 ? module_.type_of(operands[2]) : nullptr);
      default:
        return;
    }
  }

  bool is_id_variable(Id id) const {
    const decoder::Variable* const variable = module_.variable(id);
    if (variable == nullptr || !variable->is_builtin) return false;
    switch (variable->builtin) {
      case spv::BuiltIn::GlobalInvocationId:
      case spv::BuiltIn::LocalInvocationId:
      case spv::BuiltIn::WorkgroupId:
        return true;
      default:
        return false;
    }
  }

  void look_at(std::uint64_t dimension) {
    if (dimension < 3)
      hints_.dimensions = std::max(hints_.dimensions, static_cast<std::uint32_t>(dimension) + 1);
  }

  void look_at_constant(Id id) {
    if (const decoder::Constant* const constant = module_.constant(id)) look_at(constant->bits);
  }

  /// A vector of three takes the room of four with vloada_half.
  void look_at_vector(const decoder::Type* type) {
    if (type == nullptr || type->kind != decoder::Type::Kind::kVector) return;
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(type->count, 16));
    hints_.numbers_per_item = std::max(hints_.numbers_per_item, count == 3 ? 4 : count);
  }

  const decoder::Module& module_;
  LaunchHints hints_;
  std::unordered_set<Id> ids_;  ///< values of three numbers that are ids of work-items or groups
};

}  // namespace

LaunchHints launch_hints(const Module& module, std::string_view kernel) {
  const runtime::ModuleState& state = *module.state();
  const Result<std::uint32_t> number = state.find_kernel(kernel);
  return number ? HintReader(state.module)
                      .run(state.module.function(state.entry_points[*number]->function))
                : LaunchHints{};
}

}  // namespace transpire
