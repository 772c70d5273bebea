// Calls: functions expanded in place, the kernel's own and those that it calls.
//
// A callee's entry block continues the caller's block. A single return continues the caller in the
// callee's last block; several meet in a block of their own, with phis for the result.
#pragma once

#include "vm/build/dispatcher.h"
#include "vm/build/lifetimes.h"
#include "vm/build/temporaries.h"

namespace transpire::vm::builder {

class Calls {
 public:
  Calls(Core& core, Accesses& accesses, PrivateVariables& variables, Temporaries& temporaries,
        BlockOrders& orders, Lifetimes& lifetimes, Dispatcher& dispatcher);

  /// Builds the frame's function, from the current block on; its parameters are bound.
  void expand(Frame& frame);
  /// OpFunctionCall.
  void call(const Instruction& instruction);

 private:
  void expand_blocks(Frame& frame);
  void expand_block(Frame& frame, std::uint32_t index);
  void resolve_phis(Frame& frame);
  void resolve_phi(const Frame& frame, const Frame::PendingPhi& phi);
  ValueList expand_call(Frame& callee);
  ValueList join_exits(const Frame& frame);
  ValueId join_component(const Frame& frame, std::size_t component);
  bool can_call(const decoder::Function* callee);
  void bind_arguments(const Instruction& call, Frame& callee);
  Bound argument(Id id, const Type& type);
  Bound copy_by_value(const Type& pointer, Bound argument);

  const Request& request_;
  Position& position_;
  Refusals& refusals_;
  Writer& writer_;
  Budget& budget_;
  Types& types_;
  Ids& ids_;
  Accesses& accesses_;
  PrivateVariables& variables_;
  Temporaries& temporaries_;
  DebugNotes& notes_;
  BlockOrders& orders_;
  Lifetimes& lifetimes_;
  Dispatcher& dispatcher_;
};

}  // namespace transpire::vm::builder
