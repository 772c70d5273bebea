#include "vm/build/pointers.h"

namespace transpire::vm::builder {

Pointers::Pointers(Core& core)
    : request_(core.request),
      refusals_(core.refusals),
      writer_(core.writer),
      ops_(core.ops),
      types_(core.types),
      ids_(core.ids) {}

ValueId Pointers::address(ValueId base, ValueId index, std::int64_t scale, std::int64_t offset) {
  if (index == kNoValue && offset == 0) return base;
  lir::Value value;
  value.op = Op::kAddress;
  value.kind = value.from = Kind::kI64;
  value.imm = static_cast<std::uint64_t>(scale);
  value.imm2 = offset;
  value.args = {base};
  if (index != kNoValue) {
    const Kind kind = ops_.kind_of(index);
    if (kind == Kind::kI8 || kind == Kind::kI16) index = ops_.resize(index, Kind::kI64, true);
    value.extend = kind == Kind::kI32 ? lir::Extend::kSigned32 : lir::Extend::kNone;
    value.args.push_back(index);
  }
  const bool is_fixed = value.args.size() == 1;
  const ValueId result = writer_.place(std::move(value));
  if (refusals_.failed()) return result;
  AddressRoot known = root(base);
  if (is_fixed) {
    known.offset += static_cast<std::uint64_t>(offset);
  } else {
    known.fixed = result;
    known.offset = 0;
  }
  roots_[result] = known;
  derive(base, result);
  return result;
}

ValueId Pointers::element(ValueId base, ValueId index, std::uint64_t stride_bytes) {
  const std::optional<std::uint64_t> known = ops_.constant_bits(index);
  if (!known) return address(base, index, static_cast<std::int64_t>(stride_bytes), 0);
  const unsigned unused = 64 - width_bits(ops_.kind_of(index));
  const auto steps =
      static_cast<std::uint64_t>(static_cast<std::int64_t>(*known << unused) >> unused);
  return address(base, static_cast<std::int64_t>(steps * stride_bytes));
}

AddressRoot Pointers::root(ValueId address) const {
  const auto known = roots_.find(address);
  return known == roots_.end() ? AddressRoot{address, address, 0} : known->second;
}

ValueId Pointers::tagged(ValueId pointer, lir::Space declared) {
  const auto known = space_.find(root(pointer).base);
  const lir::Space space = known == space_.end() ? declared : known->second;
  if (request_.physical32() || space == lir::Space::kGlobal || space == lir::Space::kConstant ||
      writer_.constant_bits(pointer))
    return pointer;
  lir::Value value;
  value.op = Op::kTagPointer;
  value.kind = value.from = Kind::kI64;
  value.args = {pointer};
  const ValueId result = writer_.place(std::move(value));
  roots_[result] = {root(pointer).base, result, 0};
  derive(pointer, result);
  return result;
}

ValueId Pointers::tagged_operand(const Instruction& i, std::size_t index) {
  const Type* type = ids_.operand_type(i, index);
  const ValueId pointer = ids_.pointer(ids_.operand_id(i, index));
  const bool leads =
      !refusals_.failed() && type->kind == Type::Kind::kPointer && types_.is_addressable(*type);
  return leads ? tagged(pointer, types_.space_of(*type)) : pointer;
}

ValueId Pointers::cast(const Instruction& i) {
  const Type& to = types_.result_type(i);
  const bool forgets = to.storage_class == spv::StorageClass::CrossWorkgroup ||
                       to.storage_class == spv::StorageClass::UniformConstant;
  return forgets ? tagged_operand(i, 0) : ids_.scalar_operand(i, 0);
}

ObjectPlace Pointers::object_place(Id pointer) const {
  if (!request_.options.check_uninit) return {};
  const Bound* bound = ids_.find_variable(pointer);
  if (bound != nullptr && bound->place.object != nullptr) return bound->place;
  const Type* type = request_.module.type_of(pointer);
  return {type == nullptr ? nullptr : type->element, 0};
}

void Pointers::keep_place(const Instruction& i) {
  if (!request_.options.check_uninit || refusals_.failed()) return;
  Bound* bound = ids_.find_bound(i.result_id);
  if (bound == nullptr) return;
  bound->place = object_place(i.operands[0]);
  const Type* type = request_.module.type_of(i.result_id);
  bound->place.is_cast |= type != nullptr && type->element != nullptr &&
                          type->element != bound->place.object && !holds_objects(*type->element);
}

const Type* Pointers::pointee_before_casts(Id pointer) {
  for (unsigned i = 0; i < 8; ++i) {
    const Bound* bound = ids_.find_variable(pointer);
    if (bound == nullptr || bound->cast_from == 0) break;
    pointer = bound->cast_from;
  }
  return request_.module.type_of(pointer)->element;
}

void Pointers::derive(ValueId from, ValueId to) {
  const auto known = no_write_.find(from);
  if (known != no_write_.end()) no_write_[to] = known->second;
  if (from != to && !index_steps_.empty()) set_index_steps(to, index_steps(from));
}

lir::Space Pointers::known_space(ValueId pointer, lir::Space declared) const {
  if (declared == lir::Space::kPrivate && tables_.contains(root(pointer).base))
    return lir::Space::kConstant;
  if (declared != lir::Space::kGeneric) return declared;
  const auto known = space_.find(root(pointer).base);
  // Generic pointers do not lead to constant memory: the access stays generic, and is a finding.
  const bool is_known = known != space_.end() && known->second != lir::Space::kConstant;
  return is_known ? known->second : declared;
}

std::uint32_t Pointers::no_write_parameter(ValueId pointer) const {
  const auto known = no_write_.find(pointer);
  return known == no_write_.end() ? 0 : known->second;
}

std::vector<IndexStep> Pointers::index_steps(ValueId address) const {
  const auto known = index_steps_.find(address);
  return known == index_steps_.end() ? std::vector<IndexStep>{} : known->second;
}

void Pointers::set_index_steps(ValueId address, std::vector<IndexStep> steps) {
  if (steps.empty()) {
    index_steps_.erase(address);
  } else {
    writer_.budget().take(cost::kBinding + steps.size() * sizeof(IndexStep));
    writer_.budget().work(steps.size());
    index_steps_[address] = std::move(steps);
  }
}

void Pointers::check_indexes(ValueId address) {
  for (const IndexStep& step : index_steps(address)) {
    lir::Value check;
    check.op = Op::kCheckIndex;
    check.from = ops_.kind_of(step.index);
    check.imm = step.count;
    check.args = {step.index, address};
    writer_.place(std::move(check));
  }
}

}  // namespace transpire::vm::builder
