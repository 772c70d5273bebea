// Makes memory that a plan declares: see launch/runner/declared_memory.h.
#include "launch/runner/declared_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

/// Base of the shared memory that contains `address`: that of a range of SharedMemory::create(), or below these the address,
/// rounded down to a megabyte.
std::uint64_t base_of(std::uint64_t address) {
  constexpr std::uint64_t kFirst = std::uint64_t{1} << 45;
  constexpr std::uint64_t kStride = std::uint64_t{1} << 37;
  constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;
  return address < kFirst ? address / kMegabyte * kMegabyte : address / kStride * kStride;
}

/// Type of the elements for prints and expectations: an array's elements, or the type itself.
const TypeInfo& element_type(const TypeInfo& type) {
  return type.kind == TypeInfo::Kind::kArray && !type.elements.empty() ? type.elements[0] : type;
}

std::uint64_t count_of(const TypeInfo& type) {
  return type.kind == TypeInfo::Kind::kArray && !type.elements.empty() ? type.count : 1;
}

}  // namespace

Result<std::optional<SharedMemory>> shared_memory_for(const std::vector<BufferSpec>& specs,
                                                      std::optional<std::uint64_t> base) {
  std::optional<std::uint64_t> lowest;
  for (const BufferSpec& spec : specs)
    if (spec.kind == BufferSpec::Kind::kShared)
      lowest = std::min(lowest.value_or(spec.address), spec.address);
  if (!base && lowest) base = base_of(*lowest);
  if (!base) return std::optional<SharedMemory>();
  auto memory = SharedMemory::create_at(*base);
  if (!memory) return memory.errors();
  return std::optional(std::move(memory).value());
}

Result<BoundBufferPointer> make_shared_range(const BufferSpec& spec, const SharedMemory& shared,
                                             const Allowance& allowed) {
  // The contents are made in place where possible. Others exist twice for a moment.
  const RoomMaker room = [&](std::uint64_t size) -> Result<Buffer> {
    if (size > allowed.max_bytes)
      return command_error(
          kMemoryLimit, fmt::format("{} bytes of shared memory '{}' exceed the limit of {}", size,
                                    spec.name, allowed.max_bytes));
    if (const Status there = shared.allocate_at(spec.address, size, spec.name); !there)
      return there.errors();
    return Buffer::wrap({reinterpret_cast<std::byte*>(spec.address), size}, spec.name);
  };
  auto made =
      make_buffer(spec.name, spec.value, nullptr, {allowed.max_bytes / 2, allowed.limit}, room);
  if (!made) return made;
  const std::span<std::byte> contents = (*made)->memory.bytes();
  std::byte* const data = contents.data();
  if (spec.value.maker == ValueSpec::Maker::kUninit || !spec.value.undefined.empty()) {
    shared.set_undefined(data);
    const std::span<std::byte> bits = shared.undefined_bits(data, contents.size());
    if (!bits.empty()) std::ranges::copy((*made)->memory.undefined_bits(), bits.begin());
  }
  auto memory = Buffer::wrap({data, contents.size()}, spec.name);
  if (!memory) return memory.errors();
  (*made)->memory = std::move(memory).value();
  return made;
}

Result<BoundBufferPointer> program_variable(const Device& device, const Module& module,
                                            std::size_t index) {
  auto memory = device.program_variable(module, index);
  if (!memory) return memory.errors();
  const VariableInfo& info = module.info().variables[index];
  auto bound = std::make_shared<BoundBuffer>();
  *bound = {info.name, element_type(info.type), false, *memory};
  return bound;
}

Result<BoundBufferPointer> set_program_variable(const BufferSpec& spec, const Device& device,
                                                const Module& module, const Allowance& allowed) {
  const std::vector<VariableInfo>& variables = module.info().variables;
  const auto found = std::ranges::find(variables, spec.name, &VariableInfo::name);
  if (found == variables.end()) {
    std::vector<std::string> names;
    for (const VariableInfo& variable : variables) names.push_back(variable.name);
    return command_error(kNoSuchBuffer,
                         fmt::format("the module has no program-scope variable '{}'", spec.name),
                         names.empty() ? "it has none" : suggestion(spec.name, names, "variables"));
  }
  auto bound =
      program_variable(device, module, static_cast<std::size_t>(found - variables.begin()));
  if (!bound) return bound;
  const bool one = spec.value.maker == ValueSpec::Maker::kLiterals;
  const TypeInfo& type = one ? found->type : (*bound)->type;
  const std::span<std::byte> bytes = (*bound)->memory.bytes();
  const RoomMaker room = [&](std::uint64_t size) -> Result<Buffer> {
    if (size != bytes.size())
      return command_error(kBadValue,
                           fmt::format("variable '{}' of type {} has {} bytes, the value has {}",
                                       spec.name, text_of(found->type), bytes.size(), size));
    std::ranges::fill(bytes, std::byte{0});
    return (*bound)->memory;
  };
  const auto data = evaluate(spec.value, {&type, one ? 1 : count_of(found->type), allowed.max_bytes,
                                          allowed.limit, room, &type});
  if (!data) return data.errors();
  return bound;
}

}  // namespace transpire::launch
