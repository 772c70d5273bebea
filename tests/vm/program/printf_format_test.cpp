// The grammar of printf's formats, and which arguments its conversions are for.
#include "vm/program/printf_format.h"

#include <doctest/doctest.h>

namespace transpire::test {
namespace {

using namespace vm;
using Length = PrintfPiece::Length;

PrintfPiece only(std::string_view format) {
  std::vector<PrintfPiece> pieces = parse_printf(format);
  REQUIRE(pieces.size() == 1);
  return pieces[0];
}

std::string wrong(std::string_view format) { return only(format).wrong; }

std::string mismatch_of(std::string_view format, PrintfType argument) {
  return mismatch(only(format), argument);
}

TEST_CASE("a format is text and conversions in turn") {
  const std::vector<PrintfPiece> pieces = parse_printf("a%db%-8.3v4hlf%%c%s");
  REQUIRE(pieces.size() == 3);
  CHECK(pieces[0].text == "a");
  CHECK(pieces[0].letter == 'd');
  CHECK(pieces[0].components == 0);
  CHECK(pieces[1].text == "b");
  CHECK(pieces[1].letter == 'f');
  CHECK(pieces[1].flags == "-8.3");
  CHECK(pieces[1].components == 4);
  CHECK(pieces[1].length == Length::kHl);
  CHECK(pieces[1].written == "%-8.3v4hlf");
  CHECK(pieces[2].text == "%c");
  CHECK(pieces[2].letter == 's');
  CHECK(parse_printf("").empty());
}

TEST_CASE("every vector size, length and conversion of OpenCL C is understood") {
  const std::pair<const char*, Length> lengths[] = {
      {"hh", Length::kHh}, {"h", Length::kH}, {"hl", Length::kHl}, {"l", Length::kL}};
  for (const unsigned size : {2u, 3u, 4u, 8u, 16u}) {
    for (const auto& [text, length] : lengths) {
      for (const char letter : std::string("diouxXfFeEgGaA")) {
        const bool no_such_float =
            length == Length::kHh && std::string("fFeEgGaA").find(letter) != std::string::npos;
        const PrintfPiece piece = only("%v" + std::to_string(size) + text + letter);
        INFO(piece.written);
        CHECK(piece.letter == letter);
        CHECK(piece.components == size);
        CHECK(piece.length == length);
        CHECK(piece.wrong.empty() != no_such_float);
      }
    }
  }
  for (const char* good :
       {"%d",  "%hhd", "%hd",  "%ld",  "%i",         "%o",  "%u",  "%x",   "%X",  "%f",
        "%lf", "%F",   "%e",   "%E",   "%g",         "%G",  "%a",  "%A",   "%c",  "%s",
        "%p",  "%-5c", "%.3s", "%-8p", "%+ -#08.3e", "%#x", "%#o", "%08d", "%.d", "%5.f"}) {
    INFO(std::string(good));
    CHECK(wrong(good).empty());
  }
}

TEST_CASE("what OpenCL C leaves undefined is said") {
  CHECK(wrong("%v4f") ==
        "a vector needs a length: hh, h, hl or l for components of 8, 16, 32 or 64 bits");
  CHECK(wrong("%v5hlf") == "a vector has 2, 3, 4, 8 or 16 components");
  CHECK(wrong("%v4hls") == "'s' is for no vector");
  CHECK(wrong("%v4hhf") == "no float has 8 bits");
  CHECK(wrong("%hld") == "the length 'hl' is for vectors only");
  CHECK(wrong("%hf") == "a length means nothing for 'f'");
  CHECK(wrong("%ls") == "a length means nothing for 's'");
  CHECK(wrong("%lc") == "a length means nothing for 'c'");
  CHECK(wrong("%hp") == "a length means nothing for 'p'");
  CHECK(wrong("%lld") == "OpenCL C has no length modifier 'll'");
  CHECK(wrong("%zu") == "OpenCL C has no length modifier 'z'");
  CHECK(wrong("%jd") == "OpenCL C has no length modifier 'j'");
  CHECK(wrong("%td") == "OpenCL C has no length modifier 't'");
  CHECK(wrong("%Lf") == "OpenCL C has no length modifier 'L'");
  CHECK(wrong("%#d") == "the flag '#' means nothing for 'd'");
  CHECK(wrong("%05s") == "the flag '0' means nothing for 's'");
  CHECK(wrong("%.2c") == "a precision means nothing for 'c'");
  CHECK(wrong("%5%") == "nothing stands between the characters of '%%'");
  CHECK(wrong("%12345d") == "the number 12345 is too large");
  CHECK(only("%12345d").flags == "1234");
}

TEST_CASE("snprintf gets no flag that it leaves undefined") {
  CHECK(only("%+#05.3d").flags == "+05.3");
  CHECK(only("%-+05c").flags == "-5");
  CHECK(only("%0.3s").flags == ".3");
  CHECK(only("%#-9.2p").flags == "-9");
  CHECK(only("%#.0f").flags == "#.0");
}

TEST_CASE("what is no conversion is text") {
  const std::vector<PrintfPiece> unknown = parse_printf("1%y2");
  REQUIRE(unknown.size() == 2);
  CHECK(unknown[0].text == "1%");
  CHECK(unknown[0].letter == 0);
  CHECK(unknown[0].wrong == "it is no conversion of OpenCL C");
  CHECK(unknown[0].written == "%y");
  CHECK(unknown[1].text == "y2");
  CHECK(unknown[1].wrong.empty());
  const std::vector<PrintfPiece> end = parse_printf("100%");
  REQUIRE(end.size() == 1);
  CHECK(end[0].text == "100%");
  CHECK(end[0].wrong == "it is no conversion of OpenCL C");
  const std::vector<PrintfPiece> star = parse_printf("%*d");
  REQUIRE(star.size() == 2);
  CHECK(star[0].text + star[1].text == "%*d");
  CHECK(only("%n").letter == 'n');
}

TEST_CASE("arguments are held to their conversions") {
  CHECK(mismatch_of("%d", {Kind::kI32}).empty());
  CHECK(mismatch_of("%hhd", {Kind::kI32}).empty());
  CHECK(mismatch_of("%d", {Kind::kI8}).empty());
  CHECK(mismatch_of("%d", {Kind::kBool}).empty());
  CHECK(mismatch_of("%ld", {Kind::kI64}).empty());
  CHECK(mismatch_of("%f", {Kind::kF32}).empty());
  CHECK(mismatch_of("%f", {Kind::kF64}).empty());
  CHECK(mismatch_of("%a", {Kind::kF16}).empty());
  CHECK(mismatch_of("%c", {Kind::kI32}).empty());
  CHECK(mismatch_of("%p", {Kind::kI64, 1, true}).empty());
  CHECK(mismatch_of("%s", {Kind::kI64, 1, true, true}).empty());
  CHECK(mismatch_of("%v16hhu", {Kind::kI8, 16}).empty());
  CHECK(mismatch_of("%v3hd", {Kind::kI16, 3}).empty());
  CHECK(mismatch_of("%v2hlx", {Kind::kI32, 2}).empty());
  CHECK(mismatch_of("%v8ld", {Kind::kI64, 8}).empty());
  CHECK(mismatch_of("%v4hg", {Kind::kF16, 4}).empty());
  CHECK(mismatch_of("%v4hlg", {Kind::kF32, 4}).empty());
  CHECK(mismatch_of("%v4lg", {Kind::kF64, 4}).empty());

  CHECK(mismatch_of("%d", {Kind::kI64}) == "'%d' is for an int, and the argument is a long");
  CHECK(mismatch_of("%ld", {Kind::kI32}) == "'%ld' is for a long, and the argument is an int");
  CHECK(mismatch_of("%d", {Kind::kF32}) == "'%d' is for an int, and the argument is a float");
  CHECK(mismatch_of("%f", {Kind::kI32}) == "'%f' is for a double, and the argument is an int");
  CHECK(mismatch_of("%d", {Kind::kI32, 4}) == "'%d' is for an int, and the argument is an int4");
  CHECK(mismatch_of("%v4hlf", {Kind::kF32, 2}) ==
        "'%v4hlf' is for a float4, and the argument is a float2");
  CHECK(mismatch_of("%v2hx", {Kind::kI32, 2}) ==
        "'%v2hx' is for a short2, and the argument is an int2");
  CHECK(mismatch_of("%v4hlf", {Kind::kF32, 1}) ==
        "'%v4hlf' is for a float4, and the argument is a float");
  CHECK(mismatch_of("%s", {Kind::kI32}) ==
        "'%s' is for a string literal, and the argument is an int");
  CHECK(mismatch_of("%p", {Kind::kI64}) == "'%p' is for a pointer, and the argument is a long");
  CHECK(mismatch_of("%d", {Kind::kI64, 1, true}) ==
        "'%d' is for an int, and the argument is a pointer");
}

}  // namespace
}  // namespace transpire::test
