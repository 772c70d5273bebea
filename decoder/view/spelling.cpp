// Spellings: see the header.
#include "decoder/view/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "decoder/module.h"
#include "decoder/view/type_queries.h"

namespace transpire::decoder::view {
namespace {

constexpr std::size_t kLongestName = 64;
constexpr std::size_t kLongestText = 120;
constexpr int kDeepestType = 8;

/// A name that an assembler accepts; empty if no character is left.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name.substr(0, kLongestName)) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    plain += word || c == '_' || c == '.' ? c : '_';
  }
  return plain;
}

std::string spell_scalar(const ModuleView& view, Id id) {
  const std::uint32_t width = view.definition_word(id, 0);
  if (view.op_of(id) == spv::Op::OpTypeFloat)
    return width == 16   ? "half"
           : width == 32 ? "float"
           : width == 64 ? "double"
                         : fmt::format("float of {} bits", width);
  const bool is_signed = view.definition_word(id, 1) != 0;
  const std::string_view name = width == 8    ? "char"
                                : width == 16 ? "short"
                                : width == 32 ? "int"
                                : width == 64 ? "long"
                                              : "";
  if (name.empty()) return fmt::format("int of {} bits", width);
  return is_signed ? fmt::format("signed {}", name) : fmt::format("u{}", name);
}

/// A type without components; empty for the rest.
std::string spell_simple(const ModuleView& view, Id type) {
  switch (view.op_of(type)) {
    case spv::Op::OpTypeVoid:
      return "void";
    case spv::Op::OpTypeBool:
      return "bool";
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      return spell_scalar(view, type);
    default:
      return {};
  }
}

/// A short description of an id without a name: "uint_7", "float_0_5", "uint", "OpenCL_std"; else
/// empty.
std::string kind_of_id(const ModuleView& view, Id id);

std::string bare_id(const ModuleView& view, Id id) {
  std::string name = plain_name(view.name(id, kLongestName));
  if (name.empty()) name = plain_name(kind_of_id(view, id));
  return name.empty() ? fmt::format("%{}", id) : "%" + name;
}

std::string spell_mask(OperandKind kind, std::uint32_t mask) {
  if (mask == 0) {
    const std::string_view none = enumerant_name(kind, 0);
    return none.empty() ? "0" : std::string(none);
  }
  std::string text;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const std::uint32_t bit = rest & (0u - rest);
    const std::string_view name = enumerant_name(kind, bit);
    text += text.empty() ? "" : "|";
    text += name.empty() ? fmt::format("{:#x}", bit) : std::string(name);
  }
  return text;
}

std::string spell_text(const ModuleView& view, std::uint32_t instruction, std::size_t n) {
  std::string quoted = "\"";
  const std::string text = view.text(instruction, n, kLongestText + 1);
  for (const char c : text.substr(0, kLongestText)) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c >= ' ' && c <= '~' ? c : '?';
  }
  return quoted + (text.size() > kLongestText ? "...\"" : "\"");
}

std::string spell_number(const ModuleView& view, std::uint32_t instruction, std::size_t n) {
  const Id type = view.at(instruction).type_id;
  const std::uint64_t bits = view.number(instruction, n);
  if (view.is_float(type, 32))
    return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  if (view.is_float(type, 64)) return fmt::format("{}", std::bit_cast<double>(bits));
  return fmt::to_string(bits);
}

std::string kind_of_id(const ModuleView& view, Id id) {
  if (std::string simple = spell_simple(view, id); !simple.empty()) return simple;
  switch (view.op_of(id)) {
    case spv::Op::OpTypeVector: {
      const Id component = view.definition_word(id, 0);
      if (!view.is_int(component) && !view.is_float(component)) return {};
      return fmt::format("v{}{}", view.definition_word(id, 1), spell_scalar(view, component));
    }
    case spv::Op::OpConstantTrue:
      return "true";
    case spv::Op::OpConstantFalse:
      return "false";
    case spv::Op::OpConstant:
      return fmt::format("{}_{}", spell_scalar(view, view.type_of(id)),
                         spell_number(view, view.definition(id), 0));
    case spv::Op::OpExtInstImport:
      return view.text(view.definition(id), 0, kLongestName);
    default:
      return {};
  }
}

