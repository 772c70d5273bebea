// Parameters: argument slots of the kernel's parameters, and what their ids mean in the entry frame.
//
// llvm-spirv gives each kernel an entry function that only forwards its parameters to the real one.
// Attributes may stand on either, so both count, and names are taken from whichever has one.
#pragma once

#include <string>

#include "vm/build/memory.h"

namespace transpire::vm::builder {

bool has_attribute(const decoder::Module& module, Id parameter,
                   spv::FunctionParameterAttribute attribute);

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
  std::string name(const Frame& frame, std::uint32_t index) const;
  bool is_marked(const Frame& frame, std::uint32_t index,
                 spv::FunctionParameterAttribute attribute) const;

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
