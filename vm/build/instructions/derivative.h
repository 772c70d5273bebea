// SPIR-V "Derivative Instructions" in compute shaders (SPV_NV_compute_shader_derivatives): differences between the work-items of a quad.
#pragma once

#include <optional>

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace derivative {

/// How many work-items of a sub-group lie between the two rows of a quad: 2 for quads in a line. Nothing, and refused, where
/// work-groups do not consist of whole quads.
std::optional<std::uint32_t> quad_row(Builder& b);

/// A derivative in x, in y, or the sum of both ones' magnitudes. Coarse ones are the same in the whole quad.
enum class Direction { kX, kY, kSum };
/// The derivatives of values. Nothing, and the instruction is refused, in entry points without quads.
ValueList differences(Builder& b, const Instruction& i, Values values, Direction direction,
                      bool is_coarse);
void difference(Builder& b, const Instruction& i, Direction direction, bool is_coarse);
template <Direction kDirection, bool kIsCoarse = false>
void difference(Builder& b, const Instruction& i, Op) {
  difference(b, i, kDirection, kIsCoarse);
}

}  // namespace derivative

}  // namespace transpire::vm::builder
