// Structs encoded in Value::imm and Inst::imm, for columns of the op tables (vm/ops/signature.h,
// Imm) that need more than a number. Only this file encodes and decodes them. Always inline:
// handlers of several instruction sets read them.
#pragma once

#include <cstdint>

#include "base/narrow.h"
#include "vm/simd/kind.h"
#include "vm/simd/rounding.h"

namespace transpire::vm {

enum class Combine : std::uint8_t {
  kIAdd,
  kFAdd,
  kIMul,
  kFMul,
  kSMin,
  kUMin,
  kFMin,
  kSMax,
  kUMax,
  kFMax,
  kAnd,
  kOr,
  kXor
};
enum class Scan : std::uint8_t { kReduce, kInclusive, kExclusive };

/// The operation of a group instruction.
struct GroupOperation {
  /// Work-items of a sub-group, or of one of its clusters; a power of two, at most 64. 0: the
  /// work-group.
  std::uint32_t size = 0;
  bool uniform = false;  ///< sub-groups: all work-items must be there, else finding R0041
  bool checked = false;  ///< --check=sync: findings R0045, R0047
  Combine combine{};
  Scan scan{};
  Kind kind = Kind::kI32;  ///< kind of the values

  using Size = BitField<0, 8>;
  using Uniform = BitField<8, 1>;
  using IsChecked = BitField<9, 1>;
  using How = BitField<16, 8>;
  using Part = BitField<24, 8>;
  using Of = BitField<32, 8>;

  [[gnu::always_inline]] std::uint64_t encode() const {
    return Size::put(size) | Uniform::put(uniform) | IsChecked::put(checked) | How::put(combine) |
           Part::put(scan) | Of::put(kind);
  }
  [[gnu::always_inline]] static GroupOperation decode(std::uint64_t imm) {
    return {Size::as<std::uint32_t>(imm), Uniform::get(imm) != 0, IsChecked::get(imm) != 0,
            How::as<Combine>(imm),        Part::as<Scan>(imm),    Of::as<Kind>(imm)};
  }
};

/// The product of two matrices that the work-items of a sub-group hold. Each holds one element of a matrix after another, in
/// row-major order: component c of work-item w is element c * items + w, and where there is none the last element. The operands are the
/// components of the left matrix, then those of the right one; the results are the product's components.
struct ProductOperation {
  std::uint32_t items = 0;  ///< work-items of the sub-group; a power of two, at most 64
  Kind kind = Kind::kI32;   ///< kind of the elements
  /// The matrices are rows x inner and inner x columns; each number is at most 256.
  std::uint32_t rows = 1, inner = 1, columns = 1;

  using Items = BitField<0, 8>;
  using Of = BitField<8, 8>;
  using Rows = BitField<28, 12>;
  using Inner = BitField<40, 12>;
  using Columns = BitField<52, 12>;

  [[gnu::always_inline]] std::uint64_t encode() const {
    return Items::put(items) | Of::put(kind) | Rows::put(rows) | Inner::put(inner) |
           Columns::put(columns);
  }
  [[gnu::always_inline]] static ProductOperation decode(std::uint64_t imm) {
    return {Items::as<std::uint32_t>(imm), Of::as<Kind>(imm), Rows::as<std::uint32_t>(imm),
            Inner::as<std::uint32_t>(imm), Columns::as<std::uint32_t>(imm)};
  }
  /// Components of a matrix of so many elements in each work-item.
  [[gnu::always_inline]] std::uint32_t components_of(std::uint32_t elements) const {
    return (elements + items - 1) / items;
  }
  [[gnu::always_inline]] std::uint32_t operands() const {
    return components_of(rows * inner) + components_of(inner * columns);
  }
  [[gnu::always_inline]] std::uint32_t results() const { return components_of(rows * columns); }
};

/// The operation of a wait for events.
struct WaitOperation {
  std::uint32_t event_bytes = 8;
  bool checked = false;  ///< --check=sync: finding R0045

