// All-pairs n-body step. rsqrt may be off by 2 ULP, and errors add up over the bodies, hence the
// tolerance.
#include <cmath>

#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

constexpr Tolerance kTolerance{1e-4, 1e-5};

struct Float4 {
  float x, y, z, w;
};

void Reference(const Float4* __restrict positions, Float4* __restrict velocities,
               Float4* __restrict next_positions, std::size_t n, float dt, float softening) {
  for (std::size_t i = 0; i < n; ++i) {
    const Float4 self = positions[i];
    float fx = 0, fy = 0, fz = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const Float4 other = positions[j];
      const float dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
      const float inverse = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + softening);
      const float scale = other.w * inverse * inverse * inverse;
      fx += dx * scale;
      fy += dy * scale;
      fz += dz * scale;
    }
    Float4& v = velocities[i];
    v = {v.x + fx * dt, v.y + fy * dt, v.z + fz * dt, v.w};
    next_positions[i] = {self.x + v.x * dt, self.y + v.y * dt, self.z + v.z * dt, self.w};
  }
}

}  // namespace

BenchCase MakeNbody(Size size) {
  const std::uint32_t n = size == Size::kFull ? 2048 : 256;
  const float dt = 0.01f;
  const float softening = 0.01f;
  BenchCase result;
  result.kernel_file = "nbody";
  result.buffers = {
      ReadBuffer("positions", RandomFloats(4 * n, 1, 0.1f, 1.0f)),
      MakeBuffer("velocities", Access::kWrite, RandomFloats(4 * n, 2, -0.1f, 0.1f), kTolerance),
      ResultBuffer<float>("next_positions", 4 * n, kTolerance)};
  result.launches = {Launch1D("nbody", n, 64,
                              {BufferArgument{0}, BufferArgument{1}, BufferArgument{2}, Scalar(n),
                               Scalar(dt), Scalar(softening)})};
  result.work_group_sizes = AnyWorkGroupSize();
  result.reference = [=](const BufferSet& set) {
    Reference(set.Data<Float4>(0), set.Data<Float4>(1), set.Data<Float4>(2), n, dt, softening);
  };
  return result;
}

}  // namespace transpire::bench
