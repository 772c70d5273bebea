// Builds a ModuleView: frames, definitions, operands, functions and blocks, uses, decorations.
#include <algorithm>
#include <bit>
#include <utility>

#include "decoder/raw_instructions.h"
#include "decoder/view/module_view.h"
#include "decoder/view/opcode_sets.h"

namespace transpire::decoder::view {
namespace {

/// Number of words of a string, including its zero octet; 0 if it has no end within `words`.
std::uint32_t string_words(std::span<const std::uint32_t> words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint32_t w = words[i];
    if ((w & 0xff) == 0 || (w & 0xff00) == 0 || (w & 0xff0000) == 0 || (w & 0xff000000) == 0)
      return static_cast<std::uint32_t>(i + 1);
  }
  return 0;
}

}  // namespace

class ViewBuilder {
 public:
  explicit ViewBuilder(ModuleView& view) : view_(view), words_(view.words_) {}

  void build() {
    read_frames();
    for (std::uint32_t i = 0; i < view_.instructions_.size(); ++i) cut(view_.instructions_[i]);
    find_functions();
    find_successors();
    count_uses();
    group_opcodes();
    collect_names();
    collect_decorations();
  }

 private:
  void read_frames();
  void cut(Instruction& instruction);
  void find_functions();
  void find_successors();
  void count_uses();
  void group_opcodes();
  void collect_names();
  void collect_decorations();
  void add_group(std::uint32_t instruction);
  const std::vector<Decoration>& decorations_of_group(Id group);

  // These cut one instruction into operands. A false result ends the cutting.
  bool cut_all(Instruction& in, std::span<const OperandSpec> specs);
  bool cut_one(Instruction& in, OperandKind kind);
  bool cut_mask(Instruction& in, OperandKind kind);
  bool cut_enumerant(Instruction& in, OperandKind kind);
  bool cut_number(Instruction& in, Id type);
  bool cut_case(Instruction& in);
  ExtendedSet set_of_import(Id id) const;
  bool cut_ext_inst(Instruction& in);
  bool take(Instruction& in, OperandKind kind, std::uint32_t count);
  bool stop(Instruction& in, Shape shape) const {
    in.shape = shape;
    in.shape_at = static_cast<std::uint16_t>(at_);
    return false;
  }
  bool stop_at_enumerant(Instruction& in, OperandKind kind, std::uint32_t at) {
    at_ = at;
    in.unknown_kind = kind;
    return stop(in, Shape::kBadEnumerant);
  }
  std::uint32_t left(const Instruction& in) const { return in.word_count - at_; }

  ModuleView& view_;
  std::span<const std::uint32_t> words_;
  std::unordered_map<Id, std::vector<Decoration>> groups_;  ///< decorations of each group
  std::uint32_t at_ = 0;  ///< position of the next word of the instruction
};

void ViewBuilder::read_frames() {
  // A hash table holds larger ids, which are rare. No id's value makes the view allocate.
  const std::size_t dense = std::min<std::size_t>(view_.bound(), 4 * words_.size() + 64);
  view_.dense_.resize(dense);
  std::uint32_t broken = kHeaderWords;
  const bool whole = for_each_instruction(words_, [&](std::size_t at, std::size_t count) {
    Instruction in;
    in.offset = static_cast<std::uint32_t>(at);
    in.word_count = static_cast<std::uint16_t>(count);
    in.op = static_cast<spv::Op>(words_[at] & 0xffff);
    in.info = find_opcode(words_[at] & 0xffff);
    std::size_t next = 1;
    if (in.info && in.info->has_type && next < count) in.type_id = words_[at + next++];
    if (in.info && in.info->has_result && next < count) in.result_id = words_[at + next++];
    const auto index = static_cast<std::uint32_t>(view_.instructions_.size());
    if (in.result_id != 0) {
      auto& entry = view_.entry_for(in.result_id);
      if (entry.definition == kNone)
        entry.definition = index;
      else
        view_.redefinitions_.push_back(index);
    }
    view_.instructions_.push_back(in);
    broken = static_cast<std::uint32_t>(at + count);
  });
  if (!whole) view_.broken_at_ = broken;
}

void ViewBuilder::cut(Instruction& in) {
  in.first_operand = static_cast<std::uint32_t>(view_.operands_.size());
  at_ = 1;
  if (!in.info) {
    stop(in, Shape::kUnknownOpcode);
    return;
  }
  const std::uint32_t fixed = (in.info->has_type ? 1 : 0) + (in.info->has_result ? 1 : 0);
  if (left(in) < fixed) {
    stop(in, Shape::kTooShort);
    return;
  }
  at_ += fixed;
  if (cut_all(in, in.info->operands) && left(in) != 0) stop(in, Shape::kTooLong);
  in.operand_count = static_cast<std::uint16_t>(view_.operands_.size() - in.first_operand);
}

