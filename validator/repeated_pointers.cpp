// See repeated_pointers.h. Producers that announce a pointer with OpTypeForwardPointer may declare it once more, and use
// both ids for the same type.
#include "validator/repeated_pointers.h"

#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "decoder/raw_instructions.h"
#include "decoder/view/opcode_sets.h"
#include "validator/names.h"

namespace transpire::validator {
namespace {

using spv::Op;
using Key = std::pair<std::uint32_t, Id>;  ///< storage class and pointee

bool has_repeated(std::span<const std::uint32_t> words) {
  std::set<Key> seen;
  bool repeated = false;
  decoder::for_each_instruction(words, [&](std::size_t at, std::size_t count) {
    if (static_cast<Op>(words[at] & 0xffff) == Op::OpTypePointer && count == 4)
      repeated |= !seen.insert({words[at + 2], words[at + 3]}).second;
  });
  return repeated;
}

/// Instructions that are about the very id.
bool is_about_id(Op op) {
  switch (op) {
    case Op::OpName:
    case Op::OpMemberName:
    case Op::OpTypeForwardPointer:
    case Op::OpDecorate:
    case Op::OpDecorateId:
    case Op::OpDecorateString:
    case Op::OpGroupDecorate:
      return true;
    default:
      return false;
  }
}

class Unifier {
 public:
  explicit Unifier(const ModuleView& view) : view_(view) {
    for (const std::uint32_t i : view.all(Op::OpTypeForwardPointer))
      announced_.insert(view.word(i, 0));
    // Structures name an announced pointer before it is declared, so it is the one to be kept.
    for (const bool announced : {true, false})
      for (const std::uint32_t i : view.all(Op::OpTypePointer))
        if (announced_.contains(view.at(i).result_id) == announced) choose(i);
  }

  std::vector<std::uint32_t> run(std::span<const std::uint32_t> words) const {
    std::vector<std::uint32_t> unified(words.begin(), words.end());
    for (std::uint32_t i = 0; i < view_.instructions().size(); ++i) {
      const Instruction& in = view_.at(i);
      if (is_about_id(in.op)) continue;
      if (in.type_id != 0) unified[in.offset + 1] = instead_of(in.type_id, i);
      for (const Operand& operand : view_.operands(i))
        if (view_.is_id(operand))
          unified[in.offset + operand.at] = instead_of(words[in.offset + operand.at], i);
    }
    return unified;
  }

 private:
  void choose(std::uint32_t i) {
    const Id id = view_.at(i).result_id;
    const Id pointee = view_.word(i, 1);
    const auto known = kept_.find(pointee);
    const Key key{view_.word(i, 0), known == kept_.end() ? pointee : known->second};
    const auto [first, is_new] = first_.try_emplace(key, id);
    if (!is_new && first->second != id) kept_[id] = first->second;
  }

  /// The id that instruction `i` is given: not one that it could not name yet.
  Id instead_of(Id id, std::uint32_t i) const {
    const auto found = kept_.find(id);
    if (found == kept_.end()) return id;
    const bool is_declared = view_.definition(found->second) < i;
    const bool may_be_later =
        announced_.contains(found->second) && is_type_declaration(view_.at(i).op);
    return is_declared || may_be_later ? found->second : id;
  }

  const ModuleView& view_;
  std::set<Id> announced_;
  std::map<Key, Id> first_;
  std::unordered_map<Id, Id> kept_;
};

}  // namespace

std::vector<std::uint32_t> with_pointers_unified(std::span<const std::uint32_t> words) {
  if (!has_repeated(words)) return {};
  const ModuleView view(words);
  return Unifier(view).run(words);
}

}  // namespace transpire::validator
