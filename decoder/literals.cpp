// Literal strings: UTF-8 octets packed little-endian into words, ended by a zero octet.
// Names and debug strings come from source text in any encoding, so what is no UTF-8 there is
// replaced rather than refused; strings that decide something are checked by the caller.
#include "decoder/context.h"

namespace transpire::decoder {
namespace {

/// Length of the UTF-8 sequence at the start of `text`; 0 when it is none. Overlong forms,
/// surrogates and values past U+10FFFF are none (RFC 3629, "Syntax of UTF-8 Byte Sequences").
std::size_t sequence_length(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const unsigned second = byte(1);
  if (lead == 0xe0 && second < 0xa0) return 0;
  if (lead == 0xed && second > 0x9f) return 0;
  if (lead == 0xf0 && second < 0x90) return 0;
  if (lead == 0xf4 && second > 0x8f) return 0;
  return length;
}

}  // namespace

std::uint32_t read_string(std::span<const std::uint32_t> words, std::string& text) {
  text.clear();
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const char octet = static_cast<char>(words[i] >> shift & 0xff);
      if (octet == '\0') return static_cast<std::uint32_t>(i + 1);
      text.push_back(octet);
    }
  }
  return 0;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string sanitise_utf8(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    clean += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return clean;
}

std::string text_operand(std::span<const std::uint32_t> words, std::uint32_t* words_taken) {
  std::string text;
  const std::uint32_t taken = read_string(words, text);
  if (words_taken) *words_taken = taken;
  return is_utf8(text) ? text : sanitise_utf8(text);
}

}  // namespace transpire::decoder
