#include "analysis/pipe_use.h"

#include "analysis/use_walk.h"
#include "decoder/grammar.h"

namespace transpire::analysis {
namespace {

using decoder::Id;
using decoder::Instruction;
using decoder::Type;

struct Packet {
  std::uint32_t bytes = 0, align = 0;
  friend bool operator==(const Packet&, const Packet&) = default;
};

/// The packet's size and alignment are the last two operands of all pipe instructions; the pipe is the first one, behind
/// the scope of a group's.
struct PipeUses {
  using Fact = Packet;

  static Packet both(Packet a, Packet b) { return a == b ? a : Packet{}; }

  template <class Walk>
  void visit(const Instruction& instruction, Walk& walk) {
    const decoder::OpcodeInfo* const info =
        decoder::find_opcode(static_cast<std::uint32_t>(instruction.op));
    if (info == nullptr || info->class_name != "Pipe") return;
    const auto operands = instruction.operands;
    const auto number = [&](std::size_t from_end) {
      const decoder::Constant* constant =
          walk.module().constant(operands[operands.size() - from_end]);
      return constant == nullptr ? 0 : static_cast<std::uint32_t>(constant->bits);
    };
    const std::size_t pipe = info->operands[0].kind == decoder::OperandKind::kIdScope ? 1 : 0;
    if (operands.size() >= pipe + 3) walk.use(operands[pipe], {number(2), number(1)});
  }
};

}  // namespace

PacketSizes::PacketSizes(const decoder::Module& module) {
  if (!has_type(module, Type::Kind::kPipe)) return;
  const UseWalk<PipeUses> walk(module);
  for (const decoder::EntryPoint& entry : module.entry_points)
    if (const decoder::Function* function = module.function(entry.function))
      for (const decoder::Parameter& parameter : function->parameters)
        if (const Packet* packet = walk.of(parameter.id))
          sizes_[parameter.id] = {packet->bytes, packet->align};
}

PipeParameterInfo PacketSizes::of(Id parameter) const {
  const auto found = sizes_.find(parameter);
  return found == sizes_.end() ? PipeParameterInfo{} : found->second;
}

}  // namespace transpire::analysis
