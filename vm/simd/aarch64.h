// aarch64: what xsimd has not, has slower, or has with other bits than on x86. Nothing else of the project names an
// instruction of this machine. Included by vm/simd/machine.h.
//
//   words from masks                  xsimd 8.1 has none
//   sums, products and so on in order a NaN result is another one than on x86: signalling operands come first, and the
//                                     default NaN is positive
//   floats to int32                   saturate; x86 gives the smallest integer
//   comparisons, masks from words     as on every machine (vm/simd/portable.h): the same instructions result
//   halves                            by integer code, as there; the machine's conversions are not used yet
#pragma once

#include "vm/simd/instruction_set.h"
#include "vm/simd/rounding.h"

namespace transpire::vm {

/// True if this processor runs the instruction set: NEON is part of every one.
inline bool processor_runs(Isa isa) { return isa == Isa::kScalar || isa == Isa::kNeon; }

/// FPCR: "Arm Architecture Reference Manual for A-profile architecture", FPCR. Zero is to nearest even, denormals
/// kept, NaN operands propagated, exceptions untrapped. Exceptions that happened are in another register.
struct FloatControl {
  using Word = std::uint64_t;
  static constexpr Word kUsual = 0;
  static constexpr Word kFlags = 0;
  static constexpr Word kFlushDenormals = Word{1} << 24;

  // Always inline: instruction sets must not share them out of line.
  [[gnu::always_inline]] static Word read() {
    Word word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word));
    return word;
  }
  [[gnu::always_inline]] static void write(Word word) {
    __asm__ volatile("msr fpcr, %0" : : "r"(word));
  }
  /// Bits 22 and 23 are 0 to nearest even, 1 up, 2 down, 3 towards zero.
  [[gnu::always_inline]] static constexpr Word with_rounding(Word word, Rounding rounding) {
    const Word field = rounding == Rounding::kRtz   ? 3u
                       : rounding == Rounding::kRtp ? 1u
                       : rounding == Rounding::kRtn ? 2u
                                                    : 0u;
    return (word & ~(Word{3} << 22)) | field << 22;
  }
};

}  // namespace transpire::vm

#if defined(TRANSPIRE_ISA_NEON)

#include <arm_neon.h>

#include "vm/simd/portable.h"

namespace transpire::vm::TRANSPIRE_ISA {

/// True if every bit is 0.
template <class T>
TRANSPIRE_INLINE bool is_zero(Vector<T> vector) {
  return vmaxvq_u32(reinterpret_cast<uint32x4_t>(vector.data)) == 0;
}

/// One byte a lane, for 16 lanes.
template <std::size_t kBytes, class Get>
TRANSPIRE_INLINE uint8x16_t mask_bytes(Get get) {
  if constexpr (kBytes == 1) {
    return reinterpret_cast<uint8x16_t>(get(0));
  } else if constexpr (kBytes == 2) {
    return vuzp1q_u8(reinterpret_cast<uint8x16_t>(get(0)), reinterpret_cast<uint8x16_t>(get(8)));
  } else {
    const auto quarters = [&](std::uint32_t lane) TRANSPIRE_INLINE_LAMBDA {
      if constexpr (kBytes == 4)
        return reinterpret_cast<uint16x8_t>(get(lane));
      else
        return reinterpret_cast<uint16x8_t>(vuzp1q_u32(
            reinterpret_cast<uint32x4_t>(get(lane)), reinterpret_cast<uint32x4_t>(get(lane + 2))));
    };
    return vuzp1q_u8(reinterpret_cast<uint8x16_t>(vuzp1q_u16(quarters(0), quarters(4))),
                     reinterpret_cast<uint8x16_t>(vuzp1q_u16(quarters(8), quarters(12))));
  }
}

/// A bit of weight 2^(i % 8) of lane i, and then the sums of eight.
template <class T, class Get>
TRANSPIRE_INLINE std::uint64_t mask_word(Get get) {
  const auto weighted = [&](std::uint32_t first) TRANSPIRE_INLINE_LAMBDA {
    const auto part = [&](std::uint32_t lane) TRANSPIRE_INLINE_LAMBDA {
      const LaneMask<T> mask = get(first + lane);
      return mask.data;
    };
    const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    return vandq_u8(mask_bytes<sizeof(T)>(part), weights);
  };
  const uint8x16_t low = vpaddq_u8(weighted(0), weighted(16));
  const uint8x16_t fours = vpaddq_u8(low, vpaddq_u8(weighted(32), weighted(48)));
  return vgetq_lane_u64(reinterpret_cast<uint64x2_t>(vpaddq_u8(fours, fours)), 0);
}

}  // namespace transpire::vm::TRANSPIRE_ISA

#endif
