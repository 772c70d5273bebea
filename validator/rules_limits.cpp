// LIM: the limits that every consumer has to reach. A device may have larger ones.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_limits {
namespace {

using decoder::OperandKind;

constexpr std::string_view kClause = "SPIR-V 1.0, 2.17, Universal Limits";
constexpr std::string_view kHint =
    "Devices need not accept more. For a device that does, write a larger limit of that name into "
    "its description.";

#define TRANSPIRE_LIMIT(object, number, text) \
  constexpr ValidationRule object{            \
      .id = "LIM-" number, .clause = kClause, .statement = text, .hint = kHint};
TRANSPIRE_LIMIT(kStringCharacters, "01",
                "a string has at most 65535 characters (string_characters)")
TRANSPIRE_LIMIT(kInstructionWords, "02",
                "an instruction has at most 65535 words (instruction_words)")
TRANSPIRE_LIMIT(kIdBound, "03", "the bound of ids is at most 4194303 (id_bound)")
TRANSPIRE_LIMIT(kNestingDepth, "04",
                "control flow with merge instructions nests at most 1023 deep (nesting_depth)")
TRANSPIRE_LIMIT(kGlobalVariables, "05",
                "there are at most 65535 variables outside of functions (global_variables)")
TRANSPIRE_LIMIT(kLocalVariables, "06",
                "there are at most 524287 variables inside of functions (local_variables)")
TRANSPIRE_LIMIT(kDecorations, "07",
                "an id has at most as many decorations as there are kinds (decorations_per_id)")
TRANSPIRE_LIMIT(kExecutionModes, "08",
                "an entry point has at most 255 execution modes (execution_modes)")
TRANSPIRE_LIMIT(kIndexes, "09",
                "access chains, composite extracts and inserts have at most 255 indexes (indexes)")
TRANSPIRE_LIMIT(kParameters, "10", "a function has at most 255 parameters (parameters)")
TRANSPIRE_LIMIT(kCallArguments, "11", "a call has at most 255 arguments (call_arguments)")
TRANSPIRE_LIMIT(kExtInstArguments, "12",
                "an extended instruction has at most 255 arguments (ext_inst_arguments)")
TRANSPIRE_LIMIT(kSwitchPairs, "13", "a switch has at most 16383 cases (switch_pairs)")
TRANSPIRE_LIMIT(kStructMembers, "14", "a structure has at most 16383 members (struct_members)")
TRANSPIRE_LIMIT(kStructDepth, "15", "structures nest at most 255 deep (struct_depth)")
#undef TRANSPIRE_LIMIT

class LimitCheck {
 public:
  explicit LimitCheck(Context& context) : context_(context), view_(context.view) {}

  void run() {
    if (view_.bound() > limit(Limit::kIdBound))
      report(kIdBound, Place::header(3), "bound", Limit::kIdBound, view_.bound());
    for (std::uint32_t i = 0; i < view_.instructions().size(); ++i) {
      check_words(i);
      check_counts(i);
    }
    check_modes();
    check_variables();
    check_decorations();
    check_struct_depth();
    check_nesting();
  }

 private:
  std::uint64_t limit(Limit which) const {
    if (which != Limit::kDecorationsPerId || context_.device.limits.contains(which))
      return context_.device.limit(which);
    return decoder::enumerant_count(OperandKind::kDecoration);
  }

  void report(const ValidationRule& rule, Place place, std::string_view what, Limit which,
              std::uint64_t found) {
    context_.report(
        rule, place,
        fmt::format("expected at most {} for the {}, found {}", limit(which), what, found),
        {{fmt::format("the device's limit '{}'", limit_name(which))}});
  }

  void count(const ValidationRule& rule, std::uint32_t i, std::string_view what, Limit which,
             std::uint64_t found) {
    if (found > limit(which)) report(rule, Place::at(i), what, which, found);
  }

  void check_words(std::uint32_t i) {
    count(kInstructionWords, i, "words of an instruction", Limit::kInstructionWords,
          view_.at(i).word_count);
    const auto operands = view_.operands(i);
    for (std::size_t n = 0; n < operands.size(); ++n) {
      if (operands[n].kind != OperandKind::kLiteralString ||
          operands[n].words * std::uint64_t{4} <= limit(Limit::kStringCharacters))
        continue;
      const std::uint64_t characters = view_.text(i, n).size();
      if (characters > limit(Limit::kStringCharacters))
        report(kStringCharacters, Place::at(i, static_cast<int>(n)), "characters of a string",
               Limit::kStringCharacters, characters);
    }
  }

  void check_counts(std::uint32_t i) {
    const Instruction& in = view_.at(i);
    const std::uint64_t operands = in.operand_count;
    const auto behind = [operands](std::uint64_t first) {
      return operands > first ? operands - first : 0;
    };
    switch (in.op) {
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain:
      case spv::Op::OpCompositeExtract:
        return count(kIndexes, i, "indexes", Limit::kIndexes, behind(1));
      case spv::Op::OpPtrAccessChain:
      case spv::Op::OpInBoundsPtrAccessChain:
      case spv::Op::OpCompositeInsert:
        return count(kIndexes, i, "indexes", Limit::kIndexes, behind(2));
      case spv::Op::OpTypeFunction:
        return count(kParameters, i, "parameters of a function", Limit::kParameters, behind(1));
      case spv::Op::OpFunctionCall:
        return count(kCallArguments, i, "arguments of a call", Limit::kCallArguments, behind(1));
      case spv::Op::OpExtInst:
        // The limit is for devices, which ignore debug information, and that has many operands.
        if (computes(in.set))
          count(kExtInstArguments, i, "arguments of an extended instruction",
                Limit::kExtInstArguments, behind(2));
        return;
      case spv::Op::OpSwitch:
        return count(kSwitchPairs, i, "cases of a switch", Limit::kSwitchPairs, behind(2) / 2);
      case spv::Op::OpTypeStruct:
        return count(kStructMembers, i, "members of a structure", Limit::kStructMembers, operands);
      default:
        return;
    }
  }

