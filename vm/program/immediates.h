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

/// What a check of a condition reports where it holds.
struct RuleCheck {
  std::uint16_t rule = 0;    ///< a Rule
  std::uint32_t remark = 0;  ///< of a lir::Value: 1 + index into Function::remarks; 0: none

  [[gnu::always_inline]] std::uint64_t encode() const {
    return std::uint64_t{rule} | std::uint64_t{remark} << 32;
  }
  [[gnu::always_inline]] static RuleCheck decode(std::uint64_t imm) {
    return {static_cast<std::uint16_t>(imm & 0xffff), static_cast<std::uint32_t>(imm >> 32)};
  }
};

/// Of the ops that round.
[[gnu::always_inline]] constexpr Rounding rounding_of(std::uint64_t imm) {
  return static_cast<Rounding>(imm);
}

}  // namespace transpire::vm
