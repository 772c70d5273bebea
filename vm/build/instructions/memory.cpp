#include "vm/build/instructions/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/narrow.h"
#include "decoder/grammar.h"
#include "decoder/untyped.h"
#include "vm/build/builder.h"
#include "vm/build/instructions/memory_order.h"
#include "vm/build/instructions/pointer.h"

namespace transpire::vm::builder::memory_access {
namespace {

/// Buffer references are aligned to the largest scalar of what they lead to (VUID-RuntimeSpirv-PhysicalStorageBuffer64-06314).
std::uint32_t least_align(Builder& b, const Type& pointer, const Type& pointee) {
  if (pointer.storage_class != spv::StorageClass::PhysicalStorageBuffer) return 0;
  std::uint32_t largest = 0;
  for (const Leaf& leaf : b.types.layout(pointee).leaves)
    largest = std::max(largest, narrow<std::uint32_t>(lane_bytes(leaf.kind)));
  return largest;
}

/// The type as which an instruction sees memory through the untyped pointer in an operand; null if a byte.
const Type* seen_through(const decoder::Module& module, const Instruction& i, std::size_t index) {
  const auto type_of = [&](std::size_t operand) -> const Type* {
    return operand < i.operands.size() ? module.type_of(i.operands[operand]) : nullptr;
  };
  switch (i.op) {
    case spv::Op::OpStore:
    case spv::Op::OpAtomicFlagTestAndSet:  // a flag is a 32-bit integer, as the scope is
    case spv::Op::OpAtomicFlagClear:
      return type_of(1);
    case spv::Op::OpAtomicStore:
      return type_of(3);
    case spv::Op::OpCopyMemory:
      return index < 2 && type_of(1 - index) != nullptr ? type_of(1 - index)->element : nullptr;
    case spv::Op::OpLoad:
      return module.type(i.type_id);
    default:
      return decoder::opcode_class(i.op) == "Atomic" ? module.type(i.type_id) : nullptr;
  }
}

}  // namespace

const Type* accessed_type(Builder& b, const Instruction& i, std::size_t index) {
  const decoder::Module& module = b.request.module;
  const Type* const pointer =
      index < i.operands.size() ? module.type_of(i.operands[index]) : nullptr;
  if (pointer == nullptr || pointer->kind != Type::Kind::kPointer) return nullptr;
  const Type* const seen = decoder::is_untyped(*pointer) ? seen_through(module, i, index) : nullptr;
  return seen != nullptr ? seen : pointer->element;
}

std::optional<Pointer> pointer_operand(Builder& b, const Instruction& i, std::size_t index) {
  const Type* type = b.ids.operand_type(i, index);
  const Type* const accessed = accessed_type(b, i, index);
  if (b.failed() || !b.expect(accessed != nullptr, "the operand is no pointer"))
    return std::nullopt;
  const bool holds_variables = type->storage_class == spv::StorageClass::Function ||
                               type->storage_class == spv::StorageClass::Private;
  if (!b.expect(!accessed->holds_cooperative_matrix || holds_variables,
                "a whole cooperative matrix is accessed in memory that cannot hold it"))
    return std::nullopt;
  const Id id = i.operands[index];
  const ValueId address = b.ids.pointer(id);
  const Bound* bound = b.ids.find_variable(id);
  if (b.failed()) return std::nullopt;
  const bool is_laid_out = bound != nullptr && bound->laid_out != nullptr &&
                           (accessed == type->element || accessed->id == bound->laid_out->id);
  const Type* const pointee = is_laid_out ? bound->laid_out : accessed;
  return Pointer{id,
                 address,
                 pointee,
                 b.types.space_of(*type),
                 bound == nullptr ? 0 : bound->align_limit,
                 least_align(b, *type, *pointee),
                 b.types.is_robust(*type)};
}

namespace {

/// True if all members of the struct are Coherent, false if none is; empty if some are.
std::optional<bool> are_coherent(Builder& b, const Type& type) {
  const auto is_coherent = [&](std::size_t member) {
    return pointer::is_coherent(b, type.id, member);
  };
  const bool first = !type.members.empty() && is_coherent(0);
  for (std::size_t member = 1; member < type.members.size(); ++member)
    if (is_coherent(member) != first) return std::nullopt;
  return first;
}

/// Says the promise of an access without an atomic to other work-items. `mask`: its memory operands.
Sharing sharing_of(Builder& b, const Pointer& pointer, std::uint32_t mask) {
  const spv::MemoryModel model = b.request.module.memory_model;
  const spv::StorageClass memory = b.request.module.type_of(pointer.id)->storage_class;
  const bool is_group = memory == spv::StorageClass::Workgroup;
  const bool others_have_it = is_group || memory == spv::StorageClass::StorageBuffer ||
                              memory == spv::StorageClass::Uniform ||
                              memory == spv::StorageClass::PhysicalStorageBuffer;
  if (!others_have_it || !b.request.options.looks_for_races()) return {};
  std::optional<bool> coherent = pointer::known_coherence(b, pointer.id);
  if (model == spv::MemoryModel::Vulkan) {
    const auto operands = static_cast<spv::MemoryAccessMask>(mask);
    const bool is_private =
        (operands & spv::MemoryAccessMask::NonPrivatePointer) == spv::MemoryAccessMask::MaskNone;
    if (coherent.value_or(false)) return {};
    return {is_private ? Sharing::Kind::kPrivate : Sharing::Kind::kShared};
  }
  if (model != spv::MemoryModel::GLSL450 || is_group) return {};
  if (coherent == false && pointer.pointee->kind == Type::Kind::kStruct)
    coherent = are_coherent(b, *pointer.pointee);
  if (coherent.value_or(true)) return {};
  return {Sharing::Kind::kIncoherent};
}

}  // namespace

MemoryOperands memory_operands(Builder& b, const Instruction& i, std::size_t& at,
                               const Pointer& pointer, Direction direction) {
  MemoryOperands result;
  result.is_robust = pointer.is_robust;
  const std::uint32_t mask = at < i.operands.size() ? i.operands[at++] : 0;
  Sharing sharing = sharing_of(b, pointer, mask);
  const auto has = [&](spv::MemoryAccessMask bit) {
    return (mask & narrow<std::uint32_t>(bit)) != 0;
  };
  result.is_volatile = has(spv::MemoryAccessMask::Volatile);
  if (has(spv::MemoryAccessMask::Aligned))
    result.align_bytes =
        std::max(decoder::power_of_two_alignment(b.ids.operand_id(i, at++)), pointer.least_align);
  for (const auto bit :
       {spv::MemoryAccessMask::MakePointerAvailable, spv::MemoryAccessMask::MakePointerVisible})
    if (has(bit)) {
      const Id scope = b.ids.operand_id(i, at++);
      const bool is_of_stores = bit == spv::MemoryAccessMask::MakePointerAvailable;
      if (sharing.kind == Sharing::Kind::kShared &&
          is_of_stores == (direction == Direction::kStore))
        sharing = shared_in(b, scope);
    }
  // Each of these has one operand; they say nothing to an interpreter with one memory.
  for (const auto bit :
       {spv::MemoryAccessMask::AliasScopeINTELMask, spv::MemoryAccessMask::NoAliasINTELMask})
    if (has(bit)) ++at;
  result.sharing = sharing;
  return result;
}

namespace {

/// Values that are held in memory are copied byte by byte, so their layout must be the same on both sides.
bool expect_same_layout(Builder& b, const Type& from, const Type& to) {
  if (&from == &to || !b.types.is_held(to) || b.types.same_layout(from, to)) return !b.failed();
  b.refuse(Rule::kU0003,
           fmt::format("a copy of {} between memories of different layouts is not supported",
                       decoder::spell(to)));
  return false;
}

/// No byte of the type is padding, so copying its scalars copies all of it.
bool is_dense(const Layout& layout, std::uint64_t size_bytes) {
  std::uint64_t sum = 0;
  for (const Leaf& leaf : layout.leaves)
    sum += std::uint64_t{leaf.components} * (leaf.kind == Kind::kBool ? 1 : lane_bytes(leaf.kind));
  return sum == size_bytes;
}

/// Both types have the same scalars.
void copy_typed(Builder& b, const Pointer& target, const Type& to_type, const Pointer& source,
                const Type& from_type, MemoryOperands to, MemoryOperands from) {
  if (!expect_same_layout(b, from_type, to_type)) return;
  const ValueList values =
      b.memory.load(from_type, source.address, source.space, from, source.align_limit);
  if (!b.failed())
    b.memory.store(to_type, target.address, values, target.space, to, target.align_limit);
}

void copy_bytes(Builder& b, const Pointer& target, const Pointer& source, ValueId bytes,
                MemoryOperands operands) {
  lir::MemAccess access = byte_access(target.space, source.space, operands);
  access.is_robust = target.is_robust;
  access.is_source_robust = source.is_robust;
  b.accesses.copy(target.address, source.address, bytes, access);
}

/// One set of memory operands serves both sides; a second one is the source's.
std::pair<MemoryOperands, MemoryOperands> copy_operands(Builder& b, const Instruction& i,
                                                        std::size_t at, const Pointer& target,
                                                        const Pointer& source) {
  const std::size_t first = at;
  const MemoryOperands to = memory_operands(b, i, at, target, Direction::kStore);
  if (at >= i.operands.size()) at = first;
  return {to, memory_operands(b, i, at, source, Direction::kLoad)};
}

/// A type of exactly `bytes` without padding behind one of two pointers, so that the copy can be
/// made scalar by scalar and variables need not stay in memory for its sake.
const Type* copied_type(Builder& b, const Pointer& target, const Pointer& source,
                        std::uint64_t bytes) {
  for (const Type* type : {target.pointee, source.pointee}) {
    if (type->size_bytes == bytes && type->is_composite() && b.memory.copies_scalars(*type) &&
        is_dense(b.types.layout(*type), bytes))
      return type;
  }
  return nullptr;
}

/// True for a constant table, of which work-items need no copies of their own. Where bytes may be undefined, each has one.
bool bind_table(Builder& b, const Instruction& i) {
  if (b.request.options.check_uninit || b.request.options.poison) return false;
  const std::optional<ValueId> address =
      b.program_variables.table_address(*b.position.frame->function, i.result_id);
  if (!address) return false;
  b.pointers.set_table(*address);
  b.ids.define(i, {*address});
  return true;
}

}  // namespace

void load(Builder& b, const Instruction& i, Op) {
  if (const InputPointer* builtin = b.ids.input(b.ids.operand_id(i, 0)))
    return b.ids.define(i, b.builtins.load(*builtin, b.types.result_type(i)));
  const std::optional<Pointer> pointer = pointer_operand(b, i, 0);
  if (!pointer) return;
  std::size_t at = 1;
  const MemoryOperands operands = memory_operands(b, i, at, *pointer, Direction::kLoad);
  const Type& result = b.types.result_type(i);
  const Type& type = pointer->pointee->id == result.id ? *pointer->pointee : result;
  if (b.failed() || !expect_same_layout(b, type, result)) return;
  b.ids.define(
      i, b.memory.load(type, pointer->address, pointer->space, operands, pointer->align_limit));
}

void store(Builder& b, const Instruction& i, Op) {
  const std::optional<Pointer> pointer = pointer_operand(b, i, 0);
  if (!pointer) return;
  if (b.pointers.is_table(pointer->address)) return;  // it holds that already
  const Values values = b.ids.operand(i, 1);
  const Type* stored = b.ids.operand_type(i, 1);
  std::size_t at = 2;
  MemoryOperands operands = memory_operands(b, i, at, *pointer, Direction::kStore);
  if (b.failed() || !expect_same_layout(b, *stored, *pointer->pointee)) return;
  operands.place = b.pointers.object_place(i.operands[0]);
  b.memory.store(*pointer->pointee, pointer->address, values, pointer->space, operands,
                 pointer->align_limit);
}

void copy(Builder& b, const Instruction& i, Op) {
  const std::optional<Pointer> target = pointer_operand(b, i, 0);
  const std::optional<Pointer> source = pointer_operand(b, i, 1);
  if (b.failed() || !b.expect(target->pointee != &decoder::untyped_pointee(),
                              "both pointers of a copy are untyped"))
    return;
  const auto [to, from] = copy_operands(b, i, 2, *target, *source);
  if (b.failed()) return;
  const Type& type = *target->pointee;
  const bool is_same = type.id == source->pointee->id;
  const Type& from_type = is_same ? *source->pointee : type;
  if (b.memory.copies_scalars(type) || (is_same && &from_type != &type))
    return copy_typed(b, *target, type, *source, from_type, to, from);
  if (b.failed()) return;
  MemoryOperands both = to;
  both.align_bytes = std::min(to.align_bytes, from.align_bytes);
  copy_bytes(b, *target, *source, b.ops.constant(Kind::kI64, type.size_bytes), both);
}

void copy_sized(Builder& b, const Instruction& i, Op) {
  std::optional<Pointer> target = pointer_operand(b, i, 0);
  std::optional<Pointer> source = pointer_operand(b, i, 1);
  const ValueId size = b.ids.scalar_operand(i, 2);
  if (b.failed()) return;
  auto [to, from] = copy_operands(b, i, 3, *target, *source);
  if (b.failed()) return;
  to.align_bytes = std::max(to.align_bytes, 1u);
  from.align_bytes = std::max(from.align_bytes, 1u);
  target->pointee = b.pointers.pointee_before_casts(i.operands[0]);
  source->pointee = b.pointers.pointee_before_casts(i.operands[1]);
  const std::optional<std::uint64_t> bytes = b.ops.constant_bits(size);
  if (bytes && *bytes == 0) return;
  if (const Type* type = bytes ? copied_type(b, *target, *source, *bytes) : nullptr)
    return copy_typed(b, *target, *type, *source, *type, to, from);
  MemoryOperands both = to;
  both.align_bytes = std::min(to.align_bytes, from.align_bytes);
  copy_bytes(b, *target, *source, b.ops.resize(size, Kind::kI64, false), both);
}

/// The size of a pointer's target, or of the target of a type of pointers.
void size_of(Builder& b, const Instruction& i, Op) {
  const Type* pointer = b.request.module.type(b.ids.operand_id(i, 0));
  if (pointer == nullptr) pointer = b.ids.operand_type(i, 0);
  const Kind kind = b.types.scalar_kind(b.types.result_type(i));
  if (b.failed() || !b.expect(pointer->element != nullptr && !decoder::is_untyped(*pointer),
                              "the operand is no pointer to a type"))
    return;
  b.ids.define(i, {b.ops.constant(kind, pointer->element->size_bytes)});
}

/// OpArrayLength: the number of elements of a block's runtime array that the buffer has room for.
void array_length(Builder& b, const Instruction& i, Op) {
  const Type* const seen = decoder::seen_type(b.request.module, i.word_offset);
  const Type* const block = seen != nullptr ? seen : b.ids.operand_type(i, 0)->element;
  const std::uint32_t member = b.ids.operand_id(i, 1);
  const Kind kind = b.types.scalar_kind(b.types.result_type(i));
  if (b.failed() || !b.expect(block != nullptr && member < block->members.size() &&
                                  block->members[member]->is_runtime_array &&
                                  block->members[member]->stride_bytes != 0,
                              "the operand is no pointer to a block with a runtime array"))
    return;
  const std::optional<ValueId> bytes = b.parameters.buffer_bytes(b.ids.scalar_operand(i, 0));
  if (!bytes)
    return b.refuse(Rule::kU0003, "OpArrayLength of a block that is no buffer's is not supported");
  const ValueId begin = b.ops.constant(Kind::kI64, block->member_offsets[member]);
  const ValueId stride = b.ops.constant(Kind::kI64, block->members[member]->stride_bytes);
  const ValueId is_short = b.ops.emit(Op::kULessThan, {*bytes, begin});
  const ValueId room =
      b.ops.select(is_short, b.ops.constant(Kind::kI64, 0), b.ops.emit(Op::kISub, {*bytes, begin}));
  b.ids.define(i, {b.ops.resize(b.ops.emit(Op::kUDiv, {room, stride}), kind, false)});
}

void variable(Builder& b, const Instruction& i, Op) {
  const Type& pointer = b.types.result_type(i);
  if (b.failed() || !b.expect(pointer.kind == Type::Kind::kPointer && pointer.element != nullptr,
                              "a variable's type is no pointer"))
    return;
  if (pointer.storage_class != spv::StorageClass::Function)
    return b.refuse(Rule::kU0003, fmt::format("a variable of type {} inside a function",
                                              decoder::spell(pointer)));
  if (bind_table(b, i)) return;
  const Type* const seen = decoder::seen_type(b.request.module, i.word_offset);
  const Type& held = seen != nullptr ? *seen : *pointer.element;
  std::uint64_t align = held.align_bytes;
  if (const decoder::Decoration* d =
          b.request.module.decoration(i.result_id, spv::Decoration::Alignment))
    if (!d->operands.empty()) align = std::max<std::uint64_t>(align, d->operands[0]);
  std::string name(b.request.module.name(i.result_id));
  if (name.empty()) name = b.request.module.spell_id(i.result_id);
  const std::uint32_t added = b.private_variables.add(std::move(name), held, align);
  const ValueId address = b.private_variables.address(added);
  b.ids.define(i, {address});
  b.debug_notes.variable(i, added);
  b.lifetimes.begin(i);
  b.private_variables.undefine(added);
  if (i.operands.size() < 2 || b.failed()) return;
  const decoder::Constant* initial = b.request.module.constant(i.operands[1]);
  if (initial != nullptr && initial->kind == decoder::Constant::Kind::kUndef) return;
  const Values values = b.ids.operand(i, 1);
  if (!b.failed()) b.memory.store(held, address, values, lir::Space::kPrivate, {});
}

}  // namespace transpire::vm::builder::memory_access
