// First pass: walks the frames once and notes for every result id what it names, its type and the
// function it belongs to, so that the second pass can check forward references where they stand.
#include <fmt/format.h>

#include "decoder/context.h"
#include "decoder/untyped.h"

namespace transpire::decoder {
namespace {

bool is_constant_op(const OpcodeInfo& info, spv::Op op) {
  return info.class_name == "Constant-Creation" || op == spv::Op::OpConstantPipeStorage ||
         op == spv::Op::OpConstantFunctionPointerINTEL;
}

IdKind kind_of_result(const Parsed& parsed, bool in_function) {
  switch (typed_op(parsed.op)) {
    case spv::Op::OpString:
      return IdKind::kString;
    case spv::Op::OpExtInstImport:
      return IdKind::kExtInstImport;
    case spv::Op::OpDecorationGroup:
      return IdKind::kDecorationGroup;
    case spv::Op::OpFunction:
      return IdKind::kFunction;
    case spv::Op::OpFunctionParameter:
      return IdKind::kParameter;
    case spv::Op::OpLabel:
      return IdKind::kLabel;
    case spv::Op::OpVariable:
      return in_function ? IdKind::kInstruction : IdKind::kVariable;
    case spv::Op::OpUndef:
      return in_function ? IdKind::kInstruction : IdKind::kUndef;
    default:
      break;
  }
  if (!parsed.info->has_type && parsed.info->name.starts_with("OpType")) return IdKind::kType;
  return is_constant_op(*parsed.info, parsed.op) ? IdKind::kConstant : IdKind::kInstruction;
}

bool note_result(Context& context, const Parsed& parsed, std::uint32_t function_index) {
  Module& module = context.module;
  const Id id = parsed.result_id;
  if (id == 0 || id >= module.bound)
    return context.fail(
        Rule::kD0013, parsed,
        fmt::format("expected a result id from 1 to below the bound of {}, found {}", module.bound,
                    id));
  Module::IdEntry& entry = module.ids[id];
  if (entry.kind != IdKind::kNone)
    return context.fail(Rule::kD0014, parsed, fmt::format("%{} is already defined", id));
  entry.kind = kind_of_result(parsed, function_index != kNoFunction);
  // Tables that later steps fill give no entry until they do: the index stays out of range.
  const bool local = entry.kind == IdKind::kParameter || entry.kind == IdKind::kLabel ||
                     entry.kind == IdKind::kInstruction || entry.kind == IdKind::kFunction;
  entry.index = local ? function_index : kNoFunction;
  entry.type_id = entry.kind == IdKind::kFunction ? 0 : parsed.type_id;
  return true;
}

}  // namespace

bool index_ids(Context& context) {
  Module& module = context.module;
  module.ids.assign(module.bound, {});
  std::uint32_t functions = 0;
  bool in_function = false;
  Parsed parsed;
  for (std::uint32_t at = 5; at < module.words.size();
       at += static_cast<std::uint32_t>(parsed.words.size())) {
    if (!read_frame(context, at, parsed)) return false;
    if (parsed.op == spv::Op::OpFunction) {
      in_function = true;
      ++functions;
    }
    if (parsed.op == spv::Op::OpFunctionEnd) in_function = false;
    if (parsed.info->has_result)
      if (!note_result(context, parsed, in_function ? functions - 1 : kNoFunction)) return false;
  }
  return true;
}

}  // namespace transpire::decoder
