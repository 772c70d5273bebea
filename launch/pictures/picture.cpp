// Reads Netpbm's pictures: see the header.
#include "launch/pictures/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "launch/report/diagnose.h"
#include "launch/report/files.h"

namespace transpire::launch {
namespace {

Diagnostic no_picture(const std::string& path, std::string_view why) {
  return command_error(kFileUnreadable, fmt::format("cannot read '{}': {}", path, why),
                       "pictures are PNG, PGM, PPM and PFM files");
}

/// Reads the words of a file's head, and numbers that are written as words.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  /// The next word, up to a blank. Comments go from # to the end of the line.
  std::string_view next() {
    while (at_ < text_.size() && (text_[at_] == '#' || is_blank(text_[at_])))
      at_ = text_[at_] == '#' ? end_of_line() : at_ + 1;
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '#') ++at_;
    return text_.substr(begin, at_ - begin);
  }
  template <class T>
  std::optional<T> number() {
    const std::string_view word = next();
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return value;
  }
  /// Number of bytes left; the number of words left is not greater.
  std::size_t left() const { return text_.size() - at_; }
  /// Bytes behind the blank that ends the head. After a comment right behind the last word, the line's end is that blank.
  std::string_view rest() const {
    const bool is_comment = at_ < text_.size() && text_[at_] == '#';
    return text_.substr(std::min((is_comment ? end_of_line() : at_) + 1, text_.size()));
  }

 private:
  static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  std::size_t end_of_line() const { return std::min(text_.find('\n', at_), text_.size()); }
  std::string_view text_;
  std::size_t at_ = 0;
};

struct NetpbmRow {
  std::string_view magic;
  unsigned channels;
  bool is_text, is_float;
};
constexpr std::array kNetpbm{NetpbmRow{"P2", 1, true, false},  NetpbmRow{"P3", 3, true, false},
                             NetpbmRow{"P5", 1, false, false}, NetpbmRow{"P6", 3, false, false},
                             NetpbmRow{"Pf", 1, false, true},  NetpbmRow{"PF", 3, false, true}};

Status read_words(Picture& picture, Words& words, std::uint64_t count, const std::string& path) {
  picture.integers.reserve(std::min<std::uint64_t>(count, words.left()));
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto number = words.number<std::uint32_t>();
    if (!number || *number > picture.most)
      return no_picture(path, fmt::format("number {} is none from 0 to {}", i, picture.most));
    picture.integers.push_back(static_cast<std::uint16_t>(*number));
  }
  return Unit{};
}

Status read_integers(Picture& picture, std::string_view bytes, std::uint64_t count,
                     const std::string& path) {
  const unsigned size = picture.most > 255 ? 2 : 1;
  if (bytes.size() / size < count) return no_picture(path, "the file ends too early");
  picture.integers.resize(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    unsigned value = 0;  // the high byte comes first
    for (unsigned b = 0; b < size; ++b)
      value = value << 8 | static_cast<unsigned char>(bytes[i * size + b]);
    if (value > picture.most)
      return no_picture(path, fmt::format("number {} is {}, more than {}", i, value, picture.most));
    picture.integers[i] = static_cast<std::uint16_t>(value);
  }
  return Unit{};
}

/// The lowest row comes first in the file.
Status read_floats(Picture& picture, std::string_view bytes, std::uint64_t count,
                   bool is_little_endian, const std::string& path) {
  if (bytes.size() / sizeof(float) < count) return no_picture(path, "the file ends too early");
  picture.floats.resize(count);
  const std::uint64_t row_numbers = picture.columns * picture.channels;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * sizeof bits, sizeof bits);
    if (!is_little_endian) bits = __builtin_bswap32(bits);
    const std::uint64_t row = picture.rows - 1 - i / row_numbers;
    picture.floats[row * row_numbers + i % row_numbers] = std::bit_cast<float>(bits);
  }
  return Unit{};
}

Result<Picture> read_netpbm(const std::string& path, std::string_view text,
                            std::uint64_t max_bytes) {
  Words words(text);
  const std::string_view magic = words.next();
  const auto* const form = std::ranges::find(kNetpbm, magic, &NetpbmRow::magic);
  if (form == kNetpbm.end())
    return no_picture(path, "it is no picture of a form that is known here");
  const auto columns = words.number<std::uint64_t>();
  const auto rows = words.number<std::uint64_t>();
  const auto last = words.number<double>();
  if (!columns || !rows || !last)
    return no_picture(path, "its head has no width, height and scale");
  Picture picture{*columns, *rows, form->channels};
  if (*columns == 0 || *rows == 0) return no_picture(path, "it has no pixels");
  const Checked count = number_count(*columns, *rows, form->channels);
  const unsigned number_bytes = form->is_float ? sizeof(float) : sizeof(std::uint16_t);
  if (!(count * number_bytes).fits(max_bytes))
    return too_many_pixels(path, *columns, *rows, max_bytes);
  picture.most = 0;
  if (!form->is_float) {
    if (!(*last >= 1 && *last <= 65535 && *last == static_cast<std::uint32_t>(*last)))
      return no_picture(path, fmt::format("its greatest number is {}, not 1 to 65535", *last));
    picture.most = static_cast<std::uint32_t>(*last);
  }
  const std::uint64_t numbers = count.value();
  const Status read = form->is_text ? read_words(picture, words, numbers, path)
                      : form->is_float
                          ? read_floats(picture, words.rest(), numbers, *last < 0, path)
                          : read_integers(picture, words.rest(), numbers, path);
  if (!read) return read.errors();
  return picture;
}

}  // namespace

Checked number_count(std::uint64_t columns, std::uint64_t rows, unsigned channels) {
  return Checked(columns) * rows * channels;
}

Diagnostic too_many_pixels(const std::string& path, std::uint64_t columns, std::uint64_t rows,
                           std::uint64_t max_bytes) {
  return command_error(kMemoryLimit,
                       fmt::format("'{}' has {} x {} pixels, more bytes than the limit of {}", path,
                                   columns, rows, max_bytes));
}

Result<Picture> read_picture(const std::string& path, const ReadLimit& limit) {
  const auto file = read_file(path, limit);
  if (!file) return file.errors();
  const std::uint64_t max_bytes =
      limit.max_bytes - std::min<std::uint64_t>(limit.max_bytes, file->size());
  constexpr std::string_view kPngBegin = "\x89PNG\r\n\x1a\n";
  const std::string_view text(reinterpret_cast<const char*>(file->data()), file->size());
  return text.starts_with(kPngBegin) ? read_png(path, *file, max_bytes)
                                     : read_netpbm(path, text, max_bytes);
}

}  // namespace transpire::launch
