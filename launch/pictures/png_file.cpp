// PNG files by libpng, which reports errors by longjmp: no object with a destructor lives where one passes.
#include <fmt/format.h>
#include <png.h>

#include <csetjmp>
#include <exception>

#include "launch/pictures/image.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

struct PngJob {
  png_uint_32 columns, rows;
  int colour_type, bit_depth;
  std::size_t row_bytes;
  const std::byte* samples;
  std::vector<std::byte>* file;
  char error[128];
  const StepLimit* limit = nullptr;
  WorkLimit::End end = WorkLimit::End::kNone;  ///< the reason why writing ended early
};

PngJob& job_of(png_structp png) { return *static_cast<PngJob*>(png_get_error_ptr(png)); }

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  PngJob& job = job_of(png);
  std::size_t i = 0;
  for (; message[i] != '\0' && i + 1 < sizeof job.error; ++i) job.error[i] = message[i];
  job.error[i] = '\0';
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

bool append(std::vector<std::byte>& file, png_const_bytep data, std::size_t size) {
  try {
    const auto* const bytes = reinterpret_cast<const std::byte*>(data);
    file.insert(file.end(), bytes, bytes + size);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

void on_write(png_structp png, png_bytep data, std::size_t size) {
  auto* const job = static_cast<PngJob*>(png_get_io_ptr(png));
  if (!append(*job->file, data, size)) png_error(png, "there is no memory left");
}

void on_flush(png_structp) {}

/// Writes the file. False on an error.
bool write(png_structp png, png_infop info, PngJob* job) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_set_write_fn(png, job, on_write, on_flush);
  png_set_IHDR(png, info, job->columns, job->rows, job->bit_depth, job->colour_type,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  for (png_uint_32 row = 0; row < job->rows; ++row) {
    png_write_row(png, reinterpret_cast<png_const_bytep>(job->samples + row * job->row_bytes));
    job->end = job->limit->end();
    if (job->end != WorkLimit::End::kNone) return false;
  }
  png_write_end(png, info);
  return true;
}

}  // namespace

Result<std::vector<std::byte>> png_file(std::uint64_t columns, std::uint64_t rows,
                                        unsigned channels, unsigned sample_bytes,
                                        std::span<const std::byte> samples,
                                        const StepLimit& limit) {
  constexpr int kColourTypes[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                                  PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
  std::vector<std::byte> file;
  PngJob job{static_cast<png_uint_32>(columns),
             static_cast<png_uint_32>(rows),
             kColourTypes[channels - 1],
             static_cast<int>(8 * sample_bytes),
             columns * channels * sample_bytes,
             samples.data(),
             &file,
             "there is no memory left",
             &limit};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &job, on_error, on_warning);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  const bool written = info != nullptr && write(png, info, &job);
  png_destroy_write_struct(&png, &info);
  if (written) return file;
  if (job.end != WorkLimit::End::kNone) throw LimitReached{job.end};
  return command_error(kFileUnwritable, fmt::format("no PNG file can be made: {}", job.error));
}

}  // namespace transpire::launch
