// The engine's side of observers. Compiled once, shared by all instruction sets.
#pragma once

#include "vm/exec/engine.h"
#include "vm/observe/observer.h"

namespace transpire::vm::exec {

/// Tells the batch's observer, where it has one, that its running lanes execute `ip` next. False: the observer wants the
/// launch to end in front of it.
bool observe_next(const Inst* ip, Batch* batch);

/// Tells it that what follows `ip` orders memory: rows a scope, b and c semantics.
void tell_order(const Inst* ip, Batch* batch);

/// Tells it of a load or store, of merged ones by their parts, whose addresses and kind `row` has. Without an allocation
/// in it each lane is looked at, and told of where its access is in order.
void tell_parts(const Inst* access_inst, Batch* batch, const Access& access, ObservedRow& row);

/// What a lane of a row stores: ObservedRow::bytes.
void stored_bytes(const Batch& batch, const ObservedRow& row, std::uint32_t lane, std::byte* out);

}  // namespace transpire::vm::exec
