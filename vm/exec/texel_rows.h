// Texels of a batch's lanes: gathered as words, taken apart into channels and turned into numbers,
// and the way back. memory/texel.h defines the numbers, lane by lane; the loops here become
// vectors. Each loop handles a whole row, so that the next one need not wait for its stores.
//
// In the instruction set's own namespace, like all handler code.
#pragma once

#include "memory/image.h"
#include "memory/texel.h"
#include "vm/exec/plain_copies.h"
#include "vm/simd/half.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

/// A value for each lane; uninitialised.
template <class T>
struct alignas(64) LaneRow {
  T lane[kLanes];
};
using WordRow = LaneRow<std::uint32_t>;

/// The place of a channel in an element, which is 1 to 4 words; one of 1 or 2 bytes is a word's low
/// bits.
struct Channel {
  std::uint32_t word = 0, shift = 0, bits = 0;
  std::uint32_t most() const { return ~std::uint32_t{0} >> (32 - bits); }
};

/// Bits of a channel as those of a number, float or integer; and back, into a word whose bits there are zero.
using FromChannel = void (*)(const WordRow& word, Channel channel, WordRow& number);
using ToChannel = void (*)(const WordRow& number, Channel channel, WordRow& word);

TRANSPIRE_INLINE std::uint32_t bits_of(float value) {
  return __builtin_bit_cast(std::uint32_t, value);
}
TRANSPIRE_INLINE float float_of(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }

/// memory::from_unorm() of 8 bits: x / 255 is x * 257 / 2^16, which is exact, and x / 255 / 2^16, too small for its own
/// rounding to show. A division takes four times as long.
TRANSPIRE_INLINE float from_unorm8(std::uint32_t value) {
  const auto x = static_cast<float>(static_cast<std::int32_t>(value));
  return x * 0x1.01p-8f + x * 0x1.010102p-24f;
}

void from_byte(const WordRow& word, Channel channel, WordRow& number) {
  for (std::uint32_t i = 0; i < kLanes; ++i)
    number.lane[i] = bits_of(from_unorm8(word.lane[i] >> channel.shift & 0xff));
}
void from_unorm(const WordRow& word, Channel channel, WordRow& number) {
  const std::uint32_t most = channel.most();
  for (std::uint32_t i = 0; i < kLanes; ++i)
    number.lane[i] = bits_of(memory::from_unorm<float>(word.lane[i] >> channel.shift & most, most));
}
void to_unorm(const WordRow& number, Channel channel, WordRow& word) {
  const std::uint32_t most = channel.most();
  for (std::uint32_t i = 0; i < kLanes; ++i)
    word.lane[i] |= memory::to_unorm(float_of(number.lane[i]), most) << channel.shift;
}

TRANSPIRE_INLINE std::int32_t signed_bits(std::uint32_t word, Channel channel) {
  return static_cast<std::int32_t>(word << (32 - channel.bits - channel.shift)) >>
         (32 - channel.bits);
}
void from_snorm(const WordRow& word, Channel channel, WordRow& number) {
  const auto most = static_cast<std::int32_t>(channel.most() >> 1);
  for (std::uint32_t i = 0; i < kLanes; ++i)
    number.lane[i] = bits_of(memory::from_snorm<float>(signed_bits(word.lane[i], channel), most));
}
void to_snorm(const WordRow& number, Channel channel, WordRow& word) {
  const auto most = static_cast<std::int32_t>(channel.most() >> 1);
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const auto value = static_cast<std::uint32_t>(memory::to_snorm(float_of(number.lane[i]), most));
    word.lane[i] |= (value & channel.most()) << channel.shift;
  }
}

