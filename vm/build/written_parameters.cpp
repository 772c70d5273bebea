#include "vm/build/written_parameters.h"

#include <algorithm>
#include <vector>

#include "vm/build/pointer_origins.h"
#include "vm/lir/budget.h"
#include "vm/lir/pointer_flow.h"
#include "vm/lir/use_lists.h"

namespace transpire::vm::builder {
namespace {

using lir::leads_on;
using lir::Value;
using lir::ValueId;
using lir::writes_memory;

/// True if the value only reads through the operand.
bool only_reads(const Value& value, ValueId operand) {
  if (looks_at_operands(value.op)) return true;
  switch (value.op) {
    case Op::kLoad:
    case Op::kAtomicLoad:
    case Op::kMemSemantics:
    case Op::kCheckCopies:
      return true;
    case Op::kPipeWrite:
    case Op::kPipeWriteReserved:
      return value.args[0] == operand;
    case Op::kCopyMemory:
    case Op::kAsyncCopy:
      return value.args[0] != operand && value.args[1] == operand;
    default:
      return false;
  }
}

class Following {
 public:
  explicit Following(lir::Function& function)
      : function_(function), uses_(function), seen_(function.values.size()) {}

  void run() {
    for (ValueId id = 0; id < function_.values.size(); ++id)
      if (function_.values[id].op == Op::kArgument) follow(id);
    // An enqueued function may get any escaped pointer, and store anywhere.
    const bool anywhere = function_.uses_queue || (stores_anywhere({}) && stores_beyond());
    for (const ValueId id : escaping_)
      if (anywhere) mark(id);
  }

 private:
  void follow(ValueId root) {
    std::vector<ValueId> pointers{root};
    seen_[root] = true;
    bool escapes = false, written = false;
    for (std::size_t next = 0; next < pointers.size(); ++next) {
      const ValueId pointer = pointers[next];
      for (const ValueId user : uses_.users(pointer)) {
        function_.work();
        const Value& value = function_.values[user];
        if (leads_on(value, pointer)) {
          if (!seen_[user]) pointers.push_back(user);
          seen_[user] = true;
        } else if (writes_memory(value) && value.args[0] == pointer) {
          written = true;
        } else if (!only_reads(value, pointer)) {
          escapes = true;
        }
      }
    }
    for (const ValueId pointer : pointers) seen_[pointer] = false;
    if (written) mark(root);
    if (escapes) escaping_.push_back(root);
  }

  void mark(ValueId root) {
    for (Parameter& parameter : function_.parameters)
      if (parameter.kind == Parameter::Kind::kPointer &&
          parameter.first_slot == function_.values[root].imm)
        parameter.may_be_written = true;
  }

  /// As stores_anywhere(), but follows pointers through private variables that they were stored to,
  /// as compilers do without optimisation. Marks parameters that stores reach in this way.
  bool stores_beyond() {
    const std::vector<std::uint32_t> origins = sole_origins(function_);
    for (const Value& value : function_.values)
      if (value.block != lir::kNoBlock && writes_memory(value))
        if (const std::uint32_t number = origins[value.args[0]]; number != 0)
          function_.parameters[number - 1].may_be_written = true;
    std::fill(seen_.begin(), seen_.end(), false);
    return stores_anywhere(origins);
  }

  /// True if some store's address may come from elsewhere than an argument. `origins`: by value; 0:
  /// elsewhere.
  bool stores_anywhere(const std::vector<std::uint32_t>& origins) {
    std::vector<ValueId> addresses;
    const auto reach = [&](ValueId id) {
      if (!seen_[id]) addresses.push_back(id);
      seen_[id] = true;
    };
    for (const Value& value : function_.values)
      if (value.block != lir::kNoBlock && writes_memory(value) &&
          (origins.empty() || origins[value.args[0]] == 0))
        reach(value.args[0]);
    for (std::size_t next = 0; next < addresses.size(); ++next) {
      const Value& value = function_.values[addresses[next]];
      if (value.op == Op::kArgument || value.op == Op::kConst) continue;
      for (const ValueId arg : value.args) {
        function_.work();
        if (leads_on(value, arg)) reach(arg);
      }
      const bool is_followed = value.op == Op::kAddress || value.op == Op::kSelect ||
                               (!value.args.empty() && leads_on(value, value.args[0]));
      if (!is_followed) return true;
    }
    return false;
  }

  lir::Function& function_;
  const lir::UseLists uses_;
  std::vector<bool> seen_;  // by value
  std::vector<ValueId> escaping_;
};

}  // namespace

void mark_written_parameters(lir::Function& function) { Following(function).run(); }

}  // namespace transpire::vm::builder
