#include "vm/build/calls.h"

#include <fmt/format.h>

#include <utility>

#include "base/narrow.h"
#include "decoder/untyped.h"
#include "vm/build/parameters.h"

namespace transpire::vm::builder {
namespace {

constexpr std::uint32_t kMaxCallDepth = 256;

/// Cost of a call: its frame takes as much time as this many instructions.
constexpr std::uint64_t kCallInstructions = 16;

}  // namespace

Calls::Calls(Core& core, Accesses& accesses, PrivateVariables& variables, Temporaries& temporaries,
             BlockOrders& orders, Lifetimes& lifetimes, Dispatcher& dispatcher)
    : request_(core.request),
      position_(core.position),
      refusals_(core.refusals),
      writer_(core.writer),
      budget_(core.writer.budget()),
      types_(core.types),
      ids_(core.ids),
      accesses_(accesses),
      variables_(variables),
      temporaries_(temporaries),
      notes_(core.debug_notes),
      orders_(orders),
      lifetimes_(lifetimes),
      dispatcher_(dispatcher) {}

/// Turns a spent budget into a refusal while the current frame still exists.
void Calls::expand(Frame& frame) {
  position_.frame = &frame;
  try {
    expand_blocks(frame);
  } catch (BudgetSpent& spent) {
    refusals_.refuse(std::move(spent.why));
  } catch (const TooWide& number) {
    refusals_.refuse(too_wide(number));
  }
}

void Calls::expand_blocks(Frame& frame) {
  const decoder::Function& function = *frame.function;
  budget_.work(function.blocks.size());
  notes_.function(frame);
  const std::vector<std::uint32_t>& order = orders_.of(function);
  frame.start.assign(function.blocks.size(), kNoBlock);
  frame.end.assign(function.blocks.size(), kNoBlock);
  for (const std::uint32_t index : order)
    frame.start[index] = index == 0 ? writer_.current_block() : writer_.new_block();
  for (const std::uint32_t index : order) {
    expand_block(frame, index);
    if (refusals_.failed()) return;
  }
  resolve_phis(frame);
}

void Calls::expand_block(Frame& frame, std::uint32_t index) {
  writer_.continue_in(frame.start[index]);
  for (const Instruction& instruction : frame.function->blocks[index].instructions) {
    if (!refusals_.expect(frame.end[index] == kNoBlock,
                          "an instruction follows the end of its block"))
      return;
    position_.begin(instruction);
    budget_.work();
    if (index == 0 && instruction.op == spv::Op::OpPhi)
      return refusals_.malformed("a phi stands in the first block of a function");
    dispatcher_.dispatch(instruction);
    if (refusals_.failed()) return;
    const BlockId block = writer_.current_block();
    const bool ended = writer_.function().blocks[block].terminator != kNoValue ||
                       (!frame.exits.empty() && frame.exits.back().block == block);
    if (ended) frame.end[index] = block;
  }
  refusals_.expect(frame.end[index] != kNoBlock, "a block has no terminator");
}

/// Operands of phis may be defined in blocks that come later, so they are looked up last.
void Calls::resolve_phis(Frame& frame) {
  for (const Frame::PendingPhi& phi : frame.phis) {
    position_.begin(*phi.instruction);
    resolve_phi(frame, phi);
    if (refusals_.failed()) return;
  }
}

void Calls::resolve_phi(const Frame& frame, const Frame::PendingPhi& phi) {
  const auto words = phi.instruction->operands;
  std::vector<std::vector<Incoming>> incoming(phi.values.size());
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const std::int32_t parent = frame.function->block_index(words[i + 1]);
    if (parent < 0 || frame.end[static_cast<std::size_t>(parent)] == kNoBlock) continue;
    const BlockId from = frame.end[static_cast<std::size_t>(parent)];
    writer_.continue_in(from);
    const Values values = ids_.value(words[i]);
    const bool fits = !refusals_.failed() && values.size() == phi.values.size() &&
                      (phi.incoming == kNoValue || ids_.is_temporary(values[0]));
    if (!refusals_.expect(fits, "a phi's operand has another type")) return;
    if (phi.incoming != kNoValue) {
      const Type& type = *request_.module.type(phi.instruction->type_id);
      temporaries_.copy(type, phi.incoming, values[0], lir::Space::kPrivate, {});
      continue;
    }
    budget_.take(values.size() * cost::kPhiOperand);
    budget_.work(values.size());
    for (std::size_t c = 0; c < values.size(); ++c) incoming[c].push_back({from, values[c]});
  }
  if (phi.incoming != kNoValue) return;
  for (std::size_t c = 0; c < phi.values.size(); ++c)
    writer_.set_incoming(phi.values[c], std::move(incoming[c]));
}

bool Calls::can_call(const decoder::Function* callee) {
  if (callee == nullptr) {
    refusals_.malformed("the called id is no function");
  } else if (callee->is_import()) {
    refusals_.refuse_import(callee->name);
  } else if (position_.frame->is_within(*callee)) {
    refusals_.refuse(Rule::kU0005, fmt::format("the function '{}' calls itself", callee->name));
  } else if (position_.frame->depth() >= kMaxCallDepth) {
    refusals_.refuse(Rule::kL0003,
                     fmt::format("calls are nested more than {} deep", kMaxCallDepth));
  }
  if (!refusals_.failed()) writer_.count(kCallInstructions);
  return !refusals_.failed();
}

