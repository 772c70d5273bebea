// SPIR-V 1.0, 2.16.1 "SSA": each id has one definition, and definitions come before uses. Not
// checked are forward references that 2.4 allows: names, decorations, entry points, labels,
// functions, phis.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/nearest.h"
#include "decoder/view/control_flow.h"
#include "decoder/view/opcode_sets.h"
#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_ids {
namespace {

using spv::Op;

constexpr ValidationRule kDefinedOnce{
    "UNI-04", "SPIR-V 1.0, 2.16.1", "each id is the result of exactly one instruction",
    "Give each result an id of its own, and define every id that is used."};
constexpr ValidationRule kDominance{
    "UNI-05", "SPIR-V 1.0, 2.4 and 2.16.1",
    "a definition stands before its uses outside of functions, and dominates them within one",
    "Move the definition up, or let OpPhi choose between the values of several ways."};
constexpr ValidationRule kOwnFunction{"UNI-21", "SPIR-V 1.0, 2.16.1",
                                      "an id that a function defines is used in that function only",
                                      "Pass the value as an argument or as a function's result."};
constexpr ValidationRule kForwardPointer{
    "UNI-54", "SPIR-V 1.0, 2.4 and 3.32.6",
    "a structure's member that is declared later is a pointer type that OpTypeForwardPointer "
    "announces",
    "Put OpTypeForwardPointer with the pointer's id before the structure."};
constexpr ValidationRule kForwardStructure{
    "V0029", "SPIR-V 1.6, \"Type-Declaration Instructions\", OpTypeForwardPointer",
    "a pointer that OpTypeForwardPointer announces points to a structure",
    "Only structures refer to themselves: announce the pointer to the structure, not the pointer "
    "to a pointer or an array of it.",
    InField::kWarning};
constexpr ValidationRule kBound{
    "V0004", "SPIR-V, 2.3 \"Physical Layout of a SPIR-V Module and Instruction\"",
    "ids are greater than 0 and less than the bound in the header",
    "Set word 3 of the header to one more than the largest id."};

constexpr const char* kGlobalOnly =
    "Name what is declared outside of functions: a type, a constant or a global variable.";
constexpr const char* kDefineIt =
    "Add the instruction that defines it, or name an id that is there.";

/// True for instructions whose ids may all be defined later.
bool may_look_ahead(Op op) {
  switch (op) {
    case Op::OpName:
    case Op::OpMemberName:
    case Op::OpEntryPoint:
    case Op::OpExecutionMode:
    case Op::OpExecutionModeId:
    case Op::OpDecorate:
    case Op::OpDecorateId:
    case Op::OpDecorateString:
    case Op::OpMemberDecorate:
    case Op::OpMemberDecorateString:
    case Op::OpGroupDecorate:
    case Op::OpGroupMemberDecorate:
    case Op::OpTypeForwardPointer:
      return true;
    default:
      return false;
  }
}

class Uses {
 public:
  explicit Uses(Context& context) : context_(context), view_(context.view), flow_(context.flow()) {
    for (const std::uint32_t i : view_.all(Op::OpTypeForwardPointer))
      announced_.emplace(view_.word(i, 0), i);
  }

  void check() {
    for (const std::uint32_t i : view_.all(Op::OpTypeForwardPointer)) check_announcement(i);
    if (context_.lacks_function) find_missing_functions();
    check_redefinitions();
    for (std::uint32_t i = 0; i < view_.instructions().size(); ++i) check_instruction(i);
    if (largest_ >= view_.bound())
      context_.report(kBound, Place::header(3),
                      fmt::format("expected a bound above the largest id, {}, found {}", largest_,
                                  view_.bound()));
  }

 private:
  /// If one id is defined twice and another never, the second definition was probably meant for the
  /// other.
  void check_redefinitions() {
    const auto redefinitions = view_.redefinitions();
    const Id missing = redefinitions.size() == 1 ? only_undefined() : 0;
    for (const std::uint32_t i : redefinitions) {
      if (is_second_line(i)) continue;
      context_.report(
          kDefinedOnce, Place::at(i, Place::kResult),
          fmt::format("expected an id that nothing defines, found {}",
                      context_.name(view_.at(i).result_id)),
          {{"defined here first", view_.definition(view_.at(i).result_id)}},
          missing == 0
              ? "Give this result an id of its own."
              : fmt::format("Give one of the two an id of its own: {} is used, and nothing "
                            "defines it.",
                            context_.name(missing)),
          {view_.at(i).result_id, missing});
    }
  }

