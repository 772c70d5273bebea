// The capabilities that an instruction needs: from the grammar's tables, and from the widths and
// counts of types, which those tables lack.
#pragma once

#include <optional>
#include <string_view>

#include "decoder/view/module_view.h"

namespace transpire::decoder::view {

struct TypeNeed {
  spv::Capability capability;
  std::string_view what;  ///< "64-bit integers"
};

/// The capability that a type declaration needs for its width, count or storage class.
std::optional<TypeNeed> capability_of_type(const ModuleView& view, std::uint32_t instruction);

/// The requirements of an atomic on a float of 16, 32 or 64 bits. The grammar lists the capabilities of all widths. Empty for other
/// instructions.
std::optional<spv::Capability> capability_of_float_atomic(const ModuleView& view,
                                                          std::uint32_t instruction);

/// True if the instruction needs the capability, alone or as one of several alternatives.
bool needs_capability(const ModuleView& view, std::uint32_t instruction,
                      spv::Capability capability);

}  // namespace transpire::decoder::view