void Calls::call(const Instruction& instruction) {
  const decoder::Function* callee = request_.module.function(ids_.operand_id(instruction, 0));
  if (!can_call(callee)) return;
  budget_.take(cost::kCall);
  Frame inner;
  inner.function = callee;
  inner.caller = position_.frame;
  inner.called_from = writer_.source();
  inner.first_variable = narrow<std::uint32_t>(writer_.function().private_variables.size());
  bind_arguments(instruction, inner);
  if (refusals_.failed()) return;
  ValueList result = expand_call(inner);
  if (refusals_.failed()) return;
  if (!inner.exits.empty()) lifetimes_.end(inner);
  ids_.define(instruction, std::move(result));
}

/// The callee's result. In any case, the position afterwards is the call's, because the callee's
/// frame ends.
ValueList Calls::expand_call(Frame& callee) {
  struct Return {
    Position& position;
    const Position call = position;
    ~Return() { position = call; }
  } back{position_};
  expand(callee);
  return refusals_.failed() ? ValueList{} : join_exits(callee);
}

/// Continues after the callee's returns and gives its result.
ValueList Calls::join_exits(const Frame& frame) {
  if (frame.exits.empty()) {  // it never returns: the code behind it is dropped at the end
    writer_.continue_in(writer_.new_block());
    return temporaries_.zeros(*frame.function->result);
  }
  if (frame.exits.size() == 1) {
    writer_.continue_in(frame.exits.front().block);
    return frame.exits.front().values;
  }
  const BlockId join = writer_.new_block();
  for (const Frame::Exit& exit : frame.exits) {
    writer_.continue_in(exit.block);
    writer_.terminate(Op::kBranch, kNoValue, {join});
  }
  writer_.continue_in(join);
  ValueList result;
  for (std::size_t c = 0; c < frame.exits.front().values.size(); ++c)
    result.push_back(join_component(frame, c));
  return result;
}

ValueId Calls::join_component(const Frame& frame, std::size_t component) {
  std::vector<Incoming> incoming;
  budget_.take(frame.exits.size() * cost::kPhiOperand);
  budget_.work(frame.exits.size());
  for (const Frame::Exit& exit : frame.exits)
    incoming.push_back({exit.block, exit.values[component]});
  const ValueId first = incoming.front().value;
  const ValueId phi = writer_.new_phi(writer_.current_block(), writer_.kind_of(first));
  if (ids_.is_temporary(first)) ids_.mark_temporary(phi);
  writer_.set_incoming(phi, std::move(incoming));
  return phi;
}

void Calls::bind_arguments(const Instruction& call, Frame& callee) {
  const auto& parameters = callee.function->parameters;
  if (!refusals_.expect(call.operands.size() == parameters.size() + 1,
                        "the call's operands do not match the function's parameters"))
    return;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Bound bound = argument(call.operands[i + 1], *parameters[i].type);
    if (refusals_.failed()) return;
    if (!position_.frame->forwards_entry && bound.input == 0 &&
        decoder::has_attribute(request_.module, parameters[i].id,
                               spv::FunctionParameterAttribute::ByVal))
      bound = copy_by_value(*parameters[i].type, bound);
    callee.bound[parameters[i].id] = bound;
  }
}

Bound Calls::argument(Id id, const Type& type) {
  if (ids_.input(id) != nullptr) return *ids_.find_bound(id);
  Bound bound;
  bound.values = ids_.value(id);
  if (refusals_.failed()) return bound;
  const auto known = position_.frame->bound.find(id);
  if (known != position_.frame->bound.end()) {
    bound.align_limit = known->second.align_limit;
    bound.place = known->second.place;
    bound.is_coherent = known->second.is_coherent;
  }
  const std::vector<Kind>& kinds = types_.layout(type).kinds;
  bool fits = kinds.size() == bound.values.size();
  budget_.work(kinds.size() + 1);
  for (std::size_t c = 0; fits && c < kinds.size(); ++c)
    fits = writer_.kind_of(bound.values[c]) == kinds[c];
  if (fits && types_.is_held(type)) fits = ids_.is_temporary(bound.values[0]);
  if (!refusals_.failed()) refusals_.expect(fits, "an argument's type is not the parameter's");
  return bound;
}

/// A ByVal argument: the callee has a copy of what the pointer points to.
Bound Calls::copy_by_value(const Type& pointer, Bound argument) {
  if (!refusals_.expect(pointer.kind == Type::Kind::kPointer && pointer.element != nullptr &&
                            !decoder::is_untyped(pointer),
                        "a ByVal parameter is no pointer to a type"))
    return argument;
  const Type& type = *pointer.element;
  const std::uint32_t variable = variables_.add("byval", type, type.align_bytes);
  const ValueId address = variables_.address(variable);
  const lir::MemAccess access = byte_access(lir::Space::kPrivate, types_.space_of(pointer));
  accesses_.copy(address, argument.values[0], writer_.constant(Kind::kI64, type.size_bytes),
                 access);
  argument.values = ids_.keep({address});
  return argument;
}

}  // namespace transpire::vm::builder
