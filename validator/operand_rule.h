// UNI-24, which several families report under: they check operand types that signatures cannot say. V0044, which
// signatures report under as well.
#pragma once

#include "validator/rule.h"

namespace transpire::validator {

extern const ValidationRule kOperandTypes;
/// The rule for the relation '!' of signatures.
extern const ValidationRule kConversionWidth;

}  // namespace transpire::validator