  using Bytes = BitField<0, 8>;
  using IsChecked = BitField<8, 1>;

  [[gnu::always_inline]] std::uint64_t encode() const {
    return Bytes::put(event_bytes) | IsChecked::put(checked);
  }
  [[gnu::always_inline]] static WaitOperation decode(std::uint64_t imm) {
    return {Bytes::as<std::uint32_t>(imm), IsChecked::get(imm) != 0};
  }
};

/// The access for a check of unfinished copies: finding R0042.
struct CopyCheck {
  std::uint64_t bytes = 0;  ///< bytes of the access; below 2^63
  bool writes = false;

  using Writes = BitField<0, 1>;
  using Bytes = BitField<1, 63>;

  [[gnu::always_inline]] std::uint64_t encode() const {
    return Bytes::put(bytes) | Writes::put(writes);
  }
  [[gnu::always_inline]] static CopyCheck decode(std::uint64_t imm) {
    return {Bytes::get(imm), Writes::get(imm) != 0};
  }
};

/// A check that memory is reached through restrict pointers only: finding R0036.
struct AliasCheck {
  bool writes = false;
  /// 1 + index of the parameter that the pointer comes from; 0: unknown.
  std::uint32_t parameter = 0;

  using Writes = BitField<0, 1>;
  using From = BitField<32, 32>;

  [[gnu::always_inline]] std::uint64_t encode() const {
    return Writes::put(writes) | From::put(parameter);
  }
  [[gnu::always_inline]] static AliasCheck decode(std::uint64_t imm) {
    return {Writes::get(imm) != 0, From::as<std::uint32_t>(imm)};
  }
};

/// The finding of a check, reported if its condition holds.
struct RuleCheck {
  std::uint16_t rule = 0;            ///< a Rule
  std::uint32_t remark = 0;          ///< in a lir::Value: 1 + index into Function::remarks; 0: none
  std::uint8_t signed_reported = 0;  ///< as in Site
  std::uint8_t components = 1;       ///< components of an operand that it reports

  using Number = BitField<0, 16>;
  using Signed = BitField<16, 8>;
  using Components = BitField<24, 8>;
  using Remark = BitField<32, 32>;

  [[gnu::always_inline]] std::uint64_t encode() const {
    return Number::put(rule) | Signed::put(signed_reported) | Components::put(components) |
           Remark::put(remark);
  }
  [[gnu::always_inline]] static RuleCheck decode(std::uint64_t imm) {
    return {Number::as<std::uint16_t>(imm), Remark::as<std::uint32_t>(imm),
            Signed::as<std::uint8_t>(imm), Components::as<std::uint8_t>(imm)};
  }
};

/// The operation of a pipe instruction.
struct PipeOperation {
  GroupOperation group{};  ///< for groups
  bool writes = false;     ///< its end of the pipe: true for the writing end
  bool capacity = false;   ///< queries: for the pipe's capacity

  using Writes = BitField<48, 1>;
  using Capacity = BitField<49, 1>;

