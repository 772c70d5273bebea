// Module-scope OpVariable: builtins, __constant and __local data, imported and exported globals.
#include <fmt/format.h>

#include <algorithm>

#include "decoder/context.h"
#include "decoder/newer_opcodes.h"
#include "decoder/untyped.h"

namespace transpire::decoder {
namespace {

bool check_initializer(Context& context, const Parsed& parsed, Id id) {
  const Module& module = context.module;
  if (module.constant(id) || module.kind_of(id) == IdKind::kVariable) return true;
  return context.fail(Rule::kD0028, parsed,
                      fmt::format("expected a constant declared before or a global variable as "
                                  "initializer, found {}",
                                  module.spell_id(id)));
}

}  // namespace

namespace {

/// OpName, else that of the linkage symbol.
std::string name_of(const Module& module, Id id) {
  if (const std::string_view name = module.name(id); !name.empty()) return std::string(name);
  const Decoration* const linkage = module.decoration(id, spv::Decoration::LinkageAttributes);
  return linkage != nullptr ? linkage->text : std::string();
}

}  // namespace

bool decode_variable(Context& context, const Parsed& parsed) {
  Module& module = context.module;
  Variable variable;
  variable.id = parsed.result_id;
  variable.name = name_of(module, variable.id);
  variable.type = module.type(parsed.type_id);
  variable.storage_class = static_cast<spv::StorageClass>(parsed.operands[0]);
  variable.word_offset = parsed.word_offset;
  if (variable.type->kind != Type::Kind::kPointer)
    return context.fail(Rule::kD0022, parsed,
                        fmt::format("expected a pointer type, found {}", spell(*variable.type)));
  const bool is_untyped = parsed.op == kOpUntypedVariableKHR;
  if (is_untyped) {
    if (!check_seen_type(context, parsed)) return false;
    variable.type =
        add_typed_pointer(context, *variable.type, *seen_type(module, parsed.word_offset));
  }
  if (const std::size_t at = is_untyped ? 2 : 1; parsed.operands.size() > at) {
    variable.initializer = parsed.operands[at];
    if (!check_initializer(context, parsed, variable.initializer)) return false;
  }
  if (const Decoration* builtin = module.decoration(variable.id, spv::Decoration::BuiltIn)) {
    variable.is_builtin = true;
    variable.builtin = static_cast<spv::BuiltIn>(builtin->operands[0]);
  }
  // An announced pointer has no pointee yet, so nothing says how large the variable is.
  if (!variable.type->element)
    return context.fail(Rule::kD0023, parsed,
                        "expected the pointer type to be completed before a "
                        "variable has it");
  variable.align_bytes = variable.type->element->align_bytes;
  if (const Decoration* alignment = module.decoration(variable.id, spv::Decoration::Alignment))
    variable.align_bytes = std::max<std::uint64_t>(variable.align_bytes, alignment->operands[0]);
  module.ids[variable.id].index = static_cast<std::uint32_t>(module.variables.size());
  module.variables.push_back(std::move(variable));
  return true;
}

}  // namespace transpire::decoder
