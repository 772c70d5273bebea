// lane_mask() (vm/simd/machine.h) where masks are vectors whose lanes are all ones or zero.
#pragma once

#include "vm/simd/predicate.h"

namespace transpire::vm::TRANSPIRE_ISA {

/// Defined by the machine: byte i / 8 of the word to lane i; for vectors of 256 bits, within each
/// half.
TRANSPIRE_INLINE Vector<std::uint8_t> spread_bytes(std::uint32_t word);

template <class T>
TRANSPIRE_INLINE LaneMask<T> lane_mask(std::uint64_t word, std::uint32_t lane) {
  using U = Bits<T>;
  return [&]<std::size_t... kLane>(std::index_sequence<kLane...>) TRANSPIRE_INLINE_LAMBDA {
    Native<U> spread, bit{static_cast<U>(U{1} << kLane % kWidth<U>)...};
    if constexpr (sizeof(T) == 1) {
      spread = native(spread_bytes(static_cast<std::uint32_t>(word >> lane)));
    } else {  // several vectors use one part of the word, each with other bits
      spread = native(splat(static_cast<U>(word >> lane / kWidth<U> * kWidth<U>)));
      bit = bit << static_cast<int>(lane % kWidth<U>);
    }
    return mask_of<T>((spread & bit) == bit);
  }
  (std::make_index_sequence<kVectorLanes<T>>{});
}

}  // namespace transpire::vm::TRANSPIRE_ISA
