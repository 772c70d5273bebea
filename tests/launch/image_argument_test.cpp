// Images and samplers as arguments of the launch language: words, what they make, and that they are written as read.
#include "launch/image_argument.h"

#include "launch/launch_writer.h"
#include "launch/plan_builder.h"
#include "tests/launch/support.h"

namespace transpire::test {

using namespace launch;

namespace {

Result<BoundBufferPointer> made(const std::string& words, std::uint64_t max_bytes = 1 << 20) {
  const auto argument = parse_argument("a", words);
  if (!argument) return argument.errors();
  return make_image("a", argument->image, argument->value, max_bytes);
}

}  // namespace

TEST_CASE("images by words") {
  const auto image =
      parse_argument("a", "image 2d_array RGBA UNORM_INT8 4x3x2 levels 2 uchar4:zero");
  REQUIRE(image);
  CHECK(image->kind == ArgumentSpec::Kind::kImage);
  CHECK(image->image.dim == ImageDim::k2DArray);
  CHECK((image->image.width == 4 && image->image.height == 3 && image->image.layers == 2));
  CHECK(image->image.levels == 2);
  CHECK(parse_argument("a", "image 1d_buffer R FLOAT 9 readonly")->value.read_only);
  for (const char* words :
       {"image 4d RGBA FLOAT 4", "image 2d RGBA FLOAT", "image 2d RGBA FLOAT 4",
        "image 1d RGBA FLOAT 4x4", "image 2d RGBA FLOAT 4xx4", "image 2d RGBA FLOAT 4x4 levels x",
        "image 2d RGBA FLOAT 4x4 float3:nothing:1"})
    CHECK_FALSE_MESSAGE(parse_argument("a", words).ok(), words);
}

TEST_CASE("images have elements of their format's type") {
  const auto image = made("image 2d RGBA UNORM_INT8 2x1 data:(1,2,3,4),(5,6,7,8)");
  REQUIRE(image);
  CHECK((*image)->type.spelling == "uchar4");
  CHECK((*image)->shape == std::vector<std::uint64_t>{1, 2, 4});
  CHECK((*image)->memory.bytes()[5] == std::byte{6});
  CHECK((*image)->image->texel(1)[3] == 8 / 255.0f);
  CHECK((*made("image 2d RGB UNORM_SHORT_565 2x1"))->type.spelling == "ushort");
  CHECK((*made("image 3d R FLOAT 2x2x2 fill:3"))->memory.bytes().size() == 32);
  CHECK(error_of(made("image 2d RGBA UNORM_INT8 2x1 uchar:zero:7")) ==
        "TSP-C0022: image 'a' has 8 bytes, its contents have 7");
  CHECK(error_of(made("image 2d RGBA FLOAT 2x2", 60)) ==
        "TSP-L0004: image 'a' of 64 bytes exceeds the limit of 60");
  CHECK(error_of(made("image 2d RGBA NUMBER 2x2")) ==
        "TSP-C0042: there is no channel type 'NUMBER'");
}

TEST_CASE("images of more bytes than the limit are not made") {
  // No machine has room for it: it would be refused in other words.
  CHECK(error_of(made("image 2d RGBA FLOAT 1000000000x1000000000")) ==
        "TSP-L0004: image 'a' of 16000000000000000000 bytes exceeds the limit of 1048576");
  CHECK((*made("image 2d R FLOAT 4x4 float:zero", 64))->memory.bytes().size() == 64);
  CHECK((*made("image 2d RGBA UNORM_INT8 4x4 uchar:zero:64"))->memory.bytes().size() == 64);
  CHECK(error_of(made("image 2d RGBA UNORM_INT8 2x1 uchar:zero")) ==
        "TSP-C0022: image 'a' has 8 bytes, its contents have 2");
}

TEST_CASE("images keep what may not be done with them as buffers") {
  const auto read_only = made("image 2d R FLOAT 4x4 zero readonly");
  const auto write_only = made("image 2d R FLOAT 4x4 writeonly");
  const auto both = made("image 2d R FLOAT 4x4 float:fill:1");
  REQUIRE((read_only && write_only && both));
  CHECK((*read_only)->memory.read_only());
  CHECK_FALSE((*read_only)->memory.write_only());
  CHECK((*write_only)->memory.write_only());
  CHECK_FALSE((*write_only)->memory.read_only());
  CHECK_FALSE(((*both)->memory.read_only() || (*both)->memory.write_only()));
}

TEST_CASE("images with gaps") {
  const auto image = made("image 2d R UNORM_INT8 2x2 row_pitch 3 data:1,2,3,4,5,6");
  REQUIRE(image);
  CHECK((*image)->memory.bytes().size() == 6);
  CHECK((*image)->image->texel(1, 1)[0] == 5 / 255.0f);
  CHECK((*image)->shape.empty());
  CHECK(error_of(made("image 2d R FLOAT 2x2 row_pitch 7")).starts_with("TSP-C0042"));
}

TEST_CASE("samplers by words") {
  const auto sampler = parse_argument("s", "sampler repeat linear normalized");
  REQUIRE(sampler);
  CHECK(sampler->kind == ArgumentSpec::Kind::kSampler);
  CHECK(sampler->sampler.words() == "repeat linear normalized");
  CHECK(parse_argument("s", "sampler nearest")->sampler.words() == "none nearest unnormalized");
  CHECK(error_of(parse_argument("s", "sampler smooth")) ==
        "TSP-C0042: 'smooth' says nothing of a sampler");
}

TEST_CASE("images and samplers are written as they are read") {
  LaunchWriter writer;
  for (const char* words :
       {"image 2d RGBA UNORM_INT8 4x3 uchar4:zero", "image 1d R FLOAT 4 levels 3 zero",
        "image 3d RG HALF_FLOAT 4x3x2 half2:fill:1", "image 1d_array R FLOAT 4x2 zero",
        "image 2d_array R FLOAT 4x2x3 zero readonly", "image 2d R FLOAT 4x2 samples 2 zero",
        "image 2d R FLOAT 4x2 row_pitch 20 zero",
        "image 3d R FLOAT 4x2x2 row_pitch 20 slice_pitch 60 zero",
        "image 2d RGBA UNORM_INT8 file:photo.png", "image 2d R FLOAT file:a.pfm levels 2 readonly",
        "sampler clamp linear normalized",
        "sampler clamp linear normalized mip_linear lod_min=0.5 lod_max=4"}) {
    const auto first = parse_argument("a", words);
    REQUIRE(first);
    writer.argument(*first, "");
    CHECK(writer.text().ends_with(std::string("arg a = ") + words + "\n"));
  }
}

}  // namespace transpire::test
