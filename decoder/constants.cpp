// OpConstant*, OpSpecConstant* and module-scope OpUndef to Constant, specialisation applied. What a
// constant is made of stands before it, so constants form no cycle and array lengths can use them.
// Float, vector and pointer operations are kept as kOperation.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "decoder/context.h"
#include "decoder/fold.h"

namespace transpire::decoder {
namespace {

std::uint32_t width_of(const Type& type) {
  return type.kind == Type::Kind::kBool ? 1 : type.width_bits;
}

std::uint64_t truncated(std::uint64_t bits, std::uint32_t width_bits) {
  return width_bits >= 64 ? bits : bits & ((std::uint64_t{1} << width_bits) - 1);
}

Constant make_constant(const Context& context, const Parsed& parsed, Constant::Kind kind) {
  Constant constant;
  constant.kind = kind;
  constant.id = parsed.result_id;
  constant.type = context.module.type(parsed.type_id);
  constant.word_offset = parsed.word_offset;
  return constant;
}

/// Levels of constants below and including `id`; 0 for variables.
std::uint32_t depth_of(const Context& context, Id id) {
  return context.module.constant(id) ? context.constant_depth[context.module.ids[id].index] : 0;
}

bool add(Context& context, const Parsed& parsed, Constant constant, std::uint32_t depth = 0) {
  if (depth >= kMaxConstantDepth)
    return context.fail(
        Rule::kD0030, parsed,
        fmt::format("expected constants nested at most {} deep", kMaxConstantDepth));
  Module& module = context.module;
  module.ids[constant.id].index = static_cast<std::uint32_t>(module.constants.size());
  module.constants.push_back(std::move(constant));
  context.constant_depth.push_back(depth + 1);
  return true;
}

/// Marks a scalar specialisation constant and applies the caller's value for its SpecId.
void specialise(const Context& context, Constant& constant) {
  constant.specialisable = true;
  const Decoration* decoration = context.module.decoration(constant.id, spv::Decoration::SpecId);
  if (!decoration || decoration->operands.empty()) return;
  constant.has_spec_id = true;
  constant.spec_id = decoration->operands[0];
  const auto value = context.options.specialisation.find(constant.spec_id);
  if (value == context.options.specialisation.end()) return;
  constant.bits = constant.type->kind == Type::Kind::kBool
                      ? value->second != 0
                      : truncated(value->second, width_of(*constant.type));
}

bool decode_bool(Context& context, const Parsed& parsed) {
  Constant constant = make_constant(context, parsed, Constant::Kind::kScalar);
  if (constant.type->kind != Type::Kind::kBool)
    return context.fail(Rule::kD0027, parsed,
                        fmt::format("expected type bool, found {}", spell(*constant.type)));
  constant.bits = parsed.op == spv::Op::OpConstantTrue || parsed.op == spv::Op::OpSpecConstantTrue;
  if (parsed.op == spv::Op::OpSpecConstantTrue || parsed.op == spv::Op::OpSpecConstantFalse)
    specialise(context, constant);
  return add(context, parsed, std::move(constant));
}

/// The operand check has seen to the type and to the number of words.
bool decode_number(Context& context, const Parsed& parsed) {
  Constant constant = make_constant(context, parsed, Constant::Kind::kScalar);
  std::uint64_t bits = parsed.operands[0];
  if (parsed.operands.size() > 1) bits |= std::uint64_t{parsed.operands[1]} << 32;
  constant.bits = truncated(bits, width_of(*constant.type));
  if (parsed.op == spv::Op::OpSpecConstant) specialise(context, constant);
  return add(context, parsed, std::move(constant));
}

/// A constant that stands before, or a global variable, whose address is one.
bool check_constituent(Context& context, const Parsed& parsed, Id id) {
  const Module& module = context.module;
  if (module.constant(id)) return true;
  // A variable may stand later: its type id is known already.
  if (module.kind_of(id) == IdKind::kVariable && module.type_of(id)) return true;
  return context.fail(
      Rule::kD0028, parsed,
      fmt::format("expected a constant declared before, found {}", module.spell_id(id)));
}

const Type& constituent_type(const Type& composite, std::size_t index) {
  return composite.kind == Type::Kind::kStruct ? *composite.members[index] : *composite.element;
}

bool decode_composite(Context& context, const Parsed& parsed) {
  Constant constant = make_constant(context, parsed, Constant::Kind::kComposite);
  const Type& type = *constant.type;
  if (!type.is_composite())
    return context.fail(
        Rule::kD0027, parsed,
        fmt::format("expected a vector, array or struct type, found {}", spell(type)));
  const std::uint64_t count = type.kind == Type::Kind::kStruct ? type.members.size() : type.count;
  if (parsed.operands.size() != count)
    return context.fail(
        type.has_specialised_count ? Rule::kU0003 : Rule::kD0027, parsed,
        fmt::format("expected {} constituents of {}, found {}{}", count, spell(type),
                    parsed.operands.size(),
                    type.has_specialised_count
                        ? ": its length, which specialization constants give, is another one"
                        : ""));
  std::uint32_t depth = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Id id = parsed.operands[i];
    if (!check_constituent(context, parsed, id)) return false;
    const Type& expected = constituent_type(type, i);
    const Type& found = *context.module.type_of(id);
    if (!same_shape(expected, found))
      return context.fail(
          Rule::kD0027, parsed,
          fmt::format("expected {} for constituent {}, found {} of type {}", spell(expected), i,
                      context.module.spell_id(id), spell(found)));
    depth = std::max(depth, depth_of(context, id));
  }
  constant.elements.assign(parsed.operands.begin(), parsed.operands.end());
  constant.specialisable = parsed.op == spv::Op::OpSpecConstantComposite;
  return add(context, parsed, std::move(constant), depth);
}

bool decode_null(Context& context, const Parsed& parsed, Constant::Kind kind) {
  Constant constant = make_constant(context, parsed, kind);
  if (constant.type->kind == Type::Kind::kVoid || constant.type->kind == Type::Kind::kFunction)
    return context.fail(
        Rule::kD0027, parsed,
        fmt::format("expected a type that has values, found {}", spell(*constant.type)));
  return add(context, parsed, std::move(constant));
}

/// A literal-only constant: a sampler or a pipe storage; or one that names a function.
bool decode_literals(Context& context, const Parsed& parsed) {
  const bool sampler = parsed.op == spv::Op::OpConstantSampler;
  Constant constant = make_constant(
      context, parsed, sampler ? Constant::Kind::kSampler : Constant::Kind::kOperation);
  if (sampler && constant.type->kind != Type::Kind::kSampler)
    return context.fail(Rule::kD0027, parsed,
                        fmt::format("expected a sampler type, found {}", spell(*constant.type)));
  if (!sampler) constant.operation = parsed.op;
  constant.elements.assign(parsed.operands.begin(), parsed.operands.end());
  return add(context, parsed, std::move(constant));
}

/// A scalar operand whose bits are known; nothing for composites and unevaluated operations.
std::optional<FoldOperand> fold_operand(const Context& context, Id id) {
  const Constant* constant = context.module.constant(id);
  if (!constant) return std::nullopt;
  const bool integral =
      constant->type->kind == Type::Kind::kInt || constant->type->kind == Type::Kind::kBool;
  const bool known = constant->kind == Constant::Kind::kScalar ||
                     constant->kind == Constant::Kind::kNull ||
                     constant->kind == Constant::Kind::kUndef;
  if (!integral || !known) return std::nullopt;
  return FoldOperand{constant->bits, width_of(*constant->type)};
}

/// Bits of the operation, when it is one on known scalar integers and Booleans.
std::optional<std::uint64_t> evaluate(const Context& context, const Type& type, spv::Op op,
                                      std::span<const std::uint32_t> operands) {
  const std::optional<std::size_t> count = fold_operand_count(op);
  const bool integral = type.kind == Type::Kind::kInt || type.kind == Type::Kind::kBool;
  if (!count || *count != operands.size() || !integral) return std::nullopt;
  FoldOperand known[3];
  for (std::size_t i = 0; i < *count; ++i) {
    const std::optional<FoldOperand> operand = fold_operand(context, operands[i]);
    if (!operand) return std::nullopt;
    known[i] = *operand;
  }
  return fold(op, {known, *count}, width_of(type));
}

/// How many of the operation's leading operands are ids; the rest are literals.
std::size_t id_operand_count(spv::Op op, std::size_t count) {
  switch (op) {
    case spv::Op::OpCompositeExtract:
      return 1;
    case spv::Op::OpCompositeInsert:
    case spv::Op::OpVectorShuffle:
      return 2;
    default:
      return count;
  }
}

/// Notes whether the result of an operation is defined. An undefined operand makes it undefined, unless it is not selected.
void note_undefined(const Context& context, spv::Op op, std::span<const std::uint32_t> operands,
                    Constant& constant) {
  const std::optional<std::size_t> count = fold_operand_count(op);
  if (!count || *count != operands.size()) return;
  FoldOperand known[3];
  const Constant* undefined = nullptr;
  for (std::size_t i = 0; i < *count; ++i) {
    const std::optional<FoldOperand> operand = fold_operand(context, operands[i]);
    if (!operand) return;
    known[i] = *operand;
    const bool selected = op != spv::Op::OpSelect || i == 0 || i == (known[0].bits != 0 ? 1u : 2u);
    const Constant* each = context.module.constant(operands[i]);
    if (selected && each->undefined != Undefined::kNo) undefined = each;
  }
  constant.undefined = undefined_result(op, {known, *count});
  constant.undefined_by = constant.id;
  if (constant.undefined != Undefined::kNo || undefined == nullptr) return;
  constant.undefined = undefined->undefined;
  constant.undefined_by = undefined->undefined_by;
}

bool decode_operation(Context& context, const Parsed& parsed) {
  Constant constant = make_constant(context, parsed, Constant::Kind::kOperation);
  const auto op = static_cast<spv::Op>(parsed.operands[0]);
  const std::span<const std::uint32_t> operands = parsed.operands.subspan(1);
  std::uint32_t depth = 0;
  for (const Id id : operands.first(id_operand_count(op, operands.size()))) {
    if (!check_constituent(context, parsed, id)) return false;
    depth = std::max(depth, depth_of(context, id));
  }
  constant.specialisable = true;
  note_undefined(context, op, operands, constant);
  if (const auto bits = evaluate(context, *constant.type, op, operands)) {
    constant.kind = Constant::Kind::kScalar;
    constant.bits = *bits;
    return add(context, parsed, std::move(constant));
  }
  constant.operation = op;
  constant.elements.assign(operands.begin(), operands.end());
  return add(context, parsed, std::move(constant), depth);
}

}  // namespace

bool decode_constant(Context& context, const Parsed& parsed) {
  switch (parsed.op) {
    case spv::Op::OpConstantTrue:
    case spv::Op::OpConstantFalse:
    case spv::Op::OpSpecConstantTrue:
    case spv::Op::OpSpecConstantFalse:
      return decode_bool(context, parsed);
    case spv::Op::OpConstant:
    case spv::Op::OpSpecConstant:
      return decode_number(context, parsed);
    case spv::Op::OpConstantComposite:
    case spv::Op::OpSpecConstantComposite:
      return decode_composite(context, parsed);
    case spv::Op::OpConstantNull:
      return decode_null(context, parsed, Constant::Kind::kNull);
    case spv::Op::OpUndef:
      return decode_null(context, parsed, Constant::Kind::kUndef);
    case spv::Op::OpConstantSampler:
    case spv::Op::OpConstantPipeStorage:
    case spv::Op::OpConstantFunctionPointerINTEL:
      return decode_literals(context, parsed);
    case spv::Op::OpSpecConstantOp:
      return decode_operation(context, parsed);
    default:
      return context.fail(Rule::kU0001, parsed,
                          fmt::format("{} is not supported", opcode_name(parsed.op)));
  }
}

}  // namespace transpire::decoder
