// x86-64: replaces what xsimd lacks, has slower, or has with other bits. Nothing else of the
// project names an instruction of this machine. Included by vm/simd/machine.h.
//
// Where g++ compiles a batch's operators to the same instructions as its own vectors' (additions,
// comparisons with ordered operands, selections), xsimd is used; tests/vm/simd checks the results.
// This table has each replacement, its reason, and its time relative to the alternative, from
// transpire-vector-bench (bench/README.md) on AVX2 and on the baseline (a Zen 3):
//
//   words from masks and masks from words   xsimd 8.1 has arrays of bool only: 0.02 to 0.4, 0.07 to 0.6
//   comparisons                             one instruction for each predicate from AVX on, of floats: xsimd has 4 of 10
//                                           (0.6 to 0.9 for others); of integers on AVX-512 as signed or unsigned,
//                                           whatever the lanes' type. On SSE2 "unordered" is one too: 0.7
//   zero tests                              one instruction; xsimd compares first: 0.5 to 1.0, as the loop lies; on SSE2 the
//                                           same
//   sums and products in order              g++ swaps operands of `+` and `*`, and with them which NaN is kept: 1.0
//   halves                                  xsimd 8.1 has none; integer code: 0.08; SSE2 has no instructions
//   floats to doubles and back on SSE2      g++ 12 goes through general registers where it splits vectors itself: 0.5
#pragma once

#include <cpuid.h>
#include <xmmintrin.h>

#include "vm/simd/instruction_set.h"
#include "vm/simd/rounding.h"

namespace transpire::vm {

/// Features that clang 15 cannot query by name: "Intel 64 and IA-32 Architectures SDM", volume 2,
/// CPUID.
inline bool processor_has_f16c_and_lzcnt() {
#if defined(__clang__)
  constexpr unsigned kF16c = 1u << 29, kLzcnt = 1u << 5;
  unsigned eax = 0, ebx = 0, of_leaf_1 = 0, of_extended = 0, edx = 0;
  return __get_cpuid(1, &eax, &ebx, &of_leaf_1, &edx) != 0 && (of_leaf_1 & kF16c) != 0 &&
         __get_cpuid(0x80000001u, &eax, &ebx, &of_extended, &edx) != 0 &&
         (of_extended & kLzcnt) != 0;
#else
  return __builtin_cpu_supports("f16c") && __builtin_cpu_supports("lzcnt");
#endif
}

/// True if this processor runs the instruction set.
inline bool processor_runs(Isa isa) {
  if (isa == Isa::kScalar || isa == Isa::kBaseline) return true;
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                    __builtin_cpu_supports("popcnt") && processor_has_f16c_and_lzcnt();
  if (isa == Isa::kAvx2) return avx2;
  return isa == Isa::kAvx512 && avx2 && __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd");
}

/// MXCSR: "Intel 64 and IA-32 Architectures SDM", volume 1, 10.2.3.
struct FloatControl {
  using Word = unsigned;
  /// To nearest even, denormals kept, exceptions masked.
  static constexpr Word kUsual = 0x1f80;
  static constexpr Word kFlags = 0x3f;  ///< exceptions that happened: no part of the mode
  static constexpr Word kFlushDenormals = 0x8040;

  // Always inline: instruction sets must not share them out of line.
  [[gnu::always_inline]] static Word read() { return _mm_getcsr(); }
  [[gnu::always_inline]] static void write(Word word) { _mm_setcsr(word); }
  /// Bits 13 and 14 are 0 to nearest even, 1 down, 2 up, 3 towards zero.
  [[gnu::always_inline]] static constexpr Word with_rounding(Word word, Rounding rounding) {
    const unsigned field = rounding == Rounding::kRtz   ? 3u
                           : rounding == Rounding::kRtp ? 2u
                           : rounding == Rounding::kRtn ? 1u
                                                        : 0u;
    return (word & ~0x6000u) | field << 13;
  }
};

}  // namespace transpire::vm

#if defined(TRANSPIRE_ISA_BASELINE) || defined(TRANSPIRE_ISA_AVX2) || defined(TRANSPIRE_ISA_AVX512)

#include <immintrin.h>

#include <utility>

#include "vm/simd/batch.h"
#include "vm/simd/predicate.h"
#include "vm/simd/soft_half.h"
#if !defined(TRANSPIRE_ISA_AVX512)
#include "vm/simd/vector_masks.h"
#endif

