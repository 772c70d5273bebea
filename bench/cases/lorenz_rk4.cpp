// Runge-Kutta on the Lorenz system in double precision. Exact: the only division has constant
// operands on both sides.
#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

struct Point {
  double x, y, z;
};

Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Point operator*(Point a, double s) { return {a.x * s, a.y * s, a.z * s}; }

Point Lorenz(Point p) {
  return {10.0 * (p.y - p.x), p.x * (28.0 - p.z) - p.y, p.x * p.y - (8.0 / 3.0) * p.z};
}

void Reference(const Point* start, Point* end, double dt, std::uint32_t steps, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    Point p = start[i];
    for (std::size_t step = 0; step < steps; ++step) {
      const Point k1 = Lorenz(p);
      const Point k2 = Lorenz(p + k1 * (0.5 * dt));
      const Point k3 = Lorenz(p + k2 * (0.5 * dt));
      const Point k4 = Lorenz(p + k3 * dt);
      p = p + (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (dt / 6.0);
    }
    end[i] = p;
  }
}

std::vector<double> StartPoints(std::size_t count) {
  std::vector<double> values;
  for (float value : RandomFloats(count, 1, -10.0f, 10.0f)) values.push_back(value);
  return values;
}

}  // namespace

BenchCase MakeLorenzRk4(Size size) {
  const std::uint32_t n = size == Size::kFull ? 8192 : 256;
  const std::uint32_t steps = size == Size::kFull ? 64 : 16;
  const double dt = 1.0 / 256;
  BenchCase result;
  result.kernel_file = "lorenz_rk4";
  result.buffers = {ReadBuffer("start", StartPoints(std::size_t{3} * n)),
                    ResultBuffer<double>("end", std::size_t{3} * n)};
  result.launches = {
      Launch1D("lorenz_rk4", n, 64,
               {BufferArgument{0}, BufferArgument{1}, Scalar(dt), Scalar(steps), Scalar(n)})};
  result.work_group_sizes = AnyWorkGroupSize();
  result.reference = [=](const BufferSet& set) {
    Reference(set.Data<Point>(0), set.Data<Point>(1), dt, steps, n);
  };
  return result;
}

}  // namespace transpire::bench
