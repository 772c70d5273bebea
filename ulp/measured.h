// Data of `measure_ulp` about each function: the exact value (extinst/reference), an estimate of
// it, and operands to try.
#pragma once

#include <span>
#include <string_view>

#include "extinst/reference/evaluate.h"
#include "extinst/table.h"
#include "ulp/formula.h"
#include "vm/ops/op.h"

namespace transpire::ulp {

struct MeasuredFunction {
  vm::Op op;
  extinst::reference::Function function;
  double low, high;   ///< see measured.def
  bool in_c_library;  ///< true if kCLibrary can measure it under its own name
  float (*single)(float a, float b, int n);
  double (*twice)(double a, double b, int n);
  long double (*extended)(long double a, long double b, int n);
  /// results[i] = twice(a[i], b[i], n[i])
  void (*twice_each)(const double* a, const double* b, const std::int32_t* n, std::size_t count,
                     double* results);
  /// Not null for a row of formulas.def, which has no op and no functions above.
  const Formula* formula = nullptr;

  std::size_t arity() const;
  bool takes_integer() const;  ///< the second operand is an i32
};

std::span<const MeasuredFunction> measured_functions();

/// A function of GLSL.std.450, whose names begin with a capital letter: a row of glsl.def.
struct GlslFunction {
  std::string_view name, opencl;
  extinst::UlpBounds bounds;
};

std::span<const GlslFunction> glsl_functions();
/// Null if it is not measured.
const GlslFunction* find_glsl(std::string_view name);

/// A function of OpenCL.std, of GLSL.std.450 or of formulas.def by name: half_ and native_ forms, sincos, remquo and lgamma_r are the
/// plain function with bounds of their own. Null if it is not measured.
const MeasuredFunction* find_measured(std::string_view name);

/// Relative error bound of an estimate. For `twice`, much more than the C library's largest error
/// (10 units in its last place, tgamma); for `extended` 64 units. `--confirm` tests it.
inline constexpr double kTwiceError = 0x1p-46;
inline constexpr long double kExtendedError = 0x1p-58L;
/// An estimate by `twice` that is nearer to 0 may be subnormal, and further off.
inline constexpr double kLeastEstimate = 0x1p-1000;
/// True if `extended` has 64 bits on this machine and is known to be exact enough for the function.
bool has_extended(const MeasuredFunction& function);

}  // namespace transpire::ulp
