// Channels of texels, where in an image a byte lies, and comparisons by channels.
#include "launch/pictures/texels.h"

#include "launch/language/plan_builder.h"
#include "launch/runner/compare.h"
#include "launch/runner/image_maker.h"
#include "tests/launch/support.h"

namespace transpire::test {
namespace {

BoundBufferPointer texels_made(const std::string& words) {
  const auto argument = parse_argument("a", words);
  REQUIRE_MESSAGE(argument.ok(), words);
  auto image = make_image("a", argument->image, argument->value, 1 << 20);
  REQUIRE_MESSAGE(image.ok(), words);
  return *image;
}

std::string names_in(const std::string& words) {
  std::string names;
  const Texels texels(*texels_made(words)->image);
  for (const Channel& channel : texels.channels())
    names += (names.empty() ? "" : " ") + channel.name;
  return names;
}

std::string place_in(const std::string& words, std::uint64_t offset_bytes) {
  const auto place = Texels(*texels_made(words)->image).place(offset_bytes);
  return place ? place->text_of() : "gap";
}

/// Of two images in the same words, but with other contents.
Comparison compared(const std::string& words, const std::string& expected, const std::string& found,
                    const std::string& tolerances) {
  const BoundBufferPointer a = texels_made(words + expected), b = texels_made(words + found);
  const auto parsed = parse_tolerances(tolerances);
  REQUIRE(parsed.ok());
  const ComparedElements what{a->type, "img", 0, true, Texels(*a->image)};
  CHECK(count_of_numbers(what) == what.texels->channels().size());
  return compare(what, a->memory.bytes(), b->memory.bytes(), *parsed, [](auto, auto, auto) {
    LegalRange range;
    range.kind = LegalRange::Kind::kOpen;
    range.operation = "a texel";
    return range;
  });
}

TEST_CASE("channels have the names of their order, as they lie in memory") {
  CHECK(names_in("image 2d RGBA UNORM_INT8 1x1") == "R G B A");
  CHECK(names_in("image 2d BGRA UNORM_INT8 1x1") == "B G R A");
  CHECK(names_in("image 2d sBGRA UNORM_INT8 1x1") == "B G R A");
  CHECK(names_in("image 2d Rx FLOAT 1x1") == "R x");
  CHECK(names_in("image 2d DEPTH FLOAT 1x1") == "depth");
  CHECK(names_in("image 2d INTENSITY FLOAT 1x1") == "intensity");
  CHECK(names_in("image 2d DEPTH_STENCIL UNORM_INT24 1x1") == "depth stencil");
  CHECK(names_in("image 2d RGB UNORM_SHORT_555 1x1") == "R G B");
  CHECK(names_in("image 2d RGBA UNORM_INT_101010_2 1x1") == "R G B A");
}

TEST_CASE("bytes have places in images of all kinds") {
  CHECK(place_in("image 1d R FLOAT 4", 8) == "(2)");
  CHECK(place_in("image 1d_array R FLOAT 4x3", 36) == "(1,2)");
  CHECK(place_in("image 2d RGBA FLOAT 4x3", 5 * 16 + 4) == "(1,1)");
  CHECK(place_in("image 2d_array R UNORM_INT8 4x3x2", 12 + 6) == "(2,1,1)");
  CHECK(place_in("image 3d R UNORM_INT8 4x3x2", 23) == "(3,2,1)");
  CHECK(place_in("image 2d R UNORM_INT8 4x3 row_pitch 6", 7) == "(1,1)");
  CHECK(place_in("image 2d R UNORM_INT8 4x3 row_pitch 6", 5) == "gap");
  CHECK(place_in("image 2d R UNORM_INT8 4x4 levels 3", 3) == "(3,0)");
  CHECK(place_in("image 2d R UNORM_INT8 4x4 levels 3", 16 + 3) == "(1,1) of level 1");
  CHECK(place_in("image 2d R UNORM_INT8 4x4 levels 3", 20) == "(0,0) of level 2");
  CHECK(place_in("image 2d R UNORM_INT8 4x3 samples 2", 11) == "(1,1), sample 1");
}

TEST_CASE("channels are compared with tolerances of their own") {
  const Comparison result = compared("image 2d BGRA UNORM_INT8 2x1 ", "data:(1,2,3,4),(5,6,7,8)",
                                     "data:(2,4,3,4),(5,6,9,9)", "(1, 1, 1ulp, 0)");
  CHECK(result.compared == 8);
  REQUIRE(result.mismatches.size() == 3);
  CHECK(result.mismatches[0].text == "img[0].G at (0,0): expected 2, found 4");
  CHECK(result.mismatches[1].text == "img[1].R at (1,0): expected 7, found 9");
  CHECK(result.mismatches[2].channel == "A");
  CHECK(result.mismatches[2].leaf == 3);
}

TEST_CASE("packed channels count in their own units") {
  const std::string words = "image 2d RGB UNORM_SHORT_565 2x1 ";
  // R 1, G 2, B 3, and the same with one more of G and two more of B.
  const Comparison result = compared(words, "data:0x0843,0x0843", "data:0x0843,0x0865", "(0,1,1)");
  CHECK(result.compared == 6);
  REQUIRE(result.mismatches.size() == 1);
  CHECK(result.mismatches[0].text == "img[1].B at (1,0): expected 3, found 5");
  CHECK(result.mismatches[0].leaf == 2);
  CHECK(compared(words, "data:1,1", "data:1,3", "2").different == 0);
}

TEST_CASE("small floats of a packed format are floats") {
  // B 1 of 10 bits, G 2 and R 0.5 of 11 bits; in the other image G is 3.
  const std::string words = "image 2d BGR UFLOAT_101111 1x1 ";
  const Comparison result = compared(words, "data:0x78200380", "data:0x78210380", "0.5");
  REQUIRE(result.mismatches.size() == 1);
  CHECK(result.mismatches[0].text ==
        "img[0].G at (0,0): expected 2, found 3 (difference 1, 512 ulp)");
}

TEST_CASE("images of three words a texel") {
  const Comparison result =
      compared("image 1d RGx UNORM_INT8 2 ", "data:1,2,3,4,5,6", "data:1,2,3,4,6,7", "(0, 0, 1)");
  CHECK(result.compared == 6);
  REQUIRE(result.mismatches.size() == 1);
  CHECK(result.mismatches[0].text == "img[4].G at (1): expected 5, found 6");
}

TEST_CASE("what another implementation may write to an image") {
  const std::string bytes = "image 2d RG UNORM_INT8 1x1 ";
  CHECK(compared(bytes, "data:1,2", "data:2,2", "spec full").different == 0);
  CHECK(compared(bytes, "data:1,2", "data:3,2", "spec full").different == 1);
  CHECK(compared("image 2d R SNORM_INT8 1x1 ", "data:-1", "data:0", "spec full").different == 0);
  CHECK(compared("image 2d R SIGNED_INT8 1x1 ", "data:1", "data:2", "spec full").different == 1);
  const Comparison open = compared("image 2d R FLOAT 1x1 ", "data:1", "data:1", "spec embedded");
  CHECK(open.open == 1);
  CHECK(open.open_example == "img[0] at (0,0): a texel");
}

TEST_CASE("lists of tolerances") {
  CHECK(parse_tolerances(" ( 1 , 4ulp, spec full,1e-3rel ) ")->size() == 4);
  CHECK(parse_tolerances("2")->size() == 1);
  for (const char* text : {"(1", "()", "(1,)", "(1,,2)", "1,2", "(1;2)"})
    CHECK_FALSE_MESSAGE(parse_tolerances(text).ok(), text);
}

}  // namespace
}  // namespace transpire::test
