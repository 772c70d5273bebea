// See handle_flow.h.
#include "analysis/handle_flow.h"

#include <algorithm>

#include "analysis/function_index.h"
#include "decoder/pointer_ops.h"
#include "decoder/untyped.h"

namespace transpire::analysis {

using decoder::Instruction;
using decoder::Type;

HandleFlow::HandleFlow(const decoder::Module& module) : module_(module) {
  each_instruction(module, [this](const Instruction& instruction) { visit(instruction); });
  hand_on_from_callers();
}

void HandleFlow::visit(const Instruction& instruction) {
  const auto operands = instruction.operands;
  if (decoder::moves_pointer(instruction.op))
    if (const auto offset = offset_of(instruction)) {
      Place place = place_of(operands[0]);
      place.offset += *offset;
      places_[instruction.result_id] = place;
    }
  switch (instruction.op) {
    case spv::Op::OpCopyObject:
    case spv::Op::OpSampledImage:
    case spv::Op::OpImage:
      return hand_on(operands[0], instruction.result_id);
    case spv::Op::OpLoad:
      return hand_on(key_at(operands[0]), instruction.result_id);
    case spv::Op::OpStore:
      return hand_on(operands[1], key_at(operands[0]));
    case spv::Op::OpFunctionCall:
      return call(operands[0], operands.subspan(1));
    case spv::Op::OpEnqueueKernel:  // the invoked function, and its first argument
      return call(operands[6], operands.subspan(7, 1));
    default:
      return;
  }
}

void HandleFlow::call(Id callee, std::span<const std::uint32_t> arguments) {
  const decoder::Function* const function = module_.function(callee);
  if (function == nullptr) return;
  const std::size_t count = std::min(arguments.size(), function->parameters.size());
  for (std::size_t i = 0; i < count; ++i) {
    const decoder::Parameter& parameter = function->parameters[i];
    hand_on(key_at(arguments[i]), parameter.id);
    if (parameter.type != nullptr && parameter.type->kind == Type::Kind::kPointer)
      callers_[parameter.id].push_back(place_of(arguments[i]));
  }
}

/// Hands on from each caller's place to the place behind the parameter.
void HandleFlow::hand_on_from_callers() {
  // Functions that are called with their own parameters could make endless places.
  constexpr std::size_t kMost = 1 << 20;
  std::size_t count = 0;
  // Places made in this loop are appended, and visited later.
  for (std::size_t i = 0; i < behind_.size(); ++i) {
    const Place place = behind_[i];
    const auto callers = callers_.find(place.root);
    if (callers == callers_.end()) continue;
    for (const Place caller : callers->second) {
      if (count++ == kMost) return;
      hand_on(key_of({caller.root, caller.offset + place.offset}), key_of(place));
    }
  }
}

HandleFlow::Place HandleFlow::place_of(Id pointer) const {
  const auto found = places_.find(pointer);
  return found == places_.end() ? Place{pointer, 0} : found->second;
}

HandleFlow::Key HandleFlow::key_of(Place place) {
  if (place.offset == 0) return place.root;
  constexpr Key kFirst = Key{1} << 32;  // behind all ids
  const auto [found, is_new] = keys_.try_emplace(place, kFirst + keys_.size());
  if (is_new) behind_.push_back(place);
  return found->second;
}

/// The bytes between a pointer and the one that it is made from; nothing where an index is no constant.
std::optional<std::uint64_t> HandleFlow::offset_of(const Instruction& chain) const {
  if (decoder::keeps_address(chain.op)) return 0;
  const auto operands = chain.operands;
  const Type* const base = module_.type_of(operands[0]);
  if (base == nullptr) return std::nullopt;
  const Type* const seen = decoder::seen_type(module_, chain.word_offset);
  const Type* type = seen != nullptr ? seen : base->element;
  std::uint64_t offset = 0;
  for (std::size_t n = 1; n < operands.size(); ++n) {
    const decoder::Constant* const index = module_.constant(operands[n]);
    if (index == nullptr || type == nullptr) return std::nullopt;
    const bool is_null = index->kind == decoder::Constant::Kind::kNull;
    if (!is_null && index->kind != decoder::Constant::Kind::kScalar) return std::nullopt;
    const std::uint64_t value = is_null ? 0 : index->bits;
    if (n == 1 && decoder::has_element_operand(chain.op)) {
      offset += value * type->size_bytes;
    } else if (type->kind == Type::Kind::kStruct) {
      if (value >= type->members.size() || value >= type->member_offsets.size())
        return std::nullopt;
      offset += type->member_offsets[value];
      type = type->members[value];
    } else {
      type = type->element;
      offset += type == nullptr ? 0 : value * type->size_bytes;
    }
  }
  return offset;
}

}  // namespace transpire::analysis
