// Images and samplers of the C++ interface: what is made, refused, bound and told of.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>

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

std::string refusal(const ImageDescription& description) {
  const auto image = Image::create(description);
  return image ? "made" : image.errors()[0].rule + ": " + image.errors()[0].message;
}

/// kernel k(image, sampler, out): out[i] is the red of the image at (i + 0.5, 0.5), and target's texel i is green.
constexpr std::string_view kKernel = R"(
kernel void k(read_only image2d_t image, sampler_t how, write_only image2d_t target, global float* out) {
  const int i = get_global_id(0);
  out[i] = read_imagef(image, how, (float2)(i + 0.5f, 0.5f)).x;
  write_imagef(target, (int2)(i, 0), (float4)(0, 1, 0, 1));
})";

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

}  // namespace

TEST_CASE("images are refused whose description has no meaning") {
  CHECK(refusal(plane("RGBA", "UNORM_INT8", 4, 4)) == "made");
  CHECK(refusal(plane("CL_RGBA", "CL_FLOAT", 4, 4)) == "made");
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
}

TEST_CASE("images keep their texels, with pitches on both sides") {
  ImageDescription description = plane("RG", "UNSIGNED_INT8", 3, 2);
  description.row_pitch = 8;
  const auto image = Image::create(description, "pitched");
  REQUIRE(image);
  CHECK(image->name() == "pitched");
  CHECK(image->element_bytes() == 2);
  CHECK(image->packed_bytes() == 12);
  CHECK(image->description().slice_pitch == 16);
  std::array<std::uint8_t, 12> texels{};
  for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<std::uint8_t>(i + 1);
  REQUIRE(image->write(std::as_bytes(std::span(texels))));
  CHECK(image->texel(1, 1) == std::array<double, 4>{9, 10, 0, 1});
  CHECK(image->texel(3, 1) == std::array<double, 4>{});
  image->set_texel({300, -5, 0, 0}, 2, 0);
  std::array<std::uint8_t, 20> back{};
  REQUIRE(image->read(std::as_writable_bytes(std::span(back)), 10));
  CHECK(back[4] == 255);
  CHECK(back[5] == 0);
  CHECK(back[10] == 7);
  CHECK(image->read(std::as_writable_bytes(std::span(back)).first(11)).errors()[0].rule ==
        "TSP-C0042");
  CHECK(image->read(std::as_writable_bytes(std::span(back)), 5).errors()[0].rule == "TSP-C0042");
}

TEST_CASE("samplers are named by words") {
  const std::vector<std::string> words{"linear", "repeat", "normalized"};
  const auto sampler = Sampler::named(words);
  REQUIRE(sampler);
  CHECK(sampler->words() == "repeat linear normalized");
  const std::vector<std::string> wrong{"bilinear"};
  CHECK(Sampler::named(wrong).errors()[0].rule == "TSP-C0042");
}

TEST_CASE("launches take images and samplers of the parameters' types alone") {
  const auto module = compile("images.cl", kKernel);
  if (!module) return;
  const KernelInfo& kernel = *module->kernel("k");
  REQUIRE(kernel.parameters[0].image.has_value());
  CHECK(kernel.parameters[0].image->dim == ImageDim::k2D);
  CHECK(kernel.parameters[0].access == "read_only");
  CHECK(kernel.parameters[1].is_sampler);
  const auto image = Image::create(plane("R", "FLOAT", 8, 1), "image");
  const auto target = Image::create(plane("RGBA", "UNORM_INT8", 8, 1), "target");
  ImageDescription line = plane("R", "FLOAT", 8, 1);
  line.dim = ImageDim::k1D;
  const auto other = Image::create(line);
  REQUIRE((image && target && other));
  const Buffer out = make_buffer(32, "out");
  Launch launch = make_launch(*module, "k", 8, 8,
                              {Argument::image(*image), Argument::sampler({}),
                               Argument::image(*target), Argument::buffer(out)});
  image->set_texel({5, 0, 0, 0}, 3);
  CHECK(run(make_device(), launch).findings.empty());
  CHECK(out.as<float>()[3] == 5);
  CHECK(target->texel(7) == std::array<double, 4>{0, 1, 0, 1});
  for (const Argument& wrong : {Argument::image(*other), Argument::buffer(out), Argument::null(),
                                Argument::sampler({}), Argument{}}) {
    launch.arguments[0] = wrong;
    const auto result = make_device().run(launch);
    REQUIRE(!result);
    CHECK(result.errors()[0].rule == "TSP-C0003");
  }
}

TEST_CASE("observers are told of each texel") {
  const auto module = compile("images.cl", kKernel);
  if (!module) return;
  const auto image = Image::create(plane("R", "FLOAT", 2, 2), "image");
  const auto target = Image::create(plane("RGBA", "UNORM_INT8", 2, 1), "target");
  REQUIRE((image && target));
  Sampler linear;
  linear.linear = true;
  linear.addressing = Sampler::Addressing::kClamp;
  on_each_path([&](const std::string& isa, bool reference) {
    Launch launch = make_launch(*module, "k", 2, 2,
                                {Argument::image(*image), Argument::sampler(linear),
                                 Argument::image(*target), Argument::buffer(make_buffer(8))});
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

}  // namespace transpire::test
