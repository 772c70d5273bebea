// Questions about types that operand rules ask. All are total: an id that is no type answers no.
#pragma once

#include <cstdint>
#include <optional>

#include "validator/module_view.h"

namespace transpire::validator {

bool is_bool(const ModuleView& view, Id type);
bool is_vector(const ModuleView& view, Id type);
bool is_pointer(const ModuleView& view, Id type);
bool is_struct(const ModuleView& view, Id type);
bool is_array(const ModuleView& view, Id type);  ///< of a length that is known at compile time
/// 1 for what is no vector.
std::uint32_t component_count(const ModuleView& view, Id type);
/// Width of an integer or float or of a vector's components; 1 for Booleans, 0 for the rest.
std::uint32_t component_width(const ModuleView& view, Id type);
/// Width of addresses by the addressing model: 32 or 64; 0 for the others.
std::uint32_t address_width(const ModuleView& view);
/// Bits of a scalar, a vector or a pointer; 0 for the rest.
std::uint64_t bit_width(const ModuleView& view, Id type);

/// How many parts a composite has: components, elements, members. Nothing for what is none, and for
/// arrays whose length is not known before specialisation.
std::optional<std::uint64_t> part_count(const ModuleView& view, Id type);
/// The type of a part; 0 when there is no such part. Arrays have the same for any index.
Id part_type(const ModuleView& view, Id type, std::uint64_t index);

/// Whether the id is a value: something with a type that instructions compute with.
bool is_value(const ModuleView& view, Id id);

}  // namespace transpire::validator
