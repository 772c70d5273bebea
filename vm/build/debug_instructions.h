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
  explicit DebugInstructions(const decoder::Module& module);

  /// Of a DebugLocalVariable.
  std::optional<std::string> local_name(Id id) const;
  /// Whether a DebugExpression changes nothing, or, of a variable, names its address space only.
  bool is_plain(Id expression, bool of_variable) const;

 private:
  const decoder::Module& module_;
  /// By result: number and operands.
  std::unordered_map<Id, std::span<const std::uint32_t>> instructions_;
};

}  // namespace transpire::vm::builder
