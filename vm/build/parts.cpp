#include "vm/build/parts.h"

#include <fmt/format.h>

namespace transpire::vm::builder {

std::uint64_t component_count(const Type& type) {
  return type.kind == Type::Kind::kStruct ? type.members.size() : type.count;
}

Part Parts::component(Part part, std::uint32_t index) {
  const Type& outer = *part.type;
  const bool has_components =
      outer.kind == Type::Kind::kStruct ||
      ((outer.kind == Type::Kind::kArray || outer.kind == Type::Kind::kVector) &&
       outer.element != nullptr);
  if (!refusals_.expect_component(outer, has_components && index < component_count(outer),
                                  "a literal index is out of range"))
    return part;
  if (outer.kind == Type::Kind::kStruct) {
    if (outer.packed) part.align_limit = 1;
    part.offset += static_cast<std::int64_t>(outer.member_offsets[index]);
    part.type = outer.members[index];
  } else {
    part.offset += static_cast<std::int64_t>(index * outer.stride_bytes);
    part.type = outer.element;
  }
  return part;
}

Part Parts::find(const Type& type, ValueId whole, const Instruction& i, std::size_t at) {
  Part part{&type, whole};
  for (; at < i.operands.size() && !refusals_.failed(); ++at)
    part = component(part, i.operands[at]);
  return part;
}

bool Parts::has_layout_of_value(const Part& part) {
  const Type* const named = module_.type(part.type->id);
  if (named == nullptr || named == part.type || !types_.is_held(*part.type) ||
      types_.same_layout(*named, *part.type))
    return !refusals_.failed();
  refusals_.refuse(Rule::kU0003,
                   fmt::format("a part of type {} of a value that is held in memory, where its "
                               "matrices are laid out otherwise, is not supported",
                               decoder::spell(*part.type)));
  return false;
}

ValueList Parts::load(const Part& part) {
  if (!has_layout_of_value(part)) return {};
  const ValueId place = address(part);
  if (types_.is_held(*part.type)) return {ids_.mark_temporary(place)};
  return memory_.load(*part.type, place, lir::Space::kPrivate, {}, part.align_limit);
}

void Parts::store(const Part& part, Values values) {
  if (refusals_.failed() || !has_layout_of_value(part)) return;
  memory_.store(*part.type, address(part), values, lir::Space::kPrivate, {}, part.align_limit);
}

}  // namespace transpire::vm::builder
