// See image_use.h.
#include "runtime/image_use.h"

#include <algorithm>
#include <vector>

namespace transpire::runtime {
namespace {

using decoder::Id;
using decoder::Instruction;
using decoder::Type;

constexpr auto kSignExtend = static_cast<std::uint32_t>(spv::ImageOperandsMask::SignExtend);
constexpr auto kZeroExtend = static_cast<std::uint32_t>(spv::ImageOperandsMask::ZeroExtend);

/// Follows images from their uses back to parameters, through sampled images, variables and calls. What is known of an
/// id becomes less three times at most, so this takes as long as the module is.
class ImageWalk {
 public:
  explicit ImageWalk(const decoder::Module& module) : module_(module) {
    for (const decoder::Function& function : module.functions) {
      for (const decoder::Parameter& parameter : function.parameters)
        types_[parameter.id] = parameter.type;
      for (const decoder::Block& block : function.blocks)
        for (const Instruction& instruction : block.instructions) visit(instruction);
    }
    while (!waiting_.empty()) {
      const Id id = waiting_.back();
      waiting_.pop_back();
      if (const auto from = from_.find(id); from != from_.end())
        for (const Id each : from->second) learn(each, known_[id]);
    }
  }

  /// What is known of an id's image in the end.
  TexelType of(Id id) const {
    const auto found = known_.find(id);
    return found == known_.end() ? TexelType::kUnknown : found->second;
  }

 private:
  /// What is read as one thing and as another is nothing that one format has.
  static TexelType both(TexelType a, TexelType b) {
    if (a == b) return a;
    const auto is_integer = [](TexelType type) {
      return type == TexelType::kInteger || type == TexelType::kSigned ||
             type == TexelType::kUnsigned;
    };
    if (!is_integer(a) || !is_integer(b)) return TexelType::kUnknown;
    if (a == TexelType::kInteger) return b;
    return b == TexelType::kInteger ? a : TexelType::kUnknown;
  }

  void visit(const Instruction& instruction) {
    if (const Type* type = module_.type(instruction.type_id)) types_[instruction.result_id] = type;
    const auto operands = instruction.operands;
    switch (instruction.op) {
      case spv::Op::OpSampledImage:
      case spv::Op::OpCopyObject:
      case spv::Op::OpLoad:
      case spv::Op::OpImage:
        return hand_on(operands[0], instruction.result_id);
      case spv::Op::OpStore:
        return hand_on(operands[1], operands[0]);
      case spv::Op::OpFunctionCall:
        return call(operands);
      case spv::Op::OpImageSampleExplicitLod:
      case spv::Op::OpImageRead:
        return use(operands[0], types_[instruction.result_id], mask_at(operands, 2));
      case spv::Op::OpImageWrite:
        if (const auto texel = types_.find(operands[2]); texel != types_.end())
          return use(operands[0], texel->second, mask_at(operands, 3));
        if (const decoder::Constant* constant = module_.constant(operands[2]))
          return use(operands[0], constant->type, mask_at(operands, 3));
        return;
      default:
        return;
    }
  }

  static std::uint32_t mask_at(std::span<const std::uint32_t> operands, std::size_t at) {
    return at < operands.size() ? operands[at] : 0;
  }

  void hand_on(Id from, Id to) { from_[to].push_back(from); }

  void learn(Id id, TexelType type) {
    const auto [place, is_new] = known_.try_emplace(id, type);
    const TexelType together = is_new ? type : both(place->second, type);
    if (!is_new && together == place->second) return;
    place->second = together;
    waiting_.push_back(id);
  }

  void call(std::span<const std::uint32_t> operands) {
    const decoder::Function* function = module_.function(operands[0]);
    if (function == nullptr) return;
    const std::size_t count = std::min(operands.size() - 1, function->parameters.size());
    for (std::size_t i = 0; i < count; ++i) hand_on(operands[i + 1], function->parameters[i].id);
  }

  void use(Id image, const Type* texel, std::uint32_t mask) {
    if (texel != nullptr && texel->kind == Type::Kind::kVector) texel = texel->element;
    if (texel == nullptr) return;
    TexelType type = TexelType::kUnknown;
    if (texel->kind == Type::Kind::kFloat) type = TexelType::kFloat;
    if (texel->kind == Type::Kind::kInt)
      type = (mask & kSignExtend) != 0   ? TexelType::kSigned
             : (mask & kZeroExtend) != 0 ? TexelType::kUnsigned
                                         : TexelType::kInteger;
    learn(image, type);
  }

  const decoder::Module& module_;
  std::unordered_map<Id, const Type*> types_;
  std::unordered_map<Id, std::vector<Id>>
      from_;  ///< what has the same image, and is nearer to the parameter
  std::unordered_map<Id, TexelType> known_;
  std::vector<Id> waiting_;  ///< ids of which something became known
};

}  // namespace

TexelTypes::TexelTypes(const decoder::Module& module) {
  if (std::ranges::none_of(module.types,
                           [](const auto& type) { return type->kind == Type::Kind::kImage; }))
    return;
  const ImageWalk walk(module);
  for (const decoder::EntryPoint& entry : module.entry_points)
    if (const decoder::Function* function = module.function(entry.function))
      for (const decoder::Parameter& parameter : function->parameters)
        types_[parameter.id] = walk.of(parameter.id);
}

TexelType TexelTypes::of(Id parameter) const {
  const auto found = types_.find(parameter);
  return found == types_.end() ? TexelType::kUnknown : found->second;
}

}  // namespace transpire::runtime
