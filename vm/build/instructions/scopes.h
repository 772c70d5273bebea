// Scopes and memory semantics that are no constants: the validator cannot look at them, so the
// builder places checks of its rules (base/rules/found_at_run.def). Constants are left to the
// validator; those that specialisation may change are not.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

/// Places checks of the scopes and semantics of an instruction that are no constants.
void check_scopes(Builder& b, const Instruction& instruction);

}  // namespace transpire::vm::builder
