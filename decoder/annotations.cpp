// OpDecorate and its relatives. Groups are resolved here: their decorations are copied to each
// target, so consumers see one list per id, member decorations of structs included.
#include <fmt/format.h>

#include <algorithm>

#include "decoder/context.h"

namespace transpire::decoder {
namespace {

/// Copies that groups may cause beyond one per word of the module: T targets of a group with D
/// decorations are D * T copies, which a small forged module could drive past all memory.
constexpr std::uint64_t kSpareGroupCopies = 1u << 16;

/// The decoration in `words`: its kind, then its operands, a string among them apart.
Decoration parse_decoration(std::span<const std::uint32_t> words, std::uint32_t member) {
  Decoration decoration{static_cast<spv::Decoration>(words[0]), member, {}, {}};
  words = words.subspan(1);
  const EnumerantInfo* info =
      find_enumerant(OperandKind::kDecoration, static_cast<std::uint32_t>(decoration.kind));
  if (info && !info->parameters.empty() &&
      info->parameters[0].kind == OperandKind::kLiteralString) {
    std::uint32_t taken = 0;
    decoration.text = text_operand(words, &taken);
    words = words.subspan(taken);
  }
  decoration.operands.assign(words.begin(), words.end());
  if (decoration.kind == spv::Decoration::Alignment && !decoration.operands.empty())
    decoration.operands[0] = power_of_two_alignment(decoration.operands[0]);
  return decoration;
}

bool apply_group(Context& context, const Parsed& parsed, Id group, Id target,
                 std::uint32_t member) {
  Module& module = context.module;
  const auto found = module.decorations_by_id.find(group);
  if (found == module.decorations_by_id.end() || group == target) return true;
  const std::vector<Decoration> copies = found->second;
  context.group_decorations += copies.size();
  if (context.group_decorations > module.words.size() + kSpareGroupCopies)
    return context.fail(Rule::kD0037, parsed,
                        fmt::format("expected groups to make at most {} decorations",
                                    module.words.size() + kSpareGroupCopies));
  std::vector<Decoration>& list = module.decorations_by_id[target];
  for (Decoration copy : copies) {
    if (member != Decoration::kNoMember) copy.member = member;
    list.push_back(std::move(copy));
  }
  return true;
}

bool check_group(Context& context, const Parsed& parsed) {
  const Id group = parsed.operands[0];
  if (context.module.kind_of(group) == IdKind::kDecorationGroup) return true;
  return context.fail(
      Rule::kD0037, parsed,
      fmt::format("expected a decoration group, found {}", context.module.spell_id(group)));
}

bool decode_group(Context& context, const Parsed& parsed) {
  if (!check_group(context, parsed)) return false;
  for (const Id target : parsed.operands.subspan(1))
    if (!apply_group(context, parsed, parsed.operands[0], target, Decoration::kNoMember))
      return false;
  return true;
}

bool note_member(Context& context, const Parsed& parsed, Id target, std::uint32_t member) {
  context.decorated_members.push_back({target, member, parsed.word_offset, parsed.op});
  return true;
}

bool decode_group_member(Context& context, const Parsed& parsed) {
  if (!check_group(context, parsed)) return false;
  for (std::size_t i = 1; i + 1 < parsed.operands.size(); i += 2) {
    const Id target = parsed.operands[i];
    const std::uint32_t member = parsed.operands[i + 1];
    if (!note_member(context, parsed, target, member) ||
        !apply_group(context, parsed, parsed.operands[0], target, member))
      return false;
  }
  return true;
}

}  // namespace

bool decode_annotation(Context& context, const Parsed& parsed) {
  Module& module = context.module;
  switch (parsed.op) {
    case spv::Op::OpDecorationGroup:
      return true;
    case spv::Op::OpGroupDecorate:
      return decode_group(context, parsed);
    case spv::Op::OpGroupMemberDecorate:
      return decode_group_member(context, parsed);
    case spv::Op::OpMemberDecorate:
    case spv::Op::OpMemberDecorateString:
      module.decorations_by_id[parsed.operands[0]].push_back(
          parse_decoration(parsed.operands.subspan(2), parsed.operands[1]));
      return note_member(context, parsed, parsed.operands[0], parsed.operands[1]);
    default:
      module.decorations_by_id[parsed.operands[0]].push_back(
          parse_decoration(parsed.operands.subspan(1), Decoration::kNoMember));
      return true;
  }
}

bool finish_annotations(Context& context) {
  for (const DecoratedMember& entry : context.decorated_members) {
    const Type* type = context.module.type(entry.target);
    const bool is_struct = type && type->kind == Type::Kind::kStruct;
    if (is_struct && entry.member < type->members.size()) continue;
    const std::string found = !type ? context.module.spell_id(entry.target)
                              : is_struct
                                  ? fmt::format("member {} of {}, which has {}", entry.member,
                                                spell(*type), type->members.size())
                                  : spell(*type);
    return context.fail(Rule::kD0037, entry.word_offset, opcode_name(entry.op),
                        fmt::format("expected a member of a struct, found {}", found));
  }
  return true;
}

}  // namespace transpire::decoder
