// DebugInstructions: those of OpenCL.DebugInfo.100 outside of functions. The decoder checks them and keeps their words.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "vm/build/names.h"

namespace transpire::vm::builder {

class DebugInstructions {
 public:
  /// Draws from the function's budget.
  DebugInstructions(const decoder::Module& module, const lir::Function& function);

  /// Of a DebugLocalVariable.
  std::optional<std::string> local_name(Id id) const;
  /// Whether a DebugExpression changes nothing, or, of a variable, names its address space only.
  bool is_plain(Id expression, bool of_variable);

 private:
  /// What the operations of an expression do.
  enum class Effect : std::uint8_t { kNone, kNamesSpace, kOther };
  Effect effect_of(Id expression) const;
  bool names_space(Id operation) const;

  const decoder::Module& module_;
  const lir::Function& function_;
  /// By result: number and operands.
  std::unordered_map<Id, std::span<const std::uint32_t>> instructions_;
  /// Of the expressions that were asked for: many instructions may name one that is long.
  std::unordered_map<Id, Effect> effects_;
};

}  // namespace transpire::vm::builder
