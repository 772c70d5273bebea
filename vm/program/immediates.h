// What Value::imm and Inst::imm carry where a column of the op tables (vm/ops/signature.h, Imm) says more than
// a number: written and read here alone. Always inline: handlers of several instruction sets read them.
#pragma once

#include <cstdint>

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

/// What a group instruction does, besides its operands.
struct GroupOperation {
  /// Work-items of a sub-group, or of one of its clusters; a power of two, at most 64. 0: the
  /// instruction concerns the work-group.
  std::uint32_t size = 0;
  bool uniform = false;  ///< of a sub-group: all of it must be there, else finding R0041
  bool checked = false;  ///< --check=sync: findings R0045, R0047
  Combine combine{};
  Scan scan{};
  Kind kind = Kind::kI32;  ///< of the values

  [[gnu::always_inline]] std::uint64_t encode() const {
    return std::uint64_t{size} | std::uint64_t{uniform} << 8 | std::uint64_t{checked} << 9 |
           static_cast<std::uint64_t>(combine) << 16 | static_cast<std::uint64_t>(scan) << 24 |
           static_cast<std::uint64_t>(kind) << 32;
  }
  [[gnu::always_inline]] static GroupOperation decode(std::uint64_t imm) {
    return {static_cast<std::uint32_t>(imm & 0xff),
            (imm >> 8 & 1) != 0,
            (imm >> 9 & 1) != 0,
            static_cast<Combine>(imm >> 16 & 0xff),
            static_cast<Scan>(imm >> 24 & 0xff),
            static_cast<Kind>(imm >> 32 & 0xff)};
  }
};

/// What a wait for events does, besides its operands.
struct WaitOperation {
  std::uint32_t event_bytes = 8;
  bool checked = false;  ///< --check=sync: finding R0045

  [[gnu::always_inline]] std::uint64_t encode() const {
    return std::uint64_t{event_bytes} | std::uint64_t{checked} << 8;
  }
  [[gnu::always_inline]] static WaitOperation decode(std::uint64_t imm) {
    return {static_cast<std::uint32_t>(imm & 0xff), (imm >> 8 & 1) != 0};
  }
};

/// What a check for copies that are not finished is told: finding R0042.
struct CopyCheck {
  std::uint64_t bytes = 0;  ///< of the access; below 2^63
  bool writes = false;

  [[gnu::always_inline]] std::uint64_t encode() const { return bytes << 1 | std::uint64_t{writes}; }
  [[gnu::always_inline]] static CopyCheck decode(std::uint64_t imm) {
    return {imm >> 1, (imm & 1) != 0};
  }
};

/// Of a check whether memory is reached through restrict pointers alone: finding R0036.
struct AliasCheck {
  bool writes = false;
  /// 1 + index of the parameter that the pointer comes from; 0: it is not known.
  std::uint32_t parameter = 0;

  [[gnu::always_inline]] std::uint64_t encode() const {
    return std::uint64_t{writes} | std::uint64_t{parameter} << 32;
  }
  [[gnu::always_inline]] static AliasCheck decode(std::uint64_t imm) {
    return {(imm & 1) != 0, static_cast<std::uint32_t>(imm >> 32)};
  }
};

/// What a check of a condition reports where it holds.
struct RuleCheck {
  std::uint16_t rule = 0;        ///< a Rule
  std::uint32_t remark = 0;      ///< of a lir::Value: 1 + index into Function::remarks; 0: none
  std::uint8_t signed_told = 0;  ///< as of a Site
  std::uint8_t components = 1;   ///< of an operand that it tells of

  [[gnu::always_inline]] std::uint64_t encode() const {
    return std::uint64_t{rule} | std::uint64_t{signed_told} << 16 |
           std::uint64_t{components} << 24 | std::uint64_t{remark} << 32;
  }
  [[gnu::always_inline]] static RuleCheck decode(std::uint64_t imm) {
    return {static_cast<std::uint16_t>(imm & 0xffff), static_cast<std::uint32_t>(imm >> 32),
            static_cast<std::uint8_t>(imm >> 16 & 0xff),
            static_cast<std::uint8_t>(imm >> 24 & 0xff)};
  }
};

/// What a pipe instruction does, besides its operands.
struct PipeOperation {
  GroupOperation group{};  ///< of a group's
  bool writes = false;     ///< the end that it is of, else the one that reads
  bool capacity = false;   ///< of a query: what the pipe has room for

  [[gnu::always_inline]] std::uint64_t encode() const {
    return group.encode() | std::uint64_t{writes} << 48 | std::uint64_t{capacity} << 49;
  }
  [[gnu::always_inline]] static PipeOperation decode(std::uint64_t imm) {
    return {GroupOperation::decode(imm), (imm >> 48 & 1) != 0, (imm >> 49 & 1) != 0};
  }
};

