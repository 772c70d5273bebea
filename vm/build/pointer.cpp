// Pointers: access chains, comparisons and casts. A pointer is one i64, the virtual address, also
// where the module's pointers have 32 bits: it is cut to those only where it becomes an integer or
// is stored.
#include <fmt/format.h>

#include "vm/build/builder.h"

namespace transpire::vm::builder {
namespace {

/// Where an access chain has come to: base + offset, after dynamic indexes are added.
struct Chain {
  ValueId address;
  std::int64_t offset = 0;
  const Type* type = nullptr;
  std::uint32_t align_limit = 0;
  std::vector<IndexStep> steps;  ///< --check=bounds only
};

std::int64_t wrapping_multiply(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// Steps over `index` elements of `stride` bytes.
void step(Builder& b, Chain& chain, Id index, std::uint64_t stride_bytes) {
  const auto stride = static_cast<std::int64_t>(stride_bytes);
  if (const std::optional<std::int64_t> known = b.signed_constant_of(index)) {
    chain.offset = wrapping_add(chain.offset, wrapping_multiply(*known, stride));
    return;
  }
  const ValueId value = b.scalar(index);
  if (const std::optional<std::uint64_t> bits = b.constant_bits(value)) {
    const unsigned unused = 64 - width_bits(b.kind_of(value));
    const std::int64_t known = static_cast<std::int64_t>(*bits << unused) >> unused;
    chain.offset = wrapping_add(chain.offset, wrapping_multiply(known, stride));
    return;
  }
  chain.address = b.address(chain.address, value, stride, 0);
}

/// Remembers a step into one of `count` elements, unless it stays within them whatever happens.
void note_index(Builder& b, Chain& chain, Id index, std::uint64_t count, const Type& element) {
  const std::optional<std::int64_t> known = b.signed_constant_of(index);
  // As unsigned a negative index is above every count.
  if (known && static_cast<std::uint64_t>(*known) < count) return;
  chain.steps.push_back({b.scalar(index), count, &element});
}

/// A step from one element to another: the index that led to the first says nothing any more. The
/// end of an array may be pointed at, and gone back from.
void leave_element(Builder& b, Chain& chain, Id step) {
  if (chain.steps.empty() || chain.steps.back().element != chain.type) return;
  if (b.signed_constant_of(step) != 0) chain.steps.pop_back();
}

/// Steps into a component of a composite.
void enter(Builder& b, Chain& chain, Id index) {
  const Type& type = *chain.type;
  if (type.kind == Type::Kind::kStruct) {
    const std::optional<std::uint64_t> member = b.constant_of(index);
    if (!b.expect(member && *member < type.members.size(),
                  "a struct index must be a constant within its members"))
      return;
    if (type.packed) chain.align_limit = 1;
    chain.offset =
        wrapping_add(chain.offset, static_cast<std::int64_t>(type.member_offsets[*member]));
    chain.type = type.members[*member];
    return;
  }
  const bool has_elements = type.kind == Type::Kind::kArray || type.kind == Type::Kind::kVector;
  if (!b.expect(has_elements && type.element != nullptr,
                "an access chain indexes into a type without components"))
    return;
  if (b.options().check_bounds) note_index(b, chain, index, type.count, *type.element);
  step(b, chain, index, type.element->size_bytes);
  chain.type = type.element;
}

void access_chain(Builder& b, const Instruction& i, bool has_element) {
  if (const InputPointer* base = b.input(b.operand_id(i, 0)))
    return b.input_chain(i, *base, has_element);
  const Type* pointer = b.operand_type(i, 0);
  const Type& result = b.result_type(i);
  if (b.failed() || !b.expect(pointer->kind == Type::Kind::kPointer && pointer->element != nullptr,
                              "the base of an access chain is no pointer"))
    return;
  const ValueId base = b.scalar_operand(i, 0);
  const Bound* bound =
      b.module().constant(b.operand_id(i, 0)) ? nullptr : b.find_bound(b.operand_id(i, 0));
  Chain chain{base, 0, pointer->element, bound == nullptr ? 0 : bound->align_limit,
              b.index_steps(base)};
  std::size_t at = 1;
  if (has_element) {
    leave_element(b, chain, b.operand_id(i, at));
    step(b, chain, b.operand_id(i, at++), pointer->element->size_bytes);
  }
  for (; at < i.operands.size() && !b.failed(); ++at) enter(b, chain, i.operands[at]);
  if (b.failed() ||
      !b.expect(result.kind == Type::Kind::kPointer, "the result of an access chain is no pointer"))
    return;
  const ValueId address = b.address(chain.address, kNoValue, 0, chain.offset);
  if (address != base) b.set_index_steps(address, std::move(chain.steps));
  b.define(i, {address});
  if (b.failed()) return;
  b.find_bound(i.result_id)->align_limit = chain.align_limit;
}

void chain(Builder& b, const Instruction& i, Op) { access_chain(b, i, false); }
void element_chain(Builder& b, const Instruction& i, Op) { access_chain(b, i, true); }

/// Casts that keep the address: spaces share one numbering.
void same_pointer(Builder& b, const Instruction& i, Op) {
  if (b.input(b.operand_id(i, 0)) != nullptr)
    return b.bind(i.result_id, *b.find_bound(i.operands[0]));
  b.define(i, {b.cast_pointer(i)});
}

void to_explicit_space(Builder& b, const Instruction& i, Op op) {
  const Type& result = b.result_type(i);
  if (b.failed() || !b.expect(result.kind == Type::Kind::kPointer, "the result is no pointer"))
    return;
  const ValueId pointer = b.scalar_operand(i, 0);
  lir::Value value;
  value.op = op;
  value.kind = value.from = Kind::kI64;
  value.imm = static_cast<std::uint64_t>(b.space_of(result));
  value.args = {pointer};
  const ValueId cast = b.place(std::move(value));
  b.derive(pointer, cast);
  b.define(i, {cast});
}

void memory_semantics(Builder& b, const Instruction& i, Op op) {
  lir::Value value;
  value.op = op;
  value.kind = value.from = Kind::kI32;
  value.args = {b.scalar_operand(i, 0)};
  b.define(i, {b.place(std::move(value))});
}

/// A pointer as an integer of the module's pointer width.
ValueId narrow(Builder& b, ValueId pointer) {
  return b.physical32() ? b.convert(Op::kTruncate, Kind::kI32, pointer) : pointer;
}

void pointer_to_integer(Builder& b, const Instruction& i, Op) {
  const Kind kind = b.scalar_kind(b.result_type(i));
  const ValueId pointer = b.tagged_operand(i, 0);
  if (!b.failed()) b.define(i, {b.resize(narrow(b, pointer), kind, false)});
}

void integer_to_pointer(Builder& b, const Instruction& i, Op) {
  ValueId integer = b.scalar_operand(i, 0);
  if (b.physical32()) integer = b.resize(integer, Kind::kI32, false);
  b.define(i, {b.resize(integer, Kind::kI64, false)});
}

void compare(Builder& b, const Instruction& i, Op op) {
  b.define(i, {b.emit(op, {b.tagged_operand(i, 0), b.tagged_operand(i, 1)})});
}

/// Elements between two pointers: (a - b) / size, which divides without remainder.
void difference(Builder& b, const Instruction& i, Op) {
  const Type* pointer = b.operand_type(i, 0);
  if (b.failed() || !b.expect(pointer->kind == Type::Kind::kPointer &&
                                  pointer->element != nullptr && pointer->element->size_bytes != 0,
                              "the operand is no pointer to a type with a size"))
    return;
  const ValueId bytes = b.emit(Op::kISub, {b.tagged_operand(i, 0), b.tagged_operand(i, 1)});
  const ValueId size = b.constant(Kind::kI64, pointer->element->size_bytes);
  const ValueId count = b.emit(Op::kSDiv, {bytes, size});
  b.define(i, {b.resize(count, b.scalar_kind(b.result_type(i)), true)});
}

constexpr Row kRows[] = {
    {spv::Op::OpAccessChain, chain},
    {spv::Op::OpInBoundsAccessChain, chain},
    {spv::Op::OpPtrAccessChain, element_chain},
    {spv::Op::OpInBoundsPtrAccessChain, element_chain},
    {spv::Op::OpPtrCastToGeneric, same_pointer},
    {spv::Op::OpGenericCastToPtr, same_pointer},
    {spv::Op::OpGenericCastToPtrExplicit, to_explicit_space, Op::kGenericToSpace},
    {spv::Op::OpGenericPtrMemSemantics, memory_semantics, Op::kMemSemantics},
    {spv::Op::OpConvertPtrToU, pointer_to_integer},
    {spv::Op::OpConvertUToPtr, integer_to_pointer},
    {spv::Op::OpPtrEqual, compare, Op::kIEqual},
    {spv::Op::OpPtrNotEqual, compare, Op::kINotEqual},
    {spv::Op::OpPtrDiff, difference},
};

}  // namespace

std::span<const Row> pointer_rows() { return kRows; }

ValueId Builder::address(ValueId base, ValueId index, std::int64_t scale, std::int64_t offset) {
  if (index == kNoValue && offset == 0) return base;
  lir::Value value;
  value.op = Op::kAddress;
  value.kind = value.from = Kind::kI64;
  value.imm = static_cast<std::uint64_t>(scale);
  value.imm2 = offset;
  value.args = {base};
  if (index != kNoValue) {
    const Kind kind = kind_of(index);
    if (kind == Kind::kI8 || kind == Kind::kI16) index = resize(index, Kind::kI64, true);
    value.extend = kind == Kind::kI32 ? lir::Extend::kSigned32 : lir::Extend::kNone;
    value.args.push_back(index);
  }
  const bool is_fixed = value.args.size() == 1;
  const ValueId result = place(std::move(value));
  if (failed()) return result;
  AddressRoot root{base, base, 0};
  if (const AddressRoot* known = find_root(base)) root = *known;
  if (is_fixed) {
    root.offset += static_cast<std::uint64_t>(offset);
  } else {
    root.fixed = result;
    root.offset = 0;
  }
  roots_[result] = root;
  derive(base, result);
  return result;
}

const Builder::AddressRoot* Builder::find_root(ValueId address) const {
  const auto known = roots_.find(address);
  return known == roots_.end() ? nullptr : &known->second;
}

ValueId Builder::address_root(ValueId address) const {
  const AddressRoot* known = find_root(address);
  return known == nullptr ? address : known->base;
}

lir::Space Builder::known_space(ValueId pointer, lir::Space declared) const {
  if (declared != lir::Space::kGeneric) return declared;
  const auto known = root_space_.find(address_root(pointer));
  // Generic pointers do not lead to constant memory: the access stays generic, and is a finding.
  const bool is_known = known != root_space_.end() && known->second != lir::Space::kConstant;
  return is_known ? known->second : declared;
}

/// The pointer as it leaves the expressions that made it, where it may be another work-item's next: see
/// memory/address_space.h. `declared` is where its type says that it leads. Pointers to global and constant
/// memory have no owner.
ValueId Builder::tagged(ValueId pointer, lir::Space declared) {
  const auto known = root_space_.find(address_root(pointer));
  const lir::Space space = known == root_space_.end() ? declared : known->second;
  if (physical32() || space == lir::Space::kGlobal || space == lir::Space::kConstant ||
      constant_bits(pointer))
    return pointer;
  lir::Value value;
  value.op = Op::kTagPointer;
  value.kind = value.from = Kind::kI64;
  value.args = {pointer};
  const ValueId result = place(std::move(value));
  roots_[result] = {address_root(pointer), result, 0};
  derive(pointer, result);
  return result;
}

ValueId Builder::tagged_operand(const Instruction& i, std::size_t index) {
  const Type* type = operand_type(i, index);
  const ValueId pointer = scalar_operand(i, index);
  const bool leads = !failed() && type->kind == Type::Kind::kPointer && is_addressable(*type);
  return leads ? tagged(pointer, space_of(*type)) : pointer;
}

/// The pointer of operand 0 as one of the result's type. Where the new type no longer tells that it may have
/// an owner, its tag does.
ValueId Builder::cast_pointer(const Instruction& i) {
  const Type& to = result_type(i);
  const bool forgets = to.storage_class == spv::StorageClass::CrossWorkgroup ||
                       to.storage_class == spv::StorageClass::UniformConstant;
  return forgets ? tagged_operand(i, 0) : scalar_operand(i, 0);
}

void Builder::derive(ValueId from, ValueId to) {
  const auto known = no_write_.find(from);
  if (known != no_write_.end()) no_write_[to] = known->second;
  if (from != to && !index_steps_.empty()) set_index_steps(to, index_steps(from));
}

std::vector<IndexStep> Builder::index_steps(ValueId address) const {
  const auto known = index_steps_.find(address);
  return known == index_steps_.end() ? std::vector<IndexStep>{} : known->second;
}

void Builder::set_index_steps(ValueId address, std::vector<IndexStep> steps) {
  if (steps.empty()) {
    index_steps_.erase(address);
  } else {
    function_.take(cost::kBinding + steps.size() * sizeof(IndexStep));
    function_.work(steps.size());
    index_steps_[address] = std::move(steps);
  }
}

void Builder::check_indexes(ValueId address) {
  for (const IndexStep& step : index_steps(address)) check_index(step.index, step.count, address);
}

void Builder::check_index(ValueId index, std::uint64_t count, ValueId address) {
  lir::Value check;
  check.op = Op::kCheckIndex;
  check.from = kind_of(index);
  check.imm = count;
  check.args = {index, address};
  place(std::move(check));
}

std::uint32_t Builder::no_write_parameter(ValueId pointer) const {
  const auto known = no_write_.find(pointer);
  return known == no_write_.end() ? 0 : known->second;
}

}  // namespace transpire::vm::builder
