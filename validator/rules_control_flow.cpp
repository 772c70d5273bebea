// SPIR-V 1.0, 2.11, 2.16.1 "Control-Flow Graph" and 3.32.17: blocks, branches, phis and merges.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "decoder/view/control_flow.h"
#include "decoder/view/opcode_sets.h"
#include "decoder/view/type_queries.h"
#include "validator/context.h"
#include "validator/family_list.h"
#include "validator/operand_rule.h"
#include "validator/type_hints.h"

namespace transpire::validator {
namespace rules_control_flow {
namespace {

using decoder::is_terminator;
using spv::Op;

constexpr ValidationRule kFirstBlock{
    "UNI-09", "SPIR-V 1.0, 2.16.1", "no branch goes to the first block of a function",
    "Begin the function with a block that only branches to the loop."};
constexpr ValidationRule kOrder{"UNI-10", "SPIR-V 1.0, 2.16.1",
                                "a block stands before all blocks that it dominates",
                                "Write the blocks in reverse post-order.", InField::kWarning};
constexpr ValidationRule kBlocks{
    "UNI-11", "SPIR-V 1.0, 2.16.1",
    "a function's body consists of blocks, which begin with OpLabel and end with a termination "
    "instruction",
    "End the block with a branch, a return or OpUnreachable, or begin the next one with OpLabel."};
constexpr ValidationRule kTargets{"UNI-12", "SPIR-V 1.0, 2.16.1",
                                  "branches go to labels of the same function",
                                  "Name the OpLabel of a block of this function."};
constexpr ValidationRule kCases{"UNI-32", "SPIR-V 1.0, 3.32.17 OpSwitch",
                                "the literals of OpSwitch differ from each other",
                                "Remove the case that can never be taken."};
constexpr ValidationRule kPhi{
    "UNI-33", "SPIR-V 1.0, 3.32.17 OpPhi",
    "OpPhi stands at the beginning of its block and has one pair for each predecessor, with values "
    "of its type",
    "Give each block that branches here exactly one pair of value and label."};
constexpr ValidationRule kPhiTwice{
    "V0010", "SPIR-V 1.0, 3.32.17 OpPhi",
    "OpPhi names each predecessor once, however many ways lead from there",
    "Where several cases of OpSwitch lead to one block, OpPhi has one pair for the block of the "
    "switch. Producers that start from LLVM repeat the pair.",
    InField::kWarning};
constexpr ValidationRule kPhiBehindMerge{
    "V0046", "SPIR-V 1.0, 3.32.17 OpPhi, OpLoopMerge and OpSelectionMerge",
    "OpPhi stands in front of its block's merge instruction",
    "Move the merge instruction down, just before the branch. llvm-spirv-15 writes it in front of "
    "OpPhi for loops whose unrolling is turned off.",
    InField::kWarning};
constexpr ValidationRule kMerges{
    "V0007", "SPIR-V 1.0, 2.11 \"Structured Control Flow\" and 3.32.17",
    "a merge instruction stands just before its block's branch, names blocks of the function, and "
    "its block strictly dominates its merge block, which no other merge instruction names",
    "Kernels need no merge instructions: remove it, or give each construct a merge block of its "
    "own.",
    InField::kWarning};

class ControlFlow {
 public:
  explicit ControlFlow(Context& context)
      : context_(context), view_(context.view), flow_(context.flow()) {}

  void check() {
    for (std::uint32_t i = 0; i < view_.instructions().size(); ++i) check_placement(i);
    for (const Function& function : view_.functions())
      for (std::uint32_t b = function.first_block; b < function.end_block; ++b)
        check_block(function, b);
  }

