// Hints for an operand or result of the wrong type: the instruction that converts it. Full
// sentences; empty if the types alone do not determine one.
#pragma once

#include <string>

#include "validator/names.h"
#include "validator/signatures.h"

namespace transpire::validator {

/// `found` stands where only `wanted` is allowed. Ids that are no types are allowed.
std::string hint_for_types(const ModuleView& view, Id found, Id wanted);

/// `found` has another number of components than `wanted`.
std::string hint_for_length(const ModuleView& view, Id found, Id wanted);

/// `found` stands where any type of the class is allowed.
std::string hint_for_class(const ModuleView& view, Id found, TypeClass wanted);

}  // namespace transpire::validator
