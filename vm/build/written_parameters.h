// Finds the pointer parameters that a kernel may store through. Runs before passes, so that every
// path gives the same answer.
#pragma once

#include "vm/lir/lir.h"

namespace transpire::vm::builder {

/// Sets Parameter::may_be_written. A pointer that goes where it cannot be followed (memory,
/// arithmetic) may be stored through when some store's address comes from where it cannot be
/// followed either, or when the kernel enqueues others.
void mark_written_parameters(lir::Function& function);

}  // namespace transpire::vm::builder
