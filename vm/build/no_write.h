// Which parameters pointers of stores come from, where all of them promise not to be written.
#pragma once

#include "vm/lir/lir.h"

namespace transpire::vm::builder {

/// Gives stores and their like MemAccess::no_write_parameter where their pointer is one of NoWrite parameters whatever was
/// chosen: by a select, by control flow, or by what was stored into a private variable. Which one it names is one of them.
/// A pointer that may be another one's as well is left alone.
void mark_no_write(lir::Function& function);

}  // namespace transpire::vm::builder
