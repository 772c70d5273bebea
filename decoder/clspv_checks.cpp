// Checks that the reflection of clspv holds for its module: see decoder/clspv_reflection.h.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "decoder/clspv_reflection.h"
#include "decoder/entry_inputs.h"

namespace transpire::decoder {
namespace {

using enum ClspvOperand;

/// Bytes of a vector of three integers of 32 bits, which sizes and offsets of launches are.
constexpr std::uint32_t kTripleBytes = 12;
constexpr std::uint32_t kAddressBytes = 8;

/// Values may have padding of the source's type behind the last member of a block.
constexpr std::uint64_t kBlockAlign = 16;
/// SPIR-V 1.0, "Universal Limits".
constexpr std::uint32_t kMostParameters = 255;
/// Sums over all kernels.
constexpr std::uint64_t kMostUnused = std::uint64_t{1} << 16, kMostBytes = std::uint64_t{1} << 26;

/// Resources that facts give a value, by set, binding and carrier. Push constants are at 0, 0.
struct Covered {
  std::set<std::tuple<std::uint32_t, std::uint32_t, ClspvCarrier>> places;

  void add(const ClspvFact& fact) {
    places.insert({fact[kSet], fact[kBinding], carrier_of(fact.op)});
  }
  bool has(const Binding& at, ClspvCarrier carrier) const {
    return places.contains({at.set, at.binding, carrier});
  }
};

std::string_view describe(ClspvCarrier carrier) {
  static constexpr std::string_view kWords[] = {
      "",         "storage buffer", "uniform buffer", "block of push constants",
      "constant", "sampled image",  "storage image",  "texel buffer",
      "sampler"};
  return kWords[static_cast<std::size_t>(carrier)];
}

}  // namespace

ClspvCarrier carrier_of(const Module& module, const Variable& variable) {
  const Type& type = *variable.type->element;
  switch (variable.storage_class) {
    case spv::StorageClass::StorageBuffer:
      return ClspvCarrier::kStorageBuffer;
    case spv::StorageClass::PushConstant:
      return ClspvCarrier::kPushConstant;
    case spv::StorageClass::Uniform:
      return module.decoration(type.id, spv::Decoration::BufferBlock) == nullptr
                 ? ClspvCarrier::kUniform
                 : ClspvCarrier::kStorageBuffer;
    case spv::StorageClass::UniformConstant:
      if (type.kind == Type::Kind::kSampler) return ClspvCarrier::kSampler;
      if (type.kind != Type::Kind::kImage) return ClspvCarrier::kNone;
      if (type.image.dim == spv::Dim::Buffer) return ClspvCarrier::kTexelBuffer;
      return type.image.sampled == 2 ? ClspvCarrier::kStorageImage : ClspvCarrier::kSampledImage;
    default:
      return ClspvCarrier::kNone;
  }
}

namespace {

/// Bytes of a block; no limit if its last member is a runtime array, or it is no block.
std::uint64_t block_bytes(const Type& type) {
  const bool is_open = type.kind != Type::Kind::kStruct || type.members.empty() ||
                       type.members.back()->is_runtime_array;
  return is_open ? UINT64_MAX : type.size_bytes;
}

/// Resources by set, binding and carrier, each with the bytes of the largest block there. Push constants are at 0, 0.
class Resources {
 public:
  void add(const Module& module, const Variable& variable, const std::optional<Binding>& at) {
    const ClspvCarrier carrier = carrier_of(module, variable);
    const Binding place = at.value_or(Binding{});
    std::uint64_t& bytes = bytes_[{place.set, place.binding, carrier}];
    bytes = std::max(bytes, block_bytes(*variable.type->element));
  }
  const std::uint64_t* find(const ClspvFact& fact) const {
    const auto found = bytes_.find({fact[kSet], fact[kBinding], decoder::carrier_of(fact.op)});
    return found == bytes_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::tuple<std::uint32_t, std::uint32_t, ClspvCarrier>, std::uint64_t> bytes_;
};

/// True for facts whose value is an address.
bool is_address_of(ClspvOp op) {
  return is_address(op) || op == ClspvOp::kConstantDataPointerPushConstant ||
         op == ClspvOp::kProgramScopeVariablePointerPushConstant ||
         op == ClspvOp::kPrintfBufferPointerPushConstant;
}

/// clspv's Sampler.h: a bit for normalized coordinates, three for five addressing modes, two for nearest (or nothing) and linear.
bool is_sampler_mask(std::uint32_t mask) { return (mask >> 1 & 7) <= 4 && mask >> 4 <= 2; }

std::vector<std::uint32_t> spec_ids_of(const ClspvFact& fact) {
  std::vector<std::uint32_t> ids{fact[kSpecId]};
  if (fact.op == ClspvOp::kSpecConstantWorkgroupSize ||
      fact.op == ClspvOp::kSpecConstantGlobalOffset)
    ids.insert(ids.end(), {fact[kSpecIdY], fact[kSpecIdZ]});
  return ids;
}

class Checks {
 public:
  Checks(const Module& module, const ClspvReflection& reflection);
  Status run();

