// Mandelbrot escape counts. Exact: only additions and multiplications, in the same order.
// No inputs but the view. Output: one count per pixel.
#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

struct View {
  std::uint32_t width, height;
  float left, top, step;
  std::uint32_t limit;
};

std::uint32_t Count(float cr, float ci, std::uint32_t limit) {
  float zr = 0;
  float zi = 0;
  std::uint32_t count = 0;
  while (count < limit) {
    const float rr = zr * zr;
    const float ii = zi * zi;
    if (rr + ii > 4.0f) break;
    zi = 2.0f * zr * zi + ci;
    zr = rr - ii + cr;
    ++count;
  }
  return count;
}

void Reference(std::uint32_t* counts, const View& view) {
  for (std::uint32_t row = 0; row < view.height; ++row) {
    for (std::uint32_t column = 0; column < view.width; ++column) {
      const float cr = view.left + static_cast<float>(column) * view.step;
      const float ci = view.top + static_cast<float>(row) * view.step;
      counts[row * view.width + column] = Count(cr, ci, view.limit);
    }
  }
}

}  // namespace

BenchCase MakeMandelbrot(Size size) {
  const std::uint32_t side = size == Size::kFull ? 512 : 48;
  const View view{side, side, -2.0f, -1.25f, 2.5f / static_cast<float>(side), 256};
  BenchCase result;
  result.kernel_file = "mandelbrot";
  result.buffers = {ResultBuffer<std::uint32_t>("counts", side * side)};
  result.launches = {
      Launch2D("mandelbrot", side, side, 16,
               {BufferArgument{0}, Scalar(view.width), Scalar(view.height), Scalar(view.left),
                Scalar(view.top), Scalar(view.step), Scalar(view.limit)})};
  result.work_group_sizes = AnyWorkGroupSize();
  result.reference = [=](const BufferSet& set) { Reference(set.Data<std::uint32_t>(0), view); };
  return result;
}

}  // namespace transpire::bench
