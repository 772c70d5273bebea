// Parameters: argument slots of the kernel's parameters, and what their ids mean in the entry frame.
#pragma once

#include <optional>
#include <unordered_map>

#include "vm/build/memory.h"

namespace transpire::vm::builder {

class Parameters {
 public:
  Parameters(Core& core, Pointers& pointers, PrivateVariables& variables, Accesses& accesses,
             PassedScalars& passed_scalars, Memory& memory);

  /// Binds the inputs of the entry point: parameters of its function, whose frame it is, or variables of the module.
  void bind(Frame& frame);
  /// The bytes of the buffer that a pointer leads into, from the variable's beginning on. None if it comes from no buffer with a size.
  std::optional<ValueId> buffer_bytes(ValueId pointer) const;
  /// The address of the block whose descriptor in an array of them stands at `descriptor` (Bound::blocks).
  ValueId load_block(ValueId descriptor);

 private:
  void bind(Frame& frame, std::uint32_t index, const Type& type);
  void bind_values(Frame& frame, std::uint32_t index, ValueList values);
  void bind_slots(Frame& frame, std::uint32_t index, Parameter parameter);
  void bind_variable(Frame& frame, std::uint32_t index, Parameter parameter);
  void bind_handle(std::uint32_t index, Parameter parameter);
  void bind_block(const decoder::EntryInput& input, Parameter parameter, ValueId bytes);
  ValueId add_argument(std::uint32_t slot);
  ValueId place_in_variable(const decoder::EntryInput& input, const Type* blocks);
  void store_word(ValueId at, std::int64_t offset, ValueId value);
  void bind_buffer(Frame& frame, std::uint32_t index, Parameter parameter);
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
  Accesses& accesses_;
  PassedScalars& passed_scalars_;
  Memory& memory_;
  std::unordered_map<Id, ValueId>
      descriptors_;  ///< by variable, the private memory of its handles or buffers
  std::unordered_map<ValueId, ValueId>
      buffer_bytes_;  ///< by the pointer that is the argument or loaded from a descriptor
};

}  // namespace transpire::vm::builder
