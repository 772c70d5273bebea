// Undefined values: what --check=uninit makes of a function, in the way of MemorySanitizer.
//
// Each value has a shadow of its width (a bool's is a bool, others' an integer), whose one bits are those of the value
// that nothing defined. Shadows are values of LIR like others: passes fold them, and handlers compute them at full
// speed. A value that cannot be undefined has none.
//
//   source       OpUndef; a private variable without an initializer, and each time that it begins to live; local
//                memory; buffers that the host declares undefined
//   memory       a byte of shadow for each byte, memory::shadow_distance() behind it: beside each load, store, copy
//                and atomic stands the same of the shadow, through the same form of address. A private variable's
//                shadow is another private variable, so that both are promoted together
//   by bit       and, or, xor, not, shifts, rotations, conversions of integers, selections: masked-out bits are defined
//   by value     comparisons and all that is left: undefined where an operand has an undefined bit. Sums, products and
//                floats take the bits of their operands together
//   where it     CheckDefined in front of branches, switches, addresses, sizes, divisors and operands of groups;
//   matters      CheckStored behind what is stored where the host sees it, which an AsyncCopy of shadows looks at by
//                itself. Copies of structs are no such stores
//
// track_undefined() runs first of all passes. Sources are Undefined values until promotion is done: from there,
// find_undefined_sources() walks back from each check to what may have made its operand undefined, and makes constants of them.
#pragma once

#include "vm/passes/passes.h"
