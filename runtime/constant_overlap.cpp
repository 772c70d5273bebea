#include "runtime/constant_overlap.h"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "analysis/parameter_use.h"
#include "findings/places.h"
#include "runtime/shared_state.h"
#include "runtime/state.h"

namespace transpire::runtime {
namespace {

using vm::Parameter;

/// The host memory that an argument gives access to; empty for arguments that are no memory.
std::span<const std::byte> bytes_of(const Launch& launch, std::size_t index) {
  const Argument& argument = launch.arguments[index];
  if (argument.kind == Argument::Kind::kBuffer && argument.memory &&
      argument.memory->state() != nullptr)
    return {argument.memory->state()->data, argument.memory->state()->size_bytes};
  if (argument.kind == Argument::Kind::kImage && argument.texels &&
      argument.texels->state() != nullptr)
    return {argument.texels->state()->data, argument.texels->state()->size_bytes};
  if (argument.kind == Argument::Kind::kShared && launch.shared)
    return launch.shared->state()->range_of(reinterpret_cast<const std::byte*>(argument.address));
  return {};
}

bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  const std::less<const std::byte*> before;
  return !a.empty() && !b.empty() && before(a.data(), b.data() + b.size()) &&
         before(b.data(), a.data() + a.size());
}

bool is_constant(const Parameter& parameter) {
  return parameter.kind == Parameter::Kind::kPointer &&
         parameter.storage_class == spv::StorageClass::UniformConstant;
}

/// False for a buffer or image that is read-only for the launch.
bool may_be_written(const Parameter& parameter, const Argument& argument) {
  if (parameter.kind == Parameter::Kind::kImage)
    return !parameter.is_read_only && argument.texels && argument.texels->state() != nullptr &&
           !argument.texels->state()->read_only;
  return parameter.may_be_written && parameter.storage_class == spv::StorageClass::CrossWorkgroup &&
         !(argument.kind == Argument::Kind::kBuffer && argument.memory &&
           argument.memory->read_only());
}

/// "'g' is stored through at k.cl:8:8"; empty where no such instruction is found.
std::string access_note(const Launch& launch, const vm::Program& program, const Parameter& of,
                        bool stores) {
  const ModuleState& state = *launch.module.state();
  const decoder::EntryPoint* const entry = state.module.entry_point(launch.kernel);
  if (entry == nullptr) return {};
  const auto number = static_cast<std::size_t>(&of - program.parameters.data());
  const auto found = analysis::find_access(state.module, entry->function, number, stores);
  if (!found) return {};
  return fmt::format("'{}' is {} at {}", of.name, stores ? "stored through" : "loaded from",
                     state.places().spell(*found));
}

Finding describe_overlap(const Launch& launch, const vm::Program& program,
                         const Parameter& constant, const Parameter& written) {
  Finding finding;
  finding.diagnostic = make_diagnostic(
      Rule::kR0029,
      fmt::format("arguments '{}' and '{}' of kernel '{}' share memory, which is constant "
                  "by the first and may be written through the second",
                  constant.name, written.name, launch.kernel));
  finding.diagnostic.input = launch.module.state()->module.input_name;
  for (std::string note :
       {access_note(launch, program, constant, false), access_note(launch, program, written, true)})
    if (!note.empty()) finding.diagnostic.notes.push_back(std::move(note));
  finding.diagnostic.help = "bind buffers that do not overlap";
  finding.allocation = constant.name;
  return finding;
}

}  // namespace

std::vector<Finding> find_constant_overlaps(const Launch& launch, const vm::Program& program) {
  std::vector<Finding> findings;
  const std::vector<Parameter>& parameters = program.parameters;
  if (launch.arguments.size() != parameters.size()) return findings;
  for (std::size_t c = 0; c < parameters.size(); ++c) {
    if (!is_constant(parameters[c])) continue;
    for (std::size_t w = 0; w < parameters.size(); ++w)
      if (may_be_written(parameters[w], launch.arguments[w]) &&
          overlap(bytes_of(launch, c), bytes_of(launch, w)))
        findings.push_back(describe_overlap(launch, program, parameters[c], parameters[w]));
  }
  return findings;
}

}  // namespace transpire::runtime
