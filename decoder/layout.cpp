// Sizes, alignments and offsets of types. OpenCL's rules (OpenCL C 2.0, "Alignment of Types" and "Vector Data
// Types"): a vector is as large and as aligned as its components together, with three counting as
// four; structs are laid out as in C, without padding when CPacked.
#include <algorithm>

#include "decoder/context.h"
#include "decoder/execution_models.h"
#include "decoder/opaque_types.h"

namespace transpire::decoder {
namespace {

std::uint64_t rounded_up(std::uint64_t size, std::uint64_t align) {
  return (size + align - 1) / align * align;
}

void set_layout(Type& type, std::uint64_t size_bytes, std::uint64_t align_bytes) {
  type.size_bytes = size_bytes;
  type.align_bytes = align_bytes;
}

bool lay_out_array(Type& type) {
  const std::uint64_t element_bytes = type.element->size_bytes;
  // Elements without size count as bytes: consumers walk them all the same.
  if (type.count > kMaxTypeBytes / std::max<std::uint64_t>(element_bytes, 1)) return false;
  set_layout(type, element_bytes * type.count, type.element->align_bytes);
  return true;
}

bool lay_out_struct(Type& type) {
  std::uint64_t offset = 0;
  std::uint64_t align = 1;
  type.member_offsets.clear();
  for (const Type* member : type.members) {
    const std::uint64_t member_align = type.packed ? 1 : member->align_bytes;
    offset = rounded_up(offset, member_align);
    type.member_offsets.push_back(offset);
    offset += member->size_bytes;
    align = std::max(align, member_align);
    if (offset > kMaxTypeBytes) return false;
  }
  set_layout(type, rounded_up(offset, align), align);
  return true;
}

/// OpenCL's rules.
bool lay_out_for_opencl(Type& type, std::uint32_t pointer_bytes) {
  switch (type.kind) {
    case Type::Kind::kVoid:
    case Type::Kind::kFunction:
      set_layout(type, 0, 1);
      return true;
    case Type::Kind::kBool:
      set_layout(type, 1, 1);
      return true;
    case Type::Kind::kInt:
    case Type::Kind::kFloat:
      set_layout(type, type.width_bits / 8, type.width_bits / 8);
      return true;
    case Type::Kind::kVector: {
      const std::uint64_t size = type.element->size_bytes * (type.count == 3 ? 4 : type.count);
      set_layout(type, size, size);
      return true;
    }
    case Type::Kind::kArray:
      return lay_out_array(type);
    case Type::Kind::kStruct:
      return lay_out_struct(type);
    default:
      break;
  }
  // Pointers, and the handles of OpenCL objects, which may be stored in private variables.
  const OpaqueType* const opaque = opaque_type(type.kind);
  if (opaque != nullptr && !opaque->has_size)
    set_layout(type, 0, 1);
  else
    set_layout(type, pointer_bytes, pointer_bytes);
  return true;
}

}  // namespace

bool lay_out(Type& type, const Module& module) {
  switch (row_of(module.memory_model).layout) {
    case MemoryLayout::kOpenCL:
      return lay_out_for_opencl(type, module.pointer_bytes());
  }
  return false;
}

}  // namespace transpire::decoder
