// Parameters: argument slots of the kernel's parameters, and what their ids mean in the entry frame.
#pragma once

#include "vm/build/memory.h"

namespace transpire::vm::builder {

class Parameters {
 public:
  Parameters(Core& core, Pointers& pointers, PrivateVariables& variables, Memory& memory);

  /// Binds the parameters of the entry point's function.
  void bind(Frame& frame);

 private:
  void bind(Frame& frame, std::uint32_t index, const Type& type);
  void bind_slots(Frame& frame, std::uint32_t index, Parameter parameter);
  void bind_pointer(Frame& frame, std::uint32_t index, Parameter parameter);
  void bind_by_value(Frame& frame, std::uint32_t index, Parameter parameter, const Type& type,
                     bool by_pointer);

  const Request& request_;
  Position& position_;
  Refusals& refusals_;
  lir::Function& function_;
  Types& types_;
  Ids& ids_;
  Pointers& pointers_;
  PrivateVariables& variables_;
  Memory& memory_;
};

}  // namespace transpire::vm::builder
