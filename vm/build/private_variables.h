// PrivateVariables: variables of which each work-item has its own, at one address.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/checked.h"
#include "vm/build/arguments.h"

namespace transpire::vm::builder {

class PrivateVariables {
 public:
  PrivateVariables(Core& core, Arguments& arguments);

  /// Returns its index.
  std::uint32_t add(std::string name, const Type& type, std::uint64_t align_bytes);
  ValueId address(std::uint32_t index) const { return addresses_[index]; }
  /// The variable whose address the value is, if it is one.
  std::optional<std::uint32_t> variable_at(ValueId address) const;
  /// Marks the variable as unwritten: it is poisoned, and --check=uninit treats it as undefined
  /// from here on.
  void undefine(std::uint32_t variable);
  /// Places a LifetimeStart or LifetimeStop.
  void mark_lifetime(Op op, std::uint32_t variable);
  /// Notes which variables some LifetimeStart stands for, once control flow is known.
  void note_starts();

 private:
  void mark(Op op, std::uint32_t variable);

  Refusals& refusals_;
  Writer& writer_;
  lir::Function& function_;
  Arguments& arguments_;
  const bool checks_uninit_, poisons_;
  Checked bytes_;  ///< size of all variables so far
  std::vector<ValueId> addresses_;
  std::unordered_map<ValueId, std::uint32_t> index_;  ///< by address
};

}  // namespace transpire::vm::builder
