#include "vm/build/instructions/subgroup_block.h"

#include <optional>

#include "decoder/untyped.h"
#include "vm/build/builder.h"

namespace transpire::vm::builder::subgroup_block {

ValueId address(Builder& b, ValueId pointer, const Type& element, std::size_t component) {
  const ValueId lane = b.ops.resize(b.groups.lane(), Kind::kI64, false);
  const std::uint64_t skipped =
      std::uint64_t{component} * b.groups.subgroup_size() * element.size_bytes;
  return b.pointers.address(pointer, lane, static_cast<std::int64_t>(element.size_bytes),
                            static_cast<std::int64_t>(skipped));
}

namespace {

struct BlockAccess {
  ValueId pointer = kNoValue;
  const Type* element = nullptr;
  lir::Space space = lir::Space::kGlobal;
};

std::optional<BlockAccess> block_access(Builder& b, const Instruction& i) {
  const Type* pointer = b.ids.operand_type(i, 0);
  if (b.failed() ||
      !b.expect(pointer->kind == Type::Kind::kPointer && pointer->element != nullptr &&
                    pointer->element->kind == Type::Kind::kInt && !decoder::is_untyped(*pointer),
                "a block access needs a pointer to an integer"))
    return std::nullopt;
  return BlockAccess{b.ids.scalar_operand(i, 0), pointer->element, b.types.space_of(*pointer)};
}

}  // namespace

void read(Builder& b, const Instruction& i, Op) {
  const std::optional<BlockAccess> access = block_access(b, i);
  if (!access) return;
  ValueList values;
  const std::size_t components = b.types.result_layout(i).kinds.size();
  for (std::size_t c = 0; c < components && !b.failed(); ++c) {
    const ValueId at = address(b, access->pointer, *access->element, c);
    values.push_back(b.memory.load(*access->element, at, access->space, {}).front());
  }
  b.ids.define(i, std::move(values));
}

void write(Builder& b, const Instruction& i, Op) {
  const std::optional<BlockAccess> access = block_access(b, i);
  if (!access) return;
  const Values values = b.ids.operand(i, 1);
  for (std::size_t c = 0; c < values.size() && !b.failed(); ++c) {
    const ValueId at = address(b, access->pointer, *access->element, c);
    b.memory.store(*access->element, at, values.subspan(c, 1), access->space, {});
  }
}

}  // namespace transpire::vm::builder::subgroup_block
