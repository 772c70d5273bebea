#include "vm/build/memory.h"

#include <algorithm>

#include "base/narrow.h"

namespace transpire::vm::builder {
namespace {

constexpr std::size_t kMaxCopiedLeaves = 64;
constexpr std::uint64_t kMaxCopiedBytes = 1024;

lir::MemAccess leaf_access(const Leaf& leaf, lir::Space space, MemoryOperands operands,
                           std::uint32_t align_limit) {
  lir::MemAccess access;
  access.kind = leaf.kind;
  access.components = leaf.components;
  access.space = space;
  access.is_volatile = operands.is_volatile;
  access.is_robust = operands.is_robust;
  access.sharing = operands.sharing;
  access.offset = static_cast<std::int64_t>(leaf.offset);
  access.align_bytes = leaf.align_bytes;
  if (operands.align_bytes != 0) {
    // The promise of Aligned for the whole value, at the leaf's offset.
    const std::uint64_t known = operands.align_bytes | leaf.offset;
    access.align_bytes = narrow<std::uint32_t>(known & (~known + 1));
  } else if (align_limit != 0) {
    access.align_bytes = std::min(access.align_bytes, align_limit);
  }
  return access;
}

/// Beside the types of where it goes.
std::vector<lir::StoredPart> stored_parts(const lir::MemAccess& access, const ObjectPlace& place) {
  const std::uint64_t bytes = access.kind == Kind::kBool ? 1 : lane_bytes(access.kind);
  std::vector<lir::StoredPart> parts;
  bool says_more = false;
  for (std::uint32_t c = 0; c < access.components; ++c) {
    const auto at = access.offset + static_cast<std::int64_t>(c * bytes);
    const StoredBytes stored = stored_bytes(place.after(at), bytes);
    says_more |= stored.padding != 0 || stored.may_be_copied;
    parts.push_back({stored.padding, stored.may_be_copied});
  }
  return says_more ? parts : std::vector<lir::StoredPart>();
}

}  // namespace

Memory::Memory(Core& core, Pointers& pointers, Accesses& accesses, PartialStores& partial_stores,
               Temporaries& temporaries)
    : refusals_(core.refusals),
      writer_(core.writer),
      ops_(core.ops),
      types_(core.types),
      ids_(core.ids),
      pointers_(pointers),
      accesses_(accesses),
      partial_stores_(partial_stores),
      temporaries_(temporaries),
      request_(core.request) {}

ValueList Memory::load(const Type& type, ValueId pointer, lir::Space space, MemoryOperands operands,
                       std::uint32_t align_limit) {
  ValueList values;
  if (types_.is_held(type)) {
    accesses_.check_copies(pointer, space, type.size_bytes, false);
    return {temporaries_.load(type, pointer, space, operands)};
  }
  pointers_.check_indexes(pointer);
  accesses_.check_copies(pointer, space, type.size_bytes, false);
  for (const Leaf& leaf : types_.layout(type).leaves) {
    for (ValueId value : accesses_.load(leaf_access(leaf, space, operands, align_limit), pointer)) {
      if (leaf.is_pointer) value = ops_.resize(value, Kind::kI64, false);
      values.push_back(value);
    }
    if (refusals_.failed()) break;
  }
  return values;
}

void Memory::store(const Type& type, ValueId pointer, Values values, lir::Space space,
                   MemoryOperands operands, std::uint32_t align_limit) {
  const Layout& parts = types_.layout(type);
  if (!refusals_.expect(parts.kinds.size() == values.size(),
                        "the stored value is not of the pointee's type"))
    return;
  if (parts.in_memory) {
    if (!refusals_.expect(ids_.is_temporary(values[0]),
                          "the stored value is not of the pointee's type"))
      return;
    accesses_.check_copies(pointer, space, type.size_bytes, true);
    return temporaries_.copy(type, pointer, values[0], space, operands);
  }
  pointers_.check_indexes(pointer);
  accesses_.check_copies(pointer, space, type.size_bytes, true);
  std::size_t next = 0;
  for (const Leaf& leaf : parts.leaves) {
    ValueList stored(values.begin() + static_cast<std::ptrdiff_t>(next),
                     values.begin() + static_cast<std::ptrdiff_t>(next + leaf.components));
    next += leaf.components;
    if (leaf.is_pointer)
      for (ValueId& value : stored)
        value = ops_.resize(leaf.space ? pointers_.tagged(value, *leaf.space) : value, leaf.kind,
                            false);
    lir::MemAccess access = leaf_access(leaf, space, operands, align_limit);
    access.is_part = parts.leaves.size() > 1;
    if (operands.place.object != nullptr && !access.is_part)
      access.stored = stored_parts(access, operands.place);
    partial_stores_.store(access, pointer, stored);
    if (refusals_.failed()) return;
  }
}

bool Memory::copies_scalars(const Type& type) {
  // Each scalar is in bounds by itself, however the copy is made.
  if (request_.options.robust != Robust::kFault) return !types_.is_held(type);
  return type.size_bytes <= kMaxCopiedBytes &&
         types_.layout(type).leaves.size() <= kMaxCopiedLeaves;
}

void Memory::copy_initial(const Type& type, ValueId target, ValueId source) {
  if (copies_scalars(type)) {
    const ValueList values = load(type, source, lir::Space::kConstant, {});
    if (!refusals_.failed()) store(type, target, values, lir::Space::kPrivate, {});
    return;
  }
  accesses_.copy(target, source, writer_.constant(Kind::kI64, type.size_bytes),
                 byte_access(lir::Space::kPrivate, lir::Space::kConstant));
}

}  // namespace transpire::vm::builder
