// Sizes, alignments and offsets of types.
//
// OpenCL's rules (OpenCL C 2.0, "Alignment of Types" and "Vector Data Types"): a vector is as large and as aligned as its components
// together, with three counting as four; structs are laid out as in C, without padding when CPacked.
//
// Vulkan's rules: a vector is as large as its components together and as aligned as one of them ("Offset and Stride Assignment",
// scalar alignment). Offset and ArrayStride say where members and elements are, in types that have these decorations.
#include <algorithm>

#include "decoder/context.h"
#include "decoder/execution_models.h"
#include "decoder/opaque_types.h"

namespace transpire::decoder {
namespace {

std::uint64_t rounded_up(std::uint64_t size, std::uint64_t align) {
  return (size + align - 1) / align * align;
}

MemoryLayout layout_of(const Module& module) { return row_of(module.memory_model).layout; }

void set_layout(Type& type, std::uint64_t size_bytes, std::uint64_t align_bytes) {
  type.size_bytes = size_bytes;
  type.align_bytes = align_bytes;
}

/// The operand of ArrayStride; `otherwise` for types without it, and for kernels, where it means nothing.
std::uint64_t stride_of(const Module& module, const Type& type, std::uint64_t otherwise) {
  if (layout_of(module) == MemoryLayout::kOpenCL) return otherwise;
  const Decoration* const stride = module.decoration(type.id, spv::Decoration::ArrayStride);
  return stride == nullptr || stride->operands.empty() ? otherwise : stride->operands[0];
}

bool lay_out_array(const Module& module, Type& type) {
  type.stride_bytes = stride_of(module, type, type.element->size_bytes);
  if (type.stride_bytes < type.element->size_bytes) return false;
  // Elements without size count as bytes: consumers walk them all the same.
  if (type.count > kMaxTypeBytes / std::max<std::uint64_t>(type.stride_bytes, 1)) return false;
  set_layout(type, type.stride_bytes * type.count, type.element->align_bytes);
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

/// By the Offset decorations of its members; false if no member has one.
bool lay_out_by_offsets(const Module& module, Type& type) {
  std::vector<std::uint64_t> offsets(type.members.size());
  bool has_offsets = false;
  for (const Decoration& each : module.decorations(type.id)) {
    if (each.kind != spv::Decoration::Offset || each.member >= offsets.size() ||
        each.operands.empty())
      continue;
    offsets[each.member] = each.operands[0];
    has_offsets = true;
  }
  if (!has_offsets) return false;
  std::uint64_t size = 0, align = 1;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    size = std::max(size, offsets[i] + type.members[i]->size_bytes);
    align = std::max(align, type.members[i]->align_bytes);
  }
  type.member_offsets = std::move(offsets);
  set_layout(type, size, align);
  return true;
}

}  // namespace

bool lay_out(Type& type, const Module& module) {
  const bool is_opencl = layout_of(module) == MemoryLayout::kOpenCL;
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
      type.stride_bytes = type.element->size_bytes;
      const std::uint64_t count = is_opencl && type.count == 3 ? 4 : type.count;
      const std::uint64_t size = type.element->size_bytes * count;
      set_layout(type, size, is_opencl ? size : type.element->align_bytes);
      return true;
    }
    case Type::Kind::kArray:
      return lay_out_array(module, type);
    case Type::Kind::kStruct:
      return (!is_opencl && lay_out_by_offsets(module, type)) || lay_out_struct(type);
    default:
      break;
  }
  if (type.kind == Type::Kind::kPointer)
    type.stride_bytes =
        stride_of(module, type, type.element == nullptr ? 0 : type.element->size_bytes);
  // Pointers, and the handles of objects, which may be stored in private variables.
  const OpaqueType* const opaque = opaque_type(type.kind);
  if (opaque != nullptr && !opaque->has_size && (is_opencl || opaque->value_bytes == 0))
    set_layout(type, 0, 1);
  else
    set_layout(type, module.pointer_bytes() * (opaque != nullptr ? opaque->values : 1),
               module.pointer_bytes());
  return true;
}

}  // namespace transpire::decoder
