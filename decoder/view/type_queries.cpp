#include "decoder/view/type_queries.h"

#include "decoder/newer_opcodes.h"
#include "decoder/view/opcode_sets.h"

namespace transpire::decoder::view {

using spv::Op;

bool is_bool(const ModuleView& view, Id type) { return view.op_of(type) == Op::OpTypeBool; }
bool is_vector(const ModuleView& view, Id type) { return view.op_of(type) == Op::OpTypeVector; }
bool is_pointer(const ModuleView& view, Id type) {
  return view.op_of(type) == Op::OpTypePointer || is_untyped_pointer(view, type);
}
bool is_untyped_pointer(const ModuleView& view, Id type) {
  return view.op_of(type) == kOpTypeUntypedPointerKHR;
}
Id pointee_seen_as(const ModuleView& view, Id pointer, Id seen) {
  return is_untyped_pointer(view, pointer) ? seen : view.pointee(pointer);
}
bool is_variable(const ModuleView& view, Id id) {
  const Op op = view.op_of(id);
  return op == Op::OpVariable || op == kOpUntypedVariableKHR;
}
bool is_struct(const ModuleView& view, Id type) { return view.op_of(type) == Op::OpTypeStruct; }
bool is_array(const ModuleView& view, Id type) { return view.op_of(type) == Op::OpTypeArray; }

std::uint32_t component_count(const ModuleView& view, Id type) {
  return is_vector(view, type) ? view.definition_word(type, 1) : 1;
}

std::uint32_t component_width(const ModuleView& view, Id type) {
  const Id component = view.component_type(type);
  if (is_bool(view, component)) return 1;
  if (view.is_int(component) || view.is_float(component)) return view.definition_word(component, 0);
  return 0;
}

std::uint32_t address_width(const ModuleView& view) {
  const auto models = view.all(Op::OpMemoryModel);
  if (models.empty()) return 0;
  switch (static_cast<spv::AddressingModel>(view.word(models.front(), 0))) {
    case spv::AddressingModel::Physical32:
      return 32;
    case spv::AddressingModel::Physical64:
      return 64;
    default:
      return 0;
  }
}

std::uint64_t bit_width(const ModuleView& view, Id type) {
  if (is_pointer(view, type)) return address_width(view);
  const Id component = view.component_type(type);
  if (!view.is_int(component) && !view.is_float(component)) return 0;
  return std::uint64_t{component_width(view, type)} * component_count(view, type);
}

std::optional<std::uint64_t> part_count(const ModuleView& view, Id type) {
  const std::uint32_t definition = view.definition(type);
  switch (view.op_of(type)) {
    case Op::OpTypeVector:
      return view.word(definition, 1);
    case Op::OpTypeArray:
      return view.constant_value(view.word(definition, 1));
    case Op::OpTypeStruct:
      return view.operand_count(definition);
    default:
      return std::nullopt;
  }
}

Id part_type(const ModuleView& view, Id type, std::uint64_t index) {
  const std::uint32_t definition = view.definition(type);
  switch (view.op_of(type)) {
    case Op::OpTypeVector:
      return index < view.word(definition, 1) ? view.word(definition, 0) : 0;
    case Op::OpTypeArray: {
      const auto length = view.constant_value(view.word(definition, 1));
      return !length || index < *length ? view.word(definition, 0) : 0;
    }
    case Op::OpTypeRuntimeArray:
      return view.word(definition, 0);
    case Op::OpTypeStruct:
      return index < view.operand_count(definition) ? view.word(definition, index) : 0;
    default:
      return 0;
  }
}

bool is_value(const ModuleView& view, Id id) {
  return view.type_of(id) != 0 && view.op_of(id) != Op::OpFunction;
}

}  // namespace transpire::decoder::view
