// Builder: the pieces that lower one kernel of a Module to LIR. Each has a header and a purpose of
// its own, and is made of pieces that stand before it in the list below. A handler builds a SPIR-V
// instruction (instructions/), with whatever pieces it needs; table.cpp says which one. Nothing
// here outlives build().
//
// A SPIR-V value is flattened: its scalars in order, vectors, arrays and structs taken apart. Calls
// are expanded in place: each call has a Frame that says what the callee's ids mean this time.
//
//   Core
//     Request            the module, the kernel, the options
//     Position           the frame and the instruction that are being built
//     Refusals           the first one sticks
//     Writer             the lir::Function: appends to its blocks
//     DebugNotes         facts for debuggers
//     FloatMode          the kernel's rounding and denormals
//     RoundedOps, Ops    arithmetic on scalars: what handlers emit
//     Types              SPIR-V types taken apart
//     Ids                meaning of <id>s; operands and results
//   Pointers             addresses, and facts about each
//   Arguments            slots that hold variables' addresses
//   PrivateVariables     one for each work-item
//   ProgramVariables     shared ones, and their initial bytes
//   ConstantMemory       their values, read while lowering
//   PassedScalars        push constants at known places
//   Accesses             one load, store or copy
//   PartialStores        stores of some components of a vector
//   Temporaries          values that are too large to be taken apart
//   Memory               loads and stores of any type
//   Parts                components of large values
//   Groups, Builtins     group ops; built-in variables
//   Checks               --check=ub
//   Constants, ModuleVariables   meaning of ids of module scope
//   Parameters           the kernel's parameters
//   BlockOrders, Lifetimes, Calls   functions, their blocks and variables
//
// Two pieces need others below them: an id may mean a constant that any instruction makes, and a
// call is built of any instructions. They ask for it through ModuleScope (ids.h) and Dispatcher
// (dispatcher.h), which the Builder implements.
#pragma once

#include <optional>
#include <string>

#include "vm/build/builtins.h"
#include "vm/build/calls.h"
#include "vm/build/checks.h"
#include "vm/build/constants.h"
#include "vm/build/instructions/memory_promises.h"
#include "vm/build/module_variables.h"
#include "vm/build/parameters.h"

namespace transpire::vm::builder {

class Builder final : private ModuleScope, private Dispatcher, public Core {
 public:
  explicit Builder(const Request& asked);

  Result<lir::Function> run();

  // Short form for handlers.
  bool failed() const { return refusals.failed(); }
  bool expect(bool condition, const char* what) { return refusals.expect(condition, what); }
  void refuse(Rule rule, std::string message) { refusals.refuse(rule, std::move(message)); }

  Pointers pointers;
  Arguments arguments;
  PrivateVariables private_variables;
  ProgramVariables program_variables;
  ConstantMemory constant_memory;
  PassedScalars passed_scalars;
  Accesses accesses;
  PartialStores partial_stores;
  Temporaries temporaries;
  Memory memory;
  Parts parts;
  Groups groups;
  Builtins builtins;
  Checks checks;
  Constants constants;
  ModuleVariables module_variables;
  Parameters parameters;
  BlockOrders block_orders;
  Lifetimes lifetimes;
  Calls calls;
  std::optional<PromisedMemory> promised;  ///< once --check=ub asks for it

 private:
  Values constant(const decoder::Constant& constant) override;
  Bound variable(const decoder::Variable& variable) override;
  void dispatch(const Instruction& instruction) override;

  void build();
  void check_module();
  void check_addressing();
  void apply_options();
  void choose_subgroup_size();
  void count(spv::Op opcode);
  void finish();
};

/// Constants of 32 and 64 bits.
inline ValueId i32(Builder& b, std::uint32_t bits) { return b.ops.constant(Kind::kI32, bits); }
inline ValueId i64(Builder& b, std::uint64_t bits) { return b.ops.constant(Kind::kI64, bits); }

}  // namespace transpire::vm::builder
