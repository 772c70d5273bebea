// Writes a buffer's contents as an image that other programs read: .pgm, .png or .pfm.
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

#include "launch/language/layout.h"
#include "launch/report/step_limit.h"
#include "transpire/result.hpp"

namespace transpire::launch {

/// Format of an output file.
enum class FileForm : std::uint8_t { kRaw, kNpy, kPgm, kPng, kPfm };

/// The format by the end of the file's name. Fails with C0024 for image formats that cannot be written, and for names that
/// look like a misspelled format.
Result<FileForm> file_form(const std::string& path);

/// The elements to write as an image.
struct Pixels {
  std::string name;  ///< the buffer's name, for messages
  TypeInfo type;
  std::uint64_t size_bytes = 0;
  std::vector<std::uint64_t> shape{};                   ///< shape of a NumPy array, or empty
  std::optional<std::uint64_t> columns{};               ///< `cols N` of the statement
  std::optional<std::array<std::uint64_t, 2>> plane{};  ///< columns and rows of the launch
  bool is_shown = false;                                ///< for --show, not for `out`
};

/// Rows and columns in elements, and the numbers of a pixel: the rest of the array's shape. 0 rows: the array is no plane.
struct Plane {
  std::uint64_t rows = 0, columns = 0, numbers = 1;
};
/// Splits the elements into rows. `components` is the number of numbers in an element, with padding. Fails with C0024 if
/// neither the statement, the array nor the launch gives the number of columns.
Result<Plane> plane_of(const std::string& path, const Pixels& pixels, std::uint64_t components);

struct ImageLayout {
  FileForm form = FileForm::kPng;
  std::uint64_t rows = 0, columns = 0;
  std::uint64_t pixel_bytes = 0;  ///< from one pixel to the next
  unsigned channels = 1;          ///< numbers of a pixel
  ScalarType scalar = ScalarType::kUchar;
};

/// Lays the elements out in rows. Checks everything but the numbers themselves; fails with C0024. `path` is for messages.
Result<ImageLayout> image_layout(FileForm form, const std::string& path, const Pixels& pixels);

/// Shape of a .npy file with `pixels.columns` columns: rows, columns, and the length of its vectors. Fails with C0024.
Result<std::vector<std::uint64_t>> shape_with_columns(const std::string& path,
                                                      const Pixels& pixels);

/// The bytes of the image file. Fails with C0024 (numbers outside of 0 to 1) and L0004; throws LimitReached.
Result<std::vector<std::byte>> image_file(const ImageLayout& layout, const std::string& path,
                                          const Pixels& pixels, std::span<const std::byte> bytes,
                                          const StepLimit& limit = {});

/// The bytes of a PNG file. Samples have one byte, or two with the high one first. Fails with C0024 and libpng's message;
/// throws LimitReached.
Result<std::vector<std::byte>> png_file(std::uint64_t columns, std::uint64_t rows,
                                        unsigned channels, unsigned sample_bytes,
                                        std::span<const std::byte> samples,
                                        const StepLimit& limit = {});

}  // namespace transpire::launch