bool ViewBuilder::take(Instruction& in, OperandKind kind, std::uint32_t count) {
  if (left(in) < count) return stop(in, Shape::kTooShort);
  view_.operands_.push_back(
      {kind, static_cast<std::uint16_t>(at_), static_cast<std::uint16_t>(count)});
  at_ += count;
  return true;
}

bool ViewBuilder::cut_all(Instruction& in, std::span<const OperandSpec> specs) {
  for (const OperandSpec& spec : specs) {
    if (spec.quantifier == Quantifier::kOne && !cut_one(in, spec.kind)) return false;
    if (spec.quantifier == Quantifier::kOptional && left(in) > 0 && !cut_one(in, spec.kind))
      return false;
    if (spec.quantifier == Quantifier::kAny)
      while (left(in) > 0)
        if (!cut_one(in, spec.kind)) return false;
  }
  return true;
}

bool ViewBuilder::cut_one(Instruction& in, OperandKind kind) {
  switch (kind) {
    case OperandKind::kLiteralString: {
      const std::uint32_t count = string_words(words_.subspan(in.offset + at_, left(in)));
      if (left(in) == 0) return stop(in, Shape::kTooShort);
      return count == 0 ? stop(in, Shape::kOpenString) : take(in, kind, count);
    }
    case OperandKind::kLiteralContextDependentNumber:
      return cut_number(in, in.type_id);
    case OperandKind::kLiteralExtInstInteger:
      return cut_ext_inst(in);
    case OperandKind::kLiteralSpecConstantOpInteger: {
      if (!take(in, kind, 1)) return false;
      const auto* info = find_opcode(words_[in.offset + at_ - 1]);
      // Operations nested in operations occur in hostile words only.
      if (!info || static_cast<spv::Op>(info->opcode) == spv::Op::OpSpecConstantOp)
        return stop_at_enumerant(in, kind, at_ - 1);
      return cut_all(in, info->operands);
    }
    case OperandKind::kPairLiteralIntegerIdRef:
      return cut_case(in);
    case OperandKind::kPairIdRefLiteralInteger:
      return take(in, OperandKind::kIdRef, 1) && take(in, OperandKind::kLiteralInteger, 1);
    case OperandKind::kPairIdRefIdRef:
      return take(in, OperandKind::kIdRef, 1) && take(in, OperandKind::kIdRef, 1);
    default:
      break;
  }
  if (category_of(kind) == Category::kBitEnum) return cut_mask(in, kind);
  if (category_of(kind) == Category::kValueEnum) return cut_enumerant(in, kind);
  return take(in, kind, 1);
}

bool ViewBuilder::cut_mask(Instruction& in, OperandKind kind) {
  if (!take(in, kind, 1)) return false;
  const std::uint32_t mask_at = at_ - 1;
  const std::uint32_t mask = words_[in.offset + mask_at];
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto* info = find_enumerant(kind, rest & (0u - rest));
    if (!info) {
      const std::uint32_t next = at_;
      stop_at_enumerant(in, kind, mask_at);
      // No bit of function control has parameters, so the following operands are read all the same.
      if (kind != OperandKind::kFunctionControl) return false;
      at_ = next;
      continue;
    }
    if (!cut_all(in, info->parameters)) return false;
  }
  return true;
}

bool ViewBuilder::cut_enumerant(Instruction& in, OperandKind kind) {
  if (!take(in, kind, 1)) return false;
  const auto* info = find_enumerant(kind, words_[in.offset + at_ - 1]);
  if (!info) return stop_at_enumerant(in, kind, at_ - 1);
  return cut_all(in, info->parameters);
}

bool ViewBuilder::cut_number(Instruction& in, Id type) {
  const std::uint32_t definition = view_.definition(type);
  if (definition == kNone) return stop(in, Shape::kNoNumberType);
  const Instruction& type_in = view_.instructions_[definition];
  const bool number = type_in.op == spv::Op::OpTypeInt || type_in.op == spv::Op::OpTypeFloat;
  if (!number || type_in.word_count < 3) return stop(in, Shape::kNoNumberType);
  const std::uint32_t width = words_[type_in.offset + 2];
  if (width == 0 || width > 1024) return stop(in, Shape::kNoNumberType);
  return take(in, OperandKind::kLiteralContextDependentNumber, (width + 31) / 32);
}

bool ViewBuilder::cut_case(Instruction& in) {
  const Id selector = words_[in.offset + 1];
  const std::uint32_t definition = view_.definition(selector);
  const Id type = definition == kNone ? 0 : view_.instructions_[definition].type_id;
  return cut_number(in, type) && take(in, OperandKind::kIdRef, 1);
}

