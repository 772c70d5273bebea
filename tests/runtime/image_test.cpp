// Images and samplers of the C++ interface: what is made, refused, bound and told of.
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "tests/runtime/observed.h"

namespace transpire::test {
namespace {

ImageDescription plane(std::string order, std::string type, std::uint64_t width,
                       std::uint64_t height) {
  ImageDescription description;
  description.channel_order = std::move(order);
  description.channel_type = std::move(type);
  description.width = width;
  description.height = height;
  return description;
}

ImageDescription shaped(ImageDim dim, std::uint64_t width, std::uint64_t height,
                        std::uint64_t depth, std::uint64_t layers) {
  ImageDescription description = plane("R", "FLOAT", width, height);
  description.dim = dim;
  description.depth = depth;
  description.layers = layers;
  return description;
}

std::string refusal(const ImageDescription& description) {
  return error_of(Image::create(description));
}

Image made(const ImageDescription& description, const std::string& name = "image") {
  Result<Image> image = Image::create(description, name);
  REQUIRE(image);
  return *image;
}

/// kernel k(image, sampler, out): out[i] is the red of the image at (i + 0.5, 0.5), and target's texel i is green.
constexpr std::string_view kSampling = R"(
kernel void k(read_only image2d_t image, sampler_t how, write_only image2d_t target, global float* out) {
  const int i = get_global_id(0);
  out[i] = read_imagef(image, how, (float2)(i + 0.5f, 0.5f)).x;
  write_imagef(target, (int2)(i, 0), (float4)(0, 1, 0, 1));
})";

/// kernel k(c, target, out): texel i becomes c[i] + 100; out[i] and out[4 + i] are c[i] before and afterwards.
constexpr std::string_view kOverlapping = R"(
kernel void k(constant uint* c, write_only image2d_t target, global uint* out) {
  const int i = get_global_id(0);
  const uint before = c[i];
  write_imageui(target, (int2)(i, 0), (uint4)(before + 100, 0, 0, 0));
  out[i] = before;
  if (before < 1000) out[4 + i] = c[i];
}
kernel void reads(constant uint* c, read_only image2d_t source, global uint* out) {
  const int i = get_global_id(0);
  out[i] = c[i] + read_imageui(source, (int2)(i, 0)).x;
})";

/// kernel k(image, sampler, out): between the image's texels.
constexpr std::string_view kIntegers = R"(
kernel void k(read_only image2d_t image, sampler_t how, global int* out) {
  out[get_global_id(0)] = read_imagei(image, how, (float2)(1.0f, 1.0f)).x;
})";

const Sampler kLinear = [] {
  Sampler sampler;
  sampler.linear = true;
  sampler.addressing = Sampler::Addressing::kClamp;
  return sampler;
}();

class Accesses : public vm::Observer {
 public:
  void access(const vm::exec::Batch& batch, const vm::ObservedAccess& access) override {
    const auto op = batch.program->source_of(access.instruction).op;
    if (op != spv::Op::OpImageSampleExplicitLod && op != spv::Op::OpImageWrite) return;
    told.push_back(fmt::format("{}{} {} bytes", op == spv::Op::OpImageWrite ? 'w' : 'r',
                               access.lane, access.bytes));
    if (access.kind !=
        (op == spv::Op::OpImageWrite ? vm::AccessKind::kStore : vm::AccessKind::kLoad))
      told.emplace_back("wrong kind");
  }
  std::vector<std::string> told;
};

TEST_CASE("images are refused whose description has no meaning") {
  CHECK(refusal(plane("RGBA", "UNORM_INT8", 4, 4)) == "ok");
  CHECK(refusal(plane("CL_RGBA", "CL_FLOAT", 4, 4)) == "ok");
  CHECK(refusal(plane("RGBW", "FLOAT", 4, 4)) == "TSP-C0042: there is no channel order 'RGBW'");
  CHECK(refusal(plane("R", "INT", 4, 4)) == "TSP-C0042: there is no channel type 'INT'");
  CHECK(refusal(plane("RGB", "FLOAT", 4, 4)).starts_with("TSP-C0042"));
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{1} << 31, std::uint64_t{1} << 32,
                                   std::uint64_t{1} << 63, ~std::uint64_t{0}})
    CHECK(refusal(plane("R", "FLOAT", size, 1)).starts_with("TSP-C0042"));
  ImageDescription pitched = plane("R", "FLOAT", 4, 4);
  pitched.row_pitch = 15;
  CHECK(refusal(pitched).starts_with("TSP-C0042"));
  pitched.row_pitch = ~std::uint64_t{3};
  CHECK(refusal(pitched).starts_with("TSP-"));
  ImageDescription of_no_kind = plane("R", "FLOAT", 4, 4);
  of_no_kind.dim = static_cast<ImageDim>(6);
  CHECK(refusal(of_no_kind) == "TSP-C0042: there is no kind of image 6");
  CHECK(image_dim_name(static_cast<ImageDim>(255)) == "unknown");
}

