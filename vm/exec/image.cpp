#include "vm/exec/image.h"

#include <cstring>
#include <type_traits>

#include "base/rule.h"
#include "memory/sample.h"
#include "vm/exec/group.h"
#include "vm/exec/image_access.h"

namespace transpire::vm::exec {
namespace {

using memory::Image;
using memory::SampleFaults;
using memory::Sampler;
using memory::Texel;
using memory::TexelKind;

/// The results of a read, by lane. Stored when all are known, because they may have the place of an
/// operand.
struct Results {
  std::uint64_t bits[4][kMaxLanes] = {};

  template <class T>
  void set(std::uint32_t lane, const Texel<T>& texel) {
    for (std::uint32_t c = 0; c < 4; ++c) {
      bits[c][lane] = 0;
      std::memcpy(&bits[c][lane], &texel.v[c], sizeof(T));
    }
  }
};

/// Stores the results of a read for all running lanes.
void store(const ImageAccess& access, const Results& results) {
  for (std::uint32_t c = 0; c < access.operation().components && c < 4; ++c)
    access.store(c, results.bits[c]);
}

/// True if the lanes may access the image and its texels have the instruction's type; otherwise
/// reports it.
bool has_texels(ImageAccess& access) {
  if (!access.permitted()) return false;
  if (!has_kind(access.image().format, access.operation())) return access.refuse(Rule::kR0072);
  access.check_use();
  return true;
}

void report_faults(const ImageAccess& access, std::uint32_t lane, SampleFaults faults) {
  if ((faults & memory::kNotFinite) != 0) access.report(Rule::kR0073, lane);
  if ((faults & memory::kOutside) != 0) access.report(Rule::kR0070, lane);
}

/// A lane's sample.
template <class F>
struct LaneSample {
  F lod = 0;
  memory::SampleTerms terms;
  memory::Selection<F> selected;
  SampleFaults faults = 0;
};

/// The sampler as the operation uses it.
Sampler sampler_for(const ImageAccess& access, bool is_integer) {
  Sampler sampler = access.sampler();
  if (access.operation().gathers)
    sampler.filter = memory::FilterMode::kLinear;
  else if (is_integer)
    sampler.filter = memory::FilterMode::kNearest;
  if (access.operation().is_cube)
    sampler.addressing = sampler.filter == memory::FilterMode::kLinear
                             ? memory::AddressingMode::kNone
                             : memory::AddressingMode::kClampToEdge;
  return sampler;
}

/// Calls visit(offset) for each texel that a sample may read. Texels of the neighbours of a cube's face are left out.
template <class F, class Visit>
void each_texel(const Image& image, const memory::Selection<F>& selected, Visit visit) {
  const memory::LevelTaps<F>& levels = selected.levels;
  for (std::uint32_t n = 0; n < (levels.weight != 0 ? 2u : 1u); ++n) {
    const memory::ImageLevel& level = image.level[n == 0 ? levels.first : levels.second];
    const memory::AxisTaps<F>(&axis)[3] = selected.taps[n].axis;
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
      std::int32_t at[3] = {};
      bool again = false;  // another corner has this texel
      for (std::uint32_t k = 0; k < 3; ++k) {
        const bool second = (corner >> k & 1) != 0;
        at[k] = second ? axis[k].second : axis[k].first;
        again = again || (second && axis[k].second == axis[k].first);
      }
      if (!again && level.holds(at[0], at[1], at[2]))
        visit(memory::texel_offset(image, level, at[0], at[1], at[2]));
    }
  }
}

/// With --check=ub: true if a filter weighs an infinity or a NaN, for a format that has such.
template <class F>
bool filters_not_finite(const ImageAccess& access, const Sampler& sampler,
                        const LaneSample<F>& at) {
  const Image& image = access.image();
  const bool filters =
      access.operation().float_coordinates && (sampler.filter == memory::FilterMode::kLinear ||
                                               sampler.mip_filter == memory::FilterMode::kLinear);
  if (!access.operation().checks_use || !filters || !has_floats(image.format)) return false;
  bool found = false;
  each_texel(image, at.selected, [&](std::uint64_t offset) {
    const Texel<float> texel = memory::read_texel<float>(image.texels + offset, image.format);
    for (const float component : texel.v) found = found || !memory::is_finite(component);
  });
  return found;
}

/// The operands from `at` on, one for each axis.
void read_axes(const ImageAccess& access, std::uint32_t lane, std::uint32_t at, float (&out)[3]) {
  for (std::uint32_t k = 0; k < access.operation().axes() && k < 3; ++k)
    out[k] = access.operand<float>(at + k, lane);
}

template <class F>
void add_level_of_detail(const ImageAccess& access, std::uint32_t lane, const Sampler& sampler,
                         LaneSample<F>& at) {
  using Detail = ImageOperation::Detail;
  const ImageOperation& operation = access.operation();
  const std::uint32_t first = operation.first_detail();
  if (operation.detail == Detail::kLevel) at.lod = access.operand<float>(first, lane);
  if (operation.detail != Detail::kGradients) return;
  float dx[3] = {}, dy[3] = {};
  read_axes(access, lane, first, dx);
  read_axes(access, lane, first + operation.axes(), dy);
  if (operation.is_cube) {
    float direction[3] = {};
    read_axes(access, lane, operation.handles(), direction);
    memory::project_gradient<F>(direction, dx);
    memory::project_gradient<F>(direction, dy);
  }
  at.lod = memory::lod_of_gradients<F>(access.image(), sampler, dx, dy, at.faults);
}

/// The place on a face that the direction meets, with the face's layer.
template <class F>
void find_cube_place(const ImageAccess& access, std::uint32_t lane, F (&coordinate)[3],
                     SampleFaults& faults) {
  const ImageOperation& operation = access.operation();
  float direction[3] = {};
  read_axes(access, lane, operation.handles(), direction);
  F layer = 0;
  if (operation.arrayed) {
    const std::uint32_t cubes = access.image().array_size() / 6;
    const auto cube = access.operand<float>(operation.handles() + operation.axes(), lane);
    layer = static_cast<F>(memory::layer_of<F>(cube, cubes));
    if (!memory::is_finite(cube)) faults |= memory::kNotFinite;
  }
  memory::select_face(direction, coordinate);
  coordinate[2] += layer * 6;
}

/// A lane's sample, with the texels that it selects. C is the coordinates' type: that of the arithmetic (F) for places on cubes. Out of line, as the texels'
/// colors are: each is needed for a few types, and both together for their product.
template <class F, class C>
[[gnu::noinline]] LaneSample<F> sample_at(const ImageAccess& access, std::uint32_t lane,
                                          const Sampler& sampler, bool is_integer) {
  const ImageOperation& operation = access.operation();
  LaneSample<F> at;
  C coordinate[3] = {};
  if constexpr (std::is_same_v<F, C>) {
    if (operation.is_cube) find_cube_place(access, lane, coordinate, at.faults);
  }
  if (!operation.is_cube) access.coordinates(lane, coordinate);
  add_level_of_detail(access, lane, sampler, at);
  at.terms.is_cube = operation.is_cube;
  at.terms.has_offset = operation.has_offset;
  for (std::uint32_t k = 0; operation.has_offset && k < operation.dimensions && k < 3; ++k)
    at.terms.offset[k] = access.operand<std::int32_t>(operation.first_offset() + k, lane);
  at.terms.compares = operation.compares;
  if (operation.compares) at.terms.reference = access.operand<float>(operation.reference(), lane);
  const Image& image = access.image();
  if (operation.gathers) {
    at.selected.taps[0] =
        memory::select<F>(image.dim, image.level[0], sampler, coordinate, at.terms);
    at.faults |= at.selected.taps[0].faults;
  } else {
    at.selected =
        memory::select_texels(image, sampler, coordinate, at.lod, is_integer, at.faults, at.terms);
  }
  return at;
}

template <class F>
using SampleAt = LaneSample<F> (*)(const ImageAccess&, std::uint32_t lane, const Sampler&,
                                   bool is_integer);

template <class F>
SampleAt<F> sample_at_of(const ImageOperation& operation) {
  if (operation.is_cube) return sample_at<F, F>;
  return operation.float_coordinates ? sample_at<F, float> : sample_at<F, std::int32_t>;
}

/// The texel, or the gathered components, of a lane's sample.
template <class T, class F>
[[gnu::noinline]] Texel<T> texel_of(const ImageAccess& access, const Sampler& sampler,
                                    const LaneSample<F>& at) {
  return access.operation().gathers
             ? memory::gather<T>(access.image(), sampler, at.selected.taps[0],
                                 access.operation().gathered, at.terms)
             : memory::texel_of<T>(access.image(), sampler, at.selected, at.terms);
}

template <class F>
void announce_texels(const ImageAccess& access, std::uint32_t lane, const LaneSample<F>& at) {
  each_texel(access.image(), at.selected,
             [&](std::uint64_t offset) { access.announce(lane, offset, AccessKind::kLoad); });
}

template <class F, class T>
void sample_lanes(const ImageAccess& access, Results& results) {
  constexpr bool is_integer = memory::kIsInteger<T>;
  const Sampler sampler = sampler_for(access, is_integer);
  const SampleAt<F> sample = sample_at_of<F>(access.operation());
  access.each_lane([&](std::uint32_t lane) {
    const LaneSample<F> at = sample(access, lane, sampler, is_integer);
    if (access.observed()) announce_texels(access, lane, at);
    if (filters_not_finite(access, sampler, at)) access.report(Rule::kR0110, lane);
    results.set(lane, texel_of<T>(access, sampler, at));
    if (at.faults != 0) report_faults(access, lane, at.faults);
  });
}

/// Calls f with a value of the texels' type: float, the bits of halves, or integers as the format has them.
template <class F>
void with_texel_type(const ImageOperation& operation, memory::ImageFormat format, F f) {
  const bool is_signed = memory::texel_kind(format.type) == TexelKind::kSigned;
  switch (operation.kind) {
    case Kind::kF32:
      return f(float{});
    case Kind::kF16:
      return f(std::uint16_t{});
    case Kind::kI64:
      return is_signed ? f(std::int64_t{}) : f(std::uint64_t{});
    default:
      return is_signed ? f(std::int32_t{}) : f(std::uint32_t{});
  }
}

template <class F>
void with_texel_type(const ImageAccess& access, F f) {
  with_texel_type(access.operation(), access.image().format, f);
}

/// The texel of a read or write without a sampler.
struct Place {
  bool inside = false;
  std::uint64_t offset = 0;
};

Place place_of(const ImageAccess& access, std::uint32_t lane) {
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
void read_lanes(const ImageAccess& access, Results& results) {
  const Image& image = access.image();
  access.each_lane([&](std::uint32_t lane) {
    const Place place = place_of(access, lane);
    if (!place.inside) {
      access.report(Rule::kR0070, lane);
      return results.set(lane, memory::border_of<T>(image.format.order));
    }
    if (access.observed()) access.announce(lane, place.offset, AccessKind::kLoad);
    if (access.operation().watches_fences) access.check_fence(lane, place.offset);
    results.set(lane, memory::read_texel<T>(image.texels + place.offset, image.format));
  });
}

/// Writes a texel as the operation says.
template <class T>
void store_texel(const ImageOperation& operation, memory::ImageFormat format, Texel<T> texel,
                 std::byte* element) {
  if constexpr (std::is_same_v<T, float>)
    if (operation.is_symmetric && memory::row_of(format.type).kind == memory::ChannelKind::kSnorm)
      for (float& component : texel.v) component = component < -1 ? -1 : component;
  memory::write_texel<T>(element, format, texel);
}

template <class T>
void write_lanes(const ImageAccess& access) {
  const Image& image = access.image();
  const std::uint32_t first = access.operation().first_component();
  access.each_lane([&](std::uint32_t lane) {
    const Place place = place_of(access, lane);
    if (!place.inside) return access.report(Rule::kR0071, lane);
    if (access.observed()) access.announce(lane, place.offset, AccessKind::kStore);
    if (access.operation().watches_fences) access.note_write(lane, place.offset);
    Texel<T> texel{};
    for (std::uint32_t c = 0; c < access.operation().components && c < 4; ++c)
      texel.v[c] = access.operand<T>(first + c, lane);
    store_texel<T>(access.operation(), image.format, texel, image.texels + place.offset);
  });
}

/// The level that a sampler selects for a lane, and its level of detail before the sampler limits it.
template <class F>
Texel<float> level_at(const ImageAccess& access, std::uint32_t lane, const Sampler& sampler) {
  LaneSample<F> at;
  add_level_of_detail(access, lane, sampler, at);
  if (!memory::is_finite(at.lod)) at.faults |= memory::kNotFinite;
  if (at.faults != 0) report_faults(access, lane, at.faults);
  const memory::LevelTaps<F> levels = memory::select_levels(access.image().levels, sampler, at.lod);
  return {{static_cast<float>(levels.first) + static_cast<float>(levels.weight),
           static_cast<float>(at.lod)}};
}

}  // namespace

void sample_image(const Inst* ip, std::byte* r, Batch* batch) {
  ImageAccess access(ip, r, batch);
  Results results;
  while (access.next()) {
    if (!has_texels(access)) continue;
    if (!fits(access.sampler(), access.operation()))
      access.refuse(Rule::kR0074);  // reported, but read all the same
    with_texel_type(access, [&]<class T>(T) {
      if (access.exact())
        sample_lanes<double, T>(access, results);
      else
        sample_lanes<float, T>(access, results);
    });
  }
  store(access, results);
}

void find_level(const Inst* ip, std::byte* r, Batch* batch) {
  ImageAccess access(ip, r, batch);
  Results results;
  while (access.next()) {
    if (!access.permitted()) continue;
    const Sampler sampler = sampler_for(access, false);
    access.each_lane([&](std::uint32_t lane) {
      results.set(lane, access.exact() ? level_at<double>(access, lane, sampler)
                                       : level_at<float>(access, lane, sampler));
    });
  }
  store(access, results);
}

void read_image(const Inst* ip, std::byte* r, Batch* batch) {
  ImageAccess access(ip, r, batch);
  Results results;
  while (access.next()) {
    if (!has_texels(access)) continue;
    with_texel_type(access, [&]<class T>(T) { read_lanes<T>(access, results); });
  }
  store(access, results);
}

void write_image(const Inst* ip, std::byte* r, Batch* batch) {
  ImageAccess access(ip, r, batch);
  while (access.next()) {
    if (!has_texels(access)) continue;
    with_texel_type(access, [&]<class T>(T) { write_lanes<T>(access); });
  }
}

void find_texel(const Inst* ip, std::byte* r, Batch* batch) {
  ImageAccess access(ip, r, batch);
  std::uint64_t addresses[kMaxLanes] = {};
  while (access.next()) {
    if (!has_texels(access)) continue;
    if (access.image().element_bytes != lane_bytes(access.operation().kind)) {
      access.refuse(Rule::kR0072);
      continue;
    }
    access.each_lane([&](std::uint32_t lane) {
      const Place place = place_of(access, lane);
      if (!place.inside) return access.report(Rule::kR0071, lane);
      addresses[lane] = access.address(place.offset);
    });
  }
  access.store(0, addresses);
}

void announce_image(const Inst* ip, std::byte* r, Batch* batch) {
  if (batch->observer == nullptr) return;
  ImageAccess access(ip, r, batch);
  while (access.next()) {
    if (!access.is_permitted() || !has_kind(access.image().format, access.operation())) continue;
    Lanes inside;
    std::uint64_t offsets[kMaxLanes];
    access.each_lane([&](std::uint32_t lane) {
      const Place place = place_of(access, lane);
      if (!place.inside) return;
      inside.add(lane);
      offsets[lane] = place.offset;
    });
    access.announce_row(inside, offsets, access.image().element_bytes);
  }
}

void announce_sampled_image(const Inst* ip, std::byte* r, Batch* batch) {
  if (batch->observer == nullptr) return;
  ImageAccess access(ip, r, batch);
  while (access.next()) {
    if (!access.is_permitted() || !has_kind(access.image().format, access.operation())) continue;
    const bool is_integer = is_int(access.operation().kind);
    const Sampler sampler = sampler_for(access, is_integer);
    const SampleAt<float> sample = sample_at_of<float>(access.operation());
    access.each_lane([&](std::uint32_t lane) {
      announce_texels(access, lane, sample(access, lane, sampler, is_integer));
    });
  }
}

void stored_texel(const Batch& batch, const ObservedRow& row, std::uint32_t lane, std::byte* out) {
  const memory::ImageFormat format = image_allocation(*batch.memory, row.begin)->image->format;
  const ImageOperation operation = ImageOperation::decode(row.instruction->list->imm);
  with_texel_type(operation, format, [&]<class T>(T) {
    Texel<T> texel{};
    for (std::uint32_t c = 0; c < operation.components && c < 4; ++c) {
      const std::uint32_t at = row.instruction->list->offsets[operation.first_component() + c];
      std::memcpy(&texel.v[c], batch.registers + at + lane * sizeof(T), sizeof(T));
    }
    store_texel<T>(operation, format, texel, out);
  });
}

void fence_images(const Inst*, std::byte*, Batch* batch) {
  for_each(running_lanes(*batch), batch->program->lanes,
           [&](std::uint32_t lane) { texel_writes_of(*batch, lane).fenced(batch, lane); });
}

std::uint32_t query_image(const Batch& batch, std::uint64_t imm, std::uint64_t handle,
                          std::uint32_t level) {
  const memory::Allocation* allocation = image_allocation(*batch.memory, handle);
  if (allocation == nullptr) return 0;
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
