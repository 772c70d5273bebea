#include "vm/build/instructions/pointer.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "decoder/untyped.h"
#include "memory/address_space.h"
#include "vm/build/builder.h"

namespace transpire::vm::builder::pointer {
namespace {

/// Where an access chain has come to: base + offset, after dynamic indexes are added.
struct Chain {
  ValueId address;
  std::int64_t offset = 0;
  const Type* type = nullptr;
  std::uint32_t align_limit = 0;
  std::vector<IndexStep> steps;       ///< --check=bounds only
  ObjectPlace place;                  ///< --check=uninit only
  bool is_robust = false;             ///< see Types::is_robust()
  std::optional<bool> is_coherent{};  ///< see Bound
};

/// The indexes of a robust access go no farther together: the engine finds the buffer that an address out of bounds was meant for up
/// to half a slot away, which is twice as far as the first index may lead.
constexpr std::uint64_t kFarthestStep = std::uint64_t{1} << 34;
constexpr std::uint64_t kFarthestInnerStep = std::uint64_t{1} << 28;

/// A robust access into elements of `outer` has no index above this one, and none below its negative.
std::int64_t greatest_index(const Type& outer) {
  const bool is_inner = (outer.kind == Type::Kind::kArray && !outer.is_runtime_array) ||
                        outer.kind == Type::Kind::kVector;
  const std::uint64_t bytes =
      is_inner ? std::clamp(outer.size_bytes, kFarthestInnerStep, kFarthestStep) : kFarthestStep;
  return std::max<std::int64_t>(
      static_cast<std::int64_t>(bytes / std::max<std::uint64_t>(outer.stride_bytes, 1)), 1);
}

ValueId limited(Builder& b, ValueId index, std::int64_t most) {
  const Kind kind = b.ops.kind_of(index);
  if (width_bits(kind) < 64 && most >= std::int64_t{1} << (width_bits(kind) - 1)) return index;
  const ValueId high =
      b.ops.emit(Op::kSMin, {index, b.ops.constant(kind, static_cast<std::uint64_t>(most))});
  return b.ops.emit(Op::kSMax, {high, b.ops.constant(kind, static_cast<std::uint64_t>(-most))});
}

/// A robust pointer that was moved from `base` by elements. It stays so near its buffer's begin that accesses by its chains are meant for
/// that buffer, however often it is moved.
ValueId kept_near(Builder& b, ValueId base, ValueId moved) {
  constexpr std::uint64_t kSlot = std::uint64_t{1} << memory::kWideSlotShift;
  constexpr std::uint64_t kFarthest = kFarthestStep - kSlot / 16;
  const ValueId rounded = b.ops.emit(Op::kIAdd, {base, i64(b, kSlot / 2)});
  const ValueId begin = b.ops.emit(Op::kBitwiseAnd, {rounded, i64(b, ~(kSlot - 1))});
  const ValueId offset =
      limited(b, b.ops.emit(Op::kISub, {moved, begin}), static_cast<std::int64_t>(kFarthest));
  const ValueId kept = b.ops.emit(Op::kIAdd, {begin, offset});
  if (!b.failed()) b.pointers.derive(base, kept);
  return kept;
}

std::int64_t wrapping_multiply(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

void add_offset(Chain& chain, std::int64_t bytes) {
  chain.offset = wrapping_add(chain.offset, bytes);
  chain.place = chain.place.after(bytes);
}

/// Steps over `index` elements, as far apart as `outer` has them: a pointer, an array or a vector.
void step(Builder& b, Chain& chain, Id index, const Type& outer) {
  const auto stride = static_cast<std::int64_t>(outer.stride_bytes);
  const std::int64_t most = chain.is_robust ? greatest_index(outer) : INT64_MAX;
  const auto add_elements = [&](std::int64_t count) {
    add_offset(chain, wrapping_multiply(std::clamp(count, -most, most), stride));
  };
  if (const std::optional<std::int64_t> known = b.ids.signed_constant_of(index))
    return add_elements(*known);
  const ValueId value = b.ids.scalar(index);
  if (const std::optional<std::uint64_t> bits = b.ops.constant_bits(value)) {
    const unsigned unused = 64 - width_bits(b.ops.kind_of(value));
    return add_elements(static_cast<std::int64_t>(*bits << unused) >> unused);
  }
  if (chain.place.object != nullptr)
    chain.place = chain.place.after_steps(outer.stride_bytes, *outer.element);
  chain.address = b.pointers.address(chain.address,
                                     chain.is_robust ? limited(b, value, most) : value, stride, 0);
}

/// Remembers a step into one of `count` elements, unless it stays within them whatever happens.
void note_index(Builder& b, Chain& chain, Id index, std::uint64_t count, const Type& element) {
  const std::optional<std::int64_t> known = b.ids.signed_constant_of(index);
  // As unsigned a negative index is above every count.
  if (known && static_cast<std::uint64_t>(*known) < count) return;
  chain.steps.push_back({b.ids.scalar(index), count, &element});
}

/// A step from one element to another: the index that led to the first says nothing any more. The
/// end of an array may be pointed at, and gone back from.
void leave_element(Builder& b, Chain& chain, Id step) {
  if (chain.steps.empty() || chain.steps.back().element != chain.type) return;
  if (b.ids.signed_constant_of(step) != 0) chain.steps.pop_back();
}

/// Steps into a component of a composite.
void enter(Builder& b, Chain& chain, Id index) {
  const Type& type = *chain.type;
  if (type.kind == Type::Kind::kStruct) {
    const std::optional<std::uint64_t> member = b.ids.constant_of(index);
    if (!b.expect(member && *member < type.members.size(),
                  "a struct index must be a constant within its members"))
      return;
    if (type.packed) chain.align_limit = 1;
    if (chain.is_coherent == false) chain.is_coherent = is_coherent(b, type.id, *member);
    add_offset(chain, static_cast<std::int64_t>(type.member_offsets[*member]));
    chain.type = type.members[*member];
    return;
  }
  const bool has_elements = type.kind == Type::Kind::kArray || type.kind == Type::Kind::kVector;
  if (!b.expect(has_elements && type.element != nullptr,
                "an access chain indexes into a type without components"))
    return;
  // Chains into vectors are made by optimisers, of casts to pointers to components and of copies of vectors of three as of four: they say
  // how far it is and no more.
  if (b.request.options.check_bounds && type.kind == Type::Kind::kArray && !type.is_runtime_array)
    note_index(b, chain, index, type.count, *type.element);
  step(b, chain, index, type);
  chain.type = type.element;
}

/// With --check=bounds: that the chain ends within the object that its base leads to, or just behind it. Where both are
/// known, there is nothing left to look at.
void check_in_bounds(Builder& b, ValueId base, ValueId address) {
  if (!b.request.options.check_bounds || b.failed() || address == base) return;
  const AddressRoot root = b.pointers.root(address);
  const std::optional<std::uint32_t> variable = b.private_variables.variable_at(root.base);
  if (variable && root.fixed == root.base &&
      root.offset <= b.writer.function().private_variables[*variable].size_bytes)
    return;
  b.checks.chain(base, address);
}

/// A chain into an array of blocks: from word `at` on, indexes lead to a descriptor, and go on behind it in the block.
Chain enter_block(Builder& b, const Instruction& i, const Bound& bound, std::size_t& at) {
  ValueId descriptor = bound.values[0];
  const Type* type = bound.blocks;
  std::uint64_t bytes = decoder::EntryInput::kBlockBytes;
  for (const Type* inner = type->element; inner->kind == Type::Kind::kArray; inner = inner->element)
    bytes *= inner->count;
  for (; type->kind == Type::Kind::kArray && at < i.operands.size(); type = type->element) {
    descriptor = b.pointers.element(descriptor, b.ids.scalar(i.operands[at++]), bytes);
    if (type->element->kind == Type::Kind::kArray) bytes /= type->element->count;
  }
  if (type->kind == Type::Kind::kArray)
    b.refuse(Rule::kU0003, "an access chain that ends at an array of blocks is not supported");
  Chain chain{};
  chain.address = b.failed() ? descriptor : b.parameters.load_block(descriptor);
  chain.type = type;
  return chain;
}

/// The elements that the first index of a chain steps over: the pointer's, or those that it is seen as, as far apart as ArrayStride of
/// the pointer's type says, else as they are large. `seen`: see decoder::seen_type().
Type elements_of(Builder& b, const Type& pointer, const Type* seen) {
  Type elements = pointer;
  if (seen == nullptr) return elements;
  elements.element = seen;
  if (b.request.module.decoration(pointer.id, spv::Decoration::ArrayStride) == nullptr)
    elements.stride_bytes = seen->size_bytes;
  return elements;
}

/// The base of an access chain; `at` is the operand that follows. `seen`: see decoder::seen_type().
Chain begin_chain(Builder& b, const Instruction& i, const Type& pointer, const Type* seen,
                  std::size_t& at) {
  const Id id = b.ids.operand_id(i, 0);
  if (const Bound* variable = b.ids.find_variable(id);
      variable != nullptr && variable->blocks != nullptr) {
    b.expect(seen == nullptr || seen == variable->blocks,
             "an untyped access chain sees an array of blocks as another type");
    return enter_block(b, i, *variable, at);
  }
  const ValueId base = b.ids.pointer(id);
  const Bound* bound = b.ids.find_variable(id);
  const Type* const type = seen != nullptr ? seen : pointer.element;
  const bool is_laid_out = bound != nullptr && bound->laid_out != nullptr &&
                           (seen == nullptr || seen->id == bound->laid_out->id);
  Chain chain{base,
              0,
              is_laid_out ? bound->laid_out : type,
              bound == nullptr ? 0 : bound->align_limit,
              b.pointers.index_steps(base),
              b.pointers.object_place(id)};
  if (chain.place.object != nullptr && holds_objects(*type) && !chain.place.leads_to(*type))
    chain.place = {type, 0};  // the cast says more
  return chain;
}

void access_chain(Builder& b, const Instruction& i, bool has_element) {
  const Type* const seen = decoder::seen_type(b.request.module, i.word_offset);
  if (const InputPointer* base = b.ids.input(b.ids.operand_id(i, 0))) {
    InputPointer from = *base;
    if (seen != nullptr) from.pointee = seen;
    return b.builtins.chain(i, from, has_element);
  }
  const Type* pointer = b.ids.operand_type(i, 0);
  const Type& result = b.types.result_type(i);
  if (b.failed() || !b.expect(pointer->kind == Type::Kind::kPointer && pointer->element != nullptr,
                              "the base of an access chain is no pointer"))
    return;
  std::size_t at = 1;
  Chain chain = begin_chain(b, i, *pointer, seen, at);
  chain.is_coherent = known_coherence(b, i.operands[0]);
  chain.is_robust = b.types.is_robust(*pointer);
  const ValueId base = chain.address;
  if (has_element) {
    leave_element(b, chain, b.ids.operand_id(i, at));
    step(b, chain, b.ids.operand_id(i, at++), elements_of(b, *pointer, seen));
    if (chain.is_robust && !b.failed()) {
      chain.address = kept_near(b, base, b.pointers.address(chain.address, chain.offset));
      chain.offset = 0;
    }
  }
  chain.place.is_cast &= at == i.operands.size();
  for (; at < i.operands.size() && !b.failed(); ++at) enter(b, chain, i.operands[at]);
  if (b.failed() ||
      !b.expect(result.kind == Type::Kind::kPointer, "the result of an access chain is no pointer"))
    return;
  ValueId address = b.pointers.address(chain.address, chain.offset);
  // A pointee that is seen as a block again can be indexed again, as by OpPtrAccessChain.
  if (chain.is_robust && seen != nullptr && address != base) address = kept_near(b, base, address);
  if (address != base) b.pointers.set_index_steps(address, std::move(chain.steps));
  if (i.op == spv::Op::OpInBoundsAccessChain || i.op == spv::Op::OpInBoundsPtrAccessChain)
    check_in_bounds(b, base, address);
  b.ids.define(i, {address});
  if (b.failed()) return;
  Bound& made = *b.ids.find_bound(i.result_id);
  made.align_limit = chain.align_limit;
  made.is_coherent = chain.is_coherent;
  const Type* const plain =
      seen != nullptr ? b.request.module.type(chain.type->id) : result.element;
  if (plain != nullptr && chain.type != plain && chain.type->id == plain->id)
    made.laid_out = chain.type;
  made.place = chain.place;
}

/// A pointer as an integer of the module's pointer width.
ValueId narrow(Builder& b, ValueId pointer) {
  return b.request.physical32() ? b.ops.convert(Op::kTruncate, Kind::kI32, pointer) : pointer;
}

}  // namespace

bool is_coherent(Builder& b, Id id, std::uint64_t member) {
  const std::span<const decoder::Decoration> all = b.request.module.decorations(id);
  b.writer.function().work(all.size());
  return std::ranges::any_of(all, [member](const decoder::Decoration& each) {
    return each.member == member &&
           (each.kind == spv::Decoration::Coherent || each.kind == spv::Decoration::Volatile);
  });
}

std::optional<bool> known_coherence(Builder& b, Id pointer) {
  if (!b.request.options.looks_for_races()) return std::nullopt;
  if (const decoder::Variable* variable = b.request.module.variable(pointer)) {
    const Type* block = variable->type->element;
    while (block != nullptr && block->kind == Type::Kind::kArray) block = block->element;
    const bool is_read_only =
        variable->storage_class == spv::StorageClass::Uniform && block != nullptr &&
        b.request.module.decoration(block->id, spv::Decoration::BufferBlock) == nullptr;
    return is_read_only || is_coherent(b, pointer);
  }
  const Bound* const bound = b.ids.find_variable(pointer);
  return bound == nullptr ? std::nullopt : bound->is_coherent;
}

void chain(Builder& b, const Instruction& i, Op) { access_chain(b, i, false); }
void element_chain(Builder& b, const Instruction& i, Op) { access_chain(b, i, true); }

/// Casts that keep the address: spaces share one numbering.
void same_pointer(Builder& b, const Instruction& i, Op) {
  if (b.ids.input(b.ids.operand_id(i, 0)) != nullptr)
    return b.ids.bind(i.result_id, *b.ids.find_bound(i.operands[0]));
  b.ids.define(i, {b.pointers.cast(i)});
  b.pointers.keep_place(i);
}

void to_explicit_space(Builder& b, const Instruction& i, Op op) {
  const Type& result = b.types.result_type(i);
  if (b.failed() || !b.expect(result.kind == Type::Kind::kPointer, "the result is no pointer"))
    return;
  const ValueId pointer = b.ids.scalar_operand(i, 0);
  lir::Value value;
  value.op = op;
  value.kind = value.from = Kind::kI64;
  value.imm = static_cast<std::uint64_t>(b.types.space_of(result));
  value.args = {pointer};
  const ValueId cast = b.writer.place(std::move(value));
  b.pointers.derive(pointer, cast);
  b.ids.define(i, {cast});
  b.pointers.keep_place(i);
}

void memory_semantics(Builder& b, const Instruction& i, Op op) {
  lir::Value value;
  value.op = op;
  value.kind = value.from = Kind::kI32;
  value.args = {b.ids.scalar_operand(i, 0)};
  b.ids.define(i, {b.writer.place(std::move(value))});
}

void pointer_to_integer(Builder& b, const Instruction& i, Op) {
  const Kind kind = b.types.scalar_kind(b.types.result_type(i));
  const ValueId pointer = b.pointers.tagged_operand(i, 0);
  if (!b.failed()) b.ids.define(i, {b.ops.resize(narrow(b, pointer), kind, false)});
}

void integer_to_pointer(Builder& b, const Instruction& i, Op) {
  ValueId integer = b.ids.scalar_operand(i, 0);
  if (b.request.physical32()) integer = b.ops.resize(integer, Kind::kI32, false);
  b.ids.define(i, {b.ops.resize(integer, Kind::kI64, false)});
}

void compare(Builder& b, const Instruction& i, Op op) {
  const auto address = [&](std::size_t operand) {
    const ValueId pointer = b.pointers.tagged_operand(i, operand);
    if (b.failed() ||
        b.ids.operand_type(i, operand)->storage_class != spv::StorageClass::StorageBuffer)
      return pointer;
    // All addresses of descriptors without a buffer are null pointers (memory/null_descriptor.h).
    const ValueId first = i64(b, std::uint64_t{1} << memory::kWideSlotShift);
    return b.ops.select(b.ops.emit(Op::kULessThan, {pointer, first}), i64(b, 0), pointer);
  };
  const ValueId left = address(0);
  b.ids.define(i, {b.ops.emit(op, {left, address(1)})});
}

/// Elements between two pointers: (a - b) / size, which divides without remainder.
void difference(Builder& b, const Instruction& i, Op) {
  const Type* pointer = b.ids.operand_type(i, 0);
  if (b.failed() || !b.expect(pointer->kind == Type::Kind::kPointer &&
                                  pointer->element != nullptr && pointer->stride_bytes != 0,
                              "the operand is no pointer to a type with a size"))
    return;
  // Columns of a matrix by rows are not as far apart as the type says: scalar() refuses them.
  for (const std::size_t operand : {0, 1}) b.ids.scalar_operand(i, operand);
  if (b.failed()) return;
  const ValueId bytes =
      b.ops.emit(Op::kISub, {b.pointers.tagged_operand(i, 0), b.pointers.tagged_operand(i, 1)});
  const ValueId size =
      b.ops.constant(Kind::kI64, decoder::is_untyped(*pointer) ? 1 : pointer->stride_bytes);
  const ValueId count = b.ops.emit(Op::kSDiv, {bytes, size});
  b.ids.define(i, {b.ops.resize(count, b.types.scalar_kind(b.types.result_type(i)), true)});
}

}  // namespace transpire::vm::builder::pointer
