// Notes the function that gave a value, for launches that record what is stored (ResultOrigin).
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

/// Notes `function`, a ResultOrigin::function, for the instruction's result. Results that the function has not computed
/// have none: they are operands, or were loaded.
void mark_results(Builder& b, const Instruction& i, std::uint16_t function);
/// Notes the function of OpenCL.std that is as accurate as the extended instruction, if there is one.
void mark_function_results(Builder& b, const Instruction& i);

}  // namespace transpire::vm::builder
