#include "vm/build/lifetimes.h"

#include "decoder/grammar.h"
#include "decoder/pointer_ops.h"

namespace transpire::vm::builder {
namespace {

/// Further down, a called function counts as keeping what it is given.
constexpr std::uint32_t kMaxUseDepth = 64;

/// The use of a pointer as operand number `at` of an instruction.
enum class Fate : std::uint8_t { kUsed, kDerived, kPassed, kKept };

Fate fate_of(const Instruction& i, std::size_t at) {
  switch (i.op) {
    case spv::Op::OpLoad:
    case spv::Op::OpLifetimeStart:
    case spv::Op::OpLifetimeStop:
    case spv::Op::OpCopyMemory:
    case spv::Op::OpCopyMemorySized:
    case spv::Op::OpPtrEqual:
    case spv::Op::OpPtrNotEqual:
    case spv::Op::OpPtrDiff:
    case spv::Op::OpExtInst:
      return Fate::kUsed;
    case spv::Op::OpStore:
      return at == 0 ? Fate::kUsed : Fate::kKept;
    case spv::Op::OpFunctionCall:
      return Fate::kPassed;
    default:
      if (decoder::moves_pointer(i.op)) return at == 0 ? Fate::kDerived : Fate::kUsed;
      return decoder::opcode_class(i.op) == "Atomic" ? Fate::kUsed : Fate::kKept;
  }
}

}  // namespace

void Lifetimes::begin(const Instruction& instruction) {
  Frame& frame = *position_.frame;
  if (refusals_.failed() || frame.caller == nullptr || frame.caller->forwards_entry) return;
  const Use& use = uses_in(*frame.function)[instruction.result_id];
  if (!use.is_kept) return;
  const std::uint32_t variable =
      *variables_.variable_at(frame.bound[instruction.result_id].values[0]);
  if (!use.has_start) variables_.mark_lifetime(Op::kLifetimeStart, variable);
  frame.ending.push_back(variable);
}

void Lifetimes::end(const Frame& returned) {
  for (const std::uint32_t variable : returned.ending)
    variables_.mark_lifetime(Op::kLifetimeStop, variable);
}

/// By variable and pointer parameter of a function. Instructions come in an order in which
/// definitions stand before uses, but for phis, whose operands count as kept.
Lifetimes::Uses& Lifetimes::uses_in(const decoder::Function& function) {
  const auto [entry, is_new] = uses_.try_emplace(function.id);
  if (!is_new) return entry->second;
  std::unordered_map<Id, Id> root;  // by pointer: the variable or parameter it was derived from
  Uses uses;
  for (const decoder::Parameter& parameter : function.parameters)
    if (parameter.type->kind == Type::Kind::kPointer) root[parameter.id] = parameter.id;
  for (const std::uint32_t block : orders_.of(function))
    for (const Instruction& i : function.blocks[block].instructions) note_pointers(i, root, uses);
  return uses_[function.id] = std::move(uses);
}

void Lifetimes::note_pointers(const Instruction& i, std::unordered_map<Id, Id>& root, Uses& uses) {
  budget_.work(i.operands.size() + 1);
  if (i.op == spv::Op::OpVariable) root[i.result_id] = i.result_id;
  for (std::size_t at = 0; at < i.operands.size(); ++at) {
    const auto known = root.find(i.operands[at]);
    if (known == root.end()) continue;  // or a literal, which at worst is taken for a pointer
    const Id variable = known->second;
    switch (fate_of(i, at)) {
      case Fate::kUsed:
        uses[variable].has_start |= i.op == spv::Op::OpLifetimeStart;
        break;
      case Fate::kDerived:
        root[i.result_id] = variable;
        break;
      case Fate::kPassed:
        uses[variable].is_kept |= keeps_argument(i, at);
        break;
      case Fate::kKept:
        uses[variable].is_kept = true;
        break;
    }
  }
}

/// True if the called function may keep the pointer in operand `at` of the call.
bool Lifetimes::keeps_argument(const Instruction& call, std::size_t at) {
  const decoder::Function* callee = request_.module.function(call.operands[0]);
  if (callee == nullptr || at == 0 || at > callee->parameters.size() ||
      position_.frame->is_within(*callee))
    return true;
  if (depth_ >= kMaxUseDepth) return true;
  ++depth_;
  const Uses& uses = uses_in(*callee);
  --depth_;
  const auto parameter = uses.find(callee->parameters[at - 1].id);
  return parameter != uses.end() && parameter->second.is_kept;
}

}  // namespace transpire::vm::builder
