// Ids: the meaning of <id>s in the current frame, and the operands and results of instructions by
// their ids.
#pragma once

#include <deque>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "vm/build/debug_notes.h"
#include "vm/build/input_pointer.h"
#include "vm/build/rounded_ops.h"
#include "vm/build/types.h"

namespace transpire::vm::builder {

/// Makes the value of a module-scope id when a kernel uses it. Implemented above (builder.h),
/// because such a value may need instructions of any kind.
class ModuleScope {
 public:
  virtual Values constant(const decoder::Constant& constant) = 0;
  virtual Bound variable(const decoder::Variable& variable) = 0;

 protected:
  ~ModuleScope() = default;
};

class Ids {
 public:
  Ids(const Request& request, const Position& position, Refusals& refusals, Writer& writer,
      DebugNotes& notes, RoundedOps& rounded, Types& types, ModuleScope& module_scope)
      : request_(request),
        position_(position),
        refusals_(refusals),
        writer_(writer),
        notes_(notes),
        rounded_(rounded),
        types_(types),
        module_scope_(module_scope) {}

  Values value(Id id);
  ValueId scalar(Id id);
  /// The address of a load, a store or an access chain, which follow Bound::laid_out. Others refuse such pointers.
  ValueId pointer(Id id);
  Id operand_id(const Instruction& instruction, std::size_t index);
  Values operand(const Instruction& i, std::size_t index) { return value(operand_id(i, index)); }
  ValueId scalar_operand(const Instruction& i, std::size_t index) {
    return scalar(operand_id(i, index));
  }
  const Type* operand_type(const Instruction& i, std::size_t index);
  /// The value of a scalar integer constant.
  std::optional<std::uint64_t> constant_of(Id id) const;
  std::optional<std::int64_t> signed_constant_of(Id id) const;

  /// The instruction's result, which must be of its type's scalars.
  void define(const Instruction& instruction, ValueList values);
  /// If true, define() flushes denormals: for functions that choose one of their operands.
  void flush_results(bool flushes) { flushes_results_ = flushes; }
  void bind(Id id, Bound bound) { position_.frame->bound[id] = bound; }
  /// The meaning of a variable of the module's scope, the same in all frames.
  void bind_variable(Id id, Bound bound) { globals_[id] = bound; }
  /// Null if the id has no meaning here.
  Bound* find_bound(Id id);
  /// As find_bound(), but null for constants.
  const Bound* find_variable(Id id) {
    return request_.module.constant(id) != nullptr ? nullptr : find_bound(id);
  }
  /// The address of a variable or pipe storage in an initial value; empty if the id is neither.
  Values address(Id id);
  /// Values that stay as long as the builder does.
  Values keep(ValueList values);

  /// Null unless the id is a pointer to Input storage.
  const InputPointer* input(Id id);
  /// A Bound that is such a pointer.
  Bound add_input(InputPointer pointer);

  /// True if the value is the address of a value held in memory, see temporaries.h.
  bool is_temporary(ValueId value) const { return temporaries_.contains(value); }
  ValueId mark_temporary(ValueId address);

 private:
  const Request& request_;
  const Position& position_;
  Refusals& refusals_;
  Writer& writer_;
  DebugNotes& notes_;
  RoundedOps& rounded_;
  Types& types_;
  ModuleScope& module_scope_;
  bool flushes_results_ = false;           ///< for the current instruction
  std::deque<ValueList> kept_;             ///< storage that Values point into
  std::unordered_map<Id, Bound> globals_;  ///< module-scope variables
  std::vector<InputPointer> inputs_;
  std::unordered_set<ValueId> temporaries_;
};

}  // namespace transpire::vm::builder