TEST_CASE("images keep their texels, with pitches on both sides") {
  ImageDescription description = plane("RG", "UNSIGNED_INT8", 3, 2);
  description.row_pitch = 8;
  const Image image = made(description, "pitched");
  CHECK(image.name() == "pitched");
  CHECK(image.element_bytes() == 2);
  CHECK(image.packed_bytes() == 12);
  CHECK(image.description().slice_pitch == 16);
  std::array<std::uint8_t, 12> texels{};
  for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<std::uint8_t>(i + 1);
  REQUIRE(image.write(std::as_bytes(std::span(texels))));
  CHECK(image.texel(1, 1) == std::array<double, 4>{9, 10, 0, 1});
  CHECK(image.texel(3, 1) == std::array<double, 4>{});
  image.set_texel({300, -5, 0, 0}, 2, 0);
  std::array<std::uint8_t, 20> back{};
  REQUIRE(image.read(std::as_writable_bytes(std::span(back)), 10));
  CHECK(back[4] == 255);
  CHECK(back[5] == 0);
  CHECK(back[10] == 7);
  CHECK(image.read(std::as_writable_bytes(std::span(back)).first(11)).errors()[0].rule ==
        "TSP-C0042");
  CHECK(image.read(std::as_writable_bytes(std::span(back)), 5).errors()[0].rule == "TSP-C0042");
}

TEST_CASE("texels outside of an image are none, along each coordinate") {
  const struct {
    ImageDim dim;
    std::uint64_t sides[3];
  } kinds[] = {{ImageDim::k1D, {4, 1, 1}},      {ImageDim::k1DBuffer, {4, 1, 1}},
               {ImageDim::k1DArray, {4, 3, 1}}, {ImageDim::k2D, {4, 3, 1}},
               {ImageDim::k2DArray, {4, 3, 2}}, {ImageDim::k3D, {4, 3, 2}}};
  for (const auto& kind : kinds) {
    const ImageDim dim = kind.dim;
    const auto& sides = kind.sides;
    CAPTURE(image_dim_name(dim));
    const bool is_line_array = dim == ImageDim::k1DArray;
    const Image image = made(shaped(dim, 4, 3, sides[2], is_line_array ? sides[1] : sides[2]));
    const std::uint64_t last[] = {sides[0] - 1, sides[1] - 1, sides[2] - 1};
    image.set_texel({7, 0, 0, 0}, last[0], last[1], last[2]);
    CHECK(image.texel(last[0], last[1], last[2])[0] == 7);
    const std::vector<std::byte> before(image.bytes().begin(), image.bytes().end());
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const std::uint64_t at : {sides[axis], std::uint64_t{1'000'000}, std::uint64_t{1} << 32,
                                     (std::uint64_t{1} << 32) + 1, ~std::uint64_t{0}}) {
        std::uint64_t place[3] = {};
        place[axis] = at;
        image.set_texel({9, 9, 9, 9}, place[0], place[1], place[2]);
        CHECK(image.texel(place[0], place[1], place[2]) == std::array<double, 4>{});
      }
    CHECK(std::equal(before.begin(), before.end(), image.bytes().begin()));
  }
}

