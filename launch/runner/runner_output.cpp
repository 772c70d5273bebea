// Writes the output files of a run: see launch/runner/runner.h.
#include <fmt/format.h>

#include <algorithm>

#include "base/checked.h"
#include "launch/language/parameters.h"
#include "launch/pictures/image.h"
#include "launch/report/diagnose.h"
#include "launch/runner/npy.h"
#include "launch/runner/runner.h"

namespace transpire::launch {

/// The whole buffer. Fails if its size is not a multiple of the element's.
Result<ElementView> Runner::output_view(const OutputStep& output) const {
  auto all = buffers_->view({output.buffer, true, 0, {}}, output.type);
  if (!all) return all;
  const std::uint64_t size = buffers_->find(output.buffer)->memory.bytes().size();
  if (all->bytes.size() == size) return all;
  return command_error(
      kFileUnwritable,
      fmt::format("cannot write '{}': the {} bytes of '{}' are no whole number of {}, of {} each",
                  output.file, size, all->name, spelled(all->type), stride_bytes(all->type)),
      "'as TYPE' takes the bytes for another type, as in 'as uchar'");
}

Pixels Runner::pixels_of(const OutputStep& output, const ElementView& view) const {
  Pixels pixels{view.name, view.type, view.bytes.size()};
  // The shape is for the buffer's own type only.
  const BoundBufferPointer buffer = buffers_->find(output.buffer);
  if (!output.type) pixels.shape = buffer->shape;
  pixels.columns = output.columns;
  pixels.plane = plane_;
  pixels.is_shown = output.is_shown;
  return pixels;
}

/// Writes a file. Raw and .npy files get the buffer's bytes without a copy.
Status Runner::write(const OutputStep& output, FileForm form, const ElementView& view) {
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
  const auto file = image_file(*layout, output.file, pixels, view.bytes, clock_.limit());
  if (!file) return file.errors();
  return write_bytes(output, *file, {});
}

/// Writes a file. The report keeps bytes for standard output until the end.
Status Runner::write_bytes(const OutputStep& output, std::span<const std::byte> head,
                           std::span<const std::byte> bytes) {
  if (output.file != "-") return write_file(output.file, head, clock_.limit(), bytes);
  std::vector<std::byte>& kept =
      report_.standard_output ? *report_.standard_output : report_.standard_output.emplace();
  if (!(Checked(kept.size()) + head.size() + bytes.size()).fits(buffers_->bytes_left()))
    return command_error(kMemoryLimit,
                         fmt::format("what '{}' holds is kept until the end for standard output, "
                                     "and needs more than the limit of {} bytes",
                                     output.buffer, max_bytes_));
  for (const std::span<const std::byte> part : {head, bytes})
    kept.insert(kept.end(), part.begin(), part.end());
  return Unit{};
}

/// Checks that elements fit the files of the outputs behind a launch. Swapped buffers are checked only when they are written.
Status Runner::check_outputs(const LaunchStep& launch) const {
  const auto is_swapped = [&](const std::string& name) {
    return std::ranges::any_of(launch.swaps, [&](const auto& swap) {
      const auto first = find_parameter(*kernel_, swap.first);
      const auto second = find_parameter(*kernel_, swap.second);
      const auto mine = find_parameter(*kernel_, name);
      return mine && ((first && *first == *mine) || (second && *second == *mine));
    });
  };
  for (std::size_t i = steps_begun_; i < plan_.steps.size(); ++i) {
    if (std::holds_alternative<LaunchStep>(plan_.steps[i])) break;
    const auto* const output = std::get_if<OutputStep>(&plan_.steps[i]);
    if (output == nullptr || is_swapped(output->buffer)) continue;
    const auto form = file_form(output->file);
    const BoundBufferPointer buffer = buffers_->find(output->buffer);
    // Errors of names, and of packets that do not exist yet, are reported when the file is written.
    if (!form || !buffer || buffer->pipe) continue;
    const auto view = output_view(*output);
    if (!view) return located(view.errors(), output->where);
    const Pixels pixels = pixels_of(*output, *view);
    Status fits = Unit{};
    if (output->is_shown) {
      if (const auto raster = raster_of_output(*output, *view); !raster) fits = raster.errors();
    } else if (*form == FileForm::kNpy && output->columns) {
      if (const auto shape = shape_with_columns(output->file, pixels); !shape)
        fits = shape.errors();
    } else if (*form != FileForm::kNpy && *form != FileForm::kRaw) {
      if (const auto layout = image_layout(*form, output->file, pixels); !layout)
        fits = layout.errors();
    }
    if (!fits) return located(fits.errors(), output->where);
  }
  return Unit{};
}

Status Runner::step(const OutputStep& output) {
  if (was_left_out(output.buffer)) return Unit{};
  const auto view = output_view(output);
  if (!view) return located(view.errors(), output.where);
  Status done = Unit{};
  if (output.is_shown) {
    done = show(output, *view);
  } else {
    const auto form = file_form(output.file);
    done = form ? write(output, *form, *view) : Status(form.errors());
  }
  if (!done) return located(done.errors(), output.where);
  return done;
}

}  // namespace transpire::launch
