// SPIR-V's instructions on matrices. A matrix is the scalars of its columns, one column after another.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace matrix {

/// A scalar for each component: element(column, row) of a matrix.
void times_scalar(Builder& b, const Instruction& i, Op op);
/// Sums of products are those of OpDot: from the first component to the last, every product and sum rounded.
void times_vector(Builder& b, const Instruction& i, Op op);
void vector_times(Builder& b, const Instruction& i, Op op);
void times_matrix(Builder& b, const Instruction& i, Op op);
void outer_product(Builder& b, const Instruction& i, Op op);
void transpose(Builder& b, const Instruction& i, Op op);

/// GLSL.std.450's functions of a square matrix of up to four columns, by expansion along the first column: every product and sum
/// rounded.
ValueId determinant(Builder& b, const Instruction& i, std::size_t operand);
/// The transposed cofactors over the determinant.
ValueList inverse(Builder& b, const Instruction& i, std::size_t operand);

}  // namespace matrix

}  // namespace transpire::vm::builder
