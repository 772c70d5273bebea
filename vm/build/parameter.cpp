// Kernel parameters: argument slots and what the parameters' ids mean in the entry frame.
//
// llvm-spirv gives each kernel an entry function that only forwards its parameters to the real one.
// Attributes may stand on either, so both count, and names are taken from whichever has one.
#include <fmt/format.h>

#include <algorithm>

#include "decoder/opaque_types.h"
#include "vm/build/builder.h"

namespace transpire::vm::builder {
namespace {

/// The call of a function that does nothing but forward its own parameters; else null.
const Instruction* forwarding_call(const decoder::Function& function) {
  if (function.blocks.size() != 1) return nullptr;
  const auto& instructions = function.blocks[0].instructions;
  if (instructions.size() != 2 || instructions[0].op != spv::Op::OpFunctionCall ||
      instructions[1].op != spv::Op::OpReturn)
    return nullptr;
  const auto operands = instructions[0].operands;
  if (operands.size() != function.parameters.size() + 1) return nullptr;
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    if (operands[i + 1] != function.parameters[i].id) return nullptr;
  return &instructions[0];
}

/// What the type is called that a kernel's parameter cannot have; empty when it can.
std::string_view unsupported_parameter(const Type& type) {
  if (type.kind == Type::Kind::kBool) return "bool";
  if (type.kind == Type::Kind::kVoid || type.kind == Type::Kind::kFunction) return "function";
  const decoder::OpaqueType* const opaque = decoder::opaque_type(type.kind);
  if (opaque == nullptr) return {};
  const bool allowed = opaque->as_argument == decoder::AsArgument::kAllowed;
  return allowed && decoder::has_handles(type.kind) ? std::string_view{} : opaque->noun;
}

}  // namespace

bool Builder::entry_attribute(const Frame& frame, std::uint32_t index,
                              spv::FunctionParameterAttribute attribute) const {
  if (has_attribute(frame.function->parameters[index].id, attribute)) return true;
  const Instruction* call = forwarding_call(*frame.function);
  const decoder::Function* real = call == nullptr ? nullptr : module_.function(call->operands[0]);
  return real != nullptr && index < real->parameters.size() &&
         has_attribute(real->parameters[index].id, attribute);
}

std::string Builder::parameter_name(const Frame& frame, std::uint32_t index) const {
  std::string_view name = module_.name(frame.function->parameters[index].id);
  const Instruction* call = forwarding_call(*frame.function);
  const decoder::Function* real = call == nullptr ? nullptr : module_.function(call->operands[0]);
  if (name.empty() && real != nullptr && index < real->parameters.size())
    name = module_.name(real->parameters[index].id);
  return name.empty() ? fmt::format("arg{}", index) : std::string(name);
}

void Builder::bind_parameters(Frame& frame) {
  frame.forwards_entry = forwarding_call(*frame.function) != nullptr;
  for (std::uint32_t i = 0; i < frame.function->parameters.size() && !failed(); ++i) {
    const Type* type = frame.function->parameters[i].type;
    if (!expect(type != nullptr, "a parameter has no type")) return;
    Parameter parameter;
    parameter.name = parameter_name(frame, i);
    parameter.type = type;
    parameter.size_bytes = type->size_bytes;
    parameter.align_bytes = static_cast<std::uint32_t>(type->align_bytes);
    parameter.first_slot = function_.workgroup_slot(0);
    function_.work(function_.parameters.size() + 1);
    parameter.no_write = type->kind == Type::Kind::kPointer &&
                         entry_attribute(frame, i, spv::FunctionParameterAttribute::NoWrite);
    if (const std::string_view what = unsupported_parameter(*type); !what.empty())
      return refuse(
          Rule::kU0003,
          fmt::format("parameter '{}' of kernel '{}' is of {} type, which is not supported",
                      parameter.name, entry_.name, what));
    if (type->kind == Type::Kind::kPointer) {
      bind_pointer_parameter(frame, i, std::move(parameter));
    } else if (type->kind == Type::Kind::kArray || type->kind == Type::Kind::kStruct) {
      bind_by_value(frame, i, std::move(parameter), *type, false);
    } else {
      bind_value_parameter(frame, i, std::move(parameter));
    }
  }
}

void Builder::bind_slots(Frame& frame, std::uint32_t index, Parameter parameter) {
  ValueList values;
  for (const Kind kind : layout(*parameter.type).kinds) {
    lir::Value argument;
    argument.op = Op::kArgument;
    argument.kind = argument.from = kind;
    argument.imm = parameter.first_slot + values.size();
    values.push_back(function_.add(std::move(argument)));
  }
  parameter.slot_count = static_cast<std::uint32_t>(values.size());
  if (parameter.kind == Parameter::Kind::kPointer)
    root_space_[values[0]] = space_of(*parameter.type);
  if (parameter.no_write && parameter.kind == Parameter::Kind::kPointer)
    no_write_[values[0]] = index + 1;
  function_.parameters.push_back(std::move(parameter));
  frame.bound[frame.function->parameters[index].id].values = keep(std::move(values));
}

void Builder::bind_value_parameter(Frame& frame, std::uint32_t index, Parameter parameter) {
  parameter.kind = Parameter::Kind::kValue;
  bind_slots(frame, index, std::move(parameter));
}

void Builder::bind_pointer_parameter(Frame& frame, std::uint32_t index, Parameter parameter) {
  const Type& pointer = *parameter.type;
  parameter.storage_class = pointer.storage_class;
  switch (pointer.storage_class) {
    case spv::StorageClass::CrossWorkgroup:
    case spv::StorageClass::UniformConstant:
    case spv::StorageClass::Workgroup:
      parameter.kind = Parameter::Kind::kPointer;
      if (pointer.element != nullptr && pointer.element->size_bytes != 0)
        parameter.align_bytes = static_cast<std::uint32_t>(pointer.element->align_bytes);
      return bind_slots(frame, index, std::move(parameter));
    case spv::StorageClass::Function:
      if (!expect(pointer.element != nullptr, "a pointer has no pointee")) return;
      if (entry_attribute(frame, index, spv::FunctionParameterAttribute::ByVal)) {
        const Type& pointee = *pointer.element;
        return bind_by_value(frame, index, std::move(parameter), pointee, true);
      }
      [[fallthrough]];
    default:
      refuse(Rule::kU0003, fmt::format("parameter '{}' of kernel '{}' is a {}; pointers must be to "
                                       "CrossWorkgroup, UniformConstant "
                                       "or Workgroup storage, or ByVal",
                                       parameter.name, entry_.name, decoder::spell(pointer)));
  }
}

/// A struct in a private variable, which the launch fills. The parameter's id is its address, or,
/// where the module passes the struct itself, its loaded scalars.
void Builder::bind_by_value(Frame& frame, std::uint32_t index, Parameter parameter,
                            const Type& type, bool by_pointer) {
  parameter.kind = Parameter::Kind::kByValue;
  parameter.no_write = false;
  parameter.size_bytes = type.size_bytes;
  std::uint64_t align = type.align_bytes;
  const Id id = frame.function->parameters[index].id;
  if (const decoder::Decoration* d = module_.decoration(id, spv::Decoration::Alignment))
    if (!d->operands.empty()) align = std::max<std::uint64_t>(align, d->operands[0]);
  parameter.align_bytes = static_cast<std::uint32_t>(align);
  parameter.private_variable = add_private(parameter.name, type, align);
  const ValueId address = private_address(parameter.private_variable);
  function_.parameters.push_back(std::move(parameter));
  frame.bound[id].values =
      keep(by_pointer ? ValueList{address} : load(type, address, lir::Space::kPrivate, {}));
}

}  // namespace transpire::vm::builder
