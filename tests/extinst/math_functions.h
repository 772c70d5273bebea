// The floating-point functions of OpenCL.std with their exact values (MPFR), operands to try, and
// the error of a result in units in the last place.
#pragma once

#include <mpfr.h>

#include <string_view>

#include "tests/vm/ops/row_runner.h"

namespace transpire::test {

/// result = f(a, b) or f(a, n), to the precision of `result`.
using Exact = void (*)(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, long n);

struct MathFunction {
  vm::Op op;
  std::string_view name;  ///< in the OpenCL.std table
  Exact exact;
  double low, high;  ///< first operands between which most results are neither 0 nor infinite
  double float_ulp, double_ulp, half_ulp;  ///< what we promise; not above the table's bounds
};

std::span<const MathFunction> math_functions();
const MathFunction& math_function(vm::Op op);

/// kAnyBits: half of the operands have any bits. kModerate: all are in the range of the function,
/// so that the forms for rows of such operands are taken.
enum class Spread { kAnyBits, kModerate };

/// Operands of one call, as bits: a, or a and b (the i32 of pown and rootn included).
std::vector<Values> random_operands(const MathFunction& function, vm::Kind kind, Spread spread,
                                    std::size_t count);

/// Results of the row form, lane by lane.
Values run_rows(const vm::HandlerTable& table, vm::Op op, vm::Kind kind,
                const std::vector<Values>& calls);
/// Results of the uniform form.
Values run_uniform(const vm::HandlerTable& table, vm::Op op, vm::Kind kind,
                   const std::vector<Values>& calls);

/// How far `result` is from the exact value, in units in the last place of the latter. Infinity
/// counts as the number after the largest; 0 when both are NaN, infinite when one is.
double ulp_error(vm::Kind kind, Bits result, mpfr_srcptr exact);

/// The largest error of results over calls, and where.
struct WorstError {
  double ulp = 0;
  Values call;
  Bits result = 0;
};
WorstError worst_error(const MathFunction& function, vm::Kind kind,
                       const std::vector<Values>& calls, const Values& results);

double to_double(vm::Kind kind, Bits bits);

}  // namespace transpire::test
