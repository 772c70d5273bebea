// SPIR-V 1.0, 2.16.1: the types of each instruction's result and operands, by the table of
// signatures; also additional rules of OpSpecConstantOp and OpSelect.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "decoder/view/type_queries.h"
#include "validator/context.h"
#include "validator/family_list.h"
#include "validator/operand_rule.h"
#include "validator/signature_check.h"

namespace transpire::validator {

using spv::Op;

const ValidationRule kOperandTypes{"UNI-24",
                                   "SPIR-V 1.0, 2.16.1, and the instruction's own section of 3.32",
                                   "the result and the operands of an instruction have the types "
                                   "that the instruction is defined for",
                                   "Convert the operands explicitly: integers and floats, scalars "
                                   "and vectors, or pointers of two storage classes do not mix."};

const ValidationRule kConversionWidth{
    "V0044", "SPIR-V 1.0, 3.32.11 \"Conversion Instructions\", OpUConvert, OpSConvert, OpFConvert",
    "OpUConvert, OpSConvert and OpFConvert change the width",
    "Use the operand itself: between types of one width, these instructions copy it. Clang's own "
    "backend writes them for conversions such as convert_uchar4 of a char4.",
    InField::kWarning};

namespace rules_signatures {
namespace {

constexpr ValidationRule kSelect{
    "V0009", "SPIR-V 1.4, 3.32.15 \"Relational and Logical Instructions\", OpSelect",
    "OpSelect takes composites, and one Boolean for vectors, from SPIR-V 1.4 on",
    "Before 1.4 a vector is selected by a vector of Booleans, and a structure by control flow.",
    InField::kWarning};

class Signatures {
 public:
  explicit Signatures(Context& context)
      : context_(context), view_(context.view), signatures_(context, kOperandTypes) {}

  void check() {
    for (std::uint32_t i = 0; i < view_.instructions().size(); ++i) {
      const Op op = view_.at(i).op;
      if (op == Op::OpSpecConstantOp)
        check_constant(i);
      else if (const Signature* signature = find_signature(op))
        signatures_.check_instruction(i, *signature, 0);
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
  void check_select(std::uint32_t i);
  void check_size_of(std::uint32_t i);

  Context& context_;
  const ModuleView& view_;
  SignatureCheck signatures_;
};

/// Operations that OpSpecConstantOp may have in kernels.
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
  const bool chain = op == Op::OpAccessChain || op == Op::OpInBoundsAccessChain ||
                     op == Op::OpPtrAccessChain || op == Op::OpInBoundsPtrAccessChain;
  const Id base = view_.type_of(view_.word(i, 1));
  if (chain && (!is_pointer(view_, base) || !is_pointer(view_, view_.at(i).type_id)))
    context_.report(
        kOperandTypes, Place::at(i, is_pointer(view_, base) ? Place::kType : 1),
        fmt::format("expected a pointer for {}, found {}",
                    decoder::find_opcode(static_cast<std::uint32_t>(op))->name,
                    context_.type(is_pointer(view_, base) ? view_.at(i).type_id : base)));
  if (const Signature* signature = find_signature(op))
    signatures_.check_instruction(i, *signature, 1);
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

constexpr const ValidationRule* kRules[] = {&kOperandTypes, &kConversionWidth, &kSelect};

}  // namespace
}  // namespace rules_signatures

const Family kSignatureFamily{"signatures", rules_signatures::kRules, rules_signatures::check};

}  // namespace transpire::validator
