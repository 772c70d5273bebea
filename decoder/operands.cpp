// Checks an instruction's operands against the grammar: number of words, ids, strings and
// enumerants. The first pass has found all results, so the kind of each id is checked; values and
// labels must belong to the current function. Types of values are not compared here.
#include <fmt/format.h>

#include "base/counted.h"
#include "decoder/context.h"
#include "decoder/execution_models.h"
#include "decoder/newer_opcodes.h"
#include "decoder/untyped.h"

namespace transpire::decoder {
namespace {

/// True for enumerations whose values a consumer depends on: an unknown value is an error.
bool is_strict(OperandKind kind) {
  switch (kind) {
    case OperandKind::kAddressingModel:
    case OperandKind::kMemoryModel:
    case OperandKind::kExecutionModel:
    case OperandKind::kStorageClass:
    case OperandKind::kDim:
    case OperandKind::kAccessQualifier:
    case OperandKind::kSamplerAddressingMode:
    case OperandKind::kSamplerFilterMode:
    case OperandKind::kGroupOperation:
    case OperandKind::kMemoryAccess:
    case OperandKind::kImageOperands:
    case OperandKind::kLinkageType:
      return true;
    default:
      return false;
  }
}

/// True for operations that OpSpecConstantOp may have.
bool makes_constant(const OpcodeInfo& info) {
  const auto op = static_cast<spv::Op>(info.opcode);
  if (op == kOpCooperativeMatrixLengthKHR) return true;
  switch (op) {
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpPtrAccessChain:
    case spv::Op::OpInBoundsPtrAccessChain:
      return true;
    default:
      break;
  }
  return info.class_name == "Arithmetic" || info.class_name == "Bit" ||
         info.class_name == "Conversion" || info.class_name == "Composite" ||
         info.class_name == "Relational_and_Logical";
}

/// Walks one instruction. `at_` counts the operand words consumed.
class OperandReader {
 public:
  OperandReader(Context& context, const Parsed& parsed)
      : context_(context), parsed_(parsed), words_(parsed.operands) {}

  bool run() { return read_all(parsed_.info->operands) && at_end(); }

 private:
  std::size_t left() const { return words_.size() - at_; }

  bool at_end() {
    if (left() == 0) return true;
    return context_.fail(
        Rule::kD0010, parsed_,
        fmt::format("expected {}, found {}", count_text(parsed_.words.size() - left(), "word"),
                    parsed_.words.size()));
  }

  bool need(std::size_t count, OperandKind kind) {
    if (left() >= count) return true;
    return context_.fail(
        Rule::kD0009, parsed_,
        fmt::format("expected an operand of kind {} at word {} of the instruction, "
                    "found its end",
                    kind_name(kind), parsed_.words.size() - left()));
  }

  bool read_all(std::span<const OperandSpec> specs) {
    for (const OperandSpec& spec : specs) {
      if (spec.quantifier == Quantifier::kOne && !read(spec.kind)) return false;
      if (spec.quantifier == Quantifier::kOptional && left() > 0 && !read(spec.kind)) return false;
      if (spec.quantifier == Quantifier::kAny)
        while (left() > 0)
          if (!read(spec.kind)) return false;
    }
    return true;
  }

  bool read(OperandKind kind) {
    switch (kind) {
      case OperandKind::kLiteralString:
        return read_text();
      case OperandKind::kLiteralContextDependentNumber:
        return read_number();
      case OperandKind::kLiteralExtInstInteger:
        return read_ext_inst();
      case OperandKind::kLiteralSpecConstantOpInteger:
        return read_spec_constant_op();
      case OperandKind::kPairLiteralIntegerIdRef:
        return read_case();
      case OperandKind::kPairIdRefLiteralInteger:
        return read_id(IdRole::kDefined) && read(OperandKind::kLiteralInteger);
      case OperandKind::kPairIdRefIdRef:
        return read(OperandKind::kIdRef) && read(OperandKind::kIdRef);
      default:
        break;
    }
    switch (category_of(kind)) {
      case Category::kId:
        return need(1, kind) && read_id(role_of(kind));
      case Category::kBitEnum:
        return read_mask(kind);
      case Category::kValueEnum:
        return read_enumerant(kind);
      default:
        break;
    }
    if (!need(1, kind)) return false;
    ++at_;
    return true;
  }

  IdRole role_of(OperandKind kind) const;

  bool read_id(IdRole role) {
    if (!need(1, OperandKind::kIdRef)) return false;
    return check_id(context_, parsed_, words_[at_++], role);
  }

  bool read_text();
  bool read_number();
  bool read_case();
  bool read_ext_inst();
  bool read_spec_constant_op();
  bool read_enumerant(OperandKind kind);
  bool read_mask(OperandKind kind);
  bool check_alignment(std::uint32_t alignment);

