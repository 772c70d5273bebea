// Legal results for elements of a buffer: see launch/runner/element_view.h.
#include "launch/runner/element_view.h"

#include <fmt/format.h>

namespace transpire::launch {

RangeAt ranges_of(const ElementView& view, const ResultLog& log) {
  if (view.buffer->image || view.buffer->pipe)
    return [what = view.buffer->image ? "images" : "pipes"](std::uint64_t, FloatType, Profile) {
      LegalRange range;
      range.kind = LegalRange::Kind::kOpen;
      range.operation = fmt::format("launches do not note what they write to {}", what);
      return range;
    };
  const Buffer memory = view.buffer->memory;
  const auto start = static_cast<std::uint64_t>(view.bytes.data() - memory.bytes().data());
  return [log, memory, start](std::uint64_t offset_bytes, FloatType type, Profile profile) {
    return log.range(memory, start + offset_bytes, type, profile);
  };
}

}  // namespace transpire::launch
