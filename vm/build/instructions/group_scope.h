// The execution scopes of group instructions.
#pragma once

#include <optional>

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

/// The group that an execution scope names: Workgroup or Subgroup; refuses others.
std::optional<spv::Scope> group_scope(Builder& b, const Instruction& i, std::size_t index = 0);
/// As group_scope(), but only Subgroup is accepted. Returns false after a refusal.
bool subgroup_scope(Builder& b, const Instruction& i, std::size_t index = 0);

}  // namespace transpire::vm::builder
