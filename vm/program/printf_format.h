// The formats of OpenCL C's printf ("OpenCL C 2.0", printf): conversions, their arguments, and
// mistakes. Lowering parses a format; vm/exec/printf.cpp does if only the run knows it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vm/simd/kind.h"

namespace transpire::vm {

/// A piece of a format: text, then perhaps a conversion.
struct PrintfPiece {
  enum class Length : std::uint8_t { kNone, kHh, kH, kHl, kL, kReserved };
  std::string text;              ///< comes first; `%%` is text
  char letter = 0;               ///< the conversion's, one of diouxXfFeEgGaAcsp; 0: no conversion
  std::string flags;             ///< flags, width and precision, as snprintf may have them
  std::uint32_t components = 0;  ///< from %vN; 0: none
  Length length = Length::kNone;
  std::string written;  ///< the conversion as written, "%5.2v4hlf"
  std::string wrong;    ///< its undefined part by OpenCL C, as text; empty: none
};

/// The pieces of a format. A malformed conversion becomes text, in a piece whose `wrong` explains
/// it; a `%n`, which callers refuse, has its letter.
std::vector<PrintfPiece> parse_printf(std::string_view format);

/// The type of an argument, as a conversion sees it.
struct PrintfType {
  Kind kind = Kind::kI32;        ///< kind of a component
  std::uint32_t components = 1;  ///< 1 for scalars
  bool is_pointer = false;
  bool is_string = false;  ///< a string literal
};

/// The mismatch of a conversion and an argument: "'%d' is for an int, and the argument is a
/// float4". Empty if they fit.
std::string mismatch(const PrintfPiece& conversion, const PrintfType& argument);

/// True if the set contains the letter; never for 0.
constexpr bool is_conversion(char letter, std::string_view set) {
  return letter != 0 && set.find(letter) != std::string_view::npos;
}
inline constexpr std::string_view kIntConversions = "diouxX";
inline constexpr std::string_view kFloatConversions = "fFeEgGaA";

}  // namespace transpire::vm
