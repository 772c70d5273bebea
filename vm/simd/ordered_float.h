// Float addition, multiplication and fused multiply-add that keep the order of their operands.
//
// NaN results follow x86: the first operand that is a NaN, made quiet; else, for an invalid
// operation, the default NaN (negative, quiet, no payload). The order matters when both operands
// are NaNs, and g++ takes + and * for commutative and swaps their operands as its register
// allocation likes, so the result would depend on the instruction set and the form. As assembly
// they cost the same and cannot be swapped. Subtraction, division and square root have one order
// and need nothing.
#pragma once

#include "vm/simd/vector.h"

namespace transpire::vm::TRANSPIRE_ISA {

#if defined(TRANSPIRE_ISA_BASELINE)
#define TRANSPIRE_ORDERED(function, type, mnemonic)  \
  TRANSPIRE_INLINE type function(type a, type b) {   \
    __asm__(mnemonic " %1, %0" : "+x"(a) : "xm"(b)); \
    return a;                                        \
  }
#else
#define TRANSPIRE_ORDERED(function, type, mnemonic)                  \
  TRANSPIRE_INLINE type function(type a, type b) {                   \
    type d;                                                          \
    __asm__("v" mnemonic " %2, %1, %0" : "=v"(d) : "v"(a), "vm"(b)); \
    return d;                                                        \
  }
#endif
TRANSPIRE_ORDERED(ordered_add, float, "addss")
TRANSPIRE_ORDERED(ordered_add, double, "addsd")
TRANSPIRE_ORDERED(ordered_add, Vector<float>, "addps")
TRANSPIRE_ORDERED(ordered_add, Vector<double>, "addpd")
TRANSPIRE_ORDERED(ordered_multiply, float, "mulss")
TRANSPIRE_ORDERED(ordered_multiply, double, "mulsd")
TRANSPIRE_ORDERED(ordered_multiply, Vector<float>, "mulps")
TRANSPIRE_ORDERED(ordered_multiply, Vector<double>, "mulpd")
#undef TRANSPIRE_ORDERED

#if !defined(TRANSPIRE_ISA_BASELINE)
/// a * b + c, rounded once; the NaN order is a, b, c. (Of the encodings, 213 has this order.)
#define TRANSPIRE_ORDERED(type, mnemonic)                        \
  TRANSPIRE_INLINE type ordered_fma(type a, type b, type c) {    \
    __asm__(mnemonic " %2, %1, %0" : "+v"(b) : "v"(a), "vm"(c)); \
    return b;                                                    \
  }
TRANSPIRE_ORDERED(float, "vfmadd213ss")
TRANSPIRE_ORDERED(double, "vfmadd213sd")
TRANSPIRE_ORDERED(Vector<float>, "vfmadd213ps")
TRANSPIRE_ORDERED(Vector<double>, "vfmadd213pd")
#undef TRANSPIRE_ORDERED
#endif

}  // namespace transpire::vm::TRANSPIRE_ISA
