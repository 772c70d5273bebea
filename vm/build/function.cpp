// Functions: the kernel's parameters, and calls, which are expanded in place.
//
// A callee's entry block continues the caller's block. A single return continues the caller in the
// callee's last block; several meet in a block of their own, with phis for the result.
#include <fmt/format.h>

#include <algorithm>

#include "vm/build/builder.h"
#include "vm/build/debug_info.h"

namespace transpire::vm::builder {
namespace {

constexpr std::uint32_t kMaxCallDepth = 256;

/// What a call counts for: its frame costs as much time as so many instructions.
constexpr std::uint64_t kCallInstructions = 16;

}  // namespace

void append_targets(const decoder::Module& module, const Instruction& terminator,
                    std::vector<Id>& labels) {
  const auto words = terminator.operands;
  const auto label = [&](std::size_t i) {
    if (i < words.size()) labels.push_back(words[i]);
  };
  switch (terminator.op) {
    case spv::Op::OpBranch:
      label(0);
      return;
    case spv::Op::OpBranchConditional:
      label(1);
      label(2);
      return;
    case spv::Op::OpSwitch: {
      label(1);
      const Type* selector = words.empty() ? nullptr : module.type_of(words[0]);
      const std::size_t literal = selector != nullptr && selector->width_bits > 32 ? 2 : 1;
      for (std::size_t i = 2 + literal; i < words.size(); i += literal + 1) label(i);
      return;
    }
    default:
      return;
  }
}

/// The blocks that control can reach, in reverse post-order: definitions come before their uses.
const std::vector<std::uint32_t>& Builder::block_order(const decoder::Function& function) {
  const auto [entry, is_new] = block_orders_.try_emplace(function.id);
  std::vector<std::uint32_t>& order = entry->second;
  if (!is_new) return order;
  struct Visit {
    std::uint32_t block;
    std::vector<Id> targets;  ///< still to visit, from the back
  };
  std::vector<bool> seen(function.blocks.size());
  std::vector<Visit> stack;
  const auto visit = [&](std::uint32_t block) {
    seen[block] = true;
    stack.push_back({block, {}});
    if (!function.blocks[block].instructions.empty())
      append_targets(module_, function.blocks[block].instructions.back(), stack.back().targets);
  };
  visit(0);
  while (!stack.empty()) {
    if (stack.back().targets.empty()) {
      order.push_back(stack.back().block);
      stack.pop_back();
      continue;
    }
    const std::int32_t target = function.block_index(stack.back().targets.back());
    stack.back().targets.pop_back();
    if (target >= 0 && !seen[static_cast<std::uint32_t>(target)])
      visit(static_cast<std::uint32_t>(target));
  }
  std::reverse(order.begin(), order.end());
  return order;
}

/// A budget that is spent becomes a refusal here, where the frame that it speaks of still stands.
void Builder::expand(Frame& frame) {
  frame_ = &frame;
  try {
    expand_blocks(frame);
  } catch (BudgetSpent& spent) {
    refuse(std::move(spent.why));
  }
}

void Builder::expand_blocks(Frame& frame) {
  const decoder::Function& function = *frame.function;
  function_.work(function.blocks.size());
  note_function(frame);
  const std::vector<std::uint32_t>& order = block_order(function);
  frame.start.assign(function.blocks.size(), kNoBlock);
  frame.end.assign(function.blocks.size(), kNoBlock);
  for (const std::uint32_t index : order) frame.start[index] = index == 0 ? block_ : new_block();
  for (const std::uint32_t index : order) {
    expand_block(frame, index);
    if (failed()) return;
  }
  resolve_phis(frame);
}

void Builder::expand_block(Frame& frame, std::uint32_t index) {
  block_ = frame.start[index];
  for (const Instruction& instruction : frame.function->blocks[index].instructions) {
    if (!expect(frame.end[index] == kNoBlock, "an instruction follows the end of its block"))
      return;
    instruction_ = &instruction;
    source_ = 0;
    function_.work();
    if (index == 0 && instruction.op == spv::Op::OpPhi)
      return malformed("a phi stands in the first block of a function");
    dispatch(instruction);
    if (failed()) return;
    const bool ended = function_.blocks[block_].terminator != kNoValue ||
                       (!frame.exits.empty() && frame.exits.back().block == block_);
    if (ended) frame.end[index] = block_;
  }
  expect(frame.end[index] != kNoBlock, "a block has no terminator");
}

/// Operands of phis may be defined in blocks that come later, so they are looked up last.
void Builder::resolve_phis(Frame& frame) {
  for (const Frame::PendingPhi& phi : frame.phis) {
    instruction_ = phi.instruction;
    source_ = 0;
    const auto words = phi.instruction->operands;
    std::vector<std::vector<Incoming>> incoming(phi.values.size());
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
      const std::int32_t parent = frame.function->block_index(words[i + 1]);
      if (parent < 0 || frame.end[static_cast<std::size_t>(parent)] == kNoBlock) continue;
      block_ = frame.end[static_cast<std::size_t>(parent)];
      const Values values = value(words[i]);
      if (failed() ||
          !expect(values.size() == phi.values.size(), "a phi's operand has another type"))
        return;
      if (phi.incoming != kNoValue) {
        const Type& type = *module_.type(phi.instruction->type_id);
        if (!expect(is_temporary(values[0]), "a phi's operand has another type")) return;
        copy_held(type, phi.incoming, values[0], lir::Space::kPrivate, {});
        continue;
      }
      function_.take(values.size() * cost::kPhiOperand);
      function_.work(values.size());
      for (std::size_t c = 0; c < values.size(); ++c) incoming[c].push_back({block_, values[c]});
    }
    if (phi.incoming != kNoValue) continue;
    for (std::size_t c = 0; c < phi.values.size(); ++c)
      add_phi(phi.values[c], std::move(incoming[c]));
  }
}

