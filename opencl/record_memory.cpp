#include "opencl/record_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace transpire::opencl {
namespace {

using Root = RecordedMemory::Root;
using Part = RecordedMemory::Part;

/// Maximum number of ranges of undefined bytes of one memory; they make a line of a launch file.
constexpr std::size_t kMostRanges = 1000;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '$';
}

bool is_name(std::string_view text) {
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') &&
         std::all_of(text.begin(), text.end(), is_name_character);
}

const std::byte* end_of(std::span<const std::byte> bytes) { return bytes.data() + bytes.size(); }

bool contains(std::span<const std::byte> whole, std::span<const std::byte> part) {
  return part.data() >= whole.data() && end_of(part) <= end_of(whole);
}

bool overlaps(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.data() < end_of(b) && b.data() < end_of(a);
}

}  // namespace

RecordedMemory::RecordedMemory(const Launch& launch, const Device& device) {
  add_variables(launch, device);
  add_shared(launch);
  add_buffers(launch);
  place_parts();
  add_handles(launch);
  look_at_pipes();
}

void RecordedMemory::add_variables(const Launch& launch, const Device& device) {
  const std::vector<VariableInfo>& variables = launch.module.info().variables;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    // No kernel uses a variable that the library cannot make.
    const Result<Buffer> variable = device.program_variable(launch.module, i);
    if (!variable) continue;
    if (!is_name(variables[i].name))
      throw std::runtime_error(fmt::format(
          "the program-scope variable '{}' has no name that can be written", variables[i].name));
    roots.push_back({Root::Kind::kVariable, variables[i].name, variable->bytes(), *variable});
  }
}

void RecordedMemory::add_shared(const Launch& launch) {
  if (!launch.shared) return;
  shared_ = launch.shared;
  std::size_t index = 0;
  for (const SharedMemory::Range& range : launch.shared->ranges()) {
    roots.push_back({Root::Kind::kShared,
                     unique_name(fmt::format("shared{}", index++), roots.size()),
                     range.bytes,
                     {}});
    shared_names_.push_back(range.name);
  }
}

/// A byte counts as defined if some of its bits are.
std::vector<launch::ByteRange> RecordedMemory::undefined_bytes(const Root& root) const {
  std::vector<bool> undefined(root.bytes.size());
  const auto take = [&](std::uint64_t at, std::span<const std::byte> bits) {
    for (const std::byte each : bits) undefined[at++] = each == std::byte{0xff};
  };
  if (root.kind == Root::Kind::kShared)
    take(0, shared_->undefined_bits(root.bytes.data(), root.bytes.size()));
  for (const Part& part : parts)
    if (root.kind == Root::Kind::kBuffer && &roots[part.root] == &root)
      take(part.offset_bytes, part.buffer.undefined_bits());
  std::vector<launch::ByteRange> ranges;
  for (std::uint64_t at = 0; at < undefined.size(); ++at) {
    if (!undefined[at]) continue;
    if (!ranges.empty() && ranges.back().last + 1 == at)
      ranges.back().last = at;
    else if (ranges.size() < kMostRanges)
      ranges.push_back({at, at});
  }
  return ranges;
}

std::string RecordedMemory::unique_name(const std::string& wanted, std::size_t index) const {
  const auto is_taken = [&](const std::string& name) {
    const auto same = [&](const auto& other) { return other.name == name; };
    return std::any_of(roots.begin(), roots.end(), same) ||
           std::any_of(parts.begin(), parts.end(), same);
  };
  std::string name = is_name(wanted) ? wanted : fmt::format("arg{}", index);
  while (is_taken(name)) name += fmt::format("_{}", index);
  return name;
}

void RecordedMemory::add_buffers(const Launch& launch) {
  const KernelInfo* const kernel = launch.module.kernel(launch.kernel);
  part_of_argument.assign(launch.arguments.size(), 0);
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const Argument& argument = launch.arguments[i];
    if (argument.kind != Argument::Kind::kBuffer || !argument.memory) continue;
    const auto known = std::find_if(parts.begin(), parts.end(), [&](const Part& part) {
      return part.buffer.state() == argument.memory->state();
    });
    part_of_argument[i] = static_cast<std::size_t>(known - parts.begin());
    if (known != parts.end()) continue;
    const bool named = kernel != nullptr && i < kernel->parameters.size();
    Part part;
    part.name = unique_name(named ? kernel->parameters[i].name : "", i);
    part.buffer = *argument.memory;
    part.parameter = argument.memory->name();
    if (part.parameter.empty() && named) part.parameter = kernel->parameters[i].name;
    parts.push_back(std::move(part));
  }
}

