// The vector layer of one instruction set against plain code, lane by lane. Compiled once for each set, with its
// flags; layer_test.cpp calls those that the machine can run. Nothing of std that could stay out of line: the linker
// would share it between sets.
#include "tests/vm/simd/layer/check.h"

#include "vm/simd/half.h"
#include "vm/simd/mask.h"
#include "vm/simd/predicate.h"
#include "vm/simd/vector.h"

namespace transpire::vm::TRANSPIRE_ISA {

std::uint64_t check_layer(test::Report report);

namespace {

constexpr std::uint64_t kSpecials[] = {
    0x0000000000000000, 0x0000000000000001, 0x000000000000007f, 0x0000000000000080,
    0x00000000000000ff, 0x0000000000007fff, 0x0000000000008000, 0x000000000000ffff,
    0x000000007fffffff, 0x0000000080000000, 0x00000000ffffffff, 0x000000003f800000,
    0x00000000bf800000, 0x000000007f800000, 0x00000000ff800000, 0x000000007fc00000,
    0x00000000ffc00001, 0x000000007f800001, 0x00000000ff812345, 0x0000000000000001,
    0x00000000807fffff, 0x0000000000800000, 0x000000004f000000, 0x00000000cf000000,
    0x000000004effffff, 0x00000000cf000001, 0x000000007f7fffff, 0x3ff0000000000000,
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000001,
    0x7ff0000000000001, 0x000fffffffffffff, 0x8000000000000000, 0xffffffffffffffff,
    0x7fffffffffffffff, 0x43e0000000000000};

constexpr std::size_t kSpecialCount = sizeof(kSpecials) / sizeof(kSpecials[0]);

/// Rows of lanes, some of them special.
class Random {
 public:
  std::uint64_t bits() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t mixed = (state_ ^ state_ >> 33) * 0xff51afd7ed558ccdu;
    return mixed ^ mixed >> 29;
  }
  template <class T>
  void fill(T (&row)[64]) {
    for (T& lane : row) {
      const std::uint64_t choice = bits();
      const std::uint64_t value =
          choice % 3 == 0 ? kSpecials[choice / 3 % kSpecialCount] : bits() >> choice % 40;
      lane = __builtin_bit_cast(T, static_cast<Bits<T>>(value));
    }
  }

 private:
  std::uint64_t state_ = 12345;
};

/// What x86 gives for `result` of a and b, from their bits alone.
template <class T>
T expected(T a, T b, T result) {
  constexpr Bits<T> kInfinity =
      sizeof(T) == 4 ? Bits<T>(0x7f800000u) : Bits<T>(0x7ff0000000000000u);
  constexpr Bits<T> kSign = Bits<T>{1} << (kWidth<T> - 1);
  constexpr Bits<T> kQuiet = sizeof(T) == 4 ? Bits<T>(0x00400000u) : Bits<T>(0x0008000000000000u);
  const auto is_nan = [&](T x) { return (to_bits(x) & ~kSign) > kInfinity; };
  if (is_nan(a)) return __builtin_bit_cast(T, to_bits(a) | kQuiet);
  if (is_nan(b)) return __builtin_bit_cast(T, to_bits(b) | kQuiet);
  return is_nan(result) ? __builtin_bit_cast(T, kSign | kInfinity | kQuiet) : result;
}

/// A finite float in half, found by its neighbours.
std::uint16_t expected_half(float value, Rounding mode) {
  const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, value);
  const bool negative = bits >> 31 != 0;
  const double magnitude = __builtin_bit_cast(float, bits & 0x7fffffffu);
  std::uint32_t below = 0, above = 0x7c00;
  while (above - below > 1) {
    const std::uint32_t middle = (below + above) / 2;
    (half_to_double(static_cast<std::uint16_t>(middle)) <= magnitude ? below : above) = middle;
  }
  const double low = half_to_double(static_cast<std::uint16_t>(below));
  const double high = above == 0x7c00 ? 65536 : half_to_double(static_cast<std::uint16_t>(above));
  bool up = mode == (negative ? Rounding::kRtn : Rounding::kRtp) && low != magnitude;
  if (mode == Rounding::kRte)
    up = magnitude - low > high - magnitude ||
         (magnitude - low == high - magnitude && below % 2 != 0);
  return static_cast<std::uint16_t>((negative ? 0x8000u : 0u) | (below + up));
}

struct Check {
  test::Report report;
  Random random;
  std::uint64_t count = 0;

  template <class T>
  void same(const char* what, std::uint32_t lane, T found, T expected) {
    ++count;
    if (__builtin_memcmp(&found, &expected, sizeof(T)) != 0) report(what, sizeof(T), lane);
  }