namespace transpire::vm::TRANSPIRE_ISA {

// ---- Registers ----------------------------------------------------------------------------------

#if defined(TRANSPIRE_ISA_AVX512)
using IntRegister = __m512i;
using FloatRegister = __m512;
using DoubleRegister = __m512d;
#elif defined(TRANSPIRE_ISA_AVX2)
using IntRegister = __m256i;
using FloatRegister = __m256;
using DoubleRegister = __m256d;
#else
using IntRegister = __m128i;
using FloatRegister = __m128;
using DoubleRegister = __m128d;
#endif

template <class V>
TRANSPIRE_INLINE IntRegister int_register(V vector) {
  return reinterpret_cast<IntRegister>(vector.data);
}

/// True if every bit is 0.
template <class T>
TRANSPIRE_INLINE bool is_zero(Vector<T> vector) {
  const IntRegister v = int_register(vector);
#if defined(TRANSPIRE_ISA_AVX512)
  return _mm512_test_epi32_mask(v, v) == 0;
#elif defined(TRANSPIRE_ISA_AVX2)
  return _mm256_testz_si256(v, v) != 0;
#else
  return _mm_movemask_epi8(_mm_cmpeq_epi8(v, __m128i{})) == 0xffff;
#endif
}

// ---- Masks and words ----------------------------------------------------------------------------

#if defined(TRANSPIRE_ISA_AVX512)

template <class T>
TRANSPIRE_INLINE LaneMask<T> lane_mask(std::uint64_t word, std::uint32_t lane) {
  return LaneMask<T>(static_cast<typename LaneMask<T>::register_type>(word >> lane));
}

/// The parts are joined in mask registers: storing them one by one would stall the next 64-bit load of the word.
template <class T, class Get>
TRANSPIRE_INLINE std::uint64_t mask_word(Get get) {
  const auto part = [&](std::uint32_t lane) TRANSPIRE_INLINE_LAMBDA {
    const LaneMask<T> mask = get(lane);
    return mask.data;
  };
  if constexpr (sizeof(T) == 1) {
    return part(0);
  } else if constexpr (sizeof(T) == 2) {
    return _mm512_kunpackd(part(32), part(0));
  } else if constexpr (sizeof(T) == 4) {
    return _mm512_kunpackd(_mm512_kunpackw(part(48), part(32)), _mm512_kunpackw(part(16), part(0)));
  } else {
    const auto pair = [&](std::uint32_t lane) TRANSPIRE_INLINE_LAMBDA {
      return _mm512_kunpackb(part(lane + 8), part(lane));
    };
    return _mm512_kunpackd(_mm512_kunpackw(pair(48), pair(32)), _mm512_kunpackw(pair(16), pair(0)));
  }
}

#else

TRANSPIRE_INLINE Vector<std::uint8_t> spread_bytes(std::uint32_t word) {
  using Bytes = Native<std::uint8_t>;
  return []<std::size_t... kLane>(Bytes part, std::index_sequence<kLane...>)
      TRANSPIRE_INLINE_LAMBDA {
    return from_native<std::uint8_t>(
        __builtin_shufflevector(part, part, static_cast<int>(kLane / 16 * 16 + kLane / 8)...));
  }
  (native(bits_as<std::uint8_t>(splat(word))), std::make_index_sequence<kVectorBytes>{});
}

#if defined(TRANSPIRE_ISA_AVX2)

TRANSPIRE_INLINE std::uint64_t signs_of_bytes(__m256i bytes) {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
}

/// One byte a lane, for 32 lanes, in order. Packing works within 128 bits, so its halves
/// interleave.
template <std::size_t kBytes, class Get>
TRANSPIRE_INLINE __m256i mask_bytes(Get get) {
  const auto words = [](__m256i a, __m256i b, __m256i c, __m256i d) TRANSPIRE_INLINE_LAMBDA {
    return _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
  };
  if constexpr (kBytes == 1) {
    return get(0);
  } else if constexpr (kBytes == 2) {
    return _mm256_permute4x64_epi64(_mm256_packs_epi16(get(0), get(16)), 0xd8);
  } else if constexpr (kBytes == 4) {
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    return _mm256_permutevar8x32_epi32(words(get(0), get(8), get(16), get(24)), order);
  } else {
    const auto pair = [&](int lane) TRANSPIRE_INLINE_LAMBDA {
      return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(get(lane)),
                                                   _mm256_castsi256_ps(get(lane + 4)), 0x88));
    };
    const __m256i order = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
    const __m256i bytes = words(pair(0), pair(8), pair(16), pair(24));
    return _mm256_shuffle_epi8(_mm256_permute4x64_epi64(bytes, 0xd8), order);
  }
}

#else

