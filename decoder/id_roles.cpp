// Checks the kind of an id operand: a value or label of the current function, a function, a type,
// and so on. The first pass has found all results, so forward references are known.
#include <fmt/format.h>

#include "decoder/context.h"

namespace transpire::decoder {
namespace {

std::string_view describe(IdRole role) {
  switch (role) {
    case IdRole::kAnything:
    case IdRole::kDefined:
      return "an id";
    case IdRole::kValue:
      return "a value";
    case IdRole::kLabel:
      return "a label of the same function";
    case IdRole::kFunction:
      return "a function";
    case IdRole::kImport:
      return "an instruction set";
    case IdRole::kString:
      return "a string";
  }
  return "an id";
}

bool check_value(Context& context, const Parsed& parsed, Id id) {
  const Module& module = context.module;
  const Module::IdEntry& entry = module.ids[id];
  const bool local = entry.kind == IdKind::kParameter || entry.kind == IdKind::kInstruction;
  const Type* type = module.type_of(id);
  if (!type || type->kind == Type::Kind::kVoid)
    return context.fail(
        Rule::kD0018, parsed,
        fmt::format("expected a value, found {}, which names {}{}", module.spell_id(id),
                    describe(entry.kind), local ? " without a value" : ""));
  if (local && entry.index != context.function_index)
    return context.fail(
        Rule::kD0019, parsed,
        fmt::format("expected a value of the same function, found {}, which belongs "
                    "to another",
                    module.spell_id(id)));
  return true;
}

}  // namespace

std::string_view describe(IdKind kind) {
  switch (kind) {
    case IdKind::kNone:
      return "nothing";
    case IdKind::kType:
      return "a type";
    case IdKind::kConstant:
      return "a constant";
    case IdKind::kVariable:
      return "a global variable";
    case IdKind::kFunction:
      return "a function";
    case IdKind::kParameter:
      return "a function parameter";
    case IdKind::kLabel:
      return "a label";
    case IdKind::kInstruction:
      return "an instruction";
    case IdKind::kString:
      return "a string";
    case IdKind::kExtInstImport:
      return "an instruction set";
    case IdKind::kDecorationGroup:
      return "a decoration group";
    case IdKind::kUndef:
      return "an undefined value";
  }
  return "nothing";
}

bool check_id(Context& context, const Parsed& parsed, Id id, IdRole role) {
  const Module& module = context.module;
  if (id == 0 || id >= module.bound)
    return context.fail(
        Rule::kD0013, parsed,
        fmt::format("expected an id from 1 to below the bound of {}, found {}", module.bound, id));
  const Module::IdEntry& entry = module.ids[id];
  if (role == IdRole::kAnything) return true;
  if (entry.kind == IdKind::kNone)
    return context.fail(Rule::kD0015, parsed,
                        fmt::format("expected {}, found {}, which nothing defines", describe(role),
                                    module.spell_id(id)));
  const auto wrong = [&](Rule rule) {
    return context.fail(rule, parsed,
                        fmt::format("expected {}, found {}, which names {}", describe(role),
                                    module.spell_id(id), describe(entry.kind)));
  };
  switch (role) {
    case IdRole::kValue:
      return check_value(context, parsed, id);
    case IdRole::kLabel:
      if (entry.kind == IdKind::kLabel && entry.index == context.function_index) return true;
      return entry.kind == IdKind::kLabel
                 ? context.fail(
                       Rule::kD0034, parsed,
                       fmt::format("expected a label of the same function, found {}, which "
                                   "belongs to another",
                                   module.spell_id(id)))
                 : wrong(Rule::kD0034);
    case IdRole::kFunction:
      return entry.kind == IdKind::kFunction || wrong(Rule::kD0018);
    case IdRole::kImport:
      return entry.kind == IdKind::kExtInstImport || wrong(Rule::kD0018);
    case IdRole::kString:
      return entry.kind == IdKind::kString || wrong(Rule::kD0018);
    default:
      return true;
  }
}

}  // namespace transpire::decoder
