// OpenCL.std vector loads and stores, shuffles, and prefetch, which does nothing.
//
// vloadn and vstoren need the alignment of one element only. The half forms convert on the way; the
// vloada and vstorea ones are aligned to the whole vector, 3 components taking the room of 4.
#include <bit>

#include "base/narrow.h"
#include "decoder/untyped.h"
#include "vm/build/builder.h"
#include "vm/build/instructions/opencl_std.h"

namespace transpire::vm::builder {
namespace {

/// The memory that a vector function's offset and pointer operands name.
struct ElementPlace {
  ValueId address;
  lir::MemAccess access;
};

}  // namespace

Kind element_kind(Builder& b, const Instruction& i, std::size_t pointer_at) {
  const Type* const pointer = b.ids.operand_type(i, pointer_at);
  if (b.failed() || !b.expect(pointer->kind == Type::Kind::kPointer && pointer->element != nullptr,
                              "the operand is no pointer to a scalar"))
    return Kind::kI32;
  if (!decoder::is_untyped(*pointer)) return b.types.scalar_kind(*pointer->element);
  const ExtendedRow* const row = find_extended(i);
  if (row != nullptr && (row->flags & kOfHalves) != 0) return Kind::kF16;
  const bool is_store = row != nullptr && (row->flags & kReads) == 0;
  const std::vector<Kind>& kinds = is_store
                                       ? b.types.layout(*b.ids.operand_type(i, kFirstOperand)).kinds
                                       : b.types.result_layout(i).kinds;
  return kinds.empty() ? Kind::kI32 : kinds[0];
}

namespace {

ElementPlace find_place(Builder& b, const Instruction& i, std::size_t offset_at,
                        std::uint64_t components, bool aligned) {
  ElementPlace place{b.ops.constant(Kind::kI64, 0), {}};
  const Type* pointer = b.ids.operand_type(i, kFirstOperand + offset_at + 1);
  const ValueId index = scalar_function_operand(b, i, offset_at);
  const ValueId base = scalar_function_operand(b, i, offset_at + 1);
  place.access.kind = element_kind(b, i, kFirstOperand + offset_at + 1);
  if (b.failed() ||
      !b.expect(components >= 1 && components <= 16, "the operand is no pointer to a scalar"))
    return place;
  place.access.components = narrow<std::uint32_t>(components);
  place.access.space = b.types.space_of(*pointer);
  const std::uint64_t size = lane_bytes(place.access.kind);
  const std::uint64_t stride = aligned ? std::bit_ceil(components) * size : components * size;
  place.access.align_bytes = narrow<std::uint32_t>(aligned ? stride : size);
  place.address = b.pointers.element(base, index, stride);
  b.pointers.check_indexes(place.address);
  return place;
}

void vload(Builder& b, const Instruction& i, const ExtendedRow&) {
  const ElementPlace place = find_place(b, i, 0, b.types.result_layout(i).kinds.size(), false);
  if (!b.failed()) b.ids.define(i, b.accesses.load(place.access, place.address));
}

void vstore(Builder& b, const Instruction& i, const ExtendedRow&) {
  const Values data = b.ids.operand(i, kFirstOperand);
  const ElementPlace place = find_place(b, i, 1, data.size(), false);
  if (!b.failed()) b.accesses.store(place.access, place.address, data);
  b.ids.define(i, {});
}

template <bool aligned>
void vload_half(Builder& b, const Instruction& i, const ExtendedRow&) {
  const std::vector<Kind>& kinds = b.types.result_layout(i).kinds;
  const ElementPlace place = find_place(b, i, 0, kinds.size(), aligned);
  if (b.failed()) return;
  ValueList values = b.accesses.load(place.access, place.address);
  for (ValueId& value : values)
    if (kinds[0] != place.access.kind) value = b.ops.convert(Op::kFConvert, kinds[0], value);
  b.ids.define(i, std::move(values));
}

/// The `_r` forms end with a literal rounding mode, in the order that FConvert's immediate has too.
template <bool aligned, bool has_mode>
void vstore_half(Builder& b, const Instruction& i, const ExtendedRow&) {
  const Values data = b.ids.operand(i, kFirstOperand);
  const ElementPlace place = find_place(b, i, 1, data.size(), aligned);
  std::optional<std::uint32_t> mode;
  if (has_mode) mode = b.ids.operand_id(i, kFirstOperand + 3);
  if (b.failed() ||
      !b.expect(mode.value_or(0) <= 3, "the rounding mode is none of RTE, RTZ, RTP and RTN"))
    return;
  ValueList values;
  for (const ValueId value : data)
    values.push_back(b.ops.kind_of(value) == place.access.kind
                         ? value
                         : b.ops.convert(Op::kFConvert, place.access.kind, value, mode));
  if (!b.failed()) b.accesses.store(place.access, place.address, values);
  b.ids.define(i, {});
}

/// A component of `pool` that the low bits of each mask component select.
void pick(Builder& b, const Instruction& i, Values pool, Values mask) {
  if (b.failed() || !b.expect(!pool.empty(), "the operand is no vector")) return;
  const std::uint64_t low_bits = std::bit_ceil(pool.size()) - 1;
  ValueList result;
  for (const ValueId selector : mask) {
    const Kind kind = b.ops.kind_of(selector);
    if (!b.expect(is_int(kind), "a shuffle mask is of integers")) return;
    const auto known = b.ops.constant_bits(selector);
    const ValueId index =
        known ? b.ops.constant(kind, *known & low_bits)
              : b.ops.emit(Op::kBitwiseAnd, {selector, b.ops.constant(kind, low_bits)});
    result.push_back(b.builtins.component_at(pool, index));
  }
  b.ids.define(i, std::move(result));
}

void shuffle(Builder& b, const Instruction& i, const ExtendedRow&) {
  const Values pool = b.ids.operand(i, kFirstOperand);
  pick(b, i, pool, b.ids.operand(i, kFirstOperand + 1));
}

void shuffle2(Builder& b, const Instruction& i, const ExtendedRow&) {
  const Values first = b.ids.operand(i, kFirstOperand),
               second = b.ids.operand(i, kFirstOperand + 1);
  ValueList pool(first.begin(), first.end());
  pool.insert(pool.end(), second.begin(), second.end());
  pick(b, i, pool, b.ids.operand(i, kFirstOperand + 2));
}

void prefetch(Builder& b, const Instruction& i, const ExtendedRow&) { b.ids.define(i, {}); }

constexpr ExtendedRow kDataRows[] = {
    {OpenCLLIB::Vloadn, vload, kMovesBits | kReads | kNamesVector},
    {OpenCLLIB::Vstoren, vstore, kNamesVector},
    {OpenCLLIB::Vload_half, vload_half<false>, kReads | kNamesVector | kOfHalves},
    {OpenCLLIB::Vload_halfn, vload_half<false>, kReads | kNamesVector | kOfHalves},
    {OpenCLLIB::Vstore_half, vstore_half<false, false>, kNamesVector | kOfHalves},
    {OpenCLLIB::Vstore_half_r, vstore_half<false, true>, kNamesVector | kOfHalves},
    {OpenCLLIB::Vstore_halfn, vstore_half<false, false>, kNamesVector | kOfHalves},
    {OpenCLLIB::Vstore_halfn_r, vstore_half<false, true>, kNamesVector | kOfHalves},
    {OpenCLLIB::Vloada_halfn, vload_half<true>, kReads | kNamesVector | kAlignsVector | kOfHalves},
    {OpenCLLIB::Vstorea_halfn, vstore_half<true, false>, kNamesVector | kAlignsVector | kOfHalves},
    {OpenCLLIB::Vstorea_halfn_r, vstore_half<true, true>, kNamesVector | kAlignsVector | kOfHalves},
    {OpenCLLIB::Shuffle, shuffle, kMovesBits},
    {OpenCLLIB::Shuffle2, shuffle2, kMovesBits},
    {OpenCLLIB::Prefetch, prefetch, kNoAccess},
};

}  // namespace

std::span<const ExtendedRow> data_rows() { return kDataRows; }

}  // namespace transpire::vm::builder
