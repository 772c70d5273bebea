#include <algorithm>
#include <array>

#include "ulp/formula.h"

namespace transpire::ulp {
namespace formula {
namespace {

using vm::Kind;

/// A call's operands as numbers: `raw` for comparisons that Vulkan says are exact.
template <class N, std::size_t kSize>
struct Operands {
  explicit Operands(const FormulaCall& call) : raw(call.operands), component(call.component) {}
  N operator[](std::size_t i) const { return N::number(raw[i]); }
  /// Component `i` of vector operand `v`, behind other vectors.
  N of(std::size_t v, std::size_t i) const { return (*this)[v * kSize + i]; }

  std::span<const double> raw;
  std::size_t component;
};

template <class N, class Term>
N sum(std::size_t count, Term term) {
  N total = term(0);
  for (std::size_t i = 1; i < count; ++i) total = total + term(i);
  return total;
}

template <class N, std::size_t kSize>
N dot(const Operands<N, kSize>& x, std::size_t v, std::size_t w) {
  return sum<N>(kSize, [&](std::size_t i) { return x.of(v, i) * x.of(w, i); });
}

template <class N, std::size_t kSize>
N sign(const Operands<N, kSize>& x) {
  const double a = x.raw[0];
  return N::number(a > 0 ? 1 : a < 0 ? -1 : a == 0 ? a : 0);
}

template <class N, std::size_t kSize>
N fract(const Operands<N, kSize>& x) {
  return x[0] - N::number(std::floor(x.raw[0]));
}

template <class N, std::size_t kSize>
N radians(const Operands<N, kSize>& x) {
  return x[0] * N::per_degree();
}

template <class N, std::size_t kSize>
N degrees(const Operands<N, kSize>& x) {
  return x[0] * N::per_radian();
}

/// A NaN counts as no operand; of equal operands, the second is the result.
double least(double a, double b) { return std::isnan(b) || a < b ? a : b; }
double largest(double a, double b) { return std::isnan(b) || b < a ? a : b; }

template <class N, std::size_t kSize>
N minimum(const Operands<N, kSize>& x) {
  return N::number(least(x.raw[0], x.raw[1]));
}

template <class N, std::size_t kSize>
N maximum(const Operands<N, kSize>& x) {
  return N::number(largest(x.raw[0], x.raw[1]));
}

template <class N, std::size_t kSize>
N clamp(const Operands<N, kSize>& x) {
  return N::number(least(largest(x.raw[0], x.raw[1]), x.raw[2]));
}

template <class N, std::size_t kSize>
N step(const Operands<N, kSize>& x) {
  return N::number(x.raw[1] < x.raw[0] ? 0 : 1);
}

template <class N, std::size_t kSize>
N fma(const Operands<N, kSize>& x) {
  return x[0] * x[1] + x[2];
}

template <class N, std::size_t kSize>
N mix(const Operands<N, kSize>& x) {
  return x[0] * (N::number(1) - x[2]) + x[1] * x[2];
}

/// Equal edges are undefined; the reference mode has a jump from 0 to 1.
template <class N, std::size_t kSize>
N smoothstep(const Operands<N, kSize>& x) {
  if (x.raw[0] == x.raw[1])
    return N::undefined(x.raw[2] > x.raw[0] && std::isfinite(x.raw[0]) ? 1 : 0);
  const N t = clamped((x[2] - x[0]) / (x[1] - x[0]));
  return t * t * (N::number(3) - N::number(2) * t);
}

template <class N, std::size_t kSize>
N length(const Operands<N, kSize>& x) {
  return sqrt(dot(x, 0, 0));
}

template <class N, std::size_t kSize>
N distance(const Operands<N, kSize>& x) {
  return sqrt(sum<N>(kSize, [&](std::size_t i) {
    const N difference = x.of(0, i) - x.of(1, i);
    return difference * difference;
  }));
}

/// A zero vector stays. With infinite components, these count as 1 and the others as 0.
template <class N, std::size_t kSize>
N normalize(const Operands<N, kSize>& x) {
  std::array<double, kSize> vector;
  bool is_zero = true, is_infinite = false;
  for (std::size_t i = 0; i < kSize; ++i) {
    is_zero &= x.raw[i] == 0;
    is_infinite |= std::isinf(x.raw[i]);
  }
  for (std::size_t i = 0; i < kSize; ++i)
    vector[i] = !is_infinite || std::isnan(x.raw[i])
                    ? x.raw[i]
                    : std::copysign(std::isinf(x.raw[i]) ? 1.0 : 0.0, x.raw[i]);
  const Operands<N, kSize> finite({vector, x.component});
  if (is_zero) return finite[x.component];
  return finite[x.component] * inverse_sqrt(dot(finite, 0, 0));
}

template <class N, std::size_t kSize>
N cross(const Operands<N, kSize>& x) {
  const std::size_t m = (x.component + 1) % 3, n = (x.component + 2) % 3;
  return x.of(0, m) * x.of(1, n) - x.of(0, n) * x.of(1, m);
}

template <class N, std::size_t kSize>
N face_forward(const Operands<N, kSize>& x) {
  const N normal = x.of(0, x.component);
  return choose(dot(x, 2, 1), normal, -normal);
}

template <class N, std::size_t kSize>
N reflect(const Operands<N, kSize>& x) {
  return x.of(0, x.component) - N::number(2) * dot(x, 1, 0) * x.of(1, x.component);
}

template <class N, std::size_t kSize>
N refract(const Operands<N, kSize>& x) {
  const N one = N::number(1), eta = x[2 * kSize], d = dot(x, 1, 0);
  const N k = one - eta * eta * (one - d * d);
  const N scale = eta * d + sqrt(not_below_zero(k));
  return choose(k, N::number(0), eta * x.of(0, x.component) - scale * x.of(1, x.component));
}

template <class N, std::size_t kSize>
N dot_product(const Operands<N, kSize>& x) {
  return dot(x, 0, 1);
}

/// A vector's or a matrix's scalar by the last operand.
template <class N, std::size_t kSize>
N scaled(const Operands<N, kSize>& x) {
  return x[x.component] * x[x.raw.size() - 1];
}

template <class N, std::size_t kSize>
N matrix_times_vector(const Operands<N, kSize>& x) {
  return sum<N>(kSize, [&](std::size_t j) { return x.of(j, x.component) * x.of(kSize, j); });
}

template <class N, std::size_t kSize>
N vector_times_matrix(const Operands<N, kSize>& x) {
  return dot(x, 0, 1 + x.component);
}

template <class N, std::size_t kSize>
N matrix_times_matrix(const Operands<N, kSize>& x) {
  const std::size_t column = x.component / kSize, row = x.component % kSize;
  return sum<N>(kSize, [&](std::size_t k) { return x.of(k, row) * x.of(kSize + column, k); });
}

template <class N, std::size_t kSize>
N outer_product(const Operands<N, kSize>& x) {
  return x.of(0, x.component % kSize) * x.of(1, x.component / kSize);
}

/// A square matrix of columns, some of whose rows and columns count.
template <class N>
struct Minor {
  std::array<std::array<N, 4>, 4> columns;
  std::size_t size;

