// See handle_places.h.
#include "analysis/handle_places.h"

#include "decoder/pointer_ops.h"

namespace transpire::analysis {

using decoder::Instruction;
using decoder::Type;

void HandlePlaces::visit(const Instruction& instruction) {
  const auto made_of = [&](std::optional<std::uint64_t> offset) {
    if (!offset) return;
    Place place = place_of(instruction.operands[0]);
    place.offset += *offset;
    places_[instruction.result_id] = place;
  };
  if (decoder::keeps_address(instruction.op)) return made_of(0);
  if (decoder::is_access_chain(instruction.op))
    made_of(offset_of(instruction, decoder::has_element_operand(instruction.op)));
}

HandlePlaces::Key HandlePlaces::at(Id pointer) { return key_of(place_of(pointer)); }

void HandlePlaces::call_with(Id pointer, Id parameter) {
  callers_[parameter].push_back(place_of(pointer));
}

HandlePlaces::Place HandlePlaces::place_of(Id pointer) const {
  const auto found = places_.find(pointer);
  return found == places_.end() ? Place{pointer, 0} : found->second;
}

HandlePlaces::Key HandlePlaces::key_of(Place place) {
  if (place.offset == 0) return place.root;
  constexpr Key kFirst = Key{1} << 32;  // behind all ids
  const auto [found, is_new] = keys_.try_emplace(place, kFirst + keys_.size());
  if (is_new) behind_.push_back(place);
  return found->second;
}

/// Nothing where an index is no constant.
std::optional<std::uint64_t> HandlePlaces::offset_of(const Instruction& chain,
                                                     bool has_element) const {
  const auto operands = chain.operands;
  const auto base = types_.find(operands[0]);
  if (base == types_.end() || base->second == nullptr) return std::nullopt;
  const Type* type = base->second->element;
  std::uint64_t offset = 0;
  for (std::size_t n = 1; n < operands.size(); ++n) {
    const decoder::Constant* const index = module_.constant(operands[n]);
    if (index == nullptr || type == nullptr) return std::nullopt;
    const bool is_null = index->kind == decoder::Constant::Kind::kNull;
    if (!is_null && index->kind != decoder::Constant::Kind::kScalar) return std::nullopt;
    const std::uint64_t value = is_null ? 0 : index->bits;
    if (n == 1 && has_element) {
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
