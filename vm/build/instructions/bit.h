// SPIR-V "Bit Instructions". Shift amounts may have another width than what is shifted; bit fields
// are taken apart into shifts and masks.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace bit {

void bit_count(Builder& b, const Instruction& i, Op op);
void shift(Builder& b, const Instruction& i, Op op);
void field_insert(Builder& b, const Instruction& i, Op op);
void field_extract_signed(Builder& b, const Instruction& i, Op op);
void field_extract_unsigned(Builder& b, const Instruction& i, Op op);

}  // namespace bit

}  // namespace transpire::vm::builder
