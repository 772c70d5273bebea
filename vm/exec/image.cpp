#include "vm/exec/image.h"

#include <cstring>
#include <type_traits>

#include "base/rule.h"
#include "memory/sample.h"
#include "vm/exec/access.h"
#include "vm/program/immediates.h"
#include "vm/program/program.h"

namespace transpire::vm::exec {
namespace {

using memory::Allocation;
using memory::Image;
using memory::SampleFaults;
using memory::Sampler;
using memory::Texel;
using memory::TexelKind;

/// Lanes, a bit each.
struct Lanes {
  std::uint64_t words[kMaxMaskWords] = {};

  bool has(std::uint32_t lane) const { return (words[lane / 64] >> lane % 64 & 1) != 0; }
  void add(std::uint32_t lane) { words[lane / 64] |= std::uint64_t{1} << lane % 64; }
  void remove(std::uint32_t lane) { words[lane / 64] &= ~(std::uint64_t{1} << lane % 64); }
};

template <class F>
void for_each(const Lanes& lanes, std::uint32_t count, F f) {
  for (std::uint32_t w = 0; w < count / 64; ++w)
    for (std::uint64_t left = lanes.words[w]; left != 0; left &= left - 1)
      f(w * 64 + static_cast<std::uint32_t>(__builtin_ctzll(left)));
}

/// Of a read: what its lanes give. Stored when all are known, for results may have the place of an operand.
struct Results {
  std::uint32_t bits[4][kMaxLanes] = {};

  template <class T>
  void set(std::uint32_t lane, const Texel<T>& texel) {
    for (std::uint32_t c = 0; c < 4; ++c) {
      bits[c][lane] = 0;
      std::memcpy(&bits[c][lane], &texel.v[c], sizeof(T));
    }
  }
};

bool has_shape(const Image& image, std::uint32_t dimensions, bool arrayed) {
  return memory::sampled_axes(image.dim) == dimensions && memory::is_array(image.dim) == arrayed;
}

/// An instruction of an image, and lanes that have the same handles.
class Access {
 public:
  Access(const Inst* ip, std::byte* r, Batch* batch)
      : ip_(ip),
        r_(r),
        batch_(batch),
        operation_(ImageOperation::decode(ip->list->imm)),
        count_(batch->program->lanes) {
    std::memcpy(left_.words, batch->mask, sizeof left_.words);
  }

  const ImageOperation& operation() const { return operation_; }
  const Image& image() const { return *allocation_->image; }
  bool exact() const { return batch_->program->reference_math; }
  bool observed() const { return batch_->program->observed && batch_->observer != nullptr; }

