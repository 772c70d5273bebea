#include "vm/program/printf_format.h"

#include <fmt/format.h>

#include "base/narrow.h"

namespace transpire::vm {
namespace {

using Length = PrintfPiece::Length;

/// Maximum digits of a width or precision: more would only fill memory.
constexpr std::size_t kMaxDigits = 4;

class Parser {
 public:
  explicit Parser(std::string_view format) : format_(format) {}

  std::vector<PrintfPiece> run() {
    while (at_ < format_.size()) {
      if (format_[at_] != '%') {
        piece_.text += format_[at_++];
        continue;
      }
      conversion();
    }
    if (!piece_.text.empty()) finish();
    return std::move(pieces_);
  }

 private:
  void finish() {
    pieces_.push_back(std::move(piece_));
    piece_ = {};
  }

  /// Keeps the first mistake.
  void wrong(std::string what) {
    if (piece_.wrong.empty()) piece_.wrong = std::move(what);
  }

  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < format_.size() ? format_[at_ + ahead] : '\0';
  }

  std::string digits() {
    std::string all;
    while (peek() >= '0' && peek() <= '9') all += format_[at_++];
    if (all.size() > kMaxDigits) {
      wrong(fmt::format("the number {} is too large", all));
      all.resize(kMaxDigits);
    }
    return all;
  }

  void conversion() {
    const std::size_t start = at_++;
    std::string flags;
    while (is_conversion(peek(), "-+ #0")) flags += format_[at_++];
    const std::string width = digits();
    std::string precision;
    if (peek() == '.') {
      ++at_;
      precision = "." + digits();
    }
    vector();
    length();
    const char letter = peek();
    piece_.written = format_.substr(start, at_ + (letter != 0 ? 1 : 0) - start);
    if (letter == '%') return percent(start);
    const bool known = is_conversion(letter, kIntConversions) ||
                       is_conversion(letter, kFloatConversions) || is_conversion(letter, "cspn");
    if (!known) return no_conversion(start);
    ++at_;
    piece_.letter = letter;
    check_flags(flags, precision);
    check_shape();
    keep(flags, width, precision);
    finish();
  }

  void vector() {
    if (peek() != 'v') return;
    ++at_;
    const std::string count = digits();
    const bool is_size =
        count == "2" || count == "3" || count == "4" || count == "8" || count == "16";
    if (!is_size) wrong("a vector has 2, 3, 4, 8 or 16 components");
    piece_.components = is_size ? narrow<std::uint32_t>(std::stoul(count)) : 1;
  }

  void length() {
    if (peek() == 'h') {
      const char next = peek(1);
      piece_.length = next == 'h' ? Length::kHh : next == 'l' ? Length::kHl : Length::kH;
      at_ += next == 'h' || next == 'l' ? 2 : 1;
    } else if (peek() == 'l' && peek(1) != 'l') {
      piece_.length = Length::kL;
      ++at_;
    } else if (is_conversion(peek(), "ljztL")) {
      const std::size_t size = peek() == 'l' ? 2 : 1;
      wrong(fmt::format("OpenCL C has no length modifier '{}'", format_.substr(at_, size)));
      piece_.length = Length::kReserved;
      at_ += size;
    }
  }

  /// Restarts the piece with its text and a '%'.
  void restart() {
    std::string text = std::move(piece_.text) + '%';
    piece_ = {};
    piece_.text = std::move(text);
  }

  void percent(std::size_t start) {
    ++at_;
    const bool alone = at_ - start == 2;
    restart();
    if (alone) return;
    piece_.written = format_.substr(start, at_ - start);
    wrong("nothing stands between the characters of '%%'");
    finish();
  }

  /// The '%' becomes text, and the rest is read as text.
  void no_conversion(std::size_t start) {
    std::string written = std::move(piece_.written);
    restart();
    piece_.written = std::move(written);
    piece_.wrong = "it is no conversion of OpenCL C";
    at_ = start + 1;
    finish();
  }

  void check_flags(const std::string& flags, const std::string& precision) {
    const char letter = piece_.letter;
    const bool is_number =
        is_conversion(letter, kIntConversions) || is_conversion(letter, kFloatConversions);
    if (flags.find('#') != std::string::npos && (!is_number || is_conversion(letter, "diu")))
      wrong(fmt::format("the flag '#' means nothing for '{}'", letter));
    if (flags.find('0') != std::string::npos && !is_number)
      wrong(fmt::format("the flag '0' means nothing for '{}'", letter));
    if (!precision.empty() && is_conversion(letter, "cp"))
      wrong(fmt::format("a precision means nothing for '{}'", letter));
  }

