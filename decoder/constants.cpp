// OpConstant*, OpSpecConstant* and module-scope OpUndef to Constant, specialisation applied.
// Constituents stand before a constant, so constants form no cycle and array lengths can use them.
// Operations that give floats, composites and pointers are kept as kOperation.
#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "decoder/context.h"
#include "decoder/known_constants.h"
#include "decoder/newer_opcodes.h"

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

/// The operand check has verified the type and the number of words.
bool decode_number(Context& context, const Parsed& parsed) {
  Constant constant = make_constant(context, parsed, Constant::Kind::kScalar);
  std::uint64_t bits = parsed.operands[0];
  if (parsed.operands.size() > 1) bits |= std::uint64_t{parsed.operands[1]} << 32;
  constant.bits = truncated(bits, width_of(*constant.type));
  if (parsed.op == spv::Op::OpSpecConstant) specialise(context, constant);
  return add(context, parsed, std::move(constant));
}

/// Accepts a constant that stands before, or a global variable, whose address is meant.
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
  const std::uint64_t count = type.kind == Type::Kind::kStruct ? type.members.size()
                              : type.is_cooperative_matrix()   ? 1
                                                               : type.count;
  if (parsed.operands.size() != count)
    return context.fail(
        type.has_specialised_count ? Rule::kU0003 : Rule::kD0027, parsed,
        fmt::format("expected {} of {}, found {}{}", count_text(count, "constituent"), spell(type),
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

/// A constant with literals only (a sampler or pipe storage), or one that names a function.
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

/// Number of the operation's leading operands that are ids; the rest are literals.
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

/// OpCooperativeMatrixLengthKHR, whose operand is a type.
bool decode_matrix_length(Context& context, const Parsed& parsed) {
  Constant constant = make_constant(context, parsed, Constant::Kind::kScalar);
  const Type* const matrix = type_operand(context, parsed, parsed.operands[1]);
  if (!matrix) return false;
  if (!matrix->is_cooperative_matrix() || constant.type->kind != Type::Kind::kInt ||
      constant.type->width_bits != 32)
    return context.fail(Rule::kD0027, parsed,
                        fmt::format("expected the length of a cooperative matrix as a 32-bit "
                                    "integer, found one of {} as {}",
                                    spell(*matrix), spell(*constant.type)));
  constant.bits = matrix->count;
  constant.specialisable = true;
  return add(context, parsed, std::move(constant));
}

bool decode_operation(Context& context, const Parsed& parsed) {
  const auto op = static_cast<spv::Op>(parsed.operands[0]);
  if (op == kOpCooperativeMatrixLengthKHR) return decode_matrix_length(context, parsed);
  Constant constant = make_constant(context, parsed, Constant::Kind::kOperation);
  const std::span<const std::uint32_t> operands = parsed.operands.subspan(1);
  std::uint32_t depth = 0;
  for (const Id id : operands.first(id_operand_count(op, operands.size()))) {
    if (!check_constituent(context, parsed, id)) return false;
    depth = std::max(depth, depth_of(context, id));
  }
  constant.specialisable = true;
  auto known = known_result(context, *constant.type, op, operands);
  if (known)
    for (KnownScalar& scalar : *known)
      if (scalar.undefined_by == 0) scalar.undefined_by = constant.id;
  const bool integral =
      constant.type->kind == Type::Kind::kInt || constant.type->kind == Type::Kind::kBool;
  if (known && integral) {
    constant.kind = Constant::Kind::kScalar;
    constant.bits = (*known)[0].value.bits;
    constant.undefined = (*known)[0].undefined;
    constant.undefined_by = (*known)[0].undefined_by;
    return add(context, parsed, std::move(constant));
  }
  if (known) context.known_operations[constant.id] = *std::move(known);
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