 private:
  Status check_distinct();
  Status check_sizes() const;
  Status check_kernel(const ClspvKernel& kernel) const;
  Status check_arguments(const ClspvKernel& kernel) const;
  Status check_kernel_facts(const ClspvKernel& kernel, const EntryPoint& entry) const;
  Status check_required_size(const ClspvFact& fact, const EntryPoint& entry) const;
  Status check_covered(const ClspvKernel& kernel, const EntryInputs& inputs) const;
  Status check_fact(const ClspvFact& fact, const Resources& own) const;
  Status check_block(const ClspvFact& fact, const Resources& own) const;
  Status check_spec_ids(const ClspvFact& fact) const;
  Status check_data(const ClspvFact& fact, std::uint64_t bytes) const;
  Status check_relocation(const ClspvFact& fact) const;
  Status check_printf() const;
  Diagnostic error(const ClspvFact& fact, std::string_view message) const {
    return clspv_error(module_, fact, message);
  }

  const Module& module_;
  const ClspvReflection& reflection_;
  Resources resources_;  ///< all that the module has
  Covered by_module_;    ///< by facts that hold for all kernels
  std::unordered_map<std::string_view, const EntryPoint*> entry_points_;
  std::unordered_map<std::uint32_t, const Constant*> spec_constants_;
  std::set<std::uint32_t> launch_constants_;  ///< SpecIds of facts that hold for all kernels
  std::unordered_map<Id, const Variable*> local_arrays_;
};

Checks::Checks(const Module& module, const ClspvReflection& reflection)
    : module_(module), reflection_(reflection), local_arrays_(local_arrays(module)) {
  for (const Variable& variable : module.variables)
    if (variable.type != nullptr && variable.type->element != nullptr &&
        is_resource(module, variable))
      resources_.add(module, variable, binding_of(module, variable));
  for (const ClspvFact& fact : reflection.facts) by_module_.add(fact);
  for (const EntryPoint& entry : module.entry_points) entry_points_.try_emplace(entry.name, &entry);
  for (const Constant& constant : module.constants)
    if (constant.has_spec_id) spec_constants_[constant.spec_id] = &constant;
}

Status Checks::run() {
  if (Status good = check_sizes(); !good) return good;
  if (Status good = check_distinct(); !good) return good;
  for (const ClspvKernel& kernel : reflection_.kernels)
    if (Status good = check_kernel(kernel); !good) return good;
  for (const ClspvFact& fact : reflection_.facts)
    if (Status good = check_fact(fact, resources_); !good) return good;
  return check_printf();
}

/// Descriptions repeat names, and have parameters of which the module says nothing: few words could stand for many bytes.
Status Checks::check_sizes() const {
  std::uint64_t unused = 0, bytes = 0;
  for (const ClspvKernel& kernel : reflection_.kernels) {
    unused += kernel.parameter_count -
              std::min<std::uint64_t>(kernel.parameter_count, kernel.arguments.size());
    bytes += kernel.attributes.size();
    for (const ClspvArgument& argument : kernel.arguments)
      bytes += argument.name.size() + argument.type_name.size();
    if (kernel.parameter_count <= kMostParameters && unused > kMostUnused)
      return error(kernel.facts[0],
                   fmt::format("expected at most {} unused parameters in all", kMostUnused));
    if (bytes > kMostBytes)
      return error(kernel.facts[0],
                   fmt::format("expected at most {} bytes of names in all", kMostBytes));
  }
  return Unit{};
}

/// Each constant gets its value from one fact.
Status Checks::check_distinct() {
  for (const ClspvFact& fact : reflection_.facts) {
    if (decoder::carrier_of(fact.op) != ClspvCarrier::kSpecConstant) continue;
    for (const std::uint32_t id : spec_ids_of(fact))
      if (!launch_constants_.insert(id).second)
        return error(fact, fmt::format("SpecId {} has its value from another instruction", id));
  }
  return Unit{};
}

Status Checks::check_kernel(const ClspvKernel& kernel) const {
  const auto found = entry_points_.find(kernel.name);
  const EntryPoint* const entry = found == entry_points_.end() ? nullptr : found->second;
  if (entry == nullptr || entry->function != kernel.function ||
      entry->model != spv::ExecutionModel::GLCompute)
    return error(kernel.facts[0], fmt::format("{} is no GLCompute entry point of the name '{}'",
                                              module_.spell_id(kernel.function), kernel.name));
  if (Status good = check_arguments(kernel); !good) return good;
  if (Status good = check_kernel_facts(kernel, *entry); !good) return good;
  const EntryInputs inputs(module_, *entry);
  Resources own;
  for (std::size_t i = 0; i < inputs.all().size(); ++i)
    own.add(module_, *inputs.all()[i].variable, inputs.binding(i));
  for (const ClspvArgument& argument : kernel.arguments)
    if (Status good = check_fact(argument, own); !good) return good;
  for (const ClspvFact& fact : kernel.facts)
    if (Status good = check_fact(fact, own); !good) return good;
  return check_covered(kernel, inputs);
}

/// Numbers of parameters: one argument for each, and none beyond the last.
Status Checks::check_arguments(const ClspvKernel& kernel) const {
  if (kernel.parameter_count > kMostParameters)
    return error(kernel.facts[0], fmt::format("expected at most {} parameters of kernel '{}'",
                                              kMostParameters, kernel.name));
  std::set<std::uint32_t> lengths = launch_constants_;
  for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
    const ClspvArgument& argument = kernel.arguments[i];
    if (argument.ordinal() >= kernel.parameter_count)
      return error(argument, fmt::format("expected a parameter below {} of kernel '{}', found {}",
                                         kernel.parameter_count, kernel.name, argument.ordinal()));
    if (i > 0 && kernel.arguments[i - 1].ordinal() == argument.ordinal())
      return error(argument, fmt::format("parameter {} of kernel '{}' has two arguments",
                                         argument.ordinal(), kernel.name));
    if (argument.op == ClspvOp::kArgumentWorkgroup && !lengths.insert(argument[kSpecId]).second)
      return error(argument, fmt::format("SpecId {} has its value from another instruction",
                                         argument[kSpecId]));
  }
  return Unit{};
}

Status Checks::check_required_size(const ClspvFact& fact, const EntryPoint& entry) const {
  const std::array<std::uint32_t, 3> size{fact[kX], fact[kY], fact[kZ]};
  if (std::ranges::find(size, 0u) != size.end()) return error(fact, "a dimension is zero");
  if (reflection_.fact(ClspvOp::kSpecConstantWorkgroupSize) != nullptr) return Unit{};
  const ExecutionMode* mode = entry.mode(spv::ExecutionMode::LocalSize);
  if (mode == nullptr) mode = entry.mode(spv::ExecutionMode::LocalSizeId);
  if (mode != nullptr && std::ranges::equal(mode->operands, size)) return Unit{};
  return error(
      fact,
      fmt::format("the size is ({}), LocalSize of '{}' is ({})", fmt::join(size, ","), entry.name,
                  mode == nullptr ? "" : fmt::format("{}", fmt::join(mode->operands, ","))));
}

Status Checks::check_kernel_facts(const ClspvKernel& kernel, const EntryPoint& entry) const {
  bool has_size = false;
  for (const ClspvFact& fact : kernel.facts) {
    if (fact.op == ClspvOp::kKernel) continue;
    if (fact.op == ClspvOp::kPropertyRequiredWorkgroupSize) {
      if (std::exchange(has_size, true)) return error(fact, "stands a second time");
      if (Status good = check_required_size(fact, entry); !good) return good;
      continue;
    }
    const auto found =
        std::ranges::lower_bound(kernel.arguments, fact[kOrdinal], {}, &ClspvArgument::ordinal);
    const bool of_sampler = fact.op == ClspvOp::kNormalizedSamplerMaskPushConstant;
    const ClspvCarrier is = found == kernel.arguments.end() || found->ordinal() != fact[kOrdinal]
                                ? ClspvCarrier::kNone
                                : decoder::carrier_of(found->op);
    const bool fits = of_sampler ? is == ClspvCarrier::kSampler
                                 : is >= ClspvCarrier::kSampledImage && is < ClspvCarrier::kSampler;
    if (!fits)
      return error(fact, fmt::format("parameter {} of kernel '{}' is no {}", fact[kOrdinal],
                                     kernel.name, of_sampler ? "sampler" : "image"));
  }
  return Unit{};
}

/// Each resource that the kernel uses gets its value from some fact.
Status Checks::check_covered(const ClspvKernel& kernel, const EntryInputs& inputs) const {
  Covered own;
  for (const ClspvArgument& argument : kernel.arguments) own.add(argument);
  for (const ClspvFact& fact : kernel.facts) own.add(fact);
  for (std::size_t i = 0; i < inputs.all().size(); ++i) {
    const std::optional<Binding> at = inputs.binding(i);
    const ClspvCarrier carrier = carrier_of(module_, *inputs.all()[i].variable);
    if (own.has(at.value_or(Binding{}), carrier) || by_module_.has(at.value_or(Binding{}), carrier))
      continue;
    return error(
        kernel.facts[0],
        fmt::format("nothing says which value kernel '{}' takes in '{}'{}", kernel.name,
                    inputs.name(i),
                    at ? fmt::format(", at set {} and binding {}", at->set, at->binding) : ""));
  }
  return Unit{};
}

/// `own`: the resources that the fact's kernel uses; another kernel may have others at the same places.
Status Checks::check_fact(const ClspvFact& fact, const Resources& own) const {
  switch (decoder::carrier_of(fact.op)) {
    case ClspvCarrier::kNone:
      break;
    case ClspvCarrier::kSpecConstant:
      return check_spec_ids(fact);
    default:
      return check_block(fact, own);
  }
  if (fact.op == ClspvOp::kProgramScopeVariablePointerRelocation) return check_relocation(fact);
  if (fact.op != ClspvOp::kWorkgroupVariableSize) return Unit{};
  const Variable* const variable = module_.variable(fact[kVariable]);
  if (variable->storage_class == spv::StorageClass::Workgroup) return Unit{};
  return error(fact, fmt::format("{} is no Workgroup variable", module_.spell_id(variable->id)));
}

Status Checks::check_block(const ClspvFact& fact, const Resources& own) const {
  const ClspvCarrier carrier = decoder::carrier_of(fact.op);
  const bool is_pushed = carrier == ClspvCarrier::kPushConstant;
  const std::uint64_t* bytes = own.find(fact);
  if (bytes == nullptr) bytes = resources_.find(fact);
  if (bytes == nullptr)
    return error(fact, is_pushed ? std::string("the module has no push constants")
                                 : fmt::format("the module has no {} at set {} and binding {}",
                                               describe(carrier), fact[kSet], fact[kBinding]));
  if (is_address_of(fact.op) && fact[kSize] != kAddressBytes)
    return error(fact, fmt::format("expected {} bytes, found {}", kAddressBytes, fact[kSize]));
  if (fact.op == ClspvOp::kLiteralSampler && !is_sampler_mask(fact[kMask]))
    return error(fact, fmt::format("{:#x} describes no sampler", fact[kMask]));
  if (fact[kData] != 0) {
    if (Status good = check_data(fact, is_pushed || *bytes == UINT64_MAX ? 0 : *bytes); !good)
      return good;
  }
  if (fact.op >= ClspvOp::kPushConstantGlobalOffset &&
      fact.op <= ClspvOp::kPushConstantRegionGroupOffset && fact[kSize] < kTripleBytes)
    return error(fact, fmt::format("expected {} bytes, found {}", kTripleBytes, fact[kSize]));
  const std::uint64_t end = std::uint64_t{fact[kOffset]} + fact[kSize];
  if (end <= *bytes || end <= (*bytes + kBlockAlign - 1) / kBlockAlign * kBlockAlign) return Unit{};
  return error(fact, fmt::format("the {} has {} bytes, the value ends at {}", describe(carrier),
                                 *bytes, end));
}

Status Checks::check_spec_ids(const ClspvFact& fact) const {
  for (const std::uint32_t id : spec_ids_of(fact)) {
    const auto found = spec_constants_.find(id);
    if (found == spec_constants_.end() || found->second->type->kind != Type::Kind::kInt ||
        found->second->type->width_bits != 32)
      return error(fact, fmt::format("the module has no constant of 32 bits with SpecId {}", id));
  }
  if (fact.op != ClspvOp::kArgumentWorkgroup) return Unit{};
  const auto array = local_arrays_.find(spec_constants_.at(fact[kSpecId])->id);
  const std::uint32_t found = fact[kElementSize];
  if (found == 0) return error(fact, "the elements have no bytes");
  if (array == local_arrays_.end()) return Unit{};
  const Type& type = *array->second->type->element->element;
  const bool is_triple = type.kind == Type::Kind::kVector && type.count == 3;
  if (found == type.size_bytes || (is_triple && found == type.element->size_bytes * 4))
    return Unit{};
  return error(fact, fmt::format("elements of the local array have {} bytes, found {}",
                                 type.size_bytes, found));
}

/// `bytes`: those of the block that the data fill.
Status Checks::check_data(const ClspvFact& fact, std::uint64_t bytes) const {
  const std::string_view digits = module_.string(fact[kData]);
  const auto is_digit = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
  if (digits.size() % 2 != 0 || !std::ranges::all_of(digits, is_digit))
    return error(fact, "expected bytes of two hexadecimal digits each");
  if (digits.size() / 2 >= bytes) return Unit{};
  return error(fact,
               fmt::format("the block has {} bytes, the data have {}", bytes, digits.size() / 2));
}

/// An address of a byte of the program-scope variables, in them.
Status Checks::check_relocation(const ClspvFact& fact) const {
  const ClspvFact* const variables = reflection_.variables();
  if (variables == nullptr) return error(fact, "the module has no program-scope variables");
  if (fact[kSize] != kAddressBytes)
    return error(fact, fmt::format("expected {} bytes, found {}", kAddressBytes, fact[kSize]));
  const std::uint64_t bytes = module_.string((*variables)[kData]).size() / 2;
  if (std::uint64_t{fact[kOffset]} + kAddressBytes <= bytes && fact[kObjectOffset] < bytes)
    return Unit{};
  return error(fact, fmt::format("the program-scope variables have {} bytes", bytes));
}

Status Checks::check_printf() const {
  std::set<std::uint32_t> numbers;
  for (const ClspvFact& fact : reflection_.facts)
    if (fact.op == ClspvOp::kPrintfInfo && !numbers.insert(fact[kPrintfId]).second)
      return error(fact, fmt::format("two texts have the number {}", fact[kPrintfId]));
  return Unit{};
}

}  // namespace

Status check_clspv_reflection(const Module& module, const ClspvReflection& reflection) {
  return Checks(module, reflection).run();
}

}  // namespace transpire::decoder
