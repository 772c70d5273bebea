// Lays out and writes image files: see the header. Formats: Netpbm, "PGM"; "PFM Portable FloatMap Image Format" (P. Debevec).
#include "launch/pictures/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

struct FormRow {
  std::string_view extension;
  FileForm form;
};

constexpr std::array kForms{FormRow{"npy", FileForm::kNpy}, FormRow{"pgm", FileForm::kPgm},
                            FormRow{"png", FileForm::kPng}, FormRow{"pfm", FileForm::kPfm}};
// Endings of image formats that cannot be written. They never mean raw bytes.
constexpr std::array<std::string_view, 9> kOtherForms{"jpg",  "jpeg", "bmp", "gif", "tif",
                                                      "tiff", "webp", "npz", "exr"};

std::string lower_extension(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  const std::size_t slash = path.rfind('/');
  if (dot == path.npos || (slash != path.npos && dot < slash)) return {};
  std::string extension(path.substr(dot + 1));
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return extension;
}

/// True if the words differ in one letter, or in two adjacent letters that changed places.
bool nearly_equal(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const auto [first, second] = std::mismatch(a.begin(), a.end(), b.begin());
  if (first == a.end()) return true;
  if (std::equal(first + 1, a.end(), second + 1)) return true;
  return first + 1 != a.end() && first[0] == second[1] && first[1] == second[0] &&
         std::equal(first + 2, a.end(), second + 2);
}

Diagnostic unwritable(const std::string& path, std::string_view why, std::string help = {}) {
  return command_error(kFileUnwritable, fmt::format("cannot write '{}': {}", path, why),
                       std::move(help));
}

bool is_float_form(FileForm form) { return form == FileForm::kPfm; }

/// True if a pixel of the format may have so many numbers of that type.
bool fits(FileForm form, ScalarType scalar, std::uint64_t channels) {
  const bool is_float = launch::is_float(scalar);
  if (is_float_form(form))
    return is_float && scalar != ScalarType::kDouble && (channels == 1 || channels == 3);
  if (!is_float && scalar != ScalarType::kUchar && scalar != ScalarType::kUshort) return false;
  return channels == 1 || (form == FileForm::kPng && channels <= 4);
}

std::string_view what_fits(FileForm form) {
  if (is_float_form(form)) return "half or float, one or three for a pixel";
  return form == FileForm::kPng
             ? "uchar, ushort, or floating-point numbers from 0 to 1, up to four for a pixel"
             : "uchar, ushort, or floating-point numbers from 0 to 1, one for a pixel";
}

/// Rows and columns of an array. `components` is the number of numbers in an element, with padding.
Plane plane_of_shape(std::vector<std::uint64_t> shape, std::uint64_t components) {
  if (components > 1) {
    if (shape.empty() || shape.back() % components != 0) return {};
    shape.back() /= components;
    if (shape.back() == 1) shape.pop_back();
  }
  if (shape.size() == 2) return {shape[0], shape[1], 1};
  if (shape.size() == 3 && components == 1) return {shape[0], shape[1], shape[2]};
  return {};
}

Diagnostic uneven_rows(const std::string& path, const Pixels& pixels, std::uint64_t elements) {
  return unwritable(path, fmt::format("the {} elements of '{}' are not whole rows of {}", elements,
                                      pixels.name, *pixels.columns));
}

/// Calls `use(bytes of the number, its place)` for the numbers of a row.
template <class Use>
void for_row(const ImageLayout& layout, std::span<const std::byte> bytes, std::uint64_t row,
             Use use) {
  const unsigned size = size_bytes(layout.scalar);
  for (std::uint64_t column = 0; column < layout.columns; ++column) {
    const std::uint64_t pixel = row * layout.columns + column;
    for (unsigned i = 0; i < layout.channels; ++i)
      use(bytes.subspan(pixel * layout.pixel_bytes + i * size), pixel);
  }
}

