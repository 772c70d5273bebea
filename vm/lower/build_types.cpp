// Taking types apart: the scalars of a value, and the accesses that load or store it.
#include <fmt/format.h>

#include <algorithm>

#include "vm/lower/builder.h"

namespace transpire::vm::builder {
namespace {

constexpr std::size_t kMaxComponents = 65536;
constexpr unsigned kMaxDepth = 256;

std::optional<Kind> int_kind(std::uint32_t width) {
  switch (width) {
    case 8:
      return Kind::kI8;
    case 16:
      return Kind::kI16;
    case 32:
      return Kind::kI32;
    case 64:
      return Kind::kI64;
    default:
      return std::nullopt;
  }
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

Kind Builder::scalar_kind(const Type& type) {
  std::optional<Kind> kind;
  if (type.kind == Type::Kind::kBool) kind = Kind::kBool;
  if (type.kind == Type::Kind::kPointer) kind = Kind::kI64;
  if (type.kind == Type::Kind::kInt) kind = int_kind(type.width_bits);
  if (type.kind == Type::Kind::kFloat) kind = float_kind(type.width_bits);
  if (!kind)
    refuse(Rule::kU0003, fmt::format("values of type {} are not supported", decoder::spell(type)));
  return kind.value_or(Kind::kI32);
}

void Builder::flatten(const Type& type, std::uint64_t offset, bool packed, Layout& out,
                      unsigned depth) {
  if (failed()) return;
  if (depth > kMaxDepth || out.kinds.size() > kMaxComponents)
    return refuse(Rule::kU0007,
                  fmt::format("a value of more than {} scalars or nested more than {} "
                              "deep",
                              kMaxComponents, kMaxDepth));
  switch (type.kind) {
    case Type::Kind::kVoid:
      return;
    case Type::Kind::kArray:
      if (type.element == nullptr) return malformed("an array has no element type");
      if (type.count > kMaxComponents)
        return refuse(Rule::kU0007, fmt::format("a value of type {}", decoder::spell(type)));
      for (std::uint64_t i = 0; i < type.count; ++i)
        flatten(*type.element, offset + i * type.element->size_bytes, packed, out, depth + 1);
      return;
    case Type::Kind::kStruct:
      for (std::size_t i = 0; i < type.members.size(); ++i)
        flatten(*type.members[i], offset + type.member_offsets[i], packed || type.packed, out,
                depth + 1);
      return;
    default:
      break;
  }
  const bool is_vector = type.kind == Type::Kind::kVector;
  const Type& element = is_vector ? *type.element : type;
  Leaf leaf;
  leaf.offset = offset;
  leaf.components =
      is_vector ? static_cast<std::uint32_t>(std::min<std::uint64_t>(type.count, kMaxComponents))
                : 1;
  leaf.align_bytes = packed ? 1 : static_cast<std::uint32_t>(type.align_bytes);
  leaf.is_pointer = element.kind == Type::Kind::kPointer;
  const Kind kind = scalar_kind(element);
  leaf.kind = leaf.is_pointer && physical32() ? Kind::kI32 : kind;
  out.leaves.push_back(leaf);
  out.kinds.insert(out.kinds.end(), leaf.components, kind);
}

const Layout& Builder::layout(const Type& type) {
  const auto [entry, is_new] = layouts_.try_emplace(&type);
  if (is_new) flatten(type, 0, false, entry->second, 0);
  return entry->second;
}

const Type& Builder::result_type(const Instruction& instruction) {
  static const Type kNone;
  const Type* type = module_.type(instruction.type_id);
  if (type != nullptr) return *type;
  malformed("the result has no type");
  return kNone;
}

const Layout& Builder::result_layout(const Instruction& instruction) {
  return layout(result_type(instruction));
}

}  // namespace transpire::vm::builder