  [[gnu::always_inline]] std::uint64_t encode() const {
    return group.encode() | Writes::put(writes) | Capacity::put(capacity);
  }
  [[gnu::always_inline]] static PipeOperation decode(std::uint64_t imm) {
    return {GroupOperation::decode(imm), Writes::get(imm) != 0, Capacity::get(imm) != 0};
  }
};

/// The operation of an image instruction. Operands behind the handles, in this order: coordinates
/// (`axes()`, then the layer of an array), those of `detail`, the offset, the sample, the reference,
/// the components of a texel to write.
struct ImageOperation {
  enum class Detail : std::uint8_t {
    kNone,
    kLevel,      ///< one: the level; for a sample a float, the level of detail
    kGradients,  ///< for each dimension in x, then in y
  };
  /// Sign of the format's integers, by the instruction's operands SignExtend and ZeroExtend.
  enum class Sign : std::uint8_t { kUnknown, kSigned, kUnsigned };
  std::uint8_t dimensions = 2;  ///< 1 to 3
  bool arrayed = false;
  bool float_coordinates = false;
  bool has_sample = false;
  Detail detail = Detail::kNone;
  std::uint8_t components = 4;  ///< components of a texel that is read or written; 1 for depth
                                ///< images
  Kind kind = Kind::kF32;       ///< kind of these components
  bool writes = false;
  bool handles_two = false;  ///< true: image and sampler; false: image
  Sign sign = Sign::kUnknown;
  bool watches_fences = false;  ///< read-write images, with --check=sync
  bool checks_use =
      false;              ///< with --check=ub: checks samplers, texels, and other accesses to them
  bool may_race = false;  ///< images that the kernel may write, with --check=race
  bool has_offset = false;  ///< samples: an integer for each dimension, in texels
  bool compares = false;    ///< samples: a reference, which the sampler compares with the texels
  bool gathers = false;     ///< samples: the results are component `gathered` of four texels
  std::uint8_t gathered = 0;
  bool is_cube = false;    ///< samples: coordinates are a direction; the image has layers of faces
  bool is_atomic = false;  ///< the texel's address is asked for, of an atomic
  bool is_symmetric =
      false;  ///< writes: the least number of a signed fraction is -1, not that of its integer

  /// Coordinates without the layer.
  [[gnu::always_inline]] std::uint32_t axes() const { return is_cube ? 3 : dimensions; }
  /// True if the image has layers.
  [[gnu::always_inline]] bool has_layers() const { return arrayed || is_cube; }
  [[gnu::always_inline]] std::uint32_t coordinates() const { return axes() + (arrayed ? 1 : 0); }
  [[gnu::always_inline]] std::uint32_t details() const {
    return detail == Detail::kNone ? 0 : detail == Detail::kLevel ? 1 : axes() * 2;
  }
  /// The first integer of the offset; the reference.
  [[gnu::always_inline]] std::uint32_t first_offset() const { return first_detail() + details(); }
  [[gnu::always_inline]] std::uint32_t sample() const {
    return first_offset() + (has_offset ? dimensions : 0);
  }
  [[gnu::always_inline]] std::uint32_t reference() const { return sample() + (has_sample ? 1 : 0); }
  [[gnu::always_inline]] std::uint32_t handles() const { return handles_two ? 2 : 1; }
  [[gnu::always_inline]] std::uint32_t first_detail() const { return handles() + coordinates(); }
  [[gnu::always_inline]] std::uint32_t first_component() const {
    return reference() + (compares ? 1 : 0);
  }
  [[gnu::always_inline]] std::uint32_t operands() const {
    return first_component() + (writes ? components : 0);
  }
  /// The kind of the results.
  [[gnu::always_inline]] Kind result() const { return is_atomic ? Kind::kI64 : kind; }
  /// The kind of operand i.
  [[gnu::always_inline]] Kind operand(std::uint32_t i) const {
    if (i < handles()) return Kind::kI64;
    if (i < first_detail()) return float_coordinates ? Kind::kF32 : Kind::kI32;
    if (i < first_offset()) return handles_two ? Kind::kF32 : Kind::kI32;
    if (compares && i == reference()) return Kind::kF32;
    return i < first_component() ? Kind::kI32 : kind;
  }

  using Dimensions = BitField<0, 4>;
  using Arrayed = BitField<4, 1>;
  using FloatCoordinates = BitField<5, 1>;
  using HasSample = BitField<6, 1>;
  using Writes = BitField<7, 1>;
  using Extra = BitField<8, 4>;
  using Components = BitField<12, 4>;
  using Of = BitField<16, 8>;
  using HandlesTwo = BitField<24, 1>;
  using Signs = BitField<25, 2>;
  using WatchesFences = BitField<27, 1>;
  using ChecksUse = BitField<28, 1>;
  using MayRace = BitField<29, 1>;
  using HasOffset = BitField<30, 1>;
  using Compares = BitField<31, 1>;
  using Gathers = BitField<32, 1>;
  using Gathered = BitField<33, 2>;
  using IsCube = BitField<35, 1>;
  using IsAtomic = BitField<36, 1>;
  using IsSymmetric = BitField<37, 1>;

