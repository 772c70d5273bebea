// Helpers for writing a case: deterministic random numbers, buffers from vectors, launches.
// For cases only; runners see nothing but the finished BenchCase.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bench/case.h"

namespace transpire::bench {

/// SplitMix64: the same numbers on every machine, unlike the distributions of <random>.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Bits() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  /// Uniform in [0, bound).
  std::uint32_t Below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((Bits() >> 32) * bound) >> 32);
  }

  /// Uniform in [low, high).
  float Uniform(float low, float high) {
    return low + (high - low) * (static_cast<float>(Bits() >> 40) * 0x1p-24f);
  }

 private:
  std::uint64_t state_;
};

inline std::vector<float> RandomFloats(std::size_t count, std::uint64_t seed, float low,
                                       float high) {
  Random random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = random.Uniform(low, high);
  return values;
}

inline std::vector<std::uint32_t> RandomWords(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint32_t> values(count);
  for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random.Bits() >> 32);
  return values;
}

inline std::vector<std::uint8_t> RandomBytes(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint8_t> values(count);
  for (std::uint8_t& value : values) value = static_cast<std::uint8_t>(random.Bits() >> 56);
  return values;
}

template <typename T>
constexpr ElementType ElementTypeOf() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return ElementType::kUint8;
  if constexpr (std::is_same_v<T, std::int32_t>) return ElementType::kInt32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return ElementType::kUint32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return ElementType::kUint64;
  if constexpr (std::is_same_v<T, float>) return ElementType::kFloat32;
  if constexpr (std::is_same_v<T, double>) return ElementType::kFloat64;
}

template <typename T>
Buffer MakeBuffer(std::string name, Access access, const std::vector<T>& values,
                  Tolerance tolerance = {}) {
  Buffer buffer{std::move(name), ElementTypeOf<T>(), access, tolerance, {}};
  buffer.data.resize(values.size() * sizeof(T));
  std::memcpy(buffer.data.data(), values.data(), buffer.data.size());
  return buffer;
}

template <typename T>
Buffer ReadBuffer(std::string name, const std::vector<T>& values) {
  return MakeBuffer(std::move(name), Access::kRead, values);
}

/// A result of `count` elements, initially zero.
template <typename T>
Buffer ResultBuffer(std::string name, std::size_t count, Tolerance tolerance = {}) {
  return MakeBuffer(std::move(name), Access::kWrite, std::vector<T>(count), tolerance);
}

/// An image of RGBA bytes.
inline Buffer ImageOf(Buffer texels, std::size_t width, std::size_t height) {
  texels.image = ImageSize{width, height};
  return texels;
}

/// A launch in one dimension; `global` is rounded up to a multiple of `local`.
inline Launch Launch1D(std::string kernel, std::size_t global, std::size_t local,
                       std::vector<Argument> arguments) {
  const std::size_t rounded = (global + local - 1) / local * local;
  return {std::move(kernel), 1, {rounded, 1, 1}, {local, 1, 1}, std::move(arguments)};
}

/// A launch in two dimensions, with square work-groups of `local * local`.
inline Launch Launch2D(std::string kernel, std::size_t width, std::size_t height, std::size_t local,
                       std::vector<Argument> arguments) {
  const std::size_t columns = (width + local - 1) / local * local;
  const std::size_t rows = (height + local - 1) / local * local;
  return {std::move(kernel), 2, {columns, rows, 1}, {local, local, 1}, std::move(arguments)};
}

/// For kernels that neither depend on the work-group size nor on how work-items are grouped.
inline WorkGroupSizes AnyWorkGroupSize() {
  return {WorkGroupSizes::Allowed::kAny, {}, {}, nullptr};
}

/// For kernels that `reason` holds to some sizes; `make` makes the case for one of `listed`.
inline WorkGroupSizes ListedWorkGroupSizes(std::vector<std::uint32_t> listed, std::string reason,
                                           std::function<BenchCase(std::uint32_t)> make) {
  return {WorkGroupSizes::Allowed::kListed, std::move(reason), std::move(listed), std::move(make)};
}

/// For kernels that `reason` holds to the size that the case has.
inline WorkGroupSizes FixedWorkGroupSize(std::string reason) {
  return {WorkGroupSizes::Allowed::kFixed, std::move(reason), {}, nullptr};
}

}  // namespace transpire::bench