TRANSPIRE_INLINE std::uint64_t signs_of_bytes(__m128i bytes) {
  return static_cast<std::uint64_t>(_mm_movemask_epi8(bytes));
}

/// One byte a lane, for 16 lanes.
template <std::size_t kBytes, class Get>
TRANSPIRE_INLINE __m128i mask_bytes(Get get) {
  const auto words = [](__m128i a, __m128i b, __m128i c, __m128i d) TRANSPIRE_INLINE_LAMBDA {
    return _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
  };
  if constexpr (kBytes == 1) {
    return get(0);
  } else if constexpr (kBytes == 2) {
    return _mm_packs_epi16(get(0), get(8));
  } else if constexpr (kBytes == 4) {
    return words(get(0), get(4), get(8), get(12));
  } else {
    const auto pair = [&](int lane) TRANSPIRE_INLINE_LAMBDA {
      return _mm_castps_si128(
          _mm_shuffle_ps(_mm_castsi128_ps(get(lane)), _mm_castsi128_ps(get(lane + 2)), 0x88));
    };
    return words(pair(0), pair(4), pair(8), pair(12));
  }
}

#endif

template <class T, class Get>
TRANSPIRE_INLINE std::uint64_t mask_word(Get get) {
  std::uint64_t word = 0;
#pragma GCC unroll 4
  for (std::uint32_t first = 0; first < 64; first += kVectorBytes) {
    const auto part = [&](std::uint32_t lane) TRANSPIRE_INLINE_LAMBDA {
      const LaneMask<T> mask = get(first + lane);
      return int_register(mask);
    };
    word |= signs_of_bytes(mask_bytes<sizeof(T)>(part)) << first;
  }
  return word;
}

#endif

// ---- Comparisons --------------------------------------------------------------------------------

#if !defined(TRANSPIRE_ISA_BASELINE)

/// The immediate of AVX float comparisons, quiet; of AVX-512 integer comparisons.
consteval int immediate(Predicate predicate) {
  switch (predicate) {
    case Predicate::kEqual:
      return 0;
    case Predicate::kNotEqual:
      return 4;
    case Predicate::kUnsignedLess:
    case Predicate::kSignedLess:
      return 1;
    case Predicate::kUnsignedLessEqual:
    case Predicate::kSignedLessEqual:
      return 2;
    case Predicate::kOrdEqual:
      return _CMP_EQ_OQ;
    case Predicate::kOrdNotEqual:
      return _CMP_NEQ_OQ;
    case Predicate::kOrdLess:
      return _CMP_LT_OQ;
    case Predicate::kOrdLessEqual:
      return _CMP_LE_OQ;
    case Predicate::kUnordEqual:
      return _CMP_EQ_UQ;
    case Predicate::kUnordNotEqual:
      return _CMP_NEQ_UQ;
    case Predicate::kUnordLess:
      return _CMP_NGE_UQ;
    case Predicate::kUnordLessEqual:
      return _CMP_NGT_UQ;
    case Predicate::kOrdered:
      return _CMP_ORD_Q;
    case Predicate::kUnordered:
      return _CMP_UNORD_Q;
  }
}

#endif
#if defined(TRANSPIRE_ISA_AVX512)

/// For vectors: see compare().
template <Predicate kPredicate, class T>
TRANSPIRE_INLINE LaneMask<T> compare_vectors(Vector<T> a, Vector<T> b) {
  constexpr int kImmediate = immediate(kPredicate);
  constexpr bool kSigned =
      kPredicate == Predicate::kSignedLess || kPredicate == Predicate::kSignedLessEqual;
  const auto x = a.data, y = b.data;
  if constexpr (__is_same(T, float))
    return _mm512_cmp_ps_mask(x, y, kImmediate);
  else if constexpr (__is_same(T, double))
    return _mm512_cmp_pd_mask(x, y, kImmediate);
  else if constexpr (sizeof(T) == 1 && kSigned)
    return _mm512_cmp_epi8_mask(x, y, kImmediate);
  else if constexpr (sizeof(T) == 2 && kSigned)
    return _mm512_cmp_epi16_mask(x, y, kImmediate);
  else if constexpr (sizeof(T) == 4 && kSigned)
    return _mm512_cmp_epi32_mask(x, y, kImmediate);
  else if constexpr (sizeof(T) == 8 && kSigned)
    return _mm512_cmp_epi64_mask(x, y, kImmediate);
  else if constexpr (sizeof(T) == 1)
    return _mm512_cmp_epu8_mask(x, y, kImmediate);
  else if constexpr (sizeof(T) == 2)
    return _mm512_cmp_epu16_mask(x, y, kImmediate);
  else if constexpr (sizeof(T) == 4)
    return _mm512_cmp_epu32_mask(x, y, kImmediate);
  else
    return _mm512_cmp_epu64_mask(x, y, kImmediate);
}

