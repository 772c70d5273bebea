// ENV-8.2 and ENV-8.3: which conversions round and saturate as decorations say.
#include <fmt/format.h>

#include "decoder/module.h"
#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_conversions {
namespace {

constexpr ValidationRule kRounding{
    .id = "ENV-8.2-01",
    .clause = "OpenCL SPIR-V Environment 2.2, 8.2",
    .statement =
        "FPRoundingMode decorates results of OpConvertFToU, OpConvertFToS, OpConvertSToF, "
        "OpConvertUToF and OpFConvert",
    .hint =
        "Remove the decoration. Other instructions round in one way only, and stores of halves "
        "have a rounding mode as an operand. Clang's own backend decorates conversions between "
        "integers as well.",
    .in_field = InField::kWarning};
constexpr ValidationRule kRoundingAccepted{
    .id = "ENV-8.2-01P",
    .clause = "OpenCL SPIR-V Environment 2.2, 8.2",
    .statement = "FPRoundingMode is accepted on each of the conversions that may have it",
    .hint = "A device that refuses it violates the specification.",
    .kind = RuleKind::kAccepts};
constexpr ValidationRule kSaturation{
    .id = "ENV-8.3-01",
    .clause = "OpenCL SPIR-V Environment 2.2, 8.3; SPIR-V 1.0, 3.20",
    .statement =
        "SaturatedConversion decorates conversions to integers, not OpSatConvertSToU and "
        "OpSatConvertUToS",
    .hint =
        "Remove the decoration: other conversions have no range to saturate to, and the OpSat "
        "forms saturate anyway. Clang's own backend decorates the OpSat forms as well.",
    .in_field = InField::kWarning};

bool may_round(spv::Op op) {
  switch (op) {
    case spv::Op::OpConvertFToU:
    case spv::Op::OpConvertFToS:
    case spv::Op::OpConvertSToF:
    case spv::Op::OpConvertUToF:
    case spv::Op::OpFConvert:
      return true;
    default:
      return false;
  }
}

bool may_saturate(spv::Op op) {
  switch (op) {
    case spv::Op::OpConvertFToU:
    case spv::Op::OpConvertFToS:
    case spv::Op::OpUConvert:
    case spv::Op::OpSConvert:
      return true;
    default:
      return false;
  }
}

void check(Context& context) {
  const ModuleView& view = context.view;
  for (const Decoration& decoration : view.all_decorations()) {
    const bool rounds = decoration.kind == spv::Decoration::FPRoundingMode;
    if (!rounds && decoration.kind != spv::Decoration::SaturatedConversion) continue;
    const spv::Op op = view.op_of(decoration.target);
    // A group hands its decorations to others; an id without definition is another rule's.
    if (op == spv::Op::OpDecorationGroup || op == spv::Op::OpNop) continue;
    if (rounds ? may_round(op) : may_saturate(op)) continue;
    context.report(rounds ? kRounding : kSaturation, Place::at(decoration.instruction, 1),
                   fmt::format("expected a conversion {}, found {}",
                               rounds ? "that rounds" : "to integers", decoder::opcode_name(op)),
                   {{"what is decorated", view.definition(decoration.target)}});
  }
}

constexpr const ValidationRule* kRules[] = {&kRounding, &kRoundingAccepted, &kSaturation};

}  // namespace
}  // namespace rules_conversions

const Family kConversionsFamily{"conversions", rules_conversions::kRules, rules_conversions::check};

}  // namespace transpire::validator