  template <std::size_t kSize>
  static Minor whole(const Operands<N, kSize>& x) {
    Minor minor{{}, kSize};
    for (std::size_t c = 0; c < kSize; ++c)
      for (std::size_t r = 0; r < kSize; ++r) minor.columns[c][r] = x.of(c, r);
    return minor;
  }
  Minor without(std::size_t column, std::size_t row) const {
    Minor rest{{}, size - 1};
    for (std::size_t c = 0; c + 1 < size; ++c)
      for (std::size_t r = 0; r + 1 < size; ++r)
        rest.columns[c][r] = columns[c + (c >= column ? 1 : 0)][r + (r >= row ? 1 : 0)];
    return rest;
  }
  N cofactor(std::size_t column, std::size_t row) const {
    const N minor = without(column, row).determinant();
    return (column + row) % 2 == 0 ? minor : -minor;
  }
  N determinant() const {
    if (size == 1) return columns[0][0];
    return sum<N>(size, [&](std::size_t r) { return columns[0][r] * cofactor(0, r); });
  }
};

template <class N, std::size_t kSize>
N determinant(const Operands<N, kSize>& x) {
  return Minor<N>::whole(x).determinant();
}

template <class N, std::size_t kSize>
N inverse(const Operands<N, kSize>& x) {
  const Minor<N> matrix = Minor<N>::whole(x);
  return matrix.cofactor(x.component % kSize, x.component / kSize) / matrix.determinant();
}

template <auto kFormula, class N, std::size_t kSize>
N value_of(const FormulaCall& call) {
  return kFormula(Operands<N, kSize>(call));
}

template <Kind kKind, auto kFormula, std::size_t kSize>
PermittedRange range_of(const FormulaCall& call) {
  const Permitted<kKind> range = value_of<kFormula, Permitted<kKind>, kSize>(call);
  if (range.any) return std::nullopt;
  return std::pair(static_cast<double>(range.low), static_cast<double>(range.high));
}

template <auto kHalf, auto kFloat, auto kDouble, std::size_t kSize>
PermittedRange permitted(Kind kind, const FormulaCall& call) {
  if (kind == Kind::kF16) return range_of<Kind::kF16, kHalf, kSize>(call);
  if (kind == Kind::kF32) return range_of<Kind::kF32, kFloat, kSize>(call);
  return range_of<Kind::kF64, kDouble, kSize>(call);
}

constexpr std::size_t at_least_1(std::size_t size) { return size == 0 ? 1 : size; }

constexpr Formula kFormulas[] = {
#define TRANSPIRE_OF(formula, Number, size) &formula<Number, at_least_1(size)>
#define TRANSPIRE_VALUE(formula, Number, size) \
  &value_of<TRANSPIRE_OF(formula, Number, size), Number, at_least_1(size)>
#define TRANSPIRE_FORMULA(name, size, operands, result, formula, once, rule) \
  {size == 0 ? #name : #name #size,                                          \
   #name,                                                                    \
   size,                                                                     \
   operands,                                                                 \
   result,                                                                   \
   once,                                                                     \
   TRANSPIRE_VALUE(formula, Near<double>, size),                             \
   TRANSPIRE_VALUE(formula, Near<long double>, size),                        \
   TRANSPIRE_VALUE(formula, Exact, size),                                    \
   &permitted<TRANSPIRE_OF(formula, Permitted<Kind::kF16>, size),            \
              TRANSPIRE_OF(formula, Permitted<Kind::kF32>, size),            \
              TRANSPIRE_OF(formula, Permitted<Kind::kF64>, size), at_least_1(size)>},
#include "ulp/formulas.def"
#undef TRANSPIRE_FORMULA
#undef TRANSPIRE_VALUE
#undef TRANSPIRE_OF
};

}  // namespace
}  // namespace formula

std::size_t Formula::scalars(char shape) const {
  return shape == 's' ? 1 : shape == 'v' ? size : size * size;
}

std::size_t Formula::operand_count() const {
  std::size_t count = 0;
  for (const char shape : operands) count += scalars(shape);
  return count;
}

std::span<const Formula> formulas() { return formula::kFormulas; }

const Formula* find_formula(std::string_view name) {
  const auto found = std::ranges::find(formulas(), name, &Formula::name);
  return found == formulas().end() ? nullptr : &*found;
}

}  // namespace transpire::ulp