  void check_shape() {
    const char letter = piece_.letter;
    const bool is_float = is_conversion(letter, kFloatConversions);
    const bool is_number = is_float || is_conversion(letter, kIntConversions);
    if (piece_.components != 0) {
      if (!is_number) wrong(fmt::format("'{}' is for no vector", letter));
      if (piece_.length == Length::kNone)
        wrong("a vector needs a length: hh, h, hl or l for components of 8, 16, 32 or 64 bits");
      if (is_float && piece_.length == Length::kHh) wrong("no float has 8 bits");
      return;
    }
    if (piece_.length == Length::kHl) wrong("the length 'hl' is for vectors only");
    // %lf: in C99 the l has no effect, and programs write it.
    const bool means_nothing = !is_number || (is_float && piece_.length != Length::kL);
    if (piece_.length != Length::kNone && means_nothing)
      wrong(fmt::format("a length means nothing for '{}'", letter));
  }

  /// Keeps flags, width and precision, except those undefined in snprintf.
  void keep(const std::string& flags, const std::string& width, const std::string& precision) {
    const char letter = piece_.letter;
    for (const char flag : flags) {
      if (is_conversion(letter, "csp") && flag != '-') continue;
      if (flag == '#' && is_conversion(letter, "diu")) continue;
      piece_.flags += flag;
    }
    piece_.flags += width;
    if (!is_conversion(letter, "cp")) piece_.flags += precision;
  }

  std::string_view format_;
  std::size_t at_ = 0;
  PrintfPiece piece_;
  std::vector<PrintfPiece> pieces_;
};

std::string spell(const PrintfType& type) {
  if (type.is_string) return "a string literal";
  if (type.is_pointer) return "a pointer";
  const char* name = "int";
  switch (type.kind) {
    case Kind::kI8:
      name = "char";
      break;
    case Kind::kI16:
      name = "short";
      break;
    case Kind::kI64:
      name = "long";
      break;
    case Kind::kF16:
      name = "half";
      break;
    case Kind::kF32:
      name = "float";
      break;
    case Kind::kF64:
      name = "double";
      break;
    default:
      break;
  }
  const char* article = type.kind == Kind::kI32 || type.kind == Kind::kBool ? "an" : "a";
  return type.components == 1 ? fmt::format("{} {}", article, name)
                              : fmt::format("{} {}{}", article, name, type.components);
}

/// The type that a conversion of a number is for; scalars of at most 32 bits are all ints, and all
/// scalar floats are doubles.
PrintfType wanted(const PrintfPiece& conversion) {
  const bool is_float = is_conversion(conversion.letter, kFloatConversions);
  PrintfType type;
  if (conversion.components == 0) {
    type.kind = is_float ? Kind::kF64 : conversion.length == Length::kL ? Kind::kI64 : Kind::kI32;
    return type;
  }
  type.components = conversion.components;
  switch (conversion.length) {
    case Length::kHh:
      type.kind = Kind::kI8;
      break;
    case Length::kH:
      type.kind = is_float ? Kind::kF16 : Kind::kI16;
      break;
    case Length::kL:
      type.kind = is_float ? Kind::kF64 : Kind::kI64;
      break;
    default:
      type.kind = is_float ? Kind::kF32 : Kind::kI32;
      break;
  }
  return type;
}

bool fits(const PrintfPiece& conversion, const PrintfType& want, const PrintfType& argument) {
  if (argument.is_pointer || argument.is_string) return false;
  if (argument.components != want.components) return false;
  if (conversion.components != 0) return argument.kind == want.kind;
  if (is_float(want.kind)) return is_float(argument.kind);
  if (argument.kind == Kind::kBool) return want.kind == Kind::kI32;
  return is_int(argument.kind) && (width_bits(argument.kind) == 64) == (want.kind == Kind::kI64);
}

}  // namespace

std::vector<PrintfPiece> parse_printf(std::string_view format) { return Parser(format).run(); }

std::string mismatch(const PrintfPiece& conversion, const PrintfType& argument) {
  std::string want;
  if (conversion.letter == 's') {
    if (argument.is_string) return {};
    want = "a string literal";
  } else if (conversion.letter == 'p') {
    if (argument.is_pointer) return {};
    want = "a pointer";
  } else {
    const PrintfType type = wanted(conversion);
    if (fits(conversion, type, argument)) return {};
    want = spell(type);
  }
  return fmt::format("'{}' is for {}, and the argument is {}", conversion.written, want,
                     spell(argument));
}

}  // namespace transpire::vm
