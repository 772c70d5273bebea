// Look-ups in a decoded module. All take any id, also one past the bound.
#include "decoder/module.h"

#include <algorithm>
#include <set>

#include "decoder/context.h"

namespace transpire::decoder {
namespace {

constexpr std::size_t kMostInlinedCalls = 32;
constexpr std::size_t kLongestName = 256;
constexpr int kDeepestScope = 256;

/// A module's text as terminals and logs may have it.
std::string printable(std::string_view text) {
  std::string shown = sanitise_utf8(text.substr(0, kLongestName));
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  return shown;
}

/// The file that the scope is in: its own, or that of the nearest one around it that has one.
std::uint32_t file_around(const Module& module, Id scope) {
  for (int depth = 0; depth < kDeepestScope; ++depth) {
    const auto found = module.debug_scopes.find(scope);
    if (found == module.debug_scopes.end()) return 0;
    if (found->second.file != 0) return found->second.file;
    scope = found->second.parent;
  }
  return 0;
}

template <class Table>
auto* entry_at(Table& table, std::uint32_t index) {
  return index < table.size() ? &table[index] : nullptr;
}

}  // namespace

std::string file_name(const Module& module, std::uint32_t file) {
  std::string name = file < module.files.size() ? module.files[file] : std::string();
  while (name.starts_with("./")) name.erase(0, 2);  // relative to where the compiler ran
  return printable(name);
}

const DebugScope* function_around(const Module& module, Id scope) {
  for (int depth = 0; depth < kDeepestScope; ++depth) {
    const auto found = module.debug_scopes.find(scope);
    if (found == module.debug_scopes.end()) return nullptr;
    if (found->second.name != 0) return &found->second;
    scope = found->second.parent;
  }
  return nullptr;
}

Module Module::copy() const {
  Module same(*this);
  for (Function& function : same.functions)
    for (Block& block : function.blocks)
      for (Instruction& instruction : block.instructions) {
        const auto offset = static_cast<std::size_t>(instruction.operands.data() - words.data());
        instruction.operands = std::span(same.words).subspan(offset, instruction.operands.size());
      }
  return same;
}

std::int32_t Function::block_index(Id label) const {
  const auto found = block_of_label.find(label);
  return found == block_of_label.end() ? -1 : static_cast<std::int32_t>(found->second);
}

const ExecutionMode* EntryPoint::mode(spv::ExecutionMode kind) const {
  const auto found = std::find_if(modes.begin(), modes.end(),
                                  [kind](const ExecutionMode& mode) { return mode.kind == kind; });
  return found == modes.end() ? nullptr : &*found;
}

std::uint32_t Module::pointer_bytes() const {
  return addressing_model == spv::AddressingModel::Physical32 ? 4 : 8;
}

IdKind Module::kind_of(Id id) const { return id < ids.size() ? ids[id].kind : IdKind::kNone; }

const Type* Module::type(Id id) const {
  if (kind_of(id) != IdKind::kType) return nullptr;
  const auto* slot = entry_at(types, ids[id].index);
  return slot ? slot->get() : nullptr;
}

const Constant* Module::constant(Id id) const {
  const IdKind kind = kind_of(id);
  if (kind != IdKind::kConstant && kind != IdKind::kUndef) return nullptr;
  return entry_at(constants, ids[id].index);
}

const Variable* Module::variable(Id id) const {
  return kind_of(id) == IdKind::kVariable ? entry_at(variables, ids[id].index) : nullptr;
}

const Function* Module::function(Id id) const {
  return kind_of(id) == IdKind::kFunction ? entry_at(functions, ids[id].index) : nullptr;
}

const ExtInstImport* Module::ext_inst_import(Id id) const {
  return kind_of(id) == IdKind::kExtInstImport ? entry_at(ext_inst_imports, ids[id].index)
                                               : nullptr;
}

const Type* Module::type_of(Id id) const {
  switch (kind_of(id)) {
    case IdKind::kConstant:
    case IdKind::kUndef:
    case IdKind::kVariable:
    case IdKind::kParameter:
    case IdKind::kInstruction:
      return type(ids[id].type_id);
    default:
      return nullptr;
  }
}

const EntryPoint* Module::entry_point(std::string_view name) const {
  const auto found = std::find_if(entry_points.begin(), entry_points.end(),
                                  [name](const EntryPoint& entry) { return entry.name == name; });
  return found == entry_points.end() ? nullptr : &*found;
}

std::string_view Module::string(Id id) const {
  const auto found = strings.find(id);
  return found == strings.end() ? std::string_view{} : found->second;
}

std::string_view Module::name(Id id) const {
  const auto found = names.find(id);
  return found == names.end() ? std::string_view{} : found->second;
}

std::string Module::spell_id(Id id) const {
  const auto in_text = text_names.find(id);
  const std::string_view text = in_text == text_names.end() ? name(id) : in_text->second;
  return "%" + (text.empty() ? std::to_string(id) : std::string(text));
}

std::span<const Decoration> Module::decorations(Id id) const {
  const auto found = decorations_by_id.find(id);
  if (found == decorations_by_id.end()) return {};
  return found->second;
}

const Decoration* Module::decoration(Id id, spv::Decoration kind) const {
  for (const Decoration& decoration : decorations(id))
    if (decoration.kind == kind && decoration.member == Decoration::kNoMember) return &decoration;
  return nullptr;
}

bool Module::has_capability(spv::Capability capability) const {
  return std::find(capabilities.begin(), capabilities.end(), capability) != capabilities.end();
}

SourceLine Module::source_line(std::uint32_t line_index) const {
  const Line* entry = line_index == 0 ? nullptr : entry_at(lines, line_index);
  if (!entry) return {};
  return {file_name(*this, entry->file), entry->line, entry->column};
}

std::vector<SourceCall> Module::source_calls(std::uint32_t line_index) const {
  const Line* entry = line_index == 0 ? nullptr : entry_at(lines, line_index);
  std::vector<SourceCall> calls;
  if (!entry) return calls;
  SourceLine where = source_line(line_index);
  Id scope = entry->scope;
  std::set<Id> seen;  // forged information may go round in circles
  for (Id call = entry->inlined_at; calls.size() < kMostInlinedCalls;) {
    const DebugScope* function = function_around(*this, scope);
    if (!function) break;
    calls.push_back({printable(string(function->name)), std::move(where)});
    const auto inlined = debug_scopes.find(call);
    if (inlined == debug_scopes.end() || !seen.insert(call).second) break;
    scope = inlined->second.parent;
    where = {file_name(*this, file_around(*this, scope)), inlined->second.line, 0};
    call = inlined->second.inlined_at;
  }
  return calls;
}

const Function* forwarded_to(const Module& module, const Function& entry) {
  if (entry.blocks.size() != 1) return nullptr;
  const auto& instructions = entry.blocks[0].instructions;
  if (instructions.size() != 2 || instructions[0].op != spv::Op::OpFunctionCall ||
      instructions[1].op != spv::Op::OpReturn)
    return nullptr;
  const auto& operands = instructions[0].operands;
  if (operands.size() != entry.parameters.size() + 1) return nullptr;
  for (std::size_t i = 0; i < entry.parameters.size(); ++i)
    if (operands[i + 1] != entry.parameters[i].id) return nullptr;
  return module.function(operands[0]);
}

}  // namespace transpire::decoder
