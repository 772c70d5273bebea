// --check=ub beyond integers: promises of FPFastMathMode, and operands for which functions of OpenCL.std are
// undefined. A launch without that check places nothing of this.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

/// Checks the promises that an instruction's FPFastMathMode decoration makes about operands and
/// result.
void check_float_promises(Builder& b, const Instruction& i);
/// The operands for which a function of OpenCL.std is undefined.
void check_opencl_std(Builder& b, const Instruction& i);
/// Checks an index operand into a vector with `components` components.
void check_component(Builder& b, std::size_t components, ValueId index);
/// Checks the offset and the count of a bit field in numbers of `width` bits.
void check_bit_field(Builder& b, std::uint32_t width, ValueId offset, ValueId count);

}  // namespace transpire::vm::builder
