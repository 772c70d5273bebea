// The C interface: a module's description as C structs.
#include "c_api/c_api.h"

namespace transpire::c_api {
namespace {

static_assert(static_cast<int>(TypeInfo::Kind::kBool) == TRANSPIRE_TYPE_BOOL);
static_assert(static_cast<int>(TypeInfo::Kind::kPointer) == TRANSPIRE_TYPE_POINTER);
static_assert(static_cast<int>(TypeInfo::Kind::kOther) == TRANSPIRE_TYPE_OTHER);

/// One struct for each of `from`, and the array of pointers to them.
template <class From, class Make>
auto each(Arena& arena, const std::vector<From>& from, const Make& make) {
  std::vector<decltype(make(arena, from[0]))> made;
  for (const From& one : from) made.push_back(make(arena, one));
  return arena.keep(std::move(made)).data();
}

const transpire_type* type_in(Arena& arena, const TypeInfo& info) {
  transpire_type type{};
  type.kind = static_cast<transpire_type_kind>(info.kind);
  type.spelling = info.spelling.c_str();
  type.width_bits = info.width_bits;
  type.count = info.count;
  type.size_bytes = info.size_bytes;
  type.align_bytes = info.align_bytes;
  type.address_space = info.address_space.c_str();
  type.elements = each(arena, info.elements, type_in);
  type.element_count = info.elements.size();
  if (info.kind == TypeInfo::Kind::kStruct) {
    if (info.member_names.size() == info.elements.size())
      type.member_names = arena.strings(info.member_names);
    if (info.member_offsets.size() == info.elements.size())
      type.member_offsets = info.member_offsets.data();
  }
  return &arena.keep(type);
}

const transpire_parameter* parameter_in(Arena& arena, const ParameterInfo& info) {
  transpire_parameter parameter{};
  parameter.name = info.name.c_str();
  parameter.type = type_in(arena, info.type);
  parameter.by_value_struct = info.by_value_struct;
  parameter.no_write = info.no_write;
  parameter.has_binding = info.binding.has_value();
  if (info.binding) parameter.descriptor_set = (*info.binding)[0];
  if (info.binding) parameter.binding = (*info.binding)[1];
  parameter.place = info.place.c_str();
  parameter.is_unused = info.is_unused;
  if (info.by_value_struct) {
    parameter.value_bytes = info.type.elements.empty() ? 0 : info.type.elements[0].size_bytes;
  } else if (info.pipe) {
    parameter.argument = TRANSPIRE_ARGUMENT_PIPE;
    parameter.packet_bytes = info.pipe->packet_bytes;
    parameter.packet_align = info.pipe->packet_align;
  } else if (info.is_queue) {
    parameter.argument = TRANSPIRE_ARGUMENT_QUEUE;
  } else if (info.image || info.is_sampler) {
    parameter.argument = info.image ? TRANSPIRE_ARGUMENT_IMAGE : TRANSPIRE_ARGUMENT_SAMPLER;
  } else if (info.type.kind != TypeInfo::Kind::kPointer) {
    parameter.value_bytes = info.type.size_bytes;
  } else {
    parameter.argument =
        info.type.address_space == "local" ? TRANSPIRE_ARGUMENT_LOCAL : TRANSPIRE_ARGUMENT_BUFFER;
  }
  return &arena.keep(parameter);
}

void copy(const std::optional<std::array<std::uint64_t, 3>>& from, bool& has,
          std::uint64_t (&to)[3]) {
  has = from.has_value();
  for (std::size_t i = 0; i < 3; ++i) to[i] = has ? (*from)[i] : 0;
}

const transpire_kernel* kernel_in(Arena& arena, const KernelInfo& info) {
  transpire_kernel kernel{};
  kernel.name = info.name.c_str();
  kernel.parameters = each(arena, info.parameters, parameter_in);
  kernel.parameter_count = info.parameters.size();
  copy(info.required_local_size, kernel.has_required_local_size, kernel.required_local_size);
  copy(info.local_size_hint, kernel.has_local_size_hint, kernel.local_size_hint);
  kernel.execution_modes = arena.strings(info.execution_modes);
  kernel.execution_mode_count = info.execution_modes.size();
  kernel.subgroup_size = info.subgroup_size.value_or(0);
  kernel.subgroups_per_workgroup = info.subgroups_per_workgroup.value_or(0);
  kernel.is_initializer = info.is_initializer;
  kernel.is_finalizer = info.is_finalizer;
  return &arena.keep(kernel);
}

const transpire_spec_constant* spec_constant_in(Arena& arena, const SpecConstantInfo& info) {
  transpire_spec_constant constant{};
  constant.spec_id = info.spec_id;
  constant.name = info.name.c_str();
  constant.type = type_in(arena, info.type);
  constant.default_bits = info.default_bits;
  return &arena.keep(constant);
}

}  // namespace

const transpire_module_info* module_info_in(Arena& arena, const ModuleInfo& info) {
  transpire_module_info module{};
  module.name = info.name.c_str();
  module.spirv_version = info.spirv_version.c_str();
  module.generator = info.generator.c_str();
  module.pointer_bits = info.pointer_bits;
  module.source_language = info.source_language.c_str();
  module.capabilities = arena.strings(info.capabilities);
  module.capability_count = info.capabilities.size();
  module.extensions = arena.strings(info.extensions);
  module.extension_count = info.extensions.size();
  module.kernels = each(arena, info.kernels, kernel_in);
  module.kernel_count = info.kernels.size();
  module.spec_constants = each(arena, info.spec_constants, spec_constant_in);
  module.spec_constant_count = info.spec_constants.size();
  return &arena.keep(module);
}

}  // namespace transpire::c_api
