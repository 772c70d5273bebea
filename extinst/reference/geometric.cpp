#include "extinst/reference/geometric.h"

#include <array>
#include <memory>

#include "extinst/reference/once.h"

namespace transpire::extinst::reference {
namespace {

using vm::Kind;
using vm::Rounding;

constexpr std::size_t kMaxComponents = 16;
/// Holds any sum of 16 products of two doubles, or of squares of differences.
constexpr mpfr_prec_t kExactBits = 4700;

struct Scratch {
  explicit Scratch(const Mpfr& library)
      : mpfr(library),
        sum(library, kExactBits),
        root(library),
        numerator(library),
        result(library) {
    for (std::size_t i = 0; i < kMaxComponents; ++i) {
      left_numbers[i] = std::make_unique<Number>(library, kExactBits / 2);
      right_numbers[i] = std::make_unique<Number>(library, kExactBits / 2);
      left[i] = left_numbers[i]->get();
      right[i] = right_numbers[i]->get();
    }
  }
  const Mpfr& mpfr;
  std::array<std::unique_ptr<Number>, kMaxComponents> left_numbers, right_numbers;
  std::array<mpfr_ptr, kMaxComponents> left{}, right{};
  Number sum, root, numerator, result;
};

Scratch& scratch() {
  thread_local Scratch numbers(*mpfr_library());
  return numbers;
}

/// sum = the exact sum of left * right.
void exact_sum(Scratch& s, std::size_t count) {
  s.mpfr.dot(s.sum, s.left.data(), s.right.data(), count, MPFR_RNDN);
}

bool any(const Doubles& values, bool (*test)(double)) {
  for (const double value : values)
    if (test(value)) return true;
  return false;
}
bool nan(double x) { return std::isnan(x); }
bool infinite(double x) { return std::isinf(x); }

/// Where an operand of a dot product is no number: only signs and infinities count.
Bits dot_without_numbers(Kind kind, const Doubles& values) {
  const auto flat = [](double x) { return std::isfinite(x) && x != 0 ? std::copysign(1, x) : x; };
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); i += 2) sum += flat(values[i]) * flat(values[i + 1]);
  return round_to(kind, Rounding::kRte, sum);
}

/// The zero that a dot product is.
Bits dot_zero(Kind kind, Rounding rounding, const Doubles& values) {
  std::size_t negative = 0, zeros = 0;
  for (std::size_t i = 0; i < values.size(); i += 2) {
    zeros += values[i] == 0 || values[i + 1] == 0;
    negative += std::signbit(values[i]) != std::signbit(values[i + 1]);
  }
  const std::size_t products = values.size() / 2;
  const bool all_zero = zeros == products;
  const bool minus =
      all_zero && (negative == products || (negative > 0 && rounding == Rounding::kRtn));
  const bool cancelled = !all_zero && rounding == Rounding::kRtn;
  return round_to(kind, rounding, minus || cancelled ? -0.0 : 0.0);
}

/// The root of a sum of squares that is left in Scratch::sum.
Bits root_of_sum(Kind kind, Rounding rounding) {
  Scratch& s = scratch();
  return rounded(s.mpfr, s.result, kind, rounding,
                 [&](mpfr_ptr result, mpfr_rnd_t way) { return s.mpfr.sqrt(result, s.sum, way); });
}

/// For halves and floats, whose squares are exact in double.
double sum_of_squares(const Doubles& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

void set_squares(const Doubles& values) {
  Scratch& s = scratch();
  for (std::size_t i = 0; i < values.size(); ++i) {
    s.mpfr.set_d(s.left[i], values[i], MPFR_RNDN);
    s.mpfr.set_d(s.right[i], values[i], MPFR_RNDN);
  }
  exact_sum(s, values.size());
}

/// x / sqrt(sum) in more and more bits, from below and above, until both round to the same. They do
/// at last: where the root is not rational, the quotient is no number of the format and no tie, and
/// a rational one has half as many bits as the sum.
Bits quotient_by_root(Kind kind, Rounding rounding, double x) {
  Scratch& s = scratch();
  s.mpfr.set_d(s.numerator, x, MPFR_RNDN);
  return rounded_between(s.mpfr, s.result, kind, rounding,
                         [&](mpfr_ptr result, mpfr_rnd_t way, mpfr_prec_t precision, bool up) {
                           s.mpfr.set_prec(s.root, precision);
                           s.mpfr.sqrt(s.root, s.sum, up ? MPFR_RNDU : MPFR_RNDD);
                           return s.mpfr.div(result, s.numerator, s.root, way);
                         });
}

}  // namespace

