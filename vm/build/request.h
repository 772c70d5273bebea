// Request: the arguments of build(). Nothing changes it.
#pragma once

#include "decoder/entry_inputs.h"
#include "vm/lir/lower_options.h"

namespace transpire::vm::builder {

struct Request {
  const decoder::Module& module;
  const decoder::EntryPoint& entry;
  const LowerOptions& options;
  decoder::EntryInputs inputs{module, entry};

  /// Pointers have 32 bits in memory and as integers.
  bool physical32() const { return module.pointer_bytes() == 4; }
};

}  // namespace transpire::vm::builder
