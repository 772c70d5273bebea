// SPIR-V "Composite Instructions". Values are flat lists of scalars, so most of these only pick and
// join; dynamic indexes become chains of Select. An index out of range gives 0 or changes nothing.
#include <fmt/format.h>

#include "vm/build/builder.h"

namespace transpire::vm::builder {
namespace {

void undef(Builder& b, const Instruction& i, Op) { b.define(i, b.zeros(b.result_type(i))); }

void copy(Builder& b, const Instruction& i, Op) {
  if (i.op == spv::Op::OpCopyLogical && b.result_layout(i).in_memory)
    return b.refuse(Rule::kU0007, "OpCopyLogical of a value that is held in memory");
  if (b.input(b.operand_id(i, 0)) != nullptr)
    return b.bind(i.result_id, *b.find_bound(i.operands[0]));
  const Values values = b.operand(i, 0);
  b.define(i, {values.begin(), values.end()});
}

void construct(Builder& b, const Instruction& i, Op) {
  if (const Type& type = b.result_type(i); b.is_held(type)) return b.construct_held(i, type);
  ValueList result;
  const std::size_t components = b.result_layout(i).kinds.size();
  for (std::size_t part = 0; part < i.operands.size() && !b.failed(); ++part) {
    const Values values = b.operand(i, part);
    if (!b.expect(values.size() <= components - result.size(),
                  "a composite has more constituents than its type"))
      return;
    result.insert(result.end(), values.begin(), values.end());
  }
  b.define(i, std::move(result));
}

/// A component of a composite: its type and where its scalars begin.
struct Component {
  const Type* type = nullptr;
  std::size_t first = 0;
};

/// Follows the literal indexes from operand `at` on.
std::optional<Component> find_component(Builder& b, const Type* type, const Instruction& i,
                                        std::size_t at) {
  Component found{type, 0};
  for (; at < i.operands.size(); ++at) {
    const std::uint32_t index = i.operands[at];
    const Type& outer = *found.type;
    if (outer.kind == Type::Kind::kStruct) {
      if (!b.expect(index < outer.members.size(), "a literal index is out of range"))
        return std::nullopt;
      b.function().work(index);
      for (std::uint32_t m = 0; m < index; ++m)
        found.first += b.layout(*outer.members[m]).kinds.size();
      found.type = outer.members[index];
    } else {
      const bool has_elements =
          outer.kind == Type::Kind::kArray || outer.kind == Type::Kind::kVector;
      if (!b.expect(has_elements && outer.element != nullptr && index < outer.count,
                    "a literal index is out of range"))
        return std::nullopt;
      found.first += index * b.layout(*outer.element).kinds.size();
      found.type = outer.element;
    }
    if (b.failed()) return std::nullopt;
  }
  return found;
}

void extract(Builder& b, const Instruction& i, Op) {
  const Type* type = b.operand_type(i, 0);
  const Values values = b.operand(i, 0);
  if (b.failed()) return;
  if (b.is_held(*type)) {
    if (!b.expect(values.size() == 1 && b.is_temporary(values[0]), "the operand is no composite"))
      return;
    return b.extract_held(i, *type, values[0]);
  }
  if (type->kind == Type::Kind::kVector && i.operands.size() == 2 && i.operands[1] >= type->count) {
    if (const auto missing = b.missing_dimension(values))
      return b.define(i, {b.constant(b.kind_of(values[0]), *missing)});
  }
  const std::optional<Component> part = find_component(b, type, i, 1);
  if (!part) return;
  const std::size_t count = b.layout(*part->type).kinds.size();
  if (b.failed() || !b.expect(part->first + count <= values.size(),
                              "a composite has fewer scalars than its type"))
    return;
  const Values found = values.subspan(part->first, count);
  b.define(i, {found.begin(), found.end()});
}

void insert(Builder& b, const Instruction& i, Op) {
  const Type* type = b.operand_type(i, 1);
  const Values object = b.operand(i, 0);
  const Values composite = b.operand(i, 1);
  if (b.failed()) return;
  if (b.is_held(*type)) {
    if (!b.expect(composite.size() == 1 && b.is_temporary(composite[0]),
                  "the operand is no composite"))
      return;
    return b.insert_held(i, *type, object, composite[0]);
  }
  const std::optional<Component> part = find_component(b, type, i, 2);
  if (!part) return;
  ValueList result(composite.begin(), composite.end());
  const bool fits = b.layout(*part->type).kinds.size() == object.size() &&
                    part->first + object.size() <= result.size();
  if (b.failed() || !b.expect(fits, "the inserted object is not of the component's type")) return;
  for (std::size_t c = 0; c < object.size(); ++c) result[part->first + c] = object[c];
  b.define(i, std::move(result));
}

void shuffle(Builder& b, const Instruction& i, Op) {
  constexpr std::uint32_t kUndefined = 0xffffffffu;
  const Values first = b.operand(i, 0);
  const Values second = b.operand(i, 1);
  if (b.failed() || !b.expect(!first.empty(), "the operand is no vector")) return;
  ValueList result;
  for (const std::uint32_t index : i.operands.subspan(2)) {
    if (index == kUndefined) {
      result.push_back(b.constant(b.kind_of(first[0]), 0));
    } else if (b.expect(index < first.size() + second.size(), "a shuffle names no component")) {
      result.push_back(index < first.size() ? first[index] : second[index - first.size()]);
    }
  }
  b.define(i, std::move(result));
}

void extract_dynamic(Builder& b, const Instruction& i, Op) {
  const Values vector = b.operand(i, 0);
  const ValueId index = b.scalar_operand(i, 1);
  if (!b.failed()) b.define(i, {b.component_at(vector, index)});
}

void insert_dynamic(Builder& b, const Instruction& i, Op) {
  const Values vector = b.operand(i, 0);
  const ValueId object = b.scalar_operand(i, 1);
  const ValueId index = b.scalar_operand(i, 2);
  if (b.failed()) return;
  ValueList result;
  for (std::size_t c = 0; c < vector.size(); ++c)
    result.push_back(
        b.select(b.emit(Op::kIEqual, {index, b.constant(b.kind_of(index), c)}), object, vector[c]));
  b.define(i, std::move(result));
}

constexpr Row kRows[] = {
    {spv::Op::OpUndef, undef},
    {spv::Op::OpCopyObject, copy},
    {spv::Op::OpCopyLogical, copy},
    {spv::Op::OpExpectKHR, copy},
    {spv::Op::OpCompositeConstruct, construct},
    {spv::Op::OpCompositeExtract, extract},
    {spv::Op::OpCompositeInsert, insert},
    {spv::Op::OpVectorShuffle, shuffle},
    {spv::Op::OpVectorExtractDynamic, extract_dynamic},
    {spv::Op::OpVectorInsertDynamic, insert_dynamic},
};

}  // namespace

std::span<const Row> composite_rows() { return kRows; }

ValueId Builder::component_at(Values vector, ValueId index) {
  if (!expect(!vector.empty() && is_int(kind_of(index)),
              "a component is selected from no vector, or by no integer"))
    return constant(Kind::kI32, 0);
  ValueId result = constant(kind_of(vector[0]), missing_dimension(vector).value_or(0));
  if (const auto known = constant_bits(index))
    return *known < vector.size() ? vector[*known] : result;
  for (std::size_t c = 0; c < vector.size(); ++c)
    result = select(emit(Op::kIEqual, {index, constant(kind_of(index), c)}), vector[c], result);
  return result;
}

}  // namespace transpire::vm::builder
