// Mode-setting instructions: capabilities, extensions, imports, the memory model, entry points and
// their execution modes. Modes whose operands are ids wait until constants are known.
#include <fmt/format.h>

#include <algorithm>

#include "decoder/context.h"

namespace transpire::decoder {
namespace {

constexpr std::size_t kSpareModeCopies = 1u << 16;

bool decode_import(Context& context, const Parsed& parsed) {
  Module& module = context.module;
  const std::string name = text_operand(parsed.operands);
  module.ids[parsed.result_id].index = static_cast<std::uint32_t>(module.ext_inst_imports.size());
  module.ext_inst_imports.push_back({parsed.result_id, name, extended_set_named(name)});
  return true;
}

bool decode_memory_model(Context& context, const Parsed& parsed) {
  if (context.has_memory_model)
    return context.fail(Rule::kD0021, parsed, "expected one OpMemoryModel, found a second");
  context.has_memory_model = true;
  context.module.addressing_model = static_cast<spv::AddressingModel>(parsed.operands[0]);
  context.module.memory_model = static_cast<spv::MemoryModel>(parsed.operands[1]);
  return true;
}

bool decode_entry_point(Context& context, const Parsed& parsed) {
  Module& module = context.module;
  EntryPoint entry;
  entry.model = static_cast<spv::ExecutionModel>(parsed.operands[0]);
  entry.function = parsed.operands[1];
  std::uint32_t taken = 0;
  entry.name = text_operand(parsed.operands.subspan(2), &taken);
  if (module.kind_of(entry.function) != IdKind::kFunction)
    return context.fail(
        Rule::kD0036, parsed,
        fmt::format("expected a function, found {}", module.spell_id(entry.function)));
  for (const Id id : parsed.operands.subspan(2 + taken)) {
    if (module.kind_of(id) != IdKind::kVariable)
      return context.fail(
          Rule::kD0036, parsed.word_offset, opcode_name(parsed.op),
          fmt::format("expected global variables as interface, found {}", module.spell_id(id)),
          "name OpVariables of the module behind the kernel's name, or leave them out");
    entry.interface.push_back(id);
  }
  const bool clash = !context.entry_names.insert({entry.name, entry.model}).second;
  if (clash)
    return context.fail(
        Rule::kD0036, parsed,
        fmt::format("expected one entry point of the name '{}', found a second", entry.name));
  context.entries_of_function[entry.function].push_back(
      static_cast<std::uint32_t>(module.entry_points.size()));
  module.entry_points.push_back(std::move(entry));
  return true;
}

bool decode_mode(Context& context, const Parsed& parsed) {
  PendingMode pending;
  pending.function = parsed.operands[0];
  pending.mode.kind = static_cast<spv::ExecutionMode>(parsed.operands[1]);
  pending.mode.operands.assign(parsed.operands.begin() + 2, parsed.operands.end());
  pending.word_offset = parsed.word_offset;
  pending.op = parsed.op;
  context.modes.push_back(std::move(pending));
  return true;
}

/// Replaces ids among the mode's operands by the values of the constants they name.
bool resolve_operands(Context& context, PendingMode& pending) {
  const EnumerantInfo* info =
      find_enumerant(OperandKind::kExecutionMode, static_cast<std::uint32_t>(pending.mode.kind));
  if (!info) return true;
  const std::size_t count = std::min(info->parameters.size(), pending.mode.operands.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (category_of(info->parameters[i].kind) != Category::kId) continue;
    std::uint32_t& operand = pending.mode.operands[i];
    const Constant* constant = context.module.constant(operand);
    const bool known =
        constant && constant->type->kind == Type::Kind::kInt &&
        (constant->kind == Constant::Kind::kScalar || constant->kind == Constant::Kind::kNull);
    if (!known)
      return context.fail(Rule::kD0036, pending.word_offset, opcode_name(pending.op),
                          fmt::format("expected an integer constant for {}, found {}", info->name,
                                      context.module.spell_id(operand)));
    operand = static_cast<std::uint32_t>(constant->bits);
  }
  return true;
}

/// The constant that is decorated WorkgroupSize, which decides the size instead of LocalSize; null if the module has none.
const Constant* workgroup_size(const Module& module) {
  for (const Constant& constant : module.constants) {
    const Decoration* const builtin = module.decoration(constant.id, spv::Decoration::BuiltIn);
    if (builtin != nullptr && !builtin->operands.empty() &&
        static_cast<spv::BuiltIn>(builtin->operands[0]) == spv::BuiltIn::WorkgroupSize)
      return &constant;
  }
  return nullptr;
}

/// Writes the sizes of a WorkgroupSize constant into the mode LocalSize of the shaders.
void apply_workgroup_size(Module& module) {
  const auto is_shader = [](const EntryPoint& entry) {
    return entry.model == spv::ExecutionModel::GLCompute;
  };
  if (std::ranges::none_of(module.entry_points, is_shader)) return;
  const Constant* const size = workgroup_size(module);
  if (size == nullptr || size->elements.size() != 3) return;
  std::vector<std::uint32_t> sizes;
  for (const Id element : size->elements)
    if (const Constant* each = module.constant(element); each != nullptr)
      sizes.push_back(static_cast<std::uint32_t>(each->bits));
  if (sizes.size() != 3) return;
  for (EntryPoint& entry : module.entry_points) {
    if (!is_shader(entry)) continue;
    std::erase_if(entry.modes, [](const ExecutionMode& mode) {
      return mode.kind == spv::ExecutionMode::LocalSize ||
             mode.kind == spv::ExecutionMode::LocalSizeId;
    });
    entry.modes.push_back({spv::ExecutionMode::LocalSize, sizes});
  }
}

}  // namespace

bool decode_mode_setting(Context& context, const Parsed& parsed) {
  Module& module = context.module;
  switch (parsed.op) {
    case spv::Op::OpCapability:
      module.capabilities.push_back(static_cast<spv::Capability>(parsed.operands[0]));
      return true;
    case spv::Op::OpExtension:
      module.extensions.push_back(text_operand(parsed.operands));
      return true;
    case spv::Op::OpExtInstImport:
      return decode_import(context, parsed);
    case spv::Op::OpMemoryModel:
      return decode_memory_model(context, parsed);
    case spv::Op::OpEntryPoint:
      return decode_entry_point(context, parsed);
    case spv::Op::OpSamplerImageAddressingModeNV:
      return true;  // its capability is refused by name
    default:
      return decode_mode(context, parsed);
  }
}

bool finish_entry_points(Context& context) {
  // Entry points may share a function and then its modes; M modes of E entry points are M * E
  // copies, which a small forged module could drive past all memory.
  const std::size_t most_copies = context.module.words.size() + kSpareModeCopies;
  std::size_t copies = 0;
  for (PendingMode& pending : context.modes) {
    const auto entries = context.entries_of_function.find(pending.function);
    if (entries == context.entries_of_function.end())
      return context.fail(Rule::kD0036, pending.word_offset, opcode_name(pending.op),
                          fmt::format("expected the function of an entry point, found {}",
                                      context.module.spell_id(pending.function)));
    if (!resolve_operands(context, pending)) return false;
    copies += entries->second.size();
    if (copies > most_copies)
      return context.fail(
          Rule::kD0036, pending.word_offset, opcode_name(pending.op),
          fmt::format("expected at most {} execution modes of entry points", most_copies));
    for (const std::uint32_t index : entries->second)
      context.module.entry_points[index].modes.push_back(pending.mode);
  }
  apply_workgroup_size(context.module);
  return true;
}

}  // namespace transpire::decoder