 private:
  void check_placement(std::uint32_t i);
  /// True if the function's last block has no terminator.
  bool ends_open(std::uint32_t function) const {
    if (function == kNone || !view_.functions()[function].has_body()) return false;
    return view_.blocks()[view_.functions()[function].end_block - 1].terminator == kNone;
  }
  void check_block(const Function& function, std::uint32_t b);
  void check_branch(const Function& function, std::uint32_t i);
  void check_target(const Function& function, std::uint32_t i, std::size_t operand);
  void check_condition(std::uint32_t i);
  void check_switch(std::uint32_t i);
  void check_phis(std::uint32_t b);
  void check_phi(std::uint32_t b, std::uint32_t i);
  void check_merge(std::uint32_t b, std::uint32_t i);
  /// Extended instructions of type void are debug information and may precede phis.
  bool is_debug(std::uint32_t i) const {
    return view_.at(i).op == Op::OpExtInst && view_.op_of(view_.at(i).type_id) == Op::OpTypeVoid;
  }

  Context& context_;
  const ModuleView& view_;
  const Flow& flow_;
  std::unordered_map<Id, std::uint32_t>
      merged_;                         ///< merge blocks, by the instruction that names them
  std::uint32_t early_merge_ = kNone;  ///< the last merge instruction reported with V0046
  bool stray_ =
      false;  ///< check_placement() reported something since the last function began or ended
};

/// Checks that instructions of bodies are in blocks, and nothing else is.
void ControlFlow::check_placement(std::uint32_t i) {
  const Instruction& in = view_.at(i);
  if (in.info == nullptr) return;
  if (in.op == Op::OpFunctionParameter && in.block != kNone) {
    context_.report(kBlocks, Place::at(i), "expected parameters before the function's first block",
                    {}, "Move the parameter up, in front of the first OpLabel.");
    return;
  }
  if (in.block != kNone || is_line(in.op) || in.op == Op::OpFunction ||
      in.op == Op::OpFunctionParameter || in.op == Op::OpFunctionEnd) {
    if (in.op == Op::OpFunction || in.op == Op::OpFunctionEnd) stray_ = false;
    return;
  }
  // A terminator just behind OpFunctionEnd: the last block without one is reported instead.
  if (is_terminator(in.op) && in.function == kNone && i != 0 &&
      view_.at(i - 1).op == Op::OpFunctionEnd && ends_open(view_.at(i - 1).function) &&
      !context_.options.all)
    return;
  // One missing label or function leaves many instructions without a block. Only the first is
  // reported, up to the function's end.
  const bool first = !stray_ || context_.options.all;
  if (in.op == Op::OpLabel || is_terminator(in.op) || in.function != kNone) stray_ = true;
  if (!first) return;
  if (in.function != kNone)
    context_.report(kBlocks, Place::at(i), "expected OpLabel before this instruction", {},
                    "Write OpLabel before it, or move it in front of the branch or return above.");
  else if (!context_.lacks_function && (in.op == Op::OpLabel || is_terminator(in.op)))
    context_.report(kBlocks, Place::at(i), "expected OpFunction before blocks", {},
                    "Write OpFunction before it, or move it in front of OpFunctionEnd.");
}

void ControlFlow::check_block(const Function& function, std::uint32_t b) {
  const Block& block = view_.blocks()[b];
  if (block.terminator == kNone) {
    context_.report(kBlocks, Place::at(block.end - 1),
                    "expected a termination instruction at the end of the block",
                    {{"the block", block.first}});
  } else {
    check_branch(function, block.terminator);
  }
  const std::uint32_t dominator = flow_.immediate_dominator(b);
  if (dominator != kNone && dominator > b)
    context_.report(kOrder, Place::at(block.first),
                    fmt::format("expected {}, which dominates this block, before it",
                                context_.name(view_.at(view_.blocks()[dominator].first).result_id)),
                    {{"the block that dominates it", view_.blocks()[dominator].first}});
  check_phis(b);
  for (std::uint32_t i = block.first; i < block.end; ++i)
    if (is_merge(view_.at(i).op)) check_merge(b, i);
}

void ControlFlow::check_branch(const Function& function, std::uint32_t i) {
  switch (view_.at(i).op) {
    case Op::OpBranch:
      check_target(function, i, 0);
      break;
    case Op::OpBranchConditional:
      check_condition(i);
      check_target(function, i, 1);
      check_target(function, i, 2);
      break;
    case Op::OpSwitch:
      check_switch(i);
      for (std::size_t n = 1; n < view_.operand_count(i); n += 2) check_target(function, i, n);
      break;
    default:
      break;
  }
}

void ControlFlow::check_target(const Function& function, std::uint32_t i, std::size_t operand) {
  const Id target = view_.word(i, operand);
  const std::uint32_t block = view_.block_of(target);
  if (block == kNone || block < function.first_block || block >= function.end_block)
    context_.report(
        kTargets, Place::at(i, static_cast<int>(operand)),
        fmt::format("expected a label of this function, found {}", context_.name(target)));
  else if (block == function.first_block)
    context_.report(kFirstBlock, Place::at(i, static_cast<int>(operand)),
                    "expected a block that is not the function's first one",
                    {{"the first block", view_.blocks()[block].first}});
}

void ControlFlow::check_condition(std::uint32_t i) {
  const Id condition = view_.word(i, 0);
  if (!is_value(view_, condition) || !is_bool(view_, view_.type_of(condition)))
    context_.report(
        kOperandTypes, Place::at(i, 0),
        fmt::format("expected a Boolean scalar, found {}", context_.type(view_.type_of(condition))),
        {}, hint_for_class(view_, view_.type_of(condition), TypeClass::kBool));
  const std::size_t count = view_.operand_count(i);
  if (count == 3) return;
  if (count != 5)
    context_.report(kOperandTypes, Place::at(i),
                    fmt::format("expected no branch weights or two, found {}", count - 3), {},
                    "Give a weight for each of the two branches, or none.");
  else if (view_.word(i, 3) == 0 && view_.word(i, 4) == 0)
    context_.report(kOperandTypes, Place::at(i, 3), "expected one branch weight at least above 0",
                    {}, "Leave both weights out where nothing is known.");
}

void ControlFlow::check_switch(std::uint32_t i) {
  const Id selector = view_.word(i, 0);
  if (!is_value(view_, selector) || !view_.is_int(view_.type_of(selector))) {
    context_.report(
        kOperandTypes, Place::at(i, 0),
        fmt::format("expected an integer scalar, found {}", context_.type(view_.type_of(selector))),
        {}, hint_for_class(view_, view_.type_of(selector), TypeClass::kInt));
    return;
  }
  std::unordered_set<std::uint64_t> seen;
  for (std::size_t n = 2; n < view_.operand_count(i); n += 2)
    if (!seen.insert(view_.number(i, n)).second) {
      context_.report(
          kCases, Place::at(i, static_cast<int>(n)),
          fmt::format("expected each literal once, found {} again", view_.number(i, n)));
      return;
    }
}

void ControlFlow::check_phis(std::uint32_t b) {
  const Block& block = view_.blocks()[b];
  bool first_part = true;
  std::uint32_t merge = kNone;  // a merge instruction before phis
  for (std::uint32_t i = block.first + 1; i < block.end; ++i) {
    const Op op = view_.at(i).op;
    if (op != Op::OpPhi) {
      if (is_merge(op) && merge == kNone) merge = i;
      first_part = first_part && (is_line(op) || is_debug(i) || is_merge(op));
      continue;
    }
    if (first_part && merge != kNone)
      context_.report(kPhiBehindMerge, Place::at(i), "expected OpPhi before the merge instruction",
                      {{"the merge instruction", merge}});
    if (first_part) early_merge_ = merge;
    const std::size_t before = context_.error_count();
    if (first_part)
      check_phi(b, i);
    else
      context_.report(kPhi, Place::at(i),
                      "expected OpPhi before all other instructions of its block");
    // Further phis of the block name the same blocks.
    if (context_.error_count() != before && !context_.options.all) return;
  }
}

void ControlFlow::check_phi(std::uint32_t b, std::uint32_t i) {
  const Block& block = view_.blocks()[b];
  // For two blocks with one id, branches go to the first.
  if (view_.definition(view_.at(block.first).result_id) != block.first) return;
  const Id type = view_.at(i).type_id;
  std::unordered_set<std::uint32_t> parents;
  int again = -1;
  for (std::size_t n = 0; n + 1 < view_.operand_count(i); n += 2) {
    const Id value = view_.word(i, n);
    const Id label = view_.word(i, n + 1);
    const int operand = static_cast<int>(n);
    if (!is_value(view_, value) || view_.type_of(value) != type) {
      context_.report(kPhi, Place::at(i, operand),
                      fmt::format("expected a value of type {}, found {}", context_.type(type),
                                  context_.type(view_.type_of(value))));
      return;
    }
    const std::uint32_t parent = view_.block_of(label);
    const auto& sources = flow_.predecessors(b);
    // A missing or wrong branch was reported before.
    const std::uint32_t branch = parent == kNone ? kNone : view_.blocks()[parent].terminator;
    if (parent != kNone && (branch == kNone || context_.is_tainted(branch))) continue;
    if (parent == kNone || !std::binary_search(sources.begin(), sources.end(), parent)) {
      context_.report(
          kPhi, Place::at(i, operand + 1),
          fmt::format("expected a block that branches here, found {}", context_.name(label)));
      return;
    }
    if (!parents.insert(parent).second && again < 0) again = operand + 1;
  }
  if (again >= 0)
    context_.report(kPhiTwice, Place::at(i, again),
                    fmt::format("expected each predecessor once, found {} again",
                                context_.name(view_.word(i, static_cast<std::size_t>(again)))));
  for (const std::uint32_t source : flow_.predecessors(b)) {
    if (parents.contains(source)) continue;
    const std::uint32_t label = view_.blocks()[source].first;
    context_.report(kPhi, Place::at(i),
                    fmt::format("expected a pair for the predecessor {}",
                                context_.name(view_.at(label).result_id)),
                    {{"the predecessor", label}});
    return;
  }
}

void ControlFlow::check_merge(std::uint32_t b, std::uint32_t i) {
  if (i == early_merge_) return;
  const Block& block = view_.blocks()[b];
  std::uint32_t next = i + 1;
  while (next < block.end && is_line(view_.at(next).op)) ++next;
  if (next != block.terminator) {
    context_.report(kMerges, Place::at(i), "expected the block's branch just after it");
    return;
  }
  const Op branch = view_.at(next).op;
  const bool loop = view_.at(i).op == Op::OpLoopMerge;
  if (loop ? branch != Op::OpBranch && branch != Op::OpBranchConditional
           : branch != Op::OpBranchConditional && branch != Op::OpSwitch) {
    context_.report(kMerges, Place::at(next),
                    loop ? "expected OpBranch or OpBranchConditional after OpLoopMerge"
                         : "expected OpBranchConditional or OpSwitch after OpSelectionMerge",
                    {{"the merge instruction", i}});
    return;
  }
  for (std::size_t n = 0; n < (loop ? 2u : 1u); ++n) {
    const Id target = view_.word(i, n);
    const std::uint32_t at = view_.block_of(target);
    const int operand = static_cast<int>(n);
    if (at == kNone || view_.blocks()[at].function != block.function)
      context_.report(
          kMerges, Place::at(i, operand),
          fmt::format("expected a label of this function, found {}", context_.name(target)));
    else if (flow_.reachable(at) && flow_.reachable(b) &&
             (!flow_.dominates(b, at) || (n == 0 && at == b)))
      context_.report(
          kMerges, Place::at(i, operand),
          fmt::format("expected a block that this one dominates, found {}", context_.name(target)),
          {{"the block", view_.blocks()[at].first}});
  }
  const auto [first, is_new] = merged_.try_emplace(view_.word(i, 0), i);
  if (!is_new)
    context_.report(kMerges, Place::at(i, 0),
                    fmt::format("expected a merge block of its own, found {} again",
                                context_.name(view_.word(i, 0))),
                    {{"the other one", first->second}});
}

void check(Context& context) { ControlFlow(context).check(); }

constexpr const ValidationRule* kRules[] = {&kFirstBlock, &kOrder,    &kBlocks,
                                            &kTargets,    &kCases,    &kPhi,
                                            &kMerges,     &kPhiTwice, &kPhiBehindMerge};

}  // namespace
}  // namespace rules_control_flow

const Family kControlFlowFamily{"control-flow", rules_control_flow::kRules,
                                rules_control_flow::check};

}  // namespace transpire::validator
