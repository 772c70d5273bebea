// Checks that the reflection of clspv holds for its module: see decoder/clspv_reflection.h.
#include <fmt/format.h>

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

/// Values may have padding of the source's type behind the last member of a block.
constexpr std::uint64_t kBlockAlign = 16;
/// SPIR-V 1.0, "Universal Limits".
constexpr std::uint32_t kMostParameters = 255;

std::string_view describe(ClspvCarrier carrier) {
  static constexpr std::string_view kWords[] = {
      "",         "storage buffer", "uniform buffer", "block of push constants",
      "constant", "sampled image",  "storage image",  "texel buffer",
      "sampler"};
  return kWords[static_cast<std::size_t>(carrier)];
}

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

class Checks {
 public:
  Checks(const Module& module, const ClspvReflection& reflection);
  Status run() const;

 private:
  Status check_kernel(const ClspvKernel& kernel) const;
  Status check_arguments(const ClspvKernel& kernel) const;
  Status check_kernel_facts(const ClspvKernel& kernel, const EntryPoint& entry) const;
  Status check_required_size(const ClspvFact& fact, const EntryPoint& entry) const;
  Status check_covered(const ClspvKernel& kernel, const EntryInputs& inputs) const;
  Status check_fact(const ClspvFact& fact, const Resources& own) const;
  Status check_block(const ClspvFact& fact, const Resources& own) const;
  Status check_spec_ids(const ClspvFact& fact) const;
  Status check_data(const ClspvFact& fact, std::uint64_t bytes) const;
  Status check_printf() const;
  Diagnostic error(const ClspvFact& fact, std::string_view message) const {
    return clspv_error(module_, fact, message);
  }

  const Module& module_;
  const ClspvReflection& reflection_;
  Resources resources_;  ///< all that the module has
  std::unordered_map<std::uint32_t, const Constant*> spec_constants_;
  /// Types of elements of local arrays, by the constants that say how many they are.
  std::unordered_map<Id, const Type*> elements_;
};

Checks::Checks(const Module& module, const ClspvReflection& reflection)
    : module_(module), reflection_(reflection) {
  for (const Variable& variable : module.variables) {
    if (variable.type == nullptr || variable.type->element == nullptr) continue;
    const Type& type = *variable.type->element;
    if (variable.storage_class == spv::StorageClass::Workgroup && type.kind == Type::Kind::kArray)
      elements_[type.length] = type.element;
    if (is_resource(module, variable))
      resources_.add(module, variable, binding_of(module, variable));
  }
  for (const Constant& constant : module.constants)
    if (constant.has_spec_id) spec_constants_[constant.spec_id] = &constant;
}

Status Checks::run() const {
  std::set<std::string_view> names;
  for (const ClspvKernel& kernel : reflection_.kernels) {
    if (!names.insert(kernel.name).second)
      return error(kernel.facts[0], fmt::format("'{}' is declared a second time", kernel.name));
    if (Status good = check_kernel(kernel); !good) return good;
  }
  for (const ClspvFact& fact : reflection_.facts)
    if (Status good = check_fact(fact, resources_); !good) return good;
  return check_printf();
}

Status Checks::check_kernel(const ClspvKernel& kernel) const {
  const EntryPoint* const entry = module_.entry_point(kernel.name);
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
  for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
    const ClspvArgument& argument = kernel.arguments[i];
    if (argument.ordinal() >= kernel.parameter_count)
      return error(argument, fmt::format("expected a parameter below {} of kernel '{}', found {}",
                                         kernel.parameter_count, kernel.name, argument.ordinal()));
    if (i > 0 && kernel.arguments[i - 1].ordinal() == argument.ordinal())
      return error(argument, fmt::format("parameter {} of kernel '{}' has two arguments",
                                         argument.ordinal(), kernel.name));
  }
  return Unit{};
}

Status Checks::check_required_size(const ClspvFact& fact, const EntryPoint& entry) const {
  const std::array<std::uint32_t, 3> size{fact[kX], fact[kY], fact[kZ]};
  if (std::ranges::find(size, 0u) != size.end()) return error(fact, "a dimension is zero");
  if (reflection_.fact(ClspvOp::kSpecConstantWorkgroupSize) != nullptr) return Unit{};
  const ExecutionMode* const mode = entry.mode(spv::ExecutionMode::LocalSize);
  if (mode != nullptr && std::ranges::equal(mode->operands, size)) return Unit{};
  return error(
      fact,
      fmt::format("the size is ({}), LocalSize of '{}' is ({})", fmt::join(size, ","), entry.name,
                  mode == nullptr ? "" : fmt::format("{}", fmt::join(mode->operands, ","))));
}

Status Checks::check_kernel_facts(const ClspvKernel& kernel, const EntryPoint& entry) const {
  for (const ClspvFact& fact : kernel.facts) {
    if (fact.op == ClspvOp::kKernel) continue;
    if (fact.op == ClspvOp::kPropertyRequiredWorkgroupSize) {
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
  std::set<std::pair<std::uint32_t, std::uint32_t>> bound;
  bool pushes = false;
  const auto add = [&](const ClspvFact& fact) {
    const ClspvCarrier carrier = decoder::carrier_of(fact.op);
    pushes = pushes || carrier == ClspvCarrier::kPushConstant;
    if (carrier != ClspvCarrier::kNone && carrier != ClspvCarrier::kPushConstant &&
        carrier != ClspvCarrier::kSpecConstant)
      bound.insert({fact[kSet], fact[kBinding]});
  };
  std::ranges::for_each(kernel.arguments, add);
  std::ranges::for_each(kernel.facts, add);
  std::ranges::for_each(reflection_.facts, add);
  for (std::size_t i = 0; i < inputs.all().size(); ++i) {
    const std::optional<Binding> at = inputs.binding(i);
    if (at ? bound.contains({at->set, at->binding}) : pushes) continue;
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
  const bool is_triple = fact.op == ClspvOp::kSpecConstantWorkgroupSize ||
                         fact.op == ClspvOp::kSpecConstantGlobalOffset;
  std::vector<std::uint32_t> ids{fact[kSpecId]};
  if (is_triple) ids.insert(ids.end(), {fact[kSpecIdY], fact[kSpecIdZ]});
  for (const std::uint32_t id : ids) {
    const auto found = spec_constants_.find(id);
    if (found == spec_constants_.end() || found->second->type->kind != Type::Kind::kInt ||
        found->second->type->width_bits != 32)
      return error(fact, fmt::format("the module has no constant of 32 bits with SpecId {}", id));
  }
  if (fact.op != ClspvOp::kArgumentWorkgroup) return Unit{};
  const auto element = elements_.find(spec_constants_.at(fact[kSpecId])->id);
  const std::uint64_t least = element == elements_.end() ? 1 : element->second->size_bytes;
  if (fact[kElementSize] >= least && fact[kElementSize] != 0) return Unit{};
  return error(fact, fmt::format("elements of the local array have {} bytes, found {}", least,
                                 fact[kElementSize]));
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
