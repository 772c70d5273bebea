// Writes pictures of differences: see launch/runner/difference_pictures.h.
#include "launch/runner/difference_pictures.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "launch/pictures/raster.h"
#include "launch/report/diagnose.h"
#include "launch/report/text.h"

namespace transpire::launch {

Status DifferencePictures::check_folder(const std::string& folder) {
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

Status DifferencePictures::write(const ElementView& view, std::span<const std::byte> expected,
                                 const StepLimit& limit, FailedExpectation& failure) {
  if (!view.buffer->image) return Unit{};
  const std::span<const std::byte> found = view.buffer->memory.bytes();
  // Outside the slice, the expected picture has the found texels.
  std::vector<std::byte> wanted(found.begin(), found.end());
  std::ranges::copy(expected, wanted.begin() + (view.bytes.data() - found.data()));
  const Raster raster = raster_of(Texels(*view.buffer->image));
  ShownRange range = range_of(raster, found, limit);
  range.add(range_of(raster, wanted, limit));
  const unsigned number = ++pictured_[view.name];
  const std::string start = fmt::format("{}/{}{}", folder_, as_file_name(view.name),
                                        number == 1 ? std::string() : fmt::format("-{}", number));
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  const auto write = [&](std::string_view what,
                         const Result<std::vector<std::byte>>& file) -> Status {
    if (!file) return file.errors();
    failure.pictures.push_back(fmt::format("{}.{}.png", start, what));
    return write_file(failure.pictures.back(), *file, limit);
  };
  if (Status done = write("got", picture_of(raster, range, found, limit)); !done) return done;
  if (Status done = write("expected", picture_of(raster, range, wanted, limit)); !done) return done;
  if (Status done = write("difference", difference_picture(raster, wanted, found, limit)); !done)
    return done;
  failure.diagnostic.notes.push_back(
      fmt::format("pictures: {}", fmt::join(failure.pictures, ", ")));
  return Unit{};
}

}  // namespace transpire::launch
