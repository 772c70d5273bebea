// SPIR-V "Conversion Instructions" between numbers, and OpBitcast. Pointer conversions stand in pointer.h.
// SaturatedConversion and FPRoundingMode count on every conversion that they can mean something
// for.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace conversion {

void float_to_int(Builder& b, const Instruction& i, Op op);
void int_to_float(Builder& b, const Instruction& i, Op op);
void float_to_float(Builder& b, const Instruction& i, Op op);
/// OpUConvert and OpSConvert; `op` is the saturating form.
void unsigned_to_int(Builder& b, const Instruction& i, Op op);
void signed_to_int(Builder& b, const Instruction& i, Op op);
void saturate(Builder& b, const Instruction& i, Op op);
/// OpQuantizeToF16, rounded to the nearest; numbers below the smallest normal one of 16 bits become zeros of their sign.
void quantize_to_half(Builder& b, const Instruction& i, Op op);
void bitcast(Builder& b, const Instruction& i, Op op);

}  // namespace conversion

}  // namespace transpire::vm::builder
