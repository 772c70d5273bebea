// The machine's part of the vector layer (vm/simd/machine.h) where no instruction set is known: plain code, which
// the compiler makes of what the machine has.
#pragma once

#include "vm/simd/portable.h"

namespace transpire::vm::TRANSPIRE_ISA {

template <class T>
TRANSPIRE_INLINE bool is_zero(Vector<T> vector) {
  const Native<std::uint64_t> words = native(bits_as<std::uint64_t>(vector));
  return (words[0] | words[1]) == 0;
}

template <class T, class Get>
TRANSPIRE_INLINE std::uint64_t mask_word(Get get) {
  std::uint64_t word = 0;
  for (std::uint32_t first = 0; first < 64; first += kVectorLanes<T>) {
    const LaneMask<T> mask = get(first);
    const auto lanes = reinterpret_cast<Native<Bits<T>>>(mask.data);
    for (std::uint32_t i = 0; i < kVectorLanes<T>; ++i)
      word |= std::uint64_t{lanes[i] & 1u} << (first + i);
  }
  return word;
}

}  // namespace transpire::vm::TRANSPIRE_ISA
