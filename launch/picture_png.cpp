// PNG files by libpng, which reports errors by longjmp: no object with a destructor lives where one passes.
#include <fmt/format.h>
#include <png.h>

#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "launch/diagnose.h"
#include "launch/picture.h"

namespace transpire::launch {
namespace {

struct Reading {
  const std::byte* next;
  std::size_t left;
  std::uint64_t max_bytes;
  png_uint_32 columns = 0, rows = 0;
  unsigned channels = 0, sample_bytes = 0;
  png_bytep samples = nullptr;  ///< of malloc()
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

/// Palettes become colours, fewer than 8 bits become 8, and a colour that is transparent an alpha. 16 bits come in the host's order.
void ask_for_numbers(png_structp png, png_infop info) {
  png_set_expand(png);
  if (png_get_bit_depth(png, info) == 16) png_set_swap(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
}

/// Whether it was read.
bool read_rows(png_structp png, png_infop info, Reading* job) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_set_read_fn(png, job, on_read);
  png_read_info(png, info);
  ask_for_numbers(png, info);
  job->columns = png_get_image_width(png, info);
  job->rows = png_get_image_height(png, info);
  job->channels = png_get_channels(png, info);
  job->sample_bytes = png_get_bit_depth(png, info) / 8u;
  const std::size_t row_bytes = png_get_rowbytes(png, info);
  job->too_large = row_bytes > job->max_bytes / job->rows;
  if (job->too_large) return false;
  job->samples = static_cast<png_bytep>(std::malloc(row_bytes * job->rows));
  if (job->samples == nullptr) return false;
  for (int pass = png_get_interlace_type(png, info) == PNG_INTERLACE_ADAM7 ? 7 : 1; pass > 0;
       --pass)
    for (png_uint_32 row = 0; row < job->rows; ++row)
      png_read_row(png, job->samples + row * row_bytes, nullptr);
  png_read_end(png, nullptr);
  return true;
}

}  // namespace

Result<Picture> read_png(const std::string& path, std::span<const std::byte> file,
                         std::uint64_t max_bytes) {
  Reading job{file.data(), file.size(), max_bytes};
  png_structp png =
      png_create_read_struct(PNG_LIBPNG_VER_STRING, &job, on_read_error, on_read_warning);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  const bool done = info != nullptr && read_rows(png, info, &job);
  png_destroy_read_struct(&png, &info, nullptr);
  const std::unique_ptr<void, decltype(&std::free)> samples(job.samples, &std::free);
  if (job.too_large)
    return command_error(
        kMemoryLimit, fmt::format("'{}' has {} x {} pixels, more bytes than the limit of {}", path,
                                  job.columns, job.rows, max_bytes));
  if (!done)
    return command_error(kFileUnreadable, fmt::format("cannot read '{}': {}", path, job.error));
  Picture picture{job.columns, job.rows, job.channels, job.sample_bytes == 2 ? 65535u : 255u};
  picture.integers.resize(picture.columns * picture.rows * picture.channels);
  for (std::size_t i = 0; i < picture.integers.size(); ++i)
    if (job.sample_bytes == 1)
      picture.integers[i] = job.samples[i];
    else
      std::memcpy(&picture.integers[i], job.samples + 2 * i, 2);
  return picture;
}

}  // namespace transpire::launch