void from_half(const WordRow& word, Channel channel, WordRow& number) {
  LaneRow<Half> half;
  LaneRow<float> wide;
  for (std::uint32_t i = 0; i < kLanes; ++i)
    half.lane[i].bits = static_cast<std::uint16_t>(word.lane[i] >> channel.shift);
  widen_row(wide.lane, half.lane);
  for (std::uint32_t i = 0; i < kLanes; ++i) number.lane[i] = bits_of(wide.lane[i]);
}
void to_half_channel(const WordRow& number, Channel channel, WordRow& word) {
  LaneRow<Half> half;
  LaneRow<float> wide;
  for (std::uint32_t i = 0; i < kLanes; ++i) wide.lane[i] = float_of(number.lane[i]);
  narrow_row(half.lane, wide.lane);
  for (std::uint32_t i = 0; i < kLanes; ++i)
    word.lane[i] |= std::uint32_t{half.lane[i].bits} << channel.shift;
}

/// Floats, and integers of 32 bits.
void from_word(const WordRow& word, Channel, WordRow& number) { number = word; }
void to_word(const WordRow& number, Channel, WordRow& word) { word = number; }

void from_signed(const WordRow& word, Channel channel, WordRow& number) {
  for (std::uint32_t i = 0; i < kLanes; ++i)
    number.lane[i] = static_cast<std::uint32_t>(signed_bits(word.lane[i], channel));
}
void to_signed(const WordRow& number, Channel channel, WordRow& word) {
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const auto value = static_cast<std::int32_t>(number.lane[i]);
    word.lane[i] |= (memory::saturated(value, channel.bits) & channel.most()) << channel.shift;
  }
}

void from_unsigned(const WordRow& word, Channel channel, WordRow& number) {
  for (std::uint32_t i = 0; i < kLanes; ++i)
    number.lane[i] = word.lane[i] >> channel.shift & channel.most();
}
void to_unsigned(const WordRow& number, Channel channel, WordRow& word) {
  for (std::uint32_t i = 0; i < kLanes; ++i)
    word.lane[i] |= memory::saturated(number.lane[i], channel.bits) << channel.shift;
}

struct ChannelLoops {
  FromChannel from = nullptr;
  ToChannel to = nullptr;
};

/// The loops for a kind of channels with this width.
TRANSPIRE_INLINE ChannelLoops loops_of(memory::ChannelKind kind, std::uint32_t bits) {
  using memory::ChannelKind;
  switch (kind) {
    case ChannelKind::kUnorm:
      return {bits == 8 ? from_byte : from_unorm, to_unorm};
    case ChannelKind::kSnorm:
      return {from_snorm, to_snorm};
    case ChannelKind::kHalf:
      return {from_half, to_half_channel};
    case ChannelKind::kSigned:
      if (bits != 32) return {from_signed, to_signed};
      break;
    case ChannelKind::kUnsigned:
      if (bits != 32) return {from_unsigned, to_unsigned};
      break;
    default:
      break;
  }
  return {from_word, to_word};
}

/// The format of an image, as rows read and write it.
struct RowFormat {
  ChannelLoops loops[4];
  Channel channel[4];
  std::uint32_t element_bytes = 4;
  std::uint32_t channels = 0;
  const memory::ChannelOrderRow* order = nullptr;
  bool is_whole = false;  ///< each channel is a component's: writes change all of an element
};

/// How rows of a format are read and written. False where they are not: encoded (sRGB) formats, elements of three channels, small
/// floats and integers of 64 bits.
TRANSPIRE_INLINE bool row_format(memory::ImageFormat image, RowFormat& format) {
  const memory::ChannelTypeRow& type = memory::row_of(image.type);
  format.order = &memory::row_of(image.order);
  format.element_bytes = memory::element_bytes(image);
  if (format.order->is_srgb || !memory::has_usual_size(image) || memory::is_wide(image.type) ||
      type.kind == memory::ChannelKind::kSmallFloat)
    return false;
  const bool is_packed = type.packed_bytes != 0;
  format.is_whole = true;
  for (std::uint32_t c = 0; c < 4; ++c) {
    const std::uint32_t bits = is_packed                    ? type.field_bits[c]
                               : c < format.order->channels ? type.bits
                                                            : 0u;
    if (bits == 0) continue;
    const std::uint32_t at = is_packed ? memory::field_shift(type, c) : c * bits;
    format.channel[c] = {at / 32, at % 32, bits};
    format.channels = c + 1;
    format.is_whole = format.is_whole && memory::component_of(*format.order, c) < 4;
    format.loops[c] = loops_of(type.kind, bits);
  }
  return format.channels != 0;
}

