#include "reflect/describe.h"

#include <fmt/format.h>
#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "analysis/handle_use.h"
#include "analysis/kernel_use.h"
#include "base/checked.h"
#include "decoder/block_kernels.h"
#include "decoder/entry_inputs.h"
#include "decoder/execution_models.h"
#include "decoder/grammar.h"
#include "decoder/image_formats.h"
#include "decoder/opaque_types.h"
#include "decoder/untyped.h"
#include "reflect/clspv_parameters.h"
#include "reflect/debug_types.h"
#include "reflect/source_types.h"

namespace transpire::reflect {
namespace {

using decoder::Id;
using decoder::Type;

/// A module may nest structs so that their tree is exponentially large; beyond this many nodes the
/// elements are left out.
constexpr std::uint32_t kMaxTypeNodes = 20'000;

TypeInfo::Kind kind_of(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kBool:
      return TypeInfo::Kind::kBool;
    case Type::Kind::kInt:
      return TypeInfo::Kind::kInt;
    case Type::Kind::kFloat:
      return TypeInfo::Kind::kFloat;
    case Type::Kind::kVector:
      return TypeInfo::Kind::kVector;
    case Type::Kind::kArray:
      return TypeInfo::Kind::kArray;
    case Type::Kind::kStruct:
      return TypeInfo::Kind::kStruct;
    case Type::Kind::kPointer:
      return TypeInfo::Kind::kPointer;
    default:
      return TypeInfo::Kind::kOther;
  }
}

/// Opens types into trees; a struct is not opened inside itself.
class TypeDescriber {
 public:
  TypeInfo describe(const Type& type) {
    ++nodes_;
    if (type.is_matrix && type.element->is_strided_vector()) return describe_rows(type);
    TypeInfo info;
    info.kind = kind_of(type);
    info.spelling = decoder::spell(type);
    info.width_bits = type.width_bits;
    info.count = type.count;
    info.size_bytes = type.size_bytes;
    info.align_bytes = type.align_bytes;
    if (type.kind == Type::Kind::kPointer)
      info.address_space = decoder::address_space_name(type.storage_class);
    if (type.kind == Type::Kind::kStruct)
      add_members(type, info);
    else if (type.element != nullptr && type.kind != Type::Kind::kFunction &&
             !decoder::is_untyped(type))
      add(*type.element, info);
    // The length of a run-time array, and so its stride, is not known from its size.
    if (type.is_runtime_array && !info.elements.empty() &&
        type.stride_bytes != info.elements[0].size_bytes)
      info.elements[0].align_bytes = static_cast<std::uint32_t>(type.stride_bytes);
    return info;
  }

 private:
  /// A matrix that is RowMajor in memory: as an array of its rows.
  TypeInfo describe_rows(const Type& type) {
    const Type& column = *type.element;
    TypeInfo row;
    row.kind = TypeInfo::Kind::kVector;
    row.elements = {describe(*column.element)};
    row.spelling = fmt::format("{}{}", row.elements[0].spelling, type.count);
    row.count = type.count;
    row.size_bytes = type.count * column.element->size_bytes;
    row.align_bytes = column.element->align_bytes;
    TypeInfo info;
    info.kind = TypeInfo::Kind::kArray;
    info.spelling = "row_major " + decoder::spell(type);
    info.count = column.count;
    info.size_bytes = type.size_bytes;
    info.align_bytes = type.align_bytes;
    info.elements = {std::move(row)};
    return info;
  }

  void add(const Type& element, TypeInfo& info) {
    const bool open = std::find(open_.begin(), open_.end(), &element) != open_.end();
    if (!open && nodes_ < kMaxTypeNodes) info.elements.push_back(describe(element));
  }

  void add_members(const Type& type, TypeInfo& info) {
    if (nodes_ + type.members.size() >= kMaxTypeNodes) return;
    open_.push_back(&type);
    for (std::size_t i = 0; i < type.members.size(); ++i) {
      // Every member keeps its place, also one that cannot be opened.
      info.elements.emplace_back();
      TypeInfo& member = info.elements.back();
      member.spelling = decoder::spell(*type.members[i]);
      if (std::find(open_.begin(), open_.end(), type.members[i]) == open_.end())
        member = describe(*type.members[i]);
      const bool named = i < type.member_names.size() && !type.member_names[i].empty();
      info.member_names.push_back(named ? type.member_names[i] : fmt::format("member{}", i));
    }
    info.member_offsets = type.member_offsets;
    open_.pop_back();
  }

