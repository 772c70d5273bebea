// Loads, stores and copies. A scalar or vector is one access; an array or struct is one for each
// scalar or vector in it, or one CopyMemory.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "vm/build/builder.h"

namespace transpire::vm::builder {
namespace {

constexpr std::size_t kMaxCopiedLeaves = 64;
constexpr std::uint64_t kMaxCopiedBytes = 1024;

/// Reads the memory operands at `at` and steps over them.
MemoryOperands memory_operands(Builder& b, const Instruction& i, std::size_t& at) {
  MemoryOperands result;
  if (at >= i.operands.size()) return result;
  const std::uint32_t mask = i.operands[at++];
  const auto has = [&](spv::MemoryAccessMask bit) {
    return (mask & static_cast<std::uint32_t>(bit)) != 0;
  };
  result.is_volatile = has(spv::MemoryAccessMask::Volatile);
  if (has(spv::MemoryAccessMask::Aligned)) {
    result.align_bytes = b.operand_id(i, at++);
    b.expect(std::has_single_bit(result.align_bytes), "an alignment must be a power of two");
  }
  // Each of these has one operand; they say nothing to an interpreter with one memory.
  for (const auto bit :
       {spv::MemoryAccessMask::MakePointerAvailable, spv::MemoryAccessMask::MakePointerVisible,
        spv::MemoryAccessMask::AliasScopeINTELMask, spv::MemoryAccessMask::NoAliasINTELMask})
    if (has(bit)) ++at;
  return result;
}

struct Pointer {
  ValueId address;
  const Type* type = nullptr;  ///< the pointer's
  const Type* pointee = nullptr;
  lir::Space space = lir::Space::kGlobal;
  std::uint32_t align_limit = 0;
};

std::optional<Pointer> pointer_operand(Builder& b, const Instruction& i, std::size_t index) {
  const Type* type = b.operand_type(i, index);
  if (b.failed() || !b.expect(type->kind == Type::Kind::kPointer && type->element != nullptr,
                              "the operand is no pointer"))
    return std::nullopt;
  const Id id = i.operands[index];
  const ValueId address = b.scalar(id);
  const Bound* bound = b.module().constant(id) ? nullptr : b.find_bound(id);
  if (b.failed()) return std::nullopt;
  return Pointer{address, type, type->element, b.space_of(*type),
                 bound == nullptr ? 0 : bound->align_limit};
}

void load(Builder& b, const Instruction& i, Op) {
  if (const InputPointer* builtin = b.input(b.operand_id(i, 0)))
    return b.define(i, b.load_input(*builtin));
  const std::optional<Pointer> pointer = pointer_operand(b, i, 0);
  if (!pointer) return;
  std::size_t at = 1;
  const MemoryOperands operands = memory_operands(b, i, at);
  const Type& type = b.result_type(i);
  if (b.failed()) return;
  b.define(i, b.load(type, pointer->address, pointer->space, operands, pointer->align_limit));
}

void store(Builder& b, const Instruction& i, Op) {
  const std::optional<Pointer> pointer = pointer_operand(b, i, 0);
  if (!pointer) return;
  const Values values = b.operand(i, 1);
  std::size_t at = 2;
  const MemoryOperands operands = memory_operands(b, i, at);
  if (b.failed()) return;
  b.store(*pointer->pointee, pointer->address, values, pointer->space, operands,
          pointer->align_limit);
}

/// No byte of the type is padding, so copying its scalars copies all of it.
bool is_dense(const Layout& layout, std::uint64_t size_bytes) {
  std::uint64_t sum = 0;
  for (const Leaf& leaf : layout.leaves)
    sum += std::uint64_t{leaf.components} * (leaf.kind == Kind::kBool ? 1 : lane_bytes(leaf.kind));
  return sum == size_bytes;
}

lir::MemAccess byte_access(const Pointer& target, const Pointer& source, MemoryOperands operands) {
  lir::MemAccess access;
  access.kind = Kind::kI8;
  access.space = target.space;
  access.source_space = source.space;
  access.is_volatile = operands.is_volatile;
  access.align_bytes = std::max(operands.align_bytes, 1u);
  return access;
}

void copy_typed(Builder& b, const Pointer& target, const Pointer& source, const Type& type,
                MemoryOperands to, MemoryOperands from) {
  const ValueList values = b.load(type, source.address, source.space, from, source.align_limit);
  if (!b.failed()) b.store(type, target.address, values, target.space, to, target.align_limit);
}

/// One set of memory operands serves both sides; a second one is the source's.
std::pair<MemoryOperands, MemoryOperands> copy_operands(Builder& b, const Instruction& i,
                                                        std::size_t at) {
  const MemoryOperands to = memory_operands(b, i, at);
  const MemoryOperands from = at < i.operands.size() ? memory_operands(b, i, at) : to;
  return {to, from};
}

void copy(Builder& b, const Instruction& i, Op) {
  const std::optional<Pointer> target = pointer_operand(b, i, 0);
  const std::optional<Pointer> source = pointer_operand(b, i, 1);
  const auto [to, from] = copy_operands(b, i, 2);
  if (b.failed()) return;
  const Type& type = *target->pointee;
  if (type.size_bytes <= kMaxCopiedBytes && b.layout(type).leaves.size() <= kMaxCopiedLeaves)
    return copy_typed(b, *target, *source, type, to, from);
  if (b.failed()) return;
  MemoryOperands both = to;
  both.align_bytes = std::min(to.align_bytes, from.align_bytes);
  b.copy_memory(target->address, source->address, b.constant(Kind::kI64, type.size_bytes),
                byte_access(*target, *source, both));
}

/// A type of exactly `bytes` without padding behind one of two pointers, so that the copy can be
/// made scalar by scalar and variables need not stay in memory for its sake.
const Type* copied_type(Builder& b, const Pointer& target, const Pointer& source,
                        std::uint64_t bytes) {
  for (const Type* type : {target.pointee, source.pointee}) {
    const bool small =
        type->size_bytes == bytes && bytes <= kMaxCopiedBytes && type->is_composite();
    if (!small) continue;
    const Layout& layout = b.layout(*type);
    if (layout.leaves.size() <= kMaxCopiedLeaves && is_dense(layout, bytes)) return type;
  }
  return nullptr;
}

void copy_sized(Builder& b, const Instruction& i, Op) {
  std::optional<Pointer> target = pointer_operand(b, i, 0);
  std::optional<Pointer> source = pointer_operand(b, i, 1);
  const ValueId size = b.scalar_operand(i, 2);
  auto [to, from] = copy_operands(b, i, 3);
  if (b.failed()) return;
  to.align_bytes = std::max(to.align_bytes, 1u);
  from.align_bytes = std::max(from.align_bytes, 1u);
  target->pointee = b.pointee_before_casts(i.operands[0]);
  source->pointee = b.pointee_before_casts(i.operands[1]);
  const std::optional<std::uint64_t> bytes = b.constant_bits(size);
  if (bytes && *bytes == 0) return;
  if (const Type* type = bytes ? copied_type(b, *target, *source, *bytes) : nullptr)
    return copy_typed(b, *target, *source, *type, to, from);
  MemoryOperands both = to;
  both.align_bytes = std::min(to.align_bytes, from.align_bytes);
  b.copy_memory(target->address, source->address, b.resize(size, Kind::kI64, false),
                byte_access(*target, *source, both));
}

/// Of what a pointer points to, or a type of pointers.
void size_of(Builder& b, const Instruction& i, Op) {
  const Type* pointer = b.module().type(b.operand_id(i, 0));
  if (pointer == nullptr) pointer = b.operand_type(i, 0);
  const Kind kind = b.scalar_kind(b.result_type(i));
  if (b.failed() || !b.expect(pointer->element != nullptr, "the operand is no pointer")) return;
  b.define(i, {b.constant(kind, pointer->element->size_bytes)});
}

void variable(Builder& b, const Instruction& i, Op) {
  const Type& pointer = b.result_type(i);
  if (b.failed() || !b.expect(pointer.kind == Type::Kind::kPointer && pointer.element != nullptr,
                              "a variable's type is no pointer"))
    return;
  if (pointer.storage_class != spv::StorageClass::Function)
    return b.refuse(Rule::kU0003, fmt::format("a variable of type {} inside a function",
                                              decoder::spell(pointer)));
  std::uint64_t align = pointer.element->align_bytes;
  if (const decoder::Decoration* d = b.module().decoration(i.result_id, spv::Decoration::Alignment))
    if (!d->operands.empty()) align = std::max<std::uint64_t>(align, d->operands[0]);
  std::string name(b.module().name(i.result_id));
  if (name.empty()) name = b.module().spell_id(i.result_id);
  const std::uint32_t added = b.add_private(std::move(name), *pointer.element, align);
  const ValueId address = b.private_address(added);
  b.define(i, {address});
  b.note_variable(i, added);
  b.begin_lifetime(i);
  if (i.operands.size() < 2 || b.failed()) return;
  const decoder::Constant* initial = b.module().constant(i.operands[1]);
  if (initial != nullptr && initial->kind == decoder::Constant::Kind::kUndef) return;
  const Values values = b.operand(i, 1);
  if (!b.failed()) b.store(*pointer.element, address, values, lir::Space::kPrivate, {});
}

constexpr Row kRows[] = {
    {spv::Op::OpVariable, variable},
    {spv::Op::OpLoad, load},
    {spv::Op::OpStore, store},
    {spv::Op::OpCopyMemory, copy},
    {spv::Op::OpCopyMemorySized, copy_sized},
    {spv::Op::OpSizeOf, size_of},
};

lir::MemAccess leaf_access(const Leaf& leaf, lir::Space space, MemoryOperands operands,
                           std::uint32_t align_limit) {
  lir::MemAccess access;
  access.kind = leaf.kind;
  access.components = leaf.components;
  access.space = space;
  access.is_volatile = operands.is_volatile;
  access.offset = static_cast<std::int64_t>(leaf.offset);
  access.align_bytes = leaf.align_bytes;
  if (operands.align_bytes != 0) {
    // What Aligned promises of the whole, at the leaf's offset.
    const std::uint64_t known = operands.align_bytes | leaf.offset;
    access.align_bytes = static_cast<std::uint32_t>(known & (~known + 1));
  } else if (align_limit != 0) {
    access.align_bytes = std::min(access.align_bytes, align_limit);
  }
  return access;
}

}  // namespace

std::span<const Row> memory_rows() { return kRows; }

bool Builder::is_addressable(const Type& pointer) const {
  switch (pointer.storage_class) {
    case spv::StorageClass::Function:
    case spv::StorageClass::Workgroup:
    case spv::StorageClass::CrossWorkgroup:
    case spv::StorageClass::UniformConstant:
    case spv::StorageClass::Generic:
      return true;
    default:
      return false;
  }
}

lir::Space Builder::space_of(const Type& pointer) {
  switch (pointer.storage_class) {
    case spv::StorageClass::Function:
      return lir::Space::kPrivate;
    case spv::StorageClass::Workgroup:
      return lir::Space::kWorkgroup;
    case spv::StorageClass::CrossWorkgroup:
      return lir::Space::kGlobal;
    case spv::StorageClass::UniformConstant:
      return lir::Space::kConstant;
    case spv::StorageClass::Generic:
      return lir::Space::kGeneric;
    default:
      refuse(Rule::kU0003,
             fmt::format("accesses through {} are not supported", decoder::spell(pointer)));
      return lir::Space::kGlobal;
  }
}

/// The pointee of a pointer before it was cast to another pointer type.
const Type* Builder::pointee_before_casts(Id pointer) {
  for (unsigned i = 0; i < 8; ++i) {
    const Bound* bound = module_.constant(pointer) ? nullptr : find_bound(pointer);
    if (bound == nullptr || bound->cast_from == 0) break;
    pointer = bound->cast_from;
  }
  return module_.type_of(pointer)->element;
}

ValueList Builder::load_leaf(lir::MemAccess access, ValueId pointer) {
  if (std::optional<ValueList> known = load_constant(access, pointer)) return *std::move(known);
  lir::Value value;
  value.op = Op::kLoad;
  value.kind = value.from = access.kind;
  value.imm = function_.mem.size();
  value.args = {pointer};
  access.no_write_parameter = no_write_parameter(pointer);
  access.space = known_space(pointer, access.space);
  function_.take(cost::kAccess);
  function_.mem.push_back(access);
  ValueList results{place(std::move(value))};
  for (std::uint32_t c = 1; c < access.components; ++c) {
    lir::Value component;
    component.op = Op::kResult;
    component.kind = component.from = access.kind;
    component.imm = c;
    component.args = {results[0]};
    results.push_back(place(std::move(component)));
  }
  return results;
}

void Builder::store_leaf(lir::MemAccess access, ValueId pointer, Values values) {
  lir::Value value;
  value.op = Op::kStore;
  value.from = access.kind;
  value.imm = function_.mem.size();
  value.args = {pointer};
  value.args.insert(value.args.end(), values.begin(), values.end());
  access.no_write_parameter = no_write_parameter(pointer);
  access.space = known_space(pointer, access.space);
  function_.take(cost::kAccess);
  function_.mem.push_back(access);
  place(std::move(value));
}

void Builder::check_copies(ValueId pointer, lir::Space space, std::uint64_t bytes, bool writes) {
  if (!options_.check_sync || !has_events_ || failed()) return;
  const lir::Space known = known_space(pointer, space);
  if (known == lir::Space::kPrivate || known == lir::Space::kConstant) return;
  lir::Value check;
  check.op = Op::kCheckCopies;
  check.from = Kind::kI64;
  check.imm = bytes << 1 | (writes ? 1 : 0);
  check.args = {pointer};
  place(std::move(check));
}

ValueList Builder::load(const Type& type, ValueId pointer, lir::Space space,
                        MemoryOperands operands, std::uint32_t align_limit) {
  ValueList values;
  if (is_held(type)) {
    check_copies(pointer, space, type.size_bytes, false);
    return {load_held(type, pointer, space, operands)};
  }
  check_indexes(pointer);
  check_copies(pointer, space, type.size_bytes, false);
  for (const Leaf& leaf : layout(type).leaves) {
    for (ValueId value : load_leaf(leaf_access(leaf, space, operands, align_limit), pointer)) {
      if (leaf.is_pointer) value = resize(value, Kind::kI64, false);
      values.push_back(value);
    }
    if (failed()) break;
  }
  return values;
}

void Builder::store(const Type& type, ValueId pointer, Values values, lir::Space space,
                    MemoryOperands operands, std::uint32_t align_limit) {
  const Layout& parts = layout(type);
  if (!expect(parts.kinds.size() == values.size(), "the stored value is not of the pointee's type"))
    return;
  if (parts.in_memory) {
    if (!expect(is_temporary(values[0]), "the stored value is not of the pointee's type")) return;
    check_copies(pointer, space, type.size_bytes, true);
    return copy_held(type, pointer, values[0], space, operands);
  }
  check_indexes(pointer);
  check_copies(pointer, space, type.size_bytes, true);
  std::size_t next = 0;
  for (const Leaf& leaf : parts.leaves) {
    ValueList stored(values.begin() + static_cast<std::ptrdiff_t>(next),
                     values.begin() + static_cast<std::ptrdiff_t>(next + leaf.components));
    next += leaf.components;
    if (leaf.is_pointer)
      for (ValueId& value : stored)
        value = resize(leaf.space ? tagged(value, *leaf.space) : value, leaf.kind, false);
    store_changed(leaf_access(leaf, space, operands, align_limit), pointer, stored);
    if (failed()) return;
  }
}

void Builder::copy_variable(const Type& type, ValueId target, ValueId source) {
  if (type.size_bytes <= kMaxCopiedBytes && layout(type).leaves.size() <= kMaxCopiedLeaves) {
    const ValueList values = load(type, source, lir::Space::kConstant, {});
    if (!failed()) store(type, target, values, lir::Space::kPrivate, {});
    return;
  }
  lir::MemAccess access;
  access.kind = Kind::kI8;
  access.space = lir::Space::kPrivate;
  access.source_space = lir::Space::kConstant;
  copy_memory(target, source, constant(Kind::kI64, type.size_bytes), access);
}

void Builder::copy_memory(ValueId target, ValueId source, ValueId bytes, lir::MemAccess access) {
  check_indexes(source);
  check_indexes(target);
  lir::Value value;
  value.op = Op::kCopyMemory;
  value.from = access.kind;
  value.imm = function_.mem.size();
  value.args = {target, source, bytes};
  access.no_write_parameter = no_write_parameter(target);
  access.space = known_space(target, access.space);
  access.source_space = known_space(source, access.source_space);
  function_.take(cost::kAccess);
  function_.mem.push_back(access);
  place(std::move(value));
}

}  // namespace transpire::vm::builder