std::string spell_operand(const ModuleView& view, std::uint32_t instruction, std::size_t n) {
  const Operand& operand = view.operands(instruction)[n];
  const std::uint32_t word = view.word(instruction, n);
  switch (operand.kind) {
    case OperandKind::kLiteralString:
      return spell_text(view, instruction, n);
    case OperandKind::kLiteralContextDependentNumber:
      return spell_number(view, instruction, n);
    case OperandKind::kLiteralSpecConstantOpInteger:
      return std::string(opcode_name(static_cast<spv::Op>(word & 0xffff))).substr(2);
    case OperandKind::kLiteralExtInstInteger: {
      const std::string_view name = ext_inst_name(view.at(instruction).set, word);
      return name.empty() ? fmt::to_string(word) : std::string(name);
    }
    default:
      break;
  }
  switch (category_of(operand.kind)) {
    case Category::kId:
      return bare_id(view, word);
    case Category::kBitEnum:
      return spell_mask(operand.kind, word);
    case Category::kValueEnum: {
      const std::string_view name = enumerant_name(operand.kind, word);
      return name.empty() ? fmt::to_string(word) : std::string(name);
    }
    default:
      return fmt::to_string(word);
  }
}

std::string spell_type_within(const ModuleView& view, Id id, int depth) {
  if (depth > kDeepestType) return "...";
  const auto part = [&](std::size_t n) {
    return spell_type_within(view, view.definition_word(id, n), depth + 1);
  };
  if (std::string simple = spell_simple(view, id); !simple.empty()) return simple;
  if (is_untyped_pointer(view, id))
    return fmt::format("untyped* ({})",
                       enumerant_name(OperandKind::kStorageClass, view.definition_word(id, 0)));
  switch (view.op_of(id)) {
    case spv::Op::OpTypeVector:
      return fmt::format("{}{}", part(0), view.definition_word(id, 1));
    case spv::Op::OpTypeArray: {
      const auto length = view.constant_value(view.definition_word(id, 1));
      return fmt::format("{}[{}]", part(0), length ? fmt::to_string(*length) : "?");
    }
    case spv::Op::OpTypePointer:
      return fmt::format("{}* ({})", part(1),
                         enumerant_name(OperandKind::kStorageClass, view.definition_word(id, 0)));
    case spv::Op::OpTypeStruct: {
      const std::string name = plain_name(view.name(id, kLongestName));
      return name.empty()                  ? fmt::format("struct %{}", id)
             : name.starts_with("struct.") ? "struct " + name.substr(7)
                                           : "struct " + name;
    }
    case spv::Op::OpNop:
      return "no type";
    default:
      break;
  }
  if (!view.is_type(id)) return fmt::format("{}, which is no type", spell_id(view, id));
  return fmt::format("{} {}", opcode_name(view.op_of(id)), spell_id(view, id));
}

}  // namespace

std::string spell_id(const ModuleView& view, Id id) {
  return fmt::format("'{}'", bare_id(view, id));
}

std::string spell_type(const ModuleView& view, Id id) { return spell_type_within(view, id, 0); }

SpelledInstruction spell_instruction(const ModuleView& view, std::uint32_t instruction) {
  const Instruction& in = view.at(instruction);
  SpelledInstruction out;
  const auto append = [&out](const std::string& part) {
    const TextSpan span{out.text.size(), part.size()};
    out.text += part;
    return span;
  };
  if (in.result_id != 0) {
    out.result = append(bare_id(view, in.result_id));
    append(" = ");
  }
  out.opcode = append(std::string(opcode_name(in.op)));
  if (in.type_id != 0) {
    append(" ");
    out.type = append(bare_id(view, in.type_id));
  }
  for (std::size_t n = 0; n < in.operand_count; ++n) {
    append(" ");
    out.operands.push_back(append(spell_operand(view, instruction, n)));
    if (out.text.size() <= 400) continue;
    append(" ...");
    break;
  }
  return out;
}

}  // namespace transpire::decoder::view