  bool skip_rest() {
    at_ = words_.size();
    return true;
  }

  Context& context_;
  const Parsed& parsed_;
  std::span<const std::uint32_t> words_;
  std::size_t at_ = 0;
  bool in_memory_access_ = false;
};

/// The role of an id operand, by opcode and position.
IdRole OperandReader::role_of(OperandKind kind) const {
  switch (parsed_.op) {
    case spv::Op::OpName:
    case spv::Op::OpMemberName:
    case spv::Op::OpTypeForwardPointer:
      return IdRole::kAnything;
    case spv::Op::OpLine:
      return IdRole::kString;
    case spv::Op::OpExtInst:
      if (at_ == 0) return IdRole::kImport;
      return at_ == 2 && set_of(context_, parsed_) == ExtendedSet::kDebugPrintf ? IdRole::kString
                                                                                : IdRole::kValue;
    default:
      break;
  }
  // Outside a body, each family checks itself what its ids name.
  if (context_.function_index == kNoFunction) return IdRole::kDefined;
  if (parsed_.op == kOpCooperativeMatrixLengthKHR) return IdRole::kDefined;
  if (typed_op(parsed_.op) != parsed_.op)
    return at_ == seen_operand(parsed_.op) ? IdRole::kDefined : IdRole::kValue;
  switch (parsed_.op) {
    case spv::Op::OpFunction:
    case spv::Op::OpSizeOf:  // a pointer, or a type of pointers
    case spv::Op::OpCooperativeMatrixLengthNV:
      return IdRole::kDefined;
    case spv::Op::OpBranch:
    case spv::Op::OpLoopMerge:
    case spv::Op::OpSelectionMerge:
      return IdRole::kLabel;
    case spv::Op::OpBranchConditional:
    case spv::Op::OpSwitch:
      return at_ == 0 ? IdRole::kValue : IdRole::kLabel;
    case spv::Op::OpPhi:
      return at_ % 2 == 0 ? IdRole::kValue : IdRole::kLabel;
    case spv::Op::OpFunctionCall:
    case spv::Op::OpGetKernelWorkGroupSize:
    case spv::Op::OpGetKernelPreferredWorkGroupSizeMultiple:
    case spv::Op::OpGetKernelMaxNumSubgroups:
      return at_ == 0 ? IdRole::kFunction : IdRole::kValue;
    case spv::Op::OpGetKernelNDrangeSubGroupCount:
    case spv::Op::OpGetKernelNDrangeMaxSubGroupSize:
    case spv::Op::OpGetKernelLocalSizeForSubgroupCount:
      return at_ == 1 ? IdRole::kFunction : IdRole::kValue;
    case spv::Op::OpEnqueueKernel:
      return at_ == 6 ? IdRole::kFunction : IdRole::kValue;
    case spv::Op::OpAsmCallINTEL:
      return at_ == 0 ? IdRole::kDefined : IdRole::kValue;
    default:
      break;
  }
  // Alias scopes (SPV_INTEL_memory_access_aliasing) are results without a value.
  const bool alias_scope = in_memory_access_ && kind == OperandKind::kIdRef;
  return alias_scope ? IdRole::kDefined : IdRole::kValue;
}

bool OperandReader::read_text() {
  if (!need(1, OperandKind::kLiteralString)) return false;
  std::string text;
  const std::uint32_t taken = read_string(words_.subspan(at_), text);
  if (taken == 0)
    return context_.fail(Rule::kD0011, parsed_,
                         "expected a zero octet at the end of the string, "
                         "found the end of the instruction");
  const bool compared =
      parsed_.info->class_name == "Extension" || parsed_.op == spv::Op::OpEntryPoint ||
      (parsed_.op == spv::Op::OpDecorate && words_.size() > 1 &&
       words_[1] == static_cast<std::uint32_t>(spv::Decoration::LinkageAttributes));
  if (compared && !is_utf8(text))
    return context_.fail(Rule::kD0012, parsed_,
                         fmt::format("expected UTF-8, found \"{}\"", sanitise_utf8(text)));
  at_ += taken;
  return true;
}

bool OperandReader::read_number() {
  const Type* type = context_.module.type(parsed_.type_id);
  if (!type || (type->kind != Type::Kind::kInt && type->kind != Type::Kind::kFloat))
    return context_.fail(
        Rule::kD0027, parsed_,
        fmt::format("expected an integer or float type, found {}", type ? spell(*type) : "none"));
  const std::uint32_t count = (type->width_bits + 31) / 32;
  if (!need(count, OperandKind::kLiteralContextDependentNumber)) return false;
  at_ += count;
  return true;
}

bool OperandReader::read_case() {
  const Type* selector = context_.module.type_of(words_[0]);
  if (!selector || selector->kind != Type::Kind::kInt)
    return context_.fail(Rule::kD0018, parsed_,
                         fmt::format("expected an integer selector, found {}",
                                     selector ? spell(*selector) : "none"));
  const std::uint32_t count = (selector->width_bits + 31) / 32;
  if (!need(count + 1, OperandKind::kPairLiteralIntegerIdRef)) return false;
  at_ += count;
  return read_id(IdRole::kLabel);
}

/// The set was read just before. It decides how the operands behind the number are read.
bool OperandReader::read_ext_inst() {
  if (!need(1, OperandKind::kLiteralExtInstInteger)) return false;
  const std::uint32_t number = words_[at_++];
  const ExtInstImport* import = context_.module.ext_inst_import(words_[0]);
  if (!import)
    return context_.fail(Rule::kD0018, parsed_,
                         fmt::format("expected an instruction set imported before, found {}",
                                     context_.module.spell_id(words_[0])));
  if (row_of(import->set).kind == SetKind::kUnsupported) return true;
  if (!computes(import->set)) return skip_rest();
  const ExtInstInfo* info = find_ext_inst(import->set, number);
  if (!info)
    return context_.fail(Rule::kD0038, parsed_,
                         fmt::format("{} has no instruction {}", import->name, number));
  return read_all(info->operands) && at_end();
}

bool OperandReader::read_spec_constant_op() {
  if (!need(1, OperandKind::kLiteralSpecConstantOpInteger)) return false;
  const OpcodeInfo* info = find_opcode(words_[at_++]);
  if (!info || !makes_constant(*info))
    return context_.fail(Rule::kD0029, parsed_,
                         fmt::format("expected an operation on constants, found {}",
                                     info ? std::string(info->name) : fmt::to_string(words_[0])));
  return read_all(info->operands);
}

bool OperandReader::read_enumerant(OperandKind kind) {
  if (!need(1, kind)) return false;
  const std::uint32_t value = words_[at_++];
  if (const EnumerantInfo* info = find_enumerant(kind, value)) {
    const std::size_t first = at_;
    if (!read_all(info->parameters)) return false;
    const bool alignment = kind == OperandKind::kDecoration &&
                           value == static_cast<std::uint32_t>(spv::Decoration::Alignment);
    return !alignment || check_alignment(words_[first]);
  }
  if (is_strict(kind))
    return context_.fail(Rule::kD0016, parsed_,
                         fmt::format("{} has no value {}", kind_name(kind), value));
  // The parameters of an unknown decoration or execution mode are also unknown.
  const bool takes_rest = kind == OperandKind::kDecoration || kind == OperandKind::kExecutionMode;
  return takes_rest ? skip_rest() : true;
}

bool OperandReader::read_mask(OperandKind kind) {
  if (!need(1, kind)) return false;
  std::uint32_t unknown = 0;
  const std::uint32_t mask = words_[at_++];
  in_memory_access_ = kind == OperandKind::kMemoryAccess;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const std::uint32_t bit = rest & (0u - rest);
    const EnumerantInfo* info = find_enumerant(kind, bit);
    if (!info) {
      unknown |= bit;
      continue;
    }
    const std::size_t first = at_;
    if (!read_all(info->parameters)) return false;
    const bool alignment = kind == OperandKind::kMemoryAccess &&
                           bit == static_cast<std::uint32_t>(spv::MemoryAccessMask::Aligned);
    if (alignment && !check_alignment(words_[first])) return false;
  }
  in_memory_access_ = false;
  if (unknown == 0) return true;
  if (is_strict(kind))
    return context_.fail(Rule::kD0016, parsed_,
                         fmt::format("{} has no bits {:#x}", kind_name(kind), unknown));
  return kind == OperandKind::kLoopControl ? skip_rest() : true;
}

/// Glslang 12 writes `Aligned 0` for `reference.member++`.
bool OperandReader::check_alignment(std::uint32_t alignment) {
  if (alignment != 0 || row_of(context_.module.memory_model).layout == MemoryLayout::kVulkan)
    return true;
  return context_.fail(Rule::kD0016, parsed_, "expected an alignment of at least 1, found 0");
}

}  // namespace

bool check_operands(Context& context, const Parsed& parsed) {
  if (parsed.info->has_type && !context.module.type(parsed.type_id))
    return context.fail(
        Rule::kD0017, parsed,
        fmt::format("expected a result type declared before, found {}, which names {}",
                    context.module.spell_id(parsed.type_id),
                    describe(context.module.kind_of(parsed.type_id))));
  return OperandReader(context, parsed).run();
}

}  // namespace transpire::decoder