#elif defined(TRANSPIRE_ISA_AVX2)

template <Predicate kPredicate, class T>
TRANSPIRE_INLINE LaneMask<T> compare_vectors(Vector<T> a, Vector<T> b) {
  if constexpr (__is_same(T, float))
    return _mm256_cmp_ps(a.data, b.data, immediate(kPredicate));
  else if constexpr (__is_same(T, double))
    return _mm256_cmp_pd(a.data, b.data, immediate(kPredicate));
  else
    return compare_integers<kPredicate>(a, b);
}

#else

struct Nans {
  static TRANSPIRE_INLINE LaneMask<float> unordered(Vector<float> a, Vector<float> b) {
    return _mm_cmpunord_ps(a.data, b.data);
  }
  static TRANSPIRE_INLINE LaneMask<double> unordered(Vector<double> a, Vector<double> b) {
    return _mm_cmpunord_pd(a.data, b.data);
  }
  static TRANSPIRE_INLINE LaneMask<float> ordered(Vector<float> a, Vector<float> b) {
    return _mm_cmpord_ps(a.data, b.data);
  }
  static TRANSPIRE_INLINE LaneMask<double> ordered(Vector<double> a, Vector<double> b) {
    return _mm_cmpord_pd(a.data, b.data);
  }
};

template <Predicate kPredicate, class T>
TRANSPIRE_INLINE LaneMask<T> compare_vectors(Vector<T> a, Vector<T> b) {
  if constexpr (kPredicate < Predicate::kOrdEqual)
    return compare_integers<kPredicate>(a, b);
  else if constexpr (kPredicate == Predicate::kUnordNotEqual)
    return a != b;  // true for a NaN, on SSE2
  else if constexpr (kPredicate == Predicate::kOrdNotEqual)
    return (a != b) & Nans::ordered(a, b);
  else
    return compare_floats<kPredicate, Nans>(a, b);
}

#endif

// ---- Floats -------------------------------------------------------------------------------------

/// NaN results of this machine are those that all machines are to give: the first operand that is a NaN, made quiet;
/// else, for an invalid operation, the default NaN (negative, quiet, no payload). As assembly sums and products cost
/// the same and cannot be swapped.
#if defined(TRANSPIRE_ISA_BASELINE)
#define TRANSPIRE_ORDERED_SCALAR(function, type, mnemonic) \
  TRANSPIRE_INLINE type function(type a, type b) {         \
    __asm__(mnemonic " %1, %0" : "+x"(a) : "xm"(b));       \
    return a;                                              \
  }
#define TRANSPIRE_ORDERED_VECTOR(function, type, mnemonic)                 \
  TRANSPIRE_INLINE Vector<type> function(Vector<type> a, Vector<type> b) { \
    __asm__(mnemonic " %1, %0" : "+x"(a.data) : "xm"(b.data));             \
    return a;                                                              \
  }
#else
#define TRANSPIRE_ORDERED_SCALAR(function, type, mnemonic)           \
  TRANSPIRE_INLINE type function(type a, type b) {                   \
    type d;                                                          \
    __asm__("v" mnemonic " %2, %1, %0" : "=v"(d) : "v"(a), "vm"(b)); \
    return d;                                                        \
  }
#define TRANSPIRE_ORDERED_VECTOR(function, type, mnemonic)                     \
  TRANSPIRE_INLINE Vector<type> function(Vector<type> a, Vector<type> b) {     \
    typename Vector<type>::register_type d;                                    \
    __asm__("v" mnemonic " %2, %1, %0" : "=v"(d) : "v"(a.data), "vm"(b.data)); \
    return d;                                                                  \
  }
#endif
TRANSPIRE_ORDERED_SCALAR(ordered_add, float, "addss")
TRANSPIRE_ORDERED_SCALAR(ordered_add, double, "addsd")
TRANSPIRE_ORDERED_VECTOR(ordered_add, float, "addps")
TRANSPIRE_ORDERED_VECTOR(ordered_add, double, "addpd")
TRANSPIRE_ORDERED_SCALAR(ordered_multiply, float, "mulss")
TRANSPIRE_ORDERED_SCALAR(ordered_multiply, double, "mulsd")
TRANSPIRE_ORDERED_VECTOR(ordered_multiply, float, "mulps")
TRANSPIRE_ORDERED_VECTOR(ordered_multiply, double, "mulpd")
#undef TRANSPIRE_ORDERED_SCALAR
#undef TRANSPIRE_ORDERED_VECTOR

