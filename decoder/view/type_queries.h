// Queries about the types of a ModuleView. All are total: for an id that is no type they return false
// or 0.
#pragma once

#include <cstdint>
#include <optional>

#include "decoder/view/module_view.h"

namespace transpire::decoder::view {

bool is_bool(const ModuleView& view, Id type);
bool is_vector(const ModuleView& view, Id type);
bool is_pointer(const ModuleView& view, Id type);  ///< typed or untyped
bool is_untyped_pointer(const ModuleView& view, Id type);
/// The type that a pointer leads to: `seen` for an untyped one; 0 if it is no pointer.
Id pointee_seen_as(const ModuleView& view, Id pointer, Id seen);
bool is_struct(const ModuleView& view, Id type);
bool is_array(const ModuleView& view, Id type);  ///< only of a length known at compile time
/// 1 if it is no vector.
std::uint32_t component_count(const ModuleView& view, Id type);
/// Width of an integer or float or of a vector's components; 1 for Booleans, 0 otherwise.
std::uint32_t component_width(const ModuleView& view, Id type);
/// Width of addresses by the addressing model: 32 or 64; else 0.
std::uint32_t address_width(const ModuleView& view);
/// Bits of a scalar, a vector or a pointer; else 0.
std::uint64_t bit_width(const ModuleView& view, Id type);

/// Number of components, elements or members of a composite. None for other types, and for arrays
/// whose length specialisation decides.
std::optional<std::uint64_t> part_count(const ModuleView& view, Id type);
/// The type of a component, element or member; 0 if there is none. Arrays have one type for all
/// indexes.
Id part_type(const ModuleView& view, Id type, std::uint64_t index);

bool is_variable(const ModuleView& view, Id id);  ///< typed or untyped
/// True for a value: an id with a type that instructions compute with.
bool is_value(const ModuleView& view, Id id);

}  // namespace transpire::decoder::view
