// What ids mean: values of the frame, constants, module-scope variables.
#include <fmt/format.h>

#include "vm/build/builder.h"

namespace transpire::vm::builder {
namespace {

constexpr unsigned kMaxConstantDepth = 256;

}  // namespace

Values Builder::keep(ValueList values) {
  function_.take(cost::kBinding + values.size() * cost::kComponent);
  function_.work(values.size());
  return kept_.emplace_back(std::move(values));
}

Id Builder::operand_id(const Instruction& instruction, std::size_t index) {
  if (index < instruction.operands.size()) return instruction.operands[index];
  malformed(fmt::format("{} has no operand {}", decoder::opcode_name(instruction.op), index));
  return 0;
}

const Type* Builder::operand_type(const Instruction& i, std::size_t index) {
  const Type* type = module_.type_of(operand_id(i, index));
  if (type == nullptr) malformed(fmt::format("operand {} has no type", index));
  return type;
}

Bound* Builder::find_bound(Id id) {
  const auto local = frame_->bound.find(id);
  if (local != frame_->bound.end()) return &local->second;
  const auto global = globals_.find(id);
  if (global != globals_.end()) return &global->second;
  const decoder::Variable* variable = module_.variable(id);
  if (variable == nullptr) return nullptr;
  Bound bound;
  if (variable->storage_class == spv::StorageClass::Input) {
    bound = builtin_variable(*variable);
  } else {
    bound.values = keep({module_variable(*variable)});
  }
  return &(globals_[id] = bound);
}

Values Builder::value(Id id) {
  if (const decoder::Constant* constant = module_.constant(id)) return constant_value(*constant);
  const Bound* bound = find_bound(id);
  if (bound == nullptr) {
    if (module_.kind_of(id) == decoder::IdKind::kFunction)
      refuse(Rule::kU0003, fmt::format("the function {} is used as a value", module_.spell_id(id)));
    malformed(fmt::format("{} has no value here", module_.spell_id(id)));
    return {};
  }
  if (bound->input != 0)
    refuse(Rule::kU0001,
           fmt::format("only loads and access chains may use the built-in variable {}",
                       module_.spell_id(id)));
  return bound->values;
}

ValueId Builder::scalar(Id id) {
  const Values values = value(id);
  if (values.size() == 1) return values[0];
  malformed(fmt::format("{} is no scalar", module_.spell_id(id)));
  return constant(Kind::kI32, 0);
}

void Builder::define(const Instruction& instruction, ValueList values) {
  if (failed()) return;
  const std::vector<Kind>& kinds = result_layout(instruction).kinds;
  if (failed()) return;
  if (kinds.size() != values.size())
    return malformed(
        fmt::format("the result has {} scalars, its type {}", values.size(), kinds.size()));
  for (ValueId& value : values)
    if (flushes_results_) value = flush_denorm(value);
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kind_of(values[i]) != kinds[i])
      return malformed(fmt::format("the result is {}, its type {}", kind_name(kind_of(values[i])),
                                   kind_name(kinds[i])));
  if (result_layout(instruction).in_memory && !expect(is_temporary(values[0]),
                                                      "the result is no "
                                                      "aggregate"))
    return;
  Bound& bound = frame_->bound[instruction.result_id];
  bound.values = keep(std::move(values));
  note_value(instruction.result_id, instruction.word_offset, bound.values);
}

ValueList Builder::zeros(const Type& type) {
  ValueList values;
  if (is_held(type)) return {held_zeros(type)};
  for (const Kind kind : layout(type).kinds) values.push_back(constant(kind, 0));
  return values;
}

const InputPointer* Builder::input(Id id) {
  if (module_.constant(id) != nullptr) return nullptr;
  const Bound* bound = find_bound(id);
  return bound == nullptr || bound->input == 0 ? nullptr : &inputs_[bound->input - 1];
}

std::uint32_t Builder::add_input(InputPointer pointer) {
  inputs_.push_back(pointer);
  return static_cast<std::uint32_t>(inputs_.size());
}

std::optional<std::uint64_t> Builder::constant_of(Id id) const {
  const decoder::Constant* constant = module_.constant(id);
  if (constant == nullptr || constant->type == nullptr || !constant->type->is_scalar())
    return std::nullopt;
  if (constant->kind == decoder::Constant::Kind::kNull) return 0;
  if (constant->kind != decoder::Constant::Kind::kScalar) return std::nullopt;
  return constant->bits;
}

