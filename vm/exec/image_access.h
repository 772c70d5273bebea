// An image instruction with its lanes grouped by their handles, for image accesses of all kinds.
#pragma once

#include <cstdint>
#include <cstring>

#include "base/rule.h"
#include "memory/address_space.h"
#include "memory/image.h"
#include "memory/sampler.h"
#include "vm/exec/engine.h"
#include "vm/observe/observer.h"
#include "vm/program/immediates.h"
#include "vm/program/program.h"

namespace transpire::vm::exec {

/// Lanes, a bit each.
struct Lanes {
  std::uint64_t words[kMaxMaskWords] = {};

  void add(std::uint32_t lane) { words[lane / 64] |= std::uint64_t{1} << lane % 64; }
  void remove(std::uint32_t lane) { words[lane / 64] &= ~(std::uint64_t{1} << lane % 64); }
};

/// Calls f(lane) for each of the first `count` lanes that is in the set.
template <class F>
void for_each(const Lanes& lanes, std::uint32_t count, F f) {
  for (std::uint32_t w = 0; w < count / 64; ++w)
    for (std::uint64_t left = lanes.words[w]; left != 0; left &= left - 1)
      f(w * 64 + static_cast<std::uint32_t>(__builtin_ctzll(left)));
}

/// The running lanes of a batch.
inline Lanes running_lanes(const Batch& batch) {
  Lanes lanes;
  std::memcpy(lanes.words, batch.mask, sizeof lanes.words);
  return lanes;
}

/// The allocation whose image a handle is; null where it is none.
const memory::Allocation* image_allocation(const memory::AddressMap& memory, std::uint64_t handle);

bool has_shape(const memory::Image& image, std::uint32_t dimensions, bool arrayed);
bool has_shape(const memory::Image& image, const ImageOperation& operation);
/// True if texels of the format have the kind that the instruction reads or writes.
bool has_kind(memory::ImageFormat format, const ImageOperation& operation);
/// True if channels of the format may be infinities and NaNs.
bool has_floats(memory::ImageFormat format);
/// For lanes with one image and one sampler, with --check=ub: true if no lane needs a check by
/// itself.
bool is_use_in_order(const Batch& batch, const memory::Allocation& image,
                     const ImageOperation& operation, std::uint64_t sampler);
/// True if the sampler has a meaning for the instruction's coordinates and texels.
bool fits(const memory::Sampler& sampler, const ImageOperation& operation);
/// True if the host forbids the access.
inline bool is_forbidden(const memory::Allocation& image, const ImageOperation& operation) {
  return operation.writes || operation.is_atomic ? image.read_only : image.write_only;
}

/// An instruction of an image, and lanes that have the same handles.
class ImageAccess {
 public:
  ImageAccess(const Inst* ip, std::byte* r, Batch* batch);

  const ImageOperation& operation() const { return operation_; }
  const memory::Image& image() const { return *allocation_->image; }
  bool exact() const { return batch_->program->reference_math; }
  bool observed() const { return batch_->program->observed && batch_->observer != nullptr; }

  /// Takes the lanes that share the first one's handles, until none are left.
  bool next();

  /// The virtual address of a byte of the image.
  std::uint64_t address(std::uint64_t offset) const { return handle_ + offset; }

  /// True if these lanes may use the image; otherwise reports it.
  bool permitted();

  /// As permitted(), without a report.
  bool is_permitted();

  memory::Sampler sampler() const { return memory::unpack_sampler(sampler_word_); }

  template <class F>
  void each_lane(F f) const {
    for_each(lanes_, count_, f);
  }

  void report(Rule rule, std::uint32_t lane) const;
  /// Reports all these lanes; returns false.
  bool refuse(Rule rule) const { return refuse(rule, handle_); }

  /// Calls the observer: a lane accesses a texel inside the level, or `bytes` of a row of texels.
  void announce(std::uint32_t lane, std::uint64_t offset, std::uint32_t bytes,
                AccessKind kind) const;
  void announce(std::uint32_t lane, std::uint64_t offset, AccessKind kind) const {
    announce(lane, offset, image().element_bytes, kind);
  }

  /// Calls the observer for lanes that access `bytes` each, from their offsets on.
  void announce_row(const Lanes& lanes, const std::uint64_t* offsets, std::uint32_t bytes) const;

  /// With --check=ub: reports lanes whose sampler has other coordinates than the image's first one, and those that access
  /// memory which is accessed as a buffer, too.
  void check_use() const;

  /// For read-write images: notes that a lane writes a texel, and checks that it may read one.
  void note_write(std::uint32_t lane, std::uint64_t offset) const;
  void check_fence(std::uint32_t lane, std::uint64_t offset) const;

  /// The lane's value of an operand.
  template <class T>
  T operand(std::uint32_t index, std::uint32_t lane) const {
    T value;
    std::memcpy(&value, r_ + ip_->list->offsets[index] + lane * sizeof(T), sizeof(T));
    return value;
  }

  /// The lane's value of an operand of the texel's kind, its bits lowest.
  std::uint64_t bits(std::uint32_t index, std::uint32_t lane) const {
    const std::size_t bytes = lane_bytes(operation_.kind);
    std::uint64_t value = 0;
    std::memcpy(&value, r_ + ip_->list->offsets[index] + lane * bytes, bytes);
    return value;
  }

  template <class C>
  void coordinates(std::uint32_t lane, C (&out)[3]) const {
    for (std::uint32_t k = 0; k < operation_.coordinates() && k < 3; ++k)
      out[k] = operand<C>(operation_.handles() + k, lane);
  }

  /// Stores component c of what a read gave, for all running lanes, of whatever handles: the low bytes of each value.
  template <class T>
  void store(std::uint32_t c, const T* values) const {
    const std::size_t bytes = lane_bytes(operation_.result());
    std::byte* const row = r_ + ip_->list->results[c];
    for_each(running_lanes(*batch_), count_,
             [&](std::uint32_t lane) { std::memcpy(row + lane * bytes, &values[lane], bytes); });
  }

 private:
  /// Address 0: no image.
  bool refuse(Rule rule, std::uint64_t address) const;

  const Inst* ip_;
  std::byte* r_;
  Batch* batch_;
  ImageOperation operation_;
  std::uint32_t count_;
  Lanes left_, lanes_;
  std::uint64_t handle_ = 0, sampler_word_ = 0;
  const memory::Allocation* allocation_ = nullptr;
};

}  // namespace transpire::vm::exec
