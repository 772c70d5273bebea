// PNG files by libpng, which reports errors by longjmp: no object with a destructor lives where one passes.
#include <fmt/format.h>
#include <png.h>

#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "launch/pictures/picture.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

struct Reading {
  const std::byte* next;
  std::size_t left;
  std::uint64_t max_bytes;
  png_uint_32 columns = 0, rows = 0;
  unsigned channels = 0, sample_bytes = 0;
  std::uint16_t* integers = nullptr;  ///< the numbers of the picture
  png_bytep row = nullptr;            ///< memory of malloc()
  bool too_large = false;
  char error[128] = "there is no memory left";
};

[[noreturn]] void on_read_error(png_structp png, png_const_charp message) {
  Reading& job = *static_cast<Reading*>(png_get_error_ptr(png));
  std::strncpy(job.error, message, sizeof job.error - 1);
  png_longjmp(png, 1);
}

void on_read_warning(png_structp, png_const_charp) {}

void on_read(png_structp png, png_bytep data, std::size_t size) {
  Reading& job = *static_cast<Reading*>(png_get_io_ptr(png));
  if (size > job.left) png_error(png, "the file ends too early");
  std::memcpy(data, job.next, size);
  job.next += size;
  job.left -= size;
}

/// State of libpng for a file.
struct Png {
  png_structp png = nullptr;
  png_infop info = nullptr;

  explicit Png(Reading& job)
      : png(png_create_read_struct(PNG_LIBPNG_VER_STRING, &job, on_read_error, on_read_warning)),
        info(png == nullptr ? nullptr : png_create_info_struct(png)) {}
  Png(const Png&) = delete;
  Png& operator=(const Png&) = delete;
  ~Png() { png_destroy_read_struct(&png, &info, nullptr); }
};

/// Asks libpng for numbers of 8 bits, or of 16 in the host's byte order, with palettes resolved and a transparent colour as alpha.
void ask_for_numbers(png_structp png, png_infop info) {
  png_set_expand(png);
  if (png_get_bit_depth(png, info) == 16) png_set_swap(png);
  png_set_interlace_handling(png);
}

/// Numbers of a pixel after ask_for_numbers().
unsigned channels_of(png_structp png, png_infop info) {
  const png_byte type = png_get_color_type(png, info);
  const bool has_alpha =
      (type & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(png, info, PNG_INFO_tRNS) != 0;
  return ((type & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1) + (has_alpha ? 1 : 0);
}

/// Reads everything before the rows, for which libpng has no memory yet. False on an error, or if the rows are too large.
bool read_head(const Png& file, Reading* job) {
  if (setjmp(png_jmpbuf(file.png)) != 0) return false;
  png_set_user_limits(file.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // the format's own
  png_set_read_fn(file.png, job, on_read);
  png_read_info(file.png, file.info);
  job->columns = png_get_image_width(file.png, file.info);
  job->rows = png_get_image_height(file.png, file.info);
  job->channels = channels_of(file.png, file.info);
  job->sample_bytes = png_get_bit_depth(file.png, file.info) == 16 ? 2 : 1;
  const Checked numbers = number_count(job->columns, job->rows, job->channels);
  job->too_large = !(numbers * sizeof *job->integers).fits(job->max_bytes);
  return !job->too_large;
}

/// Takes the pixels of a row that a pass has: all of them, unless the file is interlaced.
void take_row(const Reading& job, png_uint_32 y, bool interlaced, int pass) {
  const std::size_t row_numbers = std::size_t{job.columns} * job.channels;
  for (png_uint_32 x = 0; x < job.columns; ++x) {
    if (interlaced && !PNG_COL_IN_INTERLACE_PASS(x, pass)) continue;
    for (std::size_t i = std::size_t{x} * job.channels; i < (x + std::size_t{1}) * job.channels;
         ++i) {
      std::uint16_t& number = job.integers[y * row_numbers + i];
      if (job.sample_bytes == 1)
        number = job.row[i];
      else
        std::memcpy(&number, job.row + 2 * i, sizeof number);
    }
  }
}

/// Reads the rows one by one, so that the file's samples are never in memory together with all numbers. False on an error.
bool read_rows(const Png& file, Reading* job) {
  if (setjmp(png_jmpbuf(file.png)) != 0) return false;
  ask_for_numbers(file.png, file.info);
  png_read_update_info(file.png, file.info);
  job->row = static_cast<png_bytep>(std::malloc(png_get_rowbytes(file.png, file.info)));
  if (job->row == nullptr) return false;
  const bool interlaced = png_get_interlace_type(file.png, file.info) == PNG_INTERLACE_ADAM7;
  for (int pass = 0; pass < (interlaced ? PNG_INTERLACE_ADAM7_PASSES : 1); ++pass)
    for (png_uint_32 y = 0; y < job->rows; ++y) {
      png_read_row(file.png, job->row, nullptr);
      if (!interlaced || PNG_ROW_IN_INTERLACE_PASS(y, pass)) take_row(*job, y, interlaced, pass);
    }
  png_read_end(file.png, nullptr);
  return true;
}

}  // namespace

Result<Picture> read_png(const std::string& path, std::span<const std::byte> file,
                         std::uint64_t max_bytes) {
  Reading job{file.data(), file.size(), max_bytes};
  const Png png(job);
  Picture picture;
  bool done = png.info != nullptr && read_head(png, &job);
  if (job.too_large) return too_many_pixels(path, job.columns, job.rows, max_bytes);
  if (done) {
    picture = {job.columns, job.rows, job.channels, job.sample_bytes == 2 ? 65535u : 255u};
    picture.integers.resize(number_count(job.columns, job.rows, job.channels).value());
    job.integers = picture.integers.data();
    done = read_rows(png, &job);
  }
  const std::unique_ptr<void, decltype(&std::free)> row(job.row, &std::free);
  if (!done)
    return command_error(kFileUnreadable, fmt::format("cannot read '{}': {}", path, job.error));
  return picture;
}

}  // namespace transpire::launch
