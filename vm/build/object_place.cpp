#include "vm/build/object_place.h"

#include <algorithm>
#include <string_view>

namespace transpire::vm::builder {
namespace {

/// How llvm-spirv calls unions: structs of their largest member.
constexpr std::string_view kUnionPrefix = "union.";

/// A byte of an object.
struct Spot {
  bool is_padding = false;
  bool in_struct = false, in_union = false;
  std::uint64_t begin = 0, bytes = 0;  ///< range of its scalar
};

/// Member of a struct that begins at or before an offset; as many as there are where none does.
std::size_t member_at(const Type& type, std::uint64_t offset) {
  const auto& offsets = type.member_offsets;
  if (!std::ranges::is_sorted(offsets)) {  // Offset may order members otherwise
    for (std::size_t i = 0; i < offsets.size(); ++i)
      if (offset >= offsets[i] && offset - offsets[i] < type.members[i]->size_bytes) return i;
    return offsets.size();
  }
  const auto behind = std::upper_bound(offsets.begin(), offsets.end(), offset);
  return behind == offsets.begin() ? offsets.size()
                                   : static_cast<std::size_t>(behind - offsets.begin()) - 1;
}

Spot spot_at(const Type* type, std::uint64_t offset) {
  Spot spot;
  for (;;) {
    if (type->kind == Type::Kind::kStruct) {
      spot.in_struct = true;
      spot.in_union |= std::string_view(type->name).starts_with(kUnionPrefix);
      const std::size_t member = member_at(*type, offset);
      const bool is_member =
          member < type->members.size() &&
          offset - type->member_offsets[member] < type->members[member]->size_bytes;
      spot.is_padding = !is_member;
      if (!is_member) return spot;
      offset -= type->member_offsets[member];
      spot.begin += type->member_offsets[member];
      type = type->members[member];
      continue;
    }
    const bool has_elements = type->kind == Type::Kind::kArray || type->kind == Type::Kind::kVector;
    if (!has_elements || type->stride_bytes == 0) break;
    if (type->is_matrix && type->element->is_strided_vector()) break;  // its rows are no parts
    const std::uint64_t element = offset / type->stride_bytes;
    offset %= type->stride_bytes;
    // The fourth component of a vector of three; what a stride leaves between elements.
    spot.is_padding = element >= type->count || offset >= type->element->size_bytes;
    if (spot.is_padding) return spot;
    spot.begin += element * type->stride_bytes;
    type = type->element;
  }
  spot.bytes = type->size_bytes;
  return spot;
}

bool has_structs(const Type& type) {
  const Type* at = &type;
  while (at->kind == Type::Kind::kArray) at = at->element;
  return at->kind == Type::Kind::kStruct;
}

}  // namespace

ObjectPlace ObjectPlace::after_steps(std::uint64_t stride, const Type& element) const {
  if (object == nullptr || object->size_bytes == 0) return {};
  if (stride % object->size_bytes == 0) return *this;
  if (is_cast && has_structs(*object)) return {object, 0, true, true};
  return {&element, 0};
}

bool ObjectPlace::leads_to(const Type& type) const {
  if (object == nullptr || object->size_bytes == 0) return false;
  const Type* at = object;
  std::uint64_t left = offset % object->size_bytes;
  while (at != &type) {
    if (at->kind == Type::Kind::kStruct) {
      const std::size_t member = member_at(*at, left);
      if (member >= at->members.size()) return false;
      left -= at->member_offsets[member];
      at = at->members[member];
    } else if ((at->kind == Type::Kind::kArray || at->kind == Type::Kind::kVector) &&
               at->stride_bytes != 0) {
      left %= at->stride_bytes;
      at = at->element;
    } else {
      return false;
    }
  }
  return left == 0;
}

StoredBytes stored_bytes(const ObjectPlace& place, std::uint64_t bytes) {
  StoredBytes stored;
  if (place.object == nullptr || place.object->size_bytes == 0 || bytes > 8) return stored;
  stored.may_be_copied = place.is_anywhere;
  if (place.is_anywhere) return stored;
  const std::uint64_t size = place.object->size_bytes, first = place.offset % size;
  bool in_struct = false, in_union = false;
  for (std::uint64_t i = 0; i < bytes; ++i) {
    const Spot spot = spot_at(place.object, (first + i) % size);
    in_struct |= spot.in_struct;
    in_union |= spot.in_union;
    if (spot.is_padding) stored.padding |= std::uint64_t{0xff} << (8 * i);
  }
  const Spot begin = spot_at(place.object, first);
  const bool is_member = !begin.is_padding && begin.begin == first && begin.bytes == bytes;
  stored.may_be_copied = in_union || (in_struct && !is_member);
  return stored;
}

}  // namespace transpire::vm::builder