/// What an image instruction does. Operands behind the handles, in this order: coordinates (`dimensions`, then
/// the layer of an array), what `detail` says, the sample, the components of a texel to write.
struct ImageOperation {
  enum class Detail : std::uint8_t {
    kNone,
    kLevel,      ///< one: the level; of a sample a float, the level of detail
    kGradients,  ///< for each dimension in x, then in y
  };
  /// What integers the instruction says that the format has (image operands SignExtend and ZeroExtend).
  enum class Sign : std::uint8_t { kUnknown, kSigned, kUnsigned };
  std::uint8_t dimensions = 2;  ///< 1 to 3
  bool arrayed = false;
  bool float_coordinates = false;
  bool has_sample = false;
  Detail detail = Detail::kNone;
  std::uint8_t components = 4;  ///< of a texel that is read or written; of depth images 1
  Kind kind = Kind::kF32;       ///< of these
  bool writes = false;
  bool handles_two = false;  ///< image and sampler, else the image
  Sign sign = Sign::kUnknown;
  bool watches_fences = false;  ///< of a read-write image, with --check=sync
  bool checks_use =
      false;  ///< with --check=ub: samplers and texels, and who else accesses them, are looked at
  bool may_race = false;  ///< of an image that the kernel may write, with --check=race

  [[gnu::always_inline]] std::uint32_t coordinates() const {
    return std::uint32_t{dimensions} + (arrayed ? 1 : 0);
  }
  [[gnu::always_inline]] std::uint32_t details() const {
    return detail == Detail::kNone    ? 0
           : detail == Detail::kLevel ? 1
                                      : std::uint32_t{dimensions} * 2;
  }
  [[gnu::always_inline]] std::uint32_t handles() const { return handles_two ? 2 : 1; }
  [[gnu::always_inline]] std::uint32_t first_detail() const { return handles() + coordinates(); }
  [[gnu::always_inline]] std::uint32_t first_component() const {
    return first_detail() + details() + (has_sample ? 1 : 0);
  }
  [[gnu::always_inline]] std::uint32_t operands() const {
    return first_component() + (writes ? components : 0);
  }
  /// The kind of operand i.
  [[gnu::always_inline]] Kind operand(std::uint32_t i) const {
    if (i < handles()) return Kind::kI64;
    if (i < first_detail()) return float_coordinates ? Kind::kF32 : Kind::kI32;
    if (i < first_detail() + details()) return handles_two ? Kind::kF32 : Kind::kI32;
    return i < first_component() ? Kind::kI32 : kind;
  }

  [[gnu::always_inline]] std::uint64_t encode() const {
    return std::uint64_t{dimensions} | std::uint64_t{arrayed} << 4 |
           std::uint64_t{float_coordinates} << 5 | std::uint64_t{has_sample} << 6 |
           std::uint64_t{writes} << 7 | static_cast<std::uint64_t>(detail) << 8 |
           std::uint64_t{components} << 12 | static_cast<std::uint64_t>(kind) << 16 |
           std::uint64_t{handles_two} << 24 | static_cast<std::uint64_t>(sign) << 25 |
           std::uint64_t{watches_fences} << 27 | std::uint64_t{checks_use} << 28 |
           std::uint64_t{may_race} << 29;
  }
  [[gnu::always_inline]] static ImageOperation decode(std::uint64_t imm) {
    return {static_cast<std::uint8_t>(imm & 0xf),
            (imm >> 4 & 1) != 0,
            (imm >> 5 & 1) != 0,
            (imm >> 6 & 1) != 0,
            static_cast<Detail>(imm >> 8 & 0xf),
            static_cast<std::uint8_t>(imm >> 12 & 0xf),
            static_cast<Kind>(imm >> 16 & 0xff),
            (imm >> 7 & 1) != 0,
            (imm >> 24 & 1) != 0,
            static_cast<Sign>(imm >> 25 & 3),
            (imm >> 27 & 1) != 0,
            (imm >> 28 & 1) != 0,
            (imm >> 29 & 1) != 0};
  }
};

/// What a query asks of an image.
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
  /// Of the image's type, as an ImageOperation has them. An image of another shape answers 0.
  std::uint8_t dimensions = 2;
  bool arrayed = false;

  [[gnu::always_inline]] std::uint64_t encode() const {
    return static_cast<std::uint64_t>(what) | std::uint64_t{dimension} << 8 |
           std::uint64_t{dimensions} << 16 | std::uint64_t{arrayed} << 24;
  }
  [[gnu::always_inline]] static ImageQuery decode(std::uint64_t imm) {
    return {static_cast<What>(imm & 0xff), static_cast<std::uint8_t>(imm >> 8 & 0xff),
            static_cast<std::uint8_t>(imm >> 16 & 0xff), (imm >> 24 & 1) != 0};
  }
};

/// Of TellOrder: the next access of each running lane, which is atomic; the barrier that the batch comes to next; the
/// running sub-groups, which meet here; or, as a fence, nothing else.
enum class OrderOf : std::uint8_t { kFence, kAtomic, kBarrier, kSubgroupBarrier };

/// Of the ops that round.
[[gnu::always_inline]] constexpr Rounding rounding_of(std::uint64_t imm) {
  return static_cast<Rounding>(imm);
}

}  // namespace transpire::vm
