// The engine's side of observers. Compiled once, shared by all instruction sets.
#pragma once

#include "vm/exec/engine.h"

namespace transpire::vm::exec {

/// Tells the batch's observer, where it has one, that its running lanes execute `ip` next.
void observe_next(const Inst* ip, Batch* batch);

/// Tells it that what follows `ip` orders memory: rows a scope, b and c semantics.
void tell_order(const Inst* ip, Batch* batch);

}  // namespace transpire::vm::exec
