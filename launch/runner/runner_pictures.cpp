// Writes pictures for people: of shown buffers, and of images that differ from expected ones. See launch/runner/runner.h.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "launch/report/diagnose.h"
#include "launch/report/text.h"
#include "launch/runner/runner.h"

namespace transpire::launch {

Result<Raster> Runner::raster_of_output(const OutputStep& output, const ElementView& view) const {
  const BoundBufferPointer buffer = buffers_->find(output.buffer);
  if (buffer->image && !output.type && !output.columns) return raster_of(Texels(*buffer->image));
  return raster_of(output.file, pixels_of(output, view));
}

Status Runner::show(const OutputStep& output, const ElementView& view) {
  const auto raster = raster_of_output(output, view);
  if (!raster) return raster.errors();
  const ShownRange range = range_of(*raster, view.bytes, clock_.limit());
  const auto file = picture_of(*raster, range, view.bytes, clock_.limit());
  if (!file) return file.errors();
  if (Status written = write_file(output.file, *file, clock_.limit()); !written) return written;
  report_.shown.push_back({view.name, output.file, spelled(range, *raster)});
  return Unit{};
}

Status check_folder(const std::string& folder) {
  std::error_code ignored;
  std::filesystem::path there = folder;
  while (!there.empty() && !std::filesystem::exists(there, ignored)) {
    const std::filesystem::path above = there.parent_path();
    if (above == there) break;
    there = above;
  }
  if (there.empty()) there = ".";
  const auto refused = [&](std::string_view why) {
    return command_error(kFileUnwritable,
                         fmt::format("cannot write pictures into '{}': {}", folder, why),
                         "'--difference' takes a folder, which is made where it is not there");
  };
  if (!std::filesystem::is_directory(there, ignored))
    return refused(fmt::format("'{}' is no folder", there.string()));
  if (access(there.c_str(), W_OK | X_OK) != 0) return refused(std::strerror(errno));
  return Unit{};
}

/// Writes pictures of an image that differs from the expected one: found, expected and difference.
Status Runner::picture_difference(const ExpectBufferStep& expect, const ElementView& view,
                                  FailedExpectation& failure) {
  const std::string& folder = overrides_.difference_folder;
  const BoundBufferPointer buffer = view.buffer;
  if (folder.empty() || failure.different == 0 || !buffer->image) return Unit{};
  const std::span<const std::byte> found = buffer->memory.bytes();
  // Outside the slice, the expected picture has the found texels.
  std::vector<std::byte> wanted(found.begin(), found.end());
  const auto expected =
      evaluate(expect.value, {&view.type, view.asked, max_bytes_, clock_.limit()});
  if (!expected) return expected.errors();
  std::ranges::copy(expected->bytes, wanted.begin() + (view.bytes.data() - found.data()));
  const Raster raster = raster_of(Texels(*buffer->image));
  ShownRange range = range_of(raster, found, clock_.limit());
  range.add(range_of(raster, wanted, clock_.limit()));
  const unsigned number = ++pictured_[view.name];
  const std::string start = fmt::format("{}/{}{}", folder, as_file_name(view.name),
                                        number == 1 ? std::string() : fmt::format("-{}", number));
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const auto write = [&](std::string_view what,
                         const Result<std::vector<std::byte>>& file) -> Status {
    if (!file) return file.errors();
    failure.pictures.push_back(fmt::format("{}.{}.png", start, what));
    return write_file(failure.pictures.back(), *file, clock_.limit());
  };
  if (Status done = write("got", picture_of(raster, range, found, clock_.limit())); !done)
    return done;
  if (Status done = write("expected", picture_of(raster, range, wanted, clock_.limit())); !done)
    return done;
  if (Status done = write("difference", difference_picture(raster, wanted, found, clock_.limit()));
      !done)
    return done;
  failure.diagnostic.notes.push_back(
      fmt::format("pictures: {}", fmt::join(failure.pictures, ", ")));
  return Unit{};
}

}  // namespace transpire::launch
