// Vector<T>: xsimd's batches of an instruction set, and the few names that everything on vectors is
// written with. This file has only code for every machine; each machine's header
// (vm/simd/machine.h) has what xsimd lacks, or has slower or with other bits.
//
// xsimd 8.1, to be avoided: `!=` of floats is false for a NaN on AVX and true on SSE2 (nan_lanes()
// and `==` are right); a batch made of a mask has ones instead of all bits set on AVX-512
// (bits_of_mask()); `/` of floats is an estimate on NEON (quotient()); `^` of masks is `|` on
// AVX-512; get() goes through memory.
#pragma once

#include "vm/simd/integers.h"
#include "vm/simd/isa.h"

// Everything of xsimd is in a namespace of the instruction set, for the reason that isa.h gives: what the compiler
// leaves out of line of it is then never shared between sets.
#define xsimd TRANSPIRE_XSIMD
#if defined(TRANSPIRE_ISA_SCALAR)
#include "vm/simd/scalar_arch.h"
#endif
#include <xsimd/xsimd.hpp>
#if defined(XSIMD_NO_SUPPORTED_ARCHITECTURE)  // of this machine: xsimd then leaves its batches out
#include <xsimd/types/xsimd_api.hpp>
#endif
#undef xsimd

namespace transpire::vm::TRANSPIRE_ISA {

namespace simd = ::TRANSPIRE_XSIMD;

#if defined(TRANSPIRE_ISA_AVX512)
using Arch = simd::avx512bw;
#elif defined(TRANSPIRE_ISA_AVX2)
using Arch = simd::avx2;
#elif defined(TRANSPIRE_ISA_BASELINE)
using Arch = simd::sse2;
#elif defined(TRANSPIRE_ISA_NEON)
using Arch = simd::neon64;
#else
using Arch = simd::scalar_arch;
#endif

/// One native vector of T.
template <class T>
using Vector = simd::batch<T, Arch>;
/// A bit of truth for each lane of a Vector<T>, in the instruction set's own form: mask registers, or vectors whose
/// lanes are all ones or zero.
template <class T>
using LaneMask = simd::batch_bool<T, Arch>;

inline constexpr std::uint32_t kVectorBytes = sizeof(Vector<std::uint8_t>);
template <class T>
inline constexpr std::uint32_t kVectorLanes = kVectorBytes / sizeof(T);

/// The vector as a type of the compiler: for constants, single lanes, shuffles, and integer
/// operations for which the compiler needs fewer instructions than xsimd.
template <class T>
struct NativeVector {
  typedef T type __attribute__((vector_size(kVectorBytes), may_alias));
};
template <class T>
using Native = typename NativeVector<T>::type;

template <class T>
TRANSPIRE_INLINE Native<T> native(Vector<T> vector) {
  return reinterpret_cast<Native<T>>(vector.data);
}
template <class T>
TRANSPIRE_INLINE Vector<T> from_native(Native<T> vector) {
  return Vector<T>(reinterpret_cast<typename Vector<T>::register_type>(vector));
}

template <class T>
TRANSPIRE_INLINE Vector<T> splat(T value) {
  return Vector<T>(value);
}

/// For a row, aligned as vectors are.
template <class T>
TRANSPIRE_INLINE Vector<T> load(const T* from) {
  return Vector<T>::load_aligned(from);
}
template <class T>
TRANSPIRE_INLINE void store(T* to, Vector<T> vector) {
  vector.store_aligned(to);
}

/// Reinterprets the bits as lanes of another type.
template <class To, class T>
TRANSPIRE_INLINE Vector<To> bits_as(Vector<T> vector) {
  return simd::bitwise_cast<Vector<To>>(vector);
}

template <class T>
TRANSPIRE_INLINE T lane_of(Vector<T> vector, std::uint32_t lane) {
  return native(vector)[lane];
}

/// A mask for lanes of another type that is as wide.
template <class To, class T>
TRANSPIRE_INLINE LaneMask<To> mask_as(LaneMask<T> mask) {
  static_assert(sizeof(To) == sizeof(T));
  using Register = typename LaneMask<To>::register_type;
  if constexpr (__is_same(Register, typename LaneMask<T>::register_type))
    return LaneMask<To>(mask.data);
  else
    return LaneMask<To>(reinterpret_cast<Register>(mask.data));
}

/// `yes` in the lanes of the mask, `no` in the others.
template <class T>
TRANSPIRE_INLINE Vector<T> blend(LaneMask<T> mask, Vector<T> yes, Vector<T> no) {
  return simd::select(mask, yes, no);
}

template <class T>
TRANSPIRE_INLINE LaneMask<T> nan_lanes(Vector<T> vector) {
  return simd::isnan(vector);
}

/// Lane i is i * kStep.
template <class T, std::uint32_t kStep = 1>
TRANSPIRE_INLINE Vector<T> steps() {
  return []<std::size_t... kLane>(std::index_sequence<kLane...>) __attribute__((always_inline)) {
    return from_native<T>(Native<T>{static_cast<T>(kLane * kStep)...});
  }
  (std::make_index_sequence<kVectorLanes<T>>{});
}

/// For floats; rounds in the machine's current mode.
template <class T>
TRANSPIRE_INLINE Vector<T> quotient(Vector<T> a, Vector<T> b) {
  return from_native<T>(native(a) / native(b));
}

/// Products of integers. On SSE2 xsimd has those of 64 bits lane by lane: this takes 0.13 of its time.
template <class T>
TRANSPIRE_INLINE Vector<T> product(Vector<T> a, Vector<T> b) {
  return from_native<T>(native(a) * native(b));
}

/// The lanes of a vector of floats, widened: first half, second half.
struct WideFloats {
  Vector<double> low, high;
};

// By the compiler's vectors: xsimd has no conversions between widths.
typedef float NarrowFloats __attribute__((vector_size(kVectorBytes / 2)));

TRANSPIRE_INLINE WideFloats widen_parts(Vector<float> x) {
  return [&]<std::size_t... kLane>(std::index_sequence<kLane...>) TRANSPIRE_INLINE_LAMBDA {
    constexpr std::size_t kHalf = sizeof...(kLane);
    const Native<float> v = native(x);
    const NarrowFloats low = __builtin_shufflevector(v, v, kLane...);
    const NarrowFloats high = __builtin_shufflevector(v, v, (kLane + kHalf)...);
    return WideFloats{from_native<double>(__builtin_convertvector(low, Native<double>)),
                      from_native<double>(__builtin_convertvector(high, Native<double>))};
  }
  (std::make_index_sequence<kVectorLanes<double>>{});
}
TRANSPIRE_INLINE Vector<float> join_narrowed(Vector<double> low, Vector<double> high) {
  return [&]<std::size_t... kLane>(std::index_sequence<kLane...>) TRANSPIRE_INLINE_LAMBDA {
    const NarrowFloats a = __builtin_convertvector(native(low), NarrowFloats);
    const NarrowFloats b = __builtin_convertvector(native(high), NarrowFloats);
    return from_native<float>(__builtin_shufflevector(a, b, kLane...));
  }
  (std::make_index_sequence<kVectorLanes<float>>{});
}

}  // namespace transpire::vm::TRANSPIRE_ISA