/// Samples of all numbers: one or two bytes each, high byte first.
Result<std::vector<std::byte>> samples_of(const ImageLayout& layout, const std::string& path,
                                          const Pixels& pixels, std::span<const std::byte> bytes,
                                          const StepLimit& limit) {
  std::vector<std::byte> samples;
  samples.reserve(layout.rows * layout.columns * layout.channels *
                  (layout.scalar == ScalarType::kUshort ? 2 : 1));
  std::optional<std::uint64_t> bad;
  double found = 0;
  Pacer pacer(limit);
  for (std::uint64_t row = 0; row < layout.rows; ++row) {
    for_row(layout, bytes, row, [&](std::span<const std::byte> at, std::uint64_t pixel) {
      pacer.step();
      std::uint64_t value = load_bits(at, layout.scalar);
      if (is_float(layout.scalar)) {
        const double number = to_double(value, layout.scalar);
        const bool good = number >= 0 && number <= 1;
        if (!good && !bad) bad = pixel, found = number;
        value = good ? static_cast<std::uint64_t>(std::floor(number * 255 + 0.5)) : 0;
      }
      if (layout.scalar == ScalarType::kUshort)
        samples.push_back(static_cast<std::byte>(value >> 8));
      samples.push_back(static_cast<std::byte>(value & 255));
    });
  }
  if (!bad) return samples;
  return unwritable(path,
                    fmt::format("{}[{}] is {}, and the numbers of such a file go from 0 to 1",
                                pixels.name, *bad, found),
                    "'.pfm' and '.npy' hold any number");
}

std::vector<std::byte> with_header(const std::string& header, std::span<const std::byte> data) {
  std::vector<std::byte> file(header.size() + data.size());
  std::memcpy(file.data(), header.data(), header.size());
  if (!data.empty()) std::memcpy(file.data() + header.size(), data.data(), data.size());
  return file;
}

std::vector<std::byte> pfm_file(const ImageLayout& layout, std::span<const std::byte> bytes,
                                const StepLimit& limit) {
  std::vector<std::byte> numbers;
  numbers.reserve(layout.rows * layout.columns * layout.channels * sizeof(float));
  Pacer pacer(limit);
  for (std::uint64_t row = layout.rows; row-- > 0;) {  // the lowest row comes first
    for_row(layout, bytes, row, [&](std::span<const std::byte> at, std::uint64_t) {
      pacer.step();
      const std::uint64_t value = load_bits(at, layout.scalar);
      // Copies the bits of a float, because a conversion would make signalling NaNs quiet.
      const auto number =
          layout.scalar == ScalarType::kFloat
              ? static_cast<std::uint32_t>(value)
              : std::bit_cast<std::uint32_t>(static_cast<float>(to_double(value, layout.scalar)));
      const auto bits = std::bit_cast<std::array<std::byte, 4>>(number);
      numbers.insert(numbers.end(), bits.begin(), bits.end());
    });
  }
  // A negative scale means that the low byte comes first.
  return with_header(fmt::format("{}\n{} {}\n-1.0\n", layout.channels == 1 ? "Pf" : "PF",
                                 layout.columns, layout.rows),
                     numbers);
}

}  // namespace

Result<Plane> plane_of(const std::string& path, const Pixels& pixels, std::uint64_t components) {
  const std::uint64_t elements = pixels.size_bytes / stride_bytes(pixels.type);
  if (elements == 0) return unwritable(path, fmt::format("'{}' is empty", pixels.name));
  if (pixels.columns) {
    if (elements % *pixels.columns == 0)
      return Plane{elements / *pixels.columns, *pixels.columns, 1};
    return uneven_rows(path, pixels, elements);
  }
  const Plane plane = plane_of_shape(pixels.shape, components);
  if (plane.rows != 0 && plane.rows * plane.columns * plane.numbers == elements) return plane;
  if (pixels.plane && (*pixels.plane)[0] != 0 && elements % (*pixels.plane)[0] == 0 &&
      elements / (*pixels.plane)[0] == (*pixels.plane)[1])
    return Plane{(*pixels.plane)[1], (*pixels.plane)[0], 1};
  return unwritable(
      path, fmt::format("nothing says how the {} elements of '{}' are rows", elements, pixels.name),
      fmt::format("write '{} cols N{}', with N elements in a row",
                  pixels.is_shown
                      ? fmt::format("--show \"{}", pixels.name)
                      : fmt::format("out {} = {}", pixels.name, path.substr(path.rfind('/') + 1)),
                  pixels.is_shown ? "\"" : ""));
}

