// Correctly rounded math functions, one value at a time.
//
// A function is first computed in double, by the lane function that the fast mode uses for doubles.
// For halves and floats that value, with an interval around it that holds the exact one, nearly
// always decides the rounding; where it does not, and for doubles, GNU MPFR computes the result,
// which it rounds correctly itself, to the target's precision and range.
//
// The lane function alone decides results for NaN, infinities and zeros, and results that are NaN,
// infinite or zero, so both modes agree on these by construction.
#pragma once

#include <span>
#include <string_view>

#include "extinst/reference/format.h"
#include "extinst/reference/mpfr_library.h"

namespace transpire::extinst::reference {

/// The value of a function at operands `a` and `b`, or `a` and `n`, correctly rounded to result's
/// precision; the ternary value that MPFR's functions give.
using Exact = int (*)(const Mpfr& mpfr, mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, long n,
                      mpfr_rnd_t rounding);

struct Function {
  std::string_view name;  ///< in OpenCL.std
  Exact exact;
  std::uint32_t floats = 1;      ///< how many operands are floats
  bool takes_integer = false;    ///< the second operand is an i32
  bool cancels_below_0 = false;  ///< near its zeros it is a difference of larger terms
};

/// All of functions.def, in its order.
std::span<const Function> functions();
const Function* find_function(std::string_view name);

/// Error bound of the lane function's double: |exact - y| <= relative * |y| + absolute. Tests check
/// it; the functions' own errors are at most 2^-49 of the value, except near the zeros of lgamma.
struct Enclosure {
  double relative, absolute;
};
Enclosure enclosure_of(const Function& function, double first_operand);

/// The result of a call, rounded once, by MPFR alone. `operands` are the bits of the call's
/// operands, floats of `kind`; an i32 in its low 32 bits. mpfr_library() must not be null.
Bits round_exactly(const Function& function, vm::Kind kind, vm::Rounding rounding,
                   const Bits* operands);

/// As round_exactly(). `wide` is the lane function's result for the operands as doubles.
Bits round_correctly(const Function& function, vm::Kind kind, vm::Rounding rounding,
                     const Bits* operands, double wide);

}  // namespace transpire::extinst::reference
