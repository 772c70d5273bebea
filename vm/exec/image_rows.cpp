#include "vm/exec/image_rows.h"

#include "memory/sample.h"
#include "vm/exec/image_access.h"
#include "vm/exec/lanes.h"
#include "vm/exec/texel_rows.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

using memory::AddressingMode;
using memory::ChannelKind;
using memory::FilterMode;
using memory::Sampler;

/// True if all running lanes have the first one's value, which is returned.
TRANSPIRE_INLINE bool is_common(const std::uint64_t* values, const std::uint64_t* mask,
                                std::uint64_t& value) {
  value = values[first_lane(mask)];
  const std::uint64_t first = value;
  std::uint64_t other = 0;
  if (mask_full(mask))
    for (std::uint32_t i = 0; i < kLanes; ++i) other |= values[i] ^ first;
  else
    for_each_lane(mask, [&](std::uint32_t i) { other |= values[i] ^ first; });
  return other == 0;
}

/// An instruction whose running lanes all access one image that rows can be read from and written to.
class RowAccess {
 public:
  RowAccess(const Inst* ip, std::byte* r, Batch* batch)
      : ip_(ip), r_(r), batch_(*batch), operation_(ImageOperation::decode(ip->list->imm)) {}

  const ImageOperation& operation() const { return operation_; }
  const memory::Image& image() const { return *image_; }
  const RowFormat& format() const { return format_; }
  const std::uint64_t* mask() const { return batch_.mask; }

  bool prepare() {
    const Program& program = *batch_.program;
    if (operation_.watches_fences) return false;
    if (program.reference_math || (program.observed && batch_.observer != nullptr)) return false;
    std::uint64_t handle = 0;
    if (!is_common(operand<std::uint64_t>(0), mask(), handle)) return false;
    const memory::Allocation* allocation = image_allocation(*batch_.memory, handle);
    if (allocation == nullptr || !allocation->live || is_forbidden(*allocation, operation_))
      return false;
    image_ = allocation->image;
    if (operation_.checks_use && !use_in_order(*allocation)) return false;
    return has_shape(*image_, operation_) && image_->levels == 1 && image_->samples == 1 &&
           image_->size_bytes <= ~std::uint32_t{0} && operation_.kind != Kind::kF16 &&
           has_kind(image_->format, operation_) && row_format(image_->format, format_) &&
           (!operation_.writes ||
            (format_.is_whole && !(operation_.is_symmetric &&
                                   row_of(image_->format.type).kind == ChannelKind::kSnorm)));
  }

  /// For an instruction with --check=ub.
  bool use_in_order(const memory::Allocation& image) const {
    std::uint64_t sampler = 0;
    if (operation_.handles_two && !is_common(operand<std::uint64_t>(1), mask(), sampler))
      return false;
    return is_use_in_order(batch_, image, operation_, sampler);
  }

  /// The row of an operand.
  template <class T>
  const T* operand(std::uint32_t index) const {
    return row<T>(r_, ip_->list->offsets[index]);
  }

  /// The row of an operand; `own` gets a copy in which idle lanes have the first running lane's
  /// value.
  template <class T>
  const T* whole_operand(std::uint32_t index, LaneRow<T>& own) const {
    const T* const from = operand<T>(index);
    if (mask_full(mask())) return from;
    const T first = from[first_lane(mask())];
    for (std::uint32_t i = 0; i < kLanes; ++i) own.lane[i] = first;
    for_each_lane(mask(), [&](std::uint32_t i) { own.lane[i] = from[i]; });
    return own.lane;
  }

  bool sampler(Sampler& sampler) const {
    std::uint64_t word = 0;
    if (!is_common(operand<std::uint64_t>(1), mask(), word) || !memory::is_sampler(word))
      return false;
    sampler = memory::unpack_sampler(word);
    return true;
  }

  /// Stores the running lanes of a component.
  void store(std::uint32_t component, const WordRow& values) const {
    std::uint32_t* const to = row<std::uint32_t>(r_, ip_->list->results[component]);
    if (mask_full(mask())) return copy_row<std::uint32_t>(to, values.lane);
    for_each_lane(mask(), [&](std::uint32_t i) { to[i] = values.lane[i]; });
  }

 private:
  const Inst* ip_;
  std::byte* r_;
  const Batch& batch_;
  ImageOperation operation_;
  const memory::Image* image_ = nullptr;
  RowFormat format_;
};