std::optional<std::int64_t> Builder::signed_constant_of(Id id) const {
  const std::optional<std::uint64_t> bits = constant_of(id);
  if (!bits) return std::nullopt;
  const std::uint32_t width = module_.constant(id)->type->width_bits;
  if (width == 0 || width > 64) return std::nullopt;
  return static_cast<std::int64_t>(*bits << (64 - width)) >> (64 - width);
}

Values Builder::constant_value(const decoder::Constant& constant) {
  // An operation is computed where it is used; its values dominate nothing else.
  if (constant.kind == decoder::Constant::Kind::kOperation) return operation_value(constant);
  const auto known = constants_.find(constant.id);
  if (known != constants_.end()) return known->second;
  if (!expect(constant.type != nullptr, "a constant has no type")) return {};
  const std::vector<Kind>& kinds = layout(*constant.type).kinds;
  ValueList values;
  const bool is_zero = constant.kind == decoder::Constant::Kind::kNull ||
                       constant.kind == decoder::Constant::Kind::kUndef;
  if (!is_held(*constant.type)) {
    append_constant(constant, values, 0);
  } else {
    values = {is_zero ? held_zeros(*constant.type) : held_constant(constant)};
  }
  bool fits = failed() || values.size() == kinds.size();
  for (std::size_t c = 0; fits && !failed() && c < kinds.size(); ++c)
    fits = kind_of(values[c]) == kinds[c];
  expect(fits, "a constant's constituents are not of its type");
  const Values kept = keep(std::move(values));
  bool cacheable = !failed();
  for (const ValueId value : kept)
    cacheable = cacheable && function_.values[value].block == kNoBlock;
  if (cacheable) constants_[constant.id] = kept;
  return kept;
}

void Builder::append_constant(const decoder::Constant& constant, ValueList& out, unsigned depth) {
  if (failed() || !expect(constant.type != nullptr && depth < kMaxConstantDepth,
                          "a constant is nested too deep or has no type"))
    return;
  if (layout(*constant.type).kinds.empty()) return;
  function_.work();
  if (!expect(out.size() <= kMaxComponents, "a constant has more constituents than its type"))
    return;
  switch (constant.kind) {
    case decoder::Constant::Kind::kScalar:
      out.push_back(this->constant(scalar_kind(*constant.type), constant.bits));
      return;
    case decoder::Constant::Kind::kComposite:
      for (const Id element : constant.elements) {
        const decoder::Constant* part = module_.constant(element);
        if (part != nullptr) {
          append_constant(*part, out, depth + 1);
        } else {
          const Values values = value(element);
          out.insert(out.end(), values.begin(), values.end());
        }
      }
      return;
    case decoder::Constant::Kind::kNull:
    case decoder::Constant::Kind::kUndef: {
      const ValueList values = zeros(*constant.type);
      out.insert(out.end(), values.begin(), values.end());
      return;
    }
    case decoder::Constant::Kind::kOperation: {
      const Values values = operation_value(constant);
      out.insert(out.end(), values.begin(), values.end());
      return;
    }
    case decoder::Constant::Kind::kSampler:
      refuse(Rule::kU0003,
             fmt::format("the sampler {} is not supported", module_.spell_id(constant.id)));
      return;
  }
}

/// An OpSpecConstantOp is lowered like the instruction that it names, at its use.
Values Builder::operation_value(const decoder::Constant& constant) {
  Instruction instruction;
  instruction.op = constant.operation;
  instruction.type_id = constant.type == nullptr ? 0 : constant.type->id;
  instruction.result_id = constant.id;
  instruction.word_offset = constant.word_offset;
  instruction.operands = constant.elements;
  if (!expect(operation_depth_ < kMaxConstantDepth, "constant operations are nested too deep"))
    return {};
  count_placed(1);  // what uses itself twice, through many others, takes exponential time
  if (failed()) return {};
  ++operation_depth_;
  dispatch(instruction);
  --operation_depth_;
  const auto result = frame_->bound.find(constant.id);
  if (failed() || result == frame_->bound.end()) return {};
  const Values values = result->second.values;
  frame_->bound.erase(result);
  return values;
}

}  // namespace transpire::vm::builder
