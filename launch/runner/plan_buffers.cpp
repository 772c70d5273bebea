// Memory of a run, by name: see launch/runner/plan_buffers.h.
#include "launch/runner/plan_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/counted.h"
#include "launch/language/block_part.h"
#include "launch/language/grammar.h"
#include "launch/language/parameters.h"
#include "launch/report/diagnose.h"
#include "launch/runner/declared_memory.h"
#include "launch/runner/image_maker.h"
#include "launch/runner/pipe_maker.h"
#include "launch/runner/type_match.h"

namespace transpire::launch {

PlanBuffers::PlanBuffers(Module module, Device device, std::uint64_t max_bytes,
                         const StepLimit& limit)
    : module_(std::move(module)),
      device_(std::move(device)),
      max_bytes_(max_bytes),
      limit_(limit) {}

Status PlanBuffers::make_shared(const std::vector<BufferSpec>& specs,
                                std::optional<std::uint64_t> base) {
  TRANSPIRE_TRY(shared_, shared_memory_for(specs, base));
  return Unit{};
}

Status PlanBuffers::declare(const BufferSpec& spec) {
  TRANSPIRE_TRY(declared_[spec.name], made(spec));
  return Unit{};
}

Result<BoundBufferPointer> PlanBuffers::made(const BufferSpec& spec) const {
  switch (spec.kind) {
    case BufferSpec::Kind::kSlice:
      return slice_buffer(spec.name, spec.slice, declared_);
    case BufferSpec::Kind::kShared:
      return make_shared_range(spec, *shared_, allowance());
    case BufferSpec::Kind::kVariable:
      return set_program_variable(spec, device_, module_, allowance());
    case BufferSpec::Kind::kImage:
      return make_image(spec.name, spec.image, spec.value, allowance());
    case BufferSpec::Kind::kPipe:
      return make_pipe(spec.name, spec.pipe, spec.value, allowance());
    case BufferSpec::Kind::kContents:
      break;
  }
  return make_buffer(spec.name, spec.value, nullptr, allowance());
}

void PlanBuffers::begin_kernel(std::size_t count) { by_index_.assign(count, nullptr); }

void PlanBuffers::set_argument(std::size_t index, const ParameterInfo& parameter,
                               const BoundBufferPointer& buffer) {
  by_index_[index] = buffer;
  if (buffer == nullptr) return;
  of_arguments_[parameter.name] = buffer;
  if (!parameter.binding) return;
  // Several variables may share the memory: the first one has the name.
  BoundBufferPointer& known =
      by_binding_[binding_text(*parameter.binding) + parameter.binding_part];
  if (!known || known->memory.bytes().data() != buffer->memory.bytes().data()) known = buffer;
}

BufferTable PlanBuffers::known() const {
  BufferTable known = declared_;
  known.insert(of_arguments_.begin(), of_arguments_.end());
  return known;
}

std::uint64_t PlanBuffers::bytes_left() const {
  std::vector<std::span<const std::byte>> ranges;
  std::set<const BoundBuffer*> pipes;
  std::uint64_t left = max_bytes_;
  const auto take = [&left](std::uint64_t bytes) { left -= std::min(left, bytes); };
  for (const BufferTable* table : {&declared_, &of_arguments_})
    for (const auto& [name, buffer] : *table) {
      if (!buffer->pipe)
        ranges.emplace_back(buffer->memory.bytes());
      else if (pipes.insert(buffer.get()).second)
        take(buffer->pipe->size_bytes());
    }
  // Slices share the bytes of other buffers, and a buffer may have several names: each byte counts once.
  std::ranges::sort(ranges, {}, [](const auto& range) { return range.data(); });
  const std::byte* behind = nullptr;
  for (const std::span<const std::byte> range : ranges) {
    const std::byte* const end = range.data() + range.size();
    if (end > behind) take(static_cast<std::uint64_t>(end - std::max(behind, range.data())));
    behind = std::max(behind, end);
  }
  return left;
}

BoundBufferPointer PlanBuffers::find(const std::string& name) const {
  if (const auto found = declared_.find(name); found != declared_.end()) return found->second;
  if (const auto found = of_arguments_.find(name); found != of_arguments_.end())
    return found->second;
  if (const auto found = by_binding_.find(name); found != by_binding_.end()) return found->second;
  const bool is_index =
      !name.empty() && name.size() < 6 && name.find_first_not_of("0123456789") == std::string::npos;
  if (is_index && std::stoul(name) < by_index_.size()) return by_index_[std::stoul(name)];
  for (std::size_t i = 0; i < module_.info().variables.size(); ++i) {
    if (module_.info().variables[i].name != name) continue;
    auto variable = program_variable(device_, module_, i);
    if (variable) return std::move(variable).value();
  }
  const std::string pipe = without_packets(name);
  const BoundBufferPointer packets = pipe == name ? nullptr : find(pipe);
  return packets ? packets->count : nullptr;
}

/// The buffer with the longest name before a dot; `part` is what stands behind the dot.
BoundBufferPointer PlanBuffers::find_with_part(const std::string& name, std::string& part) const {
  BoundBufferPointer buffer = find(name);
  for (std::size_t dot = name.rfind('.'); buffer == nullptr && dot != name.npos && dot != 0;
       dot = name.rfind('.', dot - 1)) {
    buffer = find(name.substr(0, dot));
    part = name.substr(dot + 1);
  }
  return buffer;
}

namespace {

/// Narrows a block to a part of it, and an array to its elements.
Status narrow_to(const std::string& part, TypeInfo& type, std::span<const std::byte>& bytes) {
  const auto found = part_of(type, part);
  if (!found) return found.errors();
  if (found->offset_bytes > bytes.size() ||
      found->type.size_bytes > bytes.size() - found->offset_bytes)
    return command_error(kNoSuchBuffer, fmt::format("the buffer ends before its part '{}'", part));
  bytes = bytes.subspan(found->offset_bytes, found->type.size_bytes);
  type = found->type;
  if (type.kind != TypeInfo::Kind::kArray || type.count == 0) return Unit{};
  TypeInfo element = type.elements[0];
  element.align_bytes = type.size_bytes / type.count;
  type = std::move(element);
  return Unit{};
}

}  // namespace

Result<ElementView> PlanBuffers::view(const BufferSlice& slice,
                                      const std::optional<TypeWord>& type) const {
  std::string part;
  if (const auto element = slice_as_name(slice); element && find(element->name))
    return view(*element, type);
  const BoundBufferPointer buffer = find_with_part(slice.name, part);
  if (!buffer) {
    std::vector<std::string> names;
    for (const auto& entry : known()) names.push_back(entry.first);
    for (const VariableInfo& variable : module_.info().variables) names.push_back(variable.name);
    return command_error(kNoSuchBuffer, fmt::format("there is no buffer '{}'", slice.name),
                         suggestion(slice.name, names, "buffers"));
  }
  ElementView view;
  view.buffer = buffer;
  // An index is shown as the parameter's name.
  const bool is_index = slice.name.find_first_not_of("0123456789") == std::string::npos;
  view.name = is_index ? buffer->name : slice.name;
  std::span<const std::byte> bytes = buffer->memory.bytes();
  view.type = buffer->type;
  if (!part.empty())
    if (Status found = narrow_to(path_in(view.type, buffer->name, part), view.type, bytes); !found)
      return found.errors();
  if (type) view.type = spaced_as(view.type, type_of(*type));
  const std::uint64_t stride = stride_bytes(view.type);
  const std::uint64_t size = bytes.size();
  const std::uint64_t elements = size / stride;
  view.count = view.asked = elements;
  // The number of packets left is a result, so a slice may name more packets than there are.
  const bool is_open = buffer->pipe.has_value();
  if (!slice.all && size == 0 && !is_open)
    return command_error(
        kNoSuchBuffer,
        fmt::format("'{}[{}]' lies outside the buffer, which is empty", slice.name, slice.first));
  if (!slice.all) {
    const std::uint64_t last = slice.last.value_or(std::max<std::uint64_t>(elements, 1) - 1);
    if (!is_open && (slice.first >= elements || last >= elements))
      return command_error(kNoSuchBuffer,
                           fmt::format("'{}[{}]' lies outside the buffer, which has {} of {}",
                                       slice.name, std::max(slice.first, last),
                                       count_text(elements, "element"), text_of(view.type)),
                           elements == 0
                               ? std::string()
                               : fmt::format("the last one is '{}[{}]'", slice.name, elements - 1));
    view.first = slice.first;
    view.count = elements - std::min(elements, slice.first);
    view.asked = slice.last ? std::min(last - slice.first, UINT64_MAX - 1) + 1 : view.count;
    view.count = std::min(view.count, view.asked);
  }
  const std::uint64_t start = std::min(view.first, elements) * stride;
  view.bytes = bytes.subspan(start, view.count * stride);
  return view;
}

Status PlanBuffers::look_at_pipes() {
  std::set<const BoundBuffer*> seen;
  for (const auto& [name, buffer] : known()) {
    if (!buffer->pipe || !seen.insert(buffer.get()).second) continue;
    if (const Status done = look_at_packets(*buffer); !done) return done;
  }
  return Unit{};
}

/// Watches it in every buffer, because swaps decide only at the end which buffer has the name.
void PlanBuffers::watch(const WatchedByte& byte) const {
  for (const auto& [name, buffer] : known())
    if (const auto bytes = buffer->memory.bytes(); byte.offset_bytes < bytes.size())
      byte.log.watch(bytes.data() + byte.offset_bytes);
}

std::vector<BufferReport> PlanBuffers::reports(const std::optional<WatchedByte>& watched) const {
  std::vector<BufferReport> reports;
  std::map<const BoundBuffer*, std::size_t> seen;
  const auto add = [&](const std::string& name, const BoundBufferPointer& buffer) {
    const auto [at, is_new] = seen.emplace(buffer.get(), reports.size());
    if (is_new) {
      const auto bytes = buffer->memory.bytes();
      BufferReport report{name, buffer->type, {bytes.begin(), bytes.end()}};
      if (buffer->image) report.texels.emplace(*buffer->image);
      report.is_pipe = buffer->pipe.has_value();
      if (watched && watched->offset_bytes < bytes.size())
        report.last_store = watched->log.last(bytes.data() + watched->offset_bytes);
      reports.push_back(std::move(report));
    }
    reports[at->second].names.push_back(name);
  };
  for (const auto& [name, buffer] : declared_) add(name, buffer);
  for (const auto& [name, buffer] : of_arguments_) add(name, buffer);
  return reports;
}

}  // namespace transpire::launch
