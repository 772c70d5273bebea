#include "vm/build/instructions/composite.h"

#include <optional>

#include "base/narrow.h"
#include "vm/build/builder.h"
#include "vm/build/instructions/undefined.h"

namespace transpire::vm::builder::composite {
namespace {

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
      b.writer.function().work(index);
      for (std::uint32_t m = 0; m < index; ++m)
        found.first += b.types.layout(*outer.members[m]).kinds.size();
      found.type = outer.members[index];
    } else {
      const bool has_elements =
          outer.kind == Type::Kind::kArray || outer.kind == Type::Kind::kVector;
      if (!b.refusals.expect_component(
              outer, has_elements && outer.element != nullptr && index < outer.count,
              "a literal index is out of range"))
        return std::nullopt;
      found.first += index * b.types.layout(*outer.element).kinds.size();
      found.type = outer.element;
    }
    if (b.failed()) return std::nullopt;
  }
  return found;
}

ValueList held_part(Builder& b, const Instruction& i, const Type& type, ValueId whole) {
  const Part part = b.parts.find(type, whole, i, 1);
  return b.failed() ? ValueList{} : b.parts.load(part);
}

void insert_held(Builder& b, const Instruction& i, const Type& type, Values object,
                 ValueId composite) {
  const ValueId temporary = b.temporaries.make(type);
  if (b.failed()) return;
  b.temporaries.copy(type, temporary, composite, lir::Space::kPrivate, {});
  b.parts.store(b.parts.find(type, temporary, i, 2), object);
  b.ids.define(i, {temporary});
}

void construct_held(Builder& b, const Instruction& i, const Type& type) {
  const ValueId temporary = b.temporaries.make(type);
  if (!b.refusals.expect_component(type, i.operands.size() == component_count(type),
                                   "the constituents of a composite are not its components"))
    return;
  for (std::size_t c = 0; c < i.operands.size() && !b.failed(); ++c) {
    const Part part = b.parts.component({&type, temporary}, narrow<std::uint32_t>(c));
    b.parts.store(part, b.ids.operand(i, c));
  }
  b.ids.define(i, {temporary});
}

}  // namespace

void copy(Builder& b, const Instruction& i, Op) {
  if (i.op == spv::Op::OpCopyLogical && b.types.result_layout(i).in_memory)
    return b.refuse(Rule::kU0007, "OpCopyLogical of a value that is held in memory");
  if (b.ids.input(b.ids.operand_id(i, 0)) != nullptr)
    return b.ids.bind(i.result_id, *b.ids.find_bound(i.operands[0]));
  const Values values = b.ids.operand(i, 0);
  b.ids.define(i, {values.begin(), values.end()});
}

void construct(Builder& b, const Instruction& i, Op) {
  const Type& type = b.types.result_type(i);
  if (b.types.is_held(type)) return construct_held(b, i, type);
  ValueList result;
  const std::size_t components = b.types.result_layout(i).kinds.size();
  for (std::size_t part = 0; part < i.operands.size() && !b.failed(); ++part) {
    const Values values = b.ids.operand(i, part);
    if (!b.refusals.expect_component(type, values.size() <= components - result.size(),
                                     "a composite has more constituents than its type"))
      return;
    result.insert(result.end(), values.begin(), values.end());
  }
  // One constituent stands for all components.
  if (type.is_cooperative_matrix() && result.size() == 1) result.assign(components, result[0]);
  if (!b.failed() &&
      b.refusals.expect_component(type, result.size() == components,
                                  "a composite has fewer constituents than its type"))
    b.ids.define(i, std::move(result));
}

void extract(Builder& b, const Instruction& i, Op) {
  const Type* type = b.ids.operand_type(i, 0);
  const Values values = b.ids.operand(i, 0);
  if (b.failed()) return;
  if (b.types.is_held(*type)) {
    if (!b.expect(values.size() == 1 && b.ids.is_temporary(values[0]),
                  "the operand is no composite"))
      return;
    return b.ids.define(i, held_part(b, i, *type, values[0]));
  }
  if (type->kind == Type::Kind::kVector && i.operands.size() == 2 && i.operands[1] >= type->count) {
    if (const auto missing = b.builtins.missing_dimension(values))
      return b.ids.define(i, {b.ops.constant(b.ops.kind_of(values[0]), *missing)});
  }
  const std::optional<Component> part = find_component(b, type, i, 1);
  if (!part) return;
  const std::size_t count = b.types.layout(*part->type).kinds.size();
  if (b.failed() || !b.expect(part->first + count <= values.size(),
                              "a composite has fewer scalars than its type"))
    return;
  const Values found = values.subspan(part->first, count);
  b.ids.define(i, {found.begin(), found.end()});
}

void insert(Builder& b, const Instruction& i, Op) {
  const Type* type = b.ids.operand_type(i, 1);
  const Values object = b.ids.operand(i, 0);
  const Values composite = b.ids.operand(i, 1);
  if (b.failed()) return;
  if (b.types.is_held(*type)) {
    if (!b.expect(composite.size() == 1 && b.ids.is_temporary(composite[0]),
                  "the operand is no composite"))
      return;
    return insert_held(b, i, *type, object, composite[0]);
  }
  const std::optional<Component> part = find_component(b, type, i, 2);
  if (!part) return;
  ValueList result(composite.begin(), composite.end());
  const bool fits = b.types.layout(*part->type).kinds.size() == object.size() &&
                    part->first + object.size() <= result.size();
  if (b.failed() || !b.expect(fits, "the inserted object is not of the component's type")) return;
  for (std::size_t c = 0; c < object.size(); ++c) result[part->first + c] = object[c];
  b.ids.define(i, std::move(result));
}

void shuffle(Builder& b, const Instruction& i, Op) {
  constexpr std::uint32_t kUndefined = 0xffffffffu;
  const Values first = b.ids.operand(i, 0);
  const Values second = b.ids.operand(i, 1);
  if (b.failed() || !b.expect(!first.empty(), "the operand is no vector")) return;
  ValueList result;
  for (const std::uint32_t index : i.operands.subspan(2)) {
    if (index == kUndefined) {
      result.push_back(b.ops.constant(b.ops.kind_of(first[0]), 0));
    } else if (b.expect(index < first.size() + second.size(), "a shuffle names no component")) {
      result.push_back(index < first.size() ? first[index] : second[index - first.size()]);
    }
  }
  b.ids.define(i, std::move(result));
}

void extract_dynamic(Builder& b, const Instruction& i, Op) {
  const Values vector = b.ids.operand(i, 0);
  const ValueId index = b.ids.scalar_operand(i, 1);
  if (b.failed()) return;
  b.ids.define(i, {b.builtins.component_at(vector, index)});
  // Functions such as get_global_id() are defined for dimensions that there are not.
  if (b.request.options.check_ub && !b.failed() && !b.builtins.missing_dimension(vector))
    check_component(b, vector.size(), index);
}

void insert_dynamic(Builder& b, const Instruction& i, Op) {
  const Values vector = b.ids.operand(i, 0);
  const ValueId object = b.ids.scalar_operand(i, 1);
  const ValueId index = b.ids.scalar_operand(i, 2);
  if (b.failed()) return;
  ValueList result;
  for (std::size_t c = 0; c < vector.size(); ++c)
    result.push_back(
        b.ops.select(b.ops.emit(Op::kIEqual, {index, b.ops.constant(b.ops.kind_of(index), c)}),
                     object, vector[c]));
  if (b.request.options.check_ub && !b.failed()) check_component(b, vector.size(), index);
  b.ids.define(i, std::move(result));
}

}  // namespace transpire::vm::builder::composite
