// Writer: appends instructions, phis and terminators to the blocks of the lir::Function that is built. It knows
// nothing of SPIR-V's types and ids.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <vector>

#include "vm/build/block_graph.h"
#include "vm/build/float_constant.h"
#include "vm/build/refusals.h"
#include "vm/lir/budget.h"

namespace transpire::vm::builder {

class Writer {
 public:
  Writer(const Request& request, Position& position, Refusals& refusals);

  lir::Function& function() { return function_; }
  const lir::Function& function() const { return function_; }
  Budget& budget() { return *function_.budget; }

  /// kVoid for kNoValue, the operand in a module that was refused.
  Kind kind_of(ValueId value) const {
    return value < function_.values.size() ? function_.values[value].kind : Kind::kVoid;
  }
  ValueId constant(Kind kind, std::uint64_t bits) { return function_.constant(kind, bits); }
  /// Refuses kinds that are no floats.
  ValueId float_constant(Kind kind, const FloatConstant& number);
  /// The bits of a Const value.
  std::optional<std::uint64_t> constant_bits(ValueId value) const;

  /// Appends to the current block, its source being the current instruction.
  ValueId place(lir::Value value);
  /// As place(), for an op of so many results of one kind: the value and its Results.
  ValueList place_all(lir::Value value, std::uint64_t results);
  /// As place(), for an op of a regular shape: kinds follow from the operands.
  ValueId place_op(Op op, std::initializer_list<ValueId> args, std::uint64_t imm = 0);
  /// The values that `write` places come before all other instructions of the kernel.
  void in_prologue(const std::function<void()>& write);
  /// Counts instructions against LowerOptions::max_instructions.
  void count(std::uint64_t instructions);
  /// Source of the current instruction, an index into lir::Function::sources.
  std::uint32_t source();

  BlockId new_block();
  BlockId current_block() const { return block_; }
  void continue_in(BlockId block) { block_ = block; }
  void terminate(Op op, ValueId operand, const std::vector<BlockId>& targets);
  ValueId new_phi(BlockId block, Kind kind);
  void set_incoming(ValueId phi, std::vector<Incoming> incoming) {
    incoming_[phi] = std::move(incoming);
  }

  /// Once everything is placed: the prologue is put in front, and the blocks that control reaches are linked.
  void link();

 private:
  const Request& request_;
  Position& position_;
  Refusals& refusals_;
  lir::Function function_;
  BlockId block_ = 0;
  std::uint64_t placed_ = 0;       ///< against LowerOptions::max_instructions
  std::vector<ValueId> prologue_;  ///< instructions that go before all others of block 0
  IncomingValues incoming_;
};

}  // namespace transpire::vm::builder
