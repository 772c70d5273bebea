// SPIR-V 1.0, 2.16.1: each instruction's result and operands have the types that it is defined for,
// by the table of signatures; and what OpSpecConstantOp, OpExtInst and OpSelect add to it.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "validator/context.h"
#include "validator/family_list.h"
#include "validator/operand_rule.h"
#include "validator/signatures.h"
#include "validator/types.h"

namespace transpire::validator {

using spv::Op;

const ValidationRule kOperandTypes{"UNI-24",
                                   "SPIR-V 1.0, 2.16.1, and the instruction's own section of 3.32",
                                   "the result and the operands of an instruction have the types "
                                   "that the instruction is defined for",
                                   "Convert the operand first; integers and floats, scalars and "
                                   "vectors, pointers of two classes do not "
                                   "mix."};

namespace {

constexpr ValidationRule kSelect{
    "V0009", "SPIR-V 1.4, 3.32.15 \"Relational and Logical Instructions\", OpSelect",
    "OpSelect takes composites, and one Boolean for vectors, from SPIR-V 1.4 on",
    "Before 1.4 a vector is selected by a vector of Booleans, and a structure by control flow.",
    InField::kWarning};

class Signatures {
 public:
  explicit Signatures(Context& context) : context_(context), view_(context.view) {}

  void check() {
    for (std::uint32_t i = 0; i < view_.instructions().size(); ++i) {
      const Op op = view_.at(i).op;
      if (op == Op::OpSpecConstantOp)
        check_constant(i);
      else if (const Signature* signature = find_signature(op))
        check_instruction(i, *signature, 0);
      if (op == Op::OpSelect) check_select(i);
      if (op == Op::OpSizeOf) check_size_of(i);
      if (op == Op::OpExtInst && view_.op_of(view_.word(i, 0)) != Op::OpExtInstImport)
        context_.report(
            kOperandTypes, Place::at(i, 0),
            fmt::format("expected an OpExtInstImport, found {}", context_.name(view_.word(i, 0))));
    }
  }

 private:
  void check_constant(std::uint32_t i);
  void check_instruction(std::uint32_t i, const Signature& signature, std::size_t first);
  void check_select(std::uint32_t i);
  void check_size_of(std::uint32_t i);
  bool has_class(Id type, TypeClass wanted) const;
  bool has_scalar_class(Id type, TypeClass wanted) const;
  bool holds(std::uint32_t i, std::size_t first, Id type, Relation relation) const;
  bool check_type(std::uint32_t i, int operand, std::size_t first, Id type,
                  const OperandSignature& wanted);

  /// The type that a relation speaks of.
  Id other_type(std::uint32_t i, std::size_t first, int other) const {
    if (other == Relation::kResult) return view_.at(i).type_id;
    return view_.type_of(view_.word(i, first + static_cast<std::size_t>(other)));
  }
  std::string spell_relation(std::uint32_t i, std::size_t first, Relation relation) const;

