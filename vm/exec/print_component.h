// Prints one number by a conversion of printf.
#pragma once

#include <cstdint>
#include <string>

#include "vm/program/printf_format.h"
#include "vm/simd/kind.h"

namespace transpire::vm::exec {

/// Appends a scalar, or a component of a vector, as the conversion has it. A conversion that does not fit the kind prints what the
/// number is. `bits`: those of the number, zero-extended.
void print_component(std::string* out, const PrintfPiece& c, Kind kind, std::uint64_t bits);

/// Appends a text as the conversion %s has it.
void print_text(std::string* out, const PrintfPiece& c, const char* text);

}  // namespace transpire::vm::exec