  /// operation(vectors...) against lane(lanes...), over rows of 64.
  template <class D, class T, class Operation, class Lane>
  void binary(const char* what, Operation operation, Lane lane) {
    alignas(64) T a[64], b[64];
    alignas(64) D d[64];
    random.fill(a);
    random.fill(b);
    for (std::uint32_t i = 0; i < 64; i += kVectorLanes<T>)
      store(d + i, operation(load(a + i), load(b + i)));
    for (std::uint32_t i = 0; i < 64; ++i) same(what, i, d[i], static_cast<D>(lane(a[i], b[i])));
  }

  template <Predicate kPredicate, class T>
  void predicate() {
    alignas(64) T a[64], b[64];
    random.fill(a);
    random.fill(b);
    const std::uint64_t word = mask_word<T>([&](std::uint32_t lane) {
      return compare_vectors<kPredicate, T>(load(a + lane), load(b + lane));
    });
    for (std::uint32_t i = 0; i < 64; ++i)
      same("compare", static_cast<unsigned>(kPredicate) * 100 + i, (word >> i & 1) != 0,
           compare<kPredicate>(a[i], b[i]));
  }

  template <class T, Predicate... kPredicates>
  void predicates() {
    (predicate<kPredicates, T>(), ...);
  }

  template <class T>
  void masks() {
    alignas(64) T yes[64], no[64], d[64];
    random.fill(yes);
    random.fill(no);
    const std::uint64_t word = random.bits();
    for (std::uint32_t i = 0; i < 64; i += kVectorLanes<T>)
      store(d + i, blend<T>(lane_mask<T>(word, i), load(yes + i), load(no + i)));
    for (std::uint32_t i = 0; i < 64; ++i)
      same("blend", i, d[i], (word >> i & 1) != 0 ? yes[i] : no[i]);
    same("mask_word", 0, mask_word<T>([&](std::uint32_t i) { return lane_mask<T>(word, i); }),
         word);
    for (std::uint32_t i = 0; i < kVectorLanes<T>; ++i) {
      T one[64] = {};
      alignas(64) T row[64] = {};
      same("is_zero", i, is_zero(load(row)), true);
      row[i] = one[i] = static_cast<T>(1);
      same("is_zero", i, is_zero(load(row)), false);
      same("lane_of", i, lane_of(load(row), i), one[i]);
    }
  }

  template <class T>
  void integers() {
    using S = Signed<T>;
    predicates<T, Predicate::kEqual, Predicate::kNotEqual, Predicate::kUnsignedLess,
               Predicate::kUnsignedLessEqual, Predicate::kSignedLess,
               Predicate::kSignedLessEqual>();
    masks<T>();
    using V = Vector<T>;
    const auto both = [&](const char* what, auto operation) {
      binary<T, T>(what, operation, operation);
    };
    both("+", [](auto a, auto b) { return a + b; });
    both("-", [](auto a, auto b) { return a - b; });
    binary<T, T>(
        "product", [](V a, V b) { return product(a, b); }, [](T a, T b) { return 1u * a * b; });
    both("&", [](auto a, auto b) { return a & b; });
    both("|", [](auto a, auto b) { return a | b; });
    both("^", [](auto a, auto b) { return a ^ b; });
    if constexpr (sizeof(T) == 4) {
      both("<<", [](auto a, auto) { return a << 23; });
      using W = Vector<S>;
      const auto shift = [](auto a, auto) { return a >> 23; };
      binary<S, S>(">>", shift, shift);
      binary<S, S>(
          "choose <", [](W a, W b) { return choose(a < b, a, b); },
          [](S a, S b) { return a < b ? a : b; });
      binary<S, S>(
          "bits_of_mask", [](W a, W b) { return bits_of_mask<S>(a == b); },
          [](S a, S b) { return a == b ? -1 : 0; });
    }
    for (std::uint32_t i = 0; i < kVectorLanes<T>; ++i)
      same("steps", i, lane_of(steps<T, 3>(), i), static_cast<T>(i * 3));
  }

  template <class T>
  void floats() {
    predicates<T, Predicate::kOrdEqual, Predicate::kOrdNotEqual, Predicate::kOrdLess,
               Predicate::kOrdLessEqual, Predicate::kUnordEqual, Predicate::kUnordNotEqual,
               Predicate::kUnordLess, Predicate::kUnordLessEqual, Predicate::kOrdered,
               Predicate::kUnordered>();
    using V = Vector<T>;
    binary<T, T>(
        "add", [](V a, V b) { return ordered_add(a, b); },
        [](T a, T b) { return expected(a, b, a + b); });
    binary<T, T>(
        "subtract", [](V a, V b) { return ordered_subtract(a, b); },
        [](T a, T b) { return expected(a, b, a - b); });
    binary<T, T>(
        "multiply", [](V a, V b) { return ordered_multiply(a, b); },
        [](T a, T b) { return expected(a, b, a * b); });
    binary<T, T>(
        "divide", [](V a, V b) { return ordered_divide(a, b); },
        [](T a, T b) { return expected(a, b, a / b); });
    binary<T, T>(
        "choose <", [](V a, V b) { return choose(a < b, a, b); },
        [](T a, T b) { return a < b ? a : b; });
    binary<T, T>(
        "choose >", [](V a, V b) { return choose(a > b, a, T{1}); },
        [](T a, T b) { return a > b ? a : T{1}; });
    binary<T, T>(
        "choose ~(<=)", [](V a, V b) { return choose(~(a <= b), T{2}, b); },
        [](T a, T b) { return a <= b ? b : T{2}; });
    binary<T, T>(
        "choose | &", [](V a, V b) { return choose((nan_lanes(a) | (a == b)) & (b >= b), a, b); },
        [](T a, T b) { return (a != a || a == b) && b >= b ? a : b; });
    lanes<T>();
  }

