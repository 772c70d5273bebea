#include "vm/build/types.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/narrow.h"
#include "decoder/opaque_types.h"
#include "vm/build/ops.h"

namespace transpire::vm::builder {
namespace {

constexpr std::uint64_t kMaxVector = 16;
constexpr unsigned kMaxDepth = 256;

std::optional<Kind> int_kind(std::uint32_t width) {
  if (width != 8 && width != 16 && width != 32 && width != 64) return std::nullopt;
  return int_of_width(width);
}

std::optional<Kind> float_kind(std::uint32_t width) {
  switch (width) {
    case 16:
      return Kind::kF16;
    case 32:
      return Kind::kF32;
    case 64:
      return Kind::kF64;
    default:
      return std::nullopt;
  }
}

}  // namespace

/// Made once a type, so that types which share parts cost no more than their own size.
const Layout& Types::layout(const Type& type) {
  const auto [entry, is_new] = layouts_.try_emplace(&type);
  Layout& out = entry->second;
  if (!is_new || refusals_.failed()) return out;
  budget_.take(cost::kBinding);
  if (++layout_depth_ > kMaxDepth)
    refusals_.refuse(Rule::kU0007, fmt::format("a value nested more than {} deep", kMaxDepth));
  if (type.kind == Type::Kind::kArray) {
    append_elements(type, out);
  } else if (type.kind == Type::Kind::kStruct) {
    for (std::size_t i = 0; i < type.members.size() && !refusals_.failed(); ++i)
      append(*type.members[i], type.member_offsets[i], type.packed, out);
  } else if (type.kind != Type::Kind::kVoid) {
    append_leaf(type, out);
  }
  --layout_depth_;
  return out;
}

/// Appends a component that stands at `offset`; inside a CPacked struct nothing is aligned.
void Types::append(const Type& type, std::uint64_t offset, bool packed, Layout& out) {
  const Layout& part = layout(type);
  if (refusals_.failed()) return;
  out.scalars += part.scalars;
  if (out.scalars > kMaxComponents)
    return refusals_.refuse(Rule::kU0007,
                            fmt::format("a value of more than {} scalars", kMaxComponents));
  if (out.scalars > kMaxApart) return keep_in_memory(out);
  budget_.take(part.kinds.size() * cost::kComponent + part.leaves.size() * sizeof(Leaf));
  budget_.work(part.kinds.size() + 1);
  out.kinds.insert(out.kinds.end(), part.kinds.begin(), part.kinds.end());
  for (Leaf leaf : part.leaves) {
    leaf.offset += offset;
    if (packed) leaf.align_bytes = 1;
    out.leaves.push_back(leaf);
  }
}

void Types::keep_in_memory(Layout& out) {
  out.in_memory = true;
  out.kinds = {Kind::kI64};
  out.leaves.clear();
}

void Types::append_elements(const Type& type, Layout& out) {
  if (!refusals_.expect(type.element != nullptr, "an array has no element type")) return;
  if (layout(*type.element).kinds.empty()) return;
  if (type.is_cooperative_matrix() && type.count > kMaxApart)
    return refusals_.refuse(
        Rule::kU0007,
        fmt::format("a value of type {} with {} components in each work-item: at most {} are "
                    "supported, and larger sub-groups have fewer",
                    decoder::spell(type), type.count, kMaxApart));
  const std::uint64_t scalars = layout(*type.element).scalars;
  if (type.count > kMaxComponents / scalars)
    return refusals_.refuse(Rule::kU0007, fmt::format("a value of type {}", decoder::spell(type)));
  if (type.count * scalars > kMaxApart) {
    out.scalars = type.count * scalars;
    return keep_in_memory(out);
  }
  for (std::uint64_t i = 0; i < type.count && !refusals_.failed(); ++i)
    append(*type.element, i * type.stride_bytes, false, out);
}

void Types::append_leaf(const Type& type, Layout& out) {
  const bool is_vector = type.kind == Type::Kind::kVector;
  const Type& element = is_vector && type.element != nullptr ? *type.element : type;
  const Kind kind = scalar_kind(element);
  if (!refusals_.expect(!is_vector || type.count <= kMaxVector, "a vector has too many components"))
    return;
  Leaf leaf;
  const decoder::OpaqueType* const opaque = decoder::opaque_type(type.kind);
  leaf.components = is_vector           ? narrow<std::uint32_t>(type.count)
                    : opaque != nullptr ? opaque->values
                                        : 1;
  leaf.align_bytes = narrow<std::uint32_t>(type.align_bytes);
  leaf.is_pointer =
      element.kind == Type::Kind::kPointer || (opaque != nullptr && opaque->value_bytes != 0);
  if (element.kind == Type::Kind::kPointer && is_addressable(element))
    leaf.space = space_of(element);
  leaf.kind = leaf.is_pointer && request_.physical32() ? Kind::kI32 : kind;
  if (is_vector && type.is_strided_vector()) return append_strided(leaf, type, out);
  out.leaves.push_back(leaf);
  out.kinds.insert(out.kinds.end(), leaf.components, kind);
  out.scalars = leaf.components;
}

bool Types::same_layout(const Type& left, const Type& right) {
  if (&left == &right) return true;
  budget_.work(left.members.size() + 1);
  if (left.kind != right.kind || left.size_bytes != right.size_bytes || left.count != right.count ||
      left.stride_bytes != right.stride_bytes || left.member_offsets != right.member_offsets ||
      left.members.size() != right.members.size())
    return false;
  for (std::size_t i = 0; i < left.members.size(); ++i)
    if (!same_layout(*left.members[i], *right.members[i])) return false;
  return left.kind == Type::Kind::kPointer || left.element == nullptr ||
         same_layout(*left.element, *right.element);
}

/// A leaf for each component.
void Types::append_strided(Leaf leaf, const Type& type, Layout& out) {
  out.kinds.insert(out.kinds.end(), leaf.components, leaf.kind);
  out.scalars = leaf.components;
  leaf.components = 1;
  leaf.align_bytes = narrow<std::uint32_t>(type.element->align_bytes);
  for (std::uint64_t c = 0; c < type.count; ++c) {
    leaf.offset = c * type.stride_bytes;
    out.leaves.push_back(leaf);
  }
}

Kind Types::scalar_kind(const Type& type) {
  std::optional<Kind> kind;
  if (type.kind == Type::Kind::kBool) kind = Kind::kBool;
  if (type.kind == Type::Kind::kPointer) kind = Kind::kI64;
  if (const decoder::OpaqueType* opaque = decoder::opaque_type(type.kind))
    kind = int_kind(opaque->value_bytes * 8);
  if (type.kind == Type::Kind::kInt) kind = int_kind(type.width_bits);
  if (type.kind == Type::Kind::kFloat) kind = float_kind(type.width_bits);
  if (!kind)
    refusals_.refuse(Rule::kU0003,
                     fmt::format("values of type {} are not supported", decoder::spell(type)));
  return kind.value_or(Kind::kI32);
}

const Type& Types::result_type(const Instruction& instruction) {
  static const Type& kNone = *new Type();
  const Type* type = request_.module.type(instruction.type_id);
  if (type != nullptr) return *type;
  refusals_.malformed("the result has no type");
  return kNone;
}

const Layout& Types::result_layout(const Instruction& instruction) {
  return layout(result_type(instruction));
}

lir::Space Types::space_of(const Type& pointer) {
  switch (pointer.storage_class) {
    case spv::StorageClass::Function:
    case spv::StorageClass::Private:
    case spv::StorageClass::PushConstant:
      return lir::Space::kPrivate;
    case spv::StorageClass::Workgroup:
      return lir::Space::kWorkgroup;
    case spv::StorageClass::CrossWorkgroup:
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::PhysicalStorageBuffer:
    case spv::StorageClass::Uniform:
    case spv::StorageClass::Image:
      return lir::Space::kGlobal;
    case spv::StorageClass::UniformConstant:  // handles of images and samplers, see Parameters
      return request_.has_resources() ? lir::Space::kPrivate : lir::Space::kConstant;
    case spv::StorageClass::Generic:
      return lir::Space::kGeneric;
    default:
      refusals_.refuse(Rule::kU0003, fmt::format("accesses through {} are not supported",
                                                 decoder::spell(pointer)));
      return lir::Space::kGlobal;
  }
}

bool Types::is_robust(const Type& pointer) const {
  return request_.options.robust != Robust::kFault &&
         (pointer.storage_class == spv::StorageClass::StorageBuffer ||
          pointer.storage_class == spv::StorageClass::Uniform);
}

bool Types::is_addressable(const Type& pointer) const {
  switch (pointer.storage_class) {
    case spv::StorageClass::Function:
    case spv::StorageClass::Private:
    case spv::StorageClass::PushConstant:
    case spv::StorageClass::Workgroup:
    case spv::StorageClass::CrossWorkgroup:
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::PhysicalStorageBuffer:
    case spv::StorageClass::Uniform:
    case spv::StorageClass::UniformConstant:
    case spv::StorageClass::Generic:
      return true;
    default:
      return false;
  }
}

}  // namespace transpire::vm::builder
