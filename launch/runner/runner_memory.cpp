// Memory that a plan declares before its first launch: buffers, slices, shared memory and the values of program-scope
// variables. See launch/runner/runner.h.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "launch/report/diagnose.h"
#include "launch/runner/image_maker.h"
#include "launch/runner/pipe_maker.h"
#include "launch/runner/runner.h"

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

Status Runner::make_shared_memory() {
  std::optional<std::uint64_t> base = settings_.shared_base;
  std::optional<std::uint64_t> lowest;
  for (const BufferSpec& spec : plan_.buffers)
    if (spec.kind == BufferSpec::Kind::kShared)
      lowest = std::min(lowest.value_or(spec.address), spec.address);
  if (!base && lowest) base = base_of(*lowest);
  if (!base) return Unit{};
  auto memory = SharedMemory::create_at(*base);
  if (!memory) return memory.errors();
  shared_ = std::move(memory).value();
  return Unit{};
}

Result<BoundBufferPointer> Runner::declare_shared(const BufferSpec& spec) {
  // The contents are made in place where possible. Others exist twice for a moment.
  const Allowance allowed = allowance();
  const RoomMaker room = [&](std::uint64_t size) -> Result<Buffer> {
    if (size > allowed.max_bytes)
      return command_error(
          kMemoryLimit, fmt::format("{} bytes of shared memory '{}' exceed the limit of {}", size,
                                    spec.name, allowed.max_bytes));
    if (const Status there = shared_->allocate_at(spec.address, size, spec.name); !there)
      return there.errors();
    return Buffer::wrap({reinterpret_cast<std::byte*>(spec.address), size}, spec.name);
  };
  auto made =
      make_buffer(spec.name, spec.value, nullptr, {allowed.max_bytes / 2, allowed.limit}, room);
  if (!made) return made;
  const std::span<std::byte> contents = (*made)->memory.bytes();
  std::byte* const data = contents.data();
  if (spec.value.maker == ValueSpec::Maker::kUninit || !spec.value.undefined.empty()) {
    shared_->set_undefined(data);
    const std::span<std::byte> bits = shared_->undefined_bits(data, contents.size());
    if (!bits.empty()) std::ranges::copy((*made)->memory.undefined_bits(), bits.begin());
  }
  auto memory = Buffer::wrap({data, contents.size()}, spec.name);
  if (!memory) return memory.errors();
  (*made)->memory = std::move(memory).value();
  return made;
}

Result<BoundBufferPointer> Runner::program_variable(std::size_t index) const {
  auto memory = device_->program_variable(*module_, index);
  if (!memory) return memory.errors();
  const VariableInfo& info = module_->info().variables[index];
  auto bound = std::make_shared<BoundBuffer>();
  *bound = {info.name, element_type(info.type), false, *memory};
  return bound;
}

Result<BoundBufferPointer> Runner::declare_variable(const BufferSpec& spec) {
  const std::vector<VariableInfo>& variables = module_->info().variables;
  const auto found = std::find_if(variables.begin(), variables.end(),
                                  [&](const VariableInfo& v) { return v.name == spec.name; });
  if (found == variables.end()) {
    std::vector<std::string> names;
    for (const VariableInfo& variable : variables) names.push_back(variable.name);
    return command_error(kNoSuchBuffer,
                         fmt::format("the module has no program-scope variable '{}'", spec.name),
                         names.empty() ? "it has none" : suggestion(spec.name, names, "variables"));
  }
  auto bound = program_variable(static_cast<std::size_t>(found - variables.begin()));
  if (!bound) return bound;
  const bool one = spec.value.maker == ValueSpec::Maker::kLiterals;
  const TypeInfo& type = one ? found->type : (*bound)->type;
  const std::span<std::byte> bytes = (*bound)->memory.bytes();
  const RoomMaker room = [&](std::uint64_t size) -> Result<Buffer> {
    if (size != bytes.size())
      return command_error(kBadValue,
                           fmt::format("variable '{}' of type {} has {} bytes, the value has {}",
                                       spec.name, spelled(found->type), bytes.size(), size));
    std::ranges::fill(bytes, std::byte{0});
    return (*bound)->memory;
  };
  const auto data = evaluate(spec.value, {&type, one ? 1 : count_of(found->type), bytes_left(),
                                          clock_.limit(), room, &type});
  if (!data) return data.errors();
  return bound;
}

Result<BoundBufferPointer> Runner::declare(const BufferSpec& spec) {
  switch (spec.kind) {
    case BufferSpec::Kind::kSlice:
      return slice_buffer(spec.name, spec.slice, declared_);
    case BufferSpec::Kind::kShared:
      return declare_shared(spec);
    case BufferSpec::Kind::kVariable:
      return declare_variable(spec);
    case BufferSpec::Kind::kImage:
      return make_image(spec.name, spec.image, spec.value, allowance());
    case BufferSpec::Kind::kPipe:
      return make_pipe(spec.name, spec.pipe, spec.value, allowance());
    case BufferSpec::Kind::kContents:
      break;
  }
  return make_buffer(spec.name, spec.value, nullptr, allowance());
}

bool Runner::make_queues() {
  auto queues = queues_of(plan_);
  if (!queues) {
    verdict_.refuse(located(queues.errors(), {}));
    return false;
  }
  queues_ = std::move(queues).value();
  return true;
}

bool Runner::make_declared_buffers() {
  if (const Status made = make_shared_memory(); !made) {
    verdict_.refuse(made.errors());
    return false;
  }
  // In JSON a slice may come before its buffer, so slices are declared last.
  for (const bool slices : {false, true}) {
    for (const BufferSpec& spec : plan_.buffers) {
      if ((spec.kind == BufferSpec::Kind::kSlice) != slices) continue;
      begins(fmt::format("setting up buffer '{}', {} of {}", spec.name, declared_.size() + 1,
                         plan_.buffers.size()));
      auto buffer = within_limit(fmt::format("buffer '{}' was made", spec.name),
                                 [&] { return declare(spec); });
      if (!buffer) {
        verdict_.refuse(placed(buffer.errors(), spec.where));
        return false;
      }
      declared_[spec.name] = *buffer;
    }
  }
  return true;
}

}  // namespace transpire::launch