/// Elements of a word that lie `offset` bytes from the image's first one.
template <class Word>
TRANSPIRE_INLINE void gather_word(const std::byte* texels, const WordRow& offset, WordRow& word) {
  LaneRow<Word> narrow;
  gather(texels, offset.lane, narrow.lane);
  for (std::uint32_t i = 0; i < kLanes; ++i) word.lane[i] = narrow.lane[i];
}

/// Several words.
template <std::uint32_t kWords>
TRANSPIRE_INLINE void gather_words(const std::byte* texels, const WordRow& offset,
                                   WordRow (&word)[4]) {
#pragma GCC unroll 16
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    std::uint32_t values[kWords];
    __builtin_memcpy(values, texels + offset.lane[i], sizeof values);
    for (std::uint32_t w = 0; w < kWords; ++w) word[w].lane[i] = values[w];
  }
}

TRANSPIRE_INLINE void gather_elements(const RowFormat& format, const std::byte* texels,
                                      const WordRow& offset, WordRow (&word)[4]) {
  switch (format.element_bytes) {
    case 1:
      return gather_word<std::uint8_t>(texels, offset, word[0]);
    case 2:
      return gather_word<std::uint16_t>(texels, offset, word[0]);
    case 4:
      return gather(texels, offset.lane, word[0].lane);
    case 8:
      return gather_words<2>(texels, offset, word);
    default:
      return gather_words<4>(texels, offset, word);
  }
}

/// Writes elements of kWords words in the order of lanes: of those with one place the last one's stays.
template <class Word, std::uint32_t kWords>
TRANSPIRE_INLINE void scatter_words(std::byte* texels, const WordRow& offset,
                                    const std::uint64_t* mask, const WordRow (&word)[4]) {
  if (kWords == 1 && mask_full(mask)) {
    LaneRow<Word> narrow;
    for (std::uint32_t i = 0; i < kLanes; ++i) narrow.lane[i] = static_cast<Word>(word[0].lane[i]);
    return scatter(texels, offset.lane, narrow.lane);
  }
  each_running(mask, [&](std::uint32_t i) TRANSPIRE_INLINE_LAMBDA {
    Word values[kWords];
    for (std::uint32_t w = 0; w < kWords; ++w) values[w] = static_cast<Word>(word[w].lane[i]);
    __builtin_memcpy(texels + offset.lane[i], values, sizeof values);
  });
}

TRANSPIRE_INLINE void scatter_elements(const RowFormat& format, std::byte* texels,
                                       const WordRow& offset, const std::uint64_t* mask,
                                       const WordRow (&word)[4]) {
  switch (format.element_bytes) {
    case 1:
      return scatter_words<std::uint8_t, 1>(texels, offset, mask, word);
    case 2:
      return scatter_words<std::uint16_t, 1>(texels, offset, mask, word);
    case 4:
      return scatter_words<std::uint32_t, 1>(texels, offset, mask, word);
    case 8:
      return scatter_words<std::uint32_t, 2>(texels, offset, mask, word);
    default:
      return scatter_words<std::uint32_t, 4>(texels, offset, mask, word);
  }
}

/// A component of the texels whose words were gathered: R, G, B or A. `one`: the bits of the number 1.
TRANSPIRE_INLINE void component_of_words(const RowFormat& format, const WordRow (&word)[4],
                                         std::uint32_t component, std::uint32_t one,
                                         WordRow& number) {
  const std::uint32_t c = format.order->components[component];
  if (c < 4) return format.loops[c].from(word[format.channel[c].word], format.channel[c], number);
  for (std::uint32_t i = 0; i < kLanes; ++i) number.lane[i] = c == memory::kOne ? one : 0;
}

}  // namespace
}  // namespace transpire::vm::TRANSPIRE_ISA
