// Element-wise comparison within a tolerance, else by bits.
// Results are compared on the host's copies; a runner only hands over its bytes.
#include "bench/check.h"

#include <cmath>
#include <cstring>
#include <sstream>
#include <type_traits>

namespace transpire::bench {
namespace {

template <typename T>
bool Matches(T expected, T actual, const Tolerance& tolerance) {
  if (std::memcmp(&expected, &actual, sizeof(T)) == 0) return true;
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(expected) || std::isnan(actual))
      return std::isnan(expected) && std::isnan(actual);
    const double allowed =
        tolerance.absolute + tolerance.relative * std::fabs(static_cast<double>(expected));
    return std::fabs(static_cast<double>(expected) - static_cast<double>(actual)) <= allowed &&
           allowed > 0;
  } else {
    return std::fabs(static_cast<double>(expected) - static_cast<double>(actual)) <=
           tolerance.absolute;
  }
}

template <typename T>
std::optional<std::string> FirstElementOff(const Buffer& buffer, const std::byte* actual) {
  for (std::size_t i = 0; i < buffer.data.size() / sizeof(T); ++i) {
    T want, got;
    std::memcpy(&want, buffer.data.data() + i * sizeof(T), sizeof(T));
    std::memcpy(&got, actual + i * sizeof(T), sizeof(T));
    if (Matches(want, got, buffer.tolerance)) continue;
    std::ostringstream message;
    message.precision(17);
    message << "buffer '" << buffer.name << "', element " << i << ": expected " << +want
            << ", found " << +got;
    return message.str();
  }
  return std::nullopt;
}

std::optional<std::string> FirstOff(const Buffer& buffer, const std::byte* actual) {
  switch (buffer.type) {
    case ElementType::kUint8:
      return FirstElementOff<std::uint8_t>(buffer, actual);
    case ElementType::kInt32:
      return FirstElementOff<std::int32_t>(buffer, actual);
    case ElementType::kUint32:
      return FirstElementOff<std::uint32_t>(buffer, actual);
    case ElementType::kUint64:
      return FirstElementOff<std::uint64_t>(buffer, actual);
    case ElementType::kFloat32:
      return FirstElementOff<float>(buffer, actual);
    case ElementType::kFloat64:
      return FirstElementOff<double>(buffer, actual);
  }
  return "unknown element type";
}

}  // namespace

std::vector<Buffer> ExpectedBuffers(const BenchCase& bench) {
  std::vector<Buffer> buffers = bench.buffers;
  bench.reference(BufferSet(buffers));
  return buffers;
}

std::optional<std::string> FirstMismatch(const std::vector<Buffer>& expected,
                                         const std::vector<std::vector<std::byte>>& actual) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].access != Access::kWrite) continue;
    if (auto mismatch = FirstOff(expected[i], actual[i].data())) return mismatch;
  }
  return std::nullopt;
}

}  // namespace transpire::bench
