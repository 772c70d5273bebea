// What to do where an operand or a result has a type that its instruction does not take: which instruction makes
// the one of the other. Full sentences; empty when the types alone do not tell.
#pragma once

#include <string>

#include "validator/module_view.h"
#include "validator/signatures.h"

namespace transpire::validator {

/// `found` stands where exactly `wanted` must. Ids that are no types are allowed.
std::string hint_for_types(const ModuleView& view, Id found, Id wanted);

/// `found` has another number of components than `wanted`.
std::string hint_for_length(const ModuleView& view, Id found, Id wanted);

/// `found` stands where any type of the class may.
std::string hint_for_class(const ModuleView& view, Id found, TypeClass wanted);

}  // namespace transpire::validator
