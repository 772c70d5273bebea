// Arrays and structs of many scalars are not taken apart. Such a value is the address of a private
// temporary that holds it, one temporary for each instruction that makes a value:
//
//   load, insert, construct   copy into the instruction's own temporary
//   store                     copies out of it
//   extract                   loads the part, or gives its address where that is large, too
//   copy, select, call        pass the address on
//   phi                       copies: at the end of each predecessor into a second temporary, from
//                             there at the phi's own place, so that phis may take each other's
//                             place
//
// A temporary is written again only when its instruction runs again, and by then everything that
// named the old value is behind: what uses a value is dominated by what makes it. Only a phi may
// name a value that was made after the phi itself ran, which is why phis copy.
#include <fmt/format.h>

#include "vm/build/builder.h"

namespace transpire::vm::builder {
namespace {

constexpr unsigned kMaxConstantDepth = 256;

}  // namespace

bool Builder::is_held(const Type& type) { return layout(type).in_memory; }

bool Builder::is_temporary(ValueId value) const { return held_.contains(value); }

ValueId Builder::mark_held(ValueId address) {
  held_.insert(address);
  return address;
}

ValueId Builder::new_temporary(const Type& type) {
  return mark_held(private_address(add_private("a value", type, type.align_bytes)));
}

void Builder::copy_held(const Type& type, ValueId target, ValueId source, lir::Space target_space,
                        MemoryOperands operands, lir::Space source_space) {
  lir::MemAccess access;
  access.kind = Kind::kI8;
  access.space = target_space;
  access.source_space = source_space;
  access.is_volatile = operands.is_volatile;
  access.align_bytes = std::max(operands.align_bytes, 1u);
  copy_memory(target, source, constant(Kind::kI64, type.size_bytes), access);
}

ValueId Builder::load_held(const Type& type, ValueId pointer, lir::Space space,
                           MemoryOperands operands) {
  const ValueId temporary = new_temporary(type);
  if (!failed()) copy_held(type, temporary, pointer, lir::Space::kPrivate, operands, space);
  return temporary;
}

/// Private memory is zero at first, so nothing is written.
ValueId Builder::held_zeros(const Type& type) {
  const auto [entry, is_new] = held_zeros_.try_emplace(&type, 0);
  if (is_new) entry->second = new_temporary(type);
  return entry->second;
}

/// Made before everything else, so once for all uses.
ValueId Builder::held_constant(const decoder::Constant& constant) {
  const BlockId outer = std::exchange(block_, 0);
  std::swap(function_.blocks[0].instructions, prologue_);
  const ValueId temporary = new_temporary(*constant.type);
  store_constant(constant, temporary, 0);
  std::swap(function_.blocks[0].instructions, prologue_);
  block_ = outer;
  return temporary;
}

void Builder::store_constant(const decoder::Constant& constant, ValueId address, unsigned depth) {
  using Kind = decoder::Constant::Kind;
  if (failed() || constant.kind == Kind::kNull || constant.kind == Kind::kUndef) return;
  if (constant.kind != Kind::kComposite)
    return refuse(Rule::kU0007, "a large constant that an operation makes is not supported");
  const Type& type = *constant.type;
  if (!expect(depth < kMaxConstantDepth && constant.elements.size() == component_count(type),
              "a constant's constituents are not of its type"))
    return;
  for (std::size_t i = 0; i < constant.elements.size() && !failed(); ++i) {
    const HeldPart part =
        held_component(type, {&type, address, 0, 0}, static_cast<std::uint32_t>(i));
    if (failed()) return;
    const decoder::Constant* element = module_.constant(constant.elements[i]);
    if (element != nullptr && element->type == part.type && is_held(*part.type)) {
      store_constant(*element, this->address(address, kNoValue, 0, part.offset), depth + 1);
    } else {
      store_part(part, value(constant.elements[i]));
    }
  }
}

std::uint64_t Builder::component_count(const Type& type) const {
  return type.kind == Type::Kind::kStruct ? type.members.size() : type.count;
}

/// A component of a part.
Builder::HeldPart Builder::held_component(const Type& outer, HeldPart part, std::uint32_t index) {
  const bool has_components =
      outer.kind == Type::Kind::kStruct ||
      ((outer.kind == Type::Kind::kArray || outer.kind == Type::Kind::kVector) &&
       outer.element != nullptr);
  if (!expect(has_components && index < component_count(outer), "a literal index is out of range"))
    return part;
  if (outer.kind == Type::Kind::kStruct) {
    if (outer.packed) part.align_limit = 1;
    part.offset += static_cast<std::int64_t>(outer.member_offsets[index]);
    part.type = outer.members[index];
  } else {
    part.offset += static_cast<std::int64_t>(index * outer.element->size_bytes);
    part.type = outer.element;
  }
  return part;
}

/// Follows the literal indexes from operand `at` on.
Builder::HeldPart Builder::held_part(const Type& type, ValueId address, const Instruction& i,
                                     std::size_t at) {
  HeldPart part{&type, address, 0, 0};
  for (; at < i.operands.size() && !failed(); ++at)
    part = held_component(*part.type, part, i.operands[at]);
  return part;
}

void Builder::store_part(const HeldPart& part, Values values) {
  if (failed()) return;
  const ValueId place = address(part.address, kNoValue, 0, part.offset);
  store(*part.type, place, values, lir::Space::kPrivate, {}, part.align_limit);
}

void Builder::extract_held(const Instruction& i, const Type& type, ValueId address) {
  const HeldPart part = held_part(type, address, i, 1);
  if (failed()) return;
  const ValueId place = this->address(address, kNoValue, 0, part.offset);
  if (is_held(*part.type)) return define(i, {mark_held(place)});
  define(i, load(*part.type, place, lir::Space::kPrivate, {}, part.align_limit));
}

void Builder::insert_held(const Instruction& i, const Type& type, Values object,
                          ValueId composite) {
  const ValueId temporary = new_temporary(type);
  if (failed()) return;
  copy_held(type, temporary, composite, lir::Space::kPrivate, {});
  store_part(held_part(type, temporary, i, 2), object);
  define(i, {temporary});
}

void Builder::construct_held(const Instruction& i, const Type& type) {
  const ValueId temporary = new_temporary(type);
  if (!expect(i.operands.size() == component_count(type),
              "the constituents of a composite are not its components"))
    return;
  for (std::size_t c = 0; c < i.operands.size() && !failed(); ++c) {
    const HeldPart part =
        held_component(type, {&type, temporary, 0, 0}, static_cast<std::uint32_t>(c));
    store_part(part, operand(i, c));
  }
  define(i, {temporary});
}

ValueId Builder::held_phi(const Type& type, ValueId* incoming) {
  const ValueId temporary = new_temporary(type);
  *incoming = new_temporary(type);
  if (!failed()) copy_held(type, temporary, *incoming, lir::Space::kPrivate, {});
  return temporary;
}

}  // namespace transpire::vm::builder