Bits dot(Kind kind, Rounding rounding, std::span<const Bits> a) {
  const Doubles values = doubles(kind, a);
  if (any(values, nan)) return nan_bits(kind);
  if (any(values, infinite)) return dot_without_numbers(kind, values);
  double sum = 0, magnitude = 0;
  for (std::size_t i = 0; i < values.size(); i += 2) {
    const double product = values[i] * values[i + 1];
    sum += product;
    magnitude += std::fabs(product);
  }
  Bits result = 0;
  if (sum != 0 && decides(kind, rounding, sum, magnitude * 0x1p-48, &result)) return result;
  Scratch& s = scratch();
  for (std::size_t i = 0; i < values.size(); ++i)
    s.mpfr.set_d((i % 2 == 0 ? s.left : s.right)[i / 2], values[i], MPFR_RNDN);
  exact_sum(s, values.size() / 2);
  if (mpfr_zero_p(s.sum.get())) return dot_zero(kind, rounding, values);
  return rounded(s.mpfr, s.result, kind, rounding, [&](mpfr_ptr result, mpfr_rnd_t way) {
    return s.mpfr.set4(result, s.sum, way, mpfr_signbit(s.sum.get()) ? -1 : 1);
  });
}

Bits length(Kind kind, Rounding rounding, std::span<const Bits> a) {
  const Doubles values = doubles(kind, a);
  if (any(values, nan)) return nan_bits(kind);
  if (any(values, infinite)) return round_to(kind, rounding, INFINITY);
  const double root = std::sqrt(sum_of_squares(values));
  Bits result = 0;
  if (decides(kind, rounding, root, root * kRelativeError, &result)) return result;
  set_squares(values);
  return root_of_sum(kind, rounding);
}

Bits distance(Kind kind, Rounding rounding, std::span<const Bits> a) {
  const Doubles values = doubles(kind, a);
  Doubles differences;
  for (std::size_t i = 0; i < values.size(); i += 2)
    differences.push_back(values[i] - values[i + 1]);
  if (any(differences, nan)) return nan_bits(kind);
  if (any(values, infinite)) return round_to(kind, rounding, INFINITY);
  const double root = std::sqrt(sum_of_squares(differences));
  Bits result = 0;
  if (decides(kind, rounding, root, root * kRelativeError, &result)) return result;
  Scratch& s = scratch();
  for (std::size_t i = 0; i < differences.size(); ++i) {
    s.mpfr.set_d(s.left[i], values[2 * i], MPFR_RNDN);
    s.mpfr.set_d(s.right[i], values[2 * i + 1], MPFR_RNDN);
    s.mpfr.sub(s.left[i], s.left[i], s.right[i], MPFR_RNDN);
    s.mpfr.set4(s.right[i], s.left[i], MPFR_RNDN, mpfr_signbit(s.left[i]) ? -1 : 1);
  }
  exact_sum(s, differences.size());
  return root_of_sum(kind, rounding);
}

Bits normalize(Kind kind, Rounding rounding, std::span<const Bits> a) {
  Doubles values = doubles(kind, a);
  if (any(values, nan)) return nan_bits(kind);
  if (any(values, infinite))
    for (double& value : values) value = std::copysign(std::isinf(value) ? 1.0 : 0.0, value);
  const double x = values[0];
  const Doubles vector(values.begin() + 1, values.end());
  if (x == 0) return round_to(kind, rounding, x);
  const double quotient = x / std::sqrt(sum_of_squares(vector));
  Bits result = 0;
  if (decides(kind, rounding, quotient, std::fabs(quotient) * kRelativeError, &result))
    return result;
  set_squares(vector);
  return quotient_by_root(kind, rounding, x);
}

}  // namespace transpire::extinst::reference
