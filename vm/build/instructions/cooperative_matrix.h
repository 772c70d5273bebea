// Cooperative matrices (SPV_KHR_cooperative_matrix): the work-items of a sub-group hold a matrix together. Its elements in row-major order
// are dealt out in turn: component c of work-item w of a sub-group of n is element c * n + w. Where the elements do not come out even, the
// last component of some work-items is a copy of the last element, which is never stored.
//
// To the builder a matrix is an array of the components that one work-item holds, so that what works on components alone, such as sums,
// conversions and accesses to them, needs no code of its own.
#pragma once

#include <vector>

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace cooperative_matrix {

/// Each work-item loads or stores its components. The whole sub-group must be there: else finding R0041.
void load(Builder& b, const Instruction& i, Op op);
void store(Builder& b, const Instruction& i, Op op);

/// An element of a matrix in memory.
struct Element {
  ValueId address = kNoValue;
  std::uint64_t size_bytes = 0;
};
/// The elements that a work-item loads or stores, as far as it has some of its own: see above.
std::vector<Element> elements(Builder& b, const Instruction& i);

/// A * B + C. Integers are extended to the result's width first, and products and sums wrap in it; only the addition of C may saturate.
/// Floats are converted to 32 bits, to 64 bits where one of the matrices has such components, then multiplied and added from the first
/// product to the last, C at the end, every product and sum rounded; the result is rounded once more where it is narrower.
void multiply_add(Builder& b, const Instruction& i, Op op);

/// The number of components, which is the same in all work-items.
void length(Builder& b, const Instruction& i, Op op);

}  // namespace cooperative_matrix

}  // namespace transpire::vm::builder
