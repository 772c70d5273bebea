#include "vm/build/instructions/group_scope.h"

#include <fmt/format.h>

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

}  // namespace transpire::vm::builder