/// The positions that lanes select along one coordinate, in bytes. Only the addressing mode clamp
/// sets `outside` (all bits, or none); only linear filtering sets `second` and its weight.
struct AxisRow {
  WordRow first, second, first_outside, second_outside;
  LaneRow<float> weight;
};

/// An axis of the image, or its layers.
struct Axis {
  std::uint32_t size = 1, pitch = 0;
  bool normalized = false;
};

/// Selects texels; false if a lane has something to report.
using Select = bool (*)(const void* coordinate, const Axis& axis, AxisRow& row);

/// True if all lanes' coordinates are finite.
TRANSPIRE_INLINE bool all_finite(const float* at) {
  std::uint32_t found = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) found |= memory::is_finite(at[i]) ? 0u : 1u;
  return found == 0;
}

/// The places of texels by index; an index outside gets the place of the one at the edge.
template <AddressingMode kMode>
TRANSPIRE_INLINE bool place_indices(const LaneRow<std::int32_t>& index, const Axis& axis,
                                    WordRow& offset, WordRow& outside) {
  const std::uint32_t pitch = axis.pitch, size = axis.size;
  std::uint32_t found = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const auto at = static_cast<std::uint32_t>(index.lane[i]);
    if constexpr (kMode == AddressingMode::kNone) found |= at >= size ? 1u : 0u;
    if constexpr (kMode == AddressingMode::kClamp) {
      const auto inside = static_cast<std::uint32_t>(
          memory::clamped(index.lane[i], 0, static_cast<std::int32_t>(size - 1)));
      outside.lane[i] = inside == at ? 0 : ~std::uint32_t{0};
      offset.lane[i] = inside * pitch;
    } else {
      offset.lane[i] = at * pitch;
    }
  }
  return found == 0;
}

/// memory::taps_of() of floats, a step at a time, so that each is a loop of vectors.
template <AddressingMode kMode, FilterMode kFilter, bool kNormalized>
TRANSPIRE_INLINE bool select_floats(const float* at, const Axis& axis, AxisRow& row) {
  constexpr Sampler kSampler{.addressing = kMode, .normalized = kNormalized, .filter = kFilter};
  constexpr float kHalf = kFilter == FilterMode::kLinear ? 0.5f : 0.0f;
  const auto size = static_cast<std::int32_t>(axis.size);
  const auto length = static_cast<float>(size);
  LaneRow<float> from;
  LaneRow<std::int32_t> index, address;
  for (std::uint32_t i = 0; i < kLanes; ++i)
    from.lane[i] = memory::in_texels(at[i], length, kSampler) - kHalf;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const float whole = memory::floor_of(from.lane[i]);
    row.weight.lane[i] = from.lane[i] - whole;
    index.lane[i] = static_cast<std::int32_t>(whole);
  }
  for (std::uint32_t i = 0; i < kLanes; ++i)
    address.lane[i] = memory::address_of(index.lane[i], size, kMode);
  bool inside = place_indices<kMode>(address, axis, row.first, row.first_outside);
  if constexpr (kFilter == FilterMode::kLinear) {
    for (std::uint32_t i = 0; i < kLanes; ++i)
      address.lane[i] = memory::address_of(index.lane[i] + 1, size, kMode);
    inside = place_indices<kMode>(address, axis, row.second, row.second_outside) && inside;
  }
  return inside;
}

template <class C, AddressingMode kMode, FilterMode kFilter>
bool select_axis(const void* coordinate, const Axis& axis, AxisRow& row) {
  const C* const at = static_cast<const C*>(coordinate);
  if constexpr (std::is_integral_v<C>) {
    const auto size = static_cast<std::int32_t>(axis.size);
    LaneRow<std::int32_t> address;
    for (std::uint32_t i = 0; i < kLanes; ++i)
      address.lane[i] = memory::address_of(at[i], size, kMode);
    return place_indices<kMode>(address, axis, row.first, row.first_outside);
  } else {
    return all_finite(at) &&
           (axis.normalized ? select_floats<kMode, kFilter, true>(at, axis, row)
                            : select_floats<kMode, kFilter, false>(at, axis, row));
  }
}

template <class C>
bool select_layer(const void* coordinate, const Axis& axis, AxisRow& row) {
  const C* const at = static_cast<const C*>(coordinate);
  const std::uint32_t layers = axis.size, pitch = axis.pitch;
  for (std::uint32_t i = 0; i < kLanes; ++i)
    row.first.lane[i] = static_cast<std::uint32_t>(memory::layer_of<float>(at[i], layers)) * pitch;
  row.first_outside = {};
  if constexpr (std::is_integral_v<C>)
    return true;
  else
    return all_finite(at);
}