ExtendedSet ViewBuilder::set_of_import(Id id) const {
  const std::uint32_t definition = view_.definition(id);
  if (definition == kNone || view_.instructions_[definition].op != spv::Op::OpExtInstImport)
    return ExtendedSet::kUnknown;
  const Instruction& import = view_.instructions_[definition];
  const std::string_view name(reinterpret_cast<const char*>(&words_[import.offset + 2]),
                              (import.word_count - std::size_t{2}) * 4);
  return extended_set_named(name.substr(0, name.find('\0')));
}

/// The set was taken just before. It decides how the operands behind the number are cut.
bool ViewBuilder::cut_ext_inst(Instruction& in) {
  in.set = set_of_import(words_[in.offset + at_ - 1]);
  if (!take(in, OperandKind::kLiteralExtInstInteger, 1)) return false;
  if (computes(in.set)) {
    const auto* info = find_ext_inst(in.set, words_[in.offset + at_ - 1]);
    if (!info) return stop_at_enumerant(in, OperandKind::kLiteralExtInstInteger, at_ - 1);
    if (!cut_all(in, info->operands)) return false;
    return left(in) == 0 || stop(in, Shape::kTooLong);
  }
  // Instructions of debug sets mix ids and literals; instructions of other sets may have any
  // operands.
  while (left(in) > 0) take(in, OperandKind::kLiteralInteger, 1);
  return true;
}

void ViewBuilder::find_functions() {
  std::uint32_t function = kNone;
  std::uint32_t block = kNone;
  const auto count = static_cast<std::uint32_t>(view_.instructions_.size());
  const auto close_block = [&](std::uint32_t end) {
    if (block != kNone) view_.blocks_[block].end = end;
    block = kNone;
  };
  const auto close_function = [&](std::uint32_t end, bool closed) {
    close_block(end);
    if (function == kNone) return;
    view_.functions_[function].end = end;
    view_.functions_[function].end_block = static_cast<std::uint32_t>(view_.blocks_.size());
    view_.functions_[function].closed = closed;
    function = kNone;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    Instruction& in = view_.instructions_[i];
    if (in.op == spv::Op::OpFunction) {
      close_function(i, false);
      function = static_cast<std::uint32_t>(view_.functions_.size());
      view_.functions_.emplace_back();
      view_.functions_.back().first = i;
      view_.functions_.back().first_block = static_cast<std::uint32_t>(view_.blocks_.size());
    }
    if (in.op == spv::Op::OpLabel && function != kNone) {
      close_block(i);
      block = static_cast<std::uint32_t>(view_.blocks_.size());
      view_.blocks_.emplace_back();
      view_.blocks_.back().first = i;
      view_.blocks_.back().function = function;
    }
    in.function = function;
    in.block = block;
    if (in.op == spv::Op::OpFunctionParameter && function != kNone)
      view_.functions_[function].parameters.push_back(i);
    if (is_terminator(in.op) && block != kNone) {
      view_.blocks_[block].terminator = i;
      close_block(i + 1);
    }
    if (in.op == spv::Op::OpFunctionEnd) close_function(i + 1, true);
  }
  close_function(count, false);
}

void ViewBuilder::find_successors() {
  for (Block& block : view_.blocks_) {
    if (block.terminator == kNone) continue;
    const std::uint32_t i = block.terminator;
    const auto operands = view_.operands(i);
    const spv::Op op = view_.instructions_[i].op;
    const std::size_t first = op == spv::Op::OpBranchConditional || op == spv::Op::OpSwitch ? 1 : 0;
    if (op != spv::Op::OpBranch && first == 0) continue;
    for (std::size_t n = first; n < operands.size(); ++n) {
      if (operands[n].kind != OperandKind::kIdRef) continue;
      const std::uint32_t target = view_.block_of(view_.word(i, n));
      if (target != kNone && view_.blocks_[target].function == block.function)
        block.successors.push_back(target);
    }
  }
}

void ViewBuilder::count_uses() {
  const auto each_use = [this](auto visit) {
    for (std::uint32_t i = 0; i < view_.instructions_.size(); ++i) {
      const Instruction& in = view_.instructions_[i];
      if (in.type_id != 0) visit(in.type_id, i);
      for (const Operand& operand : view_.operands(i))
        if (view_.is_id(operand)) visit(words_[in.offset + operand.at], i);
    }
  };
  std::uint32_t total = 0;
  each_use([&](Id id, std::uint32_t) {
    ++view_.entry_for(id).use_count;
    ++total;
  });
  view_.uses_.resize(total);
  std::uint32_t next = 0;
  const auto place = [&next](ModuleView::IdEntry& entry) {
    entry.first_use = next;
    next += entry.use_count;
    entry.use_count = 0;
  };
  for (auto& entry : view_.dense_) place(entry);
  for (auto& [id, entry] : view_.sparse_) place(entry);
  each_use([&](Id id, std::uint32_t i) {
    ModuleView::IdEntry& entry = view_.entry_for(id);
    view_.uses_[entry.first_use + entry.use_count++] = i;
  });
}

