#include "memory/image_block.h"

#include <cstring>

#include "vm/exec/image.h"
#include "vm/exec/image_access.h"

namespace transpire::vm::exec {
namespace {

using memory::BlockSpan;

/// True if block accesses of the image have a meaning; otherwise reports it.
bool has_small_texels(const ImageAccess& access) {
  return access.image().element_bytes <= memory::kMostBlockTexel || access.refuse(Rule::kR0077);
}

BlockSpan span_of(const ImageAccess& access, std::uint32_t lane) {
  std::int32_t at[3] = {};
  access.coordinates(lane, at);
  return {at[0], at[1], lane_bytes(access.operation().kind)};
}

/// Accesses outside are defined only for texels of four bytes.
void check_bounds(const ImageAccess& access, std::uint32_t lane, const BlockSpan& span) {
  if (access.image().element_bytes < memory::kMostBlockTexel && !holds(access.image(), span))
    access.report(Rule::kR0077, lane);
}

/// The contiguous part of the bytes that lies inside.
BlockSpan inside_of(const memory::Image& image, const BlockSpan& span) {
  BlockSpan inside{span.x, span.y, 0};
  for (std::uint32_t k = 0; k < span.bytes; ++k) {
    if (!holds(image, {span.x + k, span.y, 1})) continue;
    if (inside.bytes++ == 0) inside.x = span.x + k;
  }
  return inside;
}

/// Passes the observer the bytes that lie inside.
void announce_bytes(const ImageAccess& access, std::uint32_t lane, const BlockSpan& span,
                    AccessKind kind) {
  if (!access.observed()) return;
  const BlockSpan inside = inside_of(access.image(), span);
  if (inside.bytes != 0)
    access.announce(lane, edge_byte(access.image(), inside.x, inside.y), inside.bytes, kind);
}

}  // namespace

/// Lanes with equally many bytes inside make one row.
void announce_image_block(const Inst* ip, std::byte* r, Batch* batch) {
  if (batch->observer == nullptr) return;
  ImageAccess access(ip, r, batch);
  const auto bytes = static_cast<std::uint32_t>(lane_bytes(access.operation().kind));
  while (access.next()) {
    if (!access.is_permitted() || access.image().element_bytes > memory::kMostBlockTexel) continue;
    Lanes inside[sizeof(std::uint64_t) + 1];
    std::uint64_t offsets[kMaxLanes];
    access.each_lane([&](std::uint32_t lane) {
      const BlockSpan span = inside_of(access.image(), span_of(access, lane));
      inside[span.bytes].add(lane);
      offsets[lane] = edge_byte(access.image(), span.x, span.y);
    });
    for (std::uint32_t some = 1; some <= bytes; ++some)
      access.announce_row(inside[some], offsets, some);
  }
}

void stored_block(const Batch& batch, const ObservedRow& row, std::uint32_t lane, std::byte* out) {
  const ImageOperation operation = ImageOperation::decode(row.instruction->list->imm);
  const std::size_t bytes = lane_bytes(operation.kind);
  const std::uint32_t* const offsets = row.instruction->list->offsets;
  std::int32_t x = 0;
  std::memcpy(&x, batch.registers + offsets[operation.handles()] + lane * sizeof x, sizeof x);
  // A block that begins in front of the image: those bytes are not stored.
  const std::size_t skipped = x < 0 ? static_cast<std::size_t>(-std::int64_t{x}) : 0;
  std::memcpy(out, batch.registers + offsets[operation.first_component()] + lane * bytes + skipped,
              row.bytes);
}

void read_image_block(const Inst* ip, std::byte* r, Batch* batch) {
  ImageAccess access(ip, r, batch);
  std::uint64_t values[kMaxLanes] = {};
  while (access.next()) {
    if (!access.permitted() || !has_small_texels(access)) continue;
    access.each_lane([&](std::uint32_t lane) {
      const BlockSpan span = span_of(access, lane);
      check_bounds(access, lane, span);
      announce_bytes(access, lane, span, AccessKind::kLoad);
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
      announce_bytes(access, lane, span, AccessKind::kStore);
      write_block(access.image(), span, access.bits(access.operation().first_component(), lane));
    });
  }
}

}  // namespace transpire::vm::exec