  std::vector<const Type*> open_;
  std::uint32_t nodes_ = 0;
};

std::string spell_access(spv::AccessQualifier access) {
  switch (access) {
    case spv::AccessQualifier::ReadOnly:
      return "read_only";
    case spv::AccessQualifier::WriteOnly:
      return "write_only";
    case spv::AccessQualifier::ReadWrite:
      return "read_write";
    default:
      return {};
  }
}

/// Tells the type and the format of texels, as far as a shader's image type has them.
void describe_texels(const Type& type, ImageParameterInfo& info) {
  info.needs_texels = true;
  const Type& texel = *type.element;
  const bool is_wide = texel.width_bits == 64;
  if (texel.kind != Type::Kind::kInt)
    info.texels = TexelType::kFloat;
  else if (texel.is_signed)
    info.texels = is_wide ? TexelType::kSigned64 : TexelType::kSigned;
  else
    info.texels = is_wide ? TexelType::kUnsigned64 : TexelType::kUnsigned;
  const decoder::NamedFormat* const format = decoder::named_format(type.image.format);
  if (format == nullptr) return;
  info.channel_order = format->order;
  info.channel_type = format->type;
}

/// True for a pointer to a block of one run-time array, which is described by its elements.
bool holds_array(const Type& pointer) {
  const Type& block = *pointer.element;
  const bool is_array = block.kind == Type::Kind::kStruct && block.members.size() == 1 &&
                        block.members[0]->is_runtime_array && block.member_offsets[0] == 0;
  if (!is_array) return false;
  const Type& array = *block.members[0];
  const bool is_dense = array.stride_bytes == array.element->size_bytes;
  return is_dense || array.element->kind != Type::Kind::kArray;
}

ParameterInfo describe_parameter(const decoder::EntryInputs& inputs, std::size_t index,
                                 const analysis::HandleUse& uses) {
  const decoder::EntryInput& input = inputs.all()[index];
  const Id id = input.id;
  const Type& type = *input.type;
  ParameterInfo info;
  info.name = inputs.name(index);
  info.by_value_struct = inputs.is_by_value(index);
  if (input.variable == nullptr) {
    info.no_write = inputs.has_attribute(index, spv::FunctionParameterAttribute::NoWrite);
    info.type = describe(type);
  } else {
    info.no_write = inputs.is_read_only(index);
    const bool is_pointer = type.kind == Type::Kind::kPointer;
    info.type = is_pointer ? describe_resource(type) : describe(type);
    info.holds_array = is_pointer && holds_array(type);
    if (const auto at = inputs.binding(index)) info.binding = {at->set, at->binding};
    info.binding_part = input.part;
    info.in_open_array = input.variable->type->element->is_runtime_array;
    if (type.kind == Type::Kind::kSampler) info.type.spelling = "sampler";
  }
  if (const decoder::OpaqueType* opaque = decoder::opaque_type(type.kind))
    if (opaque->has_access) info.access = spell_access(type.access);
  if (type.kind == Type::Kind::kImage) info.image = describe_image(type, uses.texels_of(id));
  if (type.kind == Type::Kind::kPipe) info.pipe = uses.packets_of(id);
  info.is_sampler = type.kind == Type::Kind::kSampler;
  info.is_queue = type.kind == Type::Kind::kQueue;
  return info;
}

void add_source_words(const decoder::Module& module, KernelInfo& info) {
  const auto types = source_parameter_words(module, "kernel_arg_type", info.name);
  const auto qualifiers = source_parameter_words(module, "kernel_arg_type_qual", info.name);
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    ParameterInfo& parameter = info.parameters[i];
    if (types.size() == info.parameters.size()) {
      parameter.source_type = types[i];
      follow_source(types[i], parameter.type);
      if (parameter.pipe && !types[i].empty()) parameter.type.spelling += " " + types[i];
    }
    if (qualifiers.size() != info.parameters.size()) continue;
    parameter.is_const = qualifiers[i].find("const") != std::string::npos;
    parameter.is_restrict = qualifiers[i].find("restrict") != std::string::npos;
    parameter.is_volatile = qualifiers[i].find("volatile") != std::string::npos;
  }
}

