// The formats of OpenCL C's printf ("OpenCL C 2.0", printf), taken apart when a kernel is lowered, or when they are
// printed (vm/exec/printf.cpp) where only the run knows them:
// what each conversion is, which argument it is for, and what is wrong with it.
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
  std::uint32_t components = 0;  ///< of %vN; 0 without
  Length length = Length::kNone;
  std::string written;  ///< the conversion as it stands in the format, "%5.2v4hlf"
  std::string wrong;    ///< what OpenCL C leaves undefined about it, for people; empty: nothing
};

/// The pieces of a format. What is no conversion becomes text, in a piece that says what is
/// `wrong`; a `%n`, which is to be refused, has its letter.
std::vector<PrintfPiece> parse_printf(std::string_view format);

/// An argument as a conversion meets it.
struct PrintfType {
  Kind kind = Kind::kI32;        ///< of a component
  std::uint32_t components = 1;  ///< 1 of scalars
  bool is_pointer = false;
  bool is_string = false;  ///< a string literal
};

/// How the conversion and the argument do not fit: "'%d' is for an int, and the argument is a
/// float4". Empty when they do.
std::string mismatch(const PrintfPiece& conversion, const PrintfType& argument);

/// Whether a letter is one of a set; never for 0.
constexpr bool is_conversion(char letter, std::string_view set) {
  return letter != 0 && set.find(letter) != std::string_view::npos;
}
inline constexpr std::string_view kIntConversions = "diouxX";
inline constexpr std::string_view kFloatConversions = "fFeEgGaA";

}  // namespace transpire::vm
