// decode(): header, ids, then every instruction in the order of the module's sections, then what
// needs the whole module. The order of sections is enforced, because each one relies on those
// before: decorations and names on strings, types on the memory model, bodies on types.
#include <fmt/format.h>

#include <algorithm>

#include "decoder/clspv_reflection.h"
#include "decoder/context.h"
#include "decoder/untyped.h"

namespace transpire::decoder {
namespace {

/// SPIR-V 1.0, "Logical Layout of a Module". Debug instructions are one section here: producers
/// mix them.
enum class Section : std::uint8_t {
  kCapabilities,
  kExtensions,
  kImports,
  kMemoryModel,
  kEntryPoints,
  kExecutionModes,
  kDebug,
  kAnnotations,
  kDeclarations,
  kFunctions,
  kBeforeFunctions,  ///< among annotations or declarations
  kAnywhere,
  kNowhere,
};

std::string_view describe(Section section) {
  constexpr std::string_view kNames[] = {"capabilities",
                                         "extensions",
                                         "instruction set imports",
                                         "the memory model",
                                         "entry points",
                                         "execution modes",
                                         "debug names",
                                         "annotations",
                                         "declarations",
                                         "functions",
                                         "declarations",
                                         "",
                                         ""};
  return kNames[static_cast<std::size_t>(section)];
}

Section section_of(const Context& context, const Parsed& parsed) {
  switch (typed_op(parsed.op)) {
    case spv::Op::OpCapability:
      return Section::kCapabilities;
    case spv::Op::OpExtension:
      return Section::kExtensions;
    case spv::Op::OpExtInstImport:
      return Section::kImports;
    case spv::Op::OpMemoryModel:
      return Section::kMemoryModel;
    case spv::Op::OpSamplerImageAddressingModeNV:  // in front of them
    case spv::Op::OpEntryPoint:
      return Section::kEntryPoints;
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId:
      return Section::kExecutionModes;
    case spv::Op::OpModuleProcessed:
      return Section::kDebug;
    case spv::Op::OpNop:
    case spv::Op::OpLine:
    case spv::Op::OpNoLine:
      return Section::kAnywhere;
    case spv::Op::OpUndef:
    case spv::Op::OpVariable:
    case spv::Op::OpConstantPipeStorage:
    case spv::Op::OpConstantFunctionPointerINTEL:
    case spv::Op::OpConstantCompositeContinuedINTEL:
    case spv::Op::OpSpecConstantCompositeContinuedINTEL:
    case spv::Op::OpAsmTargetINTEL:
    case spv::Op::OpAsmINTEL:
      return Section::kDeclarations;
    case spv::Op::OpAliasDomainDeclINTEL:
    case spv::Op::OpAliasScopeDeclINTEL:
    case spv::Op::OpAliasScopeListDeclINTEL:
      return Section::kBeforeFunctions;
    case spv::Op::OpFunction:
      return Section::kFunctions;
    default:
      break;
  }
  const std::string_view name = parsed.info->class_name;
  if (name == "Debug") return Section::kDebug;
  if (name == "Annotation") return Section::kAnnotations;
  if (name == "Type-Declaration" || name == "Constant-Creation" ||
      parsed.info->name.starts_with("OpType"))
    return Section::kDeclarations;
  // Debug information stands among the declarations, and between functions.
  return is_debug_set(set_of(context, parsed)) ? Section::kAnywhere : Section::kNowhere;
}

bool enter_section(Context& context, const Parsed& parsed, Section& current) {
  Section section = section_of(context, parsed);
  // Decorations name alias scopes, so producers write the scopes in front of them.
  if (section == Section::kBeforeFunctions)
    section = std::clamp(current, Section::kAnnotations, Section::kDeclarations);
  if (section == Section::kAnywhere) return true;
  if (section == Section::kNowhere)
    return context.fail(Rule::kD0020, parsed,
                        fmt::format("{} can stand only in a function", opcode_name(parsed.op)));
  if (section < current)
    return context.fail(Rule::kD0020, parsed,
                        fmt::format("expected {} to stand among {}, found it after {}",
                                    opcode_name(parsed.op), describe(section), describe(current)));
  if (section > Section::kMemoryModel && !context.has_memory_model)
    return context.fail(Rule::kD0021, parsed,
                        fmt::format("expected OpMemoryModel before {}", describe(section)));
  current = section;
  return true;
}

bool decode_declaration(Context& context, const Parsed& parsed) {
  context.line = 0;
  switch (typed_op(parsed.op)) {
    case spv::Op::OpVariable:
      return decode_variable(context, parsed);
    case spv::Op::OpAsmTargetINTEL:
    case spv::Op::OpAsmINTEL:
      return true;
    default:
      break;
  }
  const bool is_type = !parsed.info->has_type && parsed.info->name.starts_with("OpType");
  return is_type ? decode_type(context, parsed) : decode_constant(context, parsed);
}

bool decode_instruction(Context& context, const Parsed& parsed, Section section) {
  switch (section_of(context, parsed)) {
    case Section::kDebug:
      return decode_debug(context, parsed);
    case Section::kAnnotations:
      return decode_annotation(context, parsed);
    case Section::kDeclarations:
      return decode_declaration(context, parsed);
    case Section::kBeforeFunctions:
      return true;  // alias scopes are hints: check_operands() has seen them
    case Section::kAnywhere:
      if (parsed.op == spv::Op::OpExtInst) decode_debug_instruction(context, parsed);
      if (parsed.op != spv::Op::OpLine && parsed.op != spv::Op::OpNoLine) return true;
      return section < Section::kDeclarations || decode_line(context, parsed);
    default:
      return decode_mode_setting(context, parsed);
  }
}

bool decode_instructions(Context& context) {
  Section section = Section::kCapabilities;
  Parsed parsed;
  std::uint32_t at = 5;
  while (at < context.module.words.size()) {
    if (!read_frame(context, at, parsed) || !enter_section(context, parsed, section)) return false;
    if (parsed.op == spv::Op::OpFunction) {
      if (!decode_function(context, at)) return false;
      continue;
    }
    if (!check_operands(context, parsed) || !decode_instruction(context, parsed, section))
      return false;
    at += static_cast<std::uint32_t>(parsed.words.size());
  }
  context.line = 0;
  if (context.has_memory_model) return true;
  return context.fail(Rule::kD0021, at, "", "expected OpMemoryModel, found the end of the module");
}

}  // namespace

Result<Module> decode(std::span<const std::byte> bytes, const DecodeOptions& options) {
  Module module;
  module.input_name = options.input_name;
  module.text_names = options.text_names;
  module.descriptor_counts = options.descriptor_counts;
  module.files.emplace_back();
  module.lines.emplace_back();
  module.subgroup_size = options.subgroup_size;
  Context context(module, options);
  const bool decoded = read_header(context, bytes) && index_ids(context) &&
                       decode_instructions(context) && finish_types(context) &&
                       finish_annotations(context) && finish_entry_points(context) &&
                       finish_functions(context);
  if (!decoded) return std::move(context.failure);
  name_parameters(context);
  if (const auto reflection = clspv_reflection(module); !reflection) return reflection.errors();
  return module;
}

}  // namespace transpire::decoder