  Context& context_;
  const ModuleView& view_;
};

bool Signatures::has_scalar_class(Id type, TypeClass wanted) const {
  const bool integer = view_.is_int(type), real = view_.is_float(type),
             boolean = is_bool(view_, type);
  switch (wanted) {
    case TypeClass::kInt:
    case TypeClass::kInts:
    case TypeClass::kIntv:
      return integer;
    case TypeClass::kFloat:
    case TypeClass::kFloats:
    case TypeClass::kFloatv:
      return real;
    case TypeClass::kBool:
    case TypeClass::kBools:
    case TypeClass::kBoolv:
      return boolean;
    case TypeClass::kNum:
    case TypeClass::kNums:
      return integer || real;
    default:
      return integer || real || boolean;
  }
}

bool Signatures::has_class(Id type, TypeClass wanted) const {
  const Op op = view_.op_of(type);
  switch (wanted) {
    case TypeClass::kInt:
    case TypeClass::kFloat:
    case TypeClass::kBool:
    case TypeClass::kNum:
    case TypeClass::kScalar:
      return has_scalar_class(type, wanted);
    case TypeClass::kInts:
    case TypeClass::kFloats:
    case TypeClass::kBools:
    case TypeClass::kNums:
    case TypeClass::kScalars:
      return has_scalar_class(view_.component_type(type), wanted);
    case TypeClass::kIntv:
    case TypeClass::kFloatv:
    case TypeClass::kBoolv:
    case TypeClass::kVec:
      return op == Op::OpTypeVector && has_scalar_class(view_.component_type(type), wanted);
    case TypeClass::kValue:
      return view_.is_type(type) && op != Op::OpTypeVoid && op != Op::OpTypeFunction;
    case TypeClass::kPtr:
      return op == Op::OpTypePointer;
    case TypeClass::kStruct:
      return op == Op::OpTypeStruct;
    case TypeClass::kEvent:
      return op == Op::OpTypeEvent;
    case TypeClass::kDevevent:
      return op == Op::OpTypeDeviceEvent;
    case TypeClass::kQueue:
      return op == Op::OpTypeQueue;
    case TypeClass::kReserve:
      return op == Op::OpTypeReserveId;
    case TypeClass::kPipe:
      return op == Op::OpTypePipe;
    case TypeClass::kStorage:
      return op == Op::OpTypePipeStorage;
    case TypeClass::kBarrier:
      return op == Op::OpTypeNamedBarrier;
    case TypeClass::kEventptr:
      return view_.op_of(view_.pointee(type)) == Op::OpTypeEvent;
    case TypeClass::kLocalid:
      return view_.is_int(view_.component_type(type)) && component_count(view_, type) <= 3;
    case TypeClass::kPair:
      return op == Op::OpTypeStruct && part_count(view_, type) == 2u &&
             part_type(view_, type, 0) == part_type(view_, type, 1) &&
             view_.is_int(view_.component_type(part_type(view_, type, 0)));
    case TypeClass::kFn:
    case TypeClass::kAny:
      return true;
  }
  return true;
}

bool Signatures::holds(std::uint32_t i, std::size_t first, Id type, Relation relation) const {
  if (relation.kind == ':')
    return component_width(view_, type) == static_cast<std::uint32_t>(relation.other);
  const Id other = other_type(i, first, relation.other);
  if (!view_.is_type(other)) return true;  // reported where it stands
  switch (relation.kind) {
    case '=':
      return type == other;
    case '#':
      return component_count(view_, type) == component_count(view_, other);
    case '%':
      return component_width(view_, type) == component_width(view_, other);
    case '!':
      return component_width(view_, type) != component_width(view_, other);
    case '.':
      return type == view_.component_type(other);
    case '^':
      return view_.component_type(type) == other;
    case '>':
      return view_.pointee(type) == other;
    case '<':
      return type == view_.pointee(other);
    case '@':
      return type == part_type(view_, other, 0);
    default:
      return true;
  }
}

std::string Signatures::spell_relation(std::uint32_t i, std::size_t first,
                                       Relation relation) const {
  if (relation.kind == ':') return fmt::format("of {} bits", relation.other);
  const Id other = other_type(i, first, relation.other);
  const std::string type = context_.type(other);
  const std::string whose = relation.other == Relation::kResult
                                ? "the result's type"
                                : fmt::format("operand {}'s type", relation.other + 1);
  switch (relation.kind) {
    case '=':
      return fmt::format("of {}, {}", whose, type);
    case '#':
      return fmt::format("with as many components as {}, {}", whose, type);
    case '%':
      return fmt::format("as wide as {}, {}", whose, type);
    case '!':
      return fmt::format("of another width than {}, {}", whose, type);
    case '.':
      return fmt::format("of the component type of {}, {}", whose, type);
    case '^':
      return fmt::format("whose components have {}, {}", whose, type);
    case '>':
      return fmt::format("to {}, {}", whose, type);
    case '<':
      return fmt::format("of the type that {} points to, {}", whose,
                         context_.type(view_.pointee(other)));
    case '@':
      return fmt::format("of the members' type, {}", context_.type(part_type(view_, other, 0)));
    default:
      return {};
  }
}

/// False when something was wrong.
bool Signatures::check_type(std::uint32_t i, int operand, std::size_t first, Id type,
                            const OperandSignature& wanted) {
  if (wanted.type_class == TypeClass::kAny) return true;
  const auto report = [&](const std::string& expected) {
    context_.report(kOperandTypes, Place::at(i, operand),
                    fmt::format("expected {}, found {}", expected, context_.type(type)));
    return false;
  };
  if (!has_class(type, wanted.type_class)) return report(std::string(describe(wanted.type_class)));
  for (const Relation relation : wanted.relations)
    if (relation.kind != 0 && !holds(i, first, type, relation))
      return report(
          fmt::format("{} {}", describe(wanted.type_class), spell_relation(i, first, relation)));
  return true;
}

void Signatures::check_instruction(std::uint32_t i, const Signature& signature, std::size_t first) {
  if (!check_type(i, Place::kType, first, view_.at(i).type_id, signature.result)) return;
  for (std::size_t n = 0; n < signature.operands.size(); ++n) {
    const OperandSignature& wanted = signature.operands[n];
    if (!view_.has_operand(i, first + n)) return;  // missing words are UNI-23's
    const Id id = view_.word(i, first + n);
    const int operand = static_cast<int>(first + n);
    if (wanted.type_class == TypeClass::kAny) continue;
    const bool function = view_.op_of(id) == Op::OpFunction;
    if (function == (wanted.type_class == TypeClass::kFn)) {
      if (function) continue;
      if (is_value(view_, id)) {
        if (!check_type(i, operand, first, view_.type_of(id), wanted)) return;
        continue;
      }
    }
    context_.report(
        kOperandTypes, Place::at(i, operand),
        fmt::format("expected {}, found {}", describe(wanted.type_class), context_.name(id)));
    return;
  }
}

/// What OpSpecConstantOp may stand for in kernels.
constexpr Op kConstantOperations[] = {
    Op::OpSConvert,
    Op::OpFConvert,
    Op::OpUConvert,
    Op::OpConvertFToS,
    Op::OpConvertSToF,
    Op::OpConvertFToU,
    Op::OpConvertUToF,
    Op::OpConvertPtrToU,
    Op::OpConvertUToPtr,
    Op::OpGenericCastToPtr,
    Op::OpPtrCastToGeneric,
    Op::OpBitcast,
    Op::OpSNegate,
    Op::OpFNegate,
    Op::OpNot,
    Op::OpIAdd,
    Op::OpISub,
    Op::OpIMul,
    Op::OpUDiv,
    Op::OpSDiv,
    Op::OpUMod,
    Op::OpSRem,
    Op::OpSMod,
    Op::OpFAdd,
    Op::OpFSub,
    Op::OpFMul,
    Op::OpFDiv,
    Op::OpFRem,
    Op::OpFMod,
    Op::OpShiftRightLogical,
    Op::OpShiftRightArithmetic,
    Op::OpShiftLeftLogical,
    Op::OpBitwiseOr,
    Op::OpBitwiseXor,
    Op::OpBitwiseAnd,
    Op::OpVectorShuffle,
    Op::OpCompositeExtract,
    Op::OpCompositeInsert,
    Op::OpLogicalOr,
    Op::OpLogicalAnd,
    Op::OpLogicalNot,
    Op::OpLogicalEqual,
    Op::OpLogicalNotEqual,
    Op::OpSelect,
    Op::OpIEqual,
    Op::OpINotEqual,
    Op::OpULessThan,
    Op::OpSLessThan,
    Op::OpUGreaterThan,
    Op::OpSGreaterThan,
    Op::OpULessThanEqual,
    Op::OpSLessThanEqual,
    Op::OpUGreaterThanEqual,
    Op::OpSGreaterThanEqual,
    Op::OpAccessChain,
    Op::OpInBoundsAccessChain,
    Op::OpPtrAccessChain,
    Op::OpInBoundsPtrAccessChain,
};

void Signatures::check_constant(std::uint32_t i) {
  const Op op = static_cast<Op>(view_.word(i, 0));
  if (std::ranges::find(kConstantOperations, op) == std::end(kConstantOperations)) {
    const auto* info = decoder::find_opcode(view_.word(i, 0));
    context_.report(
        kOperandTypes, Place::at(i, 0),
        fmt::format("expected an operation that specialization constants have, found {}",
                    info ? info->name : "an unknown one"));
    return;
  }
  if (const Signature* signature = find_signature(op)) check_instruction(i, *signature, 1);
}

void Signatures::check_select(std::uint32_t i) {
  const Id result = view_.at(i).type_id;
  const Id condition = view_.type_of(view_.word(i, 0));
  const bool vector = is_vector(view_, result);
  const bool plain = vector || is_pointer(view_, result) || component_width(view_, result) != 0;
  const std::uint32_t count = component_count(view_, condition);
  if (count != 1 && (!vector || count != component_count(view_, result))) {
    context_.report(kOperandTypes, Place::at(i, 0),
                    fmt::format("expected a Boolean for each component of {}, found {}",
                                context_.type(result), context_.type(condition)));
    return;
  }
  if (view_.version() >= 0x00010400) return;
  if (!plain)
    context_.report(
        kSelect, Place::at(i, Place::kType),
        fmt::format("expected a scalar, a vector or a pointer before SPIR-V 1.4, found {}",
                    context_.type(result)));
  else if (vector && count == 1)
    context_.report(kSelect, Place::at(i, 0),
                    fmt::format("expected a Boolean for each component of {} before SPIR-V 1.4, "
                                "found one",
                                context_.type(result)));
}

void Signatures::check_size_of(std::uint32_t i) {
  const Id id = view_.word(i, 0);
  if (!is_pointer(view_, is_value(view_, id) ? view_.type_of(id) : id))
    context_.report(kOperandTypes, Place::at(i, 0),
                    fmt::format("expected a pointer, found {}", context_.name(id)));
}

void check(Context& context) { Signatures(context).check(); }

constexpr const ValidationRule* kRules[] = {&kOperandTypes, &kSelect};

}  // namespace

const Family kSignatureFamily{"signatures", kRules, check};

}  // namespace transpire::validator