void ViewBuilder::group_opcodes() {
  // Each opcode's range is counted, then given its start, then filled: for few instructions, no table of all opcodes.
  auto& ranges = view_.opcode_ranges_;
  for (const Instruction& in : view_.instructions_)
    ++ranges[static_cast<std::uint32_t>(in.op)].second;
  std::uint32_t start = 0;
  for (auto& [op, range] : ranges) {
    range.first = start;
    start += std::exchange(range.second, 0);
  }
  view_.by_opcode_.resize(view_.instructions_.size());
  for (std::uint32_t i = 0; i < view_.instructions_.size(); ++i) {
    auto& [first, count] = ranges[static_cast<std::uint32_t>(view_.instructions_[i].op)];
    view_.by_opcode_[first + count++] = i;
  }
}

void ViewBuilder::collect_names() {
  for (const std::uint32_t i : view_.all(spv::Op::OpName)) {
    auto& entry = view_.entry_for(view_.word(i, 0));
    if (entry.name == kNone) entry.name = i;
  }
  for (const std::uint32_t i : view_.all(spv::Op::OpCapability))
    view_.capabilities_.push_back(view_.word(i, 0));
  std::sort(view_.capabilities_.begin(), view_.capabilities_.end());
  for (const std::uint32_t i : view_.all(spv::Op::OpEntryPoint))
    view_.entry_points_.push_back(view_.word(i, 1));
  std::sort(view_.entry_points_.begin(), view_.entry_points_.end());
}

/// The decorations are collected once for a group, however often it is applied.
const std::vector<Decoration>& ViewBuilder::decorations_of_group(Id group) {
  const auto [known, is_new] = groups_.try_emplace(group);
  if (!is_new) return known->second;
  for (const std::uint32_t user : view_.uses(group)) {
    const spv::Op op = view_.instructions_[user].op;
    const bool decorates =
        op == spv::Op::OpDecorate || op == spv::Op::OpDecorateId || op == spv::Op::OpDecorateString;
    if (decorates && view_.word(user, 0) == group)
      known->second.push_back(
          {0, kNone, static_cast<spv::Decoration>(view_.word(user, 1)), user, 2});
    if (known->second.size() == 1024) break;
  }
  return known->second;
}

void ViewBuilder::add_group(std::uint32_t instruction) {
  // A group's decorations stand before it is applied. Groups multiply decorations. Real modules
  // stay far below this bound, and rules need only the fact that there are too many.
  const std::size_t most = 4 * view_.instructions_.size() + 65536;
  const bool members = view_.instructions_[instruction].op == spv::Op::OpGroupMemberDecorate;
  const Id group = view_.word(instruction, 0);
  const std::vector<Decoration>& of_group = decorations_of_group(group);
  for (std::size_t n = 1; n < view_.operand_count(instruction); n += members ? 2 : 1) {
    for (Decoration decoration : of_group) {
      if (view_.decorations_.size() >= most) return;
      decoration.target = view_.word(instruction, n);
      if (members) decoration.member = view_.word(instruction, n + 1);
      view_.decorations_.push_back(decoration);
    }
  }
}

void ViewBuilder::collect_decorations() {
  for (std::uint32_t i = 0; i < view_.instructions_.size(); ++i) {
    switch (view_.instructions_[i].op) {
      case spv::Op::OpDecorate:
      case spv::Op::OpDecorateId:
      case spv::Op::OpDecorateString:
        view_.decorations_.push_back(
            {view_.word(i, 0), kNone, static_cast<spv::Decoration>(view_.word(i, 1)), i, 2});
        break;
      case spv::Op::OpMemberDecorate:
      case spv::Op::OpMemberDecorateString:
        view_.decorations_.push_back({view_.word(i, 0), view_.word(i, 1),
                                      static_cast<spv::Decoration>(view_.word(i, 2)), i, 3});
        break;
      case spv::Op::OpGroupDecorate:
      case spv::Op::OpGroupMemberDecorate:
        add_group(i);
        break;
      default:
        break;
    }
  }
  std::stable_sort(view_.decorations_.begin(), view_.decorations_.end(),
                   [](const Decoration& a, const Decoration& b) { return a.target < b.target; });
}

ModuleView::ModuleView(std::span<const std::uint32_t> words) : words_(words) {
  ViewBuilder(*this).build();
}

}  // namespace transpire::decoder::view
