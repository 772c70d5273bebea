// Which capabilities an instruction needs: by the grammar's tables, and by the widths and counts of types, of which
// they say nothing.
#pragma once

#include <optional>
#include <string_view>

#include "validator/module_view.h"

namespace transpire::validator {

struct TypeNeed {
  spv::Capability capability;
  std::string_view what;  ///< "64-bit integers"
};

/// What a type declaration needs for its width, count or storage class.
std::optional<TypeNeed> capability_of_type(const ModuleView& view, std::uint32_t instruction);

/// The requirements of an atomic on a float of 16, 32 or 64 bits. The grammar lists the capabilities of all widths. Empty for other
/// instructions.
std::optional<spv::Capability> capability_of_float_atomic(const ModuleView& view,
                                                          std::uint32_t instruction);

/// Whether the instruction is one of those that ask for the capability, alone or as one of several.
bool needs_capability(const ModuleView& view, std::uint32_t instruction,
                      spv::Capability capability);

}  // namespace transpire::validator
