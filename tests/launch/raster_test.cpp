// Pictures for people: which numbers are which colours, and how layers, slices and samples are laid out.
#include "launch/raster.h"

#include "launch/image_argument.h"
#include "launch/picture.h"
#include "launch/plan_builder.h"
#include "tests/launch/support.h"

namespace transpire::test {

using namespace launch;

namespace {

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
  return {spelled(range, raster), std::move(picture).value()};
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

}  // namespace

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

}  // namespace transpire::test
