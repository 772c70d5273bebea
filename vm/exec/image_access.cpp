#include "vm/exec/image_access.h"

#include "memory/null_descriptor.h"
#include "vm/exec/access.h"
#include "vm/exec/group.h"
#include "vm/exec/launch_notes.h"
#include "vm/exec/related.h"

namespace transpire::vm::exec {

const memory::Allocation* image_allocation(const memory::AddressMap& memory, std::uint64_t handle) {
  const memory::Allocation* allocation = memory::allocation_at(memory, handle);
  const bool is_image = allocation != nullptr && memory::image_of(*allocation) != nullptr &&
                        allocation->begin == handle;
  return is_image ? allocation : nullptr;
}

bool has_shape(const memory::Image& image, std::uint32_t dimensions, bool arrayed) {
  return memory::sampled_axes(image.dim) == dimensions && memory::is_array(image.dim) == arrayed;
}

bool has_shape(const memory::Image& image, const ImageOperation& operation) {
  return has_shape(image, operation.dimensions, operation.has_layers()) &&
         (!operation.is_cube || image.array_size() % 6 == 0);
}

bool has_kind(memory::ImageFormat format, const ImageOperation& operation) {
  using memory::TexelKind;
  using Sign = ImageOperation::Sign;
  const TexelKind kind = memory::texel_kind(format.type);
  if (!is_int(operation.kind)) return kind == TexelKind::kFloat;
  return kind != TexelKind::kFloat &&
         memory::is_wide(format.type) == (operation.kind == Kind::kI64) &&
         (operation.sign == Sign::kUnknown ||
          (operation.sign == Sign::kSigned) == (kind == TexelKind::kSigned));
}

bool fits(const memory::Sampler& sampler, const ImageOperation& operation) {
  if (!operation.float_coordinates) return memory::takes_integers(sampler);
  if (sampler.compares != operation.compares) return false;
  if (operation.is_cube && !sampler.normalized) return false;
  return memory::has_defined_addressing(sampler) &&
         (!is_int(operation.kind) || operation.gathers ||
          sampler.filter == memory::FilterMode::kNearest);
}

bool has_floats(memory::ImageFormat format) {
  const memory::ChannelKind kind = memory::row_of(format.type).kind;
  return kind == memory::ChannelKind::kHalf || kind == memory::ChannelKind::kFloat ||
         kind == memory::ChannelKind::kSmallFloat;
}

bool is_use_in_order(const Batch& batch, const memory::Allocation& image,
                     const ImageOperation& operation, std::uint64_t sampler) {
  if (batch.notes != nullptr && batch.notes->has_views()) return false;
  if (!operation.handles_two) return true;
  if (!memory::is_sampler(sampler)) return false;
  const memory::Sampler unpacked = memory::unpack_sampler(sampler);
  if (unpacked.filter == memory::FilterMode::kLinear && has_floats(image.image->format))
    return false;
  return batch.notes == nullptr || batch.notes->agrees(image.begin, unpacked.normalized);
}

ImageAccess::ImageAccess(const Inst* ip, std::byte* r, Batch* batch)
    : ip_(ip),
      r_(r),
      batch_(batch),
      operation_(ImageOperation::decode(ip->list->imm)),
      count_(batch->program->lanes),
      left_(running_lanes(*batch)) {}

bool ImageAccess::next() {
  std::uint32_t first = kMaxLanes;
  for (std::uint32_t w = count_ / 64; w-- > 0;)
    if (left_.words[w] != 0)
      first = w * 64 + static_cast<std::uint32_t>(__builtin_ctzll(left_.words[w]));
  if (first == kMaxLanes) return false;
  lanes_ = {};
  handle_ = operand<std::uint64_t>(0, first);
  sampler_word_ = operation_.handles_two ? operand<std::uint64_t>(1, first) : 0;
  const Lanes open = left_;
  for_each(open, count_, [&](std::uint32_t lane) {
    if (operand<std::uint64_t>(0, lane) != handle_) return;
    if (operation_.handles_two && operand<std::uint64_t>(1, lane) != sampler_word_) return;
    lanes_.add(lane);
    left_.remove(lane);
  });
  return true;
}

bool ImageAccess::permitted() {
  allocation_ = image_allocation(*batch_->memory, handle_);
  if (allocation_ == nullptr || !has_shape(image(), operation_)) return refuse(Rule::kR0076);
  if (operation_.handles_two && !memory::is_sampler(sampler_word_))
    return refuse(Rule::kR0076, memory::handle_in_sampler(sampler_word_));
  if (!allocation_->live) return refuse(Rule::kR0026);
  if (is_forbidden(*allocation_, operation_)) return refuse(Rule::kR0075);
  return true;
}

bool ImageAccess::is_permitted() {
  allocation_ = image_allocation(*batch_->memory, handle_);
  if (operation_.handles_two && !memory::is_sampler(sampler_word_)) return false;
  return allocation_ != nullptr && allocation_->live && !is_forbidden(*allocation_, operation_) &&
         has_shape(image(), operation_);
}

void ImageAccess::report(Rule rule, std::uint32_t lane) const {
  report_access(batch_, ip_, rule, lane, handle_, image().element_bytes);
}

bool ImageAccess::refuse(Rule rule, std::uint64_t address) const {
  each_lane([&](std::uint32_t lane) { report_access(batch_, ip_, rule, lane, address, 0); });
  return false;
}

void ImageAccess::check_use() const {
  LaunchNotes* const notes = batch_->notes;
  if (!operation_.checks_use || notes == nullptr) return;
  if (operation_.handles_two && !notes->agrees(handle_, sampler().normalized)) refuse(Rule::kR0079);
  if (notes->has_views() &&
      notes->mixes(image().texels, image().size_bytes, LaunchNotes::Way::kImage, operation_.writes))
    refuse(Rule::kR0035);
}

void ImageAccess::note_write(std::uint32_t lane, std::uint64_t offset) const {
  texel_writes_of(*batch_, lane).wrote(batch_, lane, handle_ + offset, ip_);
}

void ImageAccess::check_fence(std::uint32_t lane, std::uint64_t offset) const {
  if (const Inst* const by =
          texel_writes_of(*batch_, lane).unfenced(batch_, lane, handle_ + offset))
    report_with(batch_, ip_, Rule::kR0078, lane, {{}, {by_same_item(Relation::kTexelWritten, by)}},
                handle_, image().element_bytes);
}

void ImageAccess::announce(std::uint32_t lane, std::uint64_t offset, std::uint32_t bytes,
                           AccessKind kind) const {
  const HostPlace place{.base = image().texels + offset, .is_image = true};
  batch_->observer->access(*batch_, {ip_, lane, handle_ + offset, bytes, kind, place});
}

void ImageAccess::announce_row(const Lanes& lanes, const std::uint64_t* offsets,
                               std::uint32_t bytes) const {
  std::uint64_t addresses[kMaxLanes];
  bool has_some = false;
  for_each(lanes, count_, [&](std::uint32_t lane) {
    addresses[lane] = handle_ + offsets[lane];
    has_some = true;
  });
  if (!has_some) return;
  ObservedRow row;
  row.instruction = ip_;
  row.kind = operation_.writes ? AccessKind::kStore : AccessKind::kLoad;
  row.is_image = true;
  row.bytes = bytes;
  row.lanes = lanes.words;
  row.addresses = addresses;
  row.begin = handle_;
  row.host = image().texels;
  batch_->observer->row(*batch_, row);
}

}  // namespace transpire::vm::exec
