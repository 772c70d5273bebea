// Untyped pointers (SPV_KHR_untyped_pointers). Their type names a storage class alone, and each instruction that uses them says as what
// type it sees memory. The decoder makes an instruction with typed pointers of each, OpAccessChain of OpUntypedAccessChainKHR and so on, with
// the operands that the typed one has; an OpVariable of a function has the data type instead of the storage class. seen_type() gives the type.
#pragma once

#include "decoder/module.h"

namespace transpire::decoder {

/// The pointee of untyped pointers: a byte.
const Type& untyped_pointee();
inline bool is_untyped(const Type& pointer) { return pointer.element == &untyped_pointee(); }

/// The instruction that the decoder makes of one with untyped pointers; others stay.
spv::Op typed_op(spv::Op op);
/// The opcode that the module has for an instruction of a function, which the decoder may have replaced.
spv::Op written_op(const Module& module, const Instruction& instruction);
/// Index of the operand that says as what the instruction sees memory. `op`: an instruction with untyped pointers.
std::size_t seen_operand(spv::Op op);

/// The type as which an instruction of a function, or a variable of the module's scope, sees its memory: the base of an access chain, the
/// block of an OpArrayLength, a variable's data. Null if the pointer's type says it.
const Type* seen_type(const Module& module, std::uint32_t word_offset);

}  // namespace transpire::decoder
