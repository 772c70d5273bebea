// SPIR-V 1.0, 2.3 "Physical Layout" and 2.4 "Logical Layout": words of instructions, and their
// order.
#include <fmt/format.h>

#include "decoder/view/opcode_sets.h"
#include "decoder/view/type_queries.h"
#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_layout {
namespace {

using spv::Op;

constexpr ValidationRule kLayout{
    "UNI-01", "SPIR-V 1.0, 2.4 and 2.16.1",
    "instructions stand in the order of the logical layout: capabilities, extensions, imports, one "
    "memory model, entry points, execution modes, names, decorations, types with constants and "
    "variables, function declarations, function definitions",
    "Move the instruction to its section. `spirv-val` and `spirv-opt` keep this order; "
    "hand-written assembly often does not."};
constexpr ValidationRule kWordCount{"UNI-23", "SPIR-V 1.0, 2.3 and 2.16.1",
                                    "the word count of an instruction agrees with its operands",
                                    "The file is damaged, or its producer counts words wrongly; "
                                    "`transpire dis` shows how far it can be "
                                    "read."};
constexpr ValidationRule kUnknown{
    "V0003", "SPIR-V, 3 \"Binary Form\"",
    "opcodes and enumerants are ones that SPIR-V or a registered extension defines",
    "The module is damaged, or made for an extension that is newer than the grammar Transpire was "
    "built with."};
constexpr ValidationRule kNewerHint{
    "V0042", "SPIR-V, 3 \"Binary Form\"",
    "capabilities, decorations, execution modes and hints are ones that SPIR-V or a registered "
    "extension defines",
    "The module is made for an extension that is newer than the grammar Transpire was built with. "
    "It runs as if the word were not there. This suits hints to a register allocator, a cache or a "
    "tool. A capability alone changes nothing; Transpire refuses instructions that it does not "
    "know.",
    InField::kWarning};

/// Sections of the logical layout in order.
enum class Section : std::uint8_t {
  kCapability,
  kExtension,
  kImport,
  kMemoryModel,
  kEntryPoint,
  kExecutionMode,
  kSource,
  kName,
  kProcessed,
  kAnnotation,
  kType,
  kFunction,
  kAnywhere,
};

constexpr std::string_view kSectionNames[] = {"capabilities",
                                              "extensions",
                                              "imports",
                                              "the memory model",
                                              "entry points",
                                              "execution modes",
                                              "sources and strings",
                                              "names",
                                              "processes",
                                              "decorations",
                                              "types, constants and variables",
                                              "functions"};

/// Section of an instruction that stands outside of functions.
Section section_of(const ModuleView& view, std::uint32_t index) {
  const Instruction& in = view.at(index);
  if (is_variable(view, in.result_id)) return Section::kType;
  switch (in.op) {
    case Op::OpCapability:
      return Section::kCapability;
    case Op::OpExtension:
      return Section::kExtension;
    case Op::OpExtInstImport:
      return Section::kImport;
    case Op::OpMemoryModel:
      return Section::kMemoryModel;
    case Op::OpEntryPoint:
      return Section::kEntryPoint;
    case Op::OpExecutionMode:
    case Op::OpExecutionModeId:
      return Section::kExecutionMode;
    case Op::OpString:
    case Op::OpSourceExtension:
    case Op::OpSource:
    case Op::OpSourceContinued:
      return Section::kSource;
    case Op::OpName:
    case Op::OpMemberName:
      return Section::kName;
    case Op::OpModuleProcessed:
      return Section::kProcessed;
    case Op::OpLine:
    case Op::OpNoLine:
      return Section::kAnywhere;
    case Op::OpUndef:
    case Op::OpExtInst:  // debug information; UNI-11 checks computing sets
    case Op::OpTypeForwardPointer:
      return Section::kType;
    default:
      if (in.info && in.info->class_name == "Annotation") return Section::kAnnotation;
      // An alias scope may also stand among types; check_order() allows that.
      if (is_alias_declaration(in.op)) return Section::kAnnotation;
      // Extensions define the place of their instructions.
      if (!in.info || in.info->class_name == "Reserved") return Section::kAnywhere;
      return is_type_declaration(in.op) || is_constant(in.op) ? Section::kType : Section::kFunction;
  }
}

/// True for kinds whose unknown values may be ignored, because no other word of the module depends
/// on them.
bool may_be_ignored(decoder::OperandKind kind) {
  switch (kind) {
    case decoder::OperandKind::kCapability:
    case decoder::OperandKind::kDecoration:
    case decoder::OperandKind::kExecutionMode:
    case decoder::OperandKind::kFPFastMathMode:
    case decoder::OperandKind::kFunctionControl:
    case decoder::OperandKind::kFunctionParameterAttribute:
    case decoder::OperandKind::kLoopControl:
    case decoder::OperandKind::kSelectionControl:
    case decoder::OperandKind::kSourceLanguage:
      return true;
    default:
      return false;
  }
}

/// Reports a word that is no enumerant of the grammar.
void report_enumerant(Context& context, std::uint32_t i) {
  const Instruction& in = context.view.at(i);
  const std::uint32_t word = context.view.words()[in.offset + in.shape_at];
  std::size_t operand = 0;
  while (operand < in.operand_count && context.view.operands(i)[operand].at != in.shape_at)
    ++operand;
  const auto place = Place::at(i, static_cast<int>(operand));
  if (!may_be_ignored(in.unknown_kind))
    return context.report(
        kUnknown, place,
        fmt::format("expected an enumerant that SPIR-V defines, found {:#x}", word));
  context.report(kNewerHint, place,
                 fmt::format("{} {} is newer than the grammar that Transpire was built with",
                             decoder::kind_name(in.unknown_kind), word));
}

void check_words(Context& context) {
  const ModuleView& view = context.view;
  for (std::uint32_t i = 0; i < view.instructions().size(); ++i) {
    const Instruction& in = view.at(i);
    switch (in.shape) {
      case Shape::kTooShort:
        context.report(kWordCount, Place::at(i),
                       fmt::format("expected more operands than {} words hold", in.word_count));
        break;
      case Shape::kTooLong:
        context.report(kWordCount, Place::at(i),
                       fmt::format("expected {} words, found {}", in.shape_at, in.word_count));
        break;
      case Shape::kOpenString:
        context.report(kWordCount, Place::at(i), "expected a string with a zero octet at its end");
        break;
      case Shape::kUnknownOpcode:
        context.report(kUnknown, Place::at(i),
                       fmt::format("expected an opcode of SPIR-V, found {}",
                                   static_cast<std::uint32_t>(in.op)));
        break;
      case Shape::kBadEnumerant:
        report_enumerant(context, i);
        break;
      case Shape::kGood:
      case Shape::kNoNumberType:  // the rules of operand types report it
        break;
    }
  }
  if (const auto broken = view.broken_at())
    context.report(kWordCount, Place::header(*broken),
                   "expected an instruction that ends within the module");
}

/// The mistake in the order of an instruction within or around functions; empty if there is none.
std::string function_order(const ModuleView& view, std::uint32_t index, bool had_body) {
  const Instruction& in = view.at(index);
  const Section section = section_of(view, index);
  const bool anywhere = section >= Section::kFunction || is_variable(view, in.result_id) ||
                        in.op == Op::OpUndef || in.op == Op::OpExtInst ||
                        in.op == Op::OpConstantPipeStorage;
  if (in.function != kNone && !anywhere)
    return fmt::format("expected {} before all functions",
                       kSectionNames[static_cast<std::size_t>(section)]);
  if (in.op == Op::OpFunctionEnd && in.function == kNone)
    return "expected OpFunction before OpFunctionEnd";
  if (in.op == Op::OpFunctionParameter && in.function == kNone)
    return "expected OpFunction before OpFunctionParameter";
  if (in.op != Op::OpFunction) return {};
  const Function& function = view.functions()[in.function];
  if (!function.closed) return "expected OpFunctionEnd at the function's end";
  if (had_body && !function.has_body())
    return "expected declarations of functions before all definitions";
  return {};
}

std::string order_hint(const ModuleView& view, const Instruction& in) {
  if (in.function == kNone) return "Write OpFunction before it, or delete it.";
  if (in.op != Op::OpFunction) return "Move it up, in front of the first OpFunction.";
  return view.functions()[in.function].closed
             ? "Move the declarations up, in front of the first function with a body."
             : "Write OpFunctionEnd behind the function's last block.";
}

/// Reports the first instruction out of order. Later ones would only repeat the report.
void check_order(Context& context) {
  const ModuleView& view = context.view;
  Section current = Section::kCapability;
  std::uint32_t before = kNone;
  bool had_body = false;
  for (std::uint32_t i = 0; i < view.instructions().size(); ++i) {
    const Instruction& in = view.at(i);
    const Section section = in.function != kNone ? Section::kFunction : section_of(view, i);
    if (section == Section::kAnywhere) {
      // The section of types may begin with a line.
      if (current < Section::kType && (in.op == Op::OpLine || in.op == Op::OpNoLine)) {
        current = Section::kType;
        before = i;
      }
      continue;
    }
    if (is_alias_declaration(in.op) && current == Section::kType) continue;
    if (section < current) {
      context.report(
          kLayout, Place::at(i),
          fmt::format("expected {} before {}", kSectionNames[static_cast<std::size_t>(section)],
                      kSectionNames[static_cast<std::size_t>(current)]),
          {{"this stands before it", before}}, "Move it up, in front of that line.");
      return;
    }
    if (section == Section::kMemoryModel && current == section) {
      context.report(kLayout, Place::at(i), "expected one OpMemoryModel, found a second one", {},
                     "Delete one of the two.");
      return;
    }
    if (section != current) before = i;
    current = section;
    if (section != Section::kFunction) continue;
    if (const std::string wrong = function_order(view, i, had_body); !wrong.empty()) {
      context.lacks_function = in.function == kNone;
      context.report(kLayout, Place::at(i), wrong, {}, order_hint(view, in));
      return;
    }
    if (in.op == Op::OpFunction && view.functions()[in.function].has_body()) had_body = true;
  }
  if (view.all(Op::OpMemoryModel).empty())
    context.report(kLayout, Place::module(), "expected OpMemoryModel, found none", {},
                   "Write `OpMemoryModel Physical64 OpenCL` behind capabilities, extensions and "
                   "imports.");
}

void check(Context& context) {
  check_words(context);
  if (context.view.broken_at()) {
    // The following words are lost.
    context.stop();
    return;
  }
  check_order(context);
}

constexpr const ValidationRule* kRules[] = {&kLayout, &kWordCount, &kUnknown, &kNewerHint};

}  // namespace
}  // namespace rules_layout

const Family kLayoutFamily{"layout", rules_layout::kRules, rules_layout::check};

}  // namespace transpire::validator
