#include "tests/validator/edit_module.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "decoder/grammar.h"
#include "decoder/view/module_view.h"
#include "decoder/view/opcode_sets.h"
#include "validator/validate.h"

namespace transpire::validator {
namespace {

using Op = spv::Op;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kBoundWord = 3;
constexpr std::uint32_t kLargestBound = 1u << 16;  ///< tables grow with it
constexpr std::uint32_t kOpenClStdFunctions = 205;

/// Operations with one, two and three operands of which many take what others take.
constexpr std::string_view kUnary =
    "ConvertFToU ConvertFToS ConvertSToF ConvertUToF UConvert SConvert FConvert Bitcast SNegate "
    "FNegate Not Any All IsNan IsInf IsNormal SignBitSet LogicalNot BitCount BitReverse "
    "CopyObject ConvertPtrToU ConvertUToPtr PtrCastToGeneric GenericCastToPtr SatConvertSToU "
    "SatConvertUToS GenericPtrMemSemantics Load";
constexpr std::string_view kBinary =
    "IAdd FAdd ISub FSub IMul FMul UDiv SDiv FDiv UMod SRem SMod FRem FMod VectorTimesScalar "
    "Dot IAddCarry ISubBorrow UMulExtended SMulExtended ShiftRightLogical ShiftRightArithmetic "
    "ShiftLeftLogical BitwiseOr BitwiseXor BitwiseAnd IEqual INotEqual UGreaterThan SLessThan "
    "ULessThanEqual FOrdEqual FUnordNotEqual FOrdLessThan LogicalEqual LogicalOr LogicalAnd "
    "LessOrGreater Ordered VectorExtractDynamic PtrAccessChain InBoundsPtrAccessChain "
    "AccessChain InBoundsAccessChain CompositeExtract CompositeConstruct";
constexpr std::string_view kTernary =
    "Select VectorInsertDynamic PtrAccessChain VectorShuffle CompositeInsert CompositeConstruct "
    "BitFieldSExtract BitFieldUExtract AtomicLoad";

class Editor {
 public:
  Editor(std::mt19937& random, Words& words) : random_(random), words_(words), view_(words) {
    for (std::uint32_t i = 0; i < view_.instructions().size(); ++i) {
      const Instruction& in = view_.at(i);
      if (in.result_id == 0) continue;
      if (is_type_declaration(in.op)) types_.push_back(in.result_id);
      if (in.type_id != 0) values_.push_back(in.result_id);
    }
  }

  void edit();

 private:
  std::uint32_t below(std::size_t n) {
    return static_cast<std::uint32_t>(random_() % std::max<std::size_t>(n, 1));
  }
  template <class List>
  auto any_of(const List& list) {
    return list[below(std::size(list))];
  }
  /// One of the instructions that `names` lists without "Op".
  Op any_named(std::string_view names) {
    std::uint32_t left = below(static_cast<std::size_t>(std::ranges::count(names, ' ')) + 1);
    for (; left != 0; --left) names.remove_prefix(names.find(' ') + 1);
    const std::string name = "Op" + std::string(names.substr(0, names.find(' ')));
    return static_cast<Op>(decoder::find_opcode_named(name)->opcode);
  }
  std::uint32_t instruction() { return below(view_.instructions().size()); }

  /// An instruction of a function's body; nothing when the module has none.
  std::optional<std::uint32_t> body_instruction();
  /// Another value of the same type; of any type now and then.
  Id like(Id id);
  Id value_of_type(Id type);
  std::uint32_t small_number();

  void change_operand();
  void change_literal();
  void change_opcode();
  void change_type();
  void change_extended();
  void remove();
  void copy();
  void swap_neighbours();
  void insert_new();

  Words words_of(std::uint32_t i) const {
    const auto from = words_.begin() + view_.at(i).offset;
    return {from, from + view_.at(i).word_count};
  }
  void insert_at(std::uint32_t offset, const Words& what) {
    words_.insert(words_.begin() + offset, what.begin(), what.end());
  }
  Id new_id() {
    const Id id = words_[kBoundWord];
    if (id < kLargestBound) words_[kBoundWord] = id + 1;
    return id;
  }

