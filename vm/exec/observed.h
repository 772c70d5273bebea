// The engine's side of observers. Compiled once, shared by all instruction sets.
#pragma once

#include "vm/exec/engine.h"
#include "vm/observe/observer.h"

namespace transpire::vm::exec {

/// Calls the batch's observer, if any: its running lanes execute `ip` next. Returns false if the
/// observer ends the launch in front of it.
bool observe_next(const Inst* ip, Batch* batch);

/// Calls the observer: the instruction behind `ip` orders memory. Row a is the scope, b and c are
/// semantics.
void announce_order(const Inst* ip, Batch* batch);

/// Passes the observer a load or store, merged ones by their parts; `row` has addresses and kind.
/// Without an allocation in it, each lane is checked and passed if its access is correct.
void tell_parts(const Inst* access_inst, Batch* batch, const Access& access, ObservedRow& row);

/// The bytes that a lane of a row stores: ObservedRow::bytes.
void stored_bytes(const Batch& batch, const ObservedRow& row, std::uint32_t lane, std::byte* out);

}  // namespace transpire::vm::exec