Result<FileForm> file_form(const std::string& path) {
  const std::string extension = lower_extension(path);
  for (const FormRow& row : kForms)
    if (row.extension == extension) return row.form;
  const auto near = std::ranges::find_if(
      kForms, [&](const FormRow& row) { return nearly_equal(row.extension, extension); });
  const bool other = std::ranges::find(kOtherForms, extension) != kOtherForms.end();
  if (near == kForms.end() && !other) return FileForm::kRaw;
  std::string help =
      near == kForms.end() ? "" : fmt::format("did you mean '.{}'? ", near->extension);
  help += "'.npy', '.pgm', '.png' and '.pfm' are written in their form, '.bin' as raw bytes";
  return unwritable(path, fmt::format("'.{}' is no form that is known here", extension),
                    std::move(help));
}

Result<ImageLayout> image_layout(FileForm form, const std::string& path, const Pixels& pixels) {
  const bool is_vector =
      pixels.type.kind == TypeInfo::Kind::kVector && !pixels.type.elements.empty();
  const auto scalar = scalar_of(is_vector ? pixels.type.elements[0] : pixels.type);
  const auto misfit = [&](const std::string& found) {
    return unwritable(path,
                      fmt::format("it takes {}; '{}' has {}", what_fits(form), pixels.name, found),
                      "'as TYPE' takes the bytes for another type, as in 'as uchar4'; '.npy' and "
                      "'.bin' hold any");
  };
  if (!scalar) return misfit(text_of(pixels.type));
  if (!fits(form, *scalar, is_vector ? pixels.type.count : 1)) return misfit(text_of(pixels.type));
  const std::uint64_t components = stride_bytes(pixels.type) / size_bytes(*scalar);
  const auto plane = plane_of(path, pixels, components);
  if (!plane) return plane.errors();
  if (!fits(form, *scalar, plane->numbers))
    return misfit(fmt::format("{} of {} for a pixel", plane->numbers, text_of(pixels.type)));
  ImageLayout layout;
  layout.form = form;
  layout.rows = plane->rows;
  layout.columns = plane->columns;
  layout.scalar = *scalar;
  layout.channels = static_cast<unsigned>(is_vector ? pixels.type.count : plane->numbers);
  layout.pixel_bytes = stride_bytes(pixels.type) * plane->numbers;
  constexpr std::uint64_t kMost = 0x7fffffff;  // limit of the PNG format
  if (layout.rows > kMost || layout.columns > kMost)
    return unwritable(path, fmt::format("an image has at most {} rows and columns", kMost));
  return layout;
}

Result<std::vector<std::uint64_t>> shape_with_columns(const std::string& path,
                                                      const Pixels& pixels) {
  const std::uint64_t stride = stride_bytes(pixels.type);
  const std::uint64_t elements = pixels.size_bytes / stride;
  if (elements % *pixels.columns != 0) return uneven_rows(path, pixels, elements);
  std::vector<std::uint64_t> shape{elements / *pixels.columns, *pixels.columns};
  const bool is_vector =
      pixels.type.kind == TypeInfo::Kind::kVector && !pixels.type.elements.empty();
  const auto scalar = scalar_of(is_vector ? pixels.type.elements[0] : pixels.type);
  const std::uint64_t numbers = scalar ? stride / size_bytes(*scalar) : stride;
  if (numbers != 1) shape.push_back(numbers);
  return shape;
}

Result<std::vector<std::byte>> image_file(const ImageLayout& layout, const std::string& path,
                                          const Pixels& pixels, std::span<const std::byte> bytes,
                                          const StepLimit& limit) {
  if (layout.form == FileForm::kPfm) return pfm_file(layout, bytes, limit);
  auto samples = samples_of(layout, path, pixels, bytes, limit);
  if (!samples) return samples;
  const unsigned sample_bytes = layout.scalar == ScalarType::kUshort ? 2 : 1;
  if (layout.form == FileForm::kPng)
    return png_file(layout.columns, layout.rows, layout.channels, sample_bytes, *samples, limit);
  return with_header(
      fmt::format("P5\n{} {}\n{}\n", layout.columns, layout.rows, sample_bytes == 2 ? 65535 : 255),
      *samples);
}

}  // namespace transpire::launch
