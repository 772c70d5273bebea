// DebugInstructions: the instructions of OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo in front of the functions, read from the
// module's words. Both sets have the same numbers and operands, but that numbers among the operands are constants in the latter.
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

  /// The name of a DebugLocalVariable.
  std::optional<std::string> local_name(Id id) const;
  /// True for a DebugExpression that changes nothing or, for a variable, only names its address space.
  bool is_plain(Id expression, bool of_variable);

 private:
  /// The effect of the operations of an expression.
  enum class Effect : std::uint8_t { kNone, kNamesSpace, kOther };
  Effect effect_of(Id expression) const;
  bool names_space(Id operation) const;

  const decoder::Module& module_;
  const lir::Function& function_;
  /// Number and operands of each instruction, by its result.
  std::unordered_map<Id, std::span<const std::uint32_t>> instructions_;
  bool has_constants_ = false;  ///< numbers are constants, as in NonSemantic.Shader.DebugInfo
  /// The effect of each expression that was looked up: many instructions may name a long one.
  std::unordered_map<Id, Effect> effects_;
};

}  // namespace transpire::vm::builder
