// The selectors share a selection, as far as it is made, and add instructions to one of its bodies.
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "vm/emit/select.h"

namespace transpire::vm::emission {

struct SelectionWriter {
  SelectionWriter(const Input& input, Selection* selection);

  const lir::Value& value(ValueId id) const { return f.values[id]; }

  /// Adds an instruction to the body.
  void push(SelectedInst inst, const lir::Value& value);
  /// Adds an instruction that computes an operand for the form of the value's instruction.
  void push_helper(SelectedInst inst, const lir::Value& value, Op op);
  /// Adds the instruction that makes the row of a value in a scalar.
  void finish(ValueId id);
  /// The registers of all results of a load, an image read or a product of matrices.
  InlineList<VReg> component_registers(ValueId load, std::uint32_t components, Kind kind,
                                       bool is_scalar);
  /// Notes the error that the value's instruction has no handler.
  void refuse(const lir::Value& value);

  const lir::Function& f;
  const LowerOptions& options;
  const HandlerTable& t;
  Selection& out;
  Registers& registers;             ///< in `out`
  std::vector<SelectedInst>* body;  ///< in `out`
  std::vector<bool> in_prologue;    ///< by value
  /// By load or image read: its Results and their components.
  std::unordered_map<ValueId, std::vector<std::pair<std::uint32_t, ValueId>>> results_of;
  std::optional<Diagnostic> error;  ///< the first one
};

}  // namespace transpire::vm::emission
