// SPIR-V "Derivative Instructions" in compute shaders (SPV_NV_compute_shader_derivatives): differences between the work-items of a quad.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace derivative {

/// A derivative in x, in y, or the sum of both ones' magnitudes. Coarse ones are the same in the whole quad.
enum class Direction { kX, kY, kWidth };
void difference(Builder& b, const Instruction& i, Direction direction, bool is_coarse);
template <Direction kDirection, bool kIsCoarse = false>
void difference(Builder& b, const Instruction& i, Op) {
  difference(b, i, kDirection, kIsCoarse);
}

}  // namespace derivative

}  // namespace transpire::vm::builder
