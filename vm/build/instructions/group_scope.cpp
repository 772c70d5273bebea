#include "vm/build/instructions/group_scope.h"

#include <fmt/format.h>

#include <algorithm>

#include "vm/build/builder.h"

namespace transpire::vm::builder {

std::optional<spv::Scope> group_scope(Builder& b, const Instruction& i, std::size_t index) {
  const std::optional<std::uint64_t> scope = b.ids.constant_of(b.ids.operand_id(i, index));
  if (scope == static_cast<std::uint64_t>(spv::Scope::Workgroup)) return spv::Scope::Workgroup;
  if (scope == static_cast<std::uint64_t>(spv::Scope::Subgroup)) return spv::Scope::Subgroup;
  b.refuse(Rule::kU0001,
           scope ? fmt::format("the execution scope is {}, expected Workgroup (2) or Subgroup (3)",
                               *scope)
                 : "the execution scope must be a constant");
  return std::nullopt;
}

bool subgroup_scope(Builder& b, const Instruction& i, std::size_t index) {
  const std::optional<spv::Scope> scope = group_scope(b, i, index);
  if (scope == spv::Scope::Workgroup)
    b.refuse(Rule::kU0001, "the execution scope is Workgroup (2), expected Subgroup (3)");
  return scope == spv::Scope::Subgroup;
}

void check_same(Builder& b, spv::Scope scope, ValueId value, const char* what) {
  if (b.failed() || !b.request.options.check_sync) return;
  const GroupOperation all = b.groups.operation(scope, true);
  const ValueId least = b.groups.combine(all, Combine::kUMin, Scan::kReduce, value);
  const ValueId most = b.groups.combine(all, Combine::kUMax, Scan::kReduce, value);
  b.checks.never(Rule::kR0045, b.ops.emit(Op::kINotEqual, {least, most}), what,
                 {{value, least, most}});
}

std::array<std::uint32_t, 3> group_size(const decoder::EntryPoint& entry) {
  const decoder::ExecutionMode* mode = entry.mode(spv::ExecutionMode::LocalSize);
  if (mode == nullptr) mode = entry.mode(spv::ExecutionMode::LocalSizeId);
  std::array<std::uint32_t, 3> size{};
  if (mode != nullptr && mode->operands.size() == 3)
    std::ranges::copy(mode->operands, size.begin());
  return size;
}

}  // namespace transpire::vm::builder
