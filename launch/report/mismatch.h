// Numbers of a buffer or image that differ from the expected ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace transpire::launch {

/// Place of a texel in an image.
struct TexelPlace {
  std::array<std::uint64_t, 3> at{};      ///< x, y and z; an array's layer is the last coordinate
  unsigned coordinates = 1;               ///< number of valid coordinates
  std::optional<std::uint32_t> level{};   ///< set in a mipmap
  std::optional<std::uint32_t> sample{};  ///< set in a multisampled image

  /// "(3,1)", "(3,1) of level 2", "(3,1), sample 1"
  std::string text_of() const;
};

/// A number that differs from the expected one.
struct Mismatch {
  std::string buffer;
  std::uint64_t element = 0;          ///< index into the buffer
  std::optional<std::size_t> leaf{};  ///< index of the number in an element that has several
  std::string expected{}, found{};
  /// Distance in ULP; nothing for integers and NaN.
  std::optional<std::uint64_t> ulp{};
  std::string text{};                 ///< a line for people: "y[3]: expected 4, found 3.5 (...)"
  std::optional<TexelPlace> texel{};  ///< images: the place of the texel
  std::string channel{};              ///< images: the channel, e.g. "R"
  std::string place{};                ///< "y[3]", "y[3].x", "img[3].R at (1,0)"
};

}  // namespace transpire::launch
