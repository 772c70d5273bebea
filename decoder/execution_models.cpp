#include "decoder/execution_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "decoder/grammar.h"

namespace transpire::decoder {
namespace {

using spv::AddressingModel;
using spv::MemoryModel;

template <typename Model, typename... Others>
constexpr std::array<Model, 1 + sizeof...(Others)> either(Model first, Others... others) {
  return {first, others...};
}

constexpr ExecutionModelRow kLaunchedModels[] = {
#define TRANSPIRE_EXECUTION_MODEL(name, addressing, memory, layout, inputs)           \
  {spv::ExecutionModel::name, either addressing, either memory, MemoryLayout::layout, \
   InputsAre::inputs},
#include "decoder/execution_models.def"
};

/// The specification's name of the enumerant, or its number.
std::string text_of(OperandKind kind, std::uint32_t value) {
  const std::string_view name = enumerant_name(kind, value);
  return name.empty() ? fmt::to_string(value) : std::string(name);
}

template <typename Enumerant>
std::string text_of(OperandKind kind, Enumerant value) {
  return text_of(kind, static_cast<std::uint32_t>(value));
}

/// "OpenCL", "GLSL450, Vulkan or Simple".
template <typename Model, std::size_t kCount>
std::string names_of(OperandKind kind, const std::array<Model, kCount>& models) {
  std::string names = text_of(kind, models[0]);
  for (std::size_t n = 1; n < kCount && models[n] != models[0]; ++n)
    names += (n + 1 == kCount ? " or " : ", ") + text_of(kind, models[n]);
  return names;
}

/// Parts of names of instructions, and what these need that no launch has.
constexpr std::pair<std::string_view, std::string_view> kNeeds[] = {
    {"RayQuery", "ray queries"},
    {"AccelerationStructure", "ray queries"},
    {"TraceRay", "a ray tracing pipeline"},
    {"TraceNV", "a ray tracing pipeline"},
    {"TraceMotion", "a ray tracing pipeline"},
    {"ExecuteCallable", "a ray tracing pipeline"},
    {"Intersection", "a ray tracing pipeline"},
    {"TerminateRay", "a ray tracing pipeline"},
    {"HitObject", "a ray tracing pipeline"},
    {"OpKill", "a graphics pipeline"},
    {"TerminateInvocation", "a graphics pipeline"},
    {"HelperInvocation", "a graphics pipeline"},
    {"InvocationInterlock", "a graphics pipeline"},
    {"Mesh", "a graphics pipeline"},
    {"PackedPrimitive", "a graphics pipeline"},
    {"FragmentFetch", "a graphics pipeline"},
    {"FragmentMaskFetch", "a graphics pipeline"},
    {"Interpolate", "a graphics pipeline"},
};

std::string_view need_of(spv::Op op, std::string_view name) {
  if (opcode_class(op) == "Primitive") return "a graphics pipeline";
  for (const auto& [part, need] : kNeeds)
    if (name.find(part) != std::string_view::npos) return need;
  return {};
}

}  // namespace

const ExecutionModelRow* launched_model(spv::ExecutionModel model) {
  const auto row = std::ranges::find(kLaunchedModels, model, &ExecutionModelRow::model);
  return row == std::end(kLaunchedModels) ? nullptr : row;
}

const ExecutionModelRow& row_of(spv::MemoryModel memory) {
  const auto row = std::ranges::find_if(
      kLaunchedModels, [memory](const ExecutionModelRow& each) { return each.has(memory); });
  return row == std::end(kLaunchedModels) ? kLaunchedModels[0] : *row;
}

std::string launched_model_names() {
  std::string names;
  for (const ExecutionModelRow& row : kLaunchedModels)
    names += (names.empty() ? "" : " or ") + text_of(OperandKind::kExecutionModel, row.model);
  return names;
}

std::string addressing_model_names(const ExecutionModelRow& row) {
  return names_of(OperandKind::kAddressingModel, row.addressing);
}

std::string memory_model_names(const ExecutionModelRow& row) {
  return names_of(OperandKind::kMemoryModel, row.memory);
}

std::string reason_against(const Module& module, const EntryPoint& entry) {
  const ExecutionModelRow* const row = launched_model(entry.model);
  if (row == nullptr)
    return fmt::format("the entry point '{}' has the execution model {}, expected {}", entry.name,
                       text_of(OperandKind::kExecutionModel, entry.model), launched_model_names());
  if (!row->has(module.addressing_model))
    return fmt::format("the addressing model is {}, expected {}",
                       text_of(OperandKind::kAddressingModel, module.addressing_model),
                       addressing_model_names(*row));
  if (!row->has(module.memory_model))
    return fmt::format("the memory model is {}, expected {}",
                       text_of(OperandKind::kMemoryModel, module.memory_model),
                       memory_model_names(*row));
  return {};
}

std::string refusal_of(spv::Op op) {
  const std::string_view name = opcode_name(op), need = need_of(op, name);
  return fmt::format("{} is not supported{}{}", name, need.empty() ? "" : ": it needs ", need);
}

std::vector<const EntryPoint*> launched_entry_points(const Module& module) {
  std::vector<const EntryPoint*> launched;
  for (const EntryPoint& entry : module.entry_points)
    if (launched_model(entry.model) != nullptr) launched.push_back(&entry);
  return launched;
}

}  // namespace transpire::decoder