  std::mt19937& random_;
  Words& words_;
  const ModuleView view_;
  std::vector<Id> types_, values_;
};

std::optional<std::uint32_t> Editor::body_instruction() {
  if (view_.blocks().empty()) return std::nullopt;
  const Block& block = any_of(view_.blocks());
  return block.end > block.first ? block.first + below(block.end - block.first) : block.first;
}

Id Editor::value_of_type(Id type) {
  const std::size_t start = below(values_.size());
  for (std::size_t n = 0; n < values_.size(); ++n) {
    const Id id = values_[(start + n) % values_.size()];
    if (view_.type_of(id) == type) return id;
  }
  return values_.empty() ? 1 : any_of(values_);
}

Id Editor::like(Id id) {
  if (view_.is_type(id)) return types_.empty() ? id : any_of(types_);
  if (random_() % 8 == 0) return below(view_.bound() + 1);
  return value_of_type(view_.type_of(id));
}

std::uint32_t Editor::small_number() {
  constexpr std::uint32_t kNumbers[] = {0,  1,  2,  3,   4,   5,          6,          7,         8,
                                        16, 32, 64, 255, 256, 0x7fffffff, 0xffffffff, 0x3f800000};
  return random_() % 4 == 0 ? static_cast<std::uint32_t>(random_()) : any_of(kNumbers);
}

/// An operand that is an id.
void Editor::change_operand() {
  const std::uint32_t i = random_() % 4 == 0 ? instruction() : body_instruction().value_or(0);
  const auto operands = view_.operands(i);
  if (operands.empty()) return;
  const Operand& operand = any_of(operands);
  if (!view_.is_id(operand)) return;
  std::uint32_t& word = words_[view_.at(i).offset + operand.at];
  word = like(word);
}

void Editor::change_literal() {
  const std::uint32_t i = instruction();
  const auto operands = view_.operands(i);
  if (operands.empty()) return;
  const Operand& operand = any_of(operands);
  if (view_.is_id(operand) || operand.words == 0) return;
  std::uint32_t& word = words_[view_.at(i).offset + operand.at + below(operand.words)];
  word = random_() % 2 == 0 ? word ^ 1u << random_() % 8 : small_number();
}

void Editor::change_opcode() {
  const auto i = body_instruction();
  if (!i) return;
  const Instruction& in = view_.at(*i);
  if (in.type_id == 0 || in.op == Op::OpExtInst) return;
  Op op = in.op;
  if (in.operand_count == 1) op = any_named(kUnary);
  if (in.operand_count == 2) op = any_named(kBinary);
  if (in.operand_count >= 3) op = any_named(kTernary);
  if (random_() % 4 == 0)
    op = static_cast<Op>(static_cast<std::uint32_t>(in.op) + random_() % 9 - 4);
  std::uint32_t& word = words_[in.offset];
  word = (word & 0xffff0000u) | (static_cast<std::uint32_t>(op) & 0xffff);
}

/// A result type, or an operand of a type's declaration.
void Editor::change_type() {
  if (types_.empty()) return;
  if (random_() % 3 == 0) {
    const std::uint32_t i = view_.definition(any_of(types_));
    const auto operands = view_.operands(i);
    if (operands.empty()) return;
    const Operand& operand = any_of(operands);
    std::uint32_t& word = words_[view_.at(i).offset + operand.at];
    word = view_.is_id(operand) ? any_of(types_)
           : random_() % 2 == 0 ? 8u << random_() % 4
                                : random_() % 17;
    return;
  }
  const std::uint32_t i = instruction();
  if (view_.at(i).type_id != 0) words_[view_.at(i).offset + 1] = any_of(types_);
}

/// The function of OpenCL.std that an instruction calls.
void Editor::change_extended() {
  const auto all = view_.all(Op::OpExtInst);
  if (all.empty()) return;
  words_[view_.at(any_of(all)).offset + 4] = below(kOpenClStdFunctions);
}

void Editor::remove() {
  const std::uint32_t i = instruction();
  const auto from = words_.begin() + view_.at(i).offset;
  words_.erase(from, from + view_.at(i).word_count);
}

/// The instruction again somewhere else, with a result of its own.
void Editor::copy() {
  const std::uint32_t i = body_instruction().value_or(instruction());
  Words what = words_of(i);
  const Instruction& in = view_.at(i);
  if (in.result_id != 0) what[in.type_id != 0 ? 2 : 1] = new_id();
  const std::uint32_t to = random_() % 2 == 0 ? i : body_instruction().value_or(instruction());
  insert_at(view_.at(to).offset, what);
}

void Editor::swap_neighbours() {
  const std::uint32_t i = instruction();
  if (i + 1 >= view_.instructions().size()) return;
  const auto from = words_.begin() + view_.at(i).offset;
  std::rotate(from, from + view_.at(i).word_count,
              from + view_.at(i).word_count + view_.at(i + 1).word_count);
}

/// A new operation of values that are there, and now and then a use of its result.
void Editor::insert_new() {
  const auto at = body_instruction();
  if (!at || types_.empty() || values_.empty()) return;
  const std::uint32_t count = 1 + random_() % 3;
  const Op op = count == 1   ? any_named(kUnary)
                : count == 2 ? any_named(kBinary)
                             : any_named(kTernary);
  const Id first = any_of(values_);
  Words what{0, random_() % 2 == 0 ? view_.type_of(first) : any_of(types_), new_id(), first};
  const auto imports = view_.all(Op::OpExtInstImport);
  const bool is_extended = random_() % 3 == 0 && !imports.empty();
  for (std::uint32_t n = 1; n < count; ++n)
    what.push_back(random_() % 3 == 0 ? any_of(values_) : value_of_type(view_.type_of(first)));
  if (is_extended) {
    const Words function{view_.at(imports[0]).result_id, below(kOpenClStdFunctions)};
    what.insert(what.begin() + 3, function.begin(), function.end());
  }
  const auto size = static_cast<std::uint32_t>(what.size());
  what[0] = size << 16 | static_cast<std::uint32_t>(is_extended ? Op::OpExtInst : op);
  insert_at(view_.at(*at).offset, what);
}

void Editor::edit() {
  if (view_.instructions().empty()) return;
  switch (random_() % 12) {
    case 0:
    case 1:
    case 2:
      return change_operand();
    case 3:
      return change_literal();
    case 4:
      return change_opcode();
    case 5:
      return change_type();
    case 6:
      return change_extended();
    case 7:
      return remove();
    case 8:
      return copy();
    case 9:
      return swap_neighbours();
    default:
      return insert_new();
  }
}

}  // namespace

void edit_module(std::mt19937& random, std::vector<std::uint32_t>& words) {
  if (words.size() > kBoundWord + 1) Editor(random, words).edit();
}

}  // namespace transpire::validator
