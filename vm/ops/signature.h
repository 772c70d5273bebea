// The operands of an op: a column of the op tables, read by the verifier, the printer and
// instruction selection.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace transpire::vm {

/// The kind of an operand.
enum class Takes : std::uint8_t {
  kSame,      ///< the result's, Value::kind
  kFrom,      ///< Value::from
  kAccessed,  ///< that of a component of the access that imm names
  kBool,
  kI32,
  kI64,
};

struct Signature {
  enum class Rest : std::uint8_t {
    kNone,
    kAny,         ///< any number of kSame
    kOfAnyKind,   ///< any number of any kind
    kComponents,  ///< kAccessed, one for each component of the access
  };
  std::array<Takes, 5> fixed{};
  std::uint8_t count = 0;  ///< number of entries of `fixed`
  std::uint8_t indexes =
      0;  ///< maximum number of index parts that follow: i64, or i32 if Value::extend says so
  Rest rest = Rest::kNone;

  constexpr bool has(Takes what) const {
    for (std::size_t i = 0; i < count; ++i)
      if (fixed[i] == what) return true;
    return what == Takes::kAccessed && rest == Rest::kComponents;
  }
};

template <class... T>
constexpr Signature takes(T... kinds) {
  return {{kinds...}, sizeof...(T), 0, Signature::Rest::kNone};
}
/// Operands of one kind, or of any.
constexpr Signature takes_any(Signature::Rest rest = Signature::Rest::kAny) {
  return {{}, 0, 0, rest};
}
/// This many handles, then the operands that imm names (ImageOperation::operand).
constexpr Signature takes_handles(std::uint8_t handles) {
  return {{Takes::kI64, Takes::kI64}, handles, 0, Signature::Rest::kOfAnyKind};
}
/// The operands of a check, then values that only its finding reports: no handler reads these.
template <class... T>
constexpr Signature takes_and_tells(T... kinds) {
  return {{kinds...}, sizeof...(T), 0, Signature::Rest::kOfAnyKind};
}
/// Fixed operands, then further ones by imm (vm/program/sites.h).
template <class... T>
constexpr Signature takes_and_more(T... kinds) {
  return takes_and_tells(kinds...);
}
/// An address, up to `indexes` parts of its index, then `rest`.
constexpr Signature takes_place(std::uint8_t indexes,
                                Signature::Rest rest = Signature::Rest::kNone) {
  return {{Takes::kI64}, 1, indexes, rest};
}

/// The type of an op's Value::imm; other text about it in the .def row is for people.
enum class Imm : std::uint8_t {
  kNone,
  kBits,        ///< bits of a constant
  kNumber,      ///< a variable, component, space or count
  kDimension,   ///< a dimension of a launch, 0 to 2
  kRounding,    ///< a Rounding
  kAccess,      ///< index into Function::mem
  kCopy,        ///< index into Function::mem, for a copy: its `space` is the target's
  kPrintf,      ///< index into Function::printfs
  kGroup,       ///< a GroupOperation
  kProduct,     ///< a ProductOperation
  kWait,        ///< a WaitOperation
  kCopyCheck,   ///< a CopyCheck
  kRuleCheck,   ///< a RuleCheck
  kAliasCheck,  ///< an AliasCheck
  kImage,       ///< an ImageOperation
  kQuery,       ///< an ImageQuery
  kPipe,        ///< a PipeOperation
  kEnqueue,     ///< index into Function::enqueues
  kOpcode,      ///< an opcode of SPIR-V
};

}  // namespace transpire::vm