template <class C, FilterMode kFilter>
Select select_with(AddressingMode mode) {
  switch (mode) {
    case AddressingMode::kNone:
      return select_axis<C, AddressingMode::kNone, kFilter>;
    case AddressingMode::kClampToEdge:
      return select_axis<C, AddressingMode::kClampToEdge, kFilter>;
    case AddressingMode::kClamp:
      return select_axis<C, AddressingMode::kClamp, kFilter>;
    default:
      break;
  }
  if constexpr (std::is_integral_v<C>)
    return nullptr;
  else
    return mode == AddressingMode::kRepeat
               ? select_axis<C, AddressingMode::kRepeat, kFilter>
               : select_axis<C, AddressingMode::kMirroredRepeat, kFilter>;
}

/// How a sampler selects along an axis; null if lanes must be handled one by one.
Select select_of(const Sampler& sampler, bool float_coordinates) {
  if (!float_coordinates)
    return select_with<std::int32_t, FilterMode::kNearest>(sampler.addressing);
  return sampler.filter == FilterMode::kLinear
             ? select_with<float, FilterMode::kLinear>(sampler.addressing)
             : select_with<float, FilterMode::kNearest>(sampler.addressing);
}

/// How the coordinates of an access select texels.
struct Selection {
  Select axis = nullptr, layer = nullptr;
  std::uint32_t axes = 0, coordinates = 0;
  bool normalized = false;
  bool is_linear = false;
  bool has_border = false;  ///< texels outside are read as the border color
  memory::Border border{};
};

bool select_rows(const RowAccess& access, const Selection& how, AxisRow (&axis)[3]) {
  const memory::ImageLevel& level = access.image().level[0];
  for (std::uint32_t k = 0; k < how.coordinates; ++k) {
    WordRow own;
    const std::uint32_t* const coordinate =
        access.whole_operand(access.operation().handles() + k, own);
    const bool is_layer = k >= how.axes;
    const Axis along{level.size[k], static_cast<std::uint32_t>(level.pitch[k]),
                     how.normalized && !is_layer};
    if (!(is_layer ? how.layer : how.axis)(coordinate, along, axis[k])) return false;
  }
  return true;
}

/// One of the texels that are filtered; bit k of its number says which along axis k.
struct Corner {
  WordRow offset, outside;
  LaneRow<float> weight;
};

void place_corner(const AxisRow (&axis)[3], const Selection& how, std::uint64_t level_offset,
                  std::uint32_t number, Corner& corner) {
  for (std::uint32_t k = 0; k < how.coordinates; ++k) {
    const bool is_second = k < how.axes && (number >> k & 1) != 0;
    const WordRow& at = is_second ? axis[k].second : axis[k].first;
    const WordRow& out = is_second ? axis[k].second_outside : axis[k].first_outside;
    const auto begin = static_cast<std::uint32_t>(level_offset);
    for (std::uint32_t i = 0; i < kLanes; ++i)
      corner.offset.lane[i] = (k == 0 ? begin : corner.offset.lane[i]) + at.lane[i];
    if (how.has_border)
      for (std::uint32_t i = 0; i < kLanes; ++i)
        corner.outside.lane[i] = (k == 0 ? 0 : corner.outside.lane[i]) | out.lane[i];
    if (!how.is_linear || k >= how.axes) continue;
    const LaneRow<float>& second = axis[k].weight;
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      const float own = is_second ? second.lane[i] : 1 - second.lane[i];
      corner.weight.lane[i] = k == 0 ? own : corner.weight.lane[i] * own;
    }
  }
}

/// Adds a weighted corner; the first one begins the sum.
TRANSPIRE_INLINE void add_weighted(const WordRow& texel, const LaneRow<float>& weight,
                                   bool is_first, WordRow& sum) {
  if (is_first)
    for (std::uint32_t i = 0; i < kLanes; ++i)
      sum.lane[i] = bits_of(weight.lane[i] * float_of(texel.lane[i]));
  else
    for (std::uint32_t i = 0; i < kLanes; ++i)
      sum.lane[i] = bits_of(float_of(sum.lane[i]) + weight.lane[i] * float_of(texel.lane[i]));
}

