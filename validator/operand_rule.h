// UNI-24, which several families report under: they check operand types that signatures cannot say.
#pragma once

#include "validator/rule.h"

namespace transpire::validator {

extern const ValidationRule kOperandTypes;

}  // namespace transpire::validator
