// ObjectPlace: where a pointer leads, as far as the types of the module say: into which object, how far behind its begin.
// With --check=uninit a store is compared with it: a word that is wider than the members there is a copy of a struct, and
// of a copy the padding need not be defined.
#pragma once

#include <cstdint>

#include "vm/build/names.h"

namespace transpire::vm::builder {

/// True if pointers to the type say where objects are: those to numbers and vectors are what copies go through, too.
inline bool holds_objects(const Type& type) {
  return type.kind == Type::Kind::kStruct || type.kind == Type::Kind::kArray;
}

/// Offset into one of a row of such objects, in bytes modulo the object's size.
struct ObjectPlace {
  const Type* object = nullptr;  ///< null: nothing is known
  std::uint64_t offset = 0;
  bool is_cast = false;  ///< the pointer was cast, and its type says nothing of the object
  bool is_anywhere =
      false;  ///< it went through an object by other steps than the object's own: `offset` says nothing

  /// The place `bytes` further on.
  ObjectPlace after(std::int64_t bytes) const {
    return {object, offset + static_cast<std::uint64_t>(bytes), is_cast, is_anywhere};
  }
  /// Behind any number of steps of `stride` bytes from one `element` to another.
  ObjectPlace after_steps(std::uint64_t stride, const Type& element) const;
  /// True if one of the type begins there, or all of the object is one.
  bool leads_to(const Type& type) const;
};

/// Bytes that a store writes, beside the types that are there.
struct StoredBytes {
  std::uint64_t padding = 0;  ///< bits that are padding
  /// They are no scalar of the object's, but several or parts of some, or lie in a union: who moves them as they are copies it.
  bool may_be_copied = false;
};

/// Describes the bytes behind a place, at most eight.
StoredBytes stored_bytes(const ObjectPlace& place, std::uint64_t bytes);

}  // namespace transpire::vm::builder