  /// True for an OpFunction directly behind another one with the same id: the missing OpFunctionEnd
  /// was reported.
  bool is_second_line(std::uint32_t i) const {
    return i != 0 && view_.at(i).op == Op::OpFunction && view_.at(i - 1).op == Op::OpFunction &&
           view_.at(i - 1).result_id == view_.at(i).result_id && !context_.options.all;
  }

  /// The used but undefined id, if there is exactly one; else 0.
  Id only_undefined() const {
    Id found = 0;
    for (std::uint32_t i = 0; i < view_.instructions().size(); ++i) {
      const auto operands = view_.operands(i);
      for (std::size_t n = 0; n <= operands.size(); ++n) {
        const bool is_type = n == operands.size();
        if (!is_type && !view_.is_id(operands[n])) continue;
        const Id id = is_type ? view_.at(i).type_id : view_.word(i, n);
        if (id == 0 || id == found || view_.definition(id) != kNone) continue;
        if (found != 0) return 0;
        found = id;
      }
    }
    return found;
  }

  void find_missing_functions() {
    const auto note = [this](Op op, std::size_t operand) {
      for (const std::uint32_t i : view_.all(op)) missing_functions_.insert(view_.word(i, operand));
    };
    note(Op::OpEntryPoint, 1);
    note(Op::OpExecutionMode, 0);
    note(Op::OpFunctionCall, 0);
  }

  void check_announcement(std::uint32_t i) {
    const std::uint32_t pointer = view_.definition(view_.word(i, 0));
    if (pointer == kNone) return;
    if (view_.at(pointer).op == Op::OpTypePointer && view_.word(pointer, 0) == view_.word(i, 1))
      return check_announced_structure(i, pointer);
    context_.report(kForwardPointer, Place::at(i),
                    fmt::format("expected a pointer type of this storage class, found {}",
                                context_.type(view_.word(i, 0))),
                    {{"declared here", pointer}});
  }

  void check_announced_structure(std::uint32_t i, std::uint32_t pointer) {
    const Id pointee = view_.word(pointer, 1);
    if (view_.op_of(pointee) == Op::OpTypeStruct || view_.definition(pointee) == kNone) return;
    context_.report(
        kForwardStructure, Place::at(i, 0),
        fmt::format("expected a pointer to a structure, found {}", context_.type(view_.word(i, 0))),
        {{"declared here", pointer}});
  }

  void check_instruction(std::uint32_t i) {
    const Instruction& in = view_.at(i);
    if (in.info == nullptr) return;
    if (in.info->has_result && in.word_count > 1 + (in.info->has_type ? 1 : 0) &&
        !is_id(i, in.result_id, Place::kResult))
      return;
    if (in.info->has_type && in.word_count > 1) check_use(i, in.type_id, Place::kType);
    const auto operands = view_.operands(i);
    for (std::size_t n = 0; n < operands.size(); ++n)
      if (view_.is_id(operands[n])) check_use(i, view_.word(i, n), static_cast<int>(n));
  }

  /// Only the largest id is compared with the bound.
  bool is_id(std::uint32_t i, Id id, int operand) {
    largest_ = std::max(largest_, id);
    if (id != 0) return true;
    context_.report(kBound, Place::at(i, operand), "expected an id, found 0");
    return false;
  }

  void check_use(std::uint32_t i, Id id, int operand) {
    if (!is_id(i, id, operand)) return;
    const std::uint32_t definition = view_.definition(id);
    if (definition == kNone) {
      if (missing_functions_.contains(id)) return;
      context_.report(
          kDefinedOnce, Place::at(i, operand),
          fmt::format("expected an instruction that defines {}, found none", context_.name(id)), {},
          meant_by(id, operand == Place::kType || is_type_declaration(view_.at(i).op)), {id});
      return;
    }
    const Instruction& in = view_.at(i);
    const Instruction& defining = view_.at(definition);
    if (may_look_ahead(in.op) || defining.op == Op::OpFunction || defining.op == Op::OpLabel)
      return;
    if (defining.function == kNone)
      check_global(i, id, definition, operand);
    else if (defining.function != in.function)
      context_.report(kOwnFunction, Place::at(i, operand),
                      fmt::format("expected a value of the same function, found {} of another",
                                  context_.name(id)),
                      {{"defined here", definition}}, in.function == kNone ? kGlobalOnly : "");
    else
      check_local(i, id, definition, operand);
  }

