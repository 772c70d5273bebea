// Images of what a buffer holds, in the forms that other programs read: .pgm, .png and .pfm.
//
//   form   elements                                          numbers
//   .pgm   uchar, ushort, half, float, double                one a pixel
//   .png   the same, and vectors of two to four of them      grey; grey and alpha; colours; colours and alpha
//   .pfm   half, float, and vectors of three of them         one a pixel, or colours; any number
//
// Floating-point numbers of .pgm and .png go from 0 to 1. The first row is the topmost one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "launch/layout.h"
#include "launch/step_limit.h"
#include "transpire/result.hpp"

namespace transpire::launch {

/// What a file holds, by the end of its name.
enum class FileForm : std::uint8_t { kRaw, kNpy, kPgm, kPng, kPfm };

/// Fails with C0024 for forms of images that are not written, and names that are nearly those of one that is.
Result<FileForm> file_form(const std::string& path);

/// What is known of elements that are to be an image.
struct Pixels {
  std::string name;  ///< of the buffer, for messages
  TypeInfo type;
  std::uint64_t size_bytes = 0;
  std::vector<std::uint64_t> shape{};                   ///< of a NumPy array; empty: none
  std::optional<std::uint64_t> columns{};               ///< as asked for
  std::optional<std::array<std::uint64_t, 2>> plane{};  ///< columns and rows of the launch
  bool is_shown = false;                                ///< asked for by --show, not by `out`
};

/// Rows and columns in elements, and what of the array's shape is left over: numbers of a pixel. 0 rows: it is no plane.
struct Plane {
  std::uint64_t rows = 0, columns = 0, numbers = 1;
};
/// `components`: numbers of an element, with its padding. Fails with C0024 where nothing says what the rows are.
Result<Plane> plane_of(const std::string& path, const Pixels& pixels, std::uint64_t components);

struct ImageLayout {
  FileForm form = FileForm::kPng;
  std::uint64_t rows = 0, columns = 0;
  std::uint64_t pixel_bytes = 0;  ///< from one pixel to the next
  unsigned channels = 1;          ///< numbers of a pixel
  ScalarType scalar = ScalarType::kUchar;
};

/// How the elements are laid out in rows. All that can be wrong but the numbers themselves. `path` is for messages. Fails
/// with C0024.
Result<ImageLayout> image_layout(FileForm form, const std::string& path, const Pixels& pixels);

/// Rows and columns of a .npy file that was asked for with columns, and the numbers of its vectors. Fails with C0024.
Result<std::vector<std::uint64_t>> shape_with_columns(const std::string& path,
                                                      const Pixels& pixels);

/// The file. Fails with C0024 (numbers outside of 0 to 1) and L0004; throws LimitReached.
Result<std::vector<std::byte>> image_file(const ImageLayout& layout, const std::string& path,
                                          const Pixels& pixels, std::span<const std::byte> bytes,
                                          const StepLimit& limit = {});

/// Rows of samples of one or two bytes, these with the high one first, as a PNG file. Fails with C0024, with what libpng says; throws
/// LimitReached.
Result<std::vector<std::byte>> png_file(std::uint64_t columns, std::uint64_t rows,
                                        unsigned channels, unsigned sample_bytes,
                                        std::span<const std::byte> samples,
                                        const StepLimit& limit = {});

}  // namespace transpire::launch