  [[gnu::always_inline]] std::uint64_t encode() const {
    return Dimensions::put(dimensions) | Arrayed::put(arrayed) |
           FloatCoordinates::put(float_coordinates) | HasSample::put(has_sample) |
           Writes::put(writes) | Extra::put(detail) | Components::put(components) | Of::put(kind) |
           HandlesTwo::put(handles_two) | Signs::put(sign) | WatchesFences::put(watches_fences) |
           ChecksUse::put(checks_use) | MayRace::put(may_race) | HasOffset::put(has_offset) |
           Compares::put(compares) | Gathers::put(gathers) | Gathered::put(gathered) |
           IsCube::put(is_cube) | IsAtomic::put(is_atomic) | IsSymmetric::put(is_symmetric);
  }
  [[gnu::always_inline]] static ImageOperation decode(std::uint64_t imm) {
    return {Dimensions::as<std::uint8_t>(imm),
            Arrayed::get(imm) != 0,
            FloatCoordinates::get(imm) != 0,
            HasSample::get(imm) != 0,
            Extra::as<Detail>(imm),
            Components::as<std::uint8_t>(imm),
            Of::as<Kind>(imm),
            Writes::get(imm) != 0,
            HandlesTwo::get(imm) != 0,
            Signs::as<Sign>(imm),
            WatchesFences::get(imm) != 0,
            ChecksUse::get(imm) != 0,
            MayRace::get(imm) != 0,
            HasOffset::get(imm) != 0,
            Compares::get(imm) != 0,
            Gathers::get(imm) != 0,
            Gathered::as<std::uint8_t>(imm),
            IsCube::get(imm) != 0,
            IsAtomic::get(imm) != 0,
            IsSymmetric::get(imm) != 0};
  }
};

/// A query about an image.
struct ImageQuery {
  enum class What : std::uint8_t {
    kSize,  ///< texels of the level in `dimension`
    kLayers,
    kFormat,  ///< SPIR-V's Image Channel Data Type
    kOrder,   ///< SPIR-V's Image Channel Order
    kLevels,
    kSamples,
  };
  What what{};
  std::uint8_t dimension = 0;
  /// Shape of the image's type, as in ImageOperation. An image of another shape answers 0.
  std::uint8_t dimensions = 2;
  bool arrayed = false;

  using Asks = BitField<0, 8>;
  using Dimension = BitField<8, 8>;
  using Dimensions = BitField<16, 8>;
  using Arrayed = BitField<24, 1>;

  [[gnu::always_inline]] std::uint64_t encode() const {
    return Asks::put(what) | Dimension::put(dimension) | Dimensions::put(dimensions) |
           Arrayed::put(arrayed);
  }
  [[gnu::always_inline]] static ImageQuery decode(std::uint64_t imm) {
    return {Asks::as<What>(imm), Dimension::as<std::uint8_t>(imm),
            Dimensions::as<std::uint8_t>(imm), Arrayed::get(imm) != 0};
  }
};

/// The event that AnnounceOrder announces: the next access of each running lane, which is atomic; the
/// next barrier of the batch; the meeting of the running sub-groups here; or only a fence.
enum class OrderOf : std::uint8_t { kFence, kAtomic, kBarrier, kSubgroupBarrier };

/// Rounding of the ops that round.
[[gnu::always_inline]] constexpr Rounding rounding_of(std::uint64_t imm) {
  return static_cast<Rounding>(imm);
}

}  // namespace transpire::vm