void RecordedMemory::check_apart(const transpire::Image& image,
                                 const std::string& parameter) const {
  const auto other = std::ranges::find_if(
      roots, [&](const Root& root) { return overlaps(root.bytes, image.bytes()); });
  if (other == roots.end()) return;
  throw std::runtime_error(fmt::format("the image of parameter '{}' {}", parameter,
                                       other->kind == Root::Kind::kShared
                                           ? "lies in shared virtual memory"
                                           : "shares memory with another argument"));
}

/// Adds images and pipes.
void RecordedMemory::add_handles(const Launch& launch) {
  const KernelInfo* const kernel = launch.module.kernel(launch.kernel);
  root_of_argument.assign(launch.arguments.size(), 0);
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const Argument& argument = launch.arguments[i];
    const bool is_image = argument.kind == Argument::Kind::kImage && argument.texels;
    const bool is_pipe = argument.kind == Argument::Kind::kPipe && argument.packets;
    if (!is_image && !is_pipe) continue;
    const auto known = std::ranges::find_if(roots, [&](const Root& root) {
      return is_image ? root.image && root.image->state() == argument.texels->state()
                      : root.pipe && root.pipe->state() == argument.packets->state();
    });
    root_of_argument[i] = static_cast<std::size_t>(known - roots.begin());
    if (known != roots.end()) continue;
    const bool named = kernel != nullptr && i < kernel->parameters.size();
    const std::string parameter = named ? kernel->parameters[i].name : "";
    if (is_image) check_apart(*argument.texels, parameter);
    Root root;
    root.kind = is_image ? Root::Kind::kImage : Root::Kind::kPipe;
    root.name = unique_name(parameter, i);
    root.image = argument.texels;
    root.pipe = argument.packets;
    if (is_image) root.bytes = root.image->bytes();
    root.argument = i;
    root.parameter = is_image ? root.image->name() : root.pipe->name();
    if (root.parameter.empty()) root.parameter = parameter;
    roots.push_back(std::move(root));
  }
}

void RecordedMemory::look_at_pipes() {
  for (Root& root : roots) {
    if (!root.pipe) continue;
    root.packets = root.pipe->contents();
    root.bytes = root.packets;
  }
}

/// True if several allocations may have this name, or one that the record calls otherwise.
bool RecordedMemory::is_unclear(const std::string& allocation) const {
  const auto bound = std::ranges::count(parts, allocation, &Part::parameter) +
                     std::ranges::count(roots, allocation, &Root::parameter);
  const auto variables = std::ranges::count_if(roots, [&](const Root& root) {
    return root.kind == Root::Kind::kVariable && root.name == allocation;
  });
  return bound + variables > 1 ||
         std::ranges::find(shared_names_, allocation) != shared_names_.end();
}

std::string RecordedMemory::name_of(const std::string& allocation) const {
  if (!is_name(allocation) || is_unclear(allocation)) return {};
  const auto part = std::ranges::find(parts, allocation, &Part::parameter);
  if (part != parts.end()) return part->name;
  const auto handle = std::ranges::find(roots, allocation, &Root::parameter);
  return handle == roots.end() ? allocation : handle->name;
}

/// Overlapping buffers become slices of one root, buffers in shared memory slices of its ranges.
void RecordedMemory::place_parts() {
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return parts[a].buffer.bytes().data() < parts[b].buffer.bytes().data();
  });
  const std::size_t given = roots.size();
  for (const std::size_t index : order) {
    Part& part = parts[index];
    const std::span<std::byte> bytes = part.buffer.bytes();
    const auto end_of_given = roots.begin() + static_cast<std::ptrdiff_t>(given);
    const auto around = std::find_if(roots.begin(), end_of_given, [&](const Root& root) {
      return root.kind == Root::Kind::kShared && contains(root.bytes, bytes);
    });
    if (around != end_of_given) {
      part.root = static_cast<std::size_t>(around - roots.begin());
    } else if (roots.size() > given && bytes.data() < end_of(roots.back().bytes)) {
      part.root = roots.size() - 1;
      std::span<std::byte>& whole = roots.back().bytes;
      const std::byte* const end = std::max<const std::byte*>(end_of(whole), end_of(bytes));
      whole = {whole.data(), static_cast<std::size_t>(end - whole.data())};
    } else {
      part.root = roots.size();
      roots.push_back({Root::Kind::kBuffer, "", bytes, {}});
    }
  }
  std::vector<std::size_t> parts_of_root(roots.size());
  for (const Part& part : parts) ++parts_of_root[part.root];
  for (Part& part : parts) {
    Root& root = roots[part.root];
    part.offset_bytes = static_cast<std::uint64_t>(part.buffer.bytes().data() - root.bytes.data());
    part.is_whole = root.kind == Root::Kind::kBuffer && parts_of_root[part.root] == 1;
    if (part.is_whole) root.name = part.name;
  }
  for (std::size_t i = given; i < roots.size(); ++i)
    if (roots[i].name.empty()) roots[i].name = unique_name(fmt::format("memory{}", i - given), i);
}

}  // namespace transpire::opencl