TEST_CASE("texels of 64 bits are given as the nearest doubles") {
  const Image image = made(plane("R", "SIGNED_INT64", 2, 1));
  CHECK(image.element_bytes() == 8);
  image.set_texel({-5, 1, 1, 1}, 0);
  CHECK(image.texel(0) == std::array<double, 4>{-5, 0, 0, 1});
  image.set_texel({1e30, 0, 0, 0}, 1);
  std::int64_t most = 0;
  std::memcpy(&most, image.bytes().data() + 8, sizeof most);
  CHECK(most == std::numeric_limits<std::int64_t>::max());
  image.set_texel({-1e30, 0, 0, 0}, 1);
  CHECK(image.texel(1)[0] == -0x1p63);
  const Image unsigned_image = made(plane("R", "UNSIGNED_INT64", 1, 1));
  unsigned_image.set_texel({0x1p63, 0, 0, 0}, 0);
  CHECK(unsigned_image.texel(0)[0] == 0x1p63);
}

TEST_CASE("an image's bytes are known before it is made") {
  ImageDescription description = shaped(ImageDim::k3D, 4, 3, 2, 1);
  description.row_pitch = 20;
  CHECK(*Image::bytes_needed(description) == 120);
  CHECK(Image::create(description)->bytes().size() == 120);
  CHECK(*Image::bytes_needed(plane("RGBA", "FLOAT", 1'000'000'000, 1'000'000'000)) ==
        16'000'000'000'000'000'000u);
  CHECK_FALSE(Image::bytes_needed(plane("RGB", "FLOAT", 4, 4)));
}

TEST_CASE("samplers of mipmaps are written in words as they are named") {
  Sampler sampler;
  sampler.mip_linear = true;
  sampler.lod_min = 0.1f;
  sampler.lod_max = 3;
  CHECK(sampler.words() == "none nearest unnormalized mip_linear lod_min=0.1 lod_max=3");
  const std::vector<std::string> words{"mip_linear", "lod_min=0.1", "lod_max=3"};
  const auto named = Sampler::named(words);
  REQUIRE(named);
  CHECK(named->mip_linear);
  CHECK(named->lod_min == 0.1f);
  CHECK(named->lod_max == 3);
  for (const char* wrong : {"lod_min=", "lod_min=-1", "lod_max=nan", "lod_max=1x", "lod=1"}) {
    const std::vector<std::string> one{wrong};
    CHECK_FALSE_MESSAGE(Sampler::named(one).ok(), wrong);
  }
  sampler.border = Sampler::Border::kOpaqueBlack;
  CHECK(sampler.words().ends_with(" lod_max=3 border_opaque_black"));
  sampler.addressing = static_cast<Sampler::Addressing>(5);
  CHECK(sampler.words().starts_with("unknown nearest"));
}

TEST_CASE("launches take images and samplers of the parameters' types alone") {
  const auto module = compile("images.cl", kSampling);
  if (!module) return;
  const KernelInfo& kernel = *module->kernel("k");
  REQUIRE(kernel.parameters[0].image.has_value());
  CHECK(kernel.parameters[0].image->dim == ImageDim::k2D);
  CHECK(kernel.parameters[0].access == "read_only");
  CHECK(kernel.parameters[1].is_sampler);
  const Image image = made(plane("R", "FLOAT", 8, 1));
  const Image target = made(plane("RGBA", "UNORM_INT8", 8, 1), "target");
  const Image other = made(shaped(ImageDim::k1D, 8, 1, 1, 1));
  const Buffer out = make_buffer(32, "out");
  Launch launch = make_launch(*module, "k", 8, 8, image, Sampler{}, target, out);
  image.set_texel({5, 0, 0, 0}, 3);
  CHECK(run(make_device(), launch).findings.empty());
  CHECK(out.as<float>()[3] == 5);
  CHECK(target.texel(7) == std::array<double, 4>{0, 1, 0, 1});
  for (const Argument& wrong : args_of(other, out, Argument::null(), Sampler{}, Argument{})) {
    launch.arguments[0] = wrong;
    CHECK(error_of(make_device().run(launch)).starts_with("TSP-C0003: "));
  }
  launch.arguments[0] = Argument::image(image);
  Sampler unknown, borderless, below, no_number;
  unknown.addressing = static_cast<Sampler::Addressing>(5);
  borderless.border = static_cast<Sampler::Border>(3);
  below.lod_min = -1;
  no_number.lod_max = std::numeric_limits<float>::quiet_NaN();
  for (const Sampler& wrong : {unknown, borderless, below, no_number}) {
    launch.arguments[1] = Argument::sampler(wrong);
    CHECK(error_of(make_device().run(launch)).starts_with("TSP-C0003: "));
  }
}

