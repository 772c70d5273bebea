// Image accesses by whole rows against those of single lanes, which an observed launch makes: the same bits for every
// format, with all lanes running and with a few. Samplers of each kind of image are in tests/programs/image and
// tests/fuzz/oracle/image.cpp.
#include <cstring>
#include <random>

#include "memory/image_format.h"
#include "tests/runtime/observed.h"

namespace transpire::test {
namespace {

constexpr std::uint64_t kItems = 203;
constexpr std::uint64_t kSides[3] = {13, 7, 5};

/// Kernels for each kind of image: reads and writes, of floats and of integers. What they read goes to `out`; work-items
/// whose `lanes` is 0 do not take part.
constexpr std::string_view kRowKernels = R"(
#define BEGIN(kernel_name, image_type, coordinates) \
  kernel void kernel_name(image_type image, global const float4* at, global const int* lanes, global float4* out) { \
    const int i = get_global_id(0); \
    const coordinates;
#define EACH(name, type, ints, from) \
  BEGIN(texel_f_##name, read_only type, ints v = convert_##ints(at[i].from)) \
    if (lanes[i]) out[i] = read_imagef(image, v); } \
  BEGIN(texel_i_##name, read_only type, ints v = convert_##ints(at[i].from)) \
    if (lanes[i]) out[i] = as_float4(read_imagei(image, v)); } \
  BEGIN(write_f_##name, write_only type, ints v = convert_##ints(at[i].from)) \
    if (lanes[i]) write_imagef(image, v, out[i]); } \
  BEGIN(write_i_##name, write_only type, ints v = convert_##ints(at[i].from)) \
    if (lanes[i]) write_imagei(image, v, as_int4(out[i])); } \
  BEGIN(write_u_##name, write_only type, ints v = convert_##ints(at[i].from)) \
    if (lanes[i]) write_imageui(image, v, as_uint4(out[i])); }
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
EACH(1d, image1d_t, int, x)
EACH(1d_array, image1d_array_t, int2, xy)
EACH(2d, image2d_t, int2, xy)
EACH(2d_array, image2d_array_t, int4, xyzz)
EACH(3d, image3d_t, int4, xyzz)
)";

ImageDescription described(ImageDim dim, const memory::ImageFormat& format) {
  ImageDescription description;
  description.dim = dim;
  description.channel_order = memory::row_of(format.order).spelling;
  description.channel_type = memory::row_of(format.type).spelling;
  description.width = kSides[0];
  description.height = kSides[1];
  description.depth = kSides[2];
  description.layers = dim == ImageDim::k1DArray ? kSides[1] : kSides[2];
  description.row_pitch = 16 * memory::element_bytes(format);
  return description;
}

/// A launch's arguments, and what they hold.
class RowCase {
 public:
  /// The coordinates are those of any texels.
  RowCase(const Module& module, std::mt19937& random) : module_(module), random_(random) {
    for (std::size_t i = 0; i < at_.size(); ++i)
      at_[i] = static_cast<float>(random_() % kSides[std::min<std::size_t>(i % 4, 2)]);
  }

  /// The result and the texels afterwards, of both ways, on every instruction set.
  void compare(const std::string& kernel, ImageDim dim, memory::ImageFormat format) {
    CAPTURE(kernel);
    CAPTURE(memory::name_of(format));
    const std::string name = kernel + "_" + std::string(image_dim_name(dim));
    const auto image = Image::create(described(dim, format), "image");
    REQUIRE(image);
    std::vector<std::byte> texels(image->bytes().size());
    for (std::byte& byte : texels) byte = static_cast<std::byte>(random_());
    for (const bool all : {true, false}) {
      CAPTURE(all);
      fill(all);
      for (const std::string& isa : supported_isas()) {
        CAPTURE(isa);
        CHECK(run(name, *image, texels, isa, false) == run(name, *image, texels, isa, true));
      }
    }
  }

 private:
  void fill(bool all) {
    for (std::uint64_t i = 0; i < kItems; ++i) lanes_[i] = all || random_() % 3 == 0 ? 1 : 0;
    for (float& value : values_) {
      std::uint32_t bits = random_();
      std::memcpy(&value, &bits, sizeof value);
      if (random_() % 2 == 0) value = static_cast<float>(bits % 1024) / 700 - 0.2f;
    }
  }

  std::vector<std::byte> run(const std::string& kernel, const Image& image,
                             const std::vector<std::byte>& texels, const std::string& isa,
                             bool observed) {
    std::memcpy(image.bytes().data(), texels.data(), texels.size());
    const Buffer out = filled(values_);
    const Launch launch =
        make_launch(module_, kernel, kItems, kItems, image, filled(at_), filled(lanes_), out);
    vm::Observer nobody;
    const LaunchResult result =
        observed ? watch(launch, nobody, isa) : test::run(make_device(1, isa), launch);
    CHECK(result.findings.empty());
    std::vector<std::byte> all(out.bytes().begin(), out.bytes().end());
    all.insert(all.end(), image.bytes().begin(), image.bytes().end());
    return all;
  }

  template <class T>
  static Buffer filled(const std::vector<T>& values) {
    Buffer buffer = make_buffer(values.size() * sizeof(T), "values");
    std::memcpy(buffer.bytes().data(), values.data(), values.size() * sizeof(T));
    return buffer;
  }

  const Module& module_;
  std::mt19937& random_;
  std::vector<float> at_ = std::vector<float>(4 * kItems);
  std::vector<float> values_ = std::vector<float>(4 * kItems);
  std::vector<std::int32_t> lanes_ = std::vector<std::int32_t>(kItems);
};

constexpr ImageDim kDims[] = {ImageDim::k1D, ImageDim::k1DArray, ImageDim::k2D, ImageDim::k2DArray,
                              ImageDim::k3D};

/// 'f', 'i' or 'u', as the format's texels are read.
char letter(memory::ImageFormat format) {
  const memory::TexelKind kind = memory::texel_kind(format.type);
  return kind == memory::TexelKind::kFloat ? 'f' : kind == memory::TexelKind::kSigned ? 'i' : 'u';
}

template <class F>
void each_format(F f) {
  for (std::size_t order = 0; order < std::size(memory::kChannelOrders); ++order)
    for (std::size_t type = 0; type < std::size(memory::kChannelTypes); ++type) {
      const memory::ImageFormat format{static_cast<memory::ChannelOrder>(order),
                                       static_cast<memory::ChannelType>(type)};
      if (memory::is_format(format) && !memory::is_depth(format.order) &&
          !memory::is_of_shaders(format))
        f(format);
    }
}

TEST_CASE("rows of texels are read and written as single texels are, in every format") {
  const auto module = compile("rows.cl", kRowKernels);
  if (!module) return;
  std::mt19937 random(7);
  RowCase one(*module, random);
  each_format([&](memory::ImageFormat format) {
    const ImageDim dim = kDims[random() % std::size(kDims)];
    const char kind = letter(format);
    one.compare(std::string("write_") + kind, dim, format);
    if (kind != 'u') one.compare(std::string("texel_") + kind, dim, format);
  });
}

}  // namespace
}  // namespace transpire::test