bool Builder::is_active(const decoder::Function& function) const {
  for (const Frame* frame = frame_; frame != nullptr; frame = frame->caller)
    if (frame->function == &function) return true;
  return false;
}

std::uint32_t Builder::depth() const {
  std::uint32_t frames = 0;
  for (const Frame* frame = frame_; frame != nullptr; frame = frame->caller) ++frames;
  return frames;
}

void Builder::call(const Instruction& instruction) {
  const decoder::Function* callee = module_.function(operand_id(instruction, 0));
  if (callee == nullptr) return malformed("the called id is no function");
  if (callee->is_import())
    return refuse(Rule::kU0006,
                  fmt::format("the function '{}' has no body in this module", callee->name));
  if (is_active(*callee))
    return refuse(Rule::kU0005, fmt::format("the function '{}' calls itself", callee->name));
  if (depth() >= kMaxCallDepth)
    return refuse(Rule::kL0003, fmt::format("calls are nested more than {} deep", kMaxCallDepth));
  count_placed(kCallInstructions);
  if (failed()) return;
  function_.take(cost::kCall);
  Frame inner;
  inner.function = callee;
  inner.caller = frame_;
  inner.called_from = source();
  bind_arguments(instruction, inner);
  if (failed()) return;
  Frame* const outer = frame_;
  const std::uint32_t call_source = source_;
  expand(inner);
  if (failed()) return;
  const bool returns = !inner.exits.empty();
  ValueList result = join_exits(inner);
  frame_ = outer;
  instruction_ = &instruction;
  source_ = call_source;
  if (returns)
    for (const std::uint32_t variable : inner.ending) end_lifetime(variable);
  define(instruction, std::move(result));
}

/// Continues after the callee's returns and gives its result.
ValueList Builder::join_exits(Frame& frame) {
  if (frame.exits.empty()) {  // it never returns: what follows is dropped at the end
    block_ = new_block();
    return zeros(*frame.function->result);
  }
  if (frame.exits.size() == 1) {
    block_ = frame.exits.front().block;
    return std::move(frame.exits.front().values);
  }
  const BlockId join = new_block();
  for (const Frame::Exit& exit : frame.exits) {
    block_ = exit.block;
    terminate(Op::kBranch, kNoValue, {join});
  }
  block_ = join;
  ValueList result;
  for (std::size_t i = 0; i < frame.exits.front().values.size(); ++i) {
    std::vector<Incoming> incoming;
    function_.take(frame.exits.size() * cost::kPhiOperand);
    function_.work(frame.exits.size());
    for (const Frame::Exit& exit : frame.exits) incoming.push_back({exit.block, exit.values[i]});
    result.push_back(new_phi(join, kind_of(incoming.front().value)));
    if (is_temporary(incoming.front().value)) mark_held(result.back());
    add_phi(result.back(), std::move(incoming));
  }
  return result;
}

void Builder::bind_arguments(const Instruction& call, Frame& callee) {
  const auto& parameters = callee.function->parameters;
  if (!expect(call.operands.size() == parameters.size() + 1,
              "the call's operands do not match the function's parameters"))
    return;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Id id = call.operands[i + 1];
    Bound bound;
    if (input(id) != nullptr) {
      bound = *find_bound(id);
    } else {
      bound.values = value(id);
      if (failed()) return;
      if (const Bound* known = frame_->bound.contains(id) ? &frame_->bound[id] : nullptr)
        bound.align_limit = known->align_limit;
      const std::vector<Kind>& kinds = layout(*parameters[i].type).kinds;
      bool fits = kinds.size() == bound.values.size();
      function_.work(kinds.size() + 1);
      for (std::size_t c = 0; fits && c < kinds.size(); ++c)
        fits = kind_of(bound.values[c]) == kinds[c];
      if (fits && is_held(*parameters[i].type)) fits = is_temporary(bound.values[0]);
      if (failed() || !expect(fits, "an argument's type is not the parameter's")) return;
    }
    if (!frame_->forwards_entry && bound.input == 0 &&
        has_attribute(parameters[i].id, spv::FunctionParameterAttribute::ByVal))
      bound = copy_by_value(*parameters[i].type, bound);
    callee.bound[parameters[i].id] = bound;
  }
}

/// A ByVal argument: the callee has a copy of what the pointer points to.
Bound Builder::copy_by_value(const Type& pointer, Bound argument) {
  if (!expect(pointer.kind == Type::Kind::kPointer && pointer.element != nullptr,
              "a ByVal parameter is no pointer"))
    return argument;
  const Type& type = *pointer.element;
  const std::uint32_t variable = add_private("byval", type, type.align_bytes);
  const ValueId address = private_address(variable);
  lir::MemAccess access;
  access.kind = Kind::kI8;
  access.space = lir::Space::kPrivate;
  access.source_space = space_of(pointer);
  copy_memory(address, argument.values[0], constant(Kind::kI64, type.size_bytes), access);
  argument.values = keep({address});
  return argument;
}

bool Builder::has_attribute(Id parameter, spv::FunctionParameterAttribute attribute) const {
  for (const decoder::Decoration& decoration : module_.decorations(parameter))
    if (decoration.kind == spv::Decoration::FuncParamAttr && !decoration.operands.empty() &&
        decoration.operands[0] == static_cast<std::uint32_t>(attribute))
      return true;
  return false;
}

}  // namespace transpire::vm::builder