TEST_CASE("constant memory that is an image's, too, changes with its texels") {
  const auto module = compile("overlapping.cl", kOverlapping);
  if (!module) return;
  const Image image = made(plane("R", "UNSIGNED_INT32", 4, 1));
  const auto constant = Buffer::wrap(image.bytes(), "constant", image.state());
  REQUIRE(constant);
  const Buffer out = make_buffer(32, "out");
  on_each_path([&](const std::string& isa, bool reference) {
    for (std::uint32_t i = 0; i < 4; ++i) constant->as<std::uint32_t>()[i] = i;
    Launch launch = make_launch(*module, "k", 4, 4, *constant, image, out);
    launch.reference = reference;
    const LaunchResult result = run(make_device(1, isa), launch);
    REQUIRE(rules_of(result) == Rules{"TSP-R0029"});
    for (std::uint32_t i = 0; i < 4; ++i) {
      CHECK(out.as<std::uint32_t>()[i] == i);
      CHECK(out.as<std::uint32_t>()[4 + i] == i + 100);
    }
  });
  Launch reading = make_launch(*module, "reads", 4, 4, *constant, image, out);
  CHECK(run(make_device(), reading).findings.empty());
  CHECK(out.as<std::uint32_t>()[3] == 206);
}

TEST_CASE("observers are told of each texel") {
  const auto module = compile("images.cl", kSampling);
  if (!module) return;
  const Image image = made(plane("R", "FLOAT", 2, 2));
  const Image target = made(plane("RGBA", "UNORM_INT8", 2, 1), "target");
  on_each_path([&](const std::string& isa, bool reference) {
    Launch launch = make_launch(*module, "k", 2, 2, image, kLinear, target, make_buffer(8));
    launch.reference = reference;
    Accesses observer;
    CHECK(watch(launch, observer, isa).findings.empty());
    // At (0.5, 0.5) the filter has four texels, at (1.5, 0.5) two of which lie outside.
    const std::string expected =
        "r0 4 bytes; r0 4 bytes; r0 4 bytes; r0 4 bytes; r1 4 bytes; r1 4 bytes; w0 4 bytes; w1 4 "
        "bytes";
    CHECK(joined(observer.told) == expected);
  });
}

TEST_CASE("observers are told of one texel where the filter is not used") {
  const auto module = compile("integers.cl", kIntegers);
  if (!module) return;
  const Image image = made(plane("R", "SIGNED_INT32", 2, 2));
  image.set_texel({9, 0, 0, 0}, 1, 1);
  on_each_path([&](const std::string& isa, bool reference) {
    const Buffer out = make_buffer(8, "out");
    Launch launch = make_launch(*module, "k", 2, 2, image, kLinear, out);
    launch.reference = reference;
    Accesses observer;
    const LaunchResult result = watch(launch, observer, isa);
    REQUIRE(rules_of(result) == Rules{"TSP-R0074"});
    CHECK(joined(observer.told) == "r0 4 bytes; r1 4 bytes");
    CHECK(out.as<std::int32_t>()[1] == 9);
  });
}

TEST_CASE("a finding of an undefined sampler names no image") {
  const Module module = load(R"(
OpCapability ImageBasic
%image2d = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
%sampler = OpTypeSampler
%sampled = OpTypeSampledImage %image2d
%none = OpUndef %sampler
%where = OpConstantComposite %v2uint %uint_0 %uint_0
kernel k(%image2d image, %_ptr_CrossWorkgroup_uint out)
%both = OpSampledImage %sampled %image %none
%texel = OpImageSampleExplicitLod %v4float %both %where Lod %float_0
%red = OpCompositeExtract %float %texel 0
%bits = OpBitcast %uint %red
store %out %bits
)");
  const Buffer out = make_buffer(4, "out");
  const LaunchResult result =
      run(make_device(), make_launch(module, "k", 1, 1, made(plane("R", "FLOAT", 2, 2)), out));
  REQUIRE(rules_of(result) == Rules{"TSP-R0076"});
  CHECK(result.findings[0].diagnostic.message == "handle of no such image or sampler");
}

}  // namespace
}  // namespace transpire::test
