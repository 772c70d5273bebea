// The machine's part of the vector layer: what xsimd lacks there, or has slower or with other bits. Each machine's
// header has all of these, with the same results bit for bit; every use of an intrinsic or of assembly is in them.
//
//   FloatControl                      the control register: rounding, denormals
//   is_zero(vector)                   whether every bit is 0
//   lane_mask<T>(word, lane)          bits of a word from `lane` on, as the mask of a vector of T
//   mask_word<T>(get)                 the word of 64 lanes, of get(lane): the mask of the vector that starts there
//   compare_vectors<predicate>(a, b)  see vm/simd/predicate.h
//   ordered_add, _subtract, _multiply, _divide(a, b), default_nan<T>()
//                                     of lanes and vectors, with the NaN that x86 gives: the first operand that is
//                                     one, made quiet; else the default NaN
//   to_float(half), to_half(float), to_half(float, rounding), widen_halves(d, a), narrow_to_halves(d, a)
//                                     lanes, and rows of kLanes
//   widen(floats), narrow(low, high)  to doubles and back, rounded as the machine is set to
//   truncated(floats)                 to int32; what it does not hold gives the smallest one
#pragma once

#include "vm/simd/float_control.h"

#if defined(TRANSPIRE_ISA_NEON)
#include "vm/simd/aarch64.h"
#elif defined(TRANSPIRE_ISA_SCALAR)
#include "vm/simd/scalar.h"
#else
#include "vm/simd/x86.h"
#endif
