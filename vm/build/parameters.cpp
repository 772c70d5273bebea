#include "vm/build/parameters.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/narrow.h"
#include "decoder/opaque_types.h"
#include "decoder/untyped.h"
#include "vm/build/image_shape.h"
#include "vm/build/program_variables.h"

namespace transpire::vm::builder {
namespace {

/// The name of a type that a kernel's parameter cannot have; empty for other types.
std::string_view unsupported_parameter(const Type& type) {
  if (type.kind == Type::Kind::kBool) return "bool";
  if (type.kind == Type::Kind::kVoid || type.kind == Type::Kind::kFunction) return "function";
  const decoder::OpaqueType* const opaque = decoder::opaque_type(type.kind);
  if (opaque == nullptr) return {};
  const bool allowed = opaque->as_argument == decoder::AsArgument::kAllowed;
  return allowed && decoder::has_handles(type.kind) ? std::string_view{} : opaque->noun;
}

Parameter::Kind kind_of(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kImage:
      return Parameter::Kind::kImage;
    case Type::Kind::kSampler:
      return Parameter::Kind::kSampler;
    case Type::Kind::kPipe:
      return Parameter::Kind::kPipe;
    case Type::Kind::kQueue:
      return Parameter::Kind::kQueue;
    default:
      return Parameter::Kind::kValue;
  }
}

/// See Parameter::element_bytes.
std::uint64_t element_bytes(const Type& type) {
  const bool has_elements = type.kind == Type::Kind::kVector || type.kind == Type::Kind::kPointer;
  if (!has_elements) return type.size_bytes;
  return type.element != nullptr ? type.element->size_bytes : 0;
}

/// From a descriptor's address of a buffer to the buffer's size.
constexpr std::int64_t kSizeOffset = 8;

}  // namespace

Parameters::Parameters(Core& core, Pointers& pointers, PrivateVariables& variables,
                       Accesses& accesses, PassedScalars& passed_scalars, Memory& memory)
    : request_(core.request),
      position_(core.position),
      refusals_(core.refusals),
      function_(core.writer.function()),
      types_(core.types),
      ids_(core.ids),
      pointers_(pointers),
      variables_(variables),
      accesses_(accesses),
      passed_scalars_(passed_scalars),
      memory_(memory) {}

void Parameters::bind(Frame& frame) {
  frame.forwards_entry = request_.inputs.forwards();
  const std::vector<decoder::EntryInput>& inputs = request_.inputs.all();
  for (std::uint32_t i = 0; i < inputs.size() && !refusals_.failed(); ++i) {
    position_.parameter = inputs[i].id;
    const Type* type = inputs[i].type;
    if (refusals_.expect(type != nullptr, "a parameter has no type")) bind(frame, i, *type);
  }
  position_.parameter = 0;
}

void Parameters::bind(Frame& frame, std::uint32_t index, const Type& type) {
  const decoder::EntryInputs& inputs = request_.inputs;
  const auto is_marked = [&](spv::FunctionParameterAttribute attribute) {
    return inputs.has_attribute(index, attribute);
  };
  Parameter parameter;
  parameter.name = inputs.name(index);
  parameter.size_bytes = type.size_bytes;
  parameter.align_bytes = narrow<std::uint32_t>(type.align_bytes);
  parameter.element_bytes = element_bytes(type);
  parameter.first_slot = function_.workgroup_slot(0);
  function_.work(function_.parameters.size() + 1);
  const std::vector<bool>& is_const = request_.options.const_parameters;
  parameter.no_write = type.kind == Type::Kind::kPointer &&
                       ((index < is_const.size() && is_const[index]) || inputs.is_read_only(index));
  parameter.no_alias = type.kind == Type::Kind::kPointer &&
                       (is_marked(spv::FunctionParameterAttribute::NoAlias) ||
                        inputs.decoration(index, spv::Decoration::Restrict) != nullptr);
  if (const std::string_view what = unsupported_parameter(type); !what.empty())
    return refusals_.refuse(
        Rule::kU0003,
        fmt::format("parameter '{}' of kernel '{}' is of {} type, which is not supported",
                    parameter.name, request_.entry.name, what));
  if (type.kind == Type::Kind::kImage)
    if (const std::string what = unsupported_image(type, request_.has_resources()); !what.empty())
      return refusals_.refuse(
          Rule::kU0003, fmt::format("parameter '{}' of kernel '{}' is one of images {}, which are "
                                    "not supported",
                                    parameter.name, request_.entry.name, what));
  if (type.kind == Type::Kind::kPointer) {
    bind_pointer(frame, index, std::move(parameter));
  } else if (type.kind == Type::Kind::kArray || type.kind == Type::Kind::kStruct) {
    bind_by_value(frame, index, std::move(parameter), type, false);
  } else {
    parameter.kind = kind_of(type);
    parameter.is_read_only = type.access == spv::AccessQualifier::ReadOnly;
    if (inputs.all()[index].variable != nullptr)
      bind_handle(index, std::move(parameter));
    else
      bind_slots(frame, index, std::move(parameter));
  }
}

