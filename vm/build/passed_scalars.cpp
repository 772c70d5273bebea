#include "vm/build/passed_scalars.h"

#include "base/narrow.h"

namespace transpire::vm::builder {
namespace {

/// Push constants have 128 to 256 bytes; larger blocks stay in memory.
constexpr std::size_t kMaxPassedScalars = 64;

}  // namespace

void PassedScalars::add(Parameter& parameter, const Layout& layout, ValueId address) {
  if (layout.in_memory || layout.scalars > kMaxPassedScalars) return;
  for (const Leaf& leaf : layout.leaves) {
    const std::uint32_t bytes = lane_bytes(leaf.kind);
    for (std::uint32_t c = 0; c < leaf.components; ++c) {
      const std::uint64_t offset = leaf.offset + c * bytes;
      lir::Value argument;
      argument.op = Op::kArgument;
      argument.kind = argument.from = leaf.kind;
      argument.imm = parameter.first_slot + parameter.scalars.size();
      values_[{address, offset, leaf.kind}] = function_.add(std::move(argument));
      parameter.scalars.push_back({offset, bytes});
    }
  }
  parameter.slot_count = narrow<std::uint32_t>(parameter.scalars.size());
}

std::optional<ValueList> PassedScalars::load(const lir::MemAccess& access, ValueId pointer) const {
  if (values_.empty() || access.is_volatile) return std::nullopt;
  const AddressRoot root = pointers_.root(pointer);
  const std::uint64_t begin = root.offset + static_cast<std::uint64_t>(access.offset);
  ValueList values;
  for (std::uint32_t c = 0; c < access.components; ++c) {
    const auto known = values_.find({root.fixed, begin + c * lane_bytes(access.kind), access.kind});
    if (known == values_.end()) return std::nullopt;
    values.push_back(known->second);
  }
  return values;
}

}  // namespace transpire::vm::builder
