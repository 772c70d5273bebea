#include "memory/image_block.h"

#include <cstring>

#include "vm/exec/image.h"
#include "vm/exec/image_access.h"

namespace transpire::vm::exec {
namespace {

using memory::BlockSpan;

/// Whether block accesses of the image have a meaning; else it is reported.
bool has_small_texels(const ImageAccess& access) {
  return access.image().element_bytes <= memory::kMostBlockTexel || access.refuse(Rule::kR0077);
}

BlockSpan span_of(const ImageAccess& access, std::uint32_t lane) {
  std::int32_t at[3] = {};
  access.coordinates(lane, at);
  return {at[0], at[1], lane_bytes(access.operation().kind)};
}

/// What lies outside is defined for texels of four bytes alone.
void check_bounds(const ImageAccess& access, std::uint32_t lane, const BlockSpan& span) {
  if (access.image().element_bytes < memory::kMostBlockTexel && !holds(access.image(), span))
    access.report(Rule::kR0077, lane);
}

/// To an observer: the bytes that lie inside, which follow each other.
void tell_bytes(const ImageAccess& access, std::uint32_t lane, const BlockSpan& span,
                AccessKind kind) {
  if (!access.observed()) return;
  BlockSpan inside{span.x, span.y, 0};
  for (std::uint32_t k = 0; k < span.bytes; ++k) {
    if (!holds(access.image(), {span.x + k, span.y, 1})) continue;
    if (inside.bytes++ == 0) inside.x = span.x + k;
  }
  if (inside.bytes != 0)
    access.tell(lane, edge_byte(access.image(), inside.x, inside.y), inside.bytes, kind);
}

}  // namespace

void read_image_block(const Inst* ip, std::byte* r, Batch* batch) {
  ImageAccess access(ip, r, batch);
  std::uint64_t values[kMaxLanes] = {};
  while (access.next()) {
    if (!access.permitted() || !has_small_texels(access)) continue;
    access.each_lane([&](std::uint32_t lane) {
      const BlockSpan span = span_of(access, lane);
      check_bounds(access, lane, span);
      tell_bytes(access, lane, span, AccessKind::kLoad);
      values[lane] = read_block(access.image(), span);
    });
  }
  access.store(0, values);
}

void write_image_block(const Inst* ip, std::byte* r, Batch* batch) {
  ImageAccess access(ip, r, batch);
  while (access.next()) {
    if (!access.permitted() || !has_small_texels(access)) continue;
    access.each_lane([&](std::uint32_t lane) {
      const BlockSpan span = span_of(access, lane);
      check_bounds(access, lane, span);
      tell_bytes(access, lane, span, AccessKind::kStore);
      write_block(access.image(), span, access.bits(access.operation().first_component(), lane));
    });
  }
}

}  // namespace transpire::vm::exec
