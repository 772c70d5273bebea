// The table of opaque types: what the decoder, the builder, descriptions of modules and the validator want to know of a
// type whose values are handles. The rows are in decoder/opaque_types.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "decoder/module.h"

namespace transpire::decoder {

/// What the OpenCL environment specification says of a kernel's argument of a type.
enum class AsArgument : std::uint8_t {
  kUnlisted,  ///< it is none of the types that arguments may have
  kExcluded,  ///< likewise, and from 2.0 on forbidden by name
  kAllowed,
};

struct OpaqueType {
  spv::Op op;
  Type::Kind kind;
  std::string_view noun;  ///< in messages: "a parameter of event type"
  std::string_view
      spelling{};  ///< in OpenCL C; empty: the decoder puts it together (decoder/spell.cpp)
  /// Of a handle in the VM's registers; memory has as many of its lower bits as a pointer has. 0: the VM has no such values,
  /// and refuses kernels that do.
  std::uint32_t value_bytes = 0;
  std::uint32_t values = 1;  ///< handles of so many bytes
  /// A kernel takes what is allowed and has values here, as a value of a handle's bytes.
  AsArgument as_argument = AsArgument::kUnlisted;
  bool may_be_null = false;  ///< OpConstantNull may have the type
  bool has_size = true;      ///< variables and members may be of the type
  bool has_access = false;   ///< Type::access is its access qualifier
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

/// Null of other types.
constexpr const OpaqueType* opaque_type(Type::Kind kind) {
  for (const OpaqueType& type : kOpaqueTypes)
    if (type.kind == kind) return &type;
  return nullptr;
}

/// Null of other instructions.
constexpr const OpaqueType* opaque_type(spv::Op op) {
  for (const OpaqueType& type : kOpaqueTypes)
    if (type.op == op) return &type;
  return nullptr;
}

/// Whether the VM has values of the type.
constexpr bool has_handles(Type::Kind kind) {
  const OpaqueType* const type = opaque_type(kind);
  return type != nullptr && type->value_bytes != 0;
}

}  // namespace transpire::decoder
