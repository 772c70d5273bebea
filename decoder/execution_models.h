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
};

/// An execution model whose entry points can be launched: a row of decoder/execution_models.def.
struct ExecutionModelRow {
  spv::ExecutionModel model;
  std::array<spv::AddressingModel, 2> addressing;  ///< the module has one of them
  spv::MemoryModel memory;                         ///< the module has it
  MemoryLayout layout;                             ///< its types have it

  bool has(spv::AddressingModel model_of_module) const {
    return std::ranges::find(addressing, model_of_module) != addressing.end();
  }
};

/// The row of a model; null if its entry points cannot be launched.
const ExecutionModelRow* launched_model(spv::ExecutionModel model);

/// The row of a module with this memory model; the first row if none has it.
const ExecutionModelRow& row_of(spv::MemoryModel memory);

/// Names for messages: "Kernel", "Physical32 or Physical64", "OpenCL".
std::string launched_model_names();
std::string addressing_model_names(const ExecutionModelRow& row);
std::string memory_model_name(const ExecutionModelRow& row);

/// Says why the entry point cannot be launched, e.g. "the memory model is GLSL450, expected OpenCL"; empty if it can.
std::string reason_against(const Module& module, const EntryPoint& entry);

/// The entry points that can be launched, in the module's order. Kernels are numbered by it.
std::vector<const EntryPoint*> launched_entry_points(const Module& module);

}  // namespace transpire::decoder
