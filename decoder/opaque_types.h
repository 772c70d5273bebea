// The table of opaque types, whose values are handles: facts for the decoder, the builder,
// descriptions of modules and the validator. decoder/opaque_types.def has the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "decoder/module.h"

namespace transpire::decoder {

/// The OpenCL environment specification's rule about kernel arguments of a type.
enum class AsArgument : std::uint8_t {
  kUnlisted,  ///< not among the types that arguments may have
  kExcluded,  ///< not among them, and forbidden by name from 2.0 on
  kAllowed,
};

struct OpaqueType {
  spv::Op op;
  Type::Kind kind;
  std::string_view noun;        ///< in messages: "a parameter of event type"
  std::string_view spelling{};  ///< in OpenCL C; empty: decoder/spell.cpp composes it
  /// Size of a handle in the VM's registers; in memory it has the lower bits that a pointer has
  /// room for. 0: the VM has no such values and refuses kernels that use them.
  std::uint32_t value_bytes = 0;
  std::uint32_t values = 1;  ///< number of such handles that make a value
  /// A kernel accepts an argument that is allowed and has values in the VM.
  AsArgument as_argument = AsArgument::kUnlisted;
  bool may_be_null = false;  ///< OpConstantNull may have the type
  bool has_size =
      true;  ///< variables and members may be of the type; with handles, shaders' may anyhow
  bool has_access = false;  ///< Type::access is its access qualifier
};

inline constexpr OpaqueType kOpaqueTypes[] = {
#define TRANSPIRE_OPAQUE_TYPE(name, ...) \
  {.op = spv::Op::OpType##name, .kind = Type::Kind::k##name, __VA_ARGS__},
#include "decoder/opaque_types.def"
#undef TRANSPIRE_OPAQUE_TYPE
};

static_assert(std::size(kOpaqueTypes) == static_cast<std::size_t>(Type::Kind::kSampledImage) -
                                             static_cast<std::size_t>(Type::Kind::kFunction),
              "each kind behind kFunction has a row");

/// Null for other types.
constexpr const OpaqueType* opaque_type(Type::Kind kind) {
  for (const OpaqueType& type : kOpaqueTypes)
    if (type.kind == kind) return &type;
  return nullptr;
}

/// Null for other instructions.
constexpr const OpaqueType* opaque_type(spv::Op op) {
  for (const OpaqueType& type : kOpaqueTypes)
    if (type.op == op) return &type;
  return nullptr;
}

/// True if the VM has values of the type.
constexpr bool has_handles(Type::Kind kind) {
  const OpaqueType* const type = opaque_type(kind);
  return type != nullptr && type->value_bytes != 0;
}

}  // namespace transpire::decoder
