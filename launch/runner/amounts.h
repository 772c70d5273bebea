// Text of sizes and times for summaries of launches.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace transpire::launch {

/// "64x4"
std::string spelled_size(const std::array<std::uint64_t, 3>& size, std::uint32_t dimensions);
/// The number with three significant digits; from 1000 on, with all digits before the point.
std::string spelled_amount(double amount);
/// "1.25 ms"
std::string spelled_seconds(double seconds);

}  // namespace transpire::launch
