// Writes the output files of a run: see launch/runner/output_files.h.
#include "launch/runner/output_files.h"

#include <fmt/format.h>

#include "base/checked.h"
#include "launch/report/diagnose.h"
#include "launch/runner/npy.h"

namespace transpire::launch {

void OutputFiles::set_geometry(const Geometry& geometry) {
  plane_.reset();
  if (geometry.dimensions == 2) plane_ = {geometry.global_size[0], geometry.global_size[1]};
}

/// The whole buffer. Fails if its size is not a multiple of the element's.
Result<ElementView> OutputFiles::view_of(const OutputStep& output) const {
  auto all = buffers_.view({output.buffer, true, 0, {}}, output.type);
  if (!all) return all;
  const std::uint64_t size = all->buffer->memory.bytes().size();
  if (all->bytes.size() == size) return all;
  return command_error(
      kFileUnwritable,
      fmt::format("cannot write '{}': the {} bytes of '{}' are no whole number of {}, of {} each",
                  output.file, size, all->name, text_of(all->type), stride_bytes(all->type)),
      "'as TYPE' takes the bytes for another type, as in 'as uchar'");
}

Pixels OutputFiles::pixels_of(const OutputStep& output, const ElementView& view) const {
  Pixels pixels{view.name, view.type, view.bytes.size()};
  // The shape is for the buffer's own type only.
  if (!output.type) pixels.shape = view.buffer->shape;
  pixels.columns = output.columns;
  pixels.plane = plane_;
  pixels.is_shown = output.is_shown;
  return pixels;
}

/// Writes a file. Raw and .npy files get the buffer's bytes without a copy.
Status OutputFiles::write_form(const OutputStep& output, FileForm form, const ElementView& view) {
  if (form == FileForm::kRaw) return write_bytes(output, {}, view.bytes);
  const Pixels pixels = pixels_of(output, view);
  if (form == FileForm::kNpy) {
    std::vector<std::uint64_t> shape = pixels.shape;
    if (output.columns) {
      TRANSPIRE_TRY(shape, shape_with_columns(output.file, pixels));
    }
    const std::string head = npy_header(view.type, view.bytes.size(), shape);
    return write_bytes(output, std::as_bytes(std::span(head)), view.bytes);
  }
  const auto layout = image_layout(form, output.file, pixels);
  if (!layout) return layout.errors();
  const auto file = image_file(*layout, output.file, pixels, view.bytes, limit_);
  if (!file) return file.errors();
  return write_bytes(output, *file, {});
}

/// Writes a file. The report keeps bytes for standard output until the end.
Status OutputFiles::write_bytes(const OutputStep& output, std::span<const std::byte> head,
                                std::span<const std::byte> bytes) {
  if (output.file != "-") return write_file(output.file, head, limit_, bytes);
  std::vector<std::byte>& kept =
      report_.standard_output ? *report_.standard_output : report_.standard_output.emplace();
  if (!(Checked(kept.size()) + head.size() + bytes.size()).fits(buffers_.bytes_left()))
    return command_error(kMemoryLimit,
                         fmt::format("what '{}' holds is kept until the end for standard output, "
                                     "and needs more than the limit of {} bytes",
                                     output.buffer, buffers_.max_bytes()));
  for (const std::span<const std::byte> part : {head, bytes})
    kept.insert(kept.end(), part.begin(), part.end());
  return Unit{};
}

Result<Raster> OutputFiles::raster_of_output(const OutputStep& output,
                                             const ElementView& view) const {
  const auto& image = view.buffer->image;
  if (image && !output.type && !output.columns) return raster_of(Texels(*image));
  return raster_of(output.file, pixels_of(output, view));
}

Status OutputFiles::show(const OutputStep& output, const ElementView& view) {
  const auto raster = raster_of_output(output, view);
  if (!raster) return raster.errors();
  const ShownRange range = range_of(*raster, view.bytes, limit_);
  const auto file = picture_of(*raster, range, view.bytes, limit_);
  if (!file) return file.errors();
  if (Status written = write_file(output.file, *file, limit_); !written) return written;
  report_.shown.push_back({view.name, output.file, text_of(range, *raster)});
  return Unit{};
}

Status OutputFiles::check(const OutputStep& output) const {
  const auto form = file_form(output.file);
  const BoundBufferPointer buffer = buffers_.find(output.buffer);
  if (!form || !buffer || buffer->pipe) return Unit{};
  const auto view = view_of(output);
  if (!view) return view.errors();
  const Pixels pixels = pixels_of(output, *view);
  const auto status_of = [](const auto& result) -> Status {
    if (!result) return result.errors();
    return Unit{};
  };
  if (output.is_shown) return status_of(raster_of_output(output, *view));
  if (*form == FileForm::kNpy && output.columns)
    return status_of(shape_with_columns(output.file, pixels));
  if (*form == FileForm::kNpy || *form == FileForm::kRaw) return Unit{};
  return status_of(image_layout(*form, output.file, pixels));
}

Status OutputFiles::write(const OutputStep& output) {
  const auto view = view_of(output);
  if (!view) return view.errors();
  if (output.is_shown) return show(output, *view);
  const auto form = file_form(output.file);
  return form ? write_form(output, *form, *view) : Status(form.errors());
}

}  // namespace transpire::launch
