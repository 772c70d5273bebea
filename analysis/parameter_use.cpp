// See parameter_use.h.
#include "analysis/parameter_use.h"

#include "analysis/values.h"
#include "decoder/newer_opcodes.h"

namespace transpire::analysis {
namespace {

using decoder::Id;
using decoder::Instruction;

/// Instructions looked at: some milliseconds.
constexpr std::uint64_t kMostLookedAt = 100'000;

enum class Access { kNone, kLoads, kStores };

/// An instruction's access through a pointer, or to an image, that is one of its operands.
Access access_through(Id pointer, const Instruction& user, const decoder::Module& module) {
  const auto operands = user.operands;
  const auto stores_if = [](bool stores) { return stores ? Access::kStores : Access::kLoads; };
  if (user.op == decoder::kOpCooperativeMatrixLoadKHR) return Access::kLoads;
  if (user.op == decoder::kOpCooperativeMatrixStoreKHR) return Access::kStores;
  if (user.op == decoder::kOpUntypedGroupAsyncCopyKHR) return stores_if(operands[1] == pointer);
  switch (user.op) {
    case spv::Op::OpLoad:
      return Access::kLoads;
    case spv::Op::OpStore:
      return operands[0] == pointer ? Access::kStores : Access::kNone;
    case spv::Op::OpImageWrite:
      return Access::kStores;
    case spv::Op::OpCopyMemory:
    case spv::Op::OpCopyMemorySized:
      return stores_if(operands[0] == pointer);
    case spv::Op::OpGroupAsyncCopy:
      return stores_if(operands[1] == pointer);
    case spv::Op::OpExtInst: {
      // Functions of OpenCL.std that store have no result, and the pointer is an operand; others load, or are given a place.
      const decoder::Type* const type = module.type(user.type_id);
      return stores_if(type == nullptr || type->kind == decoder::Type::Kind::kVoid);
    }
    default:
      return decoder::opcode_class(user.op) == "Atomic"
                 ? stores_if(user.op != spv::Op::OpAtomicLoad)
                 : Access::kNone;
  }
}

}  // namespace

std::optional<vm::Source> find_access(const decoder::Module& module, Id kernel,
                                      std::size_t parameter, bool stores) {
  Values values(module, kMostLookedAt);
  const std::uint32_t call = values.call_of(kernel);
  const FunctionIndex* const in = values.callee(call);
  if (in == nullptr || parameter >= in->function.parameters.size()) return std::nullopt;
  std::optional<vm::Source> found;
  const auto take = [&](const FlowPlace& user, FlowValue pointer) {
    const Instruction& each = user.instruction();
    if (access_through(pointer.id, each, module) != (stores ? Access::kStores : Access::kLoads) ||
        (found && found->word_offset <= each.word_offset))
      return;
    found = vm::Source{each.word_offset, each.op, each.line, user.in->function.id, 0};
  };
  values.follow({in->function.parameters[parameter].id, call}, Values::Callees::kOnce, take);
  return found;
}

}  // namespace transpire::analysis
