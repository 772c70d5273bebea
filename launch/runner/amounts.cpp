#include "launch/runner/amounts.h"

#include <fmt/format.h>

namespace transpire::launch {

std::string size_text(const std::array<std::uint64_t, 3>& size, std::uint32_t dimensions) {
  std::string text;
  for (std::uint32_t i = 0; i < dimensions; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : "x", size[i]);
  return text;
}

std::string amount_text(double amount) {
  return amount < 999.5 ? fmt::format("{:.3g}", amount) : fmt::format("{:.0f}", amount);
}

// The rounded number decides the unit: 999.5 us is shown as 1 ms.
std::string seconds_text(double seconds) {
  if (seconds * 1e6 < 999.5) return amount_text(seconds * 1e6) + " us";
  if (seconds * 1e3 < 999.5) return amount_text(seconds * 1e3) + " ms";
  return amount_text(seconds) + " s";
}

}  // namespace transpire::launch
