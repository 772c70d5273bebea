// Selection: for each value of LIR the handler for the form of its operands, scalar or row. The
// operands are virtual registers.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "vm/emit/linear_order.h"
#include "vm/emit/private_memory.h"
#include "vm/emit/registers.h"
#include "vm/lir/lower_options.h"
#include "vm/program/program.h"

namespace transpire::vm::emission {

/// The arguments of emit(), which the stages read.
struct Input {
  const lir::Function& function;
  const LowerOptions& options;
  const HandlerTable& handlers;
};

/// One of the accesses that became a single one.
struct SelectedPart {
  Access access;
  std::uint32_t source = 0;  ///< index into Function::sources
};

/// An Inst whose operands have no places yet. For most members see Inst in vm/program/program.h.
struct SelectedInst {
  Handler run = nullptr;
  Handler announce = nullptr;  ///< observer call in front, with the same operands
  VReg d = kNoReg, a = kNoReg, b = kNoReg, c = kNoReg;
  std::uint64_t imm = 0;
  /// A check of scalars: the strides of a and b from lane to lane. They are in d and c.
  std::optional<std::array<std::int32_t, 2>> strides;
  Access* access = nullptr;      ///< imm becomes its address
  std::uint32_t first_part = 0;  ///< a merged access: index into Selection::parts
  std::uint8_t part_count = 0;
  bool is_list = false;  ///< an OperandList is made of `values`, imm and access
  /// Makes the row of this scalar value; `d` and `a` are set when some instruction wants the row.
  ValueId spread_of = lir::kNoValue;
  InlineList<VReg> values;      ///< components of a load or store; operands of a list
  bool defines_values = false;  ///< a load: `values` are results
  InlineList<VReg> results;     ///< results of a list that has several
  lir::ValueList reported;      ///< values that the check's finding reports
  /// An image access: number of `values` behind the handles that its finding reports.
  std::uint8_t reported_values = 0;
  bool helps = false;  ///< computes an operand of an instruction, or a row beside its scalar
  Site site;           ///< without the places of the values that are reported

  /// Calls `visit` with each register that the instruction writes.
  template <class Visit>
  void for_each_definition(Visit visit) const {
    if (d != kNoReg) visit(d);
    for (const VReg reg : results) visit(reg);
    if (!defines_values) return;
    for (const VReg reg : values) visit(reg);
  }
};

struct SelectedBlock {
  std::vector<SelectedInst> body;
  VReg condition = kNoReg;  ///< the terminator's
  bool condition_is_scalar = false;
};

/// A kernel with handlers. Copies of edges are not instructions yet: they stand in LinearOrder, and
/// the registers of their values are known here.
struct Selection {
  explicit Selection(const lir::Function& function) : registers(function) {}

  Registers registers;
  std::vector<SelectedInst> prologue;  ///< see Program::code
  std::vector<SelectedBlock> blocks;   ///< by linear block
  PrivateMemory private_memory;
  std::deque<Access> accesses;  ///< instructions point to these
  std::deque<PrivateAccess> private_accesses;
  std::vector<SelectedPart> parts;
  std::vector<UndefinedAccess> undefined_accesses;
  /// In programs that keep values, by value: the phis that have no other operand.
  std::unordered_map<ValueId, std::vector<ValueId>> copies_of;
};

/// Refuses private memory that is too large (L0004) and instructions without a handler (U0001).
Result<Selection> select(const Input& input, const LinearOrder& order);

}  // namespace transpire::vm::emission