/// The operand of VecTypeHint: the number of components above the type of one.
std::string spell_hint(std::uint32_t operand) {
  static constexpr std::string_view kTypes[] = {"char", "short", "int",   "long",
                                                "half", "float", "double"};
  const std::uint32_t type = operand & 0xffff, count = operand >> 16;
  if (type >= std::size(kTypes)) return {};
  return count > 1 ? fmt::format("{}{}", kTypes[type], count) : std::string(kTypes[type]);
}

std::string spell_attributes(const decoder::EntryPoint& entry, const KernelInfo& info) {
  std::vector<std::string> words;
  const auto add_size = [&words](const char* name, const auto& size) {
    if (size) words.push_back(fmt::format("{}({})", name, fmt::join(*size, ",")));
  };
  add_size("reqd_work_group_size", info.required_local_size);
  add_size("work_group_size_hint", info.local_size_hint);
  const decoder::ExecutionMode* hint = entry.mode(spv::ExecutionMode::VecTypeHint);
  if (hint != nullptr && !hint->operands.empty())
    words.push_back(fmt::format("vec_type_hint({})", spell_hint(hint->operands[0])));
  return fmt::format("{}", fmt::join(words, " "));
}

std::string spell_mode(const decoder::ExecutionMode& mode) {
  std::string text(decoder::enumerant_name(decoder::OperandKind::kExecutionMode,
                                           static_cast<std::uint32_t>(mode.kind)));
  if (text.empty()) text = fmt::to_string(static_cast<std::uint32_t>(mode.kind));
  for (std::uint32_t operand : mode.operands) text += fmt::format(" {}", operand);
  return text;
}

std::optional<std::array<std::uint64_t, 3>> size_of_mode(const decoder::EntryPoint& entry,
                                                         spv::ExecutionMode literal,
                                                         spv::ExecutionMode by_id) {
  const decoder::ExecutionMode* mode = entry.mode(literal);
  if (mode == nullptr) mode = entry.mode(by_id);
  if (mode == nullptr || mode->operands.size() < 3) return std::nullopt;
  return std::array<std::uint64_t, 3>{mode->operands[0], mode->operands[1], mode->operands[2]};
}

std::optional<std::uint32_t> operand_of_mode(const decoder::EntryPoint& entry,
                                             spv::ExecutionMode kind) {
  const decoder::ExecutionMode* mode = entry.mode(kind);
  if (mode == nullptr || mode->operands.empty()) return std::nullopt;
  return mode->operands[0];
}

void describe_modes(const decoder::EntryPoint& entry, KernelInfo& info) {
  using Mode = spv::ExecutionMode;
  info.required_local_size = size_of_mode(entry, Mode::LocalSize, Mode::LocalSizeId);
  info.local_size_hint = size_of_mode(entry, Mode::LocalSizeHint, Mode::LocalSizeHintId);
  info.subgroup_size = operand_of_mode(entry, Mode::SubgroupSize);
  info.subgroups_per_workgroup = operand_of_mode(entry, Mode::SubgroupsPerWorkgroup);
  if (!info.subgroups_per_workgroup)
    info.subgroups_per_workgroup = operand_of_mode(entry, Mode::SubgroupsPerWorkgroupId);
  info.is_initializer = entry.mode(Mode::Initializer) != nullptr;
  info.is_finalizer = entry.mode(Mode::Finalizer) != nullptr;
  for (const decoder::ExecutionMode& mode : entry.modes)
    info.execution_modes.push_back(spell_mode(mode));
}

/// Adds the parameters' names and types from debug information. The kernel may be a wrapper of the source's function.
void add_debug_types(const DebugTypes& types, const decoder::EntryInputs& inputs,
                     KernelInfo& info) {
  auto parameters = types.parameters_of(inputs.function()->id);
  if (parameters.empty()) parameters = types.parameters_of(inputs.source_function()->id);
  if (parameters.size() != info.parameters.size()) return;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    types.follow(parameters[i], info.parameters[i].type);
}

