// See image_use.h.
#include "analysis/image_use.h"

#include <span>

#include "analysis/use_walk.h"

namespace transpire::analysis {
namespace {

using decoder::Id;
using decoder::Instruction;
using decoder::Type;

constexpr auto kSignExtend = static_cast<std::uint32_t>(spv::ImageOperandsMask::SignExtend);
constexpr auto kZeroExtend = static_cast<std::uint32_t>(spv::ImageOperandsMask::ZeroExtend);

struct ImageUses {
  using Fact = TexelType;

  /// No format fits an image that is read both as integers and as floats.
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

  template <class Walk>
  void visit(const Instruction& instruction, Walk& walk) {
    const auto operands = instruction.operands;
    switch (instruction.op) {
      case spv::Op::OpSampledImage:
      case spv::Op::OpImage:
        return walk.hand_on(operands[0], instruction.result_id);
      case spv::Op::OpImageSampleExplicitLod:
      case spv::Op::OpImageRead:
        return use(walk, operands[0], instruction.result_id, mask_at(operands, 2));
      case spv::Op::OpImageWrite:
        return use(walk, operands[0], operands[2], mask_at(operands, 3));
      default:
        return;
    }
  }

 private:
  static std::uint32_t mask_at(std::span<const std::uint32_t> operands, std::size_t at) {
    return at < operands.size() ? operands[at] : 0;
  }

  template <class Walk>
  static void use(Walk& walk, Id image, Id texel_id, std::uint32_t mask) {
    const Type* texel = walk.type_of(texel_id);
    if (texel != nullptr && texel->kind == Type::Kind::kVector) texel = texel->element;
    if (texel == nullptr) return;
    TexelType type = TexelType::kUnknown;
    if (texel->kind == Type::Kind::kFloat) type = TexelType::kFloat;
    if (texel->kind == Type::Kind::kInt)
      type = (mask & kSignExtend) != 0   ? TexelType::kSigned
             : (mask & kZeroExtend) != 0 ? TexelType::kUnsigned
                                         : TexelType::kInteger;
    walk.use(image, type);
  }
};

}  // namespace

TexelTypes::TexelTypes(const decoder::Module& module) {
  if (!has_type(module, Type::Kind::kImage)) return;
  const UseWalk<ImageUses> walk(module);
  for (const decoder::EntryPoint& entry : module.entry_points)
    if (const decoder::Function* function = module.function(entry.function))
      for (const decoder::Parameter& parameter : function->parameters)
        if (const TexelType* type = walk.of(parameter.id)) types_[parameter.id] = *type;
}

TexelType TexelTypes::of(Id parameter) const {
  const auto found = types_.find(parameter);
  return found == types_.end() ? TexelType::kUnknown : found->second;
}

}  // namespace transpire::analysis
