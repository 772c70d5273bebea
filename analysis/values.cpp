// See values.h.
#include "analysis/values.h"

#include <algorithm>
#include <set>

#include "decoder/pointer_ops.h"

namespace transpire::analysis {

using decoder::Id;
using decoder::Instruction;

bool Values::work(std::uint64_t steps) {
  left_ -= std::min(left_, steps);
  return left_ != 0;
}

// ---- Calls --------------------------------------------------------------------------------------

std::uint32_t Values::call_of(Id function) {
  const auto [number, is_new] =
      calls_from_nowhere_.try_emplace(function, static_cast<std::uint32_t>(calls_.size()));
  if (is_new) calls_.push_back({{}, functions_.of(function)});
  return number->second;
}

std::uint32_t Values::call_at(const FlowPlace& site) {
  const auto [number, is_new] =
      calls_at_.try_emplace(site.key(), static_cast<std::uint32_t>(calls_.size()));
  if (is_new) calls_.push_back({site, functions_.of(site.instruction().operands[0])});
  return number->second;
}

FlowPlace Values::place_of(const vm::Source& source, const vm::Program& program) {
  std::vector<const vm::Source*> path{&source};
  for (std::uint32_t at = source.called_from; at != 0; at = program.sources[at].called_from)
    path.push_back(&program.sources[at]);
  FlowPlace place;
  for (; !path.empty(); path.pop_back()) {
    if (!work()) return {};
    const std::uint32_t call =
        place.in == nullptr ? call_of(path.back()->function) : call_at(place);
    const FunctionIndex* const in = callee(call);
    if (in == nullptr) return {};
    const auto spot = in->at_word.find(path.back()->word_offset);
    if (spot == in->at_word.end()) return {};
    place = {in, spot->second, call};
  }
  return place;
}

// ---- Definitions --------------------------------------------------------------------------------

FlowPlace Values::definition(FlowValue value) {
  const FunctionIndex* const in = callee(value.call);
  if (in == nullptr) return {};
  const auto found = in->definitions.find(value.id);
  if (found == in->definitions.end()) return {};
  return {in, found->second, value.call};
}

std::optional<FlowValue> Values::argument(FlowValue parameter) {
  const auto& [site, in] = calls_[parameter.call];
  if (site.in == nullptr || in == nullptr) return std::nullopt;
  const auto number = in->parameters.find(parameter.id);
  if (number == in->parameters.end()) return std::nullopt;
  const auto operands = site.instruction().operands;
  if (number->second + 1 >= operands.size()) return std::nullopt;
  return site.value(operands[number->second + 1]);
}

// ---- Pointers -----------------------------------------------------------------------------------

const Values::Stored& Values::stored_to(FlowValue variable) {
  const auto [known, is_new] = stored_.try_emplace(variable);
  Stored& stored = known->second;
  if (!is_new) return stored;
  each_user(variable, [&](const FlowPlace& user) {
    const Instruction& instruction = user.instruction();
    if (instruction.op == spv::Op::OpStore && instruction.operands[0] == variable.id)
      stored.stores.push_back(user);
    else if (instruction.op != spv::Op::OpLoad && instruction.op != spv::Op::OpLifetimeStart &&
             instruction.op != spv::Op::OpLifetimeStop)
      stored.escapes = true;
  });
  stored.escapes |= !work();
  return stored;
}

std::optional<FlowValue> Values::only_value(FlowValue variable) {
  if (!is_private_variable(variable)) return std::nullopt;
  const Stored& stored = stored_to(variable);
  if (stored.escapes || stored.stores.size() != 1) return std::nullopt;
  const FlowPlace& store = stored.stores[0];
  return store.value(store.instruction().operands[1]);
}

FlowValue Values::base_of(FlowValue pointer, std::vector<FlowPlace>* chains) {
  while (work()) {
    const FlowPlace place = definition(pointer);
    if (place.in == nullptr || !decoder::moves_pointer(place.instruction().op)) break;
    if (chains != nullptr && decoder::is_access_chain(place.instruction().op))
      chains->push_back(place);
    pointer.id = place.instruction().operands[0];
  }
  return pointer;
}

FlowValue Values::root_of(FlowValue pointer) {
  while (work()) {
    pointer = base_of(pointer);
    std::optional<FlowValue> from = argument(pointer);
    if (!from) {
      const FlowPlace place = definition(pointer);
      if (place.in != nullptr && place.instruction().op == spv::Op::OpLoad)
        from = only_value(place.value(place.instruction().operands[0]));
    }
    if (!from) break;
    pointer = *from;
  }
  return pointer;
}

bool Values::is_private_variable(FlowValue root) {
  const FlowPlace place = definition(root);
  return place.in != nullptr && place.instruction().op == spv::Op::OpVariable;
}

void Values::forward(const FlowPlace& user, FlowValue pointer, Callees callees,
                     std::vector<FlowValue>& open) {
  const Instruction& instruction = user.instruction();
  const auto operands = instruction.operands;
  if (decoder::moves_pointer(instruction.op) || instruction.op == spv::Op::OpPhi ||
      instruction.op == spv::Op::OpSelect) {
    open.push_back(user.value(instruction.result_id));
  } else if (instruction.op == spv::Op::OpFunctionCall) {
    const std::uint32_t call = callees == Callees::kByCall ? call_at(user) : call_of(operands[0]);
    if (callee(call) == nullptr) return;
    const auto& parameters = callee(call)->function.parameters;
    if (!work(parameters.size())) return;
    for (std::size_t i = 0; i < parameters.size() && i + 1 < operands.size(); ++i)
      if (operands[i + 1] == pointer.id) open.push_back({parameters[i].id, call});
  } else if (instruction.op == spv::Op::OpStore && operands[0] != pointer.id) {
    const FlowValue variable = user.value(operands[0]);
    if (!only_value(variable)) return;
    each_user(variable, [&](const FlowPlace& reader) {
      if (reader.instruction().op == spv::Op::OpLoad)
        open.push_back(reader.value(reader.instruction().result_id));
    });
  }
}

void Values::follow(FlowValue root, Callees callees, const Visit& visit) {
  std::set<FlowValue> seen;
  std::vector<FlowValue> open{root};
  while (!open.empty()) {
    const FlowValue pointer = open.back();
    open.pop_back();
    if (!seen.insert(pointer).second) continue;
    each_user(pointer, [&](const FlowPlace& user) {
      visit(user, pointer);
      forward(user, pointer, callees, open);
    });
  }
}

}  // namespace transpire::analysis