/// Reads the selected texels. Results are stored when all are known, because they may have the
/// place of an operand.
void read_selected(const RowAccess& access, const Selection& how, const AxisRow (&axis)[3]) {
  const memory::Image& image = access.image();
  const std::uint32_t count = access.operation().components;
  const std::uint32_t one = access.operation().kind == Kind::kF32 ? bits_of(1.0f) : 1;
  const auto border = memory::border_of<std::uint32_t>(image.format.order, how.border);
  WordRow result[4], word[4], component;
  for (std::uint32_t number = 0; number < (how.is_linear ? 1u << how.axes : 1u); ++number) {
    Corner corner;
    place_corner(axis, how, image.level[0].offset, number, corner);
    gather_elements(access.format(), image.texels, corner.offset, word);
    for (std::uint32_t k = 0; k < count; ++k) {
      WordRow& texel = how.is_linear ? component : result[k];
      component_of_words(access.format(), word, k, one, texel);
      const std::uint32_t outside = border.v[k] * one;
      if (how.has_border)
        for (std::uint32_t i = 0; i < kLanes; ++i)
          texel.lane[i] = corner.outside.lane[i] != 0 ? outside : texel.lane[i];
      if (how.is_linear) add_weighted(texel, corner.weight, number == 0, result[k]);
    }
  }
  for (std::uint32_t k = 0; k < count; ++k) access.store(k, result[k]);
}

bool select_and_read(const RowAccess& access, const Selection& how) {
  AxisRow axis[3];
  if (how.axis == nullptr || !select_rows(access, how, axis)) return false;
  read_selected(access, how, axis);
  return true;
}

/// True if the running lanes' levels of detail are finite; with one level, they select nothing.
bool has_finite_lod(const RowAccess& access) {
  LaneRow<float> own;
  return all_finite(access.whole_operand(access.operation().first_detail(), own));
}

/// For accesses without a sampler: all coordinates are a texel's.
Selection of_texels(const ImageOperation& operation) {
  Selection how;
  how.axis = select_axis<std::int32_t, AddressingMode::kNone, FilterMode::kNearest>;
  how.axes = how.coordinates = operation.coordinates();
  return how;
}

/// False for samples that are done lane by lane.
bool is_common_form(const ImageOperation& operation) {
  return !operation.has_offset && !operation.compares && !operation.gathers && !operation.is_cube;
}

bool is_plain(const ImageOperation& operation) {
  return operation.detail == ImageOperation::Detail::kNone && !operation.has_sample;
}

}  // namespace

bool sample_rows(const Inst* ip, std::byte* r, Batch* batch) {
  RowAccess access(ip, r, batch);
  Sampler sampler;
  const ImageOperation& operation = access.operation();
  if (operation.detail == ImageOperation::Detail::kGradients || !is_common_form(operation) ||
      !access.prepare() || !access.sampler(sampler) || !fits(sampler, operation) ||
      !has_finite_lod(access))
    return false;
  Selection how;
  how.axis = select_of(sampler, operation.float_coordinates);
  how.layer = operation.float_coordinates ? select_layer<float> : select_layer<std::int32_t>;
  how.axes = operation.dimensions;
  how.coordinates = operation.coordinates();
  how.normalized = sampler.normalized;
  how.is_linear = sampler.filter == FilterMode::kLinear;
  how.has_border = sampler.addressing == AddressingMode::kClamp;
  how.border = sampler.border;
  return select_and_read(access, how);
}

bool read_rows(const Inst* ip, std::byte* r, Batch* batch) {
  RowAccess access(ip, r, batch);
  if (!is_plain(access.operation()) || !access.prepare()) return false;
  return select_and_read(access, of_texels(access.operation()));
}

bool write_rows(const Inst* ip, std::byte* r, Batch* batch) {
  RowAccess access(ip, r, batch);
  const ImageOperation& operation = access.operation();
  AxisRow axis[3];
  if (!is_plain(operation) || !access.prepare() || !select_rows(access, of_texels(operation), axis))
    return false;
  const RowFormat& format = access.format();
  Corner corner;
  place_corner(axis, of_texels(operation), access.image().level[0].offset, 0, corner);
  WordRow word[4], number;
  for (std::uint32_t w = 0; w < (format.element_bytes + 3) / 4; ++w) word[w] = {};
  for (std::uint32_t c = 0; c < format.channels; ++c) {
    if (format.channel[c].bits == 0) continue;
    const std::uint32_t k = memory::component_of(*format.order, c);
    if (k < operation.components)
      __builtin_memcpy(&number, access.operand<std::uint32_t>(operation.first_component() + k),
                       sizeof number);
    else
      number = {};
    format.loops[c].to(number, format.channel[c], word[format.channel[c].word]);
  }
  scatter_elements(format, access.image().texels, corner.offset, batch->mask, word);
  return true;
}

}  // namespace transpire::vm::TRANSPIRE_ISA
