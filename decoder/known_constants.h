// The values of constants, as far as decoding has to know them: scalars, and vectors of them, that OpSpecConstantOp makes of
// integers, Booleans and floats of 32 and 64 bits, through composites as well. Addresses are left to lowering.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "decoder/context.h"

namespace transpire::decoder {

/// The components of a scalar or vector constant that stands before; nothing when they are not known.
std::optional<std::vector<KnownScalar>> known_components(const Context& context, Id id);

/// The components of the scalar or vector that `op` gives; nothing when they are not known, or the operands do not fit.
std::optional<std::vector<KnownScalar>> known_result(const Context& context, const Type& result,
                                                     spv::Op op,
                                                     std::span<const std::uint32_t> operands);

}  // namespace transpire::decoder