  /// Takes the lanes that share the first one's handles, until none are left.
  bool next() {
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

  /// Whether these lanes may do anything; else it is reported.
  bool permitted() {
    allocation_ = memory::allocation_at(*batch_->memory, handle_);
    if (allocation_ != nullptr &&
        (memory::image_of(*allocation_) == nullptr || allocation_->begin != handle_))
      allocation_ = nullptr;
    if (allocation_ == nullptr || !has_shape(image(), operation_.dimensions, operation_.arrayed))
      return refuse(Rule::kR0076);
    if (operation_.handles_two && !memory::is_sampler(sampler_word_))
      return refuse(Rule::kR0076, 0);
    if (!allocation_->live) return refuse(Rule::kR0026);
    if (operation_.writes ? allocation_->read_only : allocation_->write_only)
      return refuse(Rule::kR0075);
    if (!has_kind()) return refuse(Rule::kR0072);
    return true;
  }

  Sampler sampler() const { return memory::unpack_sampler(sampler_word_); }

  /// Whether the sampler has a meaning for the coordinates; else it is reported, and read all the same.
  void check_sampler(const Sampler& sampler) {
    const bool fits =
        operation_.float_coordinates
            ? memory::has_defined_addressing(sampler) &&
                  (operation_.kind != Kind::kI32 || sampler.filter == memory::FilterMode::kNearest)
            : memory::takes_integers(sampler);
    if (!fits) refuse(Rule::kR0074);
  }

  template <class F>
  void each_lane(F f) const {
    for_each(lanes_, count_, f);
  }

  void report(Rule rule, std::uint32_t lane) const {
    report_access(batch_, ip_, rule, lane, handle_, image().element_bytes);
  }

  /// To an observer, that a lane accesses a texel inside the level.
  void tell(std::uint32_t lane, std::uint64_t offset, AccessKind kind) const {
    const HostPlace place{.base = image().texels + offset};
    batch_->observer->access(*batch_,
                             {ip_, lane, handle_ + offset, image().element_bytes, kind, place});
  }

  /// The lane's value of an operand.
  template <class T>
  T operand(std::uint32_t index, std::uint32_t lane) const {
    T value;
    std::memcpy(&value, r_ + ip_->list->offsets[index] + lane * sizeof(T), sizeof(T));
    return value;
  }

  template <class C>
  void coordinates(std::uint32_t lane, C (&out)[3]) const {
    for (std::uint32_t k = 0; k < operation_.coordinates() && k < 3; ++k)
      out[k] = operand<C>(operation_.handles() + k, lane);
  }

  /// Stores what a read gave, for all running lanes.
  void store(const Results& results) const {
    const std::size_t bytes = lane_bytes(operation_.kind);
    Lanes running;
    std::memcpy(running.words, batch_->mask, sizeof running.words);
    for (std::uint32_t c = 0; c < operation_.components; ++c) {
      std::byte* const row = r_ + ip_->list->results[c];
      for_each(running, count_, [&](std::uint32_t lane) {
        std::memcpy(row + lane * bytes, &results.bits[c][lane], bytes);
      });
    }
  }

 private:
  bool has_kind() const {
    const TexelKind kind = memory::texel_kind(image().format.type);
    if (operation_.kind != Kind::kI32) return kind == TexelKind::kFloat;
    using Sign = ImageOperation::Sign;
    return kind != TexelKind::kFloat &&
           (operation_.sign == Sign::kUnknown ||
            (operation_.sign == Sign::kSigned) == (kind == TexelKind::kSigned));
  }

  /// Of all these lanes. Address 0: it concerns no image.
  bool refuse(Rule rule, std::uint64_t address) const {
    each_lane([&](std::uint32_t lane) { report_access(batch_, ip_, rule, lane, address, 0); });
    return false;
  }
  bool refuse(Rule rule) const { return refuse(rule, handle_); }

  const Inst* ip_;
  std::byte* r_;
  Batch* batch_;
  ImageOperation operation_;
  std::uint32_t count_;
  Lanes left_, lanes_;
  std::uint64_t handle_ = 0, sampler_word_ = 0;
  const Allocation* allocation_ = nullptr;
};

void report_faults(const Access& access, std::uint32_t lane, SampleFaults faults) {
  if ((faults & memory::kNotFinite) != 0) access.report(Rule::kR0073, lane);
  if ((faults & memory::kOutside) != 0) access.report(Rule::kR0070, lane);
}

/// Of a sample that an observer is told of: each texel that it may read. Integers (T) are not filtered.
template <class F, class T, class C>
void tell_texels(const Access& access, std::uint32_t lane, Sampler sampler,
                 const C (&coordinate)[3], F lod) {
  constexpr bool kIsInteger = std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::uint32_t>;
  const Image& image = access.image();
  const memory::LevelTaps<F> levels = memory::select_levels(image.levels, sampler, lod);
  if (kIsInteger) sampler.filter = memory::FilterMode::kNearest;
  for (std::uint32_t n = 0; n < (levels.weight != 0 && !kIsInteger ? 2u : 1u); ++n) {
    const memory::ImageLevel& level = image.level[n == 0 ? levels.first : levels.second];
    const memory::Taps<F> taps = memory::select<F>(image.dim, level, sampler, coordinate);
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
      std::int32_t at[3] = {};
      bool again = false;  // the same texel as another corner's
      for (std::uint32_t k = 0; k < 3; ++k) {
        const bool second = (corner >> k & 1) != 0;
        at[k] = second ? taps.axis[k].second : taps.axis[k].first;
        again = again || (second && taps.axis[k].second == taps.axis[k].first);
      }
      if (!again && level.holds(at[0], at[1], at[2]))
        access.tell(lane, memory::texel_offset(image, level, at[0], at[1], at[2]),
                    AccessKind::kLoad);
    }
  }
}

template <class F>
F level_of_detail(const Access& access, std::uint32_t lane, const Sampler& sampler,
                  SampleFaults& faults) {
  const ImageOperation& operation = access.operation();
  const std::uint32_t at = operation.first_detail();
  if (operation.detail == ImageOperation::Detail::kLevel) return access.operand<float>(at, lane);
  if (operation.detail == ImageOperation::Detail::kNone) return 0;
  float dx[3] = {}, dy[3] = {};
  for (std::uint32_t k = 0; k < operation.dimensions && k < 3; ++k) {
    dx[k] = access.operand<float>(at + k, lane);
    dy[k] = access.operand<float>(at + operation.dimensions + k, lane);
  }
  return memory::lod_of_gradients<F>(access.image(), sampler, dx, dy, faults);
}

template <class F, class T, class C>
void sample_lanes(const Access& access, const Sampler& sampler, Results& results) {
  access.each_lane([&](std::uint32_t lane) {
    SampleFaults faults = 0;
    C coordinate[3] = {};
    access.coordinates(lane, coordinate);
    const F lod = level_of_detail<F>(access, lane, sampler, faults);
    if (access.observed()) tell_texels<F, T>(access, lane, sampler, coordinate, lod);
    results.set(lane, memory::sample<F, T>(access.image(), sampler, coordinate, lod, faults));
    if (faults != 0) report_faults(access, lane, faults);
  });
}

/// Calls f with a value of the texels' type: float, the bits of halves, or integers as the format has them.
template <class F>
void with_texel_type(const Access& access, F f) {
  switch (access.operation().kind) {
    case Kind::kF32:
      return f(float{});
    case Kind::kF16:
      return f(std::uint16_t{});
    default:
      break;
  }
  if (memory::texel_kind(access.image().format.type) == TexelKind::kSigned)
    return f(std::int32_t{});
  f(std::uint32_t{});
}

template <class F, class T>
void sample_of_type(const Access& access, const Sampler& sampler, Results& results) {
  if (access.operation().float_coordinates)
    sample_lanes<F, T, float>(access, sampler, results);
  else
    sample_lanes<F, T, std::int32_t>(access, sampler, results);
}

/// Where the texel of a read or write without a sampler lies.
struct Place {
  bool inside = false;
  std::uint64_t offset = 0;
};

Place place_of(const Access& access, std::uint32_t lane) {
  const ImageOperation& operation = access.operation();
  const Image& image = access.image();
  std::int32_t at[3] = {};
  access.coordinates(lane, at);
  const bool has_level = operation.detail == ImageOperation::Detail::kLevel;
  const auto number = has_level ? access.operand<std::uint32_t>(operation.first_detail(), lane) : 0;
  const auto sample =
      operation.has_sample
          ? access.operand<std::uint32_t>(operation.first_detail() + operation.details(), lane)
          : 0;
  if (number >= image.levels || sample >= image.samples) return {};
  const memory::ImageLevel& level = image.level[number];
  if (!level.holds(at[0], at[1], at[2])) return {};
  return {true, memory::texel_offset(image, level, at[0], at[1], at[2], sample)};
}

template <class T>
void read_lanes(const Access& access, Results& results) {
  const Image& image = access.image();
  access.each_lane([&](std::uint32_t lane) {
    const Place place = place_of(access, lane);
    if (!place.inside) {
      access.report(Rule::kR0070, lane);
      return results.set(lane, memory::border_of<T>(image.format.order));
    }
    if (access.observed()) access.tell(lane, place.offset, AccessKind::kLoad);
    results.set(lane, memory::read_texel<T>(image.texels + place.offset, image.format));
  });
}

template <class T>
void write_lanes(const Access& access) {
  const Image& image = access.image();
  const std::uint32_t first = access.operation().first_component();
  access.each_lane([&](std::uint32_t lane) {
    const Place place = place_of(access, lane);
    if (!place.inside) return access.report(Rule::kR0071, lane);
    if (access.observed()) access.tell(lane, place.offset, AccessKind::kStore);
    Texel<T> texel{};
    for (std::uint32_t c = 0; c < access.operation().components && c < 4; ++c)
      texel.v[c] = access.operand<T>(first + c, lane);
    memory::write_texel<T>(image.texels + place.offset, image.format, texel);
  });
}

}  // namespace

void sample_image(const Inst* ip, std::byte* r, Batch* batch) {
  Access access(ip, r, batch);
  Results results;
  while (access.next()) {
    if (!access.permitted()) continue;
    const Sampler sampler = access.sampler();
    access.check_sampler(sampler);
    with_texel_type(access, [&]<class T>(T) {
      if (access.exact())
        sample_of_type<double, T>(access, sampler, results);
      else
        sample_of_type<float, T>(access, sampler, results);
    });
  }
  access.store(results);
}

void read_image(const Inst* ip, std::byte* r, Batch* batch) {
  Access access(ip, r, batch);
  Results results;
  while (access.next()) {
    if (!access.permitted()) continue;
    with_texel_type(access, [&]<class T>(T) { read_lanes<T>(access, results); });
  }
  access.store(results);
}

void write_image(const Inst* ip, std::byte* r, Batch* batch) {
  Access access(ip, r, batch);
  while (access.next()) {
    if (!access.permitted()) continue;
    with_texel_type(access, [&]<class T>(T) { write_lanes<T>(access); });
  }
}

std::uint32_t query_image(const Batch& batch, std::uint64_t imm, std::uint64_t handle,
                          std::uint32_t level) {
  const Allocation* allocation = memory::allocation_at(*batch.memory, handle);
  if (allocation == nullptr || memory::image_of(*allocation) == nullptr ||
      allocation->begin != handle)
    return 0;
  const Image& image = *allocation->image;
  const ImageQuery query = ImageQuery::decode(imm);
  if (!has_shape(image, query.dimensions, query.arrayed)) return 0;
  switch (query.what) {
    case ImageQuery::What::kSize:
      return level < image.levels && query.dimension < 3 ? image.level[level].size[query.dimension]
                                                         : 0;
    case ImageQuery::What::kLayers:
      return image.array_size();
    case ImageQuery::What::kFormat:
      return static_cast<std::uint32_t>(image.format.type);
    case ImageQuery::What::kOrder:
      return static_cast<std::uint32_t>(image.format.order);
    case ImageQuery::What::kLevels:
      return image.levels;
    case ImageQuery::What::kSamples:
      return image.samples;
  }
  return 0;
}

}  // namespace transpire::vm::exec
