// The execution scopes of group instructions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

/// The group that an execution scope names: Workgroup or Subgroup; refuses others.
std::optional<spv::Scope> group_scope(Builder& b, const Instruction& i, std::size_t index = 0);
/// As group_scope(), but only Subgroup is accepted. Returns false after a refusal.
bool subgroup_scope(Builder& b, const Instruction& i, std::size_t index = 0);

/// --check=sync: finding R0045 where an integer differs within the group that executes the instruction together.
void check_same(Builder& b, spv::Scope scope, ValueId value, const char* what);

/// The size of a work-group; zeros if the module does not say.
std::array<std::uint32_t, 3> group_size(const decoder::EntryPoint& entry);

}  // namespace transpire::vm::builder
