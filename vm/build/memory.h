// Memory: loads and stores of values of any type. A scalar or vector is one access; an array or struct is one
// for each scalar or vector in it, or one copy of bytes.
#pragma once

#include "vm/build/partial_stores.h"
#include "vm/build/temporaries.h"

namespace transpire::vm::builder {

class Memory {
 public:
  Memory(Core& core, Pointers& pointers, Accesses& accesses, PartialStores& partial_stores,
         Temporaries& temporaries);

  /// `align_limit` is that of the pointer, see Bound.
  ValueList load(const Type& type, ValueId pointer, lir::Space space, MemoryOperands operands,
                 std::uint32_t align_limit = 0);
  void store(const Type& type, ValueId pointer, Values values, lir::Space space,
             MemoryOperands operands, std::uint32_t align_limit = 0);

  /// True if a copy of the type is made scalar by scalar.
  bool copies_scalars(const Type& type);
  /// From constant memory to a private variable of the type.
  void copy_initial(const Type& type, ValueId target, ValueId source);

 private:
  Refusals& refusals_;
  Writer& writer_;
  Ops& ops_;
  Types& types_;
  Ids& ids_;
  Pointers& pointers_;
  Accesses& accesses_;
  PartialStores& partial_stores_;
  Temporaries& temporaries_;
  const Request& request_;
};

}  // namespace transpire::vm::builder
