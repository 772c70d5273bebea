// The execution models whose entry points can be launched, and what modules with such entry points declare.
//
// Decoder, validator, descriptions, analysis, lowering and the runtime ask here, so that none of them says by itself which
// execution models there are, or how the types of their memory are laid out.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "decoder/module.h"

namespace transpire::decoder {

/// Rules for sizes, alignments and offsets of types in memory (decoder/layout.cpp).
enum class MemoryLayout : std::uint8_t {
  kOpenCL,  ///< OpenCL C 2.0, "Alignment of Types"
  kVulkan,  ///< Vulkan, "Offset and Stride Assignment": decorations, and scalar alignment where there are none
};

/// Where the values stand that a launch gives an entry point.
enum class InputsAre : std::uint8_t {
  kParameters,  ///< parameters of its function
  kVariables,  ///< resources: variables of the module's scope that have a binding, and those of push constants
};

/// An execution model whose entry points can be launched: a row of decoder/execution_models.def.
struct ExecutionModelRow {
  spv::ExecutionModel model;
  std::array<spv::AddressingModel, 2> addressing;  ///< the module has one of them
  std::array<spv::MemoryModel, 3> memory;          ///< the module has one of them
  MemoryLayout layout;                             ///< its types have it
  InputsAre inputs;

  bool has(spv::AddressingModel model_of_module) const {
    return std::ranges::find(addressing, model_of_module) != addressing.end();
  }
  bool has(spv::MemoryModel model_of_module) const {
    return std::ranges::find(memory, model_of_module) != memory.end();
  }
};

/// The row of a model; null if its entry points cannot be launched.
const ExecutionModelRow* launched_model(spv::ExecutionModel model);

/// The row of a module with this memory model; the first row if none has it.
const ExecutionModelRow& row_of(spv::MemoryModel memory);

/// Names for messages: "Kernel", "Physical32 or Physical64", "GLSL450, Vulkan or Simple".
std::string launched_model_names();
std::string addressing_model_names(const ExecutionModelRow& row);
std::string memory_model_names(const ExecutionModelRow& row);

/// Says why the entry point cannot be launched, e.g. "the memory model is GLSL450, expected OpenCL"; empty if it can.
std::string reason_against(const Module& module, const EntryPoint& entry);

/// "OpKill is not supported: it needs a graphics pipeline", with the reason where the instruction needs what no launch has.
std::string refusal_of(spv::Op op);

/// The entry points that can be launched, in the module's order. Kernels are numbered by it.
std::vector<const EntryPoint*> launched_entry_points(const Module& module);

}  // namespace transpire::decoder
