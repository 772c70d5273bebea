#include "vm/build/instructions/matrix.h"

#include "vm/build/builder.h"
#include "vm/build/instructions/arithmetic.h"

namespace transpire::vm::builder::matrix {
namespace {

/// A matrix's scalars, and their number in a column.
struct Matrix {
  ValueList values;
  std::size_t rows = 0;

  std::size_t columns() const { return values.size() / rows; }
  Values column(std::size_t c) const { return Values(values).subspan(c * rows, rows); }
  ValueList row(std::size_t r) const {
    ValueList row;
    for (std::size_t c = 0; c < columns(); ++c) row.push_back(values[c * rows + r]);
    return row;
  }
};

/// Operand `index`, or a matrix without columns if it is none.
Matrix matrix_operand(Builder& b, const Instruction& i, std::size_t index) {
  const Type* type = b.ids.operand_type(i, index);
  const Values values = b.ids.operand(i, index);
  if (b.failed() || !b.expect(type->is_matrix, "the operand is no matrix")) return {{}, 1};
  return {{values.begin(), values.end()}, type->element->count};
}

/// matrix * vector
bool append_product(Builder& b, const Matrix& matrix, Values vector, ValueList& result) {
  if (b.failed() || !b.expect(matrix.columns() == vector.size() && !vector.empty(),
                              "the operands differ in components"))
    return false;
  for (std::size_t r = 0; r < matrix.rows; ++r) result.push_back(b.ops.dot(matrix.row(r), vector));
  return true;
}

/// A matrix without one column and one row.
Matrix without(const Matrix& matrix, std::size_t column, std::size_t row) {
  Matrix rest{{}, matrix.rows - 1};
  for (std::size_t c = 0; c < matrix.columns(); ++c)
    for (std::size_t r = 0; r < matrix.rows; ++r)
      if (c != column && r != row) rest.values.push_back(matrix.values[c * matrix.rows + r]);
  return rest;
}

ValueId determinant_of(Builder& b, const Matrix& matrix);

/// The determinant of the rest, with the sign of the place.
ValueId cofactor(Builder& b, const Matrix& matrix, std::size_t column, std::size_t row) {
  const ValueId minor = determinant_of(b, without(matrix, column, row));
  return (column + row) % 2 == 0 ? minor : b.ops.emit(Op::kFNegate, {minor});
}

ValueId determinant_of(Builder& b, const Matrix& matrix) {
  if (matrix.rows == 1) return matrix.values[0];
  ValueId sum = kNoValue;
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    const ValueId product = b.ops.emit(Op::kFMul, {matrix.values[r], cofactor(b, matrix, 0, r)});
    sum = sum == kNoValue ? product : b.ops.emit(Op::kFAdd, {sum, product});
  }
  return sum;
}

/// Operand `index`, or a matrix without columns if it is no square one.
Matrix square_operand(Builder& b, const Instruction& i, std::size_t index) {
  Matrix matrix = matrix_operand(b, i, index);
  if (b.failed() || !b.expect(matrix.columns() == matrix.rows, "the operand is no square matrix"))
    return {{}, 1};
  return matrix;
}

}  // namespace

void times_scalar(Builder& b, const Instruction& i, Op op) {
  if (const Type* const type = b.ids.operand_type(i, 0);
      !b.failed() && type->is_cooperative_matrix())
    return arithmetic::times_scalar(b, i, type->element->kind == Type::Kind::kInt ? Op::kIMul : op);
  const Matrix matrix = matrix_operand(b, i, 0);
  const ValueList scalar(matrix.values.size(), b.ids.scalar_operand(i, 1));
  if (!b.failed()) b.ids.define(i, b.ops.each(op, matrix.values, scalar));
}

void times_vector(Builder& b, const Instruction& i, Op) {
  const Matrix matrix = matrix_operand(b, i, 0);
  ValueList result;
  if (append_product(b, matrix, b.ids.operand(i, 1), result)) b.ids.define(i, std::move(result));
}

void vector_times(Builder& b, const Instruction& i, Op) {
  const Values vector = b.ids.operand(i, 0);
  const Matrix matrix = matrix_operand(b, i, 1);
  if (b.failed() || !b.expect(matrix.rows == vector.size(), "the operands differ in components"))
    return;
  ValueList result;
  for (std::size_t c = 0; c < matrix.columns(); ++c)
    result.push_back(b.ops.dot(vector, matrix.column(c)));
  b.ids.define(i, std::move(result));
}

void times_matrix(Builder& b, const Instruction& i, Op) {
  const Matrix left = matrix_operand(b, i, 0), right = matrix_operand(b, i, 1);
  ValueList result;
  for (std::size_t c = 0; c < right.columns(); ++c)
    if (!append_product(b, left, right.column(c), result)) return;
  if (!b.failed()) b.ids.define(i, std::move(result));
}

void outer_product(Builder& b, const Instruction& i, Op) {
  const Values left = b.ids.operand(i, 0), right = b.ids.operand(i, 1);
  ValueList result;
  for (const ValueId factor : right)
    for (const ValueId value : left) result.push_back(b.ops.emit(Op::kFMul, {value, factor}));
  if (!b.failed()) b.ids.define(i, std::move(result));
}

void transpose(Builder& b, const Instruction& i, Op) {
  const Matrix matrix = matrix_operand(b, i, 0);
  ValueList result;
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    const ValueList row = matrix.row(r);
    result.insert(result.end(), row.begin(), row.end());
  }
  if (!b.failed()) b.ids.define(i, std::move(result));
}

ValueId determinant(Builder& b, const Instruction& i, std::size_t operand) {
  const Matrix whole = square_operand(b, i, operand);
  return b.failed() ? kNoValue : determinant_of(b, whole);
}

ValueList inverse(Builder& b, const Instruction& i, std::size_t operand) {
  const Matrix whole = square_operand(b, i, operand);
  if (b.failed()) return {};
  const ValueId divisor = determinant_of(b, whole);
  ValueList result;
  for (std::size_t c = 0; c < whole.rows; ++c)
    for (std::size_t r = 0; r < whole.rows; ++r)
      result.push_back(b.ops.emit(Op::kFDiv, {cofactor(b, whole, r, c), divisor}));
  return result;
}

}  // namespace transpire::vm::builder::matrix
