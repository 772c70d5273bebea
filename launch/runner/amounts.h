// Text of sizes and times for summaries of launches.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace transpire::launch {

/// "64x4"
std::string size_text(const std::array<std::uint64_t, 3>& size, std::uint32_t dimensions);
/// The number with three significant digits; from 1000 on, with all digits before the point.
std::string amount_text(double amount);
/// "1.25 ms"
std::string seconds_text(double seconds);

}  // namespace transpire::launch
