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
/// An index that is an operand of its own, into a vector of so many components.
void check_component(Builder& b, std::size_t components, ValueId index);
/// The offset and the count of a bit field in numbers of so many bits.
void check_bit_field(Builder& b, std::uint32_t width, ValueId offset, ValueId count);

}  // namespace transpire::vm::builder
