// Request: the arguments of build(). Nothing changes it.
#pragma once

#include "decoder/entry_inputs.h"
#include "decoder/execution_models.h"
#include "vm/lir/lower_options.h"

namespace transpire::vm::builder {

/// Work-items of a full sub-group of the kernel: as its execution mode says, else as the options do. The module may say any number.
inline std::uint32_t subgroup_items(const decoder::EntryPoint& entry, const LowerOptions& options) {
  const decoder::ExecutionMode* const mode = entry.mode(spv::ExecutionMode::SubgroupSize);
  return mode == nullptr || mode->operands.empty() ? options.subgroup_items() : mode->operands[0];
}

struct Request {
  const decoder::Module& module;
  const decoder::EntryPoint& entry;
  const LowerOptions& options;
  decoder::EntryInputs inputs{module, entry};

  /// Variables of the module hold the launch's images and samplers, and types of images say how they are used.
  bool has_resources() const {
    return decoder::row_of(module.memory_model).inputs == decoder::InputsAre::kVariables;
  }
  /// Pointers have 32 bits in memory and as integers.
  bool physical32() const { return module.pointer_bytes() == 4; }
};

}  // namespace transpire::vm::builder