void Parameters::bind_slots(Frame& frame, std::uint32_t index, Parameter parameter) {
  const Type& type = *request_.inputs.all()[index].type;
  ValueList values;
  for (const Kind kind : types_.layout(type).kinds) {
    lir::Value argument;
    argument.op = Op::kArgument;
    argument.kind = argument.from = kind;
    argument.imm = parameter.first_slot + values.size();
    values.push_back(function_.add(std::move(argument)));
  }
  parameter.slot_count = narrow<std::uint32_t>(values.size()) + (parameter.has_size_slot ? 1 : 0);
  if (parameter.kind == Parameter::Kind::kPointer) {
    pointers_.set_space(values[0], types_.space_of(type));
    if (parameter.no_write) pointers_.set_no_write(values[0], index + 1);
  }
  function_.parameters.push_back(std::move(parameter));
  bind_values(frame, index, std::move(values));
}

void Parameters::bind_values(Frame& frame, std::uint32_t index, ValueList values) {
  const decoder::EntryInput& input = request_.inputs.all()[index];
  Bound bound;
  bound.values = ids_.keep(std::move(values));
  if (input.variable == nullptr)
    frame.bound[input.id] = bound;
  else
    ids_.bind_variable(input.id, bound);
}

std::optional<ValueId> Parameters::buffer_bytes(ValueId pointer) const {
  const auto known = buffer_bytes_.find(pointers_.root(pointer).base);
  return known == buffer_bytes_.end() ? std::nullopt : std::optional(known->second);
}

void Parameters::bind_pointer(Frame& frame, std::uint32_t index, Parameter parameter) {
  const Type& pointer = *request_.inputs.all()[index].type;
  parameter.storage_class = pointer.storage_class;
  if (request_.inputs.all()[index].variable != nullptr)
    return bind_variable(frame, index, std::move(parameter));
  switch (pointer.storage_class) {
    case spv::StorageClass::CrossWorkgroup:
    case spv::StorageClass::UniformConstant:
    case spv::StorageClass::Workgroup:
    case spv::StorageClass::Generic:  // in functions that are enqueued
      parameter.kind = Parameter::Kind::kPointer;
      if (pointer.element != nullptr && pointer.element->size_bytes != 0)
        parameter.align_bytes = narrow<std::uint32_t>(pointer.element->align_bytes);
      return bind_slots(frame, index, std::move(parameter));
    case spv::StorageClass::Function:
      if (!refusals_.expect(pointer.element != nullptr && !decoder::is_untyped(pointer),
                            "a pointer has no pointee"))
        return;
      if (request_.inputs.is_by_value(index)) {
        const Type& pointee = *pointer.element;
        return bind_by_value(frame, index, std::move(parameter), pointee, true);
      }
      [[fallthrough]];
    default:
      refusals_.refuse(Rule::kU0003,
                       fmt::format("parameter '{}' of kernel '{}' is a {}; pointers must be to "
                                   "CrossWorkgroup, UniformConstant or Workgroup storage, or ByVal",
                                   parameter.name, request_.entry.name, decoder::spell(pointer)));
  }
}

void Parameters::bind_variable(Frame& frame, std::uint32_t index, Parameter parameter) {
  const Type& pointer = *request_.inputs.all()[index].type;
  switch (pointer.storage_class) {
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::Uniform:
      return bind_buffer(frame, index, std::move(parameter));
    case spv::StorageClass::PushConstant:
      return bind_by_value(frame, index, std::move(parameter), *pointer.element, true);
    default:
      return refusals_.refuse(
          Rule::kU0003,
          fmt::format("the variable '{}' of entry point '{}' is a {}, which is not supported",
                      parameter.name, request_.entry.name, decoder::spell(pointer)));
  }
}

ValueId Parameters::add_argument(std::uint32_t slot) {
  lir::Value argument;
  argument.op = Op::kArgument;
  argument.kind = argument.from = Kind::kI64;
  argument.imm = slot;
  return function_.add(std::move(argument));
}

/// The place of an input that is a part of a variable, in private memory, as a kernel's variable is that its parameter is stored to.
ValueId Parameters::place_in_variable(const decoder::EntryInput& input, const Type* blocks) {
  const auto [known, is_new] = descriptors_.try_emplace(input.id, kNoValue);
  if (is_new) {
    Type table;
    table.kind = Type::Kind::kArray;
    table.size_bytes = request_.inputs.table_bytes(*input.variable);
    const std::uint32_t added = variables_.add(variable_name(request_.module, *input.variable),
                                               table, input.variable->align_bytes);
    known->second = variables_.address(added);
    Bound bound;
    bound.values = ids_.keep({known->second});
    bound.blocks = blocks;
    ids_.bind_variable(input.id, bound);
  }
  return pointers_.address(known->second, static_cast<std::int64_t>(input.offset_bytes));
}

