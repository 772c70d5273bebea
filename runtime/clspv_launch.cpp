#include "runtime/clspv_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "decoder/entry_inputs.h"
#include "decoder/reached.h"
#include "reflect/clspv_parameters.h"
#include "runtime/arguments.h"
#include "runtime/clspv_values.h"
#include "runtime/geometry.h"
#include "runtime/launch_part.h"
#include "transpire/launch_rules.hpp"

namespace transpire::runtime {
namespace {

using decoder::ClspvArgument;
using decoder::ClspvCarrier;
using decoder::ClspvFact;
using decoder::ClspvOp;
using decoder::is_descriptor;
using vm::exec::LaunchIds;
using enum decoder::ClspvOperand;

/// Set, binding, and the thing that is there.
using Place = std::tuple<std::uint32_t, std::uint32_t, ClspvCarrier>;
using Specialisation = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

/// Bytes that two hexadecimal digits each give; the decoder has checked the digits.
std::vector<std::byte> bytes_of(std::string_view digits) {
  const auto value = [](char c) {
    return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;  // letters of either case
  };
  std::vector<std::byte> bytes(digits.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(value(digits[2 * i]) * 16 + value(digits[2 * i + 1]));
  return bytes;
}

Place place_of(const ClspvFact& fact) {
  return {fact[kSet], fact[kBinding], decoder::carrier_of(fact.op)};
}

/// Makes the launches of a shader for one launch of its kernel.
class Translation {
 public:
  Translation(const Launch& launch, ModuleState& module, std::uint32_t number, ClspvBuffers& kept)
      : launch_(launch),
        module_(module),
        reflection_(*module.clspv),
        kernel_(*reflection_.kernel(launch.kernel)),
        info_(module.kernel_info(number)),
        number_(number),
        inputs_(module.module, *module.entry_points[number]),
        kept_(kept),
        names_(reflect::clspv_variable_names(module.module, kernel_)),
        reached_(decoder::reached_from(
            module.module, *module.module.function(module.entry_points[number]->function))) {}

  Status check();
  Result<ShaderLaunches> launches(const WorkLimit& limit);

 private:
  Status check_arguments() const;
  Status check_sizes() const;
  Result<Specialisation> specialisation() const;
  Result<ShaderLaunch> launch_of(const Region& region, Specialisation values,
                                 const WorkLimit& limit);
  std::optional<Place> place_of_input(std::size_t input) const;
  Result<Argument> argument_of(const ParameterInfo& parameter, const std::optional<Place>& place,
                               const Region& region);
  Result<Argument> values_at(const Place& place, std::uint64_t bytes);
  Argument descriptor_of(const ClspvArgument& argument) const;
  Result<Argument> value_of_module(const ClspvFact& fact);
  Result<Argument> data_of(const ClspvFact& fact);
  Result<Argument> printf_buffer(const ClspvFact& fact);
  Result<Buffer> make_buffer(std::uint64_t bytes, std::string name);
  Status take_bytes(std::uint64_t bytes, std::string_view name);
  Result<Argument> pushed(std::uint64_t bytes, const Region& region);
  Status add_addresses(const std::optional<Place>& place, const Launch& launch, LaunchPart& part);
  Status add_relocations(LaunchPart& part);
  Result<std::optional<LaunchPart::Address>> address_of(const ClspvFact& fact);
  std::vector<const ClspvFact*> values_in(const std::optional<Place>& place) const;
  bool has(ClspvOp op) const { return reflection_.fact(op) != nullptr; }
  bool reads(spv::BuiltIn builtin) const;
  /// True if each region's shader can tell its ids from those of the others.
  bool splits() const {
    return reflection_.has_regions() && has(ClspvOp::kSpecConstantWorkgroupSize) &&
           (has(ClspvOp::kPushConstantRegionOffset) || !reads(spv::BuiltIn::GlobalInvocationId)) &&
           (has(ClspvOp::kPushConstantRegionGroupOffset) || !reads(spv::BuiltIn::WorkgroupId)) &&
           (has(ClspvOp::kPushConstantNumWorkgroups) || !reads(spv::BuiltIn::NumWorkgroups));
  }

  const Launch& launch_;
  ModuleState& module_;
  const decoder::ClspvReflection& reflection_;
  const decoder::ClspvKernel& kernel_;
  const KernelInfo& info_;
  std::uint32_t number_;  ///< the kernel's
  decoder::EntryInputs inputs_;
  ClspvBuffers& kept_;
  VariableNames names_;       ///< the kernel's, for variables of the shader
  decoder::Reached reached_;  ///< by the kernel
  LaunchIds ids_;
  std::vector<Region> regions_;
  std::map<Place, Argument> made_;
  std::optional<Buffer> printf_;
  std::uint64_t made_bytes_ = 0;  ///< sum over the buffers that the launch made
};

Status Translation::check() {
  TRANSPIRE_TRY(ids_, resolve_geometry(launch_.geometry, module_, number_, launch_));
  regions_ = regions_of(ids_);
  // As other shaders, it then runs with groups of several sizes of which it does not know.
  if (launch_.lenient && !splits()) regions_ = {whole_of(ids_)};
  if (const Status fits = check_sizes(); !fits) return fits;
  return check_arguments();
}

/// True if an instruction of the kernel, or of a function that it calls, names the built-in variable.
bool Translation::reads(spv::BuiltIn builtin) const {
  const auto is_builtin = [&](const decoder::Variable* variable) {
    const decoder::Decoration* const is =
        module_.module.decoration(variable->id, spv::Decoration::BuiltIn);
    return is != nullptr && !is->operands.empty() &&
           is->operands[0] == static_cast<std::uint32_t>(builtin);
  };
  return std::ranges::any_of(reached_.variables, is_builtin);
}

/// Sizes and offsets that the shader can be told of.
Status Translation::check_sizes() const {
  const auto refuse = [](std::string message) -> Status {
    return make_diagnostic(Rule::kC0004, std::move(message));
  };
  for (std::size_t d = 0; d < 3; ++d)
    if (ids_.global_size[d] > UINT32_MAX ||
        ids_.global_offset[d] > UINT32_MAX - ids_.global_size[d])
      return refuse("sizes and ids of kernels that clspv compiled have 32 bits");
  const bool takes_offset =
      !reads(spv::BuiltIn::GlobalInvocationId) || has(ClspvOp::kPushConstantGlobalOffset) ||
      has(ClspvOp::kSpecConstantGlobalOffset) || has(ClspvOp::kPushConstantRegionOffset);
  if (!takes_offset && std::ranges::any_of(ids_.global_offset, [](auto n) { return n != 0; }))
    return refuse(fmt::format("kernel '{}' was compiled without a global offset", kernel_.name));
  if (regions_.size() > 1 && !splits())
    return refuse(
        fmt::format("kernel '{}' was compiled for work-groups of one size", kernel_.name));
  return Unit{};
}

/// Arguments are those of any kernel with such parameters.
Status Translation::check_arguments() const {
  std::vector<vm::Parameter> parameters;
  for (const ParameterInfo& info : info_.parameters) {
    vm::Parameter& parameter = parameters.emplace_back();
    parameter.name = info.name;
    const TypeInfo& type = info.type;
    if (info.is_unused) {
      parameter.kind = vm::Parameter::Kind::kUnsupported;
    } else if (type.kind == TypeInfo::Kind::kPointer) {
      parameter.kind = vm::Parameter::Kind::kPointer;
      if (type.address_space == "local") parameter.storage_class = spv::StorageClass::Workgroup;
    } else if (info.image || info.is_sampler) {
      parameter.kind = info.image ? vm::Parameter::Kind::kImage : vm::Parameter::Kind::kSampler;
    } else {
      parameter.size_bytes = type.size_bytes;
      const bool is_vector = type.kind == TypeInfo::Kind::kVector;
      parameter.slot_count = is_vector ? static_cast<std::uint32_t>(type.count) : 1;
      parameter.element_bytes = is_vector ? type.elements[0].size_bytes : type.size_bytes;
    }
  }
  return runtime::check_arguments(launch_, parameters);
}

/// Values for the whole launch; each region adds its group's size.
Result<Specialisation> Translation::specialisation() const {
  Specialisation values;
  const auto add = [&](ClspvOp op, const std::uint64_t* of) {
    const ClspvFact* const fact = reflection_.fact(op);
    if (fact == nullptr) return;
    values.emplace_back((*fact)[kSpecId], of[0]);
    if (op != ClspvOp::kSpecConstantGlobalOffset) return;
    values.emplace_back((*fact)[kSpecIdY], of[1]);
    values.emplace_back((*fact)[kSpecIdZ], of[2]);
  };
  const std::uint64_t dimensions = ids_.work_dim,
                      subgroup = items_of_subgroup(module_, number_, launch_);
  add(ClspvOp::kSpecConstantWorkDim, &dimensions);
  add(ClspvOp::kSpecConstantSubgroupMaxSize, &subgroup);
  add(ClspvOp::kSpecConstantGlobalOffset, ids_.global_offset);
  for (const ClspvArgument& argument : kernel_.arguments) {
    if (argument.op != ClspvOp::kArgumentWorkgroup) continue;
    const std::uint64_t bytes = launch_.arguments[argument.ordinal()].local_bytes;
    const std::uint64_t count = bytes / argument[kElementSize];
    if (count == 0 || count > UINT32_MAX)
      return make_diagnostic(
          Rule::kC0003,
          fmt::format("argument {} of kernel '{}': expected local memory for an element of {} "
                      "bytes, found {} bytes",
                      argument.ordinal(), kernel_.name, argument[kElementSize], bytes));
    values.emplace_back(argument[kSpecId], count);
  }
  return values;
}

Result<ShaderLaunches> Translation::launches(const WorkLimit& limit) {
  TRANSPIRE_TRY(const Specialisation common, specialisation());
  ShaderLaunches all;
  for (const Region& region : regions_) {
    TRANSPIRE_TRY(ShaderLaunch launch, launch_of(region, common, limit));
    launch.part.place.is_first = all.launches.empty();
    launch.part.place.is_last = all.launches.size() + 1 == regions_.size();
    all.launches.push_back(std::move(launch));
  }
  all.printf = printf_;
  return all;
}

Result<ShaderLaunch> Translation::launch_of(const Region& region, Specialisation values,
                                            const WorkLimit& limit) {
  if (const ClspvFact* const size = reflection_.fact(ClspvOp::kSpecConstantWorkgroupSize)) {
    values.emplace_back((*size)[kSpecId], region.group_size[0]);
    values.emplace_back((*size)[kSpecIdY], region.group_size[1]);
    values.emplace_back((*size)[kSpecIdZ], region.group_size[2]);
  }
  TRANSPIRE_TRY(const std::shared_ptr<ModuleState> shader, module_.shader(values, names_, limit));
  ShaderLaunch made{launch_, {}};
  auto& [launch, part] = made;
  launch.module = ModuleState::handle(shader);
  launch.geometry.global_size = region.size;
  launch.geometry.local_size = region.group_size;
  launch.geometry.global_offset = {0, 0, 0};
  launch.arguments.clear();
  std::copy_n(ids_.global_size, 3, part.place.global_size.begin());
  std::copy_n(ids_.enqueued_local_size, 3, part.place.local_size.begin());
  for (std::size_t d = 0; d < 3; ++d) {
    part.place.first_item[d] = ids_.global_offset[d] + region.first[d];
    part.place.first_group[d] = region.first[d] / ids_.enqueued_local_size[d];
  }
  for (const ParameterInfo& parameter : launch.module.kernel(launch.kernel)->parameters) {
    const std::optional<Place> place = place_of_input(launch.arguments.size());
    TRANSPIRE_TRY(Argument argument, argument_of(parameter, place, region));
    launch.arguments.push_back(std::move(argument));
    if (const Status good = add_addresses(place, launch, part); !good) return good.errors();
  }
  if (const Status good = add_relocations(part); !good) return good.errors();
  return made;
}

/// Nothing for the push constants. The shader takes the inputs of the module that it was made of.
std::optional<Place> Translation::place_of_input(std::size_t input) const {
  const std::optional<decoder::Binding> at = inputs_.binding(input);
  if (!at) return std::nullopt;
  return Place{at->set, at->binding,
               decoder::carrier_of(module_.module, *inputs_.all()[input].variable)};
}

/// Adds the addresses that stand in the block that is the launch's last argument so far.
Status Translation::add_addresses(const std::optional<Place>& place, const Launch& launch,
                                  LaunchPart& part) {
  for (const ClspvFact* const fact : values_in(place)) {
    TRANSPIRE_TRY(std::optional<LaunchPart::Address> address, address_of(*fact));
    if (!address) continue;
    address->holder = launch.arguments.back().memory;
    address->argument = launch.arguments.size() - 1;
    part.addresses.push_back(std::move(*address));
  }
  return Unit{};
}

/// The memory to which the fact's address leads; nothing if it says no address.
Result<std::optional<LaunchPart::Address>> Translation::address_of(const ClspvFact& fact) {
  LaunchPart::Address address;
  address.offset_bytes = fact[kOffset];
  if (decoder::is_address(fact.op)) {
    address.pointee = launch_.arguments[fact[kOrdinal]];
    address.name = info_.parameters[fact[kOrdinal]].name;
  } else if (fact.op == ClspvOp::kConstantDataPointerPushConstant ||
             fact.op == ClspvOp::kProgramScopeVariablePointerPushConstant) {
    TRANSPIRE_TRY(address.pointee, data_of(fact));
  } else if (fact.op == ClspvOp::kPrintfBufferPointerPushConstant) {
    TRANSPIRE_TRY(address.pointee, printf_buffer(fact));
  } else {
    return std::optional<LaunchPart::Address>{};
  }
  return std::optional(std::move(address));
}

/// Adds the addresses of program-scope variables that stand in others.
Status Translation::add_relocations(LaunchPart& part) {
  const ClspvFact* const variables = reflection_.variables();
  for (const ClspvFact& fact : reflection_.facts) {
    if (fact.op != ClspvOp::kProgramScopeVariablePointerRelocation) continue;
    TRANSPIRE_TRY(const Argument all, data_of(*variables));
    LaunchPart::Address& address = part.addresses.emplace_back();
    address.holder = all.memory;
    address.offset_bytes = fact[kOffset];
    address.pointee = Argument::buffer(*all.memory, fact[kObjectOffset]);
    const std::lock_guard lock(kept_.mutex);
    std::shared_ptr<KeptAddress>& kept = kept_.relocated[fact.word_offset];
    if (kept == nullptr) kept = std::make_shared<KeptAddress>();
    address.kept = kept;
  }
  return Unit{};
}

/// The value of one of the shader's resources.
Result<Argument> Translation::argument_of(const ParameterInfo& parameter,
                                          const std::optional<Place>& place, const Region& region) {
  const std::uint64_t bytes =
      parameter.type.elements.empty() ? 0 : parameter.type.elements[0].size_bytes;
  if (!place) return pushed(bytes, region);
  const auto is_bound_here = [&](const ClspvFact& fact) { return *place == place_of(fact); };
  for (const ClspvArgument& argument : kernel_.arguments)
    if (is_descriptor(argument.op) && is_bound_here(argument)) return descriptor_of(argument);
  const auto made = made_.find(*place);
  if (made != made_.end()) return made->second;
  const auto of_module = std::ranges::find_if(reflection_.facts, [&](const ClspvFact& fact) {
    return is_descriptor(fact.op) && is_bound_here(fact);
  });
  TRANSPIRE_TRY(Argument value, of_module == reflection_.facts.end() ? values_at(*place, bytes)
                                                                     : value_of_module(*of_module));
  return made_[*place] = std::move(value);
}

/// A sampler whose kernel normalizes the coordinates itself takes normalized ones.
Argument Translation::descriptor_of(const ClspvArgument& argument) const {
  Argument value = launch_.arguments[argument.ordinal()];
  const auto is_its_mask = [&](const ClspvFact& fact) {
    return fact.op == ClspvOp::kNormalizedSamplerMaskPushConstant &&
           fact[kOrdinal] == argument.ordinal();
  };
  if (std::ranges::any_of(kernel_.facts, is_its_mask)) value.sampling.normalized = true;
  return value;
}

Result<Argument> Translation::value_of_module(const ClspvFact& fact) {
  if (fact.op == ClspvOp::kLiteralSampler) return Argument::sampler(sampler_of(fact[kMask]));
  return fact.op == ClspvOp::kPrintfBufferStorageBuffer ? printf_buffer(fact) : data_of(fact);
}

Result<Argument> Translation::data_of(const ClspvFact& fact) {
  const std::lock_guard lock(kept_.mutex);
  const auto kept = kept_.by_word_offset.find(fact.word_offset);
  if (kept != kept_.by_word_offset.end()) return Argument::buffer(kept->second);
  const std::vector<std::byte> bytes = bytes_of(module_.module.string(fact[kData]));
  const bool is_variable = &fact == reflection_.variables();
  TRANSPIRE_TRY(Buffer buffer,
                make_buffer(bytes.size(), is_variable ? "program-scope variables" : "constants"));
  write(buffer.bytes(), 0, bytes);
  buffer.set_read_only(!is_variable);
  kept_.by_word_offset.emplace(fact.word_offset, buffer);
  return Argument::buffer(std::move(buffer));
}

Result<Argument> Translation::printf_buffer(const ClspvFact& fact) {
  if (!printf_) {
    TRANSPIRE_TRY(printf_, make_buffer(fact[kBufferSize], "printf"));
  }
  return Argument::buffer(*printf_);
}

Result<Buffer> Translation::make_buffer(std::uint64_t bytes, std::string name) {
  if (const Status fits = take_bytes(bytes, name); !fits) return fits.errors();
  return Buffer::create(bytes, std::move(name));
}

Status Translation::take_bytes(std::uint64_t bytes, std::string_view name) {
  const std::uint64_t left = launch_.limits.max_memory_bytes - made_bytes_;
  if (bytes > left)
    return make_diagnostic(
        Rule::kL0004, fmt::format("the shader of kernel '{}' takes {} bytes for '{}', more than "
                                  "the {} that are left",
                                  kernel_.name, bytes, name, left));
  made_bytes_ += bytes;
  return Unit{};
}

/// The facts whose values are bytes of the block at a set and binding, or of the push constants.
std::vector<const ClspvFact*> Translation::values_in(const std::optional<Place>& place) const {
  std::vector<const ClspvFact*> found;
  const auto add = [&](const ClspvFact& fact) {
    const ClspvCarrier carrier = decoder::carrier_of(fact.op);
    const bool is_here =
        place ? (carrier == ClspvCarrier::kStorageBuffer || carrier == ClspvCarrier::kUniform) &&
                    *place == place_of(fact)
              : carrier == ClspvCarrier::kPushConstant;
    if (is_here) found.push_back(&fact);
  };
  std::ranges::for_each(kernel_.arguments, add);
  std::ranges::for_each(kernel_.facts, add);
  std::ranges::for_each(reflection_.facts, add);
  return found;
}

/// A buffer of at least so many bytes with the values that stand there.
Result<Argument> Translation::values_at(const Place& place, std::uint64_t bytes) {
  const std::vector<const ClspvFact*> facts = values_in(place);
  for (const ClspvFact* const fact : facts)
    bytes = std::max(bytes, std::uint64_t{(*fact)[kOffset]} + (*fact)[kSize]);
  TRANSPIRE_TRY(Buffer buffer, make_buffer(bytes, fmt::format("arguments of {}", kernel_.name)));
  for (const ClspvFact* const fact : facts)
    write(buffer.bytes(), (*fact)[kOffset], value_of(*fact, launch_, ids_, regions_[0]));
  buffer.set_read_only(true);
  return Argument::buffer(std::move(buffer));
}

/// The push constants: values of arguments, and what the launch's sizes give.
Result<Argument> Translation::pushed(std::uint64_t bytes, const Region& region) {
  if (const Status fits = take_bytes(bytes, "push constants"); !fits) return fits.errors();
  std::vector<std::byte> block(bytes);
  for (const ClspvFact* const fact : values_in({}))
    write(block, (*fact)[kOffset], value_of(*fact, launch_, ids_, region));
  return Argument::raw(block);
}

}  // namespace

Result<ShaderLaunches> shader_launches(const Launch& launch, ClspvBuffers& kept,
                                       const WorkLimit& limit) {
  ModuleState& module = *launch.module.state();
  TRANSPIRE_TRY(const std::uint32_t number, module.find_kernel(launch.kernel));
  Translation translation(launch, module, number, kept);
  if (const Status fits = translation.check(); !fits) return fits.errors();
  return translation.launches(limit);
}

}  // namespace transpire::runtime
