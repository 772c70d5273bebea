// Side data of instructions that print, and of stores whose results are recorded.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "vm/ops/op.h"
#include "vm/program/instruction.h"
#include "vm/program/printf_format.h"
#include "vm/program/source.h"

namespace transpire::vm {

/// The promise of an access about its bytes to other work-items, by the Vulkan memory model (races/availability.h).
struct Sharing {
  enum class Kind : std::uint8_t {
    kAny,         ///< the model asks for no promise: kernels, atomics, images
    kShared,      ///< NonPrivatePointer, or memory that is Coherent
    kPrivate,     ///< without NonPrivatePointer
    kIncoherent,  ///< GLSL450: a buffer's memory that is not Coherent
  };
  static constexpr std::uint8_t kNoScope = 15;
  Kind kind : 4;
  /// The spv::Scope to which it makes a store available, or of which it makes stores visible.
  std::uint8_t scope : 4;

  constexpr Sharing(Kind of = Kind::kAny, std::uint8_t made_for = kNoScope)
      : kind(of), scope(made_for & 15) {}
  friend bool operator==(const Sharing&, const Sharing&) = default;
};

/// One printf call's constants.
struct PrintfInfo {
  std::vector<PrintfPiece> pieces;
  struct Argument {
    Kind kind;  ///< kind of a component
    std::uint32_t components = 1;
    bool is_string = false;  ///< a constant string: `text`, no operand values
    std::string text;
    bool is_pointer = false;
  };
  std::vector<Argument> arguments;  ///< operands stand in order, components in a row
  /// The first operand is the format's address, and there are no pieces.
  bool reads_format = false;
  /// The format and strings of %s may be in memory that can be written.
  bool strings_anywhere = false;

  /// True if it reads strings of which lowering knows only the address.
  bool reads_memory() const {
    return reads_format || std::ranges::any_of(arguments, [](const Argument& argument) {
             return argument.is_pointer && !argument.is_string;
           });
  }
};

/// The constants of an instruction of device-side enqueue.
struct EnqueueInfo {
  /// OpEnqueueKernel, operands behind its fixed ones: the block's address and bytes, the
  /// dimensions, the global offset, size and the local size, three each.
  static constexpr std::uint32_t kBlock = 5, kBlockBytes = 6, kDimensions = 7, kOffset = 8,
                                 kGlobal = 11, kLocal = 14, kLocalSizes = 17;

  /// Scalars of an ND-range, as they stand from kDimensions on.
  static constexpr std::uint32_t kRangeScalars = kLocalSizes - kDimensions;
  /// Bytes of each of the two times that a capture writes.
  static constexpr std::uint32_t kTimeBytes = 8;

  Id function = 0;                ///< that is to run
  std::uint32_t local_sizes = 0;  ///< operands from kLocalSizes on
  std::uint32_t event_bytes = 8;  ///< bytes of an event in memory
  /// Spaces of pointers to the wait list, to the event (for a capture, to its times) and to the
  /// block, as in Access.
  std::uint8_t wait_space = kGenericSpace, event_space = kGenericSpace, block_space = kGenericSpace;
};

/// An operation that may have made a stored value, at least its last step. The results that other
/// implementations may give depend on it (runtime/result_log.h).
struct ResultOrigin {
  /// Numbers that OpenCL.std does not have: OpDot, and a sum of which another implementation may fuse
  /// a product where only the sum is known.
  static constexpr std::uint16_t kDot = 0xfffe, kFused = 0xffff;
  /// The function of OpenCL.std, counted from 1; or one of the above; 0: see `op`.
  std::uint16_t function = 0;
  Op op = Op::kConst;      ///< Load: the value was read, not computed
  Kind kind = Kind::kF32;  ///< kind that the operation rounded to
  /// The bounds that are recorded hold both the fused result and the one of two roundings.
  bool fused_known = false;

  friend auto operator<=>(const ResultOrigin&, const ResultOrigin&) = default;
};

/// A store whose results are recorded, with the possible origins of its value, in ascending order.
struct ResultSite {
  std::vector<ResultOrigin> origins;
};

/// The origin of an undefined value (vm/passes/track_undefined.h).
struct UndefinedOrigin {
  enum class What : std::uint8_t {
    kValue,     ///< an OpUndef: `source`
    kVariable,  ///< a private variable that has no initializer, or begins to live; `source` is its
                ///< place
    kMemory,    ///< memory that nothing wrote
  };
  What what = What::kValue;
  std::uint32_t source = 0;  ///< index into Program::sources
  std::uint32_t number = 0;  ///< kVariable: the private variable
  std::uint32_t began = 0;   ///< kVariable: begin of its life, index into Program::sources

  friend auto operator<=>(const UndefinedOrigin&, const UndefinedOrigin&) = default;
};

/// A check or store of a value, with the possible origins if it is undefined.
struct UndefinedUse {
  enum class What : std::uint8_t { kBranch, kSwitch, kAddress, kSize, kDivisor, kStore, kOperand };
  What what = What::kOperand;
  /// CheckStored: number of checked bytes behind its address. AsyncCopy of shadows: bytes of each
  /// element if the host may see its target, else 0.
  std::uint32_t bytes = 0;
  std::int64_t offset = 0;
  std::vector<UndefinedOrigin> origins{};  ///< from values, and from variables that were promoted
  std::vector<std::uint32_t> loads{};      ///< indexes into Program::undefined_loads
  /// The loads whose values a loop passes on to its next rounds.
  std::vector<std::uint32_t> carried{};
};

/// An access of shadows, with its note if it meets undefined bits: by component, for loads an index
/// into Program::undefined_loads, for stores into Program::undefined_uses.
struct UndefinedAccess {
  static constexpr std::uint32_t kNothing = 0xffffffffu;
  bool is_store = false;
  std::vector<std::uint32_t> components;
};

}  // namespace transpire::vm
