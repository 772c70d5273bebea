// See handle_use.h.
#include "analysis/handle_use.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "analysis/function_index.h"
#include "analysis/handle_flow.h"
#include "decoder/grammar.h"

namespace transpire::analysis {
namespace {

using decoder::Id;
using decoder::Instruction;
using decoder::Module;
using decoder::Type;

// ---- Images -------------------------------------------------------------------------------------

constexpr auto kSignExtend = static_cast<std::uint32_t>(spv::ImageOperandsMask::SignExtend);
constexpr auto kZeroExtend = static_cast<std::uint32_t>(spv::ImageOperandsMask::ZeroExtend);

/// No format fits an image that is read both as integers and as floats.
TexelType both_texels(TexelType a, TexelType b) {
  if (a == b) return a;
  const auto is_integer = [](TexelType type) {
    return type == TexelType::kInteger || type == TexelType::kSigned ||
           type == TexelType::kUnsigned;
  };
  if (!is_integer(a) || !is_integer(b)) return TexelType::kUnknown;
  if (a == TexelType::kInteger) return b;
  return b == TexelType::kInteger ? a : TexelType::kUnknown;
}

/// The image that an instruction reads or writes, and the type of its texels.
std::optional<std::pair<Id, TexelType>> image_use(const Instruction& instruction,
                                                  const Module& module) {
  const bool writes = instruction.op == spv::Op::OpImageWrite;
  if (!writes && instruction.op != spv::Op::OpImageRead &&
      instruction.op != spv::Op::OpImageSampleExplicitLod)
    return std::nullopt;
  const auto operands = instruction.operands;
  const Type* texel = module.type_of(writes ? operands[2] : instruction.result_id);
  const std::size_t mask_at = writes ? 3 : 2;
  const std::uint32_t mask = mask_at < operands.size() ? operands[mask_at] : 0;
  if (texel != nullptr && texel->kind == Type::Kind::kVector) texel = texel->element;
  if (texel == nullptr) return std::nullopt;
  TexelType type = TexelType::kUnknown;
  if (texel->kind == Type::Kind::kFloat) type = TexelType::kFloat;
  if (texel->kind == Type::Kind::kInt)
    type = (mask & kSignExtend) != 0   ? TexelType::kSigned
           : (mask & kZeroExtend) != 0 ? TexelType::kUnsigned
                                       : TexelType::kInteger;
  return std::pair{operands[0], type};
}

// ---- Pipes --------------------------------------------------------------------------------------

using Packet = std::pair<std::uint32_t, std::uint32_t>;  ///< size and alignment in bytes

Packet both_packets(Packet a, Packet b) { return a == b ? a : Packet{}; }

/// The pipe of a pipe instruction, and its packets: the last two operands of all of them. The pipe is the first one, behind the
/// scope of a group's.
std::optional<std::pair<Id, Packet>> pipe_use(const Instruction& instruction,
                                              const Module& module) {
  const decoder::OpcodeInfo* const info =
      decoder::find_opcode(static_cast<std::uint32_t>(instruction.op));
  if (info == nullptr || info->class_name != "Pipe") return std::nullopt;
  const auto operands = instruction.operands;
  const auto number = [&](std::size_t from_end) {
    const decoder::Constant* const constant = module.constant(operands[operands.size() - from_end]);
    return constant == nullptr ? 0 : static_cast<std::uint32_t>(constant->bits);
  };
  const std::size_t pipe = info->operands[0].kind == decoder::OperandKind::kIdScope ? 1 : 0;
  if (operands.size() < pipe + 3) return std::nullopt;
  return std::pair{operands[pipe], Packet{number(2), number(1)}};
}

bool has_type(const Module& module, Type::Kind kind) {
  return std::ranges::any_of(module.types, [kind](const auto& type) { return type->kind == kind; });
}

template <class Fact>
Fact found_or_none(const std::unordered_map<Id, Fact>& facts, Id parameter) {
  const auto found = facts.find(parameter);
  return found == facts.end() ? Fact{} : found->second;
}

}  // namespace

HandleUse::HandleUse(const Module& module) {
  const bool images = has_type(module, Type::Kind::kImage);
  const bool pipes = has_type(module, Type::Kind::kPipe);
  if (!images && !pipes) return;
  HandleFlow::Facts<TexelType> texels;
  HandleFlow::Facts<Packet> packets;
  each_instruction(module, [&](const Instruction& instruction) {
    if (const auto use = images ? image_use(instruction, module) : std::nullopt)
      texels.push_back(*use);
    if (const auto use = pipes ? pipe_use(instruction, module) : std::nullopt)
      packets.push_back(*use);
  });
  const HandleFlow flow(module);
  texels_ = flow.at_parameters(texels, both_texels);
  packets_ = flow.at_parameters(packets, both_packets);
}

TexelType HandleUse::texels_of(Id parameter) const { return found_or_none(texels_, parameter); }

PipeParameterInfo HandleUse::packets_of(Id parameter) const {
  const auto [bytes, align] = found_or_none(packets_, parameter);
  return {bytes, align};
}

}  // namespace transpire::analysis
