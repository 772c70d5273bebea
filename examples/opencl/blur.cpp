// A blurred picture by OpenCL's C++ bindings: images, a sampler, mapping. Nothing here knows which driver runs it:
//
//   c++ -std=c++17 blur.cpp -lOpenCL -o blur && OCL_ICD_VENDORS=libtranspire-opencl.so ./blur
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 300
#include <CL/opencl.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <vector>

const char* const kSource = R"(
kernel void blur(read_only image2d_t from, write_only image2d_t to, sampler_t how) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  // Between four texels, the filter gives their mean: nine texels take four samples.
  float4 sum = 0;
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 2; ++x)
      sum += read_imagef(from, how, convert_float2(at) + (float2)(x, y));
  write_imagef(to, at, sum / 4);
}
)";

using Texel = std::array<std::uint8_t, 4>;

/// What the kernel does, with clamped places: weights 1, 2, 1 along each side.
int blurred(const std::vector<Texel>& picture, int side, int x, int y, std::size_t channel) {
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const int column = std::min(std::max(x + dx, 0), side - 1);
      const int row = std::min(std::max(y + dy, 0), side - 1);
      sum += picture[static_cast<std::size_t>(row * side + column)][channel] * (2 - std::abs(dx)) *
             (2 - std::abs(dy));
    }
  return sum;
}

int main() try {
  constexpr int kSide = 64;
  const cl::Device device = cl::Device::getDefault();
  const cl::Context context(device);
  cl::CommandQueue queue(context, device);
  const cl::Program program(context, kSource, true);

  std::vector<Texel> picture(kSide * kSide);
  for (std::size_t i = 0; i < picture.size(); ++i) {
    const bool is_light = (i / 8 + i / kSide / 8) % 2 == 0;
    picture[i] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(is_light ? 255 : 0),
                  static_cast<std::uint8_t>(i / kSide * 4), 255};
  }
  const cl::ImageFormat format(CL_RGBA, CL_UNORM_INT8);
  const cl::Image2D from(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, format, kSide, kSide, 0,
                         picture.data());
  const cl::Image2D to(context, CL_MEM_WRITE_ONLY, format, kSide, kSide);
  const cl::Sampler how(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR);

  cl::KernelFunctor<cl::Image2D, cl::Image2D, cl::Sampler> blur(program, "blur");
  blur(cl::EnqueueArgs(queue, cl::NDRange(kSide, kSide)), from, to, how);

  std::size_t pitch = 0;
  void* const mapped = queue.enqueueMapImage(to, CL_TRUE, CL_MAP_READ, {0, 0, 0}, {kSide, kSide, 1},
                                             &pitch, nullptr);
  int wrong = 0;
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x)
      for (std::size_t c = 0; c < 4; ++c) {
        const auto* const row =
            static_cast<const std::uint8_t*>(mapped) + static_cast<std::size_t>(y) * pitch;
        const double exact = blurred(picture, kSide, x, y, c) / 16.0;
        wrong += std::fabs(row[static_cast<std::size_t>(x) * 4 + c] - exact) > 0.51 ? 1 : 0;
      }
  queue.enqueueUnmapMemObject(to, mapped);
  queue.finish();
  if (wrong != 0) {
    std::cerr << wrong << " numbers of the blurred picture are wrong\n";
    return 1;
  }
  std::cout << device.getInfo<CL_DEVICE_NAME>() << ": " << picture.size() << " texels blurred\n";
  return 0;
} catch (const cl::Error& error) {  // of a build, too
  std::cerr << error.what() << " failed with " << error.err() << '\n';
  return 1;
}
