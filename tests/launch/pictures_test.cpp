// Pictures: PNG and Netpbm files that images are made of, and pictures for people: which numbers are which colours, and how layers,
// slices and samples are laid out.
#include <sys/resource.h>

#include <array>
#include <fstream>

#include "launch/language/plan_builder.h"
#include "launch/pictures/image.h"
#include "launch/pictures/picture.h"
#include "launch/pictures/raster.h"
#include "launch/runner/image_maker.h"
#include "tests/launch/support.h"
#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

// ---- PNG files written by hand, so that all kinds of them can be read: ISO/IEC 15948. Nothing is compressed.

struct PngHead {
  std::uint32_t columns = 1, rows = 1;
  std::uint8_t bits = 8;    ///< a sample has
  std::uint8_t colour = 0;  ///< 0: grey, 2: colours, 3: of a palette, 4 and 6: with alpha
  bool interlaced = false;  ///< Adam7
};

std::string big_endian(std::uint32_t value) {
  std::string text;
  for (unsigned shift = 32; shift > 0; shift -= 8)
    text += static_cast<char>(value >> (shift - 8) & 255);
  return text;
}

std::uint32_t crc_of(std::string_view text) {
  std::uint32_t crc = ~0u;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  return ~crc;
}

/// `type` and `data` with their length and their checksum.
std::string png_chunk(const std::string& type, const std::string& data) {
  return big_endian(static_cast<std::uint32_t>(data.size())) + type + data +
         big_endian(crc_of(type + data));
}

/// The text as one block of zlib's that is not compressed; at most 65,535 bytes.
std::string stored(const std::string& text) {
  std::uint32_t a = 1, b = 0;
  for (const char c : text) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  const auto size = static_cast<std::uint16_t>(text.size());
  const auto low_first = [](std::uint16_t value) {
    return std::string{static_cast<char>(value & 255), static_cast<char>(value >> 8)};
  };
  return "\x78\x01\x01" + low_first(size) + low_first(static_cast<std::uint16_t>(~size)) + text +
         big_endian(b << 16 | a);
}

/// The file. `chunks` stand in front of the samples; `rows` are these, each behind a 0, which says that no filter was used.
std::vector<std::byte> png_bytes(const PngHead& head, const std::string& chunks,
                                 const std::string& rows) {
  const std::string last{static_cast<char>(head.bits), static_cast<char>(head.colour), '\0', '\0',
                         static_cast<char>(head.interlaced ? 1 : 0)};
  const std::string file =
      "\x89PNG\r\n\x1a\n" +
      png_chunk("IHDR", big_endian(head.columns) + big_endian(head.rows) + last) + chunks +
      png_chunk("IDAT", stored(rows)) + png_chunk("IEND", "");
  const auto bytes = std::as_bytes(std::span(file));
  return {bytes.begin(), bytes.end()};
}

/// A pass of Adam7: the pixels that it has.
struct PngPass {
  std::uint32_t first_column, first_row, column_step, row_step;
};
constexpr std::array<PngPass, 7> kAdam7{{{0, 0, 8, 8},
                                         {4, 0, 8, 8},
                                         {0, 4, 4, 8},
                                         {2, 0, 4, 4},
                                         {0, 2, 2, 4},
                                         {1, 0, 2, 2},
                                         {0, 1, 1, 2}}};

/// A file of these bytes, whose name is in the words at $.
Result<BoundBufferPointer> of_file(const std::string& words, std::string_view bytes) {
  const TemporaryFile file("", bytes);
  std::string text = words;
  text.replace(text.find('$'), 1, file.path());
  const auto argument = parse_argument("a", text);
  if (!argument) return argument.errors();
  return make_image("a", argument->image, argument->value, 1 << 20);
}

using Colour = std::array<double, 4>;
using Integers = std::vector<std::uint16_t>;

/// The picture in a PNG file.
Picture of_png(const PngHead& head, const std::string& chunks, const std::string& rows) {
  auto picture = read_png("p", png_bytes(head, chunks, rows), 1 << 20);
  REQUIRE_MESSAGE(picture.ok(), error_of(picture));
  return std::move(*picture);
}