/// These have one order.
template <class T>
TRANSPIRE_INLINE T ordered_subtract(T a, T b) {
  return a - b;
}
template <class T>
TRANSPIRE_INLINE T ordered_divide(T a, T b) {
  return a / b;
}

/// The default NaN, as an operation gives it: a compiler's constant has another sign.
template <class T>
TRANSPIRE_INLINE T default_nan() {
  T infinity = static_cast<T>(__builtin_inf());
  __asm__("" : "+x"(infinity));
  return infinity - infinity;
}

// ---- Halves -------------------------------------------------------------------------------------

#if defined(TRANSPIRE_ISA_BASELINE)
TRANSPIRE_INLINE float to_float(Half half) { return half_to_float(half.bits); }
TRANSPIRE_INLINE Half to_half(float value) { return {half_from_float(value)}; }
TRANSPIRE_INLINE Half to_half(float value, Rounding mode) { return {soft_to_half(value, mode)}; }
#else
TRANSPIRE_INLINE float to_float(Half half) { return _cvtsh_ss(half.bits); }
TRANSPIRE_INLINE Half to_half(float value) { return {_cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT)}; }
TRANSPIRE_INLINE Half to_half(float value, Rounding mode) {
  switch (mode) {
    case Rounding::kRte:
      break;
    case Rounding::kRtz:
      return {_cvtss_sh(value, _MM_FROUND_TO_ZERO)};
    case Rounding::kRtp:
      return {_cvtss_sh(value, _MM_FROUND_TO_POS_INF)};
    case Rounding::kRtn:
      return {_cvtss_sh(value, _MM_FROUND_TO_NEG_INF)};
  }
  return to_half(value);
}
#endif

/// Rows of kLanes values.
TRANSPIRE_INLINE void widen_halves(float* d, const Half* a) {
#if defined(TRANSPIRE_ISA_BASELINE)
  for (std::uint32_t i = 0; i < kLanes; ++i) d[i] = half_to_float(a[i].bits);
#elif defined(TRANSPIRE_ISA_AVX2)
  for (std::uint32_t i = 0; i < kLanes; i += 8)
    _mm256_store_ps(d + i,
                    _mm256_cvtph_ps(_mm_load_si128(reinterpret_cast<const __m128i*>(a + i))));
#else
  for (std::uint32_t i = 0; i < kLanes; i += 16)
    _mm512_store_ps(d + i,
                    _mm512_cvtph_ps(_mm256_load_si256(reinterpret_cast<const __m256i*>(a + i))));
#endif
}
/// Rounded to nearest even.
TRANSPIRE_INLINE void narrow_to_halves(Half* d, const float* a) {
#if defined(TRANSPIRE_ISA_BASELINE)
  for (std::uint32_t i = 0; i < kLanes; ++i) d[i].bits = half_from_float(a[i]);
#elif defined(TRANSPIRE_ISA_AVX2)
  for (std::uint32_t i = 0; i < kLanes; i += 8)
    _mm_store_si128(reinterpret_cast<__m128i*>(d + i), _mm256_cvtps_ph(_mm256_load_ps(a + i), 0));
#else
  for (std::uint32_t i = 0; i < kLanes; i += 16)
    _mm256_store_si256(reinterpret_cast<__m256i*>(d + i),
                       _mm512_cvtps_ph(_mm512_load_ps(a + i), 0));
#endif
}

// ---- Floats and doubles -------------------------------------------------------------------------

#if defined(TRANSPIRE_ISA_BASELINE)
TRANSPIRE_INLINE WideFloats widen(Vector<float> x) {
  return {_mm_cvtps_pd(x.data), _mm_cvtps_pd(_mm_movehl_ps(x.data, x.data))};
}
TRANSPIRE_INLINE Vector<float> narrow(Vector<double> low, Vector<double> high) {
  return _mm_movelh_ps(_mm_cvtpd_ps(low.data), _mm_cvtpd_ps(high.data));
}
#else
TRANSPIRE_INLINE WideFloats widen(Vector<float> x) { return widen_parts(x); }
TRANSPIRE_INLINE Vector<float> narrow(Vector<double> low, Vector<double> high) {
  return join_narrowed(low, high);
}
#endif

/// Truncated; what an int32 does not hold gives the smallest one.
TRANSPIRE_INLINE Vector<std::int32_t> truncated(Vector<float> x) {
  return simd::batch_cast<std::int32_t>(x);
}

}  // namespace transpire::vm::TRANSPIRE_ISA

#endif