KernelInfo describe_kernel(const decoder::Module& module, const decoder::EntryPoint& entry,
                           const analysis::KernelUse& use, const DebugTypes& types,
                           const analysis::HandleUse& handles) {
  KernelInfo info;
  info.name = entry.name;
  if (const decoder::EntryInputs inputs(module, entry); inputs.function() != nullptr) {
    for (std::size_t i = 0; i < inputs.all().size(); ++i)
      info.parameters.push_back(describe_parameter(inputs, i, handles));
    add_debug_types(types, inputs, info);
    add_source_words(module, info);
  }
  info.local_bytes = use.local_bytes;
  info.private_bytes = use.private_bytes;
  describe_modes(entry, info);
  info.attributes = spell_attributes(entry, info);
  return info;
}

/// Describes the kernel of the source in place of the shader that clspv made of it.
void follow_clspv(const decoder::Module& module, const decoder::ClspvReflection& reflection,
                  KernelInfo& info) {
  const decoder::ClspvKernel* const kernel = reflection.kernel(info.name);
  if (kernel == nullptr) return;
  info.parameters = clspv_parameters(module, *kernel);
  info.required_local_size = clspv_required_size(reflection, *kernel, info.required_local_size);
  info.local_bytes -= std::min(info.local_bytes, clspv_local_argument_bytes(module, *kernel));
  info.attributes = kernel->attributes;
}

/// SPIR-V's registry of generators; the tools that one meets with kernels.
std::string spell_generator(std::uint32_t word) {
  struct Tool {
    std::uint32_t number;
    const char* name;
  };
  static constexpr Tool kTools[] = {
      {3, "Codeplay"},
      {4, "NVIDIA"},
      {5, "ARM"},
      {6, "Khronos LLVM/SPIR-V Translator"},
      {7, "Khronos SPIR-V Tools Assembler"},
      {8, "Khronos Glslang Reference Front End"},
      {11, "Intel"},
      {12, "Imagination"},
      {15, "Google rspirv"},
      {16, "X-LEGEND Mesa-IR/SPIR-V Translator"},
      {17, "Khronos SPIR-V Tools Linker"},
      {21, "Google clspv"},
      {22, "Google MLIR SPIR-V Serializer"},
      {30, "Zig Compiler"},
      {40, "Slang Compiler"},
      {43, "LLVM SPIR-V Backend"},
  };
  const std::uint32_t tool = word >> 16;
  for (const Tool& known : kTools)
    if (known.number == tool) return fmt::format("{} ({})", tool, known.name);
  return fmt::format("{}", tool);
}

std::string spell_language(const decoder::Module& module) {
  const std::uint32_t v = module.source_version;
  switch (module.source_language) {
    case spv::SourceLanguage::OpenCL_C:
      // clspv writes 120 for 1.2.
      if (v < 1000) return fmt::format("OpenCL C {}.{}", v / 100, v / 10 % 10);
      return fmt::format("OpenCL C {}.{}", v / 100000, v / 1000 % 100);
    case spv::SourceLanguage::OpenCL_CPP:
      return fmt::format("OpenCL C++ {}.{}", v / 100000, v / 1000 % 100);
    case spv::SourceLanguage::Unknown:
      return {};
    default:
      return std::string(
          decoder::enumerant_name(decoder::OperandKind::kSourceLanguage,
                                  static_cast<std::uint32_t>(module.source_language)));
  }
}

/// In the order in which ProgramVariables counts them.
void describe_variables(const decoder::Module& module, const DebugTypes& types, ModuleInfo& info) {
  std::unordered_set<std::string> names;  // a module may have as many as it has words
  for (const decoder::Variable& variable : module.variables) {
    if (!is_program_scope_variable(variable)) continue;
    const std::size_t index = info.variables.size();
    std::string name = variable.name.empty() ? nameless(index) : variable.name;
    if (names.contains(name)) name += fmt::format(".{}", index);
    names.insert(name);
    info.variables.push_back({std::move(name), describe(*variable.type->element)});
    types.follow(types.variable_type(variable.id), info.variables.back().type);
  }
}

}  // namespace

