// Accessors of ModuleView: see the header. Nothing here fails.
#include "decoder/view/module_view.h"

#include <algorithm>

#include "decoder/newer_opcodes.h"
#include "decoder/view/opcode_sets.h"

namespace transpire::decoder::view {

const Instruction& ModuleView::at(std::uint32_t instruction) const {
  static const Instruction none;
  return instruction < instructions_.size() ? instructions_[instruction] : none;
}

std::span<const std::uint32_t> ModuleView::all(spv::Op op) const {
  const auto found = opcode_ranges_.find(static_cast<std::uint32_t>(op));
  if (found == opcode_ranges_.end()) return {};
  return std::span(by_opcode_).subspan(found->second.first, found->second.second);
}

std::span<const Operand> ModuleView::operands(std::uint32_t instruction) const {
  const Instruction& in = at(instruction);
  return std::span(operands_).subspan(in.first_operand, in.operand_count);
}

std::uint32_t ModuleView::word(std::uint32_t instruction, std::size_t n) const {
  const Instruction& in = at(instruction);
  return n < in.operand_count ? words_[in.offset + operands_[in.first_operand + n].at] : 0;
}

std::uint64_t ModuleView::number(std::uint32_t instruction, std::size_t n) const {
  const Instruction& in = at(instruction);
  if (n >= in.operand_count) return 0;
  const Operand& operand = operands_[in.first_operand + n];
  std::uint64_t value = words_[in.offset + operand.at];
  if (operand.words > 1) value |= std::uint64_t{words_[in.offset + operand.at + 1u]} << 32;
  return value;
}

std::string ModuleView::text(std::uint32_t instruction, std::size_t n, std::size_t most) const {
  const Instruction& in = at(instruction);
  if (n >= in.operand_count) return {};
  const Operand& operand = operands_[in.first_operand + n];
  std::string text;
  for (std::uint32_t i = 0; i < operand.words; ++i)
    for (std::uint32_t shift = 0; shift < 32; shift += 8) {
      const char c = static_cast<char>(words_[in.offset + operand.at + i] >> shift & 0xff);
      if (c == '\0' || text.size() >= most) return text;
      text += c;
    }
  return text;
}

bool ModuleView::is_text(std::uint32_t instruction, std::size_t n, std::string_view wanted) const {
  const Instruction& in = at(instruction);
  if (n >= in.operand_count) return false;
  const Operand& operand = operands_[in.first_operand + n];
  if (operand.words <= wanted.size() / 4) return false;  // no room for the zero octet
  for (std::uint32_t at = 0; at <= wanted.size(); ++at) {
    const char c = static_cast<char>(words_[in.offset + operand.at + at / 4] >> at % 4 * 8 & 0xff);
    if (c != (at < wanted.size() ? wanted[at] : 0)) return false;
  }
  return true;
}

int ModuleView::find_operand(std::uint32_t instruction, OperandKind kind) const {
  const auto all = operands(instruction);
  for (std::size_t n = 0; n < all.size(); ++n)
    if (all[n].kind == kind) return static_cast<int>(n);
  return -1;
}

const ModuleView::IdEntry* ModuleView::entry(Id id) const {
  if (id < dense_.size()) return &dense_[id];
  const auto found = sparse_.find(id);
  return found == sparse_.end() ? nullptr : &found->second;
}

ModuleView::IdEntry& ModuleView::entry_for(Id id) {
  return id < dense_.size() ? dense_[id] : sparse_[id];
}

std::uint32_t ModuleView::definition(Id id) const {
  const IdEntry* found = entry(id);
  return found ? found->definition : kNone;
}

spv::Op ModuleView::op_of(Id id) const {
  const std::uint32_t definition_of_id = definition(id);
  return definition_of_id == kNone ? spv::Op::OpNop : instructions_[definition_of_id].op;
}

Id ModuleView::type_of(Id id) const {
  const std::uint32_t definition_of_id = definition(id);
  return definition_of_id == kNone ? 0 : instructions_[definition_of_id].type_id;
}

std::span<const std::uint32_t> ModuleView::uses(Id id) const {
  const IdEntry* found = entry(id);
  if (!found) return {};
  return std::span(uses_).subspan(found->first_use, found->use_count);
}

std::string ModuleView::name(Id id, std::size_t most) const {
  if (const auto called = text_names_.find(id); called != text_names_.end())
    return called->second.substr(0, most);
  const IdEntry* found = entry(id);
  return found && found->name != kNone ? text(found->name, 1, most) : std::string{};
}

std::uint32_t ModuleView::definition_word(Id id, std::size_t operand) const {
  return word(definition(id), operand);
}

bool ModuleView::is_type(Id id) const { return is_type_declaration(op_of(id)); }

bool ModuleView::is_int(Id type, std::uint32_t width) const {
  return op_of(type) == spv::Op::OpTypeInt && (width == 0 || definition_word(type, 0) == width);
}

bool ModuleView::is_float(Id type, std::uint32_t width) const {
  return op_of(type) == spv::Op::OpTypeFloat && (width == 0 || definition_word(type, 0) == width);
}

Id ModuleView::component_type(Id type) const {
  return op_of(type) == spv::Op::OpTypeVector ? definition_word(type, 0) : type;
}

std::optional<spv::StorageClass> ModuleView::storage_class(Id pointer_type) const {
  const spv::Op op = op_of(pointer_type);
  if (op != spv::Op::OpTypePointer && op != kOpTypeUntypedPointerKHR) return std::nullopt;
  return static_cast<spv::StorageClass>(definition_word(pointer_type, 0));
}

Id ModuleView::pointee(Id pointer_type) const {
  return op_of(pointer_type) == spv::Op::OpTypePointer ? definition_word(pointer_type, 1) : 0;
}

std::optional<std::uint64_t> ModuleView::constant_value(Id id) const {
  const std::uint32_t definition_of_id = definition(id);
  if (definition_of_id == kNone) return std::nullopt;
  const Instruction& in = instructions_[definition_of_id];
  if (!is_int(in.type_id)) return std::nullopt;
  if (in.op == spv::Op::OpConstantNull) return 0;
  if (in.op != spv::Op::OpConstant || in.operand_count == 0) return std::nullopt;
  const std::uint32_t width = definition_word(in.type_id, 0);
  const std::uint64_t value = number(definition_of_id, 0);
  // Narrow constants may be sign-extended to their word.
  return width < 64 ? value & ((std::uint64_t{1} << width) - 1) : value;
}

std::span<const Decoration> ModuleView::decorations(Id id) const {
  struct ByTarget {
    bool operator()(const Decoration& a, Id b) const { return a.target < b; }
    bool operator()(Id a, const Decoration& b) const { return a < b.target; }
  };
  const auto range = std::equal_range(decorations_.begin(), decorations_.end(), id, ByTarget{});
  return {range.first, range.second};
}

const Decoration* ModuleView::decoration(Id id, spv::Decoration kind) const {
  for (const Decoration& decoration : decorations(id))
    if (decoration.kind == kind && decoration.member == kNone) return &decoration;
  return nullptr;
}

bool ModuleView::has_capability(spv::Capability capability) const {
  return std::binary_search(capabilities_.begin(), capabilities_.end(),
                            static_cast<std::uint32_t>(capability));
}

bool ModuleView::is_entry_point(Id function) const {
  return std::binary_search(entry_points_.begin(), entry_points_.end(), function);
}

std::uint32_t ModuleView::block_of(Id label) const {
  const std::uint32_t definition_of_id = definition(label);
  if (definition_of_id == kNone || instructions_[definition_of_id].op != spv::Op::OpLabel)
    return kNone;
  return instructions_[definition_of_id].block;
}

std::uint32_t ModuleView::function_of(Id function) const {
  const std::uint32_t definition_of_id = definition(function);
  if (definition_of_id == kNone || instructions_[definition_of_id].op != spv::Op::OpFunction)
    return kNone;
  return instructions_[definition_of_id].function;
}

std::uint32_t ModuleView::line_of(std::uint32_t instruction) const {
  // A line holds to the end of its block, or at module scope until another one.
  const auto last_before = [instruction](std::span<const std::uint32_t> sorted) {
    const auto next = std::lower_bound(sorted.begin(), sorted.end(), instruction);
    return next == sorted.begin() ? kNone : *(next - 1);
  };
  const std::uint32_t line = last_before(all(spv::Op::OpLine));
  if (line == kNone || at(line).block != at(instruction).block) return kNone;
  const std::uint32_t end = last_before(all(spv::Op::OpNoLine));
  return end != kNone && end > line ? kNone : line;
}

}  // namespace transpire::decoder::view
