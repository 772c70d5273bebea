#include "vm/build/ids.h"

#include <fmt/format.h>

#include "base/narrow.h"

namespace transpire::vm::builder {

Values Ids::value(Id id) {
  if (const decoder::Constant* constant = request_.module.constant(id))
    return module_scope_.constant(*constant);
  const Bound* bound = find_bound(id);
  if (bound == nullptr) {
    if (request_.module.kind_of(id) == decoder::IdKind::kFunction)
      refusals_.refuse(Rule::kU0003, fmt::format("the function {} is used as a value",
                                                 request_.module.spell_id(id)));
    refusals_.malformed(fmt::format("{} has no value here", request_.module.spell_id(id)));
    return {};
  }
  if (bound->input != 0)
    refusals_.refuse(Rule::kU0001,
                     fmt::format("only loads and access chains may use the built-in variable {}",
                                 request_.module.spell_id(id)));
  if (bound->blocks != nullptr)
    refusals_.refuse(Rule::kU0003, fmt::format("only access chains may use {}, an array of blocks",
                                               request_.module.spell_id(id)));
  if (bound->laid_out != nullptr)
    refusals_.refuse(
        Rule::kU0003,
        fmt::format("only loads, stores and access chains may use {}, a pointer into a "
                    "matrix that is laid out in memory otherwise than as a value",
                    request_.module.spell_id(id)));
  return bound->values;
}

ValueId Ids::pointer(Id id) {
  Bound* const bound = request_.module.constant(id) != nullptr ? nullptr : find_bound(id);
  if (bound == nullptr || bound->laid_out == nullptr) return scalar(id);
  return bound->values[0];
}

ValueId Ids::scalar(Id id) {
  const Values values = value(id);
  if (values.size() == 1) return values[0];
  refusals_.malformed(fmt::format("{} is no scalar", request_.module.spell_id(id)));
  return writer_.constant(Kind::kI32, 0);
}

Id Ids::operand_id(const Instruction& instruction, std::size_t index) {
  if (index < instruction.operands.size()) return instruction.operands[index];
  refusals_.malformed(
      fmt::format("{} has no operand {}", decoder::opcode_name(instruction.op), index));
  return 0;
}

const Type* Ids::operand_type(const Instruction& i, std::size_t index) {
  const Type* type = request_.module.type_of(operand_id(i, index));
  if (type == nullptr) refusals_.malformed(fmt::format("operand {} has no type", index));
  return type;
}

std::optional<std::uint64_t> Ids::constant_of(Id id) const {
  const decoder::Constant* constant = request_.module.constant(id);
  if (constant == nullptr || constant->type == nullptr || !constant->type->is_scalar())
    return std::nullopt;
  if (constant->kind == decoder::Constant::Kind::kNull) return 0;
  if (constant->kind != decoder::Constant::Kind::kScalar) return std::nullopt;
  return constant->bits;
}

std::optional<std::int64_t> Ids::signed_constant_of(Id id) const {
  const std::optional<std::uint64_t> bits = constant_of(id);
  if (!bits) return std::nullopt;
  const std::uint32_t width = request_.module.constant(id)->type->width_bits;
  if (width == 0 || width > 64) return std::nullopt;
  return static_cast<std::int64_t>(*bits << (64 - width)) >> (64 - width);
}

void Ids::define(const Instruction& instruction, ValueList values) {
  if (refusals_.failed()) return;
  const std::vector<Kind>& kinds = types_.result_layout(instruction).kinds;
  if (refusals_.failed()) return;
  if (kinds.size() != values.size())
    return refusals_.malformed(
        fmt::format("the result has {} scalars, its type {}", values.size(), kinds.size()));
  for (ValueId& value : values)
    if (flushes_results_) value = rounded_.flush_denorm(value);
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (writer_.kind_of(values[i]) != kinds[i])
      return refusals_.malformed(fmt::format("the result is {}, its type {}",
                                             kind_name(writer_.kind_of(values[i])),
                                             kind_name(kinds[i])));
  if (types_.result_layout(instruction).in_memory &&
      !refusals_.expect(is_temporary(values[0]), "the result is no aggregate"))
    return;
  Bound& bound = position_.frame->bound[instruction.result_id];
  bound.values = keep(std::move(values));
  notes_.value(instruction.result_id, instruction.word_offset, bound.values);
}

Values Ids::address(Id id) {
  if (request_.module.constant(id) != nullptr) return value(id);
  const Bound* const bound = find_bound(id);
  return bound == nullptr ? Values{} : bound->values;
}

Bound* Ids::find_bound(Id id) {
  const auto local = position_.frame->bound.find(id);
  if (local != position_.frame->bound.end()) return &local->second;
  const auto global = globals_.find(id);
  if (global != globals_.end()) return &global->second;
  const decoder::Variable* variable = request_.module.variable(id);
  if (variable == nullptr) return nullptr;
  const Bound bound = module_scope_.variable(*variable);
  return &(globals_[id] = bound);
}

Values Ids::keep(ValueList values) {
  writer_.budget().take(cost::kBinding + values.size() * cost::kComponent);
  writer_.budget().work(values.size());
  return kept_.emplace_back(std::move(values));
}

const InputPointer* Ids::input(Id id) {
  if (request_.module.constant(id) != nullptr) return nullptr;
  const Bound* bound = find_bound(id);
  return bound == nullptr || bound->input == 0 ? nullptr : &inputs_[bound->input - 1];
}

Bound Ids::add_input(InputPointer pointer) {
  inputs_.push_back(pointer);
  Bound bound;
  bound.input = narrow<std::uint32_t>(inputs_.size());
  return bound;
}

ValueId Ids::mark_temporary(ValueId address) {
  temporaries_.insert(address);
  return address;
}

}  // namespace transpire::vm::builder