/// Lets the process have little more of its address space than now, while this lives.
class LittleMemory {
 public:
  explicit LittleMemory(std::uint64_t more_bytes) {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    getrlimit(RLIMIT_AS, &before_);
    const rlimit less{pages * 4096 + more_bytes, before_.rlim_max};
    setrlimit(RLIMIT_AS, &less);
  }
  ~LittleMemory() { setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

TEST_CASE("images of Netpbm pictures") {
  const auto grey =
      of_file("image 2d RGBA UNORM_INT8 file:$", "P5 # a comment\n2 1\n255\n\x33\xff");
  REQUIRE(grey);
  CHECK((*grey)->shape == std::vector<std::uint64_t>{1, 2, 4});
  CHECK((*grey)->image->texel(0) == Colour{0x33 / 255.0f, 0x33 / 255.0f, 0x33 / 255.0f, 1});
  const auto colours =
      of_file("image 2d RGBA UNSIGNED_INT16 file:$", "P3\n1 2 1000 1 2 3 4 5 1000");
  REQUIRE(colours);
  CHECK((*colours)->image->texel(0, 1) == Colour{4, 5, 1000, 1000});
  const auto wide = of_file("image 2d RGBA UNORM_INT16 file:$",
                            std::string_view("P6 1 1 65535\n\0\1\xff\xff\x80\0", 19));
  REQUIRE(wide);
  CHECK((*wide)->memory.bytes()[0] == std::byte{1});
  CHECK((*wide)->image->texel(0)[1] == 1);
  // The lowest row comes first; the low byte, too.
  const auto floats = of_file("image 2d R FLOAT file:$ readonly",
                              std::string_view("Pf\n1 2\n-1.0\n\0\0\x80\x3f\0\0\0\xc0", 20));
  REQUIRE(floats);
  CHECK((*floats)->image->texel(0, 0)[0] == -2);
  CHECK((*floats)->image->texel(0, 1)[0] == 1);
  // An encoded picture's bytes stay as they are.
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += std::string(3, static_cast<char>(i));
  const auto encoded = of_file("image 2d sRGBA UNORM_INT8 file:$", "P6 256 1 255\n" + bytes);
  REQUIRE(encoded);
  for (std::size_t i = 0; i < 256; ++i)
    for (std::size_t c = 0; c < 3; ++c)
      CHECK((*encoded)->memory.bytes()[4 * i + c] == static_cast<std::byte>(i));
}

TEST_CASE("pictures that are none") {
  const auto message = [](const std::string& words, std::string_view bytes) {
    const std::string text = error_of(of_file(words, bytes));
    const std::size_t quote = text.find("': ");
    return text.substr(0, 9) + (quote == text.npos ? "" : text.substr(quote + 1));
  };
  const std::string words = "image 2d R UNORM_INT8 file:$";
  CHECK(message(words, "") == "TSP-C0001: it is no picture of a form that is known here");
  CHECK(message(words, "P5 2") == "TSP-C0001: its head has no width, height and scale");
  CHECK(message(words, "P5 2 0 255 ") == "TSP-C0001: it has no pixels");
  CHECK(message(words, "P5 2 2 255 abc") == "TSP-C0001: the file ends too early");
  CHECK(message(words, "P5 2 2 70000 abcd") ==
        "TSP-C0001: its greatest number is 70000, not 1 to 65535");
  CHECK(message(words, "P5 1 1 9 z") == "TSP-C0001: number 0 is 122, more than 9");
  CHECK(message(words, "P2 1 1 9 10") == "TSP-C0001: number 0 is none from 0 to 9");
  CHECK(message(words, "Pf 9 9 1 abcd") == "TSP-C0001: the file ends too early");
  CHECK(message(words, "P5 4000000000 4000000000 255 a").starts_with("TSP-L0004"));
  CHECK(message(words, "P5 18446744073709551615 18446744073709551615 255 a")
            .starts_with("TSP-L0004"));
  CHECK(message(words, "\x89PNG\r\n\x1a\n").starts_with("TSP-C0001"));
  CHECK(message("image 3d R UNORM_INT8 file:$", "P5 1 1 255 a").starts_with("TSP-C0022"));
  CHECK(message("image 2d R SIGNED_INT8 file:$", "Pf 1 1 1\nabcd").starts_with("TSP-C0022"));
  CHECK_FALSE(parse_argument("a", "image 2d R UNORM_INT8 file:a.png uchar:zero").ok());
}

TEST_CASE("PNG pictures of all kinds are read as they were written") {
  for (unsigned channels = 1; channels <= 4; ++channels)
    for (unsigned bytes = 1; bytes <= 2; ++bytes) {
      std::vector<std::byte> samples(3 * 2 * channels * bytes);
      for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i] = static_cast<std::byte>(37 * i + 5);
      const auto file = png_file(3, 2, channels, bytes, samples);
      REQUIRE(file);
      const auto picture = read_png("p", *file, 1 << 20);
      REQUIRE(picture);
      CHECK((picture->columns == 3 && picture->rows == 2 && picture->channels == channels));
      CHECK(picture->most == (bytes == 2 ? 65535 : 255));
      for (std::size_t i = 0; i < picture->integers.size(); ++i) {
        unsigned expected = 0;
        for (unsigned b = 0; b < bytes; ++b)
          expected = expected << 8 | static_cast<unsigned>(samples[i * bytes + b]);
        CHECK(picture->integers[i] == expected);
      }
      // Cut anywhere, it is refused.
      for (std::size_t size = 0; size < file->size(); size += 5)
        CHECK_FALSE(read_png("p", std::span(*file).first(size), 1 << 20).ok());
      CHECK(error_of(read_png("p", *file, 4)).starts_with("TSP-L0004"));
    }
}

TEST_CASE("formats of images that pictures are read into may be spelled in any way") {
  const std::string_view grey("P5 2 1 255\n\x33\xff");
  for (const char* type :
       {"UNSIGNED_INT8", "unsigned_int8", "CL_UNSIGNED_INT8", "cl_Unsigned_Int8"}) {
    const auto image = of_file(std::string("image 2d RGBA ") + type + " file:$", grey);
    REQUIRE(image);
    CHECK_MESSAGE(((*image)->image->texel(0) == Colour{0x33, 0x33, 0x33, 255}), type);
  }
  for (const char* order : {"sRGBA", "srgba", "CL_sRGBA", "cl_SRGBA", "sbgra", "sRGB", "srgbx"}) {
    const auto image = of_file(std::string("image 2d ") + order + " unorm_int8 file:$", grey);
    REQUIRE(image);
    CHECK_MESSAGE((*image)->memory.bytes()[0] == std::byte{0x33}, order);
  }
  CHECK(error_of(of_file("image 2d R signed_int8 file:$", "Pf 1 1 1\nabcd"))
            .starts_with("TSP-C0022"));
}

TEST_CASE("numbers of pictures saturate to the format, and floats are encoded by it") {
  const auto bytes = of_file("image 2d R UNSIGNED_INT8 file:$", "P2 2 1 1000 255 256");
  REQUIRE(bytes);
  CHECK((*bytes)->image->texel(1)[0] == 255);
  const auto below = of_file("image 2d R SIGNED_INT8 file:$", "P2 2 1 255 127 200");
  REQUIRE(below);
  CHECK((*below)->image->texel(1)[0] == 127);
  // 0.5 in linear light is 188 of 255; 2 is more than white.
  const auto floats = of_file("image 2d sRGBA UNORM_INT8 file:$",
                              std::string_view("Pf\n2 1\n-1.0\n\0\0\0\x3f\0\0\0\x40", 20));
  REQUIRE(floats);
  CHECK((*floats)->memory.bytes()[0] == std::byte{188});
  CHECK((*floats)->memory.bytes()[4] == std::byte{255});
}

TEST_CASE("comments of Netpbm pictures end with their line") {
  const std::string words = "image 2d R UNSIGNED_INT8 file:$";
  const auto behind = of_file(words, "P5 1 1 255# why not here\nA");
  REQUIRE(behind);
  CHECK((*behind)->image->texel(0)[0] == 'A');
  const auto between = of_file(words, "P2#a\n1#b\n# c\n1 255 # d\n7# e");
  REQUIRE(between);
  CHECK((*between)->image->texel(0)[0] == 7);
  // A comment without an end is no number, whatever its last character.
  CHECK(error_of(of_file(words, "P2 1 1 255 # the number is 7")).starts_with("TSP-C0001"));
  CHECK(error_of(of_file(words, "P5 1 1 #255")).starts_with("TSP-C0001"));
  CHECK(error_of(of_file(words, "P5 1 1 255#255")).ends_with("the file ends too early"));
}

TEST_CASE("PNG pictures of few bits, of palettes and with a transparent colour") {
  const std::string none;
  CHECK(of_png({3, 2, 1}, none, std::string("\0\xa0\0\x40", 4)).integers ==
        Integers{255, 0, 255, 0, 255, 0});
  CHECK(of_png({3, 1, 2}, none, std::string("\0\x6c", 2)).integers == Integers{85, 170, 255});
  CHECK(of_png({3, 1, 4}, none, std::string("\0\x1f\x80", 3)).integers == Integers{17, 255, 136});
  const std::string palette = png_chunk("PLTE", "abcdefghi");
  const Picture colours = of_png({4, 1, 2, 3}, palette, std::string("\0\x24", 2));
  CHECK(colours.channels == 3);
  CHECK(colours.integers == Integers{'a', 'b', 'c', 'g', 'h', 'i', 'd', 'e', 'f', 'a', 'b', 'c'});
  const Picture clear =
      of_png({2, 1, 8, 3}, palette + png_chunk("tRNS", "\x40\x50"), std::string("\0\1\2", 3));
  CHECK(clear.channels == 4);
  CHECK(clear.integers == Integers{'d', 'e', 'f', 0x50, 'g', 'h', 'i', 255});
  const Picture grey =
      of_png({2, 1, 4}, png_chunk("tRNS", std::string("\0\x0f", 2)), std::string("\0\x1f", 2));
  CHECK(grey.integers == Integers{17, 255, 255, 0});
  const Picture wide = of_png({2, 1, 16, 2}, png_chunk("tRNS", "\1\2\3\4\5\6"),
                              std::string("\0\1\2\3\4\5\6\1\2\3\4\5\7", 13));
  CHECK(wide.most == 65535);
  CHECK(wide.integers == Integers{0x102, 0x304, 0x506, 0, 0x102, 0x304, 0x507, 65535});
}

TEST_CASE("PNG pictures that are interlaced, of all sizes") {
  const auto number = [](std::uint32_t x, std::uint32_t y) { return (x * 31 + y * 7 + 1) % 256; };
  for (std::uint32_t columns = 1; columns <= 9; ++columns)
    for (std::uint32_t rows = 1; rows <= 9; ++rows) {
      std::string bytes, words;
      for (const PngPass& pass : kAdam7)
        for (std::uint32_t y = pass.first_row; y < rows; y += pass.row_step) {
          if (pass.first_column >= columns) continue;
          bytes += '\0', words += '\0';
          for (std::uint32_t x = pass.first_column; x < columns; x += pass.column_step) {
            bytes += static_cast<char>(number(x, y));
            words += static_cast<char>(x), words += static_cast<char>(y);
          }
        }
      Integers expected_bytes, expected_words;
      for (std::uint32_t y = 0; y < rows; ++y)
        for (std::uint32_t x = 0; x < columns; ++x) {
          expected_bytes.push_back(static_cast<std::uint16_t>(number(x, y)));
          expected_words.push_back(static_cast<std::uint16_t>(x << 8 | y));
        }
      CHECK(of_png({columns, rows, 8, 0, true}, "", bytes).integers == expected_bytes);
      CHECK(of_png({columns, rows, 16, 0, true}, "", words).integers == expected_words);
    }
}

TEST_CASE("PNG pictures are measured before there is memory for them") {
  // Each number takes two bytes, whatever it has in the file.
  const std::string row("\0abcd", 5);
  CHECK(read_png("p", png_bytes({4, 1}, "", row), 8).ok());
  CHECK(error_of(read_png("p", png_bytes({4, 1}, "", row), 7)).starts_with("TSP-L0004"));
  CHECK(error_of(read_png("p", png_bytes({4, 1, 8, 3}, png_chunk("PLTE", "abc"), row), 23))
            .starts_with("TSP-L0004"));
  // A row of this one is 256 MiB.
  const auto wide = png_bytes({std::uint32_t{1} << 25, 1, 16, 6}, "", "");
  const LittleMemory limit(std::uint64_t{64} << 20);
  CHECK(error_of(read_png("p", wide, 1 << 20)) ==
        "TSP-L0004: 'p' has 33554432 x 1 pixels, more bytes than the limit of 1048576");
  const auto huge = png_bytes({0x7fffffff, 0x7fffffff, 16, 6}, "", "");
  CHECK(error_of(read_png("p", huge, ~std::uint64_t{0})).starts_with("TSP-"));
}

struct Shown {
  std::string range;
  Picture picture;
};

Shown shown(const Raster& raster, std::span<const std::byte> bytes) {
  const ShownRange range = range_of(raster, bytes);
  const auto file = picture_of(raster, range, bytes);
  REQUIRE(file.ok());
  auto picture = read_png("a.png", *file, 1 << 20);
  REQUIRE(picture.ok());
  return {text_of(range, raster), std::move(picture).value()};
}

Shown shown(const std::string& words) {
  const auto argument = parse_argument("a", words);
  REQUIRE_MESSAGE(argument.ok(), words);
  const auto image = make_image("a", argument->image, argument->value, 1 << 20);
  REQUIRE_MESSAGE(image.ok(), words);
  return shown(raster_of(Texels(*(*image)->image)), (*image)->memory.bytes());
}

using Numbers = std::vector<std::uint16_t>;

Numbers numbers(const std::string& words) { return shown(words).picture.integers; }

TEST_CASE("fractions are shown as they are") {
  CHECK(numbers("image 2d R UNORM_INT8 3x1 data:0,128,255") == Numbers{0, 128, 255});
  CHECK(shown("image 2d R UNORM_INT8 3x1 data:0,128,255").range.empty());
  const Shown deep = shown("image 2d DEPTH UNORM_INT16 2x1 data:1,65535");
  CHECK(deep.picture.most == 65535);
  CHECK(deep.picture.integers == Numbers{1, 65535});
  CHECK(numbers("image 2d RGB UNORM_SHORT_565 1x1 data:0x0843") == Numbers{8, 8, 25});
  CHECK(numbers("image 2d R SNORM_INT8 4x1 data:-128,-127,0,127") == Numbers{0, 0, 128, 255});
  CHECK(numbers("image 2d sRGBA UNORM_INT8 1x1 data:1,2,3,4") == Numbers{1, 2, 3, 4});
}

TEST_CASE("channels are colours whatever their order") {
  CHECK(numbers("image 2d BGRA UNORM_INT8 1x1 data:1,2,3,4") == Numbers{3, 2, 1, 4});
  CHECK(numbers("image 2d ARGB UNORM_INT8 1x1 data:1,2,3,4") == Numbers{2, 3, 4, 1});
  CHECK(numbers("image 2d RGBx UNORM_INT_101010 1x1 data:0") == Numbers{0, 0, 0});
  CHECK(numbers("image 2d RG UNORM_INT8 1x1 data:1,2") == Numbers{1, 2, 0});
  CHECK(numbers("image 2d RA UNORM_INT8 1x1 data:1,2") == Numbers{1, 2});
  CHECK(numbers("image 2d A UNORM_INT8 1x1 data:7") == Numbers{7});
  CHECK(numbers("image 2d LUMINANCE UNORM_INT8 1x1 data:7") == Numbers{7});
}

TEST_CASE("integers and floats are shown from the least to the greatest") {
  const Shown floats = shown("image 2d R FLOAT 4x1 data:1,inf,3.5,-inf");
  CHECK(floats.range == "1 .. 3.5");
  CHECK(floats.picture.integers == Numbers{0, 255, 255, 0});
  const Shown signs = shown("image 2d R SIGNED_INT16 3x1 data:-10,0,20");
  CHECK(signs.range == "-20 .. 20");
  CHECK(signs.picture.integers == Numbers{64, 128, 255});
  const Shown counts = shown("image 2d RGBA UNSIGNED_INT8 1x1 data:10,20,30,40");
  CHECK(counts.range == "10 .. 30");
  CHECK(counts.picture.integers == Numbers{0, 128, 255});
  CHECK(shown("image 2d R UNSIGNED_INT32 2x1 data:7,7").picture.integers == Numbers{255, 255});
  CHECK(shown("image 2d R UNSIGNED_INT32 2x1").picture.integers == Numbers{0, 0});
  CHECK(shown("image 2d R SIGNED_INT32 2x1").picture.integers == Numbers{128, 128});
  CHECK(shown("image 2d DEPTH FLOAT 2x1 data:0.25,0.5").picture.integers == Numbers{0, 255});
  const Shown wide = shown("image 2d R FLOAT 3x1 data:-3e38,0,3e38");
  CHECK(wide.picture.integers == Numbers{0, 128, 255});
}

TEST_CASE("what is no number is magenta") {
  const Shown some = shown("image 2d R FLOAT 3x1 data:nan,0,1");
  CHECK(some.range == "0 .. 1, NaN in magenta");
  CHECK(some.picture.integers == Numbers{255, 0, 255, 0, 0, 0, 255, 255, 255});
  const Shown all = shown("image 2d RG HALF_FLOAT 1x1 data:nan,nan");
  CHECK(all.range == "no finite number, NaN in magenta");
  CHECK(all.picture.integers == Numbers{255, 0, 255});
}

TEST_CASE("rows of all kinds of images") {
  const auto size = [](const std::string& words) {
    const Picture picture = shown(words).picture;
    return std::pair{picture.columns, picture.rows};
  };
  using Size = std::pair<std::uint64_t, std::uint64_t>;
  CHECK(size("image 1d R FLOAT 5") == Size{5, 1});
  CHECK(size("image 1d_buffer R FLOAT 5") == Size{5, 1});
  CHECK(size("image 1d_array R FLOAT 5x3") == Size{5, 3});
  CHECK(size("image 2d_array R FLOAT 5x3x2") == Size{5, 6});
  CHECK(size("image 3d R FLOAT 5x3x2") == Size{5, 6});
  CHECK(size("image 2d R FLOAT 5x3 samples 4") == Size{20, 3});
  CHECK(size("image 2d R FLOAT 8x8 levels 4") == Size{8, 8});
  CHECK(numbers(
            "image 3d R UNORM_INT8 2x1x2 row_pitch 3 slice_pitch 6 data:1,2,0,0,0,0,3,4,0,0,0,0") ==
        Numbers{1, 2, 3, 4});
  CHECK(numbers("image 1d_array R UNORM_INT8 2x2 row_pitch 3 data:1,2,0,3,4,0") ==
        Numbers{1, 2, 3, 4});
}

TEST_CASE("rows of buffers") {
  const auto raster = [](const char* type, std::uint64_t bytes, std::uint64_t columns) {
    return raster_of("a.png", Pixels{"y", type_of(*type_word(type)), bytes, {}, columns});
  };
  const std::vector<std::int8_t> numbers{-4, 0, 2, 4};
  const auto rows = raster("char", 4, 2);
  REQUIRE(rows.ok());
  const Shown signs = shown(*rows, std::as_bytes(std::span(numbers)));
  CHECK(signs.range == "-4 .. 4");
  CHECK(signs.picture.integers == Numbers{0, 128, 191, 255});
  CHECK(raster("float3", 32, 1)->colours.size() == 3);
  CHECK(raster("ulong", 32, 2)->scale == ChannelScale::kUnsigned);
  CHECK(error_of(raster("float8", 64, 1))
            .starts_with("TSP-C0024: cannot write 'a.png': a pixel has one to four"));
  CHECK(error_of(raster("float", 16, 3)).find("are not whole rows of 3") != std::string::npos);
}

TEST_CASE("how far numbers are apart") {
  Raster raster;
  raster.columns = 4;
  raster.rows = raster.slice_rows = 1;
  raster.pixel_bytes = 4;
  raster.row_bytes = raster.slice_bytes = 16;
  raster.colours = {Channel{"R", 0, ScalarType::kFloat}};
  raster.scale = ChannelScale::kFloat;
  const auto difference = [&](std::vector<float> a, std::vector<float> b) {
    const auto file =
        difference_picture(raster, std::as_bytes(std::span(a)), std::as_bytes(std::span(b)));
    REQUIRE(file.ok());
    return read_png("a.png", *file, 1 << 20)->integers;
  };
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(difference({1, 2, 3, inf}, {1, 4, 2, inf}) == Numbers{0, 255, 128, 0});
  CHECK(difference({1, 2, 3, inf}, {1, 4, 3, 0}) == Numbers{0, 255, 0, 255});
  CHECK(difference({nan, nan, 0, 0}, {nan, 1, 0, 1}) ==
        Numbers{0, 0, 0, 255, 0, 255, 0, 0, 0, 255, 255, 255});
  CHECK(difference({1, 1, 1, 1}, {1, 1, 1, 1}) == Numbers{0, 0, 0, 0});
}

}  // namespace
}  // namespace transpire::test
