// Which parameters pointers come from: of stores, where all of them promise not to be written, and of accesses that are
// looked at for others to the same memory.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/lir/lir.h"

namespace transpire::vm::builder {

/// Gives stores and their like MemAccess::no_write_parameter where their pointer is one of NoWrite parameters whatever was
/// chosen: by a select, by control flow, or by what was stored into a private variable. Which one it names is one of them.
/// A pointer that may be another one's as well is left alone.
void mark_no_write(lir::Function& function);

/// By value: 1 + the index of the one parameter that a pointer comes from, whatever was chosen; 0 where it may come from
/// another one, or from elsewhere.
std::vector<std::uint32_t> sole_origins(lir::Function& function);

/// Gives each CheckAlias the parameter that its pointer comes from, where that is one of the kernel's whatever was chosen.
void mark_aliases(lir::Function& function);

}  // namespace transpire::vm::builder