  void check_global(std::uint32_t i, Id id, std::uint32_t definition, int operand) {
    if (definition < i) return;
    const auto announced = announced_.find(id);
    if (announced != announced_.end() && announced->second < i &&
        view_.op_of(id) == Op::OpTypePointer && is_type_declaration(view_.at(i).op))
      return;
    if (view_.at(i).op == Op::OpTypeStruct) {
      context_.report(kForwardPointer, Place::at(i, operand),
                      fmt::format("expected OpTypeForwardPointer for {} before it is used here",
                                  context_.name(id)),
                      {{"declared here", definition}});
      return;
    }
    too_late(i, id, definition, operand);
  }

  void check_local(std::uint32_t i, Id id, std::uint32_t definition, int operand) {
    const Instruction& in = view_.at(i);
    const std::uint32_t from = view_.at(definition).block;
    if (from == kNone) {  // a parameter, or an instruction reported for having no block
      if (definition > i) too_late(i, id, definition, operand);
      return;
    }
    std::uint32_t to = in.block;
    if (in.op == Op::OpPhi) {
      // The use of a phi's value is at the end of the parent, the next operand.
      to = operand >= 0 ? view_.block_of(view_.word(i, static_cast<std::size_t>(operand) + 1))
                        : kNone;
      if (to == from || to == kNone) return;
    } else if (from == to) {
      if (definition >= i) too_late(i, id, definition, operand);
      return;
    }
    if (!flow_.reachable(to) || flow_.dominates(from, to)) return;
    context_.report(kDominance, Place::at(i, operand),
                    fmt::format("expected a value that every way to this block defines, found {}",
                                context_.name(id)),
                    {{"defined here", definition}});
  }

  /// A name that an undefined id may be a misspelling of: only a few letters may differ, because
  /// ids are similar.
  std::string meant_by(Id id, bool is_type) {
    const auto& names = view_.text_names();
    const auto written = names.find(id);
    if (written == names.end() || names.size() > kMostNames || suggested_++ > kMostSuggestions)
      return kDefineIt;
    std::vector<std::string> defined;
    for (const auto& [other, name] : names)
      if (view_.definition(other) != kNone && is_type_declaration(view_.op_of(other)) == is_type)
        defined.push_back(name);
    std::ranges::sort(defined);
    const std::string near = nearest(written->second, defined, written->second.size() / 5 + 1);
    return near.empty() ? kDefineIt : fmt::format("Did you mean '%{}'?", near);
  }

  void too_late(std::uint32_t i, Id id, std::uint32_t definition, int operand) {
    context_.report(kDominance, Place::at(i, operand),
                    fmt::format("expected {} to be defined before it is used", context_.name(id)),
                    {{"defined here", definition}},
                    definition == i
                        ? "An instruction cannot use its own result: name another value."
                        : "Move the definition above this line.");
  }

  Context& context_;
  const ModuleView& view_;
  const Flow& flow_;
  // Hostile modules break rules in every word.
  static constexpr std::size_t kMostNames = 10'000, kMostSuggestions = 20;
  std::size_t suggested_ = 0;
  Id largest_ = 0;
  std::unordered_set<Id>
      missing_functions_;  ///< ids that calls and entry points name, for a missing OpFunction
  std::unordered_map<Id, std::uint32_t> announced_;  ///< the first OpTypeForwardPointer of each
};

void check(Context& context) { Uses(context).check(); }

constexpr const ValidationRule* kRules[] = {&kDefinedOnce,    &kDominance,        &kOwnFunction,
                                            &kForwardPointer, &kForwardStructure, &kBound};

}  // namespace
}  // namespace rules_ids

const Family kIdFamily{"ids", rules_ids::kRules, rules_ids::check};

}  // namespace transpire::validator
