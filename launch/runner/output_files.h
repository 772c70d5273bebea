// OutputFiles: writes buffers to files as a plan's outputs say: bytes, arrays, images, and pictures for people.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "launch/pictures/image.h"
#include "launch/pictures/raster.h"
#include "launch/runner/plan_buffers.h"

namespace transpire::launch {

class OutputFiles {
 public:
  /// Keeps all references. The report keeps the bytes for standard output, and the names of pictures.
  OutputFiles(const PlanBuffers& buffers, const StepLimit& limit, RunReport& report)
      : buffers_(buffers), limit_(limit), report_(report) {}

  /// A launch of this geometry comes next. If it has two dimensions, they are the default shape of pictures.
  void set_geometry(const Geometry& geometry);
  /// Checks that the elements fit the file. Accepts unknown names, and packets that do not exist yet: write()
  /// reports them. Fails with C0024.
  Status check(const OutputStep& output) const;
  /// Writes the file. Fails with C0024, C0026, L0002, L0004 and L0008; throws LimitReached.
  Status write(const OutputStep& output);

 private:
  Result<ElementView> view_of(const OutputStep& output) const;
  Pixels pixels_of(const OutputStep& output, const ElementView& view) const;
  Result<Raster> raster_of_output(const OutputStep& output, const ElementView& view) const;
  Status write_form(const OutputStep& output, FileForm form, const ElementView& view);
  Status write_bytes(const OutputStep& output, std::span<const std::byte> head,
                     std::span<const std::byte> bytes);
  Status show(const OutputStep& output, const ElementView& view);

  const PlanBuffers& buffers_;
  const StepLimit& limit_;
  RunReport& report_;
  std::optional<std::array<std::uint64_t, 2>> plane_;  ///< columns and rows of the last launch
};

}  // namespace transpire::launch
