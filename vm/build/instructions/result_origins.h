// Which function gave a value, for launches that record what is stored (ResultOrigin).
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

/// Says which function gave the instruction's result. Only what the function computed: its result may be an
/// operand, or be loaded.
void mark_results(Builder& b, const Instruction& i, std::uint16_t function);

}  // namespace transpire::vm::builder