std::string nameless(std::size_t index) { return fmt::format("variable{}", index); }

bool is_program_scope_variable(const decoder::Variable& variable) {
  return !variable.is_builtin && variable.storage_class == spv::StorageClass::CrossWorkgroup &&
         variable.type->element != nullptr;
}

TypeInfo describe(const Type& type) { return TypeDescriber().describe(type); }

std::optional<ImageParameterInfo> describe_image(const Type& type, TexelType texels) {
  ImageParameterInfo info;
  info.texels = texels;
  info.depth = type.image.depth == 1;
  info.multisampled = type.image.multisampled;
  if (type.image.sampled != 0) describe_texels(type, info);
  switch (type.image.dim) {
    case spv::Dim::Dim1D:
      info.dim = type.image.arrayed ? ImageDim::k1DArray : ImageDim::k1D;
      return info;
    case spv::Dim::Rect:
      if (type.image.sampled == 0) return std::nullopt;
      [[fallthrough]];
    case spv::Dim::Dim2D:
      info.dim = type.image.arrayed ? ImageDim::k2DArray : ImageDim::k2D;
      return info;
    case spv::Dim::Dim3D:
      info.dim = ImageDim::k3D;
      return info;
    case spv::Dim::Buffer:
      info.dim = ImageDim::k1DBuffer;
      return info;
    case spv::Dim::Cube:
      if (type.image.sampled == 0) return std::nullopt;
      info.dim = ImageDim::k2DArray;
      info.cubes = type.image.arrayed ? ImageParameterInfo::Cubes::kSeveral
                                      : ImageParameterInfo::Cubes::kOne;
      return info;
    default:
      return std::nullopt;
  }
}

TypeInfo describe_resource(const Type& pointer) {
  TypeInfo info = describe(pointer);
  if (!holds_array(pointer)) return info;
  const Type& array = *pointer.element->members[0];
  info.spelling = fmt::format("{} {}*", info.address_space, decoder::spell(*array.element));
  info.elements = {describe(*array.element)};
  info.elements[0].size_bytes = array.stride_bytes;
  return info;
}

ModuleInfo describe(const decoder::Module& module, std::span<const analysis::KernelUse> uses,
                    const decoder::ClspvReflection* clspv) {
  ModuleInfo info;
  info.name = module.input_name;
  info.spirv_version =
      fmt::format("{}.{}", module.version >> 16 & 0xff, module.version >> 8 & 0xff);
  info.generator = spell_generator(module.generator);
  info.pointer_bits = module.pointer_bytes() * 8;
  info.source_language = spell_language(module);
  for (spv::Capability capability : module.capabilities) {
    const std::string_view known = decoder::capability_name(capability);
    info.capabilities.push_back(known.empty() ? fmt::to_string(static_cast<unsigned>(capability))
                                              : std::string(known));
  }
  info.extensions = module.extensions;
  const DebugTypes types(module);
  const analysis::HandleUse handles(module);
  const decoder::BlockKernels blocks = decoder::block_kernels(module);
  for (const decoder::EntryPoint* entry : decoder::launched_entry_points(module)) {
    info.kernels.push_back(
        describe_kernel(module, *entry, uses[info.kernels.size()], types, handles));
    info.kernels.back().is_enqueued = blocks.entries.contains(entry->function);
    if (clspv != nullptr) follow_clspv(module, *clspv, info.kernels.back());
  }
  for (const decoder::Variable& variable : module.variables)
    if (variable.storage_class == spv::StorageClass::CrossWorkgroup)
      info.global_bytes = (Checked(info.global_bytes) + variable.type->element->size_bytes).value();
  for (const decoder::Constant& constant : module.constants) {
    if (!constant.has_spec_id || constant.type == nullptr) continue;
    info.spec_constants.push_back({constant.spec_id, std::string(module.name(constant.id)),
                                   describe(*constant.type), constant.bits});
  }
  describe_variables(module, types, info);
  return info;
}

bool has_named_barriers(const decoder::Module& module) {
  return std::any_of(module.types.begin(), module.types.end(),
                     [](const auto& type) { return type->kind == Type::Kind::kNamedBarrier; });
}

}  // namespace transpire::reflect