  void check_modes() {
    std::unordered_map<Id, std::uint64_t> counts;
    for (const spv::Op op : {spv::Op::OpExecutionMode, spv::Op::OpExecutionModeId})
      for (const std::uint32_t i : view_.all(op))
        if (++counts[view_.word(i, 0)] == limit(Limit::kExecutionModes) + 1)
          report(kExecutionModes, Place::at(i), "execution modes of an entry point",
                 Limit::kExecutionModes, counts[view_.word(i, 0)]);
  }

  void check_variables() {
    std::uint64_t global = 0;
    std::uint64_t local = 0;
    for (const std::uint32_t i : view_.all(spv::Op::OpVariable)) {
      const bool inside = view_.at(i).function != kNone;
      if (inside && ++local == limit(Limit::kLocalVariables) + 1)
        report(kLocalVariables, Place::at(i), "variables inside of functions",
               Limit::kLocalVariables, local);
      if (!inside && ++global == limit(Limit::kGlobalVariables) + 1)
        report(kGlobalVariables, Place::at(i), "variables outside of functions",
               Limit::kGlobalVariables, global);
    }
  }

  void check_decorations() {
    const auto all = view_.all_decorations();
    const std::uint64_t most = limit(Limit::kDecorationsPerId);
    std::unordered_map<std::uint32_t, std::uint64_t> of_members;
    for (std::size_t first = 0; first < all.size();) {
      of_members.clear();
      std::size_t next = first;
      bool told = false;
      for (; next < all.size() && all[next].target == all[first].target; ++next) {
        // A member of a structure counts for itself.
        const std::uint64_t found = ++of_members[all[next].member];
        if (found <= most || told) continue;
        told = true;
        report(kDecorations, Place::at(all[next].instruction), "decorations of an id",
               Limit::kDecorationsPerId, found);
      }
      first = next;
    }
  }

  /// Types stand behind what they are made of, so that one pass knows all depths.
  void check_struct_depth() {
    std::unordered_map<Id, std::uint64_t> depths;
    const auto depth_of = [&](Id type) {
      const auto found = depths.find(type);
      return found == depths.end() ? std::uint64_t{0} : found->second;
    };
    const std::uint64_t most = limit(Limit::kStructDepth);
    for (std::uint32_t i = 0; i < view_.instructions().size(); ++i) {
      const Instruction& in = view_.at(i);
      if (in.op == spv::Op::OpTypeArray && depth_of(view_.word(i, 0)) != 0)
        depths[in.result_id] = depth_of(view_.word(i, 0));
      if (in.op != spv::Op::OpTypeStruct) continue;
      std::uint64_t depth = 0;
      for (std::size_t n = 0; n < in.operand_count; ++n)
        depth = std::max(depth, depth_of(view_.word(i, n)));
      depths[in.result_id] = depth + 1;
      if (depth == most)
        report(kStructDepth, Place::at(i), "depth of structures", Limit::kStructDepth, depth + 1);
    }
  }

  /// Blocks stand behind their dominators: a construct is open until its merge block comes.
  void check_nesting() {
    for (const Function& function : view_.functions()) {
      std::vector<Id> open;
      std::unordered_map<Id, std::uint32_t> times;
      for (std::uint32_t b = function.first_block; b < function.end_block; ++b) {
        const Block& block = view_.blocks()[b];
        const Id label = view_.at(block.first).result_id;
        while (times[label] != 0) {
          --times[open.back()];
          open.pop_back();
        }
        if (block.terminator == kNone || block.terminator == block.first) continue;
        const std::uint32_t merge = block.terminator - 1;
        const spv::Op op = view_.at(merge).op;
        if (op != spv::Op::OpSelectionMerge && op != spv::Op::OpLoopMerge) continue;
        open.push_back(view_.word(merge, 0));
        ++times[open.back()];
        if (open.size() == limit(Limit::kNestingDepth) + 1)
          report(kNestingDepth, Place::at(merge), "depth of control flow", Limit::kNestingDepth,
                 open.size());
      }
    }
  }

  Context& context_;
  const ModuleView& view_;
};

void check(Context& context) { LimitCheck(context).run(); }

constexpr const ValidationRule* kRules[] = {
    &kStringCharacters, &kInstructionWords, &kIdBound,        &kNestingDepth,  &kGlobalVariables,
    &kLocalVariables,   &kDecorations,      &kExecutionModes, &kIndexes,       &kParameters,
    &kCallArguments,    &kExtInstArguments, &kSwitchPairs,    &kStructMembers, &kStructDepth};

}  // namespace
}  // namespace rules_limits

const Family kLimitsFamily{"limits", rules_limits::kRules, rules_limits::check};

}  // namespace transpire::validator