void Parameters::store_word(ValueId at, std::int64_t offset, ValueId value) {
  lir::MemAccess access;
  access.kind = Kind::kI64;
  access.align_bytes = lane_bytes(Kind::kI64);
  access.space = lir::Space::kPrivate;
  accesses_.store(access, pointers_.address(at, offset), ValueList{value});
}

/// An image or a sampler.
void Parameters::bind_handle(std::uint32_t index, Parameter parameter) {
  const decoder::EntryInput& input = request_.inputs.all()[index];
  const ValueId handle = add_argument(parameter.first_slot);
  parameter.slot_count = 1;
  function_.parameters.push_back(std::move(parameter));
  store_word(place_in_variable(input, nullptr), 0, handle);
}

/// A block in a buffer, which kernels would reach by a global pointer.
void Parameters::bind_buffer(Frame& frame, std::uint32_t index, Parameter parameter) {
  const decoder::EntryInput& input = request_.inputs.all()[index];
  const Type& block = *input.type->element;
  if (block.kind != Type::Kind::kStruct)
    return refusals_.refuse(
        Rule::kU0003,
        fmt::format("the variable '{}' of entry point '{}' is of type {}, which is not "
                    "supported: a descriptor must be one block, an array without a length the "
                    "outermost one, and all together at most 4096",
                    parameter.name, request_.entry.name, decoder::spell(*input.type)));
  parameter.kind = Parameter::Kind::kPointer;
  parameter.storage_class = spv::StorageClass::CrossWorkgroup;
  parameter.align_bytes = narrow<std::uint32_t>(block.align_bytes);
  const bool is_array = block.members.size() == 1 && block.members[0]->is_runtime_array;
  parameter.element_bytes = is_array ? block.members[0]->stride_bytes : 0;
  parameter.has_size_slot = true;
  const ValueId bytes = add_argument(parameter.first_slot + 1);
  if (!input.part.empty()) return bind_block(input, std::move(parameter), bytes);
  bind_slots(frame, index, std::move(parameter));
  if (!refusals_.failed()) buffer_bytes_[ids_.scalar(input.id)] = bytes;
}

/// A block in an array of descriptors.
void Parameters::bind_block(const decoder::EntryInput& input, Parameter parameter, ValueId bytes) {
  const Type& blocks = *input.variable->type->element;
  const ValueId address = add_argument(parameter.first_slot);
  pointers_.set_space(address, lir::Space::kGlobal);
  parameter.no_alias = false;
  parameter.slot_count = 2;
  function_.parameters.push_back(std::move(parameter));
  const ValueId at = place_in_variable(input, &blocks);
  store_word(at, 0, address);
  store_word(at, kSizeOffset, bytes);
}

ValueId Parameters::load_block(ValueId descriptor) {
  lir::MemAccess access;
  access.kind = Kind::kI64;
  access.align_bytes = lane_bytes(Kind::kI64);
  access.space = lir::Space::kPrivate;
  const ValueId address = accesses_.load(access, descriptor)[0];
  buffer_bytes_[address] = accesses_.load(access, pointers_.address(descriptor, kSizeOffset))[0];
  return address;
}

/// A struct in a private variable, which the launch fills. The parameter's id is its address, or,
/// where the module passes the struct itself, its loaded scalars.
void Parameters::bind_by_value(Frame& frame, std::uint32_t index, Parameter parameter,
                               const Type& type, bool by_pointer) {
  parameter.kind = Parameter::Kind::kByValue;
  parameter.no_write = false;
  parameter.size_bytes = type.size_bytes;
  std::uint64_t align = type.align_bytes;
  if (const auto* d = request_.inputs.decoration(index, spv::Decoration::Alignment))
    if (!d->operands.empty()) align = std::max<std::uint64_t>(align, d->operands[0]);
  parameter.align_bytes = narrow<std::uint32_t>(align);
  parameter.private_variable = variables_.add(parameter.name, type, align);
  const ValueId address = variables_.address(parameter.private_variable);
  if (parameter.storage_class == spv::StorageClass::PushConstant)
    passed_scalars_.add(parameter, types_.layout(type), address);
  function_.parameters.push_back(std::move(parameter));
  bind_values(
      frame, index,
      by_pointer ? ValueList{address} : memory_.load(type, address, lir::Space::kPrivate, {}));
}

}  // namespace transpire::vm::builder
