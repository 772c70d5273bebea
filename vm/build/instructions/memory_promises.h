// --check=ub of instructions that access memory: the function controls Pure and Const, copies that overlap, atomics on
// private memory, flags that other instructions change, memory of an image that is accessed as a buffer, restrict pointers to
// what others lead to. Nothing is placed without that check.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

/// Features anywhere in the module that make checks of accesses necessary.
struct PromisedMemory {
  bool flags = false;  ///< OpAtomicFlagTestAndSet, OpAtomicFlagClear
  bool images = false;
};
PromisedMemory promised_memory_of(const decoder::Module& module);

/// Places what is to be looked at in front of the instruction.
void check_memory_promises(Builder& b, const Instruction& i);

/// Gives each CheckAlias the parameter that its pointer comes from, where that is one of the kernel's whatever was chosen.
void mark_aliases(lir::Function& function);

}  // namespace transpire::vm::builder