  /// The same of single lanes.
  template <class T>
  void lanes() {
    alignas(64) T a[64], b[64];
    random.fill(a);
    random.fill(b);
    for (std::uint32_t i = 0; i < 64; ++i) {
      same("lane add", i, ordered_add(a[i], b[i]), expected(a[i], b[i], a[i] + b[i]));
      same("lane subtract", i, ordered_subtract(a[i], b[i]), expected(a[i], b[i], a[i] - b[i]));
      same("lane multiply", i, ordered_multiply(a[i], b[i]), expected(a[i], b[i], a[i] * b[i]));
      same("lane divide", i, ordered_divide(a[i], b[i]), expected(a[i], b[i], a[i] / b[i]));
    }
    same("default_nan", 0, default_nan<T>(), expected(T{0}, T{0}, default_nan<T>()));
  }

  void conversions() {
    alignas(64) float a[64], narrowed[64];
    alignas(64) double wide[64], b[64];
    alignas(64) std::int32_t integers[64];
    random.fill(a);
    random.fill(b);
    for (std::uint32_t i = 0; i < 64; ++i)
      if (random.bits() % 2 == 0)
        b[i] = a[i] * (1 + 0x1p-30 * static_cast<double>(random.bits() % 64));
    constexpr std::uint32_t kHalf = kVectorLanes<double>;
    for (std::uint32_t i = 0; i < 64; i += kVectorLanes<float>) {
      store(integers + i, truncated(load(a + i)));
      const WideFloats parts = widen(load(a + i));
      store(wide + i, parts.low);
      store(wide + i + kHalf, parts.high);
      store(narrowed + i, narrow(load(b + i), load(b + i + kHalf)));
    }
    for (std::uint32_t i = 0; i < 64; ++i) {
      const bool inside = a[i] >= -0x1p31f && a[i] < 0x1p31f;
      const std::int32_t integer = inside ? static_cast<std::int32_t>(a[i]) : -0x7fffffff - 1;
      same("truncated", i, integers[i], integer);
      // Callers choose NaN results themselves.
      if (a[i] == a[i]) same("widen", i, wide[i], static_cast<double>(a[i]));
      if (b[i] == b[i]) same("narrow", i, narrowed[i], static_cast<float>(b[i]));
      same("NaN, wide", i, wide[i] != wide[i], a[i] != a[i]);
      same("NaN, narrow", i, narrowed[i] != narrowed[i], b[i] != b[i]);
    }
  }

  void halves() {
    alignas(64) Half half[kLanes], back[kLanes];
    alignas(64) float wide[kLanes];
    for (std::uint32_t start = 0; start < 0x10000; start += kLanes) {
      for (std::uint32_t i = 0; i < kLanes; ++i)
        half[i].bits = static_cast<std::uint16_t>(start + i);
      widen_row(wide, half);
      narrow_row(back, wide);
      for (std::uint32_t i = 0; i < kLanes; ++i) {
        same("half to float", start + i, wide[i], half_to_float(half[i].bits));
        same("float to half", start + i, back[i].bits, half_from_float(wide[i]));
      }
    }
  }

  void half_modes() {
    alignas(64) float a[64];
    random.fill(a);
    for (std::uint32_t i = 0; i < 64; ++i)
      for (const float value :
           {a[i], a[i] * 0x1p-40f,
            __builtin_bit_cast(
                float, 0x38000000u + (__builtin_bit_cast(std::uint32_t, a[i]) & 0x87ffffffu))})
        for (const Rounding mode : {Rounding::kRte, Rounding::kRtz, Rounding::kRtp, Rounding::kRtn})
          if (value - value == 0)
            same("float to half in a mode", i, to_half(value, mode).bits,
                 expected_half(value, mode));
  }
};

}  // namespace

std::uint64_t check_layer(test::Report report) {
  Check check{report, {}};
  for (int round = 0; round < 200; ++round) {
    check.integers<std::uint8_t>();
    check.integers<std::uint16_t>();
    check.integers<std::uint32_t>();
    check.integers<std::uint64_t>();
    check.floats<float>();
    check.floats<double>();
    check.conversions();
    check.half_modes();
  }
  check.halves();
  return check.count;
}

}  // namespace transpire::vm::TRANSPIRE_ISA
